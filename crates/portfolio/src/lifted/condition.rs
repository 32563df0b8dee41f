//! Conditions with variables, in negation normal form over boolean atoms.

/// An argument in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arg {
    /// A constant object.
    Object(u32),
    /// The variable with this number in its rule.
    Variable(u32),
}

impl Arg {
    /// Returns `true` if it is an object or a bound variable.
    pub fn is_bound(self, bound: &[bool]) -> bool {
        match self {
            Self::Object(_) => true,
            Self::Variable(variable) => bound[variable as usize],
        }
    }

    /// Returns its object; a variable's is in its slot.
    pub fn object(self, slots: &[u32]) -> u32 {
        match self {
            Self::Object(object) => object,
            Self::Variable(variable) => slots[variable as usize],
        }
    }

    /// Changes a variable's number.
    pub fn renumber(&mut self, new_number: &[u32]) {
        if let Self::Variable(variable) = self {
            *variable = new_number[*variable as usize];
        }
    }
}

/// An atom over the variables of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The fact: an index of [`Model::predicates`](super::model::Model::predicates).
    pub predicate: u32,
    /// Its arguments.
    pub args: Box<[Arg]>,
}

/// A condition in negation normal form. An empty [`Condition::All`] is true, an empty
/// [`Condition::Any`] is false.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The atom is true (`true`) or false (`false`).
    Atom(Atom, bool),
    /// The two are the same object (`true`) or not (`false`).
    Same(Arg, Arg, bool),
    /// A conjunction.
    All(Vec<Condition>),
    /// A disjunction.
    Any(Vec<Condition>),
    /// A quantified condition.
    Quantified(Box<Quantified>),
}

/// A condition on every object of a type, or on some object.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantified {
    /// `true` if it has to hold for every object.
    pub is_universal: bool,
    /// The variable.
    pub variable: u32,
    /// The type: an index of [`Model::types`](super::model::Model::types).
    pub ty: u32,
    /// The atoms to try, once the condition is [indexed](Condition::indexed).
    pub driver: Option<Driver>,
    /// The condition on an object.
    pub body: Condition,
}

/// The atoms that matter to a quantified body: an existential one can hold only where one of them
/// is true, and a universal one can fail only there.
#[derive(Debug, Clone, PartialEq)]
pub struct Driver {
    /// The index of the facts that lists them, and its key.
    pub index: u32,
    pub key: Box<[Arg]>,
    /// The position of the variable in the atom.
    pub place: u8,
}

impl Condition {
    /// Returns the condition that is always true.
    pub fn truth() -> Self {
        Self::All(vec![])
    }

    /// Returns the condition that is always false.
    pub fn falsehood() -> Self {
        Self::Any(vec![])
    }

    /// Returns the conjunction of these, flattened.
    pub fn all(parts: Vec<Self>) -> Self {
        let mut flat = vec![];
        parts.into_iter().for_each(|part| part.flatten(&mut flat));
        match flat.len() {
            1 => flat.remove(0),
            _ => Self::All(flat),
        }
    }

    /// Returns the disjunction of these, flattened.
    pub fn any(parts: Vec<Self>) -> Self {
        let mut flat = vec![];
        for part in parts {
            match part {
                Self::Any(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Self::Any(flat),
        }
    }

    /// Returns the conjunction of these, or their disjunction.
    pub fn join(parts: Vec<Self>, is_all: bool) -> Self {
        match is_all {
            true => Self::all(parts),
            false => Self::any(parts),
        }
    }

    /// Returns the condition for every object of a type.
    pub fn every(variable: u32, ty: u32, body: Self) -> Self {
        Self::quantified(true, variable, ty, body)
    }

    /// Returns the condition for some object of a type.
    pub fn some(variable: u32, ty: u32, body: Self) -> Self {
        Self::quantified(false, variable, ty, body)
    }

    /// Returns the condition for every object of a type, or for some object.
    pub fn quantified(is_universal: bool, variable: u32, ty: u32, body: Self) -> Self {
        Self::Quantified(Box::new(Quantified {
            is_universal,
            variable,
            ty,
            driver: None,
            body,
        }))
    }

    /// Appends the conjuncts.
    pub fn flatten(self, into: &mut Vec<Self>) {
        match self {
            Self::All(parts) => parts.into_iter().for_each(|part| part.flatten(into)),
            condition => into.push(condition),
        }
    }

    /// Returns the approximate memory use in bytes.
    pub fn memory(&self) -> usize {
        let below = match self {
            Self::Atom(atom, _) => size_of_val(&*atom.args),
            Self::Same(..) => 0,
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::memory).sum(),
            Self::Quantified(quantified) => quantified.body.memory(),
        };
        size_of::<Self>() + below
    }

    /// Returns `true` if the condition has no quantifiers.
    pub fn is_quantifier_free(&self) -> bool {
        match self {
            Self::Atom(..) | Self::Same(..) => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_quantifier_free),
            Self::Quantified(_) => false,
        }
    }

    /// Visits every occurrence of a free variable until `visit` returns `false`. Returns `true` if
    /// it never did. Recurses as deep as formulas are, which compiling limits.
    pub fn all_free(&self, visit: &mut impl FnMut(u32) -> bool) -> bool {
        self.all_free_except(&mut vec![], visit)
    }

    fn all_free_except(&self, hidden: &mut Vec<u32>, visit: &mut impl FnMut(u32) -> bool) -> bool {
        let mut is_visited = |arg: &Arg| match arg {
            Arg::Variable(variable) if !hidden.contains(variable) => visit(*variable),
            _ => true,
        };
        match self {
            Self::Atom(atom, _) => atom.args.iter().all(is_visited),
            Self::Same(a, b, _) => is_visited(a) && is_visited(b),
            Self::All(parts) | Self::Any(parts) => {
                let mut parts = parts.iter();
                parts.all(|part| part.all_free_except(hidden, visit))
            }
            Self::Quantified(quantified) => {
                hidden.push(quantified.variable);
                let all = quantified.body.all_free_except(hidden, visit);
                hidden.pop();
                all
            }
        }
    }

    /// Returns `true` if every free variable is bound.
    pub fn is_bound(&self, bound: &[bool]) -> bool {
        self.all_free(&mut |variable| bound[variable as usize])
    }

    /// Returns `true` if a variable occurs freely.
    pub fn mentions(&self, variable: u32) -> bool {
        !self.all_free(&mut |other| other != variable)
    }

    /// Changes the numbers of all variables.
    pub fn renumber(&mut self, new_number: &[u32]) {
        match self {
            Self::Atom(atom, _) => atom
                .args
                .iter_mut()
                .for_each(|arg| arg.renumber(new_number)),
            Self::Same(a, b, _) => {
                a.renumber(new_number);
                b.renumber(new_number);
            }
            Self::All(parts) | Self::Any(parts) => {
                parts.iter_mut().for_each(|part| part.renumber(new_number));
            }
            Self::Quantified(quantified) => {
                let variable = &mut quantified.variable;
                *variable = new_number[*variable as usize];
                quantified.body.renumber(new_number);
            }
        }
    }

    /// Substitutes arguments for the parameters of a condition; its own variables are numbered from
    /// `frame` on.
    pub fn substituted(&self, args: &[Arg], frame: u32) -> Self {
        let own = |variable: u32| frame + variable - args.len() as u32;
        let put = |arg: &Arg| match arg {
            Arg::Variable(variable) => match args.get(*variable as usize) {
                Some(arg) => *arg,
                None => Arg::Variable(own(*variable)),
            },
            object => *object,
        };
        let parts = |parts: &[Self]| {
            let parts = parts.iter().map(|part| part.substituted(args, frame));
            parts.collect()
        };
        match self {
            Self::Atom(atom, value) => {
                let args = atom.args.iter().map(put).collect();
                let predicate = atom.predicate;
                Self::Atom(Atom { predicate, args }, *value)
            }
            Self::Same(a, b, value) => Self::Same(put(a), put(b), *value),
            Self::All(of) => Self::All(parts(of)),
            Self::Any(of) => Self::Any(parts(of)),
            Self::Quantified(quantified) => Self::quantified(
                quantified.is_universal,
                own(quantified.variable),
                quantified.ty,
                quantified.body.substituted(args, frame),
            ),
        }
    }
}

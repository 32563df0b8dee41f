//! Ground conditions in negation normal form.

/// A condition over literals, whose meaning depends on the kind of search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition<L> {
    /// A constant.
    Constant(bool),
    /// The literal holds.
    Literal(L),
    /// A conjunction.
    All(Box<[Condition<L>]>),
    /// A disjunction.
    Any(Box<[Condition<L>]>),
}

impl<L> Condition<L> {
    /// Returns the simplified conjunction of these.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, true)
    }

    /// Returns the simplified disjunction of these.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, false)
    }

    /// Flattens nested conjunctions or disjunctions of the same kind, and unwraps a single part.
    pub fn join(parts: impl IntoIterator<Item = Self>, is_all: bool) -> Self {
        let mut kept = vec![];
        for part in parts {
            match part {
                Self::Constant(value) if value == is_all => {}
                Self::Constant(_) => return part,
                Self::All(inner) if is_all => kept.extend(inner),
                Self::Any(inner) if !is_all => kept.extend(inner),
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::Constant(is_all),
            1 => kept.remove(0),
            _ if is_all => Self::All(kept.into()),
            _ => Self::Any(kept.into()),
        }
    }

    /// Returns the negation, given that of literals.
    pub fn negated_by(&self, literal: &impl Fn(&L) -> L) -> Self {
        let negated = |part: &Self| part.negated_by(literal);
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Literal(of) => Self::Literal(literal(of)),
            Self::All(parts) => Self::any(parts.iter().map(negated)),
            Self::Any(parts) => Self::all(parts.iter().map(negated)),
        }
    }

    /// Substitutes a condition for each literal.
    pub fn substituted(&self, literal: &impl Fn(&L) -> Self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Literal(of) => literal(of),
            Self::All(parts) => Self::all(parts.iter().map(|part| part.substituted(literal))),
            Self::Any(parts) => Self::any(parts.iter().map(|part| part.substituted(literal))),
        }
    }

    /// Returns `true` if the condition holds, given the truth of its literals.
    pub fn holds_by(&self, literal: &impl Fn(&L) -> bool) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Literal(of) => literal(of),
            Self::All(parts) => parts.iter().all(|part| part.holds_by(literal)),
            Self::Any(parts) => parts.iter().any(|part| part.holds_by(literal)),
        }
    }

    /// Visits every literal.
    pub fn each_literal(&self, visit: &mut impl FnMut(&L)) {
        match self {
            Self::Constant(_) => {}
            Self::Literal(literal) => visit(literal),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.each_literal(visit));
            }
        }
    }

    /// Returns the heap memory in bytes, given that of literals.
    pub fn memory_by(&self, literal: &impl Fn(&L) -> usize) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::Literal(of) => literal(of),
            Self::All(parts) | Self::Any(parts) => {
                let below = parts.iter().map(|part| part.memory_by(literal));
                size_of_val(&**parts) + below.sum::<usize>()
            }
        }
    }
}

//! Ground actions over numbered variables, and what they do to a state.

use super::formula::{Cond, Num, Obj, Values};
use super::literals::Literal;
use crate::compile::FlatValue;
use crate::plan::State;
use crate::plan::evaluate::NOTHING;
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;

/// What a variable that is not boolean is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// An object, or none.
    Object,
    /// A number of this range, whole or not.
    Number { whole: bool, min: f64, max: f64 },
}

impl Kind {
    /// Of a fact's values.
    pub fn of(value: FlatValue) -> Self {
        match value {
            FlatValue::Boolean | FlatValue::Object => Self::Object,
            FlatValue::Number { integer, min, max } => Self::Number {
                whole: integer,
                min,
                max,
            },
        }
    }

    fn allows(self, number: f64) -> bool {
        match self {
            Self::Object => true,
            Self::Number { whole, min, max } => {
                number.is_finite()
                    && number >= min
                    && number <= max
                    && (!whole || number.fract() == 0.0)
            }
        }
    }
}

/// What an effect does to its variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Makes a boolean one true or false.
    Is(bool),
    /// Gives it an object.
    Object(Obj),
    /// Gives it a number.
    Number(Num),
    /// Adds to its number.
    Add(Num),
}

/// A change of one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Only where this holds in the state before.
    pub when: Cond,
    /// A boolean variable of [`Change::Is`], else another.
    pub variable: u32,
    /// What becomes of it.
    pub change: Change,
}

/// A primitive task with its objects.
#[derive(Debug)]
pub struct Action {
    /// The task's number, and those of its objects.
    pub tuple: AtomKey,
    /// Boolean variables that have to be true or false: a word of the state, which bits of it,
    /// and what they are.
    masks: Vec<(u32, u64, u64)>,
    /// Others that have to be objects: the variable, and its word in a state.
    objects: Vec<(u32, u64)>,
    /// The same, one by one.
    pub literals: Vec<Literal>,
    /// What else has to hold.
    pub needs: Vec<Cond>,
    /// What it changes. What is unset comes before what is set, and what is added last.
    pub effects: Vec<Effect>,
    /// 1, where that has no value.
    pub cost: Num,
}

impl Action {
    /// An action that needs all of these; none where they contradict one another.
    pub fn new(
        tuple: AtomKey,
        needs: Vec<Cond>,
        mut effects: Vec<Effect>,
        cost: Num,
    ) -> Option<Self> {
        let mut literals: Vec<Literal> = vec![];
        let mut others = vec![];
        for need in needs {
            match Literal::of(&need) {
                Some(literal) => literals.push(literal),
                None => others.push(need),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        // Of each variable there is one literal now, unless it has to be two things at once.
        if literals.windows(2).any(|two| two[0].shares(two[1])) {
            return None;
        }
        let mut masks: Vec<(u32, u64, u64)> = vec![];
        let mut objects = vec![];
        for literal in &literals {
            match *literal {
                Literal::Is(variable, so) => {
                    let (word, bit) = (variable / 64, 1 << (variable % 64));
                    if masks.last().is_none_or(|(last, ..)| *last != word) {
                        masks.push((word, 0, 0));
                    }
                    if let Some((_, mask, wanted)) = masks.last_mut() {
                        *mask |= bit;
                        if so {
                            *wanted |= bit;
                        }
                    }
                }
                Literal::Object(variable, object) => {
                    objects.push((variable, u64::from(object) + 1))
                }
            }
        }
        effects.shrink_to_fit();
        literals.shrink_to_fit();
        effects.sort_by_key(|effect| match effect.change {
            Change::Is(false) => 0,
            Change::Is(true) | Change::Object(_) | Change::Number(_) => 1,
            Change::Add(_) => 2,
        });
        Some(Self {
            tuple,
            masks,
            objects,
            literals,
            needs: others,
            effects,
            cost,
        })
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        let effects = self.effects.iter().map(|effect| {
            let change = match &effect.change {
                Change::Is(_) => 0,
                Change::Object(object) => object.memory(),
                Change::Number(number) | Change::Add(number) => number.memory(),
            };
            size_of::<Effect>() + effect.when.memory() + change
        });
        let needs = self.needs.iter();
        size_of::<Self>()
            + self.masks.capacity() * size_of::<(u32, u64, u64)>()
            + self.objects.capacity() * size_of::<(u32, u64)>()
            + self.literals.capacity() * size_of::<Literal>()
            + needs
                .map(|need| size_of::<Cond>() + need.memory())
                .sum::<usize>()
            + effects.sum::<usize>()
            + self.cost.memory()
    }

    /// Whether its conditions hold.
    pub fn is_possible(&self, values: Values<'_>) -> bool {
        let mut masks = self.masks.iter();
        let mut objects = self.objects.iter();
        masks.all(|(word, mask, wanted)| values.bits[*word as usize] & mask == *wanted)
            && objects.all(|(variable, object)| values.words[*variable as usize] == *object)
            && self.needs.iter().all(|need| need.holds(values))
    }

    /// What it costs in a state. What is gained counts as nothing.
    pub fn cost(&self, values: Values<'_>) -> f64 {
        let cost = self.cost.value(values);
        if cost.is_nan() { 1.0 } else { cost.max(0.0) }
    }
}

/// All ground actions, and the variables that they read and change.
#[derive(Debug)]
pub struct Task {
    /// Of the variables that are not boolean.
    pub kinds: Vec<Kind>,
    /// How many objects there are.
    pub objects: usize,
    /// In the order of the tasks and of their objects.
    pub actions: Vec<Action>,
    /// The ground facts that are variables.
    pub booleans: TupleTable,
    /// Those that are not boolean.
    pub valued: TupleTable,
}

impl Task {
    /// How many words of a state are of boolean variables.
    pub fn bits(&self) -> usize {
        self.booleans.len().div_ceil(64)
    }

    /// How many words a state has. The last one is the caller's.
    pub fn words(&self) -> usize {
        self.bits() + self.kinds.len() + 1
    }

    /// The words of a state as variables.
    pub fn values<'a>(&self, words: &'a [u64]) -> Values<'a> {
        let (bits, words) = words.split_at(self.bits());
        Values { bits, words }
    }

    /// The words of a state.
    pub fn read(&self, state: &State) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        for variable in 0..self.booleans.len() as u32 {
            if state.holds(self.booleans.tuple(variable)) {
                words[variable as usize / 64] |= 1 << (variable % 64);
            }
        }
        let bits = self.bits();
        for variable in 0..self.valued.len() as u32 {
            words[bits + variable as usize] = state.value(self.valued.tuple(variable));
        }
        words
    }

    /// What becomes of a state by an action that is possible there. Whether it can be: no
    /// number may leave its range or have no value.
    pub fn apply(&self, action: &Action, before: &[u64], after: &mut [u64]) -> bool {
        after.copy_from_slice(before);
        let values = self.values(before);
        let bits = self.bits();
        let mut numbers = false;
        for effect in &action.effects {
            if !effect.when.holds(values) {
                continue;
            }
            let variable = effect.variable as usize;
            match &effect.change {
                Change::Is(so) => {
                    let bit = 1 << (variable % 64);
                    let word = &mut after[variable / 64];
                    *word = if *so { *word | bit } else { *word & !bit };
                }
                Change::Object(object) => {
                    let object = object.value(values);
                    if object == NOTHING {
                        return false;
                    }
                    after[bits + variable] = u64::from(object) + 1;
                }
                Change::Number(number) => {
                    let number = number.value(values);
                    if number.is_nan() {
                        return false;
                    }
                    numbers = true;
                    after[bits + variable] = (number + 0.0).to_bits();
                }
                Change::Add(number) => {
                    let number = number.value(values);
                    if number.is_nan() {
                        return false;
                    }
                    numbers = true;
                    let sum = f64::from_bits(after[bits + variable]) + number;
                    after[bits + variable] = (sum + 0.0).to_bits();
                }
            }
        }
        let in_range = |effect: &Effect| match effect.change {
            Change::Is(_) | Change::Object(_) => true,
            Change::Number(_) | Change::Add(_) => {
                let variable = effect.variable as usize;
                let number = f64::from_bits(after[bits + variable]);
                self.kinds[variable].allows(number) || !effect.when.holds(values)
            }
        };
        !numbers || action.effects.iter().all(in_range)
    }
}

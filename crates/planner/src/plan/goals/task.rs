//! Ground actions over numbered variables, and their effects on a state.

use super::caps::Cap;
use super::formula::{Cond, Num, Obj, Values};
use super::literals::Literal;
use crate::compile::FlatValue;
use crate::plan::State;
use crate::plan::evaluate::UNDEFINED;
use crate::plan::state::AtomKey;
use crate::plan::table::TupleTable;
use taskloom_domain::lang::decimal::rounded;

/// The type of a variable that isn't boolean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// An object, or undefined.
    Object,
    /// A number in this range, whole or not.
    Number { whole: bool, min: f64, max: f64 },
}

impl Kind {
    /// Returns the kind of a fact's values.
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

/// The change of a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Sets a boolean variable.
    Is(bool),
    /// Assigns an object.
    Object(Obj),
    /// Assigns a number.
    Number(Num),
    /// Adds to the number.
    Add(Num),
}

/// An effect on one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The condition in the previous state.
    pub when: Cond,
    /// The variable: a boolean one for [`Change::Is`], otherwise another one.
    pub variable: u32,
    /// The change.
    pub change: Change,
}

/// A ground primitive task.
#[derive(Debug)]
pub struct Action {
    /// The numbers of the task and of its objects.
    pub tuple: AtomKey,
    /// The required values of boolean variables: a word of the state, a mask of its bits, and their
    /// values.
    masks: Vec<(u32, u64, u64)>,
    /// The required values of object variables: the variable, and its word in a state.
    objects: Vec<(u32, u64)>,
    /// All of these requirements as literals.
    pub literals: Vec<Literal>,
    /// The other preconditions.
    pub needs: Vec<Cond>,
    /// The effects. Boolean variables are unset before anything is set, and additions come last.
    pub effects: Vec<Effect>,
    /// The cost. An undefined one counts as 1.
    pub cost: Num,
}

impl Action {
    /// Creates an action with these preconditions; `None` if they contradict one another.
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
        // There is one literal for each variable now, unless its values contradict each other.
        if literals.windows(2).any(|two| two[0].shares(two[1])) {
            return None;
        }
        let mut masks: Vec<(u32, u64, u64)> = vec![];
        let mut objects = vec![];
        for literal in &literals {
            match *literal {
                Literal::Is(variable, expected) => {
                    let (word, bit) = (variable / 64, 1 << (variable % 64));
                    if masks.last().is_none_or(|(last, ..)| *last != word) {
                        masks.push((word, 0, 0));
                    }
                    if let Some((_, mask, expected_bits)) = masks.last_mut() {
                        *mask |= bit;
                        if expected {
                            *expected_bits |= bit;
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

    /// Returns the memory use in bytes.
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

    /// Returns `true` if the preconditions hold.
    pub fn is_possible(&self, values: Values<'_>) -> bool {
        let mut masks = self.masks.iter();
        let mut objects = self.objects.iter();
        masks
            .all(|(word, mask, expected_bits)| values.bits[*word as usize] & mask == *expected_bits)
            && objects.all(|(variable, object)| values.words[*variable as usize] == *object)
            && self.needs.iter().all(|need| need.holds(values))
    }

    /// Returns the cost in a state. A negative one counts as 0.
    pub fn cost(&self, values: Values<'_>) -> f64 {
        let cost = self.cost.value(values);
        if cost.is_nan() { 1.0 } else { cost.max(0.0) }
    }
}

/// All ground actions, and the variables that they read and change.
#[derive(Debug)]
pub struct Task {
    /// The kinds of the variables that aren't boolean.
    pub kinds: Vec<Kind>,
    /// The number of objects.
    pub objects: usize,
    /// The actions, in the order of their tasks and objects.
    pub actions: Vec<Action>,
    /// The ground facts of the boolean variables.
    pub booleans: TupleTable,
    /// The ground facts of the other variables.
    pub valued: TupleTable,
    /// The caps of numbers that only grow.
    pub caps: Vec<Cap>,
}

impl Task {
    /// Returns the number of words for the boolean variables of a state.
    pub fn bits(&self) -> usize {
        self.booleans.len().div_ceil(64)
    }

    /// Returns the number of words of a state. The last one is the caller's.
    pub fn words(&self) -> usize {
        self.bits() + self.kinds.len() + 1
    }

    /// Returns the values of the variables in a state.
    pub fn values<'a>(&self, words: &'a [u64]) -> Values<'a> {
        let (bits, words) = words.split_at(self.bits());
        Values { bits, words }
    }

    /// Converts a state to words.
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
        self.cap(&mut words);
        words
    }

    /// Reduces the numbers of a state to their caps.
    fn cap(&self, words: &mut [u64]) {
        let bits = self.bits();
        for cap in &self.caps {
            let word = &mut words[bits + cap.variable as usize];
            if f64::from_bits(*word) > cap.number {
                *word = cap.number.to_bits();
            }
        }
    }

    /// Applies an action whose preconditions hold. Returns `false` if it is inapplicable, since an
    /// object or number would be undefined, or a number out of its range.
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
                Change::Is(expected) => {
                    let bit = 1 << (variable % 64);
                    let word = &mut after[variable / 64];
                    *word = if *expected { *word | bit } else { *word & !bit };
                }
                Change::Object(object) => {
                    let object = object.value(values);
                    if object == UNDEFINED {
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
                    let sum = rounded(f64::from_bits(after[bits + variable]) + number);
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
        if numbers && !action.effects.iter().all(in_range) {
            return false;
        }
        self.cap(after);
        true
    }
}

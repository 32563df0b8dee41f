//! Translation of conditions into the disjunctive normal form of regression: sets of simple
//! requirements.

use super::formula::{Cond, Num, Obj, Test, Values};
use super::literals::Literal;
use super::relax::{Cost, Relaxed, Sum};
use super::task::{Change, Kind, Task};
use crate::plan::evaluate::UNDEFINED;
use taskloom_domain::lang::ast::Comparison;
use taskloom_domain::lang::decimal::is_short;

/// The maximum number of disjuncts of a condition.
pub const MAX_DISJUNCTS: usize = 64;

/// The largest integer up to which all integers are added without rounding.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A requirement on one variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Requirement {
    /// A boolean variable has this value.
    Is(u32, bool),
    /// An object variable is this object or, for [`UNDEFINED`], undefined.
    Object(u32, u32),
    /// An object variable is not this object or, for [`UNDEFINED`], is defined.
    Not(u32, u32),
    /// A number is at least this.
    AtLeast(u32, Bits),
    /// A number is at most this.
    AtMost(u32, Bits),
}

/// A number as bits that can be ordered and hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits(u64);

impl Bits {
    /// Returns the bits of a number.
    pub fn of(number: f64) -> Self {
        Self((number + 0.0).to_bits())
    }

    /// Returns the number.
    pub fn number(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl Requirement {
    /// Returns `true` if the requirement holds.
    pub fn holds(self, values: Values<'_>) -> bool {
        match self {
            Self::Is(variable, expected) => values.is(variable) == expected,
            Self::Object(variable, object) => values.object(variable) == object,
            Self::Not(variable, object) => values.object(variable) != object,
            Self::AtLeast(variable, number) => values.number(variable) >= number.number(),
            Self::AtMost(variable, number) => values.number(variable) <= number.number(),
        }
    }

    /// Returns the equivalent condition.
    pub fn condition(self) -> Cond {
        let compare = |comparison, variable, number: Bits| {
            let both = (Num::Var(variable), Num::Constant(number.number()));
            Cond::Literal(Test::Compare(comparison, Box::new(both), true))
        };
        match self {
            Self::Is(variable, expected) => Cond::Literal(Test::Is(variable, expected)),
            Self::Object(variable, UNDEFINED) => Cond::Literal(Test::Same(
                Box::new((Obj::Var(variable), Obj::Var(variable))),
                false,
            )),
            Self::Object(variable, object) => Cond::Literal(Test::Same(
                Box::new((Obj::Var(variable), Obj::Object(object))),
                true,
            )),
            Self::Not(variable, UNDEFINED) => Cond::Literal(Test::IsDefined(Obj::Var(variable))),
            Self::Not(variable, object) => Cond::Literal(Test::Same(
                Box::new((Obj::Var(variable), Obj::Object(object))),
                false,
            )),
            Self::AtLeast(variable, number) => {
                compare(Comparison::GreaterOrEqual, variable, number)
            }
            Self::AtMost(variable, number) => compare(Comparison::LessOrEqual, variable, number),
        }
    }

    /// Returns the cost of reaching the requirement.
    pub fn cost(self, relaxed: &Relaxed) -> f64 {
        match self {
            Self::Is(variable, expected) => relaxed.cost_of(Literal::Is(variable, expected)),
            Self::Object(variable, object) => relaxed.cost_of(Literal::Object(variable, object)),
            other => relaxed.cost(&other.condition(), Sum::Max),
        }
    }

    /// Returns `true` if the requirements contradict each other.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(a, expected), Self::Is(b, other)) => a == b && expected != other,
            (Self::Object(a, one), Self::Object(b, other)) => a == b && one != other,
            (Self::Object(a, one), Self::Not(b, other))
            | (Self::Not(b, other), Self::Object(a, one)) => a == b && one == other,
            (Self::AtLeast(a, least), Self::AtMost(b, most))
            | (Self::AtMost(b, most), Self::AtLeast(a, least)) => {
                a == b && least.number() > most.number()
            }
            _ => false,
        }
    }
}

/// Properties of numeric variables that regression needs.
#[derive(Debug)]
pub struct Numbers {
    /// For each variable, its minimum and maximum in all states.
    bounds: Vec<(f64, f64)>,
    /// For each variable, the numbers that it may have.
    grids: Vec<Grid>,
}

/// The numbers that a variable may have.
#[derive(Debug, Clone, Copy)]
struct Grid {
    /// Only integers.
    is_whole: bool,
    /// Only sums of short numbers, so that those below a million are short, too: none of them
    /// depends on the order of the additions.
    is_short: bool,
}

impl Grid {
    const INTEGERS: Self = Self {
        is_whole: true,
        is_short: false,
    };

    const ANY: Self = Self {
        is_whole: false,
        is_short: false,
    };

    fn of(number: f64) -> Self {
        Self {
            is_whole: number.fract() == 0.0 && number.abs() <= EXACT,
            is_short: is_short(number),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            is_whole: self.is_whole && other.is_whole,
            is_short: self.is_short && other.is_short,
        }
    }
}

impl Numbers {
    /// Computes the properties for a task that starts in a state.
    pub fn new(task: &Task, start: &[u64]) -> Self {
        let start = task.values(start);
        let mut grids: Vec<Grid> = vec![];
        let mut bounds = vec![];
        for (variable, kind) in (0..).zip(&task.kinds) {
            let (low, high) = match kind {
                Kind::Object => (f64::NEG_INFINITY, f64::INFINITY),
                Kind::Number { min, max, .. } => (*min, *max),
            };
            let now = match kind {
                Kind::Object => 0.0,
                Kind::Number { .. } => start.number(variable),
            };
            grids.push(Grid::of(now));
            bounds.push((low.min(now), high.max(now)));
        }
        for effect in task.actions.iter().flat_map(|action| &action.effects) {
            let (Change::Number(number) | Change::Add(number)) = &effect.change else {
                continue;
            };
            let variable = effect.variable as usize;
            let grid = match (task.kinds[variable], number) {
                (Kind::Number { whole: true, .. }, _) => Grid::INTEGERS,
                (_, Num::Constant(number)) => Grid::of(*number),
                _ => Grid::ANY,
            };
            grids[variable] = grids[variable].and(grid);
        }
        Self { bounds, grids }
    }

    /// Returns `true` if an addition can be moved from a requirement's number to its bound without
    /// a difference by rounding.
    pub fn is_exact(&self, requirement: Requirement) -> bool {
        match requirement {
            Requirement::Is(..) | Requirement::Object(..) | Requirement::Not(..) => true,
            Requirement::AtLeast(variable, bound) | Requirement::AtMost(variable, bound) => {
                let of_both = self.grids[variable as usize].and(Grid::of(bound.number()));
                of_both.is_whole || of_both.is_short
            }
        }
    }

    /// Drops the requirements that the ranges of numbers imply; returns `None` if they exclude one.
    pub fn without_implied(&self, mut set: Set) -> Option<Set> {
        let excludes = |requirement: &Requirement| match *requirement {
            Requirement::AtLeast(variable, bound) => {
                bound.number() > self.bounds[variable as usize].1
            }
            Requirement::AtMost(variable, bound) => {
                bound.number() < self.bounds[variable as usize].0
            }
            Requirement::Is(..) | Requirement::Object(..) | Requirement::Not(..) => false,
        };
        if set.iter().any(excludes) {
            return None;
        }
        set.retain(|requirement| match *requirement {
            Requirement::AtLeast(variable, bound) => {
                bound.number() > self.bounds[variable as usize].0
            }
            Requirement::AtMost(variable, bound) => {
                bound.number() < self.bounds[variable as usize].1
            }
            Requirement::Is(..) | Requirement::Object(..) | Requirement::Not(..) => true,
        });
        Some(set)
    }
}

/// A conjunction of requirements, sorted and without duplicates.
pub type Set = Vec<Requirement>;

/// Returns the conjunction of two sets; `None` if they contradict each other.
pub fn both(a: &[Requirement], b: &[Requirement]) -> Option<Set> {
    if a.iter().any(|a| b.iter().any(|b| a.excludes(*b))) {
        return None;
    }
    let mut set: Set = a.iter().chain(b).copied().collect();
    set.sort_unstable_by_key(|requirement| match *requirement {
        Requirement::AtLeast(variable, number) => (
            Requirement::AtLeast(variable, Bits(0)),
            Cost(-number.number()),
        ),
        Requirement::AtMost(variable, number) => (
            Requirement::AtMost(variable, Bits(0)),
            Cost(number.number()),
        ),
        other => (other, Cost(0.0)),
    });
    // Of several bounds of a number, the tightest one comes first.
    set.dedup_by(|later, earlier| match (*later, *earlier) {
        (Requirement::AtLeast(a, _), Requirement::AtLeast(b, _))
        | (Requirement::AtMost(a, _), Requirement::AtMost(b, _)) => a == b,
        (later, earlier) => later == earlier,
    });
    Some(set)
}

/// Builds the disjunctive normal form of conditions.
#[derive(Debug)]
pub struct DnfBuilder<'a> {
    /// The task of the conditions.
    pub task: &'a Task,
    /// `true` if conditions were dropped since requirements can't express them.
    pub is_incomplete: bool,
}

impl DnfBuilder<'_> {
    /// Returns the disjuncts of a condition. A condition that can't be expressed counts as met.
    pub fn disjuncts(&mut self, cond: &Cond) -> Vec<Set> {
        match cond {
            Cond::Constant(true) => vec![vec![]],
            Cond::Constant(false) => vec![],
            Cond::Literal(Test::Is(variable, expected)) => {
                vec![vec![Requirement::Is(*variable, *expected)]]
            }
            Cond::All(parts) => self.all(parts.iter()),
            Cond::Any(parts) => {
                let mut disjuncts = vec![];
                for part in parts {
                    disjuncts.extend(self.disjuncts(part));
                    if disjuncts.len() > MAX_DISJUNCTS {
                        return self.drop_condition();
                    }
                }
                disjuncts
            }
            Cond::Literal(Test::Same(both, expected)) => self.same(&both.0, &both.1, *expected),
            Cond::Literal(Test::IsDefined(Obj::Var(variable))) => {
                vec![vec![Requirement::Not(*variable, UNDEFINED)]]
            }
            Cond::Literal(Test::IsDefined(_)) => self.drop_condition(),
            Cond::Literal(Test::Compare(comparison, both, expected)) => {
                self.compare(*comparison, both, *expected)
            }
            Cond::Literal(Test::Case(case)) => {
                let Obj::Var(variable) = case.selector else {
                    return self.drop_condition();
                };
                let mut disjuncts = vec![];
                for (object, part) in (0u32..).zip(&case.by) {
                    let is_last = object as usize + 1 == case.by.len();
                    let object = if is_last { UNDEFINED } else { object };
                    let here = [Requirement::Object(variable, object)];
                    let parts = self.disjuncts(part);
                    disjuncts.extend(parts.iter().filter_map(|part| both(part, &here)));
                    if disjuncts.len() > MAX_DISJUNCTS {
                        return self.drop_condition();
                    }
                }
                disjuncts
            }
        }
    }

    /// Returns the disjuncts of a conjunction.
    pub fn all<'c>(&mut self, parts: impl Iterator<Item = &'c Cond>) -> Vec<Set> {
        let mut disjuncts = vec![vec![]];
        for part in parts {
            let of_part = self.disjuncts(part);
            if disjuncts.len() * of_part.len() > MAX_DISJUNCTS {
                self.is_incomplete = true;
                continue;
            }
            let pairs = disjuncts
                .iter()
                .flat_map(|a| of_part.iter().map(move |b| (a, b)));
            disjuncts = pairs.filter_map(|(a, b)| both(a, b)).collect();
        }
        disjuncts
    }

    fn drop_condition(&mut self) -> Vec<Set> {
        self.is_incomplete = true;
        vec![vec![]]
    }

    fn same(&mut self, a: &Obj, b: &Obj, expected: bool) -> Vec<Set> {
        match (a, b) {
            (Obj::Var(variable), Obj::Object(object))
            | (Obj::Object(object), Obj::Var(variable)) => {
                if expected {
                    vec![vec![Requirement::Object(*variable, *object)]]
                } else {
                    vec![vec![Requirement::Not(*variable, *object)]]
                }
            }
            (Obj::Var(a), Obj::Var(b)) if a == b => {
                if expected {
                    vec![vec![Requirement::Not(*a, UNDEFINED)]]
                } else {
                    vec![vec![Requirement::Object(*a, UNDEFINED)]]
                }
            }
            (Obj::Var(a), Obj::Var(b)) if expected && self.task.objects <= MAX_DISJUNCTS => {
                let objects = 0..self.task.objects as u32;
                let disjuncts = objects.map(|object| {
                    vec![
                        Requirement::Object(*a, object),
                        Requirement::Object(*b, object),
                    ]
                });
                disjuncts
                    .filter_map(|disjunct| both(&disjunct, &[]))
                    .collect()
            }
            _ => self.drop_condition(),
        }
    }

    /// Returns the disjuncts of a comparison of a variable with a constant.
    fn compare(&mut self, comparison: Comparison, sides: &(Num, Num), expected: bool) -> Vec<Set> {
        let comparison = match (comparison, expected) {
            (comparison, true) => comparison,
            (Comparison::Equal, false) => Comparison::NotEqual,
            (Comparison::NotEqual, false) => Comparison::Equal,
            (Comparison::Less, false) => Comparison::GreaterOrEqual,
            (Comparison::LessOrEqual, false) => Comparison::Greater,
            (Comparison::Greater, false) => Comparison::LessOrEqual,
            (Comparison::GreaterOrEqual, false) => Comparison::Less,
        };
        let (variable, bound, comparison) = match sides {
            (Num::Var(variable), Num::Constant(bound)) => (*variable, *bound, comparison),
            (Num::Constant(bound), Num::Var(variable)) => (
                *variable,
                *bound,
                match comparison {
                    Comparison::Less => Comparison::Greater,
                    Comparison::LessOrEqual => Comparison::GreaterOrEqual,
                    Comparison::Greater => Comparison::Less,
                    Comparison::GreaterOrEqual => Comparison::LessOrEqual,
                    same => same,
                },
            ),
            _ => return self.drop_condition(),
        };
        if bound.is_nan() {
            return match comparison {
                Comparison::NotEqual => vec![vec![]],
                _ => vec![],
            };
        }
        let whole = matches!(
            self.task.kinds[variable as usize],
            Kind::Number { whole: true, .. }
        );
        let at_least = |bound| Requirement::AtLeast(variable, Bits::of(bound));
        let at_most = |bound| Requirement::AtMost(variable, Bits::of(bound));
        match comparison {
            Comparison::Equal => vec![vec![at_least(bound), at_most(bound)]],
            Comparison::GreaterOrEqual => vec![vec![at_least(bound)]],
            Comparison::LessOrEqual => vec![vec![at_most(bound)]],
            Comparison::Greater if whole => vec![vec![at_least(bound.floor() + 1.0)]],
            Comparison::Less if whole => vec![vec![at_most(bound.ceil() - 1.0)]],
            Comparison::NotEqual if whole => vec![
                vec![at_least(bound.floor() + 1.0)],
                vec![at_most(bound.ceil() - 1.0)],
            ],
            Comparison::Greater => {
                self.is_incomplete = true;
                vec![vec![at_least(bound)]]
            }
            Comparison::Less => {
                self.is_incomplete = true;
                vec![vec![at_most(bound)]]
            }
            Comparison::NotEqual => self.drop_condition(),
        }
    }
}

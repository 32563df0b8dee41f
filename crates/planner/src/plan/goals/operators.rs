//! The delete relaxation of a task in flat tables: propositions, operators that reach them, and
//! the conditions of both as rows of numbers.
//!
//! A proposition says that a variable has a value, or that a condition holds. Literals, conjunctions
//! and disjunctions are compiled into operators with propositions; a disjunction becomes a
//! proposition that axioms reach, which are operators without an action. What remains, comparisons
//! of numbers for the most part, are conditions that are evaluated over the values reached so far.
//! An action has an operator for each condition of its effects, and for each object that a variable
//! may be on which its effects or cost depend.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use taskloom_document::stop::Stop;
use taskloom_domain::lang::ast::{Comparison, Operator};

use super::domains::Domains;
use super::formula::{Case, Cond, Num, Obj, Values, calculate};
use super::literals::Literal;
use super::task::{Action, Change, Kind, Task};
use crate::plan::evaluate::NOTHING;
use crate::plan::held::Footprint;
use crate::plan::rows::Rows;

/// No proposition, operator or action.
pub const NONE: u32 = u32::MAX;

/// The most operators that one condition's effects are split into by what they depend on.
const MOST_SPLITS: usize = 1024;

/// A change of a number.
#[derive(Debug, Clone)]
pub struct NumberChange {
    /// The variable.
    pub variable: u32,
    /// Whether the number is added to it, not assigned.
    pub is_added: bool,
    /// The number.
    pub number: Num,
}

/// The tables of a delete relaxation.
#[derive(Debug, Default)]
pub struct Operators {
    /// The values that variables may have.
    pub domains: Domains,
    /// By boolean variable: the propositions that it is false, and true.
    booleans: Vec<[u32; 2]>,
    /// By variable: where its values begin in `values`.
    first: Vec<u32>,
    /// By variable and object, none first: the proposition.
    values: Vec<u32>,
    /// By proposition: the literal that it stands for.
    pub literals: Vec<Option<Literal>>,
    /// By operator: its action; none of an axiom.
    pub actions: Vec<u32>,
    /// By operator: what it costs at least.
    pub costs: Vec<f64>,
    /// By operator: the propositions that it requires.
    pub preconditions: Rows,
    /// By operator: the propositions that it reaches.
    pub adds: Rows,
    /// By operator: its changes of numbers.
    pub changes_of: Rows,
    /// Changes of numbers.
    pub changes: Vec<NumberChange>,
    /// By proposition: the operators that require it.
    pub readers: Rows,
    /// By proposition: the operators that reach it.
    pub achievers: Rows,
    /// Conditions that are evaluated, and their propositions.
    pub conditions: Vec<(Cond, u32)>,
    /// By proposition: the condition that it stands for.
    pub condition_of: FxHashMap<u32, u32>,
    /// By proposition: the conditions that read its variable.
    pub watchers: Rows,
    /// By condition: the variables whose numbers it reads.
    pub numbers_of: Rows,
    /// By variable: the conditions that read its number.
    pub number_watchers: Rows,
    /// By variable: the operators whose changes depend on its number.
    pub number_readers: Rows,
    /// By proposition: the operators whose changes of numbers depend on its variable.
    pub change_readers: Rows,
    /// By variable: whether changes of other numbers depend on its number.
    pub is_number_read: Vec<bool>,
    /// Operators without preconditions.
    pub unconditional: Vec<u32>,
    /// Whether all costs are integers.
    pub has_integer_costs: bool,
}

impl Hash for Cond {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Constant(value) => value.hash(state),
            Self::Is(variable, so) => (variable, so).hash(state),
            Self::All(parts) | Self::Any(parts) => parts.hash(state),
            Self::Same(both, so) => (both, so).hash(state),
            Self::Exists(object) => object.hash(state),
            Self::Compare(comparison, both, so) => (*comparison as u8, both, so).hash(state),
            Self::Case(case) => case.hash(state),
        }
    }
}

impl Hash for Num {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Constant(number) => number.to_bits().hash(state),
            Self::Var(variable) => variable.hash(state),
            Self::Case(case) => case.hash(state),
            Self::Negative(of) => of.hash(state),
            Self::Arithmetic(operator, both) => (*operator as u8, both).hash(state),
            Self::Function(function, both) => (*function as u8, both).hash(state),
            Self::Aggregate(aggregate, parts) => (*aggregate as u8, parts).hash(state),
        }
    }
}

impl Operators {
    /// The number of propositions.
    pub fn propositions(&self) -> usize {
        self.literals.len()
    }

    /// The number of operators.
    pub fn len(&self) -> u32 {
        self.actions.len() as u32
    }

    /// The proposition of a boolean variable.
    pub fn boolean(&self, variable: u32, so: bool) -> u32 {
        self.booleans[variable as usize][usize::from(so)]
    }

    /// The proposition that a variable is an object, or [`NOTHING`].
    pub fn object(&self, variable: u32, object: u32) -> u32 {
        self.values[(self.first[variable as usize] + object.wrapping_add(1)) as usize]
    }

    /// The proposition of a literal; [`NONE`] where nothing reads it.
    pub fn of(&self, literal: Literal) -> u32 {
        match literal {
            Literal::Is(variable, so) => self.boolean(variable, so),
            Literal::Object(variable, object) => self.object(variable, object),
        }
    }

    /// The propositions of a variable's values.
    pub fn values_of(&self, variable: u32) -> Vec<u32> {
        let objects = self.domains.of(variable).iter();
        objects
            .map(|object| self.object(variable, *object))
            .collect()
    }

    /// Calls `note` for each proposition that stands for a literal that holds in a state.
    pub fn of_state(&self, task: &Task, state: Values<'_>, note: &mut dyn FnMut(u32)) {
        for (variable, propositions) in (0..).zip(&self.booleans) {
            let proposition = propositions[usize::from(state.is(variable))];
            if proposition != NONE {
                note(proposition);
            }
        }
        for (variable, kind) in (0..).zip(&task.kinds) {
            if *kind == Kind::Object {
                let proposition = self.object(variable, state.object(variable));
                if proposition != NONE {
                    note(proposition);
                }
            }
        }
    }

    /// The memory held.
    pub fn footprint(&self) -> Footprint {
        let rows = [
            &self.preconditions,
            &self.adds,
            &self.changes_of,
            &self.readers,
            &self.achievers,
            &self.watchers,
            &self.number_watchers,
            &self.number_readers,
            &self.change_readers,
        ];
        let conditions = self.conditions.iter().map(|(cond, _)| cond.memory());
        let changes = self.changes.iter().map(|change| change.number.memory());
        let bytes = conditions.sum::<usize>()
            + changes.sum::<usize>()
            + self.changes.capacity() * size_of::<NumberChange>()
            + self.booleans.capacity() * size_of::<[u32; 2]>()
            + self.literals.capacity() * size_of::<Option<Literal>>()
            + (self.first.capacity() + self.values.capacity() + self.actions.capacity())
                * size_of::<u32>()
            + self.costs.capacity() * size_of::<f64>()
            + self.domains.memory();
        let rows = rows.into_iter().map(Rows::footprint).map(|rows| rows.held);
        Footprint::fixed(bytes + rows.sum::<u64>() as usize)
    }
}

/// Propositions that all have to be reached.
type Conjunction = SmallVec<[u32; 8]>;

/// Values, each with what it requires.
type Alternatives<T> = Vec<(Conjunction, T)>;

/// Operators in the making: an action at a time, first its conditions, then its effects, so that
/// only what is read becomes a proposition.
#[derive(Debug)]
pub struct Compiler {
    task: Arc<Task>,
    stop: Stop,
    built: Operators,
    /// By hash: conditions that have a proposition already.
    known: FxHashMap<u64, Vec<(Cond, u32)>>,
    /// What these hold.
    held: usize,
    /// The next action.
    next: usize,
    /// Whether conditions are read; effects come after all of them.
    is_reading: bool,
}

impl Compiler {
    /// Starts with a task that starts in a state.
    pub fn new(task: Arc<Task>, from: &[u64], stop: &Stop) -> Self {
        let domains = Domains::new(&task, from, stop);
        let mut len = 0;
        let first = task.kinds.iter().map(|kind| {
            let first = len as u32;
            if *kind == Kind::Object {
                len += task.objects + 1;
            }
            first
        });
        let first = first.collect();
        let actions = task.actions.iter().map(Action::memory);
        let held = actions.sum::<usize>() + len * size_of::<u32>();
        Self {
            stop: stop.clone(),
            held,
            built: Operators {
                domains,
                booleans: vec![[NONE; 2]; task.booleans.len()],
                first,
                values: vec![NONE; len],
                is_number_read: vec![false; task.kinds.len()],
                has_integer_costs: true,
                ..Operators::default()
            },
            task,
            known: FxHashMap::default(),
            next: 0,
            is_reading: true,
        }
    }

    /// The propositions of a goal; none where it can never hold.
    pub fn goal(&mut self, cond: &Cond) -> Option<Vec<u32>> {
        let mut goal = Conjunction::new();
        self.require(cond, &mut goal).then(|| goal.to_vec())
    }

    /// Takes in up to `count` more actions. Returns `true` if there are more.
    pub fn step(&mut self, count: usize) -> bool {
        let task = self.task.clone();
        let actions = task.actions.iter().enumerate();
        for (number, action) in actions.skip(self.next).take(count) {
            if self
                .stop
                .after(1 + action.effects.len() + action.needs.len())
            {
                return false;
            }
            if self.is_reading {
                self.read(action);
            } else {
                self.add(number as u32, action);
            }
        }
        self.next += count;
        if self.next < task.actions.len() {
            return true;
        }
        self.next = 0;
        std::mem::replace(&mut self.is_reading, false)
    }

    fn proposition(&mut self, literal: Option<Literal>) -> u32 {
        self.built.literals.push(literal);
        self.built.literals.len() as u32 - 1
    }

    /// The proposition of a literal; none where the variable never has that value.
    fn literal(&mut self, literal: Literal) -> Option<u32> {
        let known = self.built.of(literal);
        if known != NONE {
            return Some(known);
        }
        if let Literal::Object(variable, object) = literal
            && !self.built.domains.may_be(variable, object)
        {
            return None;
        }
        let new = self.proposition(Some(literal));
        match literal {
            Literal::Is(variable, so) => {
                self.built.booleans[variable as usize][usize::from(so)] = new;
            }
            Literal::Object(variable, object) => {
                let place = self.built.first[variable as usize] + object.wrapping_add(1);
                self.built.values[place as usize] = new;
            }
        }
        Some(new)
    }

    /// Adds what a condition requires; returns `false` if it can never hold.
    fn require(&mut self, cond: &Cond, into: &mut Conjunction) -> bool {
        if let Some(literal) = Literal::of(cond) {
            let proposition = self.literal(literal);
            into.extend(proposition);
            return proposition.is_some();
        }
        match cond {
            Cond::Constant(value) => *value,
            Cond::All(parts) => parts.iter().all(|part| self.require(part, into)),
            cond => {
                let proposition = self.derived(cond);
                into.extend(proposition);
                proposition.is_some()
            }
        }
    }

    /// The proposition of a condition that is more than literals.
    fn derived(&mut self, cond: &Cond) -> Option<u32> {
        let mut hasher = FxHasher::default();
        cond.hash(&mut hasher);
        let hash = hasher.finish();
        let known = self.known.get(&hash).into_iter().flatten();
        if let Some((_, known)) = known.clone().find(|(known, _)| known == cond) {
            return Some(*known).filter(|known| *known != NONE);
        }
        let ways = self.ways(cond);
        let proposition = match ways {
            Some(ways) if ways.is_empty() => NONE,
            Some(ways) => {
                let derived = self.proposition(None);
                for way in ways {
                    self.operator(NONE, 0.0, &way, &[derived], &[]);
                }
                derived
            }
            None => self.evaluated(cond),
        };
        self.held += 2 * size_of::<(Cond, u32)>() + cond.memory();
        let known = self.known.entry(hash).or_default();
        known.push((cond.clone(), proposition));
        Some(proposition).filter(|proposition| *proposition != NONE)
    }

    /// The ways in which a condition may come to hold; none where it has to be evaluated.
    fn ways(&mut self, cond: &Cond) -> Option<Vec<Conjunction>> {
        let mut ways = vec![];
        match cond {
            Cond::Any(parts) => {
                for part in parts {
                    let mut way = Conjunction::new();
                    if self.require(part, &mut way) {
                        ways.push(way);
                    }
                }
            }
            Cond::Case(case) => {
                let Obj::Var(variable) = case.of else {
                    return None;
                };
                for object in self.built.domains.of(variable).to_vec() {
                    let mut way = Conjunction::new();
                    way.extend(self.literal(Literal::Object(variable, object)));
                    if self.require(case.of(object), &mut way) {
                        ways.push(way);
                    }
                }
            }
            Cond::Exists(object) => self.ways_of(object, &|object| object != NOTHING, &mut ways)?,
            Cond::Same(both, so) => match (&both.0, &both.1) {
                (object, Obj::Object(value)) | (Obj::Object(value), object) => {
                    self.ways_of(object, &|object| (object == *value) == *so, &mut ways)?;
                }
                (Obj::Var(a), Obj::Var(b)) if a == b => {
                    self.ways_of(&both.0, &|object| (object != NOTHING) == *so, &mut ways)?;
                }
                (Obj::Var(a), Obj::Var(b)) if *so => {
                    for object in self.built.domains.of(*a).to_vec() {
                        let is_shared = object != NOTHING && self.built.domains.may_be(*b, object);
                        if is_shared {
                            let both = [Literal::Object(*a, object), Literal::Object(*b, object)];
                            let literals = both.map(|literal| self.literal(literal));
                            ways.push(literals.into_iter().flatten().collect());
                        }
                    }
                }
                _ => return None,
            },
            Cond::Constant(_) | Cond::Is(..) | Cond::All(_) | Cond::Compare(..) => return None,
        }
        Some(ways)
    }

    /// The ways in which an object may be one that is wanted.
    fn ways_of(
        &mut self,
        object: &Obj,
        is_wanted: &dyn Fn(u32) -> bool,
        ways: &mut Vec<Conjunction>,
    ) -> Option<()> {
        let alternatives = self.alternatives(object)?;
        let wanted = alternatives
            .into_iter()
            .filter(|(_, object)| is_wanted(*object));
        ways.extend(wanted.map(|(way, _)| way));
        Some(())
    }

    /// The objects that something may be, and what each requires; none where they are too many.
    fn alternatives(&mut self, object: &Obj) -> Option<Alternatives<u32>> {
        match object {
            Obj::Object(object) => Some(vec![(Conjunction::new(), *object)]),
            Obj::Var(variable) => {
                let mut all = vec![];
                for object in self.built.domains.of(*variable).to_vec() {
                    let literal = self.literal(Literal::Object(*variable, object));
                    all.push((literal.into_iter().collect(), object));
                }
                Some(all)
            }
            Obj::Case(case) => self.cases(case, &mut |this, object| this.alternatives(object)),
        }
    }

    /// The numbers that something may be, and what each requires; none where they are too many, or
    /// depend on numbers that change.
    fn numbers(&mut self, number: &Num) -> Option<Alternatives<f64>> {
        match number {
            Num::Constant(number) => Some(vec![(Conjunction::new(), *number)]),
            Num::Case(case) => self.cases(case, &mut |this, number| this.numbers(number)),
            Num::Negative(of) => {
                let all = self.numbers(of)?.into_iter();
                Some(all.map(|(way, number)| (way, -number)).collect())
            }
            Num::Arithmetic(operator, both) => {
                let (a, b) = (self.numbers(&both.0)?, self.numbers(&both.1)?);
                if a.len() * b.len() > MOST_SPLITS {
                    return None;
                }
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let pairs = pairs.map(|((way, a), (more, b))| {
                    let way = way.iter().chain(more).copied().collect();
                    (way, calculate(*operator, *a, *b))
                });
                Some(pairs.collect())
            }
            Num::Var(_) | Num::Function(..) | Num::Aggregate(..) => None,
        }
    }

    fn cases<T, V>(
        &mut self,
        case: &Case<T>,
        of_case: &mut dyn FnMut(&mut Self, &T) -> Option<Alternatives<V>>,
    ) -> Option<Alternatives<V>> {
        let mut all = vec![];
        for (way, object) in self.alternatives(&case.of)? {
            for (more, value) in of_case(self, case.of(object))? {
                all.push((way.iter().copied().chain(more).collect(), value));
            }
            if all.len() > MOST_SPLITS {
                return None;
            }
        }
        Some(all)
    }

    /// The proposition of a condition that is evaluated, whose variables have to be watched.
    fn evaluated(&mut self, cond: &Cond) -> u32 {
        let mut variables = vec![];
        cond.reads(&mut |variable, boolean| variables.push((variable, boolean)));
        self.watch(variables);
        let proposition = self.proposition(None);
        let condition = self.built.conditions.len() as u32;
        self.built.conditions.push((cond.clone(), proposition));
        self.built.condition_of.insert(proposition, condition);
        proposition
    }

    /// Gives variables that are read propositions for all of their values.
    fn watch(&mut self, variables: Vec<(u32, bool)>) {
        for (variable, is_boolean) in variables {
            if is_boolean {
                for so in [false, true] {
                    self.literal(Literal::Is(variable, so));
                }
            } else if self.task.kinds[variable as usize] == Kind::Object {
                for object in self.built.domains.of(variable).to_vec() {
                    self.literal(Literal::Object(variable, object));
                }
            }
        }
    }

    fn operator(
        &mut self,
        action: u32,
        cost: f64,
        preconditions: &[u32],
        adds: &[u32],
        changes: &[NumberChange],
    ) {
        let mut preconditions = Conjunction::from_slice(preconditions);
        preconditions.sort_unstable();
        preconditions.dedup();
        let built = &mut self.built;
        let is_one_of_two = |pair: &[u32]| {
            let literals = [0, 1].map(|n| built.literals[pair[n] as usize]);
            matches!(literals, [Some(a), Some(b)] if a.shares(b))
        };
        let mut pairs = (0..preconditions.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let is_impossible = preconditions.len() <= 16
            && pairs.any(|(a, b)| is_one_of_two(&[preconditions[a], preconditions[b]]));
        if is_impossible {
            return;
        }
        built.actions.push(action);
        built.costs.push(cost);
        built.has_integer_costs &= cost.fract() == 0.0;
        built.preconditions.push(&preconditions);
        built.adds.push(adds);
        let first = built.changes.len() as u32;
        built.changes.extend_from_slice(changes);
        let rows: SmallVec<[u32; 4]> = (first..built.changes.len() as u32).collect();
        built.changes_of.push(&rows);
    }

    /// What an action requires of the numbers that it changes: none may leave its range.
    fn ranges(&self, action: &Action) -> Vec<(Cond, Cond)> {
        let mut all = vec![];
        for effect in &action.effects {
            let (number, by) = match &effect.change {
                Change::Is(_) | Change::Object(_) => continue,
                Change::Number(number) => (number.clone(), None),
                Change::Add(number) => {
                    let both = (Num::Var(effect.variable), number.clone());
                    let sum = Num::Arithmetic(Operator::Add, Box::new(both));
                    (sum, Some(number))
                }
            };
            let Kind::Number { min, max, .. } = self.task.kinds[effect.variable as usize] else {
                continue;
            };
            let sign = match by {
                Some(Num::Constant(by)) => *by,
                _ => f64::NAN,
            };
            let bounds = [
                (Comparison::GreaterOrEqual, min, sign > 0.0),
                (Comparison::LessOrEqual, max, sign < 0.0),
            ];
            for (comparison, bound, is_implied) in bounds {
                if bound.is_finite() && !is_implied {
                    let both = Box::new((number.clone(), Num::Constant(bound)));
                    all.push((effect.when.clone(), Cond::Compare(comparison, both, true)));
                }
            }
        }
        // Several changes of one number add up: then each alone says nothing.
        let is_changed_twice = action.effects.iter().enumerate().any(|(n, effect)| {
            let is_number = |change: &Change| matches!(change, Change::Number(_) | Change::Add(_));
            is_number(&effect.change)
                && action.effects[..n]
                    .iter()
                    .any(|other| other.variable == effect.variable && is_number(&other.change))
        });
        if is_changed_twice { vec![] } else { all }
    }

    /// The preconditions of an action; none where it is never possible.
    fn preconditions(&mut self, action: &Action) -> Option<Conjunction> {
        let mut all = Conjunction::new();
        for literal in &action.literals {
            all.push(self.literal(*literal)?);
        }
        for need in &action.needs {
            if !self.require(need, &mut all) {
                return None;
            }
        }
        for (when, range) in self.ranges(action) {
            if when == Cond::Constant(true) && !self.require(&range, &mut all) {
                return None;
            }
        }
        Some(all)
    }

    /// Makes propositions of all that an action reads.
    fn read(&mut self, action: &Action) {
        if self.preconditions(action).is_none() {
            return;
        }
        let mut variables = vec![];
        // What happens under a condition may have to be prevented, too.
        let mut conditional = vec![];
        for effect in &action.effects {
            self.require(&effect.when, &mut Conjunction::new());
            let mut note = |variable, boolean| conditional.push((variable, boolean));
            effect.when.reads(&mut note);
            match &effect.change {
                Change::Is(_) => {}
                Change::Object(object) => {
                    let _ = self.alternatives(object);
                }
                Change::Number(number) | Change::Add(number) => {
                    number.reads(&mut |variable, boolean| variables.push((variable, boolean)));
                }
            }
        }
        for (variable, is_boolean) in &variables {
            if !is_boolean {
                self.built.is_number_read[*variable as usize] = true;
            }
        }
        self.watch(variables);
        self.watch(conditional);
        let _ = self.numbers(&action.cost);
    }

    /// Adds an action's operators.
    fn add(&mut self, number: u32, action: &Action) {
        let Some(preconditions) = self.preconditions(action) else {
            return;
        };
        let costs = self.costs(action);
        let ranges = self.ranges(action);
        // What happens under one condition is one operator.
        let mut by_condition: Vec<(&Cond, Vec<u32>, Vec<NumberChange>)> = vec![];
        let mut places: FxHashMap<u64, SmallVec<[usize; 1]>> = FxHashMap::default();
        let mut split = vec![];
        for effect in &action.effects {
            let mut hasher = FxHasher::default();
            effect.when.hash(&mut hasher);
            let alike = places.entry(hasher.finish()).or_default();
            let found = alike.iter().find(|n| *by_condition[**n].0 == effect.when);
            let place = match found {
                Some(place) => *place,
                None => {
                    alike.push(by_condition.len());
                    by_condition.push((&effect.when, vec![], vec![]));
                    by_condition.len() - 1
                }
            };
            let (_, adds, changes) = &mut by_condition[place];
            match &effect.change {
                Change::Is(so) => adds.push(self.built.boolean(effect.variable, *so)),
                Change::Object(Obj::Object(object)) => {
                    adds.push(self.built.object(effect.variable, *object));
                }
                Change::Object(object) => split.push((&effect.when, effect.variable, object)),
                Change::Number(number) | Change::Add(number) => changes.push(NumberChange {
                    variable: effect.variable,
                    is_added: matches!(effect.change, Change::Add(_)),
                    number: number.clone(),
                }),
            }
        }
        for (when, mut adds, changes) in by_condition {
            adds.retain(|add| *add != NONE);
            if adds.is_empty() && changes.is_empty() {
                continue;
            }
            let mut all = preconditions.clone();
            let mut in_range = ranges.iter().filter(|(cond, _)| cond == when);
            if self.require(when, &mut all)
                && in_range.all(|(_, range)| self.require(range, &mut all))
            {
                self.by_cost(number, &costs, &all, &adds, &changes);
            }
        }
        for (when, variable, object) in split {
            let mut all = preconditions.clone();
            if !self.require(when, &mut all) {
                continue;
            }
            // Where what it depends on can't be told apart, it may be any.
            let alternatives = self.alternatives(object).unwrap_or_else(|| {
                let objects = self.built.domains.of(variable).iter();
                objects
                    .map(|object| (Conjunction::new(), *object))
                    .collect()
            });
            for (way, object) in alternatives {
                let add = self.built.object(variable, object);
                if object != NOTHING && add != NONE {
                    let all: Conjunction = all.iter().copied().chain(way).collect();
                    self.by_cost(number, &costs, &all, &[add], &[]);
                }
            }
        }
    }

    fn by_cost(
        &mut self,
        number: u32,
        costs: &[(Conjunction, f64)],
        preconditions: &[u32],
        adds: &[u32],
        changes: &[NumberChange],
    ) {
        for (way, cost) in costs {
            let all: Conjunction = preconditions.iter().chain(way).copied().collect();
            self.operator(number, *cost, &all, adds, changes);
        }
    }

    /// What an action costs at least, and what each cost requires.
    fn costs(&mut self, action: &Action) -> Alternatives<f64> {
        if let Some(mut costs) = self.numbers(&action.cost) {
            for (_, cost) in &mut costs {
                *cost = if cost.is_nan() { 1.0 } else { cost.max(0.0) };
            }
            return costs;
        }
        let any = self.built.domains.interval(&self.task, &action.cost);
        let least = if any.may_be_undefined {
            any.low.min(1.0)
        } else {
            any.low
        };
        vec![(Conjunction::new(), least.max(0.0))]
    }

    /// The task whose actions it compiles.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The memory held, the task's and that of the rows to come included.
    pub fn footprint(&self) -> Footprint {
        let built = &self.built;
        let rows = [&built.preconditions, &built.adds, &built.changes_of];
        let rows: u64 = rows.map(|rows| rows.footprint().held).iter().sum();
        let held = self.held + 3 * rows as usize;
        let held = held + built.changes.capacity() * size_of::<NumberChange>();
        Footprint::fixed(held + built.literals.capacity() * 24 + built.actions.capacity() * 12)
    }

    /// The finished tables, with the operators that contribute to one of these goals.
    pub fn finish(self, goals: &[u32]) -> (Operators, Arc<Task>) {
        let mut built = self.built;
        built.index(&self.task);
        let relevant = built.relevant(&self.task, goals);
        built.retain(&relevant);
        built.index(&self.task);
        (built, self.task)
    }
}

impl Operators {
    /// Works out the rows that lead from propositions and variables to what reads them.
    pub fn index(&mut self, task: &Task) {
        let propositions = self.propositions();
        self.readers = self.preconditions.transposed(propositions);
        self.achievers = self.adds.transposed(propositions);
        let operators = 0..self.len();
        let has_none = |operator: &u32| self.preconditions.row(*operator).is_empty();
        self.unconditional = operators.filter(has_none).collect();
        let mut numbers_of = Rows::default();
        let mut propositions_of = Rows::default();
        for (cond, _) in &self.conditions {
            let (mut numbers, mut values) = (vec![], vec![]);
            cond.reads(&mut |variable, boolean| {
                self.note(task, variable, boolean, &mut numbers, &mut values);
            });
            numbers_of.push(&sorted(numbers));
            propositions_of.push(&sorted(values));
        }
        self.number_watchers = numbers_of.transposed(task.kinds.len());
        self.watchers = propositions_of.transposed(propositions);
        self.numbers_of = numbers_of;
        let mut numbers_of = Rows::default();
        let mut propositions_of = Rows::default();
        for operator in 0..self.len() {
            let (mut numbers, mut values) = (vec![], vec![]);
            for change in self.changes_of.row(operator) {
                let change = &self.changes[*change as usize];
                if change.is_added {
                    numbers.push(change.variable);
                }
                change.number.reads(&mut |variable, boolean| {
                    self.note(task, variable, boolean, &mut numbers, &mut values);
                });
            }
            numbers_of.push(&sorted(numbers));
            propositions_of.push(&sorted(values));
        }
        self.number_readers = numbers_of.transposed(task.kinds.len());
        self.change_readers = propositions_of.transposed(propositions);
    }

    fn note(
        &self,
        task: &Task,
        variable: u32,
        is_boolean: bool,
        numbers: &mut Vec<u32>,
        values: &mut Vec<u32>,
    ) {
        if is_boolean {
            values.extend([false, true].map(|so| self.boolean(variable, so)));
        } else if task.kinds[variable as usize] == Kind::Object {
            let objects = self.domains.of(variable).iter();
            values.extend(objects.map(|object| self.object(variable, *object)));
        } else {
            numbers.push(variable);
        }
        values.retain(|proposition| *proposition != NONE);
    }

    /// By operator: whether it contributes to a goal.
    fn relevant(&self, task: &Task, goals: &[u32]) -> Vec<bool> {
        let mut operators = vec![false; self.actions.len()];
        let mut actions = vec![false; task.actions.len()];
        let mut propositions = vec![false; self.propositions()];
        let mut numbers = vec![false; task.kinds.len()];
        let mut changed_by: Vec<Vec<u32>> = vec![vec![]; task.kinds.len()];
        for operator in 0..self.len() {
            for change in self.changes_of.row(operator) {
                changed_by[self.changes[*change as usize].variable as usize].push(operator);
            }
        }
        let mut open_propositions = goals.to_vec();
        let mut open_numbers: Vec<u32> = vec![];
        let mut open_operators: Vec<u32> = vec![];
        loop {
            if let Some(proposition) = open_propositions.pop() {
                if !std::mem::replace(&mut propositions[proposition as usize], true) {
                    open_operators.extend(self.achievers.row(proposition));
                    if let Some(condition) = self.condition_of.get(&proposition) {
                        self.conditions[*condition as usize]
                            .0
                            .reads(&mut |v, boolean| {
                                self.note(
                                    task,
                                    v,
                                    boolean,
                                    &mut open_numbers,
                                    &mut open_propositions,
                                );
                            });
                    }
                }
            } else if let Some(variable) = open_numbers.pop() {
                if !std::mem::replace(&mut numbers[variable as usize], true) {
                    open_operators.extend(&changed_by[variable as usize]);
                }
            } else if let Some(operator) = open_operators.pop() {
                if std::mem::replace(&mut operators[operator as usize], true) {
                    continue;
                }
                open_propositions.extend(self.preconditions.row(operator));
                let number = self.actions[operator as usize] as usize;
                let Some(action) = task.actions.get(number) else {
                    continue;
                };
                if std::mem::replace(&mut actions[number], true) {
                    continue;
                }
                // Numbers must not leave their ranges, and what happens under a condition may have
                // to be prevented.
                let mut note = |variable, boolean| {
                    let (numbers, values) = (&mut open_numbers, &mut open_propositions);
                    self.note(task, variable, boolean, numbers, values);
                };
                for effect in &action.effects {
                    effect.when.reads(&mut note);
                    if let Change::Number(number) | Change::Add(number) = &effect.change {
                        note(effect.variable, false);
                        number.reads(&mut note);
                    }
                }
            } else {
                return operators;
            }
        }
    }

    /// Keeps these operators alone.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut operators = (0..self.len()).filter(|operator| kept[*operator as usize]);
        let kept: Vec<u32> = operators.by_ref().collect();
        let pick = |rows: &Rows| {
            let mut picked = Rows::default();
            kept.iter()
                .for_each(|operator| picked.push(rows.row(*operator)));
            picked
        };
        self.preconditions = pick(&self.preconditions);
        self.adds = pick(&self.adds);
        self.changes_of = pick(&self.changes_of);
        let kept = kept.iter().map(|operator| *operator as usize);
        self.actions = kept
            .clone()
            .map(|operator| self.actions[operator])
            .collect();
        self.costs = kept.map(|operator| self.costs[operator]).collect();
    }
}

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

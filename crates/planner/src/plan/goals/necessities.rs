//! Necessities: literals that every plan has to reach, regardless of the state, and the lower bound
//! of the cost that they imply.

use rustc_hash::{FxHashMap, FxHashSet};
use taskloom_document::stop::Stop;

use super::formula::Values;
use super::landmarks::shared;
use super::literals::Literal;
use super::operators::Operators;
use crate::plan::rows::NONE;

/// A lower bound of the cost from a state: the minimum cost of the literals that every plan has to
/// reach. An action's cost is shared among all literals that it reaches at once, so that the bound
/// is consistent (Karpas and Domshlak 2009).
#[derive(Debug, Default)]
pub struct Necessities {
    goals: Vec<u32>,
    /// For each necessity, its literal, its share of a cost, and the necessities that it requires.
    all: Vec<(Literal, f64, Vec<u32>)>,
}

impl Necessities {
    /// Finds the necessities of goals that have to hold at the end.
    pub fn new(tables: &Operators, goals: &[u32], stop: &Stop) -> Self {
        let mut found: Vec<(u32, Literal, Vec<u32>)> = vec![];
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut number_of = |proposition, literal, found: &mut Vec<(u32, Literal, Vec<u32>)>| {
            *numbers.entry(proposition).or_insert_with(|| {
                found.push((proposition, literal, vec![]));
                found.len() as u32 - 1
            })
        };
        // Replaces propositions that aren't literals by the literals that they require.
        let literals = |rows: Vec<u32>| {
            let (mut open, mut known, mut all) = (rows, FxHashSet::default(), vec![]);
            while let Some(proposition) = open.pop() {
                match tables.propositions.literals[proposition as usize] {
                    Some(literal) => all.push((proposition, literal)),
                    None if known.insert(proposition) => {
                        let axioms = tables.achievers.row(proposition).iter();
                        open.extend(shared(axioms.map(|axiom| tables.preconditions.row(*axiom))));
                    }
                    None => {}
                }
            }
            all
        };
        let goals: Vec<u32> = literals(goals.to_vec())
            .into_iter()
            .map(|(proposition, literal)| number_of(proposition, literal, &mut found))
            .collect();
        let mut next = 0;
        while next < found.len() {
            let achievers = tables.achievers.row(found[next].0);
            if stop.after(1 + achievers.len()) {
                return Self::default();
            }
            let rows = achievers.iter();
            let required = literals(shared(rows.map(|a| tables.preconditions.row(*a))));
            let required = required.into_iter();
            let required: Vec<u32> = required
                .map(|(proposition, literal)| number_of(proposition, literal, &mut found))
                .collect();
            found[next].2 = required;
            next += 1;
        }
        let counts = counts(tables, &numbers, stop);
        let all = found.into_iter().map(|(proposition, literal, required)| {
            let achievers = tables.achievers.row(proposition).iter();
            let shares = achievers.map(|operator| {
                let count = counts.get(&tables.actions[*operator as usize]);
                tables.costs[*operator as usize] / f64::from(*count.unwrap_or(&1))
            });
            (literal, shares.fold(f64::INFINITY, f64::min), required)
        });
        Self {
            all: all.collect(),
            goals,
        }
    }

    /// Returns the lower bound of a state; infinity if something is unreachable.
    pub fn bound(&self, state: Values<'_>) -> f64 {
        let mut is_known = vec![false; self.all.len()];
        let mut open = self.goals.clone();
        let mut bound = 0.0;
        while let Some(number) = open.pop() {
            let (literal, share, required) = &self.all[number as usize];
            if !std::mem::replace(&mut is_known[number as usize], true) && !literal.holds(state) {
                bound += share;
                open.extend(required);
            }
        }
        // Compensates for the rounding of shares.
        bound - bound.abs().min(1e300) * 1e-9
    }
}

/// Returns for each action how many of these propositions it can reach at once.
fn counts(tables: &Operators, necessary: &FxHashMap<u32, u32>, stop: &Stop) -> FxHashMap<u32, u32> {
    let mut by_action: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
    for operator in 0..tables.len() {
        if stop.after(1) {
            break;
        }
        for add in tables.adds.row(operator) {
            if necessary.contains_key(add) {
                let of_action = by_action.entry(tables.actions[operator as usize]);
                of_action.or_default().push((operator, *add));
            }
        }
    }
    let counts = by_action.into_iter().map(|(action, reached)| {
        let value_of = |operator: u32, variable: Option<u32>| {
            let preconditions = tables.preconditions.row(operator).iter();
            let literals = preconditions.map(|p| tables.propositions.literals[*p as usize]);
            let mut values = literals.filter_map(|literal| match literal {
                Some(Literal::Object(own, value)) if variable.is_none_or(|v| v == own) => {
                    Some((own, value))
                }
                _ => None,
            });
            values.next_back()
        };
        // Of the operators that depend on the value of one object variable, only those of one value
        // apply.
        let mut variables: FxHashMap<u32, u32> = FxHashMap::default();
        for (operator, _) in &reached {
            for proposition in tables.preconditions.row(*operator) {
                if let Some(Literal::Object(variable, _)) =
                    tables.propositions.literals[*proposition as usize]
                {
                    *variables.entry(variable).or_default() += 1;
                }
            }
        }
        let most = variables.into_iter();
        let variable = most.max_by_key(|(variable, count)| (*count, *variable));
        let mut always: FxHashSet<u32> = FxHashSet::default();
        let mut by_value: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
        for (operator, add) in reached {
            let value = variable.and_then(|(variable, _)| value_of(operator, Some(variable)));
            match value {
                Some((_, value)) => by_value.entry(value).or_default().insert(add),
                None => always.insert(add),
            };
        }
        let most = by_value.values().map(FxHashSet::len).max().unwrap_or(0);
        (action, (always.len() + most).max(1) as u32)
    });
    counts.filter(|(action, _)| *action != NONE).collect()
}

//! Orders the atoms of a rule for joining: those that can be tested first, then those that leave
//! the fewest tuples.

use super::super::rules::{Filter, Rule, filter_variables};
use super::{Fixpoint, Join, Place, Step};
use crate::lifted::condition::Arg;
use crate::lifted::model::Model;

impl Fixpoint {
    /// Plans the joins that new tuples start.
    pub(super) fn plan(&mut self, model: &Model) {
        for number in 0..self.program.rules.len() {
            let rule = self.program.rules[number].clone();
            for (at, (relation, _)) in rule.body.iter().enumerate() {
                if model.problem.stop().after(rule.body.len()) {
                    return;
                }
                let is_static = model
                    .predicates
                    .get(*relation as usize)
                    .is_some_and(|p| !p.added);
                if !is_static {
                    let join = self.join(model, &rule, number as u32, at);
                    self.joins[*relation as usize].push(join);
                }
            }
        }
    }

    /// Orders a join greedily: next comes the atom that leaves the fewest tuples.
    fn join(&mut self, model: &Model, rule: &Rule, number: u32, start: usize) -> Join {
        let mut is_bound = vec![false; rule.frame as usize];
        let mut types = rule.types.clone();
        let mut filters = rule.filters.clone();
        let mut steps = vec![];
        let first = places(&rule.body[start].1, &mut is_bound, |_| true);
        let mut left: Vec<&(u32, Vec<Arg>)> = rule.body.iter().collect();
        left.remove(start);
        loop {
            take_bound(&mut types, &mut filters, &is_bound, &mut steps);
            if let Some((variable, from)) = next_assignment(&mut filters, &is_bound) {
                is_bound[variable as usize] = true;
                steps.push(Step::Assign(variable, from));
                continue;
            }
            let choice = left
                .iter()
                .enumerate()
                .map(|(at, (relation, args))| {
                    (self.estimate(model, *relation, args, &is_bound), at)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, at)) = choice {
                let (relation, args) = left.remove(at);
                steps.push(self.each(*relation, args, &mut is_bound));
            } else if !types.is_empty() {
                let (variable, of) = types.remove(0);
                is_bound[variable as usize] = true;
                steps.push(Step::Object(variable, of));
            } else {
                break;
            }
        }
        // Remaining filters would need variables that the rule does not have: there are none.
        Join {
            rule: number,
            start: first,
            steps,
        }
    }

    fn each(&mut self, relation: u32, args: &[Arg], is_bound: &mut [bool]) -> Step {
        let known = known_places(args, is_bound);
        if known.len() == args.len() {
            return Step::Test(relation, args.into());
        }
        let index = self.relations[relation as usize].index(&known);
        let key = known.iter().map(|p| args[*p as usize]).collect();
        let rest = places(args, is_bound, |place| !known.contains(&place));
        Step::Each {
            relation,
            index,
            key,
            rest,
        }
    }

    /// Estimates the number of tuples that an atom leaves for each tuple so far.
    fn estimate(&mut self, model: &Model, relation: u32, args: &[Arg], is_bound: &[bool]) -> f64 {
        let known = known_places(args, is_bound);
        let open = args.len() - known.len();
        if open == 0 {
            return 0.0;
        }
        let of = relation as usize;
        let Some(predicate) = model.predicates.get(of) else {
            return 8f64.powi(open as i32);
        };
        if self.relations[of].len() == 0 {
            return if predicate.added {
                8f64.powi(open as i32)
            } else {
                0.5
            };
        }
        let relations = &self.relations;
        let fan_out = *self
            .fan_outs
            .entry((relation, known))
            .or_insert_with_key(|(_, known)| relations[of].fan_out(known, model.problem.stop()));
        // More tuples of a changeable predicate will follow.
        if predicate.added {
            fan_out * 4.0
        } else {
            fan_out
        }
    }
}

/// Returns the positions of a tuple whose values are known beforehand.
fn known_places(args: &[Arg], is_bound: &[bool]) -> Vec<u32> {
    let known = (0u32..).zip(args).filter(|(_, arg)| arg.is_bound(is_bound));
    known.map(|(place, _)| place).collect()
}

/// Returns the roles of the chosen positions of a tuple.
fn places(args: &[Arg], is_bound: &mut [bool], chosen: impl Fn(u32) -> bool) -> Box<[Place]> {
    let all = (0u32..).zip(args).filter(|(place, _)| chosen(*place));
    all.map(|(place, arg)| match *arg {
        Arg::Variable(v) if !std::mem::replace(&mut is_bound[v as usize], true) => {
            Place::Bind(place, v)
        }
        arg => Place::Equal(place, arg),
    })
    .collect()
}

/// Takes an equality between an unbound variable and something known.
fn next_assignment(filters: &mut Vec<Filter>, is_bound: &[bool]) -> Option<(u32, Arg)> {
    let mut all = filters.iter().enumerate();
    let (at, variable, from) = all.find_map(|(at, filter)| match *filter {
        Filter::Same(Arg::Variable(v), from, true) if from.is_bound(is_bound) => {
            Some((at, v, from))
        }
        Filter::Same(from, Arg::Variable(v), true) if from.is_bound(is_bound) => {
            Some((at, v, from))
        }
        _ => None,
    })?;
    filters.remove(at);
    Some((variable, from))
}

/// Adds the tests whose variables are all bound now.
fn take_bound(
    types: &mut Vec<(u32, u32)>,
    filters: &mut Vec<Filter>,
    is_bound: &[bool],
    steps: &mut Vec<Step>,
) {
    types.retain(|(variable, of)| {
        let bound = is_bound[*variable as usize];
        if bound {
            steps.push(Step::Type(*variable, *of));
        }
        !bound
    });
    filters.retain(|filter| {
        let mut found = vec![];
        filter_variables(filter, &mut found);
        let bound = found.iter().all(|v| is_bound[*v as usize]);
        if bound {
            steps.push(Step::Filter(filter.clone()));
        }
        !bound
    });
}

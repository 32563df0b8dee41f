//! Decides which steps of different executors wait for each other.

use taskloom_planner::plan::Plan;

use super::failures::{Touch, read, touched};
use super::goals;
use super::interpreter::Run;
use super::model::{Arg, Atom, Domain, Method, Object, PRIMITIVES, Score};
use super::tree;

impl Run<'_> {
    /// Returns `true` if a step has to wait for an earlier one in the plan.
    pub fn must_wait(
        &self,
        number: usize,
        followed: usize,
        plan: &Plan,
        (before, step): (usize, usize),
    ) -> bool {
        let is_drawn = plan.target.is_none() || goals::is_served(plan);
        if is_drawn && is_ordered(plan, before, step) {
            return true;
        }
        let me = self.domain.me(number);
        let of = |step: usize| {
            let node = plan.steps[step].node;
            let (mut reads, changes) = touched(self.domain, me, tree::task(plan, node));
            for link in self.links(number, followed, node) {
                let compound = &self.domain.compounds[link.task.0 - PRIMITIVES];
                let bound = bound(me, link.task.1, None);
                reads.extend(
                    compound
                        .integrity
                        .iter()
                        .flat_map(|rule| read(*rule, &bound)),
                );
            }
            (reads, changes)
        };
        let ((reads_before, changes_before), (reads, changes)) = (of(before), of(step));
        meet(&changes_before, &changes)
            || meet(&changes_before, &reads)
            || meet(&changes, &reads_before)
            || tree::ancestors(plan, plan.steps[step].node)
                .into_iter()
                .any(|node| {
                    let decomposed = plan.nodes[node].decomposed();
                    decomposed.is_some_and(|one| before < one.at)
                        && meet(&changes_before, &chosen(self.domain, plan, node, me))
                })
    }
}

pub fn meet(a: &[Touch], b: &[Touch]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.meets(*b)))
}

/// Returns the bindings of arguments in a compound task's texts.
pub fn bound(
    me: Option<Object>,
    param: Object,
    found: Option<Object>,
) -> impl Fn(Arg) -> Option<Object> {
    move |arg| match arg {
        Arg::Object(object) => Some(object),
        Arg::Param => Some(param),
        Arg::Found => found,
        Arg::Me => me,
        Arg::Held => None,
    }
}

/// Returns `true` if a plan orders two steps.
fn is_ordered(plan: &Plan, before: usize, step: usize) -> bool {
    let mut after = plan.steps[step].after.iter();
    after.any(|other| *other == before || is_ordered(plan, before, *other))
}

/// Returns the facts that selected a node's resolution.
pub fn chosen(domain: &Domain, plan: &Plan, node: usize, me: Option<Object>) -> Vec<Touch> {
    let (Some(taken), (task, object)) = (plan.nodes[node].decomposed(), tree::task(plan, node))
    else {
        return vec![];
    };
    let compound = &domain.compounds[task - PRIMITIVES];
    let found = taken
        .bindings
        .first()
        .map(|binding| tree::object(&binding.2));
    let bound = bound(me, object, found);
    let conditions = compound.pre.iter().chain(&compound.goal);
    let mut reads: Vec<Touch> = conditions.flat_map(|t| read(*t, &bound)).collect();
    if taken.blocks.is_empty() {
        return reads;
    }
    match &compound.method {
        Method::Sequence(_) | Method::Unordered(_) => {}
        Method::Branch(test, ..) | Method::While(test, _) => reads.extend(read(*test, &bound)),
        Method::Bind(tests, _) => reads.extend(tests.iter().flat_map(|one| read(*one, &bound))),
        Method::Choice(_, ways) => {
            for alternative in ways {
                match alternative.score {
                    Some(Score::Number) => reads.push(Touch::Atom(Atom::Number)),
                    Some(Score::Count) => reads.push(Touch::OfAny),
                    Some(Score::Is(_)) | None => {}
                }
            }
            let alternative = &ways[tree::output(&compound.method, taken)];
            reads.extend(
                alternative
                    .guard
                    .iter()
                    .flat_map(|guard| read(*guard, &bound)),
            );
        }
    }
    reads
}

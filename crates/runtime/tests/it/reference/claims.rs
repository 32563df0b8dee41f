//! The objects that characters claim for their steps.

use std::collections::BTreeMap;

use taskloom_domain::lang::typed::Term;
use taskloom_planner::plan::{NodeKind, Outcome};

use super::domain::Domain;
use super::evaluate::Env;
use super::interpreter::{Activity, Run};
use super::names::Object;
use super::record::Asked;
use super::state::State;
use super::tree;

/// The objects that others claim, each with the character that does.
pub type Claimed = BTreeMap<Object, usize>;

/// Returns the objects that a step claims if it starts in a state.
pub fn claims(domain: &Domain, task: usize, state: &State, env: &Env) -> Vec<Object> {
    let mut claims = vec![];
    for term in &domain.primitive(task).claims {
        let object = state.object(term, env);
        claims.extend(object.filter(|object| !claims.contains(object)));
    }
    claims
}

/// Returns why the first of these objects that another claims can't be claimed.
pub fn refusal(domain: &Domain, claims: &[Object], claimed: &Claimed) -> Option<String> {
    let object = claims.iter().find(|object| claimed.contains_key(object))?;
    let name = |object: Object| &domain.names.objects[object];
    let actor = match domain.me(claimed[object]) {
        Some(actor) => format!("'{}'", name(actor)),
        None => "another actor".to_owned(),
    };
    Some(format!(
        "'{}' is claimed by {actor} until its step ends",
        name(*object)
    ))
}

impl Run<'_> {
    /// Lets a character notice, at the beginning of its turn, which objects others claim.
    pub fn notice_claims(&mut self, number: usize) {
        let others = self.cast.iter().filter(|one| one.number != number);
        let claimed = others.flat_map(|one| {
            let objects = one.running.iter().flat_map(|(step, _)| &step.claims);
            objects.map(|object| (*object, one.number))
        });
        let claimed: Claimed = claimed.collect();
        let one = &mut self.cast[number];
        one.is_freed = one
            .claimed
            .keys()
            .any(|object| !claimed.contains_key(object));
        one.claimed = claimed;
        one.is_notified |= one.is_freed;
        let is_idle = matches!(one.activity, Activity::Waits | Activity::Recovers);
        self.record.released += usize::from(is_idle && one.is_freed);
    }

    /// Returns the objects that a character claims.
    pub fn own_claims(&self, number: usize) -> Vec<Object> {
        let running = self.cast[number].running.iter();
        running
            .flat_map(|(step, _)| step.claims.iter().copied())
            .collect()
    }
}

/// Checks that no planned step claims what another character does. What depends on the state is checked by
/// the validator.
pub fn check(domain: &Domain, asked: &Asked, outcome: &Outcome) {
    let Outcome::Plan(plan) = outcome else { return };
    for (node, planned) in plan.nodes.iter().enumerate() {
        let NodeKind::Step(_) = planned.kind else {
            continue;
        };
        let task = tree::task(domain, plan, node);
        let env = domain.env(asked.character, task);
        let fixed = domain.primitive(task.task).claims.iter();
        for term in fixed.filter(|term| !matches!(term, Term::Fact(..))) {
            let object = asked.believed.object(term, &env);
            let is_claimed = object.is_some_and(|object| asked.claimed.contains_key(&object));
            assert!(!is_claimed, "{plan:?}, {asked:?}");
        }
    }
}

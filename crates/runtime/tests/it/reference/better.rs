//! The searches for a better plan than one that is still possible, and what makes a plan better.

use taskloom_document::Policy;
use taskloom_planner::plan::Plan;

use super::alike;
use super::deliberate::Purpose;
use super::domain::Planning;
use super::evaluate::rounded;
use super::goals;
use super::interpreter::{Activity, Run};
use super::method::Place;
use super::open::{Cleaning, Network, Open};
use super::record::GoalRecord;
use super::state::State;
use super::tree::{self, Link};

impl Run<'_> {
    /// Returns the searches for a better plan than one that is still possible.
    pub fn improvements(
        &self,
        number: usize,
        (followed, plan): (usize, &Plan),
        open: &Open,
        believed: &State,
    ) -> Vec<Network> {
        if plan.target.is_some() {
            return vec![self.alone(number)];
        }
        let agent = self.domain.agent(number);
        if agent.is_some_and(|a| matches!(a.planning, Planning::Decomposition(Policy::Cheapest))) {
            return self.better(number, open, None, |network| network, believed);
        }
        // A task of which only the same task remains isn't under way.
        let kept = alike::collapsed(self.domain, open.left.clone());
        let is_kept = |link: &Link| {
            let mut all = kept.iter().flat_map(|left| &left.above);
            all.any(|other| other.id == link.id)
        };
        let mut under_way = vec![];
        for step in self.steps(number, plan) {
            if self.is_of_cleanup(number, plan, step) {
                continue;
            }
            let alternative = self.links(number, followed, plan.steps[step].node);
            let begun = alternative
                .into_iter()
                .take_while(|link| link.first.is_some())
                .enumerate();
            under_way
                .extend(begun.filter(|(_, link)| link.place > Place::Nothing && is_kept(link)));
        }
        under_way.sort_by_key(|(depth, link)| (*depth, link.id));
        under_way.dedup_by_key(|(_, link)| link.id);
        let networks = under_way.into_iter().flat_map(|(_, link)| {
            let leaves = |network: Network| {
                let (cleanups, own) = Self::parted(&network.within);
                let place = network.within.iter().position(|left| left.id == link.id);
                // If nothing is under way, it is the first of its tasks.
                let place = match own.is_empty() && network.rest.is_empty() {
                    true => Some(cleanups.len()),
                    false => place,
                };
                Network {
                    leaves: Some((link.clone(), place.unwrap_or(usize::MAX))),
                    ..network
                }
            };
            self.better(number, open, Some(&link), leaves, believed)
        });
        let compares = |network| Network {
            compares: true,
            ..network
        };
        let below = self.better(number, open, None, compares, believed);
        networks.chain(below).collect()
    }

    /// Returns the searches for a better plan in which a task is planned again, if given: first one that
    /// keeps all tasks, then one that cleans up after those that it aborts.
    fn better(
        &self,
        number: usize,
        open: &Open,
        again: Option<&Link>,
        differs: impl Fn(Network) -> Network,
        believed: &State,
    ) -> Vec<Network> {
        let network =
            |cleaning| differs(self.network(number, &open.left, again, cleaning, believed));
        let (kept, first) = (network(Cleaning::None), network(Cleaning::First));
        if kept.keeps.is_empty() {
            return vec![first];
        }
        if self.domain.is_reactive(number) {
            let first = Network {
                is_better: true,
                ..first
            };
            return vec![Network {
                otherwise: Some(Box::new(first)),
                ..kept
            }];
        }
        match kept.keeps.iter().any(|one| one.is_under_way) {
            true => vec![first],
            false => vec![kept, first],
        }
    }

    /// Returns `true` if a step is a part of a cleanup.
    fn is_of_cleanup(&self, number: usize, plan: &Plan, step: usize) -> bool {
        let Some(step) = plan.steps.get(step) else {
            return false;
        };
        let above = tree::ancestors(plan, step.node);
        let root = above.last().expect("itself");
        plan.roots[..self.cleanups(number)].contains(root)
    }

    pub fn is_better(
        &self,
        number: usize,
        purpose: Purpose,
        network: &Network,
        new: &Plan,
        goal_values: &[GoalRecord],
        believed: &State,
    ) -> bool {
        if network.is_better {
            return true;
        }
        if let Some((link, place)) = &network.leaves {
            let (cleanups, _) = Self::parted(&network.within);
            return tree::leaves(self.domain, link, new, (*place, cleanups.len()));
        }
        let (Purpose::Improve(cost, value, margin), Activity::Follows(followed)) =
            (purpose, &self.cast[number].activity)
        else {
            return false;
        };
        let old = self.record.plan(*followed);
        if network.compares {
            let open = self.open_roots(number, *followed);
            let first = open.first().map(|(index, _)| *index);
            let (_, under_way) = Self::parted(&network.within);
            let later = open.iter().filter(|(index, _)| {
                // Those of the first task are among them.
                under_way.is_empty() && network.rest.is_empty() || Some(*index) != first
            });
            let within = network.within.iter();
            // What isn't in the plan is not planned yet.
            let within = within.map(|left| (left.id.0 == *followed).then_some(left.id.1));
            let own = within.chain(later.map(|(_, root)| Some(*root)));
            let pairs = own.zip(new.roots.iter().copied());
            let pairs = pairs.filter_map(|(own, new)| Some((own?, new)));
            let pairs = Vec::from_iter(pairs).into_iter();
            return tree::comes_first(self.domain, (old, new), pairs) == Some(true);
        }
        let goal = |plan: &Plan| tree::goal(self.domain, plan);
        let left = |plan: &Plan| {
            plan.target
                .as_ref()
                .and_then(|target| target.remaining_estimate)
        };
        if goal(new) != goal(old) {
            let other = goal(new);
            let other = goal_values
                .iter()
                .find(|goal_value| Some(goal_value.goal) == other);
            return other
                .zip(value)
                .is_some_and(|(other, own)| other.worth() > rounded(own + margin));
        }
        let [was, is] = [old, new].map(|plan| goals::rank(self.domain, number, plan, believed));
        match (left(old), left(new)) {
            (Some(_), None) => true,
            (Some(old), Some(new)) => new < old,
            (None, Some(_)) => false,
            (None, None) if was != is => is < was,
            (None, None) if goals::is_served(new) => {
                let root = tree::link(self.domain, old, (*followed, old.roots[0]));
                let mut root = root.expect("it is the same task");
                let first = self.first_done(number, root.id);
                root.first = first.map(|step| tree::task_of_step(self.domain, old, step));
                match root.first {
                    Some(_) => tree::leaves(self.domain, &root, new, (0, 0)),
                    None => {
                        let roots = [(old.roots[0], new.roots[0])].into_iter();
                        tree::comes_first(self.domain, (old, new), roots) == Some(true)
                    }
                }
            }
            (None, None) => new.cost < cost,
        }
    }
}

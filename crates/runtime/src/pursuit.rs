//! The goals that a character pursues: which, and which it does not try for now.

use taskloom_document::{Name, Planning};
use taskloom_domain::Player;
use taskloom_planner::plan::{Outcome, Plan, Want};

/// What a character with goals is about.
#[derive(Debug, Default)]
pub struct Pursuit {
    /// What its goals were worth when it last planned.
    pub wants: Vec<Want>,
    /// Goals for which there was no plan, and the tick at which they are tried again.
    barred: Vec<(Name, u32)>,
    /// How many ticks later that is.
    retry: u32,
    /// By how much another goal has to be worth more; none: it keeps to the one it pursues.
    margin: Option<f64>,
}

impl Pursuit {
    /// That of somebody who has no plan yet.
    pub fn new(player: &Player) -> Self {
        let agent = player.agent.map(|(_, agent)| agent);
        let retry = match agent.map(|agent| &agent.planning) {
            Some(Planning::Goals { search, .. }) => search.retry.max(1),
            _ => 1,
        };
        Self {
            retry,
            margin: agent.and_then(|agent| agent.triggers.goal),
            ..Self::default()
        }
    }

    /// The goals that are not tried now.
    pub fn barred(&self) -> Vec<Name> {
        self.barred.iter().map(|(goal, _)| goal.clone()).collect()
    }

    /// What planning came to: goals worthier than the one that there is a plan for had none.
    pub fn planned(&mut self, outcome: &Outcome, tick: u32) {
        let goal = match outcome {
            Outcome::Plan(plan) => plan.aim.as_ref().and_then(|aim| aim.goal.as_ref()),
            Outcome::NoPlan | Outcome::GaveUp(_) => None,
            Outcome::Stopped | Outcome::NotPlanned(_) => return,
        };
        let worth = |name: &Name| {
            let want = self.wants.iter().find(|want| want.goal == *name);
            want.and_then(|want| want.worth)
        };
        let found = goal.and_then(worth).unwrap_or(f64::NEG_INFINITY);
        let tried = self.wants.iter().filter(|want| want.is_wanted());
        let failed = tried.filter(|want| Some(&want.goal) != goal && want.worth > Some(found));
        let failed: Vec<Name> = failed.map(|want| want.goal.clone()).collect();
        for goal in failed {
            if self.barred.iter().all(|(barred, _)| *barred != goal) {
                self.barred.push((goal, tick.saturating_add(self.retry)));
            }
        }
    }

    /// Whether a goal may be tried again at this tick for which there was no plan.
    pub fn may_try_again(&mut self, tick: u32) -> bool {
        let before = self.barred.len();
        self.barred.retain(|(_, until)| *until > tick);
        self.barred.len() < before
    }

    /// The next tick at which a goal may be tried again.
    pub fn next_tick(&self) -> Option<u32> {
        self.barred.iter().map(|(_, until)| *until).min()
    }

    /// Whether it minds what its goals are worth while it follows a plan.
    pub fn minds(&self) -> bool {
        self.margin.is_some()
    }

    /// Whether another goal is to be pursued than that of a plan, by what they are worth now.
    pub fn turns(&self, plan: &Plan, wants: &[Want]) -> bool {
        let pursued = plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
        let (Some(margin), Some(pursued)) = (self.margin, pursued) else {
            return false;
        };
        let own = wants.iter().find(|want| want.goal == *pursued);
        let Some(worth) = own
            .filter(|want| want.is_wanted())
            .and_then(|want| want.worth)
        else {
            return true;
        };
        let is_barred = |want: &&Want| self.barred.iter().any(|(goal, _)| *goal == want.goal);
        let others = wants
            .iter()
            .filter(|want| want.is_wanted() && !is_barred(want));
        let mut others = others.filter_map(|want| want.worth);
        others.any(|other| other > worth + margin)
    }

    /// Whether a goal that is worth more than that of a plan may be tried again.
    pub fn is_better(&self, plan: &Plan, wants: &[Want]) -> bool {
        let pursued = plan.aim.as_ref().and_then(|aim| aim.goal.as_ref());
        let own = wants.iter().find(|want| Some(&want.goal) == pursued);
        let own = own.and_then(|want| want.worth);
        wants
            .iter()
            .any(|want| want.is_wanted() && want.worth > own)
    }
}

//! The results of the open document's scenarios, kept current in the background.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use taskloom_document::{Name, Scenario};

use super::{Checked, Tested};
use crate::session::{Session, View};
use crate::worker::{Check, JobHandle, RunSummary, is_another};

/// The pause after an edit before scenarios are checked again.
const PAUSE: Duration = Duration::from_millis(700);
/// The pause before the first check.
const SHORT: Duration = Duration::from_millis(50);
/// The number of times that a check waits for live planning, for [`PAUSE`] each.
const PATIENCE: u32 = 4;
/// The number of scenarios that one request checks: their results appear together.
const BATCH: usize = 8;

/// The results of the document's scenarios, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Results {
    /// The latest results.
    pub checked: RwSignal<Checked>,
    /// The scenarios that are being checked or wait for it.
    pub queue: RwSignal<Vec<Name>>,
    /// `true` while scenarios are being checked.
    pub is_checking: Memo<bool>,
    all: Memo<BTreeMap<Name, Tested>>,
    job: StoredValue<Option<JobHandle>, LocalStorage>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// The tick of a scenario to show once its run is there.
    wanted_tick: RwSignal<Option<(Name, u32)>>,
    /// `true` once the table of scenarios has been shown for this document.
    has_table: RwSignal<bool>,
}

impl Results {
    /// Provides the results, which follow the planner's answers and the edits of the document. Once
    /// the table of scenarios has been shown, they include scenarios without expectations.
    pub fn provide(session: Session) {
        let checked = RwSignal::new(Checked::default());
        let queue = RwSignal::new(Vec::<Name>::new());
        let all = Memo::new(move |_| {
            let document = session.document();
            checked.with(|checked| checked.results(&document))
        });
        let results = Self {
            checked,
            queue,
            is_checking: Memo::new(move |_| queue.with(|queue| !queue.is_empty())),
            all,
            job: StoredValue::new_local(None),
            timer: StoredValue::new(None),
            wanted_tick: RwSignal::new(None),
            has_table: RwSignal::new(false),
        };
        Effect::new(move || {
            session.storage.opened.track();
            results.cancel();
            checked.set(Checked::default());
            results.has_table.set(false);
        });
        results.follow_answers(session);
        Effect::new(move || {
            session.storage.opened.track();
            if session.open.view.with(|view| *view == View::Scenarios) {
                results.has_table.set(true);
            }
        });
        results.follow_edits(session);
        provide_context(results);
    }

    /// Checks the scenarios again after edits, and when the table of scenarios is shown first.
    fn follow_edits(self, session: Session) {
        Effect::new(move |before: Option<(u32, bool)>| {
            session.document();
            let now = (session.storage.opened.get(), self.has_table.get());
            let pause = match before {
                Some(before) if before == now => Some(PAUSE),
                _ => now.1.then_some(SHORT),
            };
            if let Some(pause) = pause {
                self.cancel();
                self.check_after(session, pause, PATIENCE);
            }
            now
        });
    }

    /// Returns the results that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Takes the verdicts of the planner's newest answer.
    fn follow_answers(self, session: Session) {
        Effect::new(move || {
            let Some((scenario, mut check)) = own_check(session) else {
                return;
            };
            let document = session.document_untracked();
            self.checked.update(|checked| {
                let known = || checked.fresh(&document, &scenario)?.summary.clone();
                check.summary = check.summary.take().or_else(known);
                checked.insert(document, scenario.clone(), check);
            });
            let wanted = self.wanted_tick.get_untracked();
            if let Some((_, tick)) = wanted.filter(|(wanted, _)| *wanted == scenario) {
                self.wanted_tick.set(None);
                session.show_tick(tick);
            }
        });
    }

    /// Opens a scenario on the Stage, at a tick if one is given.
    pub fn watch(self, session: Session, scenario: Name, tick: Option<u32>) {
        let is_planned = session.plan.scenario.get_untracked().as_ref() == Some(&scenario);
        session.choose_scenario(Some(scenario.clone()));
        session.open.show_view(View::Stage);
        match tick {
            Some(tick) if is_planned => session.show_tick(tick),
            tick => self.wanted_tick.set(tick.map(|tick| (scenario, tick))),
        }
    }

    /// Checks all scenarios.
    pub fn check_all(self, session: Session) {
        let document = session.document_untracked();
        self.cancel();
        self.queue.set(document.scenarios.keys().cloned().collect());
        self.check_next(session);
    }

    /// Stops checking.
    fn cancel(self) {
        self.job.set_value(None);
        let timer = self.timer.try_update_value(Option::take).flatten();
        timer.iter().for_each(TimeoutHandle::clear);
        if self.queue.with_untracked(|queue| !queue.is_empty()) {
            self.queue.set(vec![]);
        }
    }

    /// Checks the scenarios without a current result after a pause, and after live planning.
    fn check_after(self, session: Session, pause: Duration, patience: u32) {
        let due = move || {
            if patience > 0 && untrack(|| session.plan.is_planning()) {
                return self.check_after(session, PAUSE, patience - 1);
            }
            let document = session.document_untracked();
            let has_table = self.has_table.get_untracked();
            let is_due = |(name, scenario): &(&Name, &Arc<Scenario>)| {
                self.checked.with_untracked(|checked| {
                    let check = checked.fresh(&document, name);
                    match has_table {
                        true => check.is_none_or(|check| check.summary.is_none()),
                        false => check.is_none() && !scenario.expect.is_empty(),
                    }
                })
            };
            let due = document.scenarios.iter().filter(is_due);
            self.queue.set(due.map(|(name, _)| name.clone()).collect());
            self.check_next(session);
        };
        self.timer
            .set_value(set_timeout_with_handle(due, pause).ok());
    }

    /// Checks the next scenarios of the queue.
    fn check_next(self, session: Session) {
        let batch = |queue: &Vec<Name>| queue.iter().take(BATCH).cloned().collect::<Vec<_>>();
        let batch = self.queue.with_untracked(batch);
        if batch.is_empty() {
            return;
        }
        let document = session.document_untracked();
        let snapshot = document.clone();
        let done = move |checks| match checks {
            Err(reason) => {
                self.queue.set(vec![]);
                session.complain(format!("Couldn't check the scenarios: {reason}"));
            }
            Ok(checks) => {
                let checks: Vec<(Name, Check)> = checks;
                self.queue.update(|queue| {
                    queue.retain(|name| checks.iter().all(|(checked, _)| checked != name));
                });
                self.checked.update(|checked| {
                    for (scenario, check) in checks {
                        checked.insert(snapshot.clone(), scenario, check);
                    }
                });
                self.check_next(session);
            }
        };
        let client = session.plan.client();
        let job = client.check(&document, batch, false, done);
        self.job.set_value(Some(job));
    }

    /// Returns all scenarios that have expectations. Tracked.
    pub fn all(self) -> BTreeMap<Name, Tested> {
        self.all.get()
    }

    /// Returns the result of a scenario; `None` without expectations. Tracked.
    pub fn of(self, scenario: &Name) -> Option<Tested> {
        self.all.with(|all| all.get(scenario).cloned())
    }
}

/// Returns the result of the planned scenario in the planner's newest answer, which is never that of a log; `None`
/// while that isn't the document's own. Tracked.
fn own_check(session: Session) -> Option<(Name, Check)> {
    let answer = session.plan.planned.get()?;
    // A run with overrides isn't the document's run.
    let is_its_own = answer.experiment.interventions.is_empty();
    if !(answer.ended && is_its_own && session.plan.is_newest(&answer)) {
        return None;
    }
    // The run may be that of another search; the verdicts never are.
    let strategy = session.plan.strategy.get_untracked();
    let is_other = is_another(&session.domain_untracked(), &answer.scenario, strategy);
    let run = answer.run.as_ref().filter(|_| !is_other);
    let check = Check {
        verdicts: answer.verdicts.clone(),
        summary: run.map(RunSummary::of),
        run: None,
    };
    Some((answer.scenario.clone(), check))
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use leptos::prelude::*;

    use super::own_check;
    use crate::session::tests::Tab;
    use crate::testing::world::World;

    #[test]
    fn log_does_not_change_the_results_of_its_scenario() {
        let world = World::new(1);
        let tab = Tab::with_example(&world);
        let own = tab.does(|session, _| untrack(|| own_check(session)));
        assert!(own.is_some());
        tab.shows_log();
        let shown = tab.session.plan.answer.get_untracked().unwrap();
        let logged = tab.does(|session, _| untrack(|| own_check(session)));
        assert_eq!(logged, own);
        assert_ne!(logged.unwrap().1.verdicts, shown.verdicts);
    }
}

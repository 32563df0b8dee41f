//! Scenarios as tests: which of their expectations are met, as far as they were checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Document, Name};
use taskloom::runtime::Verdict;

use crate::session::Session;

/// The result of checking a scenario's expectations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All expectations are met.
    Passed,
    /// Some are not met: the index of each, and the reason.
    Failed(Vec<(usize, String)>),
    /// None failed, but at least one is undecided, for this reason.
    Open(String),
    /// The scenario hasn't been checked since its expectations changed.
    Unchecked,
}

/// The result of a scenario that has expectations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    /// The newest result.
    pub outcome: Outcome,
    /// The number of the scenario's expectations.
    pub count: usize,
    /// `true` if the document has changed since the check.
    pub is_stale: bool,
}

impl Tested {
    /// Describes the result in words.
    pub fn words(&self) -> String {
        let count = self.count;
        let words = match &self.outcome {
            Outcome::Passed => format!("{count} of {count} expectations pass"),
            Outcome::Failed(failures) if failures.len() == 1 => {
                format!("1 of {count} expectations fails")
            }
            Outcome::Failed(failures) => {
                format!("{} of {count} expectations fail", failures.len())
            }
            Outcome::Open(why) => format!("expectations undecided: {why}"),
            Outcome::Unchecked => "expectations not checked yet".to_owned(),
        };
        if self.is_stale {
            format!("{words}, before the last change")
        } else {
            words
        }
    }

    /// Returns the class and the sign of its mark.
    pub fn mark(&self) -> (&'static str, &'static str) {
        match &self.outcome {
            Outcome::Passed => ("ok", "✓"),
            Outcome::Failed(_) => ("no", "✗"),
            Outcome::Open(_) => ("open", "?"),
            Outcome::Unchecked => ("open", "○"),
        }
    }

    /// Returns `true` if an expectation failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// The verdicts on scenarios, each with the document that was checked.
#[derive(Debug, Clone, Default)]
pub struct Checked(BTreeMap<Name, (Arc<Document>, Vec<Verdict>)>);

impl Checked {
    /// Adds the verdicts on a scenario of a document.
    pub fn insert(&mut self, document: Arc<Document>, scenario: Name, verdicts: Vec<Verdict>) {
        self.0.insert(scenario, (document, verdicts));
    }

    /// Returns the scenarios of a document that have expectations, with their results.
    pub fn results(&self, document: &Arc<Document>) -> BTreeMap<Name, Tested> {
        let scenarios = document.scenarios.iter();
        let tested = scenarios.filter(|(_, scenario)| !scenario.expect.is_empty());
        tested
            .map(|(name, scenario)| {
                let count = scenario.expect.len();
                let known = self.0.get(name).filter(|(checked, verdicts)| {
                    let expected = checked.scenarios.get(name).map(|s| &s.expect);
                    expected == Some(&scenario.expect) && verdicts.len() == count
                });
                let is_stale = known.is_some_and(|(checked, _)| {
                    !Arc::ptr_eq(checked, document) && !checked.same_meaning(document, name)
                });
                let outcome = known.map_or(Outcome::Unchecked, |(_, verdicts)| outcome(verdicts));
                let tested = Tested {
                    outcome,
                    count,
                    is_stale,
                };
                (name.clone(), tested)
            })
            .collect()
    }
}

fn outcome(verdicts: &[Verdict]) -> Outcome {
    let failure = |(at, verdict): (usize, &Verdict)| match verdict {
        Verdict::Missed(why) => Some((at, why.clone())),
        Verdict::Met | Verdict::Open(_) => None,
    };
    let failures: Vec<_> = verdicts.iter().enumerate().filter_map(failure).collect();
    let open = verdicts.iter().find_map(|verdict| match verdict {
        Verdict::Open(why) => Some(why.clone()),
        Verdict::Met | Verdict::Missed(_) => None,
    });
    match (failures.is_empty(), open) {
        (false, _) => Outcome::Failed(failures),
        (true, Some(why)) => Outcome::Open(why),
        (true, None) => Outcome::Passed,
    }
}

/// The results of the document's scenarios, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Results {
    checked: RwSignal<Checked>,
    /// `true` while all scenarios are being checked.
    pub is_checking: RwSignal<bool>,
    all: Memo<BTreeMap<Name, Tested>>,
}

impl Results {
    /// Provides the results, which follow the planner's answers.
    pub fn provide(session: Session) {
        let checked = RwSignal::new(Checked::default());
        let all = Memo::new(move |_| {
            let document = session.document();
            checked.with(|checked| checked.results(&document))
        });
        Effect::new(move || {
            session.storage.opened.track();
            checked.set(Checked::default());
        });
        Effect::new(move || {
            let Some(answer) = session.plan.answer.get() else {
                return;
            };
            // A run with overrides isn't the document's run.
            let is_its_own = answer.experiment.interventions.is_empty();
            if answer.ended && is_its_own && session.plan.is_newest(&answer) {
                let document = session.document_untracked();
                let (scenario, verdicts) = (answer.scenario.clone(), answer.verdicts.clone());
                checked.update(|checked| checked.insert(document, scenario, verdicts));
            }
        });
        let results = Self {
            checked,
            is_checking: RwSignal::new(false),
            all,
        };
        provide_context(results);
    }

    /// Returns the results that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Checks all scenarios that have expectations.
    pub fn check_all(self, session: Session) {
        let document = session.document_untracked();
        let scenarios = self.all.get_untracked().into_keys().collect();
        let opened = session.storage.opened.get_untracked();
        self.is_checking.set(true);
        let snapshot = document.clone();
        session
            .plan
            .client()
            .check(&document, scenarios, move |checks| {
                self.is_checking.set(false);
                match checks {
                    Err(reason) => {
                        session.complain(format!("Couldn’t check the scenarios: {reason}"))
                    }
                    // Another document has been opened since.
                    Ok(_) if session.storage.opened.get_untracked() != opened => {}
                    Ok(checks) => self.checked.update(|checked| {
                        for (scenario, verdicts) in checks {
                            checked.insert(snapshot.clone(), scenario, verdicts);
                        }
                    }),
                }
            });
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

/// A predicate on a result.
type Is = fn(&Tested) -> bool;

/// Summarizes how many scenarios pass, fail and so on; empty if none has expectations.
pub fn summary(all: &BTreeMap<Name, Tested>) -> String {
    let kinds: [(&str, Is); 5] = [
        ("failed", |t| !t.is_stale && t.has_failed()),
        ("passed", |t| !t.is_stale && t.outcome == Outcome::Passed),
        ("undecided", |t| {
            !t.is_stale && matches!(t.outcome, Outcome::Open(_))
        }),
        ("changed since the check", |t| t.is_stale),
        ("not checked yet", |t| t.outcome == Outcome::Unchecked),
    ];
    let counts = kinds.iter().filter_map(|(word, is_it)| {
        let count = all.values().filter(|tested| is_it(tested)).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    counts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom::document::{Edit, Record, Scenario};
    use taskloom::domain::Domain;
    use taskloom::planner::plan::Budget;
    use taskloom::runtime::{default_planner, run_test};

    const CASE: &str = "case-1-box-open";

    fn document() -> Arc<Document> {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        Arc::new(Document::from_json(text).unwrap())
    }

    fn changed(document: &Document, change: impl FnOnce(&mut Scenario)) -> Arc<Document> {
        let name: Name = CASE.parse().unwrap();
        let mut scenario = (*document.scenarios[&name]).clone();
        change(&mut scenario);
        let edit = Edit::Replace(name, Record::Scenario(scenario.into()));
        Arc::new(document.apply(&edit).unwrap())
    }

    fn check(checked: &mut Checked, document: &Arc<Document>) {
        let name: Name = CASE.parse().unwrap();
        let mut plan = default_planner(Budget::default());
        let verdicts = run_test(&Domain::from(document.clone()), &name, &mut plan, 100).verdicts;
        checked.insert(document.clone(), name, verdicts);
    }

    fn words(checked: &Checked, document: &Arc<Document>) -> String {
        let results = checked.results(document);
        results[&CASE.parse::<Name>().unwrap()].words()
    }

    #[test]
    fn results_belong_to_the_checked_document() {
        let first = document();
        let mut checked = Checked::default();
        assert_eq!(words(&checked, &first), "expectations not checked yet");
        check(&mut checked, &first);
        let passed = words(&checked, &first);
        assert!(passed.ends_with("expectations pass"), "{passed}");
        let noted = changed(&first, |scenario| scenario.note = "a note".to_owned());
        assert_eq!(words(&checked, &noted), passed, "a note means nothing");
        let other = changed(&first, |scenario| scenario.tasks.clear());
        assert_eq!(
            words(&checked, &other),
            format!("{passed}, before the last change")
        );
        assert_eq!(words(&checked, &first), passed, "undone");
    }

    #[test]
    fn failures_name_the_expectation_and_the_reason() {
        use taskloom::document::Expectation;
        let first = changed(&document(), |scenario| {
            scenario.expect = vec![
                Expectation::PlanExists,
                Expectation::NoPlan,
                Expectation::Finally(String::new()),
            ];
        });
        let mut checked = Checked::default();
        check(&mut checked, &first);
        assert_eq!(words(&checked, &first), "1 of 3 expectations fails");
        let results = checked.results(&first);
        let tested = &results[&CASE.parse::<Name>().unwrap()];
        let Outcome::Failed(failures) = &tested.outcome else {
            panic!("{tested:?}");
        };
        assert_eq!(failures.len(), 1);
        assert_eq!(failures[0].0, 1);
        // Another expectation says nothing about the old ones.
        let fewer = changed(&first, |scenario| drop(scenario.expect.pop()));
        assert_eq!(words(&checked, &fewer), "expectations not checked yet");
        let incomplete = changed(&first, |scenario| drop(scenario.expect.remove(1)));
        check(&mut checked, &incomplete);
        let open = words(&checked, &incomplete);
        assert!(open.starts_with("expectations undecided: "), "{open}");
    }

    #[test]
    fn the_summary_counts_scenarios() {
        let first = document();
        let mut checked = Checked::default();
        assert_eq!(summary(&checked.results(&first)), "6 not checked yet");
        check(&mut checked, &first);
        assert_eq!(
            summary(&checked.results(&first)),
            "1 passed, 5 not checked yet"
        );
        let other = changed(&first, |scenario| scenario.tasks.clear());
        assert_eq!(
            summary(&checked.results(&other)),
            "1 changed since the check, 5 not checked yet"
        );
        assert_eq!(summary(&BTreeMap::new()), "");
    }
}

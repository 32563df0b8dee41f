//! Scenarios as tests: which of their expectations are met, as far as they were checked.

mod live;

use std::collections::BTreeMap;
use std::sync::Arc;

use taskloom_document::sort::map_of;
use taskloom_document::{Document, Name, Scenario};
use taskloom_runtime::Verdict;

use crate::ui::icon::Lucide;
use crate::worker::Check;

pub use live::Results;

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

    /// Returns the class and the icon of its mark.
    pub fn mark(&self) -> (&'static str, Lucide) {
        match &self.outcome {
            Outcome::Passed => ("ok", Lucide::Check),
            Outcome::Failed(_) => ("no", Lucide::X),
            Outcome::Open(_) => ("open", Lucide::CircleQuestionMark),
            Outcome::Unchecked => ("open", Lucide::Circle),
        }
    }

    /// Returns `true` if an expectation failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// The number of results that are kept of each scenario: those of the latest steps, so that undo
/// shows them at once.
const KEPT: usize = 4;

/// A result with the document that was checked.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    document: Arc<Document>,
    check: Check,
}

/// The latest results of scenarios, the newest last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checked(BTreeMap<Name, Vec<Known>>);

impl Checked {
    /// Adds the result of a scenario of a document.
    pub fn insert(&mut self, document: Arc<Document>, scenario: Name, check: Check) {
        let known = self.0.entry(scenario.clone()).or_default();
        known.retain(|known| !is_fresh(&known.document, &document, &scenario));
        known.push(Known { document, check });
        if known.len() > KEPT {
            known.remove(0);
        }
    }

    /// Returns the result of a scenario that is still valid in a document.
    pub fn fresh(&self, document: &Arc<Document>, scenario: &Name) -> Option<&Check> {
        let mut known = self.0.get(scenario)?.iter().rev();
        let known = known.find(|known| is_fresh(&known.document, document, scenario));
        known.map(|known| &known.check)
    }

    /// Returns the newest result about the scenario's current expectations, and `true` if it is
    /// stale.
    pub fn latest(&self, document: &Arc<Document>, scenario: &Name) -> Option<(&Check, bool)> {
        if let Some(check) = self.fresh(document, scenario) {
            return Some((check, false));
        }
        let expected = |document: &Document| {
            let scenario = document.scenarios.get(scenario)?;
            Some(scenario.expect.clone())
        };
        let now = expected(document);
        let mut known = self.0.get(scenario)?.iter().rev();
        let known = known.find(|known| expected(&known.document) == now)?;
        Some((&known.check, true))
    }

    /// Returns the scenarios of a document that have expectations, with their results.
    pub fn results(&self, document: &Arc<Document>) -> BTreeMap<Name, Tested> {
        let scenarios = document.scenarios.iter();
        let tested = scenarios.filter(|(_, scenario)| !scenario.expect.is_empty());
        let result = |(name, scenario): (&Name, &Arc<Scenario>)| {
            let count = scenario.expect.len();
            let latest = self.latest(document, name);
            let latest = latest.filter(|(check, _)| check.verdicts.len() == count);
            let tested = Tested {
                outcome: latest.map_or(Outcome::Unchecked, |(check, _)| outcome(&check.verdicts)),
                count,
                is_stale: latest.is_some_and(|(_, is_stale)| is_stale),
            };
            (name.clone(), tested)
        };
        map_of(tested.map(result))
    }

    /// Compares the result of a scenario in a document with that in an earlier one.
    pub fn change(
        &self,
        before: Option<&Arc<Document>>,
        document: &Arc<Document>,
        scenario: &Name,
    ) -> Change {
        let Some(before) = before else {
            return Change::Unknown;
        };
        if !before.scenarios.contains_key(scenario) {
            return Change::New;
        }
        if is_fresh(before, document, scenario) {
            return Change::Unchanged;
        }
        let both = self
            .fresh(before, scenario)
            .zip(self.fresh(document, scenario));
        both.map_or(Change::Unknown, |(old, new)| Change::between(old, new))
    }
}

/// Returns `true` if a result for one document is valid for the other.
fn is_fresh(checked: &Arc<Document>, document: &Arc<Document>, scenario: &Name) -> bool {
    Arc::ptr_eq(checked, document) || checked.same_meaning(document, scenario)
}

/// The effect of the last edit on a scenario's result.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// There was no edit, or the scenario wasn't checked before or after it.
    Unknown,
    /// The edit added the scenario.
    New,
    /// The result is the same.
    Unchanged,
    /// The scenario passed before.
    Broken,
    /// The scenario failed before.
    Fixed,
    /// A figure of the run differs, or its ending: `14 → 11 ticks`.
    Figure(String),
}

impl Change {
    fn between(old: &Check, new: &Check) -> Self {
        let (was, is) = (outcome(&old.verdicts), outcome(&new.verdicts));
        let is_failure = |outcome: &Outcome| matches!(outcome, Outcome::Failed(_));
        match (is_failure(&was), is_failure(&is)) {
            (false, true) if was == Outcome::Passed => return Self::Broken,
            (true, false) if is == Outcome::Passed => return Self::Fixed,
            _ => {}
        }
        match (&old.summary, &new.summary) {
            (Some(old), Some(new)) if old.ticks != new.ticks => {
                Self::Figure(format!("{} → {} ticks", old.ticks, new.ticks))
            }
            (Some(old), Some(new)) if old.steps != new.steps => {
                Self::Figure(format!("{} → {} steps", old.steps, new.steps))
            }
            (Some(old), Some(new)) if old.cost != new.cost => {
                Self::Figure(format!("cost {} → {}", old.cost, new.cost))
            }
            (Some(old), Some(new)) if old.end != new.end => Self::Figure("Other ending".to_owned()),
            _ if was != is => Self::Figure("Other result".to_owned()),
            _ => Self::Unchanged,
        }
    }

    /// Returns the words for it; empty if nothing is known.
    pub fn words(&self) -> String {
        match self {
            Self::Unknown => String::new(),
            Self::New => "New".to_owned(),
            Self::Unchanged => "No change".to_owned(),
            Self::Broken => "Passed before".to_owned(),
            Self::Fixed => "Now passes".to_owned(),
            Self::Figure(words) => words.clone(),
        }
    }

    /// Returns `true` if the result differs from that before the edit.
    pub fn is_change(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Unchanged)
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
    use crate::worker::RunSummary;
    use taskloom_document::{Edit, Record};
    use taskloom_domain::Domain;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::{default_planner, run_test};

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
        let test = run_test(&Domain::from(document.clone()), &name, &mut plan, 100);
        let check = Check {
            verdicts: test.verdicts,
            summary: test.run.as_ref().map(RunSummary::of),
            run: None,
        };
        checked.insert(document.clone(), name, check);
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
    fn the_last_edit_is_compared_with_the_document_before_it() {
        let first = document();
        let name: Name = CASE.parse().unwrap();
        let mut checked = Checked::default();
        check(&mut checked, &first);
        let change = |checked: &Checked, before: &Arc<Document>, now: &Arc<Document>| {
            checked.change(Some(before), now, &name).words()
        };
        assert_eq!(checked.change(None, &first, &name), Change::Unknown);
        let noted = changed(&first, |scenario| scenario.note = "a note".to_owned());
        assert_eq!(change(&checked, &first, &noted), "No change");
        let broken = changed(&noted, |scenario| {
            scenario.tasks = vec!["walk-to(box)".to_owned()]
        });
        assert_eq!(change(&checked, &noted, &broken), "", "not checked yet");
        check(&mut checked, &broken);
        assert_eq!(change(&checked, &noted, &broken), "Passed before");
        assert_eq!(change(&checked, &broken, &noted), "Now passes");
        assert!(
            checked.fresh(&first, &name).is_some(),
            "undo needs no check"
        );
        let empty = Arc::new(Document::default());
        assert_eq!(change(&checked, &empty, &first), "New");
    }

    #[test]
    fn figures_that_differ_are_named() {
        let run = |ticks, steps, cost| Check {
            summary: Some(RunSummary {
                ticks,
                steps,
                cost,
                ..RunSummary::default()
            }),
            ..Check::default()
        };
        let words = |old: &Check, new: &Check| Change::between(old, new).words();
        let old = run(14, 3, 2.0);
        assert_eq!(words(&old, &run(11, 4, 2.0)), "14 → 11 ticks");
        assert_eq!(words(&old, &run(14, 4, 2.0)), "3 → 4 steps");
        assert_eq!(words(&old, &run(14, 3, 2.5)), "cost 2 → 2.5");
        assert_eq!(words(&old, &old), "No change");
    }

    #[test]
    fn failures_name_the_expectation_and_the_reason() {
        use taskloom_document::Expectation;
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

//! The rows of the table: what is known about each scenario, and their order.

use std::cmp::Ordering;
use std::sync::Arc;

use taskloom_document::sort::CompactSort;
use taskloom_document::{CastMember, Document, Expectation, Name, Scenario};
use taskloom_domain::Domain;
use taskloom_runtime::{RunEnd, Verdict};

use crate::panels::results::{Change, Checked};
use crate::ui::icon::Lucide;
use crate::worker::{Check, RunSummary};

/// The result of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// An expectation fails.
    Fails,
    /// No expectation fails, but one is undecided.
    Undecided,
    /// There is no result yet.
    Unchecked,
    /// The result is on its way.
    Checking,
    /// There is nothing to check.
    Untested,
    /// All expectations are met.
    Passes,
}

impl State {
    /// Returns its words and its class.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Fails => ("Fails", "fails"),
            Self::Undecided => ("Undecided", "open"),
            Self::Unchecked => ("Not checked yet", "open"),
            Self::Checking => ("Being checked", "checking"),
            Self::Untested => ("No expectations", "untested"),
            Self::Passes => ("Passes", "passes"),
        }
    }

    /// Returns its icon.
    pub fn icon(self) -> Lucide {
        match self {
            Self::Fails => Lucide::CircleX,
            Self::Undecided => Lucide::CircleQuestionMark,
            Self::Unchecked => Lucide::Circle,
            Self::Checking => Lucide::CircleDashed,
            Self::Untested => Lucide::CircleMinus,
            Self::Passes => Lucide::CircleCheck,
        }
    }
}

/// An expectation that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its index.
    pub at: usize,
    /// The expectation, in words.
    pub expected: String,
    /// The reason why it fails.
    pub why: String,
    /// `true` if it is about the end of the run.
    pub is_of_run: bool,
}

/// A scenario in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: Name,
    /// Its title, or else its name.
    pub title: String,
    /// The first line of its note.
    pub note: String,
    /// The names of its actors.
    pub actors: Vec<String>,
    /// Its result.
    pub state: State,
    /// The verdicts on its expectations, as classes: `met`, `missed` or `open`.
    pub verdicts: Vec<&'static str>,
    /// The expectations that failed.
    pub failures: Vec<Failure>,
    /// The figures of its run.
    pub summary: Option<RunSummary>,
    /// `true` if its meaning has changed since the check.
    pub is_stale: bool,
    /// The effect of the last edit.
    pub change: Change,
}

impl Row {
    /// Returns how many of its expectations are met: `2 of 3`; empty without expectations.
    pub fn met(&self) -> String {
        match self.verdicts.as_slice() {
            [] => String::new(),
            all => {
                let met = all.iter().filter(|class| **class == "met").count();
                format!("{met} of {}", all.len())
            }
        }
    }
}

/// Returns the rows of a document's scenarios. `before` is the document before the last edit, and
/// `queue` the scenarios being checked.
pub fn rows(
    document: &Arc<Document>,
    domain: &Domain,
    before: Option<&Arc<Document>>,
    checked: &Checked,
    queue: &[Name],
) -> Vec<Row> {
    let row = |(name, scenario): (&Name, &Arc<Scenario>)| {
        let latest = checked.latest(document, name);
        let is_stale = latest.is_some_and(|(_, is_stale)| is_stale);
        let check = latest.map(|(check, _)| check);
        let verdicts = verdicts(scenario, check);
        let state = match () {
            () if queue.contains(name) => State::Checking,
            () if verdicts.is_empty() && check.is_some() => State::Untested,
            () if verdicts.contains(&"missed") => State::Fails,
            () if check.is_none() => State::Unchecked,
            () if verdicts.contains(&"open") => State::Undecided,
            () => State::Passes,
        };
        Row {
            name: name.clone(),
            title: title(name, scenario),
            note: scenario.note.lines().next().unwrap_or_default().to_owned(),
            actors: actors(domain, name),
            state,
            verdicts,
            failures: failures(scenario, check),
            summary: check.and_then(|check| check.summary.clone()),
            is_stale,
            change: checked.change(before, document, name),
        }
    };
    document.scenarios.iter().map(row).collect()
}

/// Returns a scenario's title, or else its name.
pub fn title(name: &Name, scenario: &Scenario) -> String {
    match scenario.title.trim() {
        "" => name.to_string(),
        title => title.to_owned(),
    }
}

/// Returns the names of a scenario's actors, in the order in which they act.
pub fn actors(domain: &Domain, scenario: &Name) -> Vec<String> {
    let name = |member: &CastMember| member.object.as_ref().unwrap_or(&member.agent).to_string();
    let scene = domain.scene_or_empty(scenario);
    scene.record.cast.iter().map(name).collect()
}

fn verdicts(scenario: &Scenario, check: Option<&Check>) -> Vec<&'static str> {
    let class = |at: usize| match check.and_then(|check| check.verdicts.get(at)) {
        Some(Verdict::Met) => "met",
        Some(Verdict::Missed(_)) => "missed",
        Some(Verdict::Open(_)) | None => "open",
    };
    (0..scenario.expect.len()).map(class).collect()
}

fn failures(scenario: &Scenario, check: Option<&Check>) -> Vec<Failure> {
    let verdicts = check.map_or(&[][..], |check| &check.verdicts);
    let all = scenario.expect.iter().zip(verdicts).enumerate();
    all.filter_map(|(at, (expectation, verdict))| match verdict {
        Verdict::Missed(why) => Some(Failure {
            at,
            expected: describe(expectation),
            why: why.clone(),
            is_of_run: matches!(expectation, Expectation::Finally(_) | Expectation::Recovers),
        }),
        Verdict::Met | Verdict::Open(_) => None,
    })
    .collect()
}

/// Describes an expectation.
pub fn describe(expectation: &Expectation) -> String {
    match expectation {
        Expectation::PlanExists => "A plan exists".to_owned(),
        Expectation::NoPlan => "No plan exists".to_owned(),
        Expectation::Plan(steps) => format!("The plan is {}", steps.join(", ")),
        Expectation::Contains(task) => format!("The plan contains {task}"),
        Expectation::CostAtMost(cost) => format!("The plan costs at most {cost}"),
        Expectation::Finally(formula) => format!("At the end: {formula}"),
        Expectation::Recovers => "The run completes".to_owned(),
    }
}

/// Describes the end of a run.
pub fn ending(end: &RunEnd) -> &'static str {
    match end {
        RunEnd::Complete => "complete",
        RunEnd::GoalMissed(_) => "goal missed",
        RunEnd::Failed => "no plan",
        RunEnd::OutOfTicks | RunEnd::OutOfPlans => "cut off",
        RunEnd::Endless => "goes on endlessly",
        RunEnd::Stopped => "stopped",
    }
}

/// A column by which the table can be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The result.
    Result,
    /// The title.
    Scenario,
    /// The number of actors.
    Actors,
    /// The tick at which the run ends.
    Ticks,
    /// The number of steps.
    Steps,
    /// The cost of the steps.
    Cost,
    /// The number of expectations that aren't met.
    Expectations,
    /// The effect of the last edit.
    LastEdit,
}

/// A column, and `true` if the order is descending; `None` for the document's order.
pub type Sort = Option<(Column, bool)>;

/// Returns the order after a click on a column's header: ascending, descending, the document's.
pub fn next_sort(sort: Sort, column: Column) -> Sort {
    match sort {
        Some((current, false)) if current == column => Some((column, true)),
        Some((current, true)) if current == column => None,
        _ => Some((column, false)),
    }
}

/// Sorts rows; equal ones keep their order.
pub fn sort(rows: &mut [Row], sort: Sort) {
    let Some((column, is_descending)) = sort else {
        return;
    };
    rows.compact_sort_by(|a, b| match is_descending {
        false => compare(a, b, column),
        true => compare(b, a, column),
    });
}

fn compare(a: &Row, b: &Row, column: Column) -> Ordering {
    let figures = |row: &Row| row.summary.clone().unwrap_or_default();
    let unmet = |row: &Row| row.verdicts.iter().filter(|class| **class != "met").count();
    match column {
        Column::Result => a.state.cmp(&b.state),
        Column::Scenario => a.title.to_lowercase().cmp(&b.title.to_lowercase()),
        Column::Actors => a.actors.len().cmp(&b.actors.len()),
        Column::Ticks => figures(a).ticks.cmp(&figures(b).ticks),
        Column::Steps => figures(a).steps.cmp(&figures(b).steps),
        Column::Cost => figures(a).cost.total_cmp(&figures(b).cost),
        Column::Expectations => unmet(a).cmp(&unmet(b)),
        Column::LastEdit => {
            let rank = |row: &Row| (!row.change.is_change(), row.change.words());
            rank(a).cmp(&rank(b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Arc<Document> {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        Arc::new(Document::from_json(text).unwrap())
    }

    fn name(number: usize) -> Name {
        let document = document();
        document.scenarios.keys().nth(number).unwrap().clone()
    }

    fn check(ticks: u32, verdicts: Vec<Verdict>) -> Check {
        Check {
            verdicts,
            summary: Some(RunSummary {
                ticks,
                ..RunSummary::default()
            }),
            run: None,
        }
    }

    fn checked(document: &Arc<Document>) -> Checked {
        let mut checked = Checked::default();
        let met = vec![Verdict::Met; 3];
        checked.insert(document.clone(), name(0), check(9, met));
        let missed = vec![Verdict::Met, Verdict::Missed("it is false".to_owned())];
        checked.insert(document.clone(), name(1), check(4, missed));
        let open = vec![Verdict::Open("it gave up".to_owned()); 3];
        checked.insert(document.clone(), name(2), check(20, open));
        checked
    }

    #[test]
    fn rows_show_results_and_reasons() {
        let document = document();
        let rows = rows(
            &document,
            &Domain::from(&*document),
            None,
            &checked(&document),
            &[name(4)],
        );
        let states: Vec<State> = rows.iter().map(|row| row.state).collect();
        assert_eq!(
            states,
            [
                State::Passes,
                State::Fails,
                State::Undecided,
                State::Unchecked,
                State::Checking,
                State::Unchecked
            ]
        );
        assert_eq!(rows[0].title, "The box is open");
        assert_eq!(rows[0].actors, ["robot"]);
        assert_eq!(rows[0].met(), "3 of 3");
        assert_eq!(rows[1].verdicts, ["met", "missed"]);
        let failure = &rows[1].failures[0];
        assert_eq!(failure.expected, "At the end: has(ball)");
        assert_eq!((failure.at, failure.why.as_str()), (1, "it is false"));
        assert!(failure.is_of_run);
    }

    #[test]
    fn headers_sort_by_their_column_and_back() {
        let document = document();
        let mut all = rows(
            &document,
            &Domain::from(&*document),
            None,
            &checked(&document),
            &[],
        );
        let order = |rows: &[Row]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
        let unsorted = order(&all);
        let up = next_sort(None, Column::Ticks);
        let down = next_sort(up, Column::Ticks);
        assert_eq!(next_sort(down, Column::Ticks), None);
        assert_eq!(next_sort(down, Column::Cost), Some((Column::Cost, false)));
        sort(&mut all, down);
        assert_eq!(order(&all)[..3], [name(2), name(0), name(1)]);
        sort(&mut all, Some((Column::Result, false)));
        assert_eq!(order(&all)[0], name(1), "failures first");
        let mut all = rows(
            &document,
            &Domain::from(&*document),
            None,
            &checked(&document),
            &[],
        );
        sort(&mut all, None);
        assert_eq!(order(&all), unsorted);
    }
}

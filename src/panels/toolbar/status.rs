//! The planner's status.

use std::collections::BTreeMap;

use leptos::prelude::*;
use taskloom_document::{Kind, Name};
use taskloom_planner::plan::{Outcome, Strategy};
use taskloom_runtime::RunEnd;

use crate::page::FileState;
use crate::panels::results::{Outcome as TestOutcome, Results, Tested};
use crate::session::{LinkTarget, Session, Tab};
use crate::ui::count::grouped;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::worker::{Answer, Phase, Planning};

/// Shows the planner's answer in a few words, and a button that stops a long search.
#[component]
pub fn PlanStatus() -> impl IntoView {
    let session = Session::expect();
    let files = FileState::expect();
    let results = Results::expect();
    // A request that is answered at once leaves the old answer as it is, until the new one is there.
    let planning = Memo::new(move |_| match session.plan.planning.get() {
        Planning::Sent => Planning::Idle,
        planning => planning,
    });
    let tested = Memo::new(move |_| {
        let scenario = session.plan.planned.get()?.scenario.clone();
        let tested = results.of(&scenario)?;
        Some(match tested.outcome {
            TestOutcome::Passed => Verdict::Passed,
            _ if tested.has_failed() => Verdict::Failed,
            _ => Verdict::Open,
        })
    });
    view! {
        {move || files.reading.get().map(|file| view! { <Reading file/> })}
        <span class="plan-status" role="status" aria-live="off" aria-label="Plan">
            {move || {
                let is_broken = session.plan.planning.with(|planning| matches!(planning, Planning::Broken(_)));
                let note = session.plan.note.get().filter(|_| !is_broken);
                note.map(|note| view! { <span class="pill warn" title=note>"restarted"</span> })
            }}
            {move || match planning.get() {
                Planning::Starting => {
                    view! { <span class="pill">"starting…"</span> }.into_any()
                }
                Planning::Busy(phase, seconds) => {
                    let (text, title) = progress(session, phase, seconds);
                    view! {
                        <span class="pill run" title=title>{text}</span>
                        <button on:click=move |_| session.plan.client().stop()>"Stop"</button>
                    }
                        .into_any()
                }
                Planning::Broken(reason) => {
                    // The first sentence says what happened, the rest what to do.
                    let what = reason.split_inclusive('.').next().unwrap_or_default().to_owned();
                    view! { <span class="pill no" title=reason>{what}</span> {search_again(session)} }.into_any()
                }
                Planning::Stopped => view! {
                    <span class="pill warn" title=STOPPED>"stopped: plan is outdated"</span>
                    {search_again(session)}
                }
                    .into_any(),
                Planning::Sent | Planning::Idle => {
                    match session.plan.planned.get() {
                        Some(answer) => answer_view(session, tested.get(), &answer),
                        None if session.plan.scenario.with(Option::is_some) => {
                            view! { <span class="pill run">"planning…"</span> }.into_any()
                        }
                        None => view! { <span class="pill">"nothing to plan"</span> }.into_any(),
                    }
                }
            }}
        </span>
        <TestStatus/>
    }
}

/// The result of the planned scenario's expectations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Open,
}

/// The answer in a few words, which lead to its reasons.
fn answer_view(session: Session, tested: Option<Verdict>, answer: &Answer) -> AnyView {
    let scenario = || LinkTarget::record(Kind::Scenario, &answer.scenario);
    let (class, text, title, target) = if lacks_task(session, answer) {
        (
            "pill warn",
            "nothing to plan".to_owned(),
            NOTHING.to_owned(),
            scenario(),
        )
    } else {
        let (class, text, title) = describe(answer);
        let target = match &answer.outcome {
            Outcome::GaveUp(_) => LinkTarget::Tab(Tab::Search),
            Outcome::NotPlanned(_) => scenario(),
            _ => LinkTarget::Tab(Tab::Plan),
        };
        (class, text, title, target)
    };
    let who = whose(session, answer, &text);
    if answer.outcome == Outcome::Stopped {
        return view! {
            <span class=class title=title>{parts(who, text)}</span>
            {search_again(session)}
        }
        .into_any();
    }
    // A plan isn't shown as a success if the scenario's expectations fail with it, or its run.
    let has_passed = tested == Some(Verdict::Passed);
    let unfinished = unfinished(answer).filter(|_| class == "pill ok" && !has_passed);
    let class = match tested == Some(Verdict::Failed) {
        true if class == "pill ok" => "pill",
        _ if unfinished.is_some() => "pill warn",
        _ => class,
    };
    let (text, title) = match unfinished {
        Some(end) => (format!("{text}, {end}"), format!("The {end}. {title}")),
        None => (text, title),
    };
    let show = move |_| session.visit(target.clone());
    view! {
        <button class=class title=title on:click=show>
            {parts(who, text)}
        </button>
    }
    .into_any()
}

/// Returns how the run of a plan ends, if it neither completes nor goes on endlessly.
fn unfinished(answer: &Answer) -> Option<&'static str> {
    match answer.run.as_ref()?.end {
        RunEnd::GoalMissed(_) => Some("goal is missed"),
        RunEnd::Failed => Some("run fails"),
        RunEnd::OutOfTicks => Some("run is cut off"),
        RunEnd::OutOfPlans => Some("no progress"),
        RunEnd::Complete | RunEnd::Endless | RunEnd::Stopped => None,
    }
}

/// The text of the status: where there is no room for all of it, it loses the name first, as a
/// whole, then the end is cut, and never the number of steps.
fn parts(who: String, text: String) -> impl IntoView {
    let (main, rest) = text.split_at(text.find(", ").unwrap_or(text.len()));
    view! {
        <span class="whose">
            <span>{who}</span>
            <span>
                <span>{main.to_owned()}</span>
                <span class="cut">{rest.to_owned()}</span>
            </span>
        </span>
    }
}

const STOPPED: &str = "Planning was stopped. The plan shown is from before your last change.";

fn search_again(session: Session) -> impl IntoView {
    view! { <button on:click=move |_| session.plan.plan_again()>"Search again"</button> }
}

/// The tooltip of the status for a scenario without tasks and goals.
const NOTHING: &str = "The scenario has no task and no goal";

/// Returns `true` if nobody in the scenario has a task or a goal. Tracked.
fn lacks_task(session: Session, answer: &Answer) -> bool {
    let found_nothing = matches!(&answer.outcome, Outcome::Plan(plan) if plan.steps.is_empty());
    found_nothing
        && session.open.diagnostics.with(|all| {
            all.iter().any(|found| {
                let record = &found.place.record;
                found.code == "nothing-to-plan"
                    && record.kind == Kind::Scenario
                    && record.name == answer.scenario
            })
        })
}

/// Returns the name of the character whose plan it is, as the beginning of the text; empty if there
/// is only one. Tracked.
fn whose(session: Session, answer: &Answer, text: &str) -> String {
    let name = session
        .desk
        .characters
        .with(|names| names.get(answer.character).cloned());
    match name {
        Some(name) if answer.invalid.is_none() && text.starts_with("plan:") => {
            format!("{name}’s ")
        }
        Some(name) if answer.invalid.is_none() => format!("{name}: "),
        _ => String::new(),
    }
}

/// Shows the results of the planned scenario's expectations, and failures of other scenarios. A
/// click shows the first failure.
#[component]
fn TestStatus() -> impl IntoView {
    let session = Session::expect();
    let results = Results::expect();
    let status = Memo::new(move |_| {
        let scenario = session.plan.scenario.get()?;
        test_status(&scenario, &results.all())
    });
    live(move || {
        let status = status.get()?;
        let title = status.words.clone();
        let name = format!("{}: {}", status.text, status.words);
        let target = LinkTarget::Expectation(status.scenario.clone(), status.at);
        let show = move |_| session.visit(target.clone());
        Some(view! {
            <button
                class=format!("pill tests {}", status.class)
                class:stale=status.is_stale
                aria-label=name
                title=title
                on:click=show
            >
                <Icon name=status.icon size=14/>
                <span>{status.text}</span>
            </button>
        })
    })
}

/// The summary of all results that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Status {
    class: &'static str,
    icon: Lucide,
    text: String,
    words: String,
    is_stale: bool,
    /// The scenario that a click shows; `at` is the index of the expectation.
    scenario: Name,
    at: usize,
}

/// Returns the status of the planned scenario or, if it doesn't fail, of others that do.
fn test_status(planned: &Name, all: &BTreeMap<Name, Tested>) -> Option<Status> {
    let failed = |(name, _): &(&Name, &Tested)| *name != planned;
    let others = all.iter().filter(failed).filter(|(_, t)| t.has_failed());
    let others: Vec<&Name> = others.map(|(name, _)| name).collect();
    let own = all.get(planned);
    let mut words: Vec<String> = own.map(Tested::words).into_iter().collect();
    match others.len() {
        0 => {}
        1 => words.push(format!("scenario {} fails", others[0])),
        count => words.push(format!("{count} other scenarios fail")),
    }
    let words = words.join("; ");
    let shown = own.filter(|own| own.has_failed() || others.is_empty());
    let (name, tested) = match shown {
        Some(own) => (planned, own),
        None => (*others.first()?, all.get(*others.first()?)?),
    };
    let (class, icon) = tested.mark();
    let (at, text) = match &tested.outcome {
        TestOutcome::Failed(failures) => {
            let at = failures.first().map_or(0, |(at, _)| *at);
            let text = match (shown.is_some(), others.len()) {
                (true, _) => format!("{} of {} fail", failures.len(), tested.count),
                (false, 1) => "1 scenario fails".to_owned(),
                (false, count) => format!("{count} scenarios fail"),
            };
            (at, text)
        }
        TestOutcome::Passed => (0, format!("{0} of {0}", tested.count)),
        TestOutcome::Open(_) | TestOutcome::Unchecked => (0, format!("{} open", tested.count)),
    };
    Some(Status {
        class,
        icon,
        text,
        words,
        is_stale: tested.is_stale,
        scenario: name.clone(),
        at,
    })
}

/// Shows the file being read, the seconds elapsed, and a button that cancels it.
#[component]
fn Reading(file: String) -> impl IntoView {
    let files = FileState::expect();
    let seconds = RwSignal::new(0_u32);
    let ticking = gloo::timers::callback::Interval::new(1_000, move || seconds.update(|s| *s += 1));
    let ticking = StoredValue::new_local(Some(ticking));
    on_cleanup(move || ticking.set_value(None));
    view! {
        <span class="plan-status" role="status" aria-label="Opening">
            <span class="pill run">
                {move || match seconds.get() {
                    0 => format!("Reading {file}…"),
                    seconds => format!("Reading {file}… {seconds} s"),
                }}
            </span>
            <button on:click=move |_| files.stop_reading()>"Stop"</button>
        </span>
    }
}

/// Returns the phase of planning and the cost of the best plan so far, as text and tooltip.
fn progress(session: Session, phase: Phase, seconds: u32) -> (String, String) {
    let (at, means) = match phase {
        Phase::Reading => ("reading the document".to_owned(), SETTING_UP),
        Phase::Compiling => ("compiling".to_owned(), SETTING_UP),
        Phase::Preparing => ("preparing the search".to_owned(), SETTING_UP),
        Phase::Searching(nodes) => (format!("{} decisions", grouped(nodes)), "Searching"),
        Phase::Validating => ("validating the plan".to_owned(), "Found a plan"),
        Phase::Simulating => ("simulating the plan".to_owned(), "Found a plan"),
    };
    // A plan found by an earlier search doesn't count.
    let old = session.plan.is_old();
    let best = session.plan.planned.with(|answer| match answer.as_deref() {
        Some(Answer {
            ended: false,
            outcome: Outcome::Plan(plan),
            ..
        }) if !old => format!("best so far {}, ", plan.cost),
        _ => String::new(),
    });
    let time = match seconds {
        0 => String::new(),
        seconds => format!(", {seconds} s"),
    };
    let text = format!("planning… {best}{at}{time}");
    let title = format!("{text}. {means}.");
    (text, title)
}

const SETTING_UP: &str = "Preparing. Large documents take longer";

fn describe(answer: &Answer) -> (&'static str, String, String) {
    let millis = format!("{:.2}", answer.search.micros as f64 / 1000.0);
    let used = format!(
        "{} decisions, {} backtracks, {millis} ms",
        grouped(answer.search.statistics.nodes),
        grouped(answer.search.statistics.backtracks)
    );
    if let Some(reason) = &answer.invalid {
        return (
            "pill no",
            "invalid plan (Taskloom bug)".to_owned(),
            format!("This is a bug in Taskloom: validation rejected the plan. {reason}"),
        );
    }
    match &answer.outcome {
        Outcome::Plan(plan) => {
            let steps = match plan.steps.len() {
                1 => "1 step".to_owned(),
                n => format!("{n} steps"),
            };
            let proof = match answer.strategy {
                Strategy::Cheapest if answer.search.proved => ", optimal",
                Strategy::Cheapest => ", not proven optimal",
                Strategy::First | Strategy::Fastest => "",
            };
            let cost = plan.cost;
            if plan.is_partial() {
                let text = format!("partial plan: {steps}, cost {cost}");
                return ("pill warn", text, used);
            }
            let text = format!("plan: {steps}, cost {cost}{proof}");
            ("pill ok", text, used)
        }
        Outcome::NoPlan => ("pill no", "no plan".to_owned(), used),
        Outcome::GaveUp(limit) => {
            let limit = crate::panels::run::limit(*limit);
            ("pill warn", format!("gave up: {limit}"), used)
        }
        Outcome::Stopped => ("pill warn", "stopped".to_owned(), used),
        Outcome::NotPlanned(why) => ("pill warn", "not planned".to_owned(), why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `one: passed 2, two: failed 1 of 3, three: unchecked 1`
    fn results(text: &str) -> BTreeMap<Name, Tested> {
        let tested = |part: &str| {
            let (name, result) = part.trim().split_once(": ").unwrap();
            let words: Vec<&str> = result.split(' ').collect();
            let (outcome, count) = match words[0] {
                "passed" => (TestOutcome::Passed, words[1]),
                "failed" => {
                    let failed: usize = words[1].parse().unwrap();
                    let failures = (0..failed).map(|at| (at, "because".to_owned()));
                    (TestOutcome::Failed(failures.collect()), words[3])
                }
                _ => (TestOutcome::Unchecked, words[1]),
            };
            let tested = Tested {
                outcome,
                count: count.parse().unwrap(),
                is_stale: false,
            };
            (name.parse().unwrap(), tested)
        };
        text.split(", ").map(tested).collect()
    }

    fn check(text: &str, expected: Option<(&str, &str, &str)>) {
        let all = results(text);
        let status = test_status(&"one".parse().unwrap(), &all);
        let described = status.map(|s| (s.text, s.words, s.scenario.to_string()));
        let expected = expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(described, expected);
    }

    #[test]
    fn status_covers_the_planned_scenario_and_failures_of_others() {
        check(
            "one: passed 2, two: unchecked 1",
            Some(("2 of 2", "2 of 2 expectations pass", "one")),
        );
        check(
            "one: failed 1 of 3, two: failed 1 of 1",
            Some((
                "1 of 3 fail",
                "1 of 3 expectations fails; scenario two fails",
                "one",
            )),
        );
        check(
            "one: passed 2, two: failed 1 of 1",
            Some((
                "1 scenario fails",
                "2 of 2 expectations pass; scenario two fails",
                "two",
            )),
        );
        check("two: passed 1", None);
        check(
            "two: failed 1 of 1, three: failed 2 of 2",
            Some(("2 scenarios fail", "2 other scenarios fail", "three")),
        );
    }
}

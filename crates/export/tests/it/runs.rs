//! Execution of plans: an exported agent does the same as the simulator at each tick, until its
//! second plan, in many random domains. After a failure the simulator replans only the open tasks,
//! and C# all of its tasks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use taskloom_document::{Document, Policy};
use taskloom_domain::Domain;
use taskloom_export::{Target, export};
use taskloom_planner::plan::{Atom, Budget, Outcome, Value, initial_state, policy};
use taskloom_runtime::{Run, RunEnd, TaskState, simulate};

use super::host::{answers, class, remember, scenario, wanted};
use super::rich;
use testkit::counts::{is_sample, on_all_cores, seeds_of_each_run};

/// No run takes longer.
const TICKS: u32 = 60;

struct Case {
    title: String,
    document: Document,
    run: Run,
}

/// The number of runs with each feature.
#[derive(Debug, Default)]
struct Seen {
    runs: usize,
    plans: usize,
    steps: usize,
    failed: usize,
    /// Steps that waited for a completion condition until it became true.
    waited: usize,
    /// Steps that are still waiting.
    wait: usize,
    replans: usize,
    events: usize,
    goals: usize,
    cheapest: usize,
    without_plan: usize,
}

impl Seen {
    fn see(&mut self, case: &Case) {
        let run = &case.run;
        self.runs += 1;
        self.plans += run.plans.iter().filter(|p| p.plan().is_some()).count();
        self.replans += run.plans.len() - 1;
        self.steps += run.executed.len();
        let failed = |state| run.executed.iter().filter(|e| e.state == state).count();
        self.failed += failed(TaskState::Failed);
        let late = run.executed.iter().filter(|e| e.acted < e.end);
        self.waited += late.filter(|e| e.acted.is_some()).count();
        self.wait += run.executed.iter().filter(|e| e.end.is_none()).count();
        self.events += run.events.len();
        let goal = &case.document.scenarios[&scenario()].goal;
        self.goals += usize::from(!goal.is_empty());
        self.cheapest +=
            usize::from(policy(&Domain::from(&case.document), &scenario(), 0) == Policy::Cheapest);
        self.without_plan += usize::from(run.plans[0].plan().is_none());
    }

    fn assert_enough(&self) {
        assert!(self.runs >= 100 && self.steps >= 500, "hardly any runs");
        let rare = [
            self.cheapest,
            self.goals,
            self.failed,
            self.replans,
            self.events,
        ];
        assert!(
            rare.iter().all(|count| *count >= 20),
            "hardly any of something"
        );
        assert!(self.waited >= 2 && self.wait >= 2, "hardly any steps wait");
    }
}

impl Case {
    /// Returns the same case, run with another limit of decisions.
    fn with_budget(&self, nodes: u64) -> Self {
        let budget = Budget {
            nodes,
            ..Budget::default()
        };
        Self {
            title: self.title.clone(),
            document: self.document.clone(),
            run: simulate(&Domain::from(&self.document), &scenario(), budget, TICKS),
        }
    }
}

fn case(number: u64) -> Option<Case> {
    let title = format!("Run{number}");
    // The simulator searches for the cheapest plan without a limit, which may not end if recursion
    // costs nothing.
    let cheapest = number.is_multiple_of(3);
    let document = rich::document(&title, &rich::domain(number, !cheapest), cheapest);
    let budget = Budget {
        nodes: 600,
        ..Budget::default()
    };
    let run = simulate(&Domain::from(&document), &scenario(), budget, TICKS);
    let ended = |outcome: &Result<Outcome, String>| {
        matches!(outcome, Ok(Outcome::Plan(_) | Outcome::NoPlan))
    };
    let ended = run.plans.iter().all(|planning| ended(&planning.outcome));
    ended.then_some(Case {
        title,
        document,
        run,
    })
}

/// Returns the simulator's steps, in the host's format. If there is no plan, the agent leaves the
/// waiting to the game.
fn as_printed(case: &Case) -> String {
    let run = &case.run;
    let mut lines = vec![];
    let mut last = run.ticks;
    let mut end = match run.end {
        RunEnd::Complete | RunEnd::GoalMissed(_) => "complete",
        RunEnd::OutOfTicks => "busy",
        RunEnd::Failed | RunEnd::OutOfPlans | RunEnd::Endless | RunEnd::Stopped => "failed",
    };
    for (number, planning) in run.plans.iter().enumerate() {
        let Some(plan) = planning.plan() else {
            (last, end) = (planning.tick, "failed");
            break;
        };
        let steps: Vec<String> = plan.steps.iter().map(|s| s.task.to_string()).collect();
        lines.push(format!("plan {} {}", planning.tick, steps.join(", ")));
        lines.push(format!("cost {}", plan.cost));
        for done in run.executed.iter().filter(|done| done.plan == number) {
            let state = match done.state {
                TaskState::Planned => "planned",
                TaskState::InProgress => continue,
                TaskState::Complete => "complete",
                TaskState::Failed => "failed",
                TaskState::Stopped => "stopped",
            };
            let (start, end) = (done.start, done.end.unwrap_or_default());
            lines.push(format!("{state} {} {start} {end}", steps[done.step]));
        }
    }
    let mut world: BTreeMap<Atom, Value> =
        initial_state(&Domain::from(&case.document), &scenario())
            .into_iter()
            .collect();
    for tick in 0..=last {
        let events = run.events.iter().filter(|event| event.tick == tick);
        let events = events.flat_map(|event| &event.changes);
        let steps = run.executed.iter().filter(|done| done.acted == Some(tick));
        for change in events.chain(steps.flat_map(|done| &done.changes)) {
            world.insert(change.atom.clone(), change.after.clone());
        }
    }
    let mut facts: Vec<String> = world
        .iter()
        .filter_map(|(atom, value)| match value {
            Value::Bool(false) | Value::Object(None) | Value::Number(0.0) => None,
            Value::Bool(true) => Some(format!("{atom}: 1")),
            other => Some(format!("{atom}: {other}")),
        })
        .collect();
    facts.sort();
    lines.extend(facts);
    lines.push(format!("end {end}"));
    lines.join("\n")
}

/// Returns the part of a run's output before its second plan.
fn until_second_plan(printed: &str) -> String {
    let mut plans = 0;
    let lines = printed.lines().take_while(|line| {
        plans += usize::from(line.starts_with("plan "));
        plans < 2
    });
    lines.collect::<Vec<_>>().join("\n")
}

const HOST: &str = r#"using System;
using System.Collections.Generic;
using System.Globalization;
using Taskloom;

static class Host
{
    public static ActionStatus Takes(int ticks, int tick)
    {
        if (tick > ticks) throw new InvalidOperationException("The action was over.");
        return tick < ticks ? ActionStatus.Running : ActionStatus.Complete;
    }

    public static void Run(Agent agent, int ticks, Action<int> happen, params Task[] tasks)
    {
        var started = new Dictionary<PlanTask, int>();
        agent.Planned += plan =>
        {
            Console.WriteLine("plan " + agent.Time + " " + string.Join(", ", plan.Steps.ConvertAll(step => step.Task.ToString())));
            Console.WriteLine("cost " + plan.Cost.ToString("R", CultureInfo.InvariantCulture));
        };
        agent.StepChanged += step =>
        {
            if (step.State == TaskState.InProgress) started[step] = agent.Time;
            else
            {
                int start;
                start = started.TryGetValue(step, out start) ? start : agent.Time;
                Console.WriteLine(step.State.ToString().ToLowerInvariant() + " " + step.Task + " " + start + " " + agent.Time);
            }
        };
        agent.Pursue(tasks);
        while (agent.State == AgentState.Busy && agent.Time <= ticks)
        {
            happen(agent.Time);
            agent.Tick();
        }
        var lines = new List<string>();
        foreach (var pair in agent.Memory)
        {
            lines.Add(pair.Key + ": " + (pair.Value.Thing == null ? pair.Value.Number.ToString("R", CultureInfo.InvariantCulture) : pair.Value.Thing.Name));
        }
        lines.Sort(string.CompareOrdinal);
        foreach (var line in lines) Console.WriteLine(line);
        Console.WriteLine("end " + agent.State.ToString().ToLowerInvariant());
        Console.WriteLine();
    }
"#;

/// Returns a program that runs an agent through every case.
fn host(cases: &[Case]) -> String {
    let mut text = HOST.to_owned();
    let mut main = String::new();
    for case in cases {
        let space = &case.title;
        text += &class(space, &case.document, |duration| {
            let duration = if duration.is_empty() { "0" } else { duration };
            format!("return Takes({duration}, tick);")
        });
        text += "        void Happen(int time)\n        {\n";
        for event in &case.run.events {
            for change in &event.changes {
                let change = remember(space, (&change.atom, &change.after));
                let _ = writeln!(text, "            if (time == {}) {change}", event.tick);
            }
        }
        text += "        }\n        public void Go()\n        {\n";
        for (atom, value) in initial_state(&Domain::from(&case.document), &scenario()) {
            let _ = writeln!(text, "            {}", remember(space, (&atom, &value)));
        }
        let (tasks, goal) = wanted(space, &case.document);
        if let Some(goal) = goal {
            let _ = writeln!(text, "            Goal = {goal};");
        }
        let _ = writeln!(
            text,
            "            Run(this, {TICKS}, Happen, {tasks});\n        }}\n    }}"
        );
        let _ = writeln!(main, "        new {space}Self().Go();");
    }
    let _ = writeln!(text, "    static void Main()\n    {{\n{main}    }}\n}}");
    text
}

/// Returns `true` if the first plan is a cheapest one: an actor's search for it ends after a limited amount of work, an
/// exported agent's doesn't.
fn may_end_early(case: &Case) -> bool {
    policy(&Domain::from(&case.document), &scenario(), 0) == Policy::Cheapest
}

/// Returns the cost of the first plan of a printed run.
fn cost(printed: &str) -> Option<f64> {
    let mut lines = printed.lines();
    lines.find_map(|line| line.strip_prefix("cost ")?.parse().ok())
}

/// Returns what an exported agent printed, and what is expected of it, as far as both have to be the same.
fn compared(printed: &str, case: &Case) -> (String, String) {
    let expected = as_printed(case);
    if case.run.plans.len() < 2 {
        return (printed.to_owned(), expected);
    }
    let (answer, expected) = (until_second_plan(printed), until_second_plan(&expected));
    // After a failure, an agent may have no plan where an actor has one for its open tasks.
    let lines: Vec<&str> = answer.lines().take(expected.lines().count()).collect();
    (lines.join("\n"), expected)
}

#[test]
fn csharp_runs_match_for_random_domains() {
    let mut cases = vec![];
    let mut seen = Seen::default();
    for case in on_all_cores(seeds_of_each_run(1_500), case)
        .into_iter()
        .flatten()
    {
        // Most random domains have no plan: some of those are enough.
        let wanted = case.run.plans[0].plan().is_some() || seen.without_plan < 40;
        if wanted && export(&case.document, None, Target::CSharp).is_ok() {
            seen.see(&case);
            cases.push(case);
        }
    }
    println!("{seen:?}");
    if !is_sample() {
        seen.assert_enough();
    }
    let documents: Vec<&Document> = cases.iter().map(|case| &case.document).collect();
    let test = "csharp_runs_match_for_random_domains";
    let Some(answers) = answers(test, &host(&cases), &documents, |_, text| text) else {
        return;
    };
    let mut ended_early = 0;
    for (at, case) in cases.iter().enumerate() {
        let printed = answers.get(at).map_or("", String::as_str);
        let (answer, expected) = compared(printed, case);
        if answer == expected {
            continue;
        }
        // The budget of these actors may have ended before the cheapest plan was found.
        let case = case.with_budget(1_000_000);
        let (answer, expected) = compared(printed, &case);
        if let (Some(found), Some(known)) = (cost(&answer), cost(&expected))
            && answer != expected
            && found <= known
            && may_end_early(&case)
        {
            ended_early += 1;
            continue;
        }
        assert_eq!(
            answer,
            expected,
            "{}\n{}",
            case.title,
            case.document.to_json()
        );
    }
    assert!(
        is_sample() || ended_early * 50 <= cases.len(),
        "{ended_early} searches ended early"
    );
}

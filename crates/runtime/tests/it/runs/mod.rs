//! The simulator agrees with a plain interpreter, tick for tick, on random domains.

use std::sync::Arc;

use crate::actors;
use taskloom_document::{Document, Name};
use taskloom_domain::Domain as Typed;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, GroundTask, NodeKind, Outcome, World, plan_by};
use taskloom_runtime::{MAX_PLANS, Moment, Run, default_planner, run_test, simulate, world_at};
use testkit::counts::{cases, on_all_cores};
use testkit::domain;
use testkit::random::Random;

mod aborts;
mod background;
mod better;
mod chance;
mod claims;
mod cooldowns;
mod counts;
mod deliberate;
mod depends;
mod elaborated;
mod execution;
mod failures;
mod goal_selection;
mod goals;
mod interpreter;
mod knowledge;
mod model;
mod open;
mod options;
mod parallel;
mod queries;
mod random;
mod reactive;
mod record;
mod repeating_while;
mod reported;
mod state;
mod tree;
mod uninterruptible;
mod written;

use counts::Counts;
use record::{Asked, Planned};
use reported::{aborted, beliefs, cause, changed, end, goal_values, steps};
use written::{planned, scenario, written};

const LAST_TICK: u32 = 40;

/// A task with the object that it is about.
fn ground((task, arg): model::Call, asked: &Asked) -> GroundTask {
    let object = asked.believed.object(arg, model::Env::default());
    let call = written::call((task, model::Arg::Object(object.expect("an object"))));
    let (task, object) = call.split_once('(').expect("an argument");
    GroundTask {
        task: Name::new(task).expect("a name"),
        args: vec![Name::new(object.trim_end_matches(')')).expect("a name")],
    }
}

/// Returns tasks or goals by their names.
fn named(cooling: &[(usize, u32)], name: fn(usize) -> Name) -> Vec<(Name, u32)> {
    let cooling = cooling.iter();
    cooling.map(|(one, ticks)| (name(*one), *ticks)).collect()
}

/// Checks that no plan contains a task that is cooling down.
fn check_cooldowns(asked: &Asked, outcome: &Outcome) {
    let Outcome::Plan(plan) = outcome else { return };
    for (node, planned) in plan.nodes.iter().enumerate() {
        let (task, _) = tree::task(plan, node);
        let is_planned = planned.kind != NodeKind::Pending;
        assert!(!(is_planned && asked.cools_down(task)), "{plan:?}");
    }
}

/// Plannings, one per line, so that differences are easy to see.
fn short(plans: &[Planned]) -> String {
    let line = |planned: &Planned| {
        let found = match &planned.outcome {
            Outcome::Plan(plan) => {
                let steps = plan.steps.iter().map(|step| step.task.to_string());
                steps.collect::<Vec<_>>().join(", ")
            }
            other => format!("{other:?}"),
        };
        let Planned {
            tick,
            character,
            cause,
            ..
        } = planned;
        let aborts = planned.aborts.iter().map(|(task, cleanup, is_dropped)| {
            let how = if *is_dropped { "dropping" } else { "by" };
            let ground = |(task, object): &(usize, usize)| {
                written::call((*task, model::Arg::Object(*object)))
            };
            format!("; aborts {} {how} {}", ground(task), ground(cleanup))
        });
        let aborts: String = aborts.collect();
        format!("{tick} {character} {cause:?}: {found}{aborts}")
    };
    plans.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a random document, with a scenario `s`.
pub fn random_document(seed: u64) -> Document {
    let domain = random::domain(seed);
    domain::document(&(written(&domain) + &scenario(&domain)))
}

/// Compares a simulated run of a domain with that of the interpreter. Returns the document and the run.
fn compare(seed: u64, domain: &model::Domain, counts: &mut Counts) -> (Document, Run) {
    let name = Name::new("s").expect("a name");
    let document_of =
        |scenario: String| -> Document { domain::document(&(written(domain) + &scenario)) };
    let text = written(domain) + &scenario(domain);
    let document = domain::document(&text);
    let run = simulate(&Typed::from(&document), &name, Budget::default(), LAST_TICK);
    if seed.is_multiple_of(4) {
        // A known plan for the initial situation makes no difference.
        let mut default_planner = default_planner(Budget::default());
        let tried = run_test(
            &Typed::from(&document),
            &name,
            &mut default_planner,
            LAST_TICK,
        )
        .run;
        assert_eq!(tried.as_ref(), Some(&run), "seed {seed}\n{text}");
        // So do the same actors in a game, half of the time one that is saved and loaded now and then.
        let context = format!("seed {seed}\n{text}");
        let mut random = Random(seed + 1);
        let reloads = || seed.is_multiple_of(8) && random.below(3) == 0;
        actors::check(&Typed::from(&document), &name, &run, reloads, &context);
    }
    let mut tasks_kept = 0;
    let mut checked = goals::Checked::default();
    let mut steps_checked = 0;
    let elaborated = domain.clone().elaborated();
    let record = interpreter::run(&elaborated, LAST_TICK, MAX_PLANS, &mut |asked: Asked| {
        let Asked { character, .. } = asked;
        // A task of a character that continues from step to step may become several.
        let all = domain.tasks(character).len();
        tasks_kept += all.saturating_sub(asked.tasks.len());
        let values = asked.believed.values();
        let situation = document_of(planned(domain, character, &values, asked.tasks));
        let situation = Typed::from(&situation);
        let excluded_goals: Vec<Name> = asked
            .excluded_goals
            .iter()
            .copied()
            .map(written::goal_name)
            .collect();
        let problem = compile(&situation, &name);
        let scene = situation.scene_or_empty(&name);
        let actor = scene.actor(0).clone();
        let mut now = World::initial(&situation, &scene).believed_by(actor);
        now.set_time(f64::from(asked.tick));
        let claimed = asked.claimed.iter();
        let claimed = claimed.map(|(object, by)| {
            let name = |object| Name::new(&written::object(object)).expect("a name");
            (name(*object), Some(name(model::THINGS + by)))
        });
        now.set_claimed(&Arc::new(claimed.collect()));
        let tasks: Vec<GroundTask> = asked
            .tasks
            .iter()
            .map(|call| ground(*call, &asked))
            .collect();
        let problem = problem.with_state(&now, Some(&tasks)).seeded(asked.seed);
        let problem = problem.after_steps(asked.steps_before);
        let problem = match asked.order.clone() {
            Some(order) => problem.ordered(Arc::new(order)),
            None => problem,
        };
        let excluded = asked
            .excluded
            .iter()
            .map(|(task, object)| ground((*task, model::Arg::Object(*object)), &asked));
        let excluded: Vec<GroundTask> = excluded.collect();
        let problem = problem
            .excluding_goals(&excluded_goals)
            .excluding(&excluded)
            .cooling_down(
                &named(&asked.cooling, written::task_name),
                &named(&asked.cooling_goals, written::goal_name),
            );
        let outcome = plan_by(problem.policy(), &problem, Budget::default());
        check_cooldowns(&asked, &outcome);
        claims::check(&elaborated, &asked, &outcome);
        // A failed step in the background may leave nothing to do.
        let has_goal = domain.tasks(character).is_empty() || domain.goal(character).is_some();
        if asked.tasks.is_empty() && has_goal {
            checked.check(&elaborated, &asked, &outcome);
        } else if domain.is_reactive(character) && !asked.tasks.is_empty() {
            reactive::check(&elaborated, &asked, &outcome);
            steps_checked += 1;
        }
        outcome
    });
    let context = || format!("seed {seed}\n{text}");
    let plans = run.plans.iter().map(|p| Planned {
        character: p.character,
        tick: p.tick,
        cause: cause(p.cause),
        goal_values: goal_values(&p.goal_values),
        outcome: p.outcome.clone().expect("the validator refuses nothing"),
        aborts: p.aborts.iter().map(aborted).collect(),
    });
    let plans: Vec<Planned> = plans.collect();
    let events = run.events.iter();
    let events: Vec<_> = events
        .map(|e| (e.tick, e.event, e.refused.is_none()))
        .collect();
    let perceptions = run.perceptions.iter();
    let perceptions: Vec<_> = perceptions
        .map(|p| (p.tick, p.character, changed(&p.changes)))
        .collect();
    assert_eq!(short(&plans), short(&record.plans), "{}", context());
    assert_eq!(plans, record.plans, "{}", context());
    assert_eq!(steps(&run), record.steps, "{}", context());
    assert_eq!(events, record.events, "{}", context());
    assert_eq!(perceptions, record.perceptions, "{}", context());
    assert_eq!(Some(end(&run)), record.end, "{}", context());
    assert_eq!(run.ticks as usize + 1, record.worlds.len(), "{}", context());
    let start = Typed::from(&document);
    let scene = start.scene_or_empty(&name);
    for (tick, expected) in (0..).zip(&record.worlds) {
        let world = world_at(&start, &scene, &run, Moment::Tick(tick));
        let mut values = world.as_initial_values();
        values.retain(|text| text != "n = 0" && !text.starts_with("near("));
        assert_eq!(values, expected.written(), "tick {tick}, {}", context());
    }
    for (tick, (found, expected)) in beliefs(domain, &run)
        .iter()
        .zip(&record.beliefs)
        .enumerate()
    {
        assert_eq!(found, expected, "tick {tick}, {}", context());
    }
    for (tick, all) in (0..).zip(&record.states) {
        for (plan, expected) in all.iter().flatten() {
            let found = run.states(*plan, tick);
            assert_eq!(found, *expected, "tick {tick}, plan {plan}, {}", context());
        }
    }
    counts.count(domain, &record);
    counts.add("tasks kept", tasks_kept);
    counts.add("steps that are the first possible", steps_checked);
    counts.add("plans of least cost", checked.least);
    counts.add("plans by a task that serves the goal", checked.served);
    counts.add("goals without a plan", checked.without);
    counts.add("plans that lead part of the way", checked.partial);
    (document, run)
}

#[test]
fn runs_agree_with_the_reference_interpreter() {
    let domains = cases(10_000);
    let each = on_all_cores(0..domains, |seed| {
        let mut counts = Counts::default();
        compare(seed, &random::domain(seed), &mut counts);
        counts
    });
    let mut counts = Counts::default();
    each.into_iter().for_each(|some| counts.extend(some));
    counts.assert_enough(domains as usize);
}

//! The simulator agrees with the reference interpreter, tick for tick, on random domains.

use std::sync::Arc;

use crate::actors::{self, Game};
use crate::reference::names::Ground;
use crate::reference::record::Asked;
use crate::reference::{self, claims, goals, interpreter, reactive};
use taskloom_document::{Document, Name};
use taskloom_domain::Domain as Typed;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, GroundTask, Outcome, World, plan_by};
use taskloom_runtime::{MAX_PLANS, Run, default_planner, run_test, simulate};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain;
use testkit::random::Random;

mod counts;
mod elaborated;
mod lowered;
mod model;
mod queries;
mod random;
mod repeating_while;
mod written;

use counts::Counts;
use lowered::lowered;
use written::{planned, scenario, written};

const LAST_TICK: u32 = 40;

/// Returns a random document, with a scenario `s`.
pub fn random_document(seed: u64) -> Document {
    let domain = random::domain(seed);
    domain::document(&(written(&domain) + &scenario(&domain)))
}

/// Compares a simulated run of a domain with that of the interpreter. Returns the document and the run.
fn compare(seed: u64, domain: &model::Domain, counts: &mut Counts) -> (Document, Run) {
    let budget = match domain.is_recursive() {
        // A search among more and more of the same tasks has no end.
        true => Budget {
            nodes: 2_000,
            depth: 24,
            ..Budget::default()
        },
        false => Budget::default(),
    };
    let name = Name::new("s").expect("a name");
    let document_of =
        |scenario: String| -> Document { domain::document(&(written(domain) + &scenario)) };
    let text = written(domain) + &scenario(domain);
    let document = domain::document(&text);
    let run = simulate(&Typed::from(&document), &name, budget, LAST_TICK);
    if seed.is_multiple_of(4) {
        // A known plan for the initial situation makes no difference.
        let mut default_planner = default_planner(budget);
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
        let game = Game {
            search: budget,
            ..Game::default()
        };
        actors::check(
            &Typed::from(&document),
            &name,
            &run,
            reloads,
            game,
            &context,
        );
    }
    let (mut tasks_kept, mut gave_up) = (0, 0);
    let mut checked = goals::Checked::default();
    let mut steps_checked = 0;
    let lowered = &Arc::new(lowered(&domain.clone().elaborated()));
    let names = &lowered.names;
    let all = |tasks: &[Ground]| -> Vec<GroundTask> {
        tasks.iter().map(|task| names.planned(*task)).collect()
    };
    let record = interpreter::run(lowered, LAST_TICK, MAX_PLANS, &mut |asked: Asked| {
        let Asked { character, .. } = asked;
        // A task of a character that continues from step to step may become several.
        let given = domain.tasks(character).len();
        tasks_kept += given.saturating_sub(asked.tasks.len());
        let values = asked.believed.values().into_iter();
        let values = values.filter_map(|(of, is)| lowered::value(names, of, is));
        let situation = document_of(planned(domain, character, &Vec::from_iter(values)));
        let situation = Typed::from(&situation);
        let problem = compile(&situation, &name);
        let scene = situation.scene_or_empty(&name);
        let actor = scene.actor(0).clone();
        let mut now = World::initial(&situation, &scene).believed_by(actor);
        now.set_time(f64::from(asked.tick));
        now.set_claimed(&Arc::new(reference::claimed(lowered, &asked)));
        let problem = problem.with_state(&now, Some(&all(asked.tasks)));
        let problem = reference::problem(lowered, problem, &asked);
        let outcome = plan_by(problem.policy(), &problem, budget);
        reference::check_cooldowns(lowered, &asked, &outcome);
        claims::check(lowered, &asked, &outcome);
        // A failed step in the background may leave nothing to do.
        let has_goal = given == 0 || lowered.goal(character).is_some();
        if matches!(outcome, Outcome::GaveUp(_)) {
            gave_up += 1;
        } else if asked.tasks.is_empty() && has_goal {
            checked.check(lowered, &asked, &outcome);
        } else if lowered.is_reactive(character) && !asked.tasks.is_empty() {
            reactive::check(lowered, &asked, &outcome);
            steps_checked += 1;
        }
        outcome
    });
    let context = format!("seed {seed}\n{text}");
    reference::check(lowered, &run, &record, &context);
    let start = Typed::from(&document);
    let scene = start.scene_or_empty(&name);
    reference::check_worlds(lowered, (&start, &scene), &run, &record, &context);
    counts.count(domain, lowered, &record);
    counts.add("plannings that gave up", gave_up);
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
    let domains = seeds(10_000);
    let each = on_all_cores(domains.clone(), |seed| {
        let mut counts = Counts::default();
        let mut domain = random::domain(seed);
        if seed % 5 == 4 {
            domain = random::recursive(domain, &mut Random(seed + 7));
        }
        compare(seed, &domain, &mut counts);
        counts
    });
    let mut counts = Counts::default();
    each.into_iter().for_each(|some| counts.extend(some));
    if !is_sample() {
        counts.assert_enough(domains.len());
    }
}

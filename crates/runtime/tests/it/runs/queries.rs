//! Queries of Bind blocks in random documents: a game that answers them runs as the reference interpreter says,
//! which finds the same objects by a condition.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use taskloom_document::{Block, Document, Name};
use taskloom_domain::Domain as Typed;
use taskloom_planner::compile::GroundQuery;
use taskloom_runtime::Run;
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::random::Random;

use super::counts::Counts;
use super::model::{Arg, Domain, Method, Test, is_near};
use super::written::object;
use super::{compare, random};
use crate::actors::{self, Answers, Game};

/// Lets the Bind blocks of a domain find only objects near something. Returns `false` if there are none.
fn find_near(domain: &mut Domain, random: &mut Random) -> bool {
    for compound in &mut domain.compounds {
        if let Method::Bind(tests, _) = &mut compound.method {
            let arg = *random.pick(&[Arg::Param, Arg::Param, Arg::Object(0), Arg::Object(1)]);
            tests.push(Test::Near(arg));
        }
    }
    // What a plan depends on is less precise with a query: more may be noticed.
    for agent in &mut domain.agents {
        agent.perception = false;
    }
    domain.finds_near()
}

/// Returns the document with queries instead of the conditions that find objects near something.
fn with_queries(document: &Document) -> Document {
    let mut document = document.clone();
    for task in document.compound_tasks.values_mut() {
        for block in Arc::make_mut(task).method.blocks.values_mut() {
            if let Block::Bind {
                condition, query, ..
            } = Arc::make_mut(block)
                && let Some((own, near)) = condition.split_once(NEAR)
            {
                let from = near.strip_suffix(", ?y)").expect("an object and ?y");
                *query = format!("near({from})");
                *condition = own.to_owned();
            }
        }
    }
    document
}

const NEAR: &str = " and near(";

/// Answers a query: the objects near one.
fn near(objects: usize, query: &GroundQuery) -> Vec<Name> {
    let number = |name: &Name| (0..objects).find(|one| object(*one) == name.as_str());
    let from = query.args.first().and_then(number).expect("an object");
    let found = (0..objects).filter(|to| is_near(from, *to));
    let names = found.map(|to| Name::new(&object(to)).expect("a name"));
    names.collect()
}

#[test]
fn games_that_answer_queries_agree_with_the_reference_interpreter() {
    let documents = seeds(10_000);
    let asked = AtomicUsize::new(0);
    on_all_cores(documents.clone(), |seed| {
        let mut random = Random(seed + 1);
        let mut domain = random::domain(seed);
        if find_near(&mut domain, &mut random) {
            let (document, run) = compare(seed, &domain, &mut Counts::default());
            let objects = domain.objects();
            let answer = |query: &GroundQuery| {
                asked.fetch_add(1, Ordering::Relaxed);
                near(objects, query)
            };
            check(&with_queries(&document), &run, &answer, &mut random, seed);
        }
    });
    let asked = asked.into_inner();
    assert!(
        is_sample() || asked > documents.len() / 2,
        "{asked} queries"
    );
}

/// Checks that a game on a document with queries, which is saved and loaded now and then, does the same as a
/// simulated run of the document with conditions.
fn check(document: &Document, simulated: &Run, answer: &Answers, random: &mut Random, seed: u64) {
    let name = Name::new("s").expect("a name");
    let reloads = || seed.is_multiple_of(2) && random.below(3) == 0;
    let domain = Typed::from(document);
    let game = Game {
        answers: Some(answer),
        ..Game::default()
    };
    let mut played = actors::played(&domain, &name, simulated, reloads, game);
    // The simulator asks nothing.
    for known in played
        .plans
        .iter_mut()
        .flat_map(|plan| plan.answers.drain(..))
    {
        assert_eq!(known.objects, Some(answer(&known.query)), "{}", known.query);
    }
    let context = format!("seed {seed}\n{}", document.to_json());
    // Messages contain the condition.
    actors::check_played(played, simulated, &without_near, &context);
}

/// Returns a text without the conditions that find objects near something.
fn without_near(text: &str) -> String {
    let mut parts = text.split(NEAR);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once(')').expect("an end");
        kept += rest;
    }
    kept
}

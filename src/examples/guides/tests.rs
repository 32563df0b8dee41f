//! The guides are true: what they name exists, and what they announce happens when their scenarios
//! run.

use std::sync::Arc;

use taskloom_document::{Document, Event, Kind, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Run, default_planner, run_test};

use super::*;
use crate::examples::ALL;

fn has(document: &Document, kind: Kind, name: &str) -> bool {
    document.contains(&RecordRef::new(kind, Name::new(name).expect("a name")))
}

/// Returns the words of a text in quotes of a selector: `rook` in `[data-actor='rook']`.
fn quoted(text: &str) -> Vec<&str> {
    text.split('\'').skip(1).step_by(2).collect()
}

/// Returns `true` if a word of a selector or a text names something in the document.
fn is_known(document: &Document, scenario: &str, word: &str) -> bool {
    let name = word.split_once(':').map_or(word, |(_, name)| name);
    let fact = name.split('(').next().unwrap_or_default();
    let cast = &document.scenarios[&Name::new(scenario).expect("a name")].cast;
    let acts = cast
        .iter()
        .any(|member| format!("{member:?}").contains(name));
    acts || Kind::ALL.into_iter().any(|kind| has(document, kind, fact))
}

#[test]
fn guides_name_what_their_examples_contain() {
    for example in &ALL {
        let (document, guide) = (example.document(), &example.guide);
        let title = example.title;
        assert!(
            has(&document, Kind::Scenario, example.scenario()),
            "{title}"
        );
        if let Opening::Method(task) = guide.opening {
            assert!(has(&document, Kind::CompoundTask, task), "{title}");
        }
        for step in &guide.steps {
            match step.completion {
                Completion::Open(Some(task)) => {
                    assert!(has(&document, Kind::CompoundTask, task), "{title}");
                    assert_ne!(guide.opening, Opening::Method(task), "{title} opens there");
                    assert!(step.text.contains(task), "{title}: {}", step.text);
                }
                Completion::Open(None) => {
                    assert!(!matches!(guide.opening, Opening::Method(_)), "{title}");
                }
                Completion::Select(kind, name) => {
                    let kind = Kind::ALL.into_iter().find(|k| k.label() == kind);
                    assert!(has(&document, kind.expect("a kind"), name), "{title}");
                    assert!(step.text.contains(name), "{title}: {}", step.text);
                }
                Completion::Watch(tick) => {
                    let words = format!("tick {tick}");
                    assert!(step.text.contains(&words), "{title}: {}", step.text);
                }
                Completion::Change(claim) => {
                    assert!(claim.otherwise.ends_with('.'), "{title}");
                }
            }
            for word in step.anchors.iter().flat_map(|anchor| quoted(anchor)) {
                if word != "tab" {
                    assert!(
                        is_known(&document, example.scenario(), word),
                        "{title}: {word}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_guide_watches_opens_and_changes() {
    for example in &ALL {
        let completions = example.guide.steps.each_ref().map(|step| step.completion);
        assert!(
            matches!(
                completions,
                [
                    Completion::Watch(_),
                    Completion::Open(_) | Completion::Select(..),
                    Completion::Change(_)
                ]
            ),
            "{}: {completions:?}",
            example.title
        );
    }
}

/// Returns the run of a scenario.
fn played(document: &Document, scenario: &str) -> Run {
    let name = Name::new(scenario).expect("a name");
    let mut plan = default_planner(Budget::default());
    let run = run_test(&Domain::from(document), &name, &mut plan, 500).run;
    run.expect("a run")
}

/// Returns `true` if a run shows what a claim says.
fn shows(claim: Claim, document: &Document, scenario: &str, run: &Run, from: u32) -> bool {
    let cast = &document.scenarios[&Name::new(scenario).expect("a name")].cast;
    claim.is_true(run, from, |character| {
        let actor = cast.get(character);
        let actor = actor.map(|actor| actor.object.as_ref().unwrap_or(&actor.agent));
        actor.map_or(String::new(), ToString::to_string)
    })
}

/// Returns `true` if something begins or ends at a tick of a run.
fn happens(run: &Run, tick: u32) -> bool {
    let ends = |step: &StepExecution| step.start == tick || step.end == Some(tick);
    run.executed.iter().any(ends)
        || run.events.iter().any(|event| event.tick == tick)
        || run.plans.iter().any(|planning| planning.tick == tick)
}

/// Returns the effect of the override that a step asks for: a value that is chosen or typed, or the
/// other truth value.
fn effect(text: &str, before: bool) -> String {
    let fact = text.strip_prefix("Click the value of ").expect(text);
    let (fact, rest) = fact.split_once(" in World. ").expect(text);
    let value = ["Choose ", "Type "].iter().find_map(|verb| {
        let value = rest.strip_prefix(verb)?;
        value.split_once(' ').map(|(value, _)| value)
    });
    match value {
        Some(value) => format!("{fact} := {value}"),
        None if before => format!("not {fact}"),
        None => fact.to_owned(),
    }
}

#[test]
fn what_guides_announce_happens() {
    for example in &ALL {
        let (document, guide, title) = (example.document(), &example.guide, example.title);
        let run = played(&document, example.scenario());
        let tick = guide.tick().expect(title);
        assert!(
            happens(&run, tick),
            "{title}: nothing happens at tick {tick}"
        );
        let Completion::Change(claim) = guide.steps[2].completion else {
            panic!("{title} ends with another step");
        };
        assert!(
            !shows(claim, &document, example.scenario(), &run, tick),
            "{title}: it happens without the change, too"
        );
        // The value is visible, so it isn't false.
        let change = effect(guide.steps[2].text, true);
        let mut changed = document.clone();
        let name = Name::new(example.scenario()).expect("a name");
        let scenario = changed.scenarios.get_mut(&name).expect("the scenario");
        let event = Event {
            at: tick,
            effect: change,
            ..Event::default()
        };
        Arc::make_mut(scenario).events.push(event);
        let after = played(&changed, example.scenario());
        assert!(
            shows(claim, &changed, example.scenario(), &after, tick),
            "{title}: it doesn't happen"
        );
    }
}

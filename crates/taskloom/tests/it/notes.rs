//! The notes of the shipped examples are true: what they name exists, what happens at the ticks that
//! they mention happens there, and what they claim about the runs is so.

use std::sync::Arc;

use taskloom_document::{Document, Kind, Name, RecordRef, Scenario};
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;
use taskloom_runtime::{Run, RunEnd, default_planner, run_test};
use testkit::domain::{EXAMPLES, example};

fn document(name: &str) -> Document {
    example(name)
}

/// Returns every note of a document, with the scenario that it belongs to, if it is a scenario's.
fn notes(document: &Document) -> Vec<(Option<Name>, String)> {
    let json = serde_json::from_str(&document.to_json()).expect("JSON");
    let mut found = vec![];
    collect(&json, None, &mut found);
    found
}

fn collect(
    json: &serde_json::Value,
    scenario: Option<&Name>,
    found: &mut Vec<(Option<Name>, String)>,
) {
    let Some(fields) = json.as_object() else {
        return;
    };
    for (key, value) in fields {
        match value.as_str().filter(|_| key == "note") {
            Some(note) => found.push((scenario.cloned(), note.to_owned())),
            None if key == "scenarios" => {
                for (name, value) in value.as_object().expect("records") {
                    collect(value, Some(&name.parse().expect("a name")), found);
                }
            }
            None => collect(value, scenario, found),
        }
    }
}

/// Returns the words in single quotes of a text; an apostrophe is within or after a word.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(at) = rest.find('\'') {
        let is_opening = rest[..at]
            .chars()
            .last()
            .is_none_or(|c| !c.is_alphanumeric());
        rest = &rest[at + 1..];
        if is_opening {
            let end = rest.match_indices('\'').find(|(at, _)| {
                let next = rest[at + 1..].chars().next();
                next.is_none_or(|next| !next.is_alphanumeric())
            });
            let (end, _) = end.expect(text);
            found.push(&rest[..end]);
            rest = &rest[end + 1..];
        }
    }
    found
}

/// Returns `true` if a quoted text is a scenario's title, or begins with the name of a record.
fn is_known(document: &Document, quoted: &str) -> bool {
    let titled = |scenario: &Arc<Scenario>| scenario.title == quoted;
    let name: String = quoted
        .chars()
        .take_while(|c| c.is_alphanumeric() || "-_".contains(*c))
        .collect();
    let has = |kind| {
        let name = Name::new(&name).ok();
        name.is_some_and(|name| document.contains(&RecordRef::new(kind, name)))
    };
    document.scenarios.values().any(titled) || Kind::ALL.into_iter().any(has)
}

fn run(document: &Document, scenario: &Name) -> Run {
    let mut plan = default_planner(Budget::default());
    let domain = Domain::from(document);
    run_test(&domain, scenario, &mut plan, 500)
        .run
        .expect("a run")
}

/// Returns the steps of a run in words: `rook: catch(wren, hall) Complete 7-8`.
fn steps(document: &Document, scenario: &Name, run: &Run) -> Vec<String> {
    let cast = &document.scenarios[scenario].cast;
    let steps = run.executed.iter().map(|step| {
        let planning = &run.plans[step.plan];
        let task = &planning.plan().expect("a plan").steps[step.step].task;
        let actor = cast.get(planning.character);
        let actor = actor.map(|actor| actor.object.as_ref().unwrap_or(&actor.agent));
        let actor = actor.map_or(String::new(), |actor| format!("{actor}: "));
        let (state, start) = (step.state, step.start);
        format!(
            "{actor}{task} {state:?} {start}-{}",
            step.end.unwrap_or(run.ticks)
        )
    });
    steps.collect()
}

#[test]
fn names_in_notes_exist() {
    // An example of what nobody has written.
    let described = ["fetch bolts, go back, shoot"];
    let mut count = 0;
    for name in EXAMPLES {
        let document = document(name);
        for (_, note) in notes(&document) {
            for quoted in quoted(&note) {
                let is_known = is_known(&document, quoted) || described.contains(&quoted);
                assert!(is_known, "{name}: nothing is called ‘{quoted}’ in: {note}");
                count += 1;
            }
        }
    }
    assert!(count >= 20, "only {count} names");
}

#[test]
fn something_happens_at_the_ticks_in_notes() {
    let mut count = 0;
    for name in EXAMPLES {
        let document = document(name);
        for (scenario, note) in notes(&document) {
            for after in note.split(" tick ").skip(1) {
                let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                let Ok(tick) = digits.parse::<u32>() else {
                    continue;
                };
                let scenario = scenario.as_ref().expect("only scenarios' notes name ticks");
                let run = run(&document, scenario);
                let ends = |end: Option<u32>| end == Some(tick);
                let happens = run.events.iter().any(|event| event.tick == tick)
                    || run.plans.iter().any(|plan| plan.tick == tick)
                    || run.executed.iter().any(|step| ends(step.end));
                assert!(
                    happens,
                    "{name}, {scenario}: nothing happens at tick {tick}"
                );
                count += 1;
            }
        }
    }
    assert!(count >= 6, "only {count} ticks");
}

/// The claims: the example, the scenario, words of its note, and the end of a step in words.
fn claims() -> Vec<(&'static str, Name, &'static str, &'static str)> {
    let mut found = vec![];
    let mut scenario = None;
    let lines = include_str!("notes.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((words, step)) = line.split_once(" => ") {
            let (example, name): &(&str, Name) = scenario.as_ref().expect("a scenario");
            found.push((*example, name.clone(), words.trim(), step));
        } else {
            let (example, name) = line.split_once(", ").expect("an example and a scenario");
            scenario = Some((example, Name::new(name).expect("a name")));
        }
    }
    found
}

#[test]
fn runs_do_what_notes_say() {
    for (name, scenario, words, line) in claims() {
        let document = document(name);
        let note = &document.scenarios[&scenario].note;
        assert!(
            note.contains(words),
            "{name}, {scenario}: ‘{words}’ in: {note}"
        );
        let lines = steps(&document, &scenario, &run(&document, &scenario));
        let happens = lines.iter().any(|one| one.ends_with(line));
        assert!(happens, "{name}, {scenario}: {line} in {lines:#?}");
    }
}

/// Returns the steps of a scenario's run after a change of its document.
fn after(name: &str, scenario: &str, change: impl FnOnce(&mut Document)) -> Vec<String> {
    let mut document = document(name);
    change(&mut document);
    let scenario = Name::new(scenario).expect("a name");
    steps(&document, &scenario, &run(&document, &scenario))
}

/// Turns off an agent's replanning on observations.
fn without_observations(document: &mut Document, agent: &str) {
    let agent = document.agents.get_mut(&Name::new(agent).expect("a name"));
    Arc::make_mut(agent.expect("an agent")).triggers.perception = false;
}

fn has(lines: &[String], line: &str) -> bool {
    lines.iter().any(|one| one.contains(line))
}

#[test]
fn what_notes_suggest_has_the_result_that_they_announce() {
    let lines = after("hunter", "case-2-the-wrong-room", |document| {
        without_observations(document, "seeker");
    });
    assert!(has(&lines, "wren: slip-out Complete"), "{lines:#?}");
    let lines = after("office", "case-4-an-open-screen", |document| {
        without_observations(document, "spy");
    });
    assert!(has(&lines, "mallory: give-up Complete"), "{lines:#?}");
    assert!(!has(&lines, "read-screen"), "{lines:#?}");
    let lines = after("rts", "case-2-an-empty-larder", |document| {
        let task = document
            .primitive_tasks
            .get_mut(&Name::new("ask-for").expect("a name"));
        Arc::make_mut(task.expect("a task")).effects[0].text = "wish(?what) += 4".to_owned();
    });
    assert!(has(&lines, "max: walk-to(mine) Failed 0-4"), "{lines:#?}");
    let lines = after("sentry", "case-4-out-of-bolts", |document| {
        let mut scenarios = document.scenarios.values_mut();
        let scenario = scenarios.find(|scenario| scenario.title == "Out of bolts");
        let initial = &mut Arc::make_mut(scenario.expect("the scenario")).initial;
        initial.retain(|value| value != "armed(ivo)");
    });
    assert!(has(&lines, "seize(ivo) Complete"), "{lines:#?}");
    let original = document("ball-in-the-box");
    for (scenario, value, finds_a_plan) in [
        ("case-6-no-way-in", "item_at(key, drawer)", true),
        ("case-2-box-closed", "box_locked", false),
    ] {
        let mut document = original.clone();
        let scenario = Name::new(scenario).expect("a name");
        let before = run(&document, &scenario).end == RunEnd::Complete;
        assert_eq!(before, !finds_a_plan, "{scenario}");
        let record = document.scenarios.get_mut(&scenario).expect("the scenario");
        Arc::make_mut(record).initial.push(value.to_owned());
        let is_complete = run(&document, &scenario).end == RunEnd::Complete;
        assert_eq!(is_complete, finds_a_plan, "{scenario} with {value}");
    }
}

//! A game's actors write the same log as the simulator's.

use expect_test::expect;
use taskloom_document::{CastMember, Document, Name};
use taskloom_domain::Domain;
use taskloom_runtime::{
    Actor, ByDurations, Log, LogEntry, LogFile, LogLevel, Run, TickBudget, World,
};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::{EXAMPLES, example};

use super::{Sink, logged, name, simulate_logged};
use crate::actors::{Game, played};
use crate::runs::random_document;

/// Returns the lines of a log that the world's owner doesn't write, of the ticks before `last` and of
/// that one.
fn lines(sink: &Sink, last: u32) -> (Vec<LogEntry>, Vec<LogEntry>) {
    let file = LogFile::read(&sink.bytes()).expect("a log");
    let entries = file.entries.into_iter().map(|(_, entry)| entry);
    let is_of_actors = |entry: &LogEntry| match entry {
        LogEntry::Event(_) | LogEntry::Set(_) | LogEntry::End(_) => false,
        LogEntry::Step(step) => step.state != taskloom_runtime::log::StepState::Running,
        _ => true,
    };
    entries
        .filter(is_of_actors)
        .partition(|entry| entry.tick() < last)
}

/// Checks that a game's log is the simulator's, up to the moment in the last tick at which the simulator
/// ends.
fn check(
    document: &Document,
    scenario: &Name,
    (level, last_tick): (LogLevel, u32),
    context: &str,
) -> usize {
    let log = |sink: &Sink| {
        let log = Log::new(document, sink.clone()).with_level(level);
        log.with_snapshot_interval(None)
    };
    let (simulated, game) = (Sink::default(), Sink::default());
    let run: Run = simulate_logged(document, scenario, log(&simulated), last_tick);
    let domain = Domain::from(document);
    let logged = Game {
        log: Some(log(&game)),
        ..Game::default()
    };
    played(&domain, scenario, &run, || false, logged);
    let (before, last) = lines(&simulated, run.ticks);
    let (before_in_game, last_in_game) = lines(&game, run.ticks);
    for (simulated, game) in before.iter().zip(&before_in_game) {
        assert_eq!(simulated, game, "{context}");
    }
    assert_eq!(before.len(), before_in_game.len(), "{context}");
    assert!(last_in_game.len() >= last.len(), "{context}");
    assert_eq!(last, last_in_game[..last.len()], "{context}");
    let (simulated, game) = (simulated.text(), game.text());
    assert_eq!(simulated.lines().next(), game.lines().next(), "{context}");
    before.len() + last.len()
}

#[test]
fn games_write_the_log_of_the_simulator_for_all_shipped_scenarios() {
    let mut lines = 0;
    for file in EXAMPLES {
        let document = example(file);
        for scenario in document.scenarios.keys() {
            for level in [LogLevel::Decisions, LogLevel::All] {
                let context = format!("{file}, {scenario}, {level:?}");
                lines += check(&document, scenario, (level, 200), &context);
            }
        }
    }
    assert!(lines > 2_500, "{lines} lines");
}

#[test]
fn games_write_the_log_of_the_simulator_for_random_documents() {
    let scenario = name("s");
    let cases = seeds(1_000);
    let lines = on_all_cores(cases.clone(), |seed| {
        let document = random_document(seed);
        check(
            &document,
            &scenario,
            (LogLevel::All, 40),
            &format!("seed {seed}"),
        )
    });
    let (lines, runs) = (lines.into_iter().sum::<usize>(), cases.len());
    assert!(
        is_sample() || lines > 8 * runs,
        "{lines} lines of {runs} runs"
    );
}

#[test]
fn a_game_logs_what_it_sets_and_says_and_who_appears() {
    let document = example("hunter");
    let scenario = document
        .scenarios
        .keys()
        .next()
        .expect("a scenario")
        .clone();
    let mut world = World::new(&Domain::from(&document), &scenario).expect("a scenario");
    let sink = Sink::default();
    let log = Log::new(&document, sink.clone()).with_tick_rate(10.0);
    world.start_log(log.with_level(LogLevel::All).with_snapshot_interval(None));
    let actors = document.scenarios[&scenario].cast.clone();
    let hunter: &CastMember = &actors[0];
    let mut actor = Actor::create(&mut world, hunter).expect("an actor");
    actor.say(&mut world, "here I am");
    actor.orders().assign(&["fly(moon)"]);
    let door = world.atom("locked(garden)").expect("a fact");
    assert_eq!(world.set(&door, false), Ok(true));
    assert_eq!(world.set(&door, false), Ok(false), "no change, no line");
    actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
    let file = LogFile::read(&sink.bytes()).expect("a log");
    assert_eq!(file.start.ticks_per_second, Some(10.0));
    let lines = file.entries.iter().filter(|(_, entry)| {
        let is_of_game = |entry: &LogEntry| {
            matches!(
                entry,
                LogEntry::Actor(_) | LogEntry::Say(_) | LogEntry::Set(_) | LogEntry::Refused(_)
            )
        };
        is_of_game(entry)
    });
    let lines = lines.map(|(_, entry)| serde_json::to_string(entry).expect("JSON") + "\n");
    expect![[r#"
        {"entry":"actor","tick":0,"actor":{"number":1,"name":"wren","agent":"runaway","senses":["at","hidden","lies","locked"]}}
        {"entry":"say","tick":0,"actor":1,"text":"here I am"}
        {"entry":"set","tick":0,"fact":"locked(garden)","before":true,"after":false}
        {"entry":"refused","tick":0,"actor":1,"text":"there is no task 'fly'"}
    "#]].assert_eq(&lines.collect::<String>());
}

#[test]
fn log_says_which_objects_come_and_go() {
    let document = testkit::domain::document(
        "
type foe
sensor fact seen(?foe: foe)
memory value target: foe
action Shoot 4
primitive shoot(?foe: foe) = Shoot
  pre seen(?foe)
compound watch
  block a begin
  block b bind ?foe: foe where seen(?foe)
  block c task shoot(?foe)
  wire a.out -> b
  wire b.out -> c
scenario night
  object rat: foe
  initial target = rat
  task watch",
    );
    let domain = Domain::from(&document);
    let mut world = World::new(&domain, &name("night")).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let sinks = [Sink::default(), Sink::default()];
    let log = |sink: &Sink| Log::new(&document, sink.clone()).with_snapshot_interval(None);
    world.start_log(log(&sinks[0]));
    world.add("wolf", "foe").expect("a new name");
    let seen = world.atom("seen(wolf)").expect("a fact");
    world.set(&seen, true).expect("a value");
    let mut tick = |world: &mut World| {
        actor.tick(world, &mut ByDurations, TickBudget::unlimited());
        world.advance();
    };
    tick(&mut world);
    world.remove("rat").expect("an object");
    world.remove("wolf").expect("an object");
    tick(&mut world);
    world.add("boar", "foe").expect("a new name");
    world.start_log(log(&sinks[1]).with_level(LogLevel::Decisions));
    // The document doesn't list the objects, but knows their facts.
    let file = LogFile::read(&sinks[0].bytes()).expect("a log");
    let run = file.run_in(&domain).expect("a run of the scenario").run;
    assert_eq!(run.events.len(), 3, "{:?}", run.events);
    let [first, second] = sinks.map(|sink| {
        let text = sink.text();
        let words = [r#""entry":"object""#, r#""kind":"removed""#];
        let is_shown = |line: &&str| words.iter().any(|word| line.contains(word));
        let lines: Vec<&str> = text.lines().filter(is_shown).collect();
        lines.join("\n")
    });
    expect![[r#"
        {"entry":"object","tick":0,"object":"wolf","type":"foe"}
        {"entry":"object","tick":1,"object":"rat","changes":[{"fact":"target","before":"rat","after":null}]}
        {"entry":"object","tick":1,"object":"wolf","changes":[{"fact":"seen(wolf)","before":true,"after":false}]}
        {"entry":"step","tick":1,"actor":0,"state":"failed","task":"shoot(wolf)","plan":0,"step":0,"number":0,"start":0,"due":4,"reason":{"kind":"removed","object":"wolf"}}
        {"entry":"object","tick":2,"object":"boar","type":"foe"}"#]].assert_eq(&first);
    expect![[r#"
        {"entry":"object","tick":2,"object":"rat"}
        {"entry":"object","tick":2,"object":"boar","type":"foe"}"#]]
    .assert_eq(&second);
}

#[test]
fn a_log_that_begins_in_the_middle_of_a_run_has_the_plan_and_the_steps_in_progress() {
    let document = example("ball-in-the-box");
    let scenario = name("case-1-box-open");
    let (_, run) = logged(&document, &scenario, LogLevel::All, 200);
    let mut world = World::new(&Domain::from(&document), &scenario).expect("a scenario");
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    let sink = Sink::default();
    for tick in 0..20 {
        if tick == 2 {
            world.start_log(Log::new(&document, sink.clone()));
        }
        actor.tick(&mut world, &mut ByDurations, TickBudget::unlimited());
        world.advance();
    }
    let file = LogFile::read(&sink.bytes()).expect("a log");
    assert_eq!(file.start.tick, 2);
    let late = file.run().expect("a run");
    assert_eq!(late.plans.len(), 1);
    assert_eq!(late.plans[0].plan(), run.plans[0].plan());
    assert_eq!(late.executed, run.executed);
}

#[test]
fn plannings_have_the_effort_of_their_searches_if_there_is_a_clock() {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    let document = example("ball-in-the-box");
    let scenario = name("case-1-box-open");
    let mut world = World::new(&Domain::from(&document), &scenario).expect("a scenario");
    let sink = Sink::default();
    let now = AtomicU64::new(0);
    let clock = move || Duration::from_micros(now.fetch_add(7, Ordering::Relaxed));
    world.start_log(Log::new(&document, sink.clone()).with_clock(clock));
    let mut actor = Actor::new(&mut world, 0).expect("an actor");
    // One decision per tick: the search lasts several ticks.
    for _ in 0..200 {
        actor.tick(&mut world, &mut ByDurations, TickBudget::decisions(1));
        world.advance();
    }
    let file = LogFile::read(&sink.bytes()).expect("a log");
    let efforts = file.entries.iter().filter_map(|(_, entry)| match entry {
        LogEntry::Plan(plan) => Some((plan.tick, plan.effort)),
        _ => None,
    });
    let efforts: Vec<_> = efforts.collect();
    let [(tick, Some(effort))] = efforts.as_slice() else {
        panic!("one planning with its effort: {efforts:?}");
    };
    assert!(
        *tick > 0 && effort.decisions >= u64::from(*tick),
        "{efforts:?}"
    );
    // Each tick in which it searched took 7 microseconds.
    let ticks = effort.microseconds / 7;
    assert!(
        effort.microseconds % 7 == 0 && (1..=u64::from(*tick) + 1).contains(&ticks),
        "{efforts:?}"
    );
}

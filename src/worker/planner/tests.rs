use taskloom::layout::Graph;

use super::*;
use crate::worker::experiment::Experiment;
use crate::worker::message::{Exported, Format};

/// A machine, and the time.
struct Page {
    planner: Planner,
    now: f64,
}

impl Page {
    /// One whose worker has just started.
    fn new() -> Self {
        let mut page = Self {
            planner: Planner::default(),
            now: 1_000.0,
        };
        assert_eq!(page.hears(Input::Loaded), [Command::Start]);
        assert!(page.says(Event::Ready).is_empty());
        page
    }

    fn hears(&mut self, input: Input) -> Vec<Command> {
        self.planner.step(input, self.now)
    }

    fn says(&mut self, event: Event) -> Vec<Command> {
        self.hears(Input::Heard(event))
    }

    fn plans(&mut self, revision: u64) -> Vec<Command> {
        self.hears(Input::Plan(Wish {
            revision,
            document: Arc::default(),
            scenario: scenario(),
            character: 0,
            strategy: Strategy::First,
            is_for_all: false,
            experiment: Experiment::default(),
        }))
    }

    fn answers(&mut self, answer: Answer) -> Vec<Command> {
        self.says(Event::Answer(Box::new(answer)))
    }
}

fn scenario() -> Name {
    Name::new("s").unwrap()
}

/// That there is no plan.
fn answer(revision: u64) -> Answer {
    Answer::without_plan(revision, (scenario(), 0), Strategy::First, Outcome::NoPlan)
}

/// That the search goes on.
fn meanwhile(revision: u64) -> Answer {
    Answer {
        ended: false,
        micros: 7,
        ..answer(revision)
    }
}

fn stopped(revision: u64) -> Answer {
    Answer {
        outcome: Outcome::Stopped,
        ..answer(revision)
    }
}

fn shown(answer: Answer) -> Command {
    Command::Show(Arc::new(answer))
}

fn ask_to_stop(revision: u64) -> [Command; 2] {
    let stop = Command::Post(Request::Stop);
    [stop, Command::Grace(revision, GRACE)]
}

/// The revisions that are posted to be planned.
fn planned(commands: &[Command]) -> Vec<u64> {
    let wanted = commands.iter().filter_map(|command| match command {
        Command::Post(Request::Plan(wanted)) => Some(wanted.revision),
        _ => None,
    });
    wanted.collect()
}

fn tidy() -> Request {
    Request::Layout {
        graph: Graph::default(),
        at: vec![],
        movable: vec![],
    }
}

fn export(format: Format) -> Request {
    Request::Export {
        document: String::new(),
        scenario: None,
        format,
    }
}

fn exported(name: &str) -> Exported {
    Exported {
        files: vec![(name.to_owned(), vec![])],
        warnings: vec![],
    }
}

#[test]
fn what_is_asked_for_before_the_worker_has_started_is_asked_when_it_has() {
    let mut planner = Planner::default();
    let wish = Wish {
        revision: 1,
        document: Arc::default(),
        scenario: scenario(),
        character: 0,
        strategy: Strategy::Any,
        is_for_all: true,
        experiment: Experiment::default(),
    };
    assert!(planner.step(Input::Plan(wish), 0.0).is_empty());
    assert!(planner.step(Input::Ask(tidy()), 0.0).is_empty());
    assert_eq!(*planner.status(), Planning::Starting);
    assert_eq!(planner.step(Input::Loaded, 0.0), [Command::Start]);
    let commands = planner.step(Input::Heard(Event::Ready), 0.0);
    assert_eq!(commands[0], Command::Post(tidy()));
    assert_eq!(planned(&commands), [1]);
    assert_eq!(*planner.status(), Planning::Idle);
}

#[test]
fn of_what_is_asked_for_meanwhile_only_the_newest_is_planned() {
    let mut page = Page::new();
    assert_eq!(planned(&page.plans(1)), [1]);
    assert_eq!(page.plans(2), [Command::Age(61)]);
    page.now += 20.0;
    assert!(page.plans(3).is_empty(), "it will be told already");
    let commands = page.answers(answer(1));
    assert_eq!(planned(&commands), [3]);
    assert_eq!(commands.len(), 1, "the answer to the first is overtaken");
    assert_eq!(page.answers(answer(3)), [shown(answer(3))]);
    assert!(page.answers(answer(3)).is_empty(), "it was answered");
    assert!(page.hears(Input::Old).is_empty());
}

#[test]
fn a_request_that_has_grown_old_is_stopped_for_a_newer_one() {
    let mut page = Page::new();
    page.plans(1);
    page.plans(2);
    page.now += 61.0;
    assert_eq!(page.hears(Input::Old), ask_to_stop(1));
    assert!(page.plans(3).is_empty(), "it was told to stop");
    let commands = page.answers(stopped(1));
    assert_eq!(planned(&commands), [3]);
    assert!(page.hears(Input::GraceOver(1)).is_empty(), "it has ended");
}

#[test]
fn a_planning_that_is_stopped_ends_with_its_best_plan_so_far() {
    let mut page = Page::new();
    page.plans(1);
    page.now += 3_500.0;
    let stage = Stage::Searching(9);
    page.says(Event::Progress { revision: 1, stage });
    assert_eq!(*page.planner.status(), Planning::Busy(stage, 3));
    assert_eq!(page.hears(Input::Stop), ask_to_stop(1));
    assert!(page.hears(Input::Stop).is_empty(), "it was told");
    assert_eq!(page.answers(stopped(1)), [shown(stopped(1))]);
    assert_eq!(*page.planner.status(), Planning::Idle);
}

#[test]
fn a_worker_that_does_not_stop_in_time_is_replaced_and_what_it_had_found_stays() {
    let mut page = Page::new();
    page.plans(1);
    page.hears(Input::Stop);
    let expected = [Command::Start, shown(stopped(1))];
    assert_eq!(page.hears(Input::GraceOver(1)), expected);
    assert_eq!(*page.planner.status(), Planning::Idle);

    page.says(Event::Ready);
    page.plans(2);
    assert_eq!(page.answers(meanwhile(2)), [shown(meanwhile(2))]);
    page.hears(Input::Stop);
    let best = Answer {
        ended: true,
        ..meanwhile(2)
    };
    let expected = [Command::Start, shown(best)];
    assert_eq!(page.hears(Input::GraceOver(2)), expected);
}

#[test]
fn a_newer_wish_is_planned_by_the_worker_that_replaces_a_stuck_one() {
    let mut page = Page::new();
    page.plans(1);
    page.plans(2);
    page.now += 100.0;
    page.hears(Input::Old);
    assert_eq!(page.hears(Input::GraceOver(1)), [Command::Start]);
    assert!(page.plans(3).is_empty(), "it has not started");
    assert_eq!(planned(&page.says(Event::Ready)), [3]);
}

#[test]
fn a_tidy_and_an_export_survive_one_worker_and_are_given_up_with_the_second() {
    let mut page = Page::new();
    page.plans(1);
    let asides = [export(Format::Hddl), tidy()];
    for aside in &asides {
        let asked = Command::Post(aside.clone());
        assert_eq!(page.hears(Input::Ask(aside.clone())), [asked]);
    }
    page.hears(Input::Stop);
    let expected = [Command::Start, shown(stopped(1))];
    assert_eq!(page.hears(Input::GraceOver(1)), expected);
    let again = asides.map(Command::Post);
    assert_eq!(page.says(Event::Ready), again);
    let done = Command::Exported(Ok(exported("a")));
    assert_eq!(page.says(Event::Exported(Ok(exported("a")))), [done]);
    let reason = "The worker ended twice meanwhile.".to_owned();
    let expected = [Command::LaidOut(Err(reason)), Command::Start];
    assert_eq!(page.hears(Input::Failed), expected);
    assert_eq!(page.says(Event::Ready), []);
}

#[test]
fn an_export_that_is_replaced_does_not_answer_the_one_after_it() {
    let mut page = Page::new();
    page.hears(Input::Ask(export(Format::Hddl)));
    page.hears(Input::Ask(export(Format::CSharp)));
    assert!(page.says(Event::Exported(Ok(exported("hddl")))).is_empty());
    let done = Command::Exported(Ok(exported("cs")));
    assert_eq!(page.says(Event::Exported(Ok(exported("cs")))), [done]);
    assert!(page.says(Event::LaidOut(vec![])).is_empty());
}

#[test]
fn a_worker_that_is_silent_for_too_long_is_replaced() {
    let mut page = Page::new();
    for _ in 0..2 * MOST_SILENT {
        assert!(page.hears(Input::Look).is_empty(), "it has nothing to say");
    }
    page.plans(1);
    for _ in 0..MOST_SILENT {
        assert!(page.hears(Input::Look).is_empty());
    }
    assert!(page.answers(meanwhile(1)).len() == 1, "a sign of life");
    for _ in 0..MOST_SILENT {
        assert!(page.hears(Input::Look).is_empty());
    }
    let commands = page.hears(Input::Look);
    assert_eq!(commands[0], Command::Start);

    page.says(Event::Ready);
    page.plans(2);
    for _ in 0..MOST_SILENT {
        page.hears(Input::Look);
    }
    let gave_up = Answer {
        outcome: Outcome::GaveUp(Limit::Time),
        ..answer(2)
    };
    let expected = [Command::Start, shown(gave_up)];
    assert_eq!(page.hears(Input::Look), expected);
}

#[test]
fn a_worker_that_breaks_is_replaced_and_that_is_told_where_it_planned() {
    let mut page = Page::new();
    assert_eq!(page.hears(Input::Failed), [Command::Start]);
    assert_eq!(*page.planner.status(), Planning::Idle);
    page.says(Event::Ready);
    page.plans(1);
    assert_eq!(page.hears(Input::Failed), [Command::Start]);
    assert!(matches!(page.planner.status(), Planning::Broken(_)));
    page.says(Event::Ready);
    assert_eq!(planned(&page.plans(2)), [2]);
    assert_eq!(*page.planner.status(), Planning::Idle);
}

#[test]
fn without_a_worker_everything_is_refused_with_the_reason() {
    let mut planner = Planner::default();
    planner.step(Input::Ask(tidy()), 0.0);
    let refused = Command::LaidOut(Err("none".to_owned()));
    assert_eq!(planner.step(Input::Missing("none"), 0.0), [refused]);
    assert_eq!(*planner.status(), Planning::Broken("none".to_owned()));
    let refused = Command::Exported(Err("none".to_owned()));
    let asked = Input::Ask(export(Format::Json));
    assert_eq!(planner.step(asked, 0.0), [refused]);
}

#[test]
fn nothing_is_shown_of_what_was_forgotten() {
    let mut page = Page::new();
    page.plans(1);
    assert_eq!(page.hears(Input::Forget(2)), ask_to_stop(1));
    assert!(page.answers(answer(1)).is_empty());
    assert_eq!(*page.planner.status(), Planning::Idle);
}

use super::*;
use taskloom_document::Name;
use taskloom_planner::plan::Strategy;
use taskloom_worker::Experiment;

/// A state machine, and the time.
struct Page {
    planner: Planner,
    now: f64,
}

impl Page {
    /// Creates a page whose worker has just started.
    fn new() -> Self {
        let mut page = Self {
            planner: Planner::default(),
            now: 1_000.0,
        };
        assert_eq!(
            page.receives(Input::Loaded(Program::Planner)),
            [Command::Start(Program::Planner)]
        );
        assert!(page.says(Event::Ready).is_empty());
        page
    }

    fn receives(&mut self, input: Input) -> Vec<Command> {
        self.planner.step(input, self.now)
    }

    fn says(&mut self, event: Event) -> Vec<Command> {
        self.receives(Input::Heard(event))
    }

    fn plans(&mut self, revision: u64) -> Vec<Command> {
        self.receives(Input::Plan(request(revision)))
    }

    fn answers(&mut self, answer: Answer) -> Vec<Command> {
        self.says(Event::Answer(Box::new(answer)))
    }

    /// Advances the time until there is more to do than sending a ping.
    fn waits(&mut self, millis: f64) -> Vec<Command> {
        let end = self.now + millis;
        while let Some(due) = self.planner.due(self.now).filter(|due| *due <= end) {
            self.now = due;
            let mut commands = self.receives(Input::Wake);
            commands.retain(|command| !matches!(command, Command::Post(Request::Ping(_))));
            if !commands.is_empty() {
                return commands;
            }
        }
        self.now = end;
        vec![]
    }

    fn status(&self) -> Planning {
        self.planner.status(self.now)
    }
}

fn request(revision: u64) -> PlanRequest {
    PlanRequest {
        revision,
        document: Arc::default(),
        scenario: scenario(),
        character: 0,
        strategy: Strategy::First,
        is_for_all: false,
        experiment: Experiment::default(),
    }
}

fn scenario() -> Name {
    Name::new("s").unwrap()
}

/// Returns the answer that there is no plan.
fn answer(revision: u64) -> Answer {
    Answer::without_plan(revision, (scenario(), 0), Strategy::First, Outcome::NoPlan)
}

/// Returns a preliminary answer while the search continues.
fn meanwhile(revision: u64) -> Answer {
    Answer {
        ended: false,
        unlisted: 7,
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

const STOP: [Command; 1] = [Command::Post(Request::Stop)];

/// Returns the revisions whose planning is requested.
fn planned(commands: &[Command]) -> Vec<u64> {
    let wanted = commands.iter().filter_map(|command| match command {
        Command::Post(Request::Plan(wanted)) => Some(wanted.revision),
        _ => None,
    });
    wanted.collect()
}

const MINUTE: f64 = 60_000.0;

#[test]
fn plans_requests_made_before_the_worker_started() {
    let mut page = Page {
        planner: Planner::default(),
        now: 0.0,
    };
    assert!(page.plans(1).is_empty());
    assert_eq!(page.status(), Planning::Starting);
    assert_eq!(
        page.receives(Input::Loaded(Program::Planner)),
        [Command::Start(Program::Planner)]
    );
    assert_eq!(planned(&page.says(Event::Ready)), [1]);
    assert_eq!(page.status(), Planning::Sent);
}

#[test]
fn only_the_newest_request_is_planned() {
    let mut page = Page::new();
    assert_eq!(planned(&page.plans(1)), [1]);
    assert!(page.plans(2).is_empty());
    page.now += 20.0;
    assert!(page.plans(3).is_empty());
    let commands = page.answers(answer(1));
    assert_eq!(planned(&commands), [3]);
    assert_eq!(commands.len(), 1, "the answer to the first is overtaken");
    assert_eq!(page.answers(answer(3)), [shown(answer(3))]);
    assert!(page.answers(answer(3)).is_empty(), "it was answered");
}

#[test]
fn outdated_request_is_stopped_for_a_newer_one() {
    let mut page = Page::new();
    page.plans(1);
    page.plans(2);
    assert_eq!(page.waits(100.0), STOP);
    assert_eq!(page.now, 1_000.0 + OVERTAKE);
    assert!(page.plans(3).is_empty(), "it is stopping already");
    assert_eq!(planned(&page.answers(stopped(1))), [3]);
    assert!(page.waits(500.0).is_empty(), "it has ended");
}

#[test]
fn status_changes_only_if_the_answer_is_late() {
    let mut page = Page::new();
    page.plans(1);
    assert_eq!(page.status(), Planning::Sent);
    page.now += 30.0;
    page.plans(2);
    assert_eq!(page.waits(40.0), STOP);
    page.waits(35.0);
    assert_eq!(page.status(), Planning::Sent);
    page.waits(5.0);
    assert_eq!(
        page.status(),
        Planning::Busy(Phase::Reading, 0),
        "since the first edit"
    );
    page.answers(stopped(1));
    assert_eq!(page.status(), Planning::Busy(Phase::Reading, 0));
    page.answers(answer(2));
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn stopped_planning_ends_with_its_best_plan_so_far() {
    let mut page = Page::new();
    page.plans(1);
    page.now += 3_500.0;
    let phase = Phase::Searching(9);
    page.says(Event::Progress { revision: 1, phase });
    assert_eq!(page.status(), Planning::Busy(phase, 3));
    assert_eq!(page.receives(Input::Stop), STOP);
    assert!(page.receives(Input::Stop).is_empty(), "it was told");
    assert_eq!(page.answers(stopped(1)), [shown(stopped(1))]);
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn stop_before_sending_marks_the_answer_as_outdated() {
    let mut page = Page::new();
    page.plans(4);
    page.answers(answer(4));
    page.plans(5);
    page.plans(6);
    assert_eq!(page.receives(Input::Stop), STOP);
    assert!(
        page.answers(answer(5)).is_empty(),
        "it is that of no document"
    );
    assert_eq!(page.status(), Planning::Stopped);
    assert!(page.status().is_old(&answer(4), 6));
    // The mark doesn't flicker when planning continues.
    assert_eq!(planned(&page.plans(7)), [7]);
    assert!(page.status().is_old(&answer(4), 7));
    page.answers(answer(7));
    assert_eq!(page.status(), Planning::Idle);
    assert!(!page.status().is_old(&answer(7), 7));
}

#[test]
fn stuck_worker_is_replaced_and_its_answer_kept() {
    let mut page = Page::new();
    page.plans(1);
    page.receives(Input::Stop);
    let expected = [Command::Start(Program::Planner), shown(stopped(1))];
    assert_eq!(page.waits(100.0), expected);
    assert_eq!(page.status(), Planning::Idle);
    assert_eq!(page.planner.note(), None, "that is no fault");

    page.says(Event::Ready);
    page.plans(2);
    assert_eq!(page.answers(meanwhile(2)), [shown(meanwhile(2))]);
    page.receives(Input::Stop);
    let best = Answer {
        ended: true,
        ..meanwhile(2)
    };
    assert_eq!(
        page.waits(100.0),
        [Command::Start(Program::Planner), shown(best)]
    );
}

#[test]
fn stop_between_crash_and_retry_keeps_the_best_answer() {
    let mut page = Page::new();
    page.plans(1);
    page.answers(meanwhile(1));
    assert_eq!(
        page.receives(Input::Failed),
        [Command::Start(Program::Planner)]
    );
    let best = Answer {
        ended: true,
        ..meanwhile(1)
    };
    assert_eq!(page.receives(Input::Stop), [shown(best)]);
    assert_eq!(page.status(), Planning::Idle, "the answer isn't old");
    assert!(page.says(Event::Ready).is_empty(), "nothing is pending");
}

#[test]
fn replacement_worker_plans_the_newest_request() {
    let mut page = Page::new();
    page.plans(1);
    page.plans(2);
    assert_eq!(page.waits(100.0), STOP);
    assert_eq!(page.waits(100.0), [Command::Start(Program::Planner)]);
    assert!(page.plans(3).is_empty(), "it has not started");
    assert_eq!(planned(&page.says(Event::Ready)), [3]);
}

#[test]
fn dead_idle_worker_is_replaced_within_seconds() {
    let mut page = Page::new();
    page.plans(1);
    page.answers(answer(1));
    assert_eq!(page.waits(MINUTE), [Command::Start(Program::Planner)]);
    assert!(page.now <= 1_000.0 + 5.0 * LOOK);
    assert!(page.planner.note().is_some());
    page.says(Event::Ready);
    assert_eq!(planned(&page.plans(2)), [2]);
    assert_eq!(page.planner.note(), None);
}

#[test]
fn responsive_worker_is_kept() {
    let mut page = Page::new();
    page.plans(1);
    for look in 1..1_000 {
        page.now += LOOK;
        assert_eq!(
            page.receives(Input::Wake),
            [Command::Post(Request::Ping(look))]
        );
        let is_busy = true;
        page.says(Event::Alive {
            ping: look,
            is_busy,
        });
    }
    // In a long slice it doesn't answer, but it looks at its clock.
    for _ in 0..1_000 {
        page.now += LOOK;
        assert_eq!(page.receives(Input::Wake).len(), 1);
        page.says(Event::Working);
    }
}

#[test]
fn request_that_crashes_the_worker_is_retried_once() {
    let mut page = Page::new();
    page.plans(1);
    page.answers(answer(1));
    page.plans(2);
    assert_eq!(page.waits(MINUTE), [Command::Start(Program::Planner)]);
    assert!(page.now < 12_000.0);
    assert!(matches!(page.status(), Planning::Busy(..)));
    assert!(page.planner.note().is_some());
    assert_eq!(planned(&page.says(Event::Ready)), [2]);
    page.says(Event::Working);
    assert_eq!(
        page.receives(Input::Failed),
        [Command::Start(Program::Planner)]
    );
    assert!(matches!(page.status(), Planning::Broken(_)));
    assert!(page.status().is_old(&answer(1), 2));
    assert_eq!(page.says(Event::Ready), []);
    assert_eq!(planned(&page.plans(3)), [3]);
    page.answers(answer(3));
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn large_documents_get_more_time_to_be_read() {
    let mut page = Page::new();
    let info = taskloom_document::Info {
        title: String::new(),
        note: "x".repeat(40 * BYTES_PER_LOOK),
    };
    let edit = taskloom_document::Edit::SetInfo(info);
    let document = taskloom_document::Document::default().apply(&edit).unwrap();
    page.receives(Input::Plan(PlanRequest {
        document: Arc::new(document),
        ..request(1)
    }));
    assert!(page.waits(40.0 * LOOK).is_empty());
    assert_eq!(page.waits(MINUTE), [Command::Start(Program::Planner)]);
}

#[test]
fn lost_answers_are_detected() {
    let mut page = Page::new();
    page.waits(LOOK);
    page.plans(1);
    let idle = |ping| Event::Alive {
        ping,
        is_busy: false,
    };
    assert!(page.says(idle(1)).is_empty(), "the ping was sent before");
    page.waits(LOOK);
    assert_eq!(page.says(idle(2)), [Command::Start(Program::Planner)]);
    assert_eq!(planned(&page.says(Event::Ready)), [1]);
}

#[test]
fn failing_worker_starts_pause_until_the_next_request() {
    let mut page = Page::new();
    page.plans(1);
    for _ in 1..MAX_DEATHS {
        assert_eq!(
            page.receives(Input::Failed),
            [Command::Start(Program::Planner)]
        );
    }
    assert_eq!(page.receives(Input::Failed), [Command::End]);
    assert!(matches!(page.status(), Planning::Broken(_)));
    assert_eq!(page.waits(MINUTE), []);
    assert_eq!(page.plans(2), [Command::Start(Program::Planner)]);
    assert_eq!(planned(&page.says(Event::Ready)), [2]);
}

#[test]
fn status_is_the_reason_for_a_missing_worker() {
    let mut planner = Planner::default();
    planner.step(Input::Missing(Program::Planner, "none"), 0.0);
    planner.step(Input::Plan(request(1)), 0.0);
    planner.step(Input::Stop, 0.0);
    planner.step(Input::Forget(2), 0.0);
    assert_eq!(planner.status(9.0), Planning::Broken("none".to_owned()));
    assert_eq!(planner.due(9.0), None);
}

#[test]
fn plans_once_a_missing_program_is_loaded() {
    let mut page = Page::new();
    page.receives(Input::Missing(Program::Planner, "none"));
    assert_eq!(page.plans(1), []);
    assert_eq!(page.status(), Planning::Broken("none".to_owned()));
    assert_eq!(page.receives(Input::Loading(Program::Planner)), []);
    assert_eq!(page.plans(2), []);
    assert!(!matches!(page.status(), Planning::Broken(_)));
    assert_eq!(
        page.receives(Input::Loaded(Program::Planner)),
        [Command::Start(Program::Planner)]
    );
    assert_eq!(planned(&page.says(Event::Ready)), [2]);
}

#[test]
fn irreplaceable_worker_leaves_the_best_answer_so_far() {
    let broken = Planning::Broken("none".to_owned());
    let mut page = Page::new();
    page.plans(1);
    page.answers(meanwhile(1));
    assert_eq!(
        page.receives(Input::Failed),
        [Command::Start(Program::Planner)]
    );
    let best = Answer {
        ended: true,
        ..meanwhile(1)
    };
    assert_eq!(
        page.receives(Input::Missing(Program::Planner, "none")),
        [shown(best)]
    );
    assert_eq!(page.status(), broken);

    let mut page = Page::new();
    page.plans(1);
    page.answers(answer(1));
    assert_eq!(
        page.receives(Input::Failed),
        [Command::Start(Program::Planner)]
    );
    assert!(
        page.receives(Input::Missing(Program::Planner, "none"))
            .is_empty(),
        "it has ended"
    );
    assert_eq!(page.status(), broken);
}

#[test]
fn answers_to_forgotten_requests_are_dropped() {
    let mut page = Page::new();
    page.plans(1);
    assert_eq!(page.receives(Input::Forget(2)), STOP);
    assert_eq!(page.status(), Planning::Idle);
    assert!(page.answers(answer(1)).is_empty());
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn another_program_plans_what_the_first_cannot() {
    let any = |revision| {
        Input::Plan(PlanRequest {
            strategy: Strategy::Fastest,
            ..request(revision)
        })
    };
    let mut page = Page::new();
    assert!(
        page.receives(any(1)).contains(&Command::End),
        "it waits for its program"
    );
    assert_eq!(
        page.receives(Input::Loaded(Program::Jobs)),
        [Command::Start(Program::Jobs)]
    );
    assert_eq!(planned(&page.says(Event::Ready)), [1]);
    page.answers(answer(1));
    assert_eq!(planned(&page.receives(any(2))), [2], "the program stays");
    page.answers(answer(2));
    assert_eq!(page.plans(3), [Command::Start(Program::Planner)]);
    assert_eq!(planned(&page.says(Event::Ready)), [3]);
}

#[test]
fn requests_for_a_missing_program_leave_the_other_at_work() {
    let mut page = Page::new();
    page.receives(Input::Missing(Program::Jobs, "none"));
    page.receives(Input::Plan(PlanRequest {
        strategy: Strategy::Fastest,
        ..request(1)
    }));
    assert_eq!(page.status(), Planning::Broken("none".to_owned()));
    assert_eq!(page.plans(2), [Command::Start(Program::Planner)]);
    assert_eq!(planned(&page.says(Event::Ready)), [2]);
    page.answers(answer(2));
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn known_answers_are_shown_before_a_worker_starts_and_confirmed_by_it() {
    let mut page = Page {
        planner: Planner::default(),
        now: 0.0,
    };
    let known = |revision| Input::Known(Box::new(answer(revision)));
    assert_eq!(page.status(), Planning::Starting);
    page.plans(1);
    assert_eq!(page.receives(known(1)), [shown(answer(1))]);
    assert_eq!(page.status(), Planning::Idle);
    assert!(page.receives(known(0)).is_empty(), "of another revision");
    page.receives(Input::Loaded(Program::Planner));
    assert_eq!(page.status(), Planning::Idle);
    assert_eq!(planned(&page.says(Event::Ready)), [1]);
    assert_eq!(page.answers(answer(1)), [shown(answer(1))]);
    assert_eq!(page.status(), Planning::Idle);
}

#[test]
fn an_edit_before_the_worker_starts_marks_a_known_answer_as_old() {
    let mut page = Page {
        planner: Planner::default(),
        now: 0.0,
    };
    page.plans(1);
    page.receives(Input::Known(Box::new(answer(1))));
    page.plans(2);
    assert_eq!(page.status(), Planning::Starting);
    assert!(page.status().is_old(&answer(1), 2));
}

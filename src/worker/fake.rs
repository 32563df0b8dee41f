//! Fake workers, a fake clock and fake timers, for tests of code that talks to workers.
//!
//! Messages between the page and a worker keep their order and take a random time. A worker plans
//! in slices and receives nothing within one; it dies when the test says so, with or without a
//! message to the page.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use taskloom_planner::plan::Outcome;
use taskloom_worker::{
    Answer, Event, Exported, Imported, KnownDocument, Phase, Program, Request, SentDocument, Wanted,
};

use super::host::{Host, Post};

/// A SplitMix64 random number generator.
pub struct Random(Cell<u64>);

impl Random {
    /// Creates the generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        self.next() % end
    }

    /// Returns `true` in one of `n` cases.
    pub fn one_in(&self, n: u64) -> bool {
        self.below(n) == 0
    }
}

type Act = Box<dyn FnOnce(&Rc<World>)>;

/// The environment of fake workers. Time is in milliseconds.
pub struct World {
    /// The scheduled actions, by their times.
    agenda: RefCell<BTreeMap<(u64, u64), Act>>,
    now: Cell<u64>,
    count: Cell<u64>,
    workers: RefCell<BTreeMap<u64, Worker>>,
    /// The source of all random decisions.
    pub random: Random,
    /// If `true`, workers do nothing wrong from now on.
    pub is_peaceful: Cell<bool>,
    /// The requests that workers have received, by kind.
    pub received: RefCell<BTreeMap<&'static str, u32>>,
    /// The document that a worker has read last.
    pub planned: RefCell<Option<KnownDocument>>,
}

/// A worker as seen by the world.
struct Worker {
    program: Program,
    on_message: Option<Box<dyn FnMut(Event)>>,
    fail: Option<Box<dyn FnMut()>>,
    inbox: VecDeque<Request>,
    planning: Option<Planning>,
    /// The document of the last request.
    known: Option<KnownDocument>,
    /// `true` while it is in a slice.
    is_busy: bool,
    /// `true` if it never does anything any more.
    is_dead: bool,
    /// The times at which its last message reaches the page, and the page's last one reaches it.
    last: (u64, u64),
}

/// The planning request in progress.
struct Planning {
    wanted: Wanted,
    slices: u64,
}

impl World {
    /// Creates an empty world with the random decisions of a seed.
    pub fn new(seed: u64) -> Rc<Self> {
        Rc::new(Self {
            agenda: RefCell::default(),
            now: Cell::new(1_000),
            count: Cell::new(0),
            workers: RefCell::default(),
            random: Random::new(seed),
            is_peaceful: Cell::new(false),
            received: RefCell::default(),
            planned: RefCell::default(),
        })
    }

    /// Returns the time.
    pub fn now(&self) -> u64 {
        self.now.get()
    }

    fn number(&self) -> u64 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    fn at(&self, time: u64, act: impl FnOnce(&Rc<Self>) + 'static) -> (u64, u64) {
        let key = (time.max(self.now()), self.number());
        self.agenda.borrow_mut().insert(key, Box::new(act));
        key
    }

    /// Advances the time by `millis` milliseconds; `look` is called after each action.
    pub fn pass(self: &Rc<Self>, millis: u64, mut look: impl FnMut()) {
        let end = self.now() + millis;
        loop {
            let next = self.agenda.borrow().keys().next().copied();
            let Some(key) = next.filter(|(time, _)| *time <= end) else {
                break;
            };
            let act = self.agenda.borrow_mut().remove(&key);
            self.now.set(key.0);
            act.into_iter().for_each(|act| act(self));
            look();
        }
        self.now.set(end);
        look();
    }

    fn worker<T>(&self, id: u64, act: impl FnOnce(&mut Worker) -> T) -> Option<T> {
        self.workers.borrow_mut().get_mut(&id).map(act)
    }

    /// Sends a message from a worker, which arrives unless the worker has been ended by then.
    fn say(self: &Rc<Self>, id: u64, event: Event) {
        let delay = self.random.below(12);
        let now = self.now();
        let time = self.worker(id, |worker| {
            worker.last.0 = worker.last.0.max(now + delay);
            worker.last.0
        });
        self.at(time.unwrap_or_default(), move |world| {
            let on_message = world
                .worker(id, |worker| worker.on_message.take())
                .flatten();
            if let Some(mut on_message) = on_message {
                on_message(event);
                world.worker(id, |worker| worker.on_message = Some(on_message));
            }
        });
    }

    /// Returns a random living worker.
    pub fn any_worker(&self) -> Option<u64> {
        let workers = self.workers.borrow();
        let living: Vec<u64> = workers
            .iter()
            .filter(|(_, worker)| !worker.is_dead)
            .map(|(id, _)| *id)
            .collect();
        (!living.is_empty()).then(|| living[self.random.below(living.len() as u64) as usize])
    }

    /// Ends a worker. The page is notified only if it crashes.
    pub fn kill(self: &Rc<Self>, id: u64, crashes: bool) {
        self.worker(id, |worker| worker.is_dead = true);
        if crashes {
            self.at(self.now() + self.random.below(12), move |world| {
                let fail = world.worker(id, |worker| worker.fail.take()).flatten();
                fail.into_iter().for_each(|mut fail| fail());
            });
        }
    }

    /// Performs a worker's next action: receiving a message, or continuing its planning.
    fn go_on(self: &Rc<Self>, id: u64) {
        let idle = self.worker(id, |worker| !worker.is_busy && !worker.is_dead);
        if idle != Some(true) {
            return;
        }
        if !self.is_peaceful.get() && self.random.one_in(400) {
            return self.kill(id, self.random.one_in(2));
        }
        let request = self.worker(id, |worker| worker.inbox.pop_front()).flatten();
        match request {
            Some(request) => self.receive(id, request),
            None => self.plan(id),
        }
    }

    fn slice(self: &Rc<Self>, id: u64, millis: u64) {
        self.worker(id, |worker| worker.is_busy = true);
        // Signs of life from within a slice.
        for beat in 1..=millis / 500 {
            self.at(self.now() + beat * 500, move |world| {
                if world.worker(id, |worker| worker.is_dead) == Some(false) {
                    world.say(id, Event::Working);
                }
            });
        }
        self.at(self.now() + millis, move |world| {
            world.worker(id, |worker| worker.is_busy = false);
            world.go_on(id);
        });
    }

    fn count(&self, kind: &'static str) {
        *self.received.borrow_mut().entry(kind).or_default() += 1;
    }

    fn receive(self: &Rc<Self>, id: u64, request: Request) {
        let can_do = self.worker(id, |worker| {
            worker.program == Program::Jobs || request.program() == Program::Planner
        });
        assert_eq!(can_do, Some(true), "{request:?} needs another program");
        let result = match request {
            Request::Plan(wanted) => {
                self.count("plan");
                let slices = match self.random.below(8) {
                    0 => 2_000,
                    1 | 2 => self.random.below(60),
                    _ => self.random.below(4),
                };
                if !self.read(id, &wanted) {
                    self.count("unknown base");
                    self.say(id, Event::UnknownBase(wanted.revision));
                    return self.slice(id, 1);
                }
                self.worker(id, |worker| {
                    worker.planning = Some(Planning { wanted, slices })
                });
                return self.slice(id, 1);
            }
            Request::Stop => {
                self.count("stop");
                let planning = self.worker(id, |worker| worker.planning.take()).flatten();
                planning.into_iter().for_each(|planning| {
                    self.say(id, answer(&planning.wanted, Outcome::Stopped, true));
                });
                return self.slice(id, 1);
            }
            Request::Ping(ping) => {
                let is_busy = self.worker(id, |worker| worker.planning.is_some());
                let is_busy = is_busy == Some(true);
                self.say(id, Event::Alive { ping, is_busy });
                return self.slice(id, 1);
            }
            Request::Export { document, .. } => {
                self.count("export");
                Event::Exported(Ok(Exported {
                    files: vec![(document, vec![])],
                    warnings: vec![],
                }))
            }
            Request::Check { scenarios, .. } => {
                self.count("check");
                let checks = scenarios.into_iter();
                let checks = checks.map(|scenario| (scenario, Default::default()));
                Event::Checked(Ok(checks.collect()))
            }
            Request::Trace { .. } => {
                self.count("trace");
                Event::Traced(Ok(None))
            }
            Request::Layout { at, .. } => {
                self.count("layout");
                Event::LaidOut(at.into_iter().flatten().collect())
            }
            Request::ReadLog { log, .. } => {
                self.count("log");
                Event::LogRead(Err(log.name))
            }
            Request::Import { domain, .. } => {
                self.count("import");
                Event::Imported(Ok(Imported {
                    document: domain.text,
                    doubts: Default::default(),
                }))
            }
        };
        let time = match self.random.below(5) {
            0 => self.random.below(9_000),
            _ => self.random.below(40),
        };
        self.slice(id, time);
        let end = self.now() + time;
        self.at(end, move |world| {
            let is_dead = world.worker(id, |worker| worker.is_dead);
            let is_lost = !world.is_peaceful.get() && world.random.one_in(30);
            if is_dead == Some(false) && !is_lost {
                world.say(id, result);
            }
        });
    }

    /// Reads the document of a request. Returns `false` if it's based on one that the worker doesn't
    /// have.
    fn read(&self, id: u64, wanted: &Wanted) -> bool {
        let is_forgetful = !self.is_peaceful.get() && self.random.one_in(40);
        let document = self.worker(id, |worker| {
            worker.planning = None;
            let known = worker.known.take().filter(|_| !is_forgetful);
            let document = Arc::new(wanted.document.read(known.as_ref())?);
            worker.known = Some((wanted.revision, document.clone()));
            Some(document)
        });
        let Some(document) = document.flatten() else {
            return false;
        };
        if matches!(wanted.document, SentDocument::Changed { .. }) {
            self.count("changed");
        }
        *self.planned.borrow_mut() = Some((wanted.revision, document));
        true
    }

    /// Runs a slice of the planning request, if there is one.
    fn plan(self: &Rc<Self>, id: u64) {
        let next = self.worker(id, |worker| {
            let planning = worker.planning.as_mut()?;
            planning.slices = planning.slices.saturating_sub(1);
            Some((planning.wanted.clone(), planning.slices))
        });
        let Some((wanted, slices)) = next.flatten() else {
            return;
        };
        if slices == 0 {
            self.worker(id, |worker| worker.planning = None);
            if self.is_peaceful.get() || !self.random.one_in(50) {
                self.say(id, answer(&wanted, Outcome::NoPlan, true));
            }
            return self.slice(id, 1);
        }
        let (revision, phase) = (wanted.revision, Phase::Searching(slices));
        match self.random.below(10) {
            0 => self.say(id, answer(&wanted, Outcome::Stopped, false)),
            1 | 2 => self.say(id, Event::Progress { revision, phase }),
            _ => {}
        }
        match self.random.below(1_000) {
            // It is stuck.
            0 if !self.is_peaceful.get() => self.kill(id, false),
            1 => self.slice(id, 12_000),
            _ => self.slice(id, 8),
        }
    }
}

/// Returns a worker's answer.
fn answer(wanted: &Wanted, outcome: Outcome, ended: bool) -> Event {
    let whose = (wanted.scenario.clone(), wanted.character);
    let answer = Answer::without_plan(wanted.revision, whose, wanted.strategy, outcome);
    Event::Answer(Box::new(Answer { ended, ..answer }))
}

/// The fake browser.
pub struct FakeHost(pub Rc<World>);

/// The page's end of a fake worker.
pub struct FakeWorker {
    world: Rc<World>,
    id: u64,
}

/// A timer of the fake clock.
pub struct FakeTimer {
    world: Rc<World>,
    key: (u64, u64),
}

impl Host for FakeHost {
    type Worker = FakeWorker;
    type Timer = FakeTimer;

    fn now(&self) -> f64 {
        self.0.now() as f64
    }

    fn load(&self, _: Program, done: Box<dyn FnOnce(bool)>) {
        let world = &self.0;
        let is_loaded = world.is_peaceful.get() || !world.random.one_in(20);
        let longest = [50, 50, 50, 3_000][world.random.below(4) as usize];
        let time = world.now() + world.random.below(longest);
        world.at(time, move |_| done(is_loaded));
    }

    fn start(
        &self,
        program: Program,
        _name: &str,
        on_message: Box<dyn FnMut(Event)>,
        fail: Box<dyn FnMut()>,
    ) -> Option<FakeWorker> {
        let world = &self.0;
        let id = world.number();
        let worker = Worker {
            program,
            on_message: Some(on_message),
            fail: Some(fail),
            inbox: VecDeque::new(),
            planning: None,
            known: None,
            is_busy: true,
            is_dead: !world.is_peaceful.get() && world.random.one_in(40),
            last: (0, 0),
        };
        world.workers.borrow_mut().insert(id, worker);
        world.at(world.now() + world.random.below(200), move |world| {
            if world.worker(id, |worker| worker.is_dead) == Some(false) {
                world.say(id, Event::Ready);
                world.worker(id, |worker| worker.is_busy = false);
                world.go_on(id);
            }
        });
        Some(FakeWorker {
            world: world.clone(),
            id,
        })
    }

    fn timer(&self, millis: u32, run: Box<dyn FnOnce()>) -> FakeTimer {
        // Busy pages are late.
        let late = self.0.random.below(4);
        let time = self.0.now() + u64::from(millis) + late;
        FakeTimer {
            world: self.0.clone(),
            key: self.0.at(time, |_| run()),
        }
    }
}

impl Post for FakeWorker {
    fn post(&self, request: &Request) {
        let (world, id, request) = (&self.world, self.id, request.clone());
        let delay = world.random.below(12);
        let now = world.now();
        let time = world.worker(id, |worker| {
            worker.last.1 = worker.last.1.max(now + delay);
            worker.last.1
        });
        world.at(time.unwrap_or_default(), move |world| {
            world.worker(id, |worker| worker.inbox.push_back(request));
            world.go_on(id);
        });
    }
}

impl Drop for FakeWorker {
    fn drop(&mut self) {
        let worker = self.world.workers.borrow_mut().remove(&self.id);
        drop(worker);
    }
}

impl Drop for FakeTimer {
    fn drop(&mut self) {
        let act = self.world.agenda.borrow_mut().remove(&self.key);
        drop(act);
    }
}

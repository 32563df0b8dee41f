//! Tasks and timers of several tabs in virtual time. Each thread has its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};

/// The owner of what belongs to no tab and outlives all.
pub const NOBODY: usize = 0;

type Task = Pin<Box<dyn Future<Output = ()>>>;
type Call = Box<dyn FnOnce()>;

#[derive(Default)]
struct Queue {
    /// In milliseconds.
    now: u64,
    /// The running tab.
    tab: usize,
    next: u64,
    tasks: BTreeMap<u64, (usize, Task)>,
    ready: Arc<Mutex<VecDeque<u64>>>,
    timers: BTreeMap<(u64, u64), (usize, Call)>,
    /// The tabs that have ended.
    dead: BTreeSet<usize>,
}

thread_local! {
    static QUEUE: RefCell<Queue> = RefCell::default();
}

fn queue<T>(act: impl FnOnce(&mut Queue) -> T) -> T {
    QUEUE.with_borrow_mut(act)
}

struct Woken {
    task: u64,
    ready: Arc<Mutex<VecDeque<u64>>>,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.ready.lock().unwrap().push_back(self.task);
    }
}

struct Virtual;

impl CustomExecutor for Virtual {
    fn spawn(&self, future: PinnedFuture<()>) {
        spawn(future);
    }

    fn spawn_local(&self, future: PinnedLocalFuture<()>) {
        spawn(future);
    }

    fn poll_local(&self) {
        run();
    }
}

/// Starts an empty world at this time.
pub fn start(now: u64) {
    // An earlier caller has set the same.
    let _ = Executor::init_custom_executor(Virtual);
    let old = queue(|queue| {
        let next = Queue {
            now,
            ..Queue::default()
        };
        mem::replace(queue, next)
    });
    drop(old);
}

/// Returns the time, in milliseconds.
pub fn now() -> u64 {
    queue(|queue| queue.now)
}

/// Runs code as a tab.
pub fn enter<T>(tab: usize, act: impl FnOnce() -> T) -> T {
    let before = queue(|queue| mem::replace(&mut queue.tab, tab));
    let result = act();
    queue(|queue| queue.tab = before);
    result
}

fn spawn(future: Task) {
    queue(|queue| {
        let tab = queue.tab;
        if queue.dead.contains(&tab) {
            return;
        }
        queue.next += 1;
        let number = queue.next;
        queue.tasks.insert(number, (tab, future));
        queue.ready.lock().unwrap().push_back(number);
    });
}

/// Calls back as the current tab, unless it has ended by then.
pub fn after(millis: u64, call: impl FnOnce() + 'static) {
    queue(|queue| {
        queue.next += 1;
        let at = (queue.now + millis, queue.next);
        queue.timers.insert(at, (queue.tab, Box::new(call)));
    });
}

/// Runs all tasks until each of them is waiting.
pub fn run() {
    loop {
        let next = queue(|queue| {
            let number = queue.ready.lock().unwrap().pop_front()?;
            Some((number, queue.tasks.remove(&number), queue.ready.clone()))
        });
        let Some((number, task, ready)) = next else {
            return;
        };
        let Some((tab, mut task)) = task else {
            continue;
        };
        let woken = Woken {
            task: number,
            ready,
        };
        let waker = Waker::from(Arc::new(woken));
        let polled = enter(tab, || task.as_mut().poll(&mut Context::from_waker(&waker)));
        if polled == Poll::Pending && !queue(|queue| queue.dead.contains(&tab)) {
            queue(|queue| queue.tasks.insert(number, (tab, task)));
        }
    }
}

/// Advances the time, and runs everything that becomes due.
pub fn advance(millis: u64) {
    run();
    let end = now() + millis;
    loop {
        let due = queue(|queue| {
            let entry = queue.timers.first_entry()?;
            if entry.key().0 > end {
                return None;
            }
            let ((at, _), timer) = entry.remove_entry();
            queue.now = at;
            Some(timer)
        });
        let Some((tab, call)) = due else {
            break;
        };
        enter(tab, call);
        run();
    }
    queue(|queue| queue.now = end);
}

/// Ends all tasks and timers of a tab.
pub fn kill(tab: usize) {
    let (tasks, timers) = queue(|queue| {
        queue.dead.insert(tab);
        let is_of = |owner: usize| owner == tab;
        let tasks: Vec<_> = queue
            .tasks
            .extract_if(.., |_, (of, _)| is_of(*of))
            .collect();
        let timers: Vec<_> = queue
            .timers
            .extract_if(.., |_, (of, _)| is_of(*of))
            .collect();
        (tasks, timers)
    });
    // Dropping them may run code.
    enter(tab, || drop((tasks, timers)));
}

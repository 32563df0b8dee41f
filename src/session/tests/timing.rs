//! The time from edits to the writes that store them.

use std::cell::Cell;
use std::rc::Rc;

use taskloom_document::BlockId;

use super::*;
use crate::web::platform::{Clock, Later};

/// The time between two edits while somebody types, in milliseconds.
const TYPING: u64 = 50;

/// Makes an edit at each of these times. Returns the time at which a write begins. All times are in
/// milliseconds.
fn time_of_write(edits: &[u64]) -> u64 {
    let world = World::new(1);
    let tab = tab_with(&world, 1, "A");
    let before = tab.session.entry().revision;
    for time in 0..5_000 {
        if tab.session.entry().revision > before {
            return time;
        }
        if edits.contains(&time) {
            tab.sets_title(&format!("A{time}"));
        }
        executor::advance(1);
    }
    panic!("no write has begun")
}

#[test]
fn edits_are_written_in_the_next_pause() {
    assert_eq!(time_of_write(&[0]), 200);
    assert_eq!(time_of_write(&[0, 150]), 400);
    assert_eq!(time_of_write(&[0, 150, 350]), 600);
    assert_eq!(time_of_write(&[0, 350]), 200);
}

#[test]
fn edits_that_keep_coming_are_written_after_800_ms() {
    let edits: Vec<u64> = (0..40).map(|number| number * TYPING).collect();
    assert_eq!(time_of_write(&edits), 800);
    // All of them are stored at most a second later.
    let world = World::new(1);
    let tab = tab_with(&world, 1, "A");
    for number in 0..100 {
        tab.sets_title(&number.to_string());
        executor::advance(TYPING);
        if let Some(old) = (number * TYPING).checked_sub(1_000) {
            let stored: u64 = rows(&world)[0].parse().expect("a number");
            assert!(stored * TYPING >= old, "{stored} is stored, not {number}");
        }
    }
}

#[test]
fn leaving_the_page_while_edits_are_gathered_loses_nothing() {
    for duration in [0, 100, 300, 500, 700, 850, 1_000] {
        let world = World::new(duration);
        let tab = tab_with(&world, 1, "A");
        for number in 0..duration / TYPING {
            tab.sets_title(&number.to_string());
            executor::advance(TYPING);
        }
        tab.sets_title("B");
        world.leave(1);
        tab.crashes();
        let tab = Tab::open(&world, 2, 1);
        assert_eq!(tab.title(), "B", "after {duration} ms");
        rest();
        assert_eq!(rows(&world), ["B"], "after {duration} ms");
    }
}

/// A clock that the user sets back.
struct SetBack {
    clock: Rc<dyn Clock>,
    by: Rc<Cell<f64>>,
}

impl Clock for SetBack {
    fn now(&self) -> f64 {
        self.clock.now() - self.by.get()
    }

    fn after(&self, millis: u32, act: Box<dyn FnOnce()>) {
        self.clock.after(millis, act);
    }

    fn sleep(&self, millis: u32) -> Later<()> {
        self.clock.sleep(millis)
    }

    fn unused_id(&self) -> BlockId {
        self.clock.unused_id()
    }
}

#[test]
fn edits_are_written_after_the_clock_is_set_back() {
    const HOUR: f64 = 3_600_000.0;
    let world = World::new(1);
    let by = Rc::new(Cell::new(0.0));
    let platform = world.platform(1, 1);
    let clock = Rc::new(SetBack {
        clock: platform.clock.clone(),
        by: by.clone(),
    });
    let platform = Platform { clock, ..platform };
    let tab = Tab::open_on(platform, &world, 1, 1);
    tab.opens_text("A");
    rest();
    by.set(HOUR);
    tab.sets_title("B");
    executor::advance(400);
    assert_eq!(rows(&world), ["B"]);
    // Also while edits are gathered.
    tab.sets_title("C");
    executor::advance(100);
    by.set(2.0 * HOUR);
    tab.sets_title("D");
    executor::advance(600);
    assert_eq!(rows(&world), ["D"]);
    assert_eq!(tab.saved(), Saved::Yes);
}

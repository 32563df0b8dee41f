//! An event that tasks can wait for.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

#[derive(Default)]
struct State {
    has_ended: bool,
    wakers: Vec<Waker>,
}

/// A one-time event that tasks can wait for.
#[derive(Clone, Default)]
pub struct Ending(Rc<RefCell<State>>);

impl Ending {
    /// Signals the event to all waiting tasks.
    pub fn end(&self) {
        let wakers = {
            let mut state = self.0.borrow_mut();
            state.has_ended = true;
            std::mem::take(&mut state.wakers)
        };
        for waker in wakers {
            waker.wake();
        }
    }

    /// Waits for the event.
    pub async fn ended(self) {
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if state.has_ended {
                return Poll::Ready(());
            }
            state.wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

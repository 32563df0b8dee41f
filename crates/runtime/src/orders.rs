//! Orders to an actor from elsewhere, for example from within its body.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// An order that an actor follows after its current tick.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Do these tasks instead of the current ones.
    Assign(Vec<String>),
    /// Stop, and drop all tasks.
    Stop,
    /// Leave the world.
    Remove,
}

/// A handle to an actor that takes orders. They are followed when the current turn of the actor, or its
/// next one, is over. Clones give orders to the same actor.
#[derive(Debug, Clone, Default)]
pub struct Orders(Arc<Mutex<Vec<Order>>>);

impl Orders {
    /// Replaces the actor's tasks, once no uninterruptible step of it is in progress. It first cleans up after
    /// those that this aborts. If one of the tasks is invalid, or the actor pursues goals, it continues, and
    /// its [`Tick`](crate::Tick) reports why.
    pub fn assign(&self, tasks: &[impl AsRef<str>]) {
        let tasks = tasks.iter().map(|task| task.as_ref().to_owned());
        self.give(Order::Assign(tasks.collect()));
    }

    /// Stops the actor: it has no tasks any more, and doesn't clean up.
    pub fn stop(&self) {
        self.give(Order::Stop);
    }

    /// Removes the actor: it stops, and does nothing any more.
    pub fn remove(&self) {
        self.give(Order::Remove);
    }

    /// Returns the orders given so far.
    pub(crate) fn given(&self) -> Vec<Order> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn give(&self, order: Order) {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        orders.push(order);
    }

    /// Returns `true` if the actor was given other tasks.
    pub(crate) fn has_tasks(&self) -> bool {
        let orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut orders = orders.iter();
        orders.any(|order| matches!(order, Order::Assign(_)))
    }

    /// Puts orders back that can't be followed yet, before those that were given in the meantime.
    pub(crate) fn put_back(&self, waiting: Vec<Order>) {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(orders.splice(..0, waiting));
    }

    /// Takes the orders given so far.
    pub(crate) fn take(&self) -> Vec<Order> {
        let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut orders)
    }
}

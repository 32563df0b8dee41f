//! A tab's access to the browser.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use taskloom_document::BlockId;

use super::{Answer, Disk, Held, Pick, State, World};
use crate::testing::executor;
use crate::web::platform::{
    Allows, Changes, Clock, Database, File, Files, Handle, Later, Lock, LockMode, Locks, Notes,
    Opened, Page, Stamp, Storage, Target, Value,
};

/// A tab's access to the browser.
#[derive(Clone)]
pub struct TabBrowser {
    /// The browser.
    pub world: World,
    /// The tab's number.
    pub tab: usize,
    /// Persists across a reload.
    pub slot: usize,
}

impl Storage for TabBrowser {
    fn open(&self) -> Later<Result<Rc<dyn Database>, String>> {
        let database = self.clone();
        let opened = self
            .world
            .request(self.tab, |state| match &state.faults.refused {
                Some(reason) => Err(reason.clone()),
                None => Ok(()),
            });
        Box::pin(async move {
            opened.await?;
            Ok(Rc::new(database) as Rc<dyn Database>)
        })
    }

    fn is_persistent(&self) -> Later<Option<bool>> {
        Box::pin(async { None })
    }

    fn persist(&self) -> Later<()> {
        Box::pin(async {})
    }
}

impl Database for TabBrowser {
    fn get(&self, key: &str) -> Later<Result<Option<Value>, String>> {
        let (tab, key) = (self.clone(), key.to_owned());
        self.world.request(self.tab, move |state| {
            let value = state.values.get(&key);
            Ok(value.map(|value| tab.loaded(value)))
        })
    }

    fn keys(&self, prefix: &str) -> Later<Result<Vec<String>, String>> {
        let prefix = prefix.to_owned();
        self.world.request(self.tab, move |state| {
            let all = state.with_prefix(&prefix).into_iter();
            Ok(all.map(|(key, _)| key).collect())
        })
    }

    fn values(&self, prefix: &str) -> Later<Result<Vec<Value>, String>> {
        let prefix = prefix.to_owned();
        self.world.request(self.tab, move |state| {
            let all = state.with_prefix(&prefix).into_iter();
            Ok(all.map(|(_, value)| value).collect())
        })
    }

    fn write(&self, changes: Changes) -> Later<Result<(), String>> {
        self.world
            .request(self.tab, move |state| state.change(changes))
    }

    fn write_if(&self, key: &str, allows: Allows, changes: Changes) -> Later<Result<bool, String>> {
        let key = key.to_owned();
        self.world.request(self.tab, move |state| {
            if !allows(state.values.get(&key)) {
                return Ok(false);
            }
            state.change(changes).map(|()| true)
        })
    }
}

impl Notes for TabBrowser {
    fn get(&self, key: &str) -> Option<String> {
        self.world.0.borrow().notes.get(key).cloned()
    }

    fn keep(&self, key: &str, text: &str) -> bool {
        let mut state = self.world.0.borrow_mut();
        if state.faults.are_notes_full {
            return false;
        }
        state.notes.insert(key.to_owned(), text.to_owned());
        true
    }

    fn remove(&self, key: &str) {
        self.world.0.borrow_mut().notes.remove(key);
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        let state = self.world.0.borrow();
        let keys = state.notes.keys();
        keys.filter_map(|key| Some(key.strip_prefix(prefix)?.to_owned()))
            .collect()
    }

    fn of_tab(&self, key: &str) -> Option<String> {
        let key = (self.slot, key.to_owned());
        self.world.0.borrow().tab_notes.get(&key).cloned()
    }

    fn set_of_tab(&self, key: &str, text: &str) {
        let key = (self.slot, key.to_owned());
        let mut state = self.world.0.borrow_mut();
        state.tab_notes.insert(key, text.to_owned());
    }

    fn remove_of_tab(&self, key: &str) {
        let key = (self.slot, key.to_owned());
        self.world.0.borrow_mut().tab_notes.remove(&key);
    }

    fn keys_of_tab(&self, prefix: &str) -> Vec<String> {
        let state = self.world.0.borrow();
        let keys = state.tab_notes.keys();
        let own = keys.filter(|(slot, _)| *slot == self.slot);
        own.filter_map(|(_, key)| Some(key.strip_prefix(prefix)?.to_owned()))
            .collect()
    }
}

impl TabBrowser {
    fn grant(&self, name: &str, mode: LockMode, on_lost: Rc<dyn Fn()>) -> Option<Lock> {
        let (number, loser) = {
            let mut state = self.world.0.borrow_mut();
            if mode == LockMode::Free && state.locks.contains_key(name) {
                return None;
            }
            state.number += 1;
            let number = state.number;
            let tab = self.tab;
            let held = Held {
                tab,
                number,
                on_lost,
            };
            (number, state.locks.insert(name.to_owned(), held))
        };
        if let Some(loser) = loser {
            executor::enter(loser.tab, || executor::after(1, move || (loser.on_lost)()));
        }
        let (world, name) = (self.world.clone(), name.to_owned());
        Some(Lock::new(move || {
            let mut state = world.0.borrow_mut();
            let is_held = state
                .locks
                .get(&name)
                .is_some_and(|held| held.number == number);
            let released = is_held.then(|| state.locks.remove(&name));
            drop(state);
            drop(released);
        }))
    }
}

impl Locks for TabBrowser {
    fn request(&self, name: &str, mode: LockMode, on_lost: Rc<dyn Fn()>) -> Later<Option<Lock>> {
        let (tab, name) = (self.clone(), name.to_owned());
        self.world.later(8, move || tab.grant(&name, mode, on_lost))
    }

    fn held(&self) -> Later<Vec<String>> {
        let world = self.world.clone();
        self.world
            .later(8, move || world.0.borrow().locks.keys().cloned().collect())
    }
}

impl Page for TabBrowser {
    fn id(&self) -> String {
        format!("page{}", self.tab)
    }

    fn post(&self, message: &str) {
        let others: Vec<_> = {
            let state = self.world.0.borrow();
            let on_message = state
                .listeners
                .on_message
                .iter()
                .filter(|(tab, _)| **tab != self.tab);
            on_message
                .map(|(tab, on_message)| (*tab, on_message.clone()))
                .collect()
        };
        for (tab, on_message) in others {
            let message = message.to_owned();
            let delay = self.world.below(6);
            executor::enter(tab, || executor::after(delay, move || on_message(message)));
        }
    }

    fn on_message(&self, on_message: Box<dyn Fn(String)>) {
        let mut state = self.world.0.borrow_mut();
        state
            .listeners
            .on_message
            .insert(self.tab, on_message.into());
    }

    fn on_leave(&self, left: Box<dyn Fn()>) {
        let mut state = self.world.0.borrow_mut();
        state.listeners.leave.insert(self.tab, left.into());
    }

    fn ask_before_leaving(&self, asks: Box<dyn Fn() -> bool>) {
        let mut state = self.world.0.borrow_mut();
        state.listeners.asks.insert(self.tab, asks.into());
    }
}

impl Clock for TabBrowser {
    fn now(&self) -> f64 {
        executor::now() as f64
    }

    fn after(&self, millis: u32, act: Box<dyn FnOnce()>) {
        executor::after(millis.into(), act);
    }

    fn sleep(&self, millis: u32) -> Later<()> {
        let answer = Answer::default();
        let given = answer.clone();
        executor::after(millis.into(), move || given.give(()));
        answer.taken()
    }

    fn unused_id(&self) -> BlockId {
        let number = {
            let mut state = self.world.0.borrow_mut();
            state.number += 1;
            state.number
        };
        BlockId::new(&format!("id{number:06}")).unwrap()
    }
}

/// The reason why a file can't be used.
const DENIED: &str = "The browser doesn't let Taskloom use this file.";

/// A tab's reference to a file.
struct Grip {
    /// The browser, which stores references and so isn't kept by them.
    world: Weak<RefCell<State>>,
    number: usize,
    /// `true` if the user has picked the file, or allowed its use, since the page was loaded.
    is_allowed: Rc<Cell<bool>>,
}

impl Grip {
    fn world(&self) -> World {
        World(self.world.upgrade().expect("the browser exists"))
    }

    /// Uses the file after a while, if that is allowed.
    fn later<T: 'static>(
        &self,
        act: impl FnOnce(&mut Disk) -> Result<T, String> + 'static,
    ) -> Later<Result<T, String>> {
        let (world, number, is_allowed) = (self.world(), self.number, self.is_allowed.get());
        self.world().later(40, move || {
            let file = &mut world.0.borrow_mut().files[number];
            if !is_allowed {
                return Err(DENIED.to_owned());
            }
            act(file)
        })
    }
}

impl File for Grip {
    fn name(&self) -> String {
        format!("{}.taskloom.json", self.number)
    }

    fn allow(&self) -> Later<Result<(), String>> {
        let (world, is_allowed) = (self.world(), self.is_allowed.clone());
        self.world().later(40, move || {
            if !is_allowed.get() && world.0.borrow().faults.denies {
                return Err(DENIED.to_owned());
            }
            is_allowed.set(true);
            Ok(())
        })
    }

    fn read(&self) -> Later<Result<(String, Stamp), String>> {
        self.later(|file| match file.is_gone {
            true => Err("The file or its folder is gone.".to_owned()),
            false => Ok((file.text.clone(), file.stamp())),
        })
    }

    fn write(&self, text: String, basis: Option<Stamp>) -> Later<Result<Option<Stamp>, String>> {
        self.later(move |file| {
            if file.is_locked {
                return Err(DENIED.to_owned());
            }
            let is_changed = basis.is_some_and(|basis| basis != file.stamp());
            if is_changed && !file.is_gone {
                return Ok(None);
            }
            let before = std::mem::replace(&mut file.text, text.clone());
            if std::mem::take(&mut file.is_foreign) {
                file.written.push((before, text));
            }
            file.modified = executor::now();
            file.is_gone = false;
            Ok(Some(file.stamp()))
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl TabBrowser {
    fn grip(&self, number: usize, is_allowed: bool) -> Handle {
        Handle::new(Grip {
            world: Rc::downgrade(&self.world.0),
            number,
            is_allowed: Rc::new(Cell::new(is_allowed)),
        })
    }

    /// Returns a stored value as this tab gets it: the user has to allow the use of files again.
    fn loaded(&self, value: &Value) -> Value {
        match value {
            Value::File(handle) => {
                let grip = handle.as_any().downcast_ref::<Grip>();
                Value::File(self.grip(grip.expect("a stored file").number, false))
            }
            Value::List(values) => Value::List(values.iter().map(|v| self.loaded(v)).collect()),
            value => value.clone(),
        }
    }

    fn next_pick(&self) -> Pick {
        let pick = self.world.0.borrow_mut().picks.pop_front();
        pick.unwrap_or(Pick::Cancel)
    }
}

impl Files for TabBrowser {
    fn open(&self) -> Later<Result<Option<Vec<Opened>>, String>> {
        let (tab, pick) = (self.clone(), self.next_pick());
        self.world.later(600, move || match pick {
            Pick::Cancel => Ok(None),
            Pick::Deny => Err(DENIED.to_owned()),
            Pick::File(number) => {
                let file = tab.world.file(number);
                let handle = tab.grip(number, true);
                Ok(Some(vec![Opened {
                    name: handle.name(),
                    stamp: file.stamp(),
                    text: file.text,
                    handle: Some(handle),
                }]))
            }
        })
    }

    fn pick_target(&self, _: &str) -> Later<Result<Target, String>> {
        let (tab, pick) = (self.clone(), self.next_pick());
        self.world.later(600, move || match pick {
            Pick::Cancel => Ok(Target::Cancelled),
            Pick::Deny => Err(DENIED.to_owned()),
            Pick::File(number) => Ok(Target::File(tab.grip(number, true))),
        })
    }

    fn download(&self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }
}

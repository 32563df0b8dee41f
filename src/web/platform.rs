//! The browser as the session needs it, in small traits: storage, locks, other tabs, clock
//! and files. The browser's own implementations are beside this file; tests put others
//! in their place.

use std::pin::Pin;
use std::rc::Rc;

use taskloom::document::BlockId;

/// What a browser does in its own time.
pub type Later<T> = Pin<Box<dyn Future<Output = T>>>;

/// Everything that the session needs of the browser.
#[derive(Clone)]
pub struct Platform {
    /// The database of all tabs.
    pub storage: Rc<dyn Storage>,
    /// Short texts that are kept at once.
    pub notes: Rc<dyn Notes>,
    /// Names that one tab holds at a time.
    pub locks: Rc<dyn Locks>,
    /// This page and the other tabs.
    pub page: Rc<dyn Page>,
    /// Time and chance.
    pub clock: Rc<dyn Clock>,
    /// The designer's files.
    pub files: Rc<dyn Files>,
}

impl Platform {
    /// Takes a name if no other tab holds it; a tab that is being left has about `tries` times
    /// 60 ms to let go. `on_lost` is called if another tab takes the name by force.
    pub async fn take_lock(
        &self,
        name: &str,
        tries: u32,
        on_lost: impl Fn() + 'static,
    ) -> Option<Lock> {
        let on_lost: Rc<dyn Fn()> = Rc::new(on_lost);
        for attempt in 0..=tries {
            if attempt > 0 {
                self.clock.sleep(60).await;
            }
            let lock = self.locks.request(name, Grasp::Free, on_lost.clone()).await;
            if lock.is_some() {
                return lock;
            }
        }
        None
    }
}

/// A value of the database.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing, or something that Taskloom doesn't write.
    Nothing,
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several values.
    List(Vec<Value>),
}

impl Value {
    /// The number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The values of a list; none of anything else.
    pub fn list(&self) -> &[Self] {
        match self {
            Self::List(values) => values,
            _ => &[],
        }
    }
}

/// Keys with their new values; `None` removes a key.
pub type Changes = Vec<(String, Option<Value>)>;

/// A condition on the value that is stored.
pub type Allows = Box<dyn FnOnce(Option<&Value>) -> bool>;

/// Where the database comes from.
pub trait Storage {
    /// Opens the database, and creates it where it doesn't exist; why it can't be opened.
    fn open(&self) -> Later<Result<Rc<dyn Database>, String>>;

    /// Returns `true` if the browser deletes nothing to make room; `None` where it doesn't tell.
    fn is_persistent(&self) -> Later<Option<bool>>;

    /// Asks the browser to delete nothing to make room.
    fn persist(&self) -> Later<()>;
}

/// Values by key, in transactions that follow each other.
pub trait Database {
    /// The value of a key.
    fn get(&self, key: &str) -> Later<Result<Option<Value>, String>>;

    /// The keys that begin with a prefix, in order.
    fn keys(&self, prefix: &str) -> Later<Result<Vec<String>, String>>;

    /// The values of the keys that begin with a prefix, in the keys' order.
    fn values(&self, prefix: &str) -> Later<Result<Vec<Value>, String>>;

    /// Makes all changes or none; ends once they are on the disk.
    fn write(&self, changes: Changes) -> Later<Result<(), String>>;

    /// As [`Database::write`] where the value of `key` allows it, in one transaction. Returns
    /// `false` where it doesn't.
    fn write_if(&self, key: &str, allows: Allows, changes: Changes) -> Later<Result<bool, String>>;
}

/// Short texts that are kept without waiting.
pub trait Notes {
    /// The text of a key, of all tabs.
    fn get(&self, key: &str) -> Option<String>;

    /// Keeps a text for all tabs. Returns `false` if there is no room for it.
    #[must_use = "what is not kept is reported"]
    fn keep(&self, key: &str, text: &str) -> bool;

    /// Forgets a key.
    fn remove(&self, key: &str);

    /// The keys that begin with a prefix, without it.
    fn keys(&self, prefix: &str) -> Vec<String>;

    /// The text of a key, of this tab alone; it outlives a reload.
    fn of_tab(&self, key: &str) -> Option<String>;

    /// Keeps a text for this tab.
    fn set_of_tab(&self, key: &str, text: &str);
}

/// A name that this tab holds until the value is dropped.
pub struct Lock(Option<Box<dyn FnOnce()>>);

impl Lock {
    /// A lock that is let go by this.
    pub fn new(release: impl FnOnce() + 'static) -> Self {
        Self(Some(Box::new(release)))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            release();
        }
    }
}

/// How a lock is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grasp {
    /// Only if no other tab holds it.
    Free,
    /// Whoever holds it.
    Force,
}

/// Names that at most one tab holds at a time.
pub trait Locks {
    /// Requests a name; `on_lost` is called if another tab takes it by force.
    fn request(&self, name: &str, grasp: Grasp, on_lost: Rc<dyn Fn()>) -> Later<Option<Lock>>;

    /// The names that are held.
    fn held(&self) -> Later<Vec<String>>;
}

/// This page and the other tabs.
pub trait Page {
    /// The id of this page; a reload makes it another page.
    fn id(&self) -> String;

    /// Sends a message to all other tabs.
    fn post(&self, message: &str);

    /// Hears the messages of other tabs.
    fn on_message(&self, hear: Box<dyn Fn(String)>);

    /// Calls back when the page may be gone the next moment.
    fn on_leave(&self, left: Box<dyn Fn()>);

    /// Before the page is left, the browser asks the designer if this returns `true`.
    fn ask_before_leaving(&self, asks: Box<dyn Fn() -> bool>);
}

/// Time and chance.
pub trait Clock {
    /// The time, in milliseconds since 1970.
    fn now(&self) -> f64;

    /// Calls back after some milliseconds.
    fn after(&self, millis: u32, act: Box<dyn FnOnce()>);

    /// Waits for some milliseconds.
    fn sleep(&self, millis: u32) -> Later<()>;

    /// An id that no document and no block has.
    fn unused_id(&self) -> BlockId;
}

/// A file that may be written again without asking.
pub trait File {
    /// Replaces what is in the file.
    fn write(&self, text: String) -> Later<Result<(), String>>;
}

/// A file that was picked.
pub type Handle = Rc<dyn File>;

/// A file that was read.
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// For writing to it; none where the browser doesn't offer that.
    pub handle: Option<Handle>,
}

/// The file to save to.
pub enum Target {
    /// This one.
    File(Handle),
    /// The browser's folder of downloads: it lets nobody pick a file.
    Download,
    /// The designer cancelled.
    Cancelled,
}

/// The designer's files.
pub trait Files {
    /// Lets the designer pick files, and reads them; `None` if that is cancelled. A browser
    /// shows a picker only if this is called directly by a click or a key.
    fn open(&self) -> Later<Result<Option<Vec<Opened>>, String>>;

    /// Lets the designer pick the file to save to, called as [`Files::open`] is.
    fn pick_target(&self, name: &str) -> Later<Result<Target, String>>;

    /// Offers a text as a download.
    fn download(&self, name: &str, text: &str) -> Result<(), String>;
}

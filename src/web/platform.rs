//! The browser as the session needs it, in small traits: storage, locks, other tabs, clock and
//! files. The browser's own implementations are next to this file; tests substitute others.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;

use taskloom_document::BlockId;

/// An asynchronous result of the browser.
pub type Later<T> = Pin<Box<dyn Future<Output = T>>>;

/// Everything that the session needs from the browser.
#[derive(Clone)]
pub struct Platform {
    /// The database shared by all tabs.
    pub storage: Rc<dyn Storage>,
    /// Short texts that are stored synchronously.
    pub notes: Rc<dyn Notes>,
    /// Names that one tab holds at a time.
    pub locks: Rc<dyn Locks>,
    /// This page and the other tabs.
    pub page: Rc<dyn Page>,
    /// Time and randomness.
    pub clock: Rc<dyn Clock>,
    /// The user's files.
    pub files: Rc<dyn Files>,
}

impl Platform {
    /// Takes a name if no other tab holds it; a tab that is being left has about `tries` times 60
    /// ms to release it. `on_lost` is called if another tab takes the name by force.
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
            let lock = self
                .locks
                .request(name, LockMode::Free, on_lost.clone())
                .await;
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
    /// No value, or something that Taskloom doesn't write.
    Nothing,
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// A file on the user's disk.
    File(Handle),
}

impl Value {
    /// Returns the number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the file.
    pub fn file(&self) -> Option<&Handle> {
        match self {
            Self::File(handle) => Some(handle),
            _ => None,
        }
    }

    /// Returns the values of a list; empty for anything else.
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

/// Opens the database.
pub trait Storage {
    /// Opens the database, and creates it if it doesn't exist. Returns the reason if it can't be
    /// opened.
    fn open(&self) -> Later<Result<Rc<dyn Database>, String>>;

    /// Returns `true` if the browser never deletes data to make room, and `None` if it doesn't say.
    fn is_persistent(&self) -> Later<Option<bool>>;

    /// Asks the browser not to delete data to make room.
    fn persist(&self) -> Later<()>;
}

/// Values by key, in sequential transactions.
pub trait Database {
    /// Returns the value of a key.
    fn get(&self, key: &str) -> Later<Result<Option<Value>, String>>;

    /// Returns the keys with a prefix, in order.
    fn keys(&self, prefix: &str) -> Later<Result<Vec<String>, String>>;

    /// Returns the values of the keys with a prefix, in the keys' order.
    fn values(&self, prefix: &str) -> Later<Result<Vec<Value>, String>>;

    /// Makes all changes or none; completes once they are on the disk.
    fn write(&self, changes: Changes) -> Later<Result<(), String>>;

    /// Works like [`Database::write`], if the value of `key` allows it, in one transaction. Returns
    /// `false` if it doesn't.
    fn write_if(&self, key: &str, allows: Allows, changes: Changes) -> Later<Result<bool, String>>;
}

/// The tab's key for the view, scenario and selection of its document.
pub const PLACE: &str = "taskloom.place";
/// The tab's key for the cameras of canvases.
pub const CAMERAS: &str = "taskloom.cameras";
/// The key for the folded groups of each document's Board, which all tabs share.
pub const FOLDED: &str = "taskloom.board.folded";

/// Short texts that are stored synchronously.
pub trait Notes {
    /// Returns the text of a key that all tabs share.
    fn get(&self, key: &str) -> Option<String>;

    /// Stores a text for all tabs. Returns `false` if there is no room for it.
    #[must_use = "a failure must be reported"]
    fn keep(&self, key: &str, text: &str) -> bool;

    /// Removes a key.
    fn remove(&self, key: &str);

    /// Returns the keys with a prefix, without the prefix.
    fn keys(&self, prefix: &str) -> Vec<String>;

    /// Returns the text of a key for this tab only; it survives a reload.
    fn of_tab(&self, key: &str) -> Option<String>;

    /// Stores a text for this tab.
    fn set_of_tab(&self, key: &str, text: &str);

    /// Removes a key of this tab.
    fn remove_of_tab(&self, key: &str);

    /// Returns the keys of this tab with a prefix, without the prefix.
    fn keys_of_tab(&self, prefix: &str) -> Vec<String>;
}

/// A name that this tab holds until the value is dropped.
pub struct Lock(Option<Box<dyn FnOnce()>>);

impl Lock {
    /// Creates a lock that `release` releases.
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

/// The mode of a lock request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Only if no other tab holds it.
    Free,
    /// Regardless of who holds it.
    Force,
}

/// Names that at most one tab holds at a time.
pub trait Locks {
    /// Requests a name; `on_lost` is called if another tab takes it by force.
    fn request(&self, name: &str, mode: LockMode, on_lost: Rc<dyn Fn()>) -> Later<Option<Lock>>;

    /// Returns the names that are held.
    fn held(&self) -> Later<Vec<String>>;
}

/// This page and the other tabs.
pub trait Page {
    /// Returns the id of this page; a reload creates another page.
    fn id(&self) -> String;

    /// Sends a message to all other tabs.
    fn post(&self, message: &str);

    /// Listens to the messages of other tabs.
    fn on_message(&self, on_message: Box<dyn Fn(String)>);

    /// Calls back when the page is being left and may end at any moment. A field that has the focus
    /// has handed over its text by then.
    fn on_leave(&self, left: Box<dyn Fn()>);

    /// Makes the browser ask the user before leaving the page if this returns `true`, with what is
    /// typed in a field handed over.
    fn ask_before_leaving(&self, asks: Box<dyn Fn() -> bool>);
}

/// Time and randomness.
pub trait Clock {
    /// Returns the time, in milliseconds since 1970.
    fn now(&self) -> f64;

    /// Calls back after some milliseconds.
    fn after(&self, millis: u32, act: Box<dyn FnOnce()>);

    /// Waits for some milliseconds.
    fn sleep(&self, millis: u32) -> Later<()>;

    /// Returns an id that no document and no block uses.
    fn unused_id(&self) -> BlockId;
}

/// The time and size of a file on the disk, which differ after somebody has written it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamp {
    /// The time of the last write, in milliseconds since 1970.
    pub modified: f64,
    /// The size in bytes.
    pub size: f64,
}

/// A file on the user's disk.
pub trait File {
    /// Returns its name, without its folder.
    fn name(&self) -> String;

    /// Asks the user whether it may be read and written, unless that is allowed already, and returns the reason if not.
    /// To be called like [`Files::open`].
    fn allow(&self) -> Later<Result<(), String>>;

    /// Returns its text.
    fn read(&self) -> Later<Result<(String, Stamp), String>>;

    /// Replaces its content, and returns its new stamp. If it no longer has the stamp `basis`, writes nothing and
    /// returns `None`. A file that is gone is created again.
    fn write(&self, text: String, basis: Option<Stamp>) -> Later<Result<Option<Stamp>, String>>;

    /// Returns the implementation.
    fn as_any(&self) -> &dyn Any;
}

/// A reference to a file on the user's disk, which the database can store.
#[derive(Clone)]
pub struct Handle(Rc<dyn File>);

impl Handle {
    /// Creates a reference to a file.
    pub fn new(file: impl File + 'static) -> Self {
        Self(Rc::new(file))
    }
}

impl Deref for Handle {
    type Target = dyn File;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Debug for Handle {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Handle").field(&self.name()).finish()
    }
}

/// A file that was read.
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its stamp when it was read.
    pub stamp: Stamp,
    /// The handle for writing to it; `None` if the browser doesn't support that.
    pub handle: Option<Handle>,
}

/// The file to save to.
pub enum Target {
    /// A picked file.
    File(Handle),
    /// The browser's downloads folder, if the browser has no file picker.
    Download,
    /// The user cancelled.
    Cancelled,
}

/// The user's files.
pub trait Files {
    /// Lets the user pick files, and reads them; `None` if that is cancelled. A browser shows a
    /// picker only if this is called directly from a click or key event.
    fn open(&self) -> Later<Result<Option<Vec<Opened>>, String>>;

    /// Lets the user pick the file to save to. To be called like [`Files::open`].
    fn pick_target(&self, name: &str) -> Later<Result<Target, String>>;

    /// Offers a text as a download.
    fn download(&self, name: &str, text: &str) -> Result<(), String>;
}

//! Lists of arguments for reuse, so that the evaluation of conditions allocates no memory.

use std::cell::RefCell;

use crate::ground::Atom;
use taskloom_document::Name;

/// The maximum number of lists that are kept.
const MAX_LISTS: usize = 32;

thread_local! {
    static LISTS: RefCell<Vec<Vec<Name>>> = const { RefCell::new(Vec::new()) };
}

/// Returns an empty list.
pub fn take() -> Vec<Name> {
    LISTS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Keeps a list for reuse.
pub fn give_back(mut list: Vec<Name>) {
    list.clear();
    LISTS.with_borrow_mut(|lists| {
        if lists.len() < MAX_LISTS && list.capacity() > 0 {
            lists.push(list);
        }
    });
}

/// Calls a function with a ground fact of this fact, whose arguments it may replace.
pub fn with_atom<T>(fact: &Name, use_atom: impl FnOnce(&mut Atom) -> T) -> T {
    let mut atom = Atom {
        fact: fact.clone(),
        args: take(),
    };
    let result = use_atom(&mut atom);
    give_back(atom.args);
    result
}

//! The retrying of failed tasks.

use super::domain::Domain;
use super::interpreter::Character;
use super::names::Atom;
use super::touch::{Touch, touched, touched_below};

/// Allows retrying failed tasks after a change of a character's beliefs.
pub fn clear_excluded(domain: &Domain, one: &mut Character, changed: &[Atom]) {
    let is_changed = |touch: &Touch| changed.iter().any(|atom| touch.may_be(domain, *atom));
    let (number, me) = (one.number, one.me);
    one.excluded.retain(|(task, _)| {
        let (reads, changes) = touched(domain, me, *task);
        !reads.iter().chain(&changes).any(is_changed)
    });
    let before = one.given_up.len();
    one.given_up.retain(|task| {
        let touched = touched_below(domain, number, *task);
        !touched.iter().any(is_changed)
    });
    one.resumed += before - one.given_up.len();
}

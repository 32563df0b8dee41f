//! Which kinds of record are on the screen.

use taskloom::document::Kind;

/// Whether records of a kind can be seen and edited. Goals and agents are kept in files as
/// they are, but nothing acts on them yet: what would have no effect is not offered.
pub fn shown(kind: Kind) -> bool {
    !matches!(kind, Kind::Goal | Kind::Agent)
}

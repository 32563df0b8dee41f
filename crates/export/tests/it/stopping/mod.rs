//! Reading and writing of files end when cancelled, and have the same results otherwise.

use std::sync::atomic::Ordering;

use taskloom_document::stop::{Stop, Stopped};
use testkit::stopping::stop_at;

mod works;

#[test]
fn reading_and_writing_can_be_cancelled_at_every_poll() {
    let (mut stopped, mut looked_at) = (0, 0);
    for work in works::all(1) {
        let whole = (work.run)(&Stop::default()).map(|text| text());
        let (stop, looks) = stop_at(u64::MAX);
        let looked = (work.run)(&stop).map(|text| text());
        assert!(looked.is_ok() && looked == whole, "{}", work.name);
        let all = looks.load(Ordering::Relaxed);
        // Work that is over before the first check has ended early enough.
        looked_at += usize::from(all > 0);
        for look in (1..=all).step_by(1 + all as usize / 6) {
            let (stop, looks) = stop_at(look);
            let stopped_at = (work.run)(&stop).map(|text| text());
            let name = &work.name;
            assert_eq!(stopped_at, Err(Stopped), "{name}, look {look} of {all}");
            assert_eq!(looks.load(Ordering::Relaxed), look, "{} asks on", work.name);
            stopped += 1;
        }
    }
    assert!(
        stopped > 50 && looked_at > 12,
        "{looked_at} looked, {stopped} were stopped"
    );
}

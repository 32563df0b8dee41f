//! Messages on the screen at the same time.

use super::super::Offer;
use super::*;

#[test]
fn a_message_replaces_those_that_offer_nothing() {
    let world = World::new(1);
    let tab = Tab::open(&world, 1, 1);
    let before = tab.messages();
    let shows = |text: &'static str, offer| tab.does(|session, _| session.toast(text, offer));
    shows("Copied lit.", None);
    tab.does(|session, _| session.complain("Couldn't save."));
    shows("Pasted lit.", Some(Offer::Undo));
    shows("Copied open.", None);
    shows("Deleted open.", Some(Offer::Undo));
    let mut shown = tab.messages();
    shown.retain(|text| !before.contains(text));
    assert_eq!(shown, ["Couldn't save.", "Deleted open."]);
}

//! Texts that pages left, while other tabs have their documents open.

use super::*;

#[test]
fn text_of_the_tab_waits_while_another_tab_has_its_document_open() {
    let world = World::new(1);
    let tab = tab_with(&world, 1, "A");
    let id = tab.id();
    world.set_full(true);
    world.set_notes_full(true);
    tab.sets_title("A, edited");
    tab.opens_text("B");
    executor::advance(500);
    world.leave(1);
    tab.crashes();
    let other = Tab::open(&world, 2, 2);
    rest();
    assert_eq!((other.id(), other.hold()), (id.clone(), Hold::Here));
    world.set_full(false);
    let tab = Tab::open(&world, 3, 1);
    rest();
    assert_eq!(tab.title(), "B");
    assert_eq!(rows(&world), ["A", "B"]);
    assert!(world.asks_before_leaving(3));
    other.sets_title("A of the other");
    rest();
    assert_eq!((other.id(), other.hold()), (id, Hold::Here), "no copy");
    world.leave(3);
    tab.crashes();
    let _tab = Tab::open(&world, 4, 1);
    rest();
    assert_eq!(rows(&world), ["A of the other", "A, edited", "B"]);
    assert!(!world.asks_before_leaving(4));
}

#[test]
fn text_of_a_new_document_waits_while_its_tab_is_open() {
    let world = World::new(1);
    let tab = Tab::open(&world, 1, 1);
    rest();
    world.set_full(true);
    tab.sets_title("A");
    // The tab is hidden, and its next attempt to write is in about 700 ms.
    world.leave(1);
    executor::advance(300);
    assert!(matches!(tab.saved(), Saved::Failed(_)));
    world.set_full(false);
    let _other = Tab::open(&world, 2, 2);
    rest();
    tab.sets_title("A, edited");
    rest();
    assert_eq!((tab.hold(), tab.saved()), (Hold::Here, Saved::Yes));
    assert_eq!(rows(&world), ["A, edited"]);
}

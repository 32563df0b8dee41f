//! The images below maps, which are stored beside their documents.

use super::*;
use crate::session::Background;
use taskloom_document::Point;

/// An image that differs from those with another name.
fn image(name: &str) -> Background {
    Background {
        address: format!("data:image/png;base64,{name}"),
        at: Point { x: 0, y: 0 },
        size: Point { x: 30, y: 20 },
        opacity: 0.5,
    }
}

/// Returns the name of the image that is stored under a row.
pub fn stored(world: &World, id: &str) -> Option<String> {
    let value = world.value(&format!("image-{id}"))?;
    let address = value.list().first()?.text()?;
    Some(name_in(address))
}

fn name_in(address: &str) -> String {
    let name = address.rsplit(',').next();
    name.unwrap_or_default().to_owned()
}

impl Tab {
    /// Chooses an image, or removes it.
    pub fn sets_image(&self, name: Option<&str>) {
        self.does(|session, _| session.set_background(name.map(image)));
    }

    /// Returns the name of the image that is shown, or that there is none; `None` until it is loaded.
    pub fn image(&self) -> Option<Option<String>> {
        let known = self.session.open.known_background()?;
        Some(known.map(|background| name_in(&background.address)))
    }

    fn shows(&self, name: Option<&str>) -> bool {
        self.image() == Some(name.map(str::to_owned))
    }
}

/// Opens a tab with a saved document that has an image.
fn with_image(world: &World, name: &str) -> Tab {
    let tab = Tab::open(world, 1, 1);
    tab.opens_text("A");
    tab.sets_image(Some(name));
    rest();
    assert_eq!(stored(world, &tab.id()).as_deref(), Some(name));
    tab
}

#[test]
fn second_tab_changes_only_the_image_of_its_copy() {
    for change in [None, Some("two")] {
        let world = World::new(1);
        let first = with_image(&world, "one");
        let second = Tab::open(&world, 2, 2);
        rest();
        assert_eq!((second.id(), second.hold()), (first.id(), Hold::Elsewhere));
        assert!(second.shows(Some("one")));
        second.sets_image(change);
        rest();
        assert_eq!(stored(&world, &first.id()).as_deref(), Some("one"));
        assert_ne!(second.id(), first.id());
        assert_eq!(stored(&world, &second.id()).as_deref(), change);
        assert_eq!((second.hold(), second.saved()), (Hold::Copy, Saved::Yes));
        // The first tab goes on undisturbed.
        first.sets_title("A, edited");
        rest();
        assert_eq!(first.hold(), Hold::Here);
        first.crashes();
        let first = Tab::open(&world, 3, 1);
        rest();
        assert!(first.shows(Some("one")));
    }
}

#[test]
fn copy_has_the_image_of_the_original() {
    for seed in 0..10 {
        let world = World::new(seed);
        let first = with_image(&world, "one");
        let second = Tab::open(&world, 2, 2);
        // In some cases before the image is loaded.
        executor::advance(world.below(60));
        second.sets_title("B");
        rest();
        assert_ne!(second.id(), first.id());
        assert_eq!(stored(&world, &second.id()).as_deref(), Some("one"));
        let (copied, id) = (RwSignal::new(false), second.id());
        second.begins(|session| async move {
            session.duplicate_kept(&id).await.unwrap();
            copied.set(true);
        });
        rest();
        assert!(copied.get_untracked());
        assert_eq!(world.keys("image-").len(), 3);
    }
}

#[test]
fn tab_that_takes_over_a_document_shows_its_newest_image() {
    let world = World::new(1);
    let first = with_image(&world, "one");
    let second = Tab::open(&world, 2, 2);
    rest();
    first.sets_image(Some("two"));
    rest();
    assert!(second.shows(Some("one")));
    second.does(|session, _| session.take_over());
    rest();
    assert!(second.shows(Some("two")));
    // The former owner has lost the right to change it.
    first.sets_image(None);
    rest();
    assert_eq!(stored(&world, &second.id()).as_deref(), Some("two"));
    assert_ne!(first.id(), second.id());
}

#[test]
fn image_is_kept_when_another_document_opens_at_once() {
    let world = World::new(1);
    let tab = with_image(&world, "one");
    let id = tab.id();
    tab.sets_image(Some("two"));
    tab.opens_text("B");
    assert!(!tab.shows(Some("two")));
    tab.does(|session, _| session.bring_back());
    assert!(tab.shows(Some("two")));
    rest();
    assert_eq!(
        (tab.id(), stored(&world, &id)),
        (id, Some("two".to_owned()))
    );
}

#[test]
fn image_without_room_is_reported_and_the_text_saved() {
    let world = World::new(1);
    let tab = with_image(&world, "one");
    world.refuse_images(true);
    tab.sets_title("A, edited");
    tab.sets_image(Some("two"));
    executor::advance(1_000);
    let messages = tab.messages();
    assert!(
        messages
            .iter()
            .any(|text| text.starts_with("Couldn't store the background image: ")),
        "{messages:?}"
    );
    assert_eq!(
        (tab.saved(), rows(&world)),
        (Saved::Yes, vec!["A, edited".to_owned()])
    );
    assert_eq!(stored(&world, &tab.id()).as_deref(), Some("one"));
    world.refuse_images(false);
    tab.sets_title("A, edited again");
    rest();
    assert_eq!(stored(&world, &tab.id()).as_deref(), Some("two"));
}

#[test]
fn leaving_the_page_is_asked_about_until_an_image_is_stored() {
    let world = World::new(1);
    let tab = with_image(&world, "one");
    assert!(!world.asks_before_leaving(1));
    tab.sets_image(Some("two"));
    assert!(world.asks_before_leaving(1));
    // Also of a document that was just closed.
    tab.opens_text("B");
    assert!(world.asks_before_leaving(1));
    rest();
    assert!(!world.asks_before_leaving(1));
}

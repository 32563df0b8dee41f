//! Playback, whichever panels are on the screen.

use super::*;

impl Tab {
    /// Shows playback controls, which are gone with the returned owner.
    fn shows_controls(&self) -> Owner {
        let owner = Owner::new();
        owner.with(|| self.session.desk.playback.show_controls());
        owner
    }

    fn tick(&self) -> Option<u32> {
        self.session.tick()
    }

    fn is_playing(&self) -> bool {
        self.session.desk.playback.playing.get_untracked()
    }
}

#[test]
fn playback_goes_on_when_other_controls_replace_those_that_started_it() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    let stage = tab.shows_controls();
    tab.does(|session, _| session.set_playback_speed(1));
    tab.does(|session, _| session.toggle_playback());
    assert_eq!(tab.tick(), Some(0));
    executor::advance(2_500);
    assert_eq!(tab.tick(), Some(2));
    stage.cleanup();
    let run = tab.shows_controls();
    executor::advance(1_000);
    assert_eq!((tab.tick(), tab.is_playing()), (Some(3), true));
    let speed = tab.session.desk.playback.speed;
    assert_eq!(speed.get_untracked(), 1);
    tab.does(|session, _| session.set_playback_speed(10));
    executor::advance(250);
    assert_eq!(tab.tick(), Some(5));
    run.cleanup();
    executor::advance(1_000);
    assert_eq!(
        (tab.tick(), tab.is_playing()),
        (Some(5), false),
        "nobody could pause"
    );
}

#[test]
fn playback_ends_with_the_run_and_begins_again() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    let _controls = tab.shows_controls();
    tab.does(|session, _| session.set_playback_speed(30));
    tab.does(|session, _| session.toggle_playback());
    executor::advance(60_000);
    let end = tab.tick();
    assert!(end > Some(3) && !tab.is_playing());
    tab.does(|session, _| session.toggle_playback());
    assert_eq!(tab.tick(), Some(0));
    tab.does(|session, _| session.toggle_playback());
    executor::advance(1_000);
    assert_eq!((tab.tick(), tab.is_playing()), (Some(0), false));
    // Another document has nothing to play.
    tab.does(|session, _| session.toggle_playback());
    tab.opens_text("B");
    executor::advance(1_000);
    assert!(!tab.is_playing());
    let speed = tab.session.desk.playback.speed;
    assert_eq!(speed.get_untracked(), 30);
}

#[test]
fn playback_stops_at_a_tick_that_is_asked_for() {
    let world = World::new(1);
    let tab = Tab::with_example(&world);
    let _controls = tab.shows_controls();
    tab.does(|session, _| session.desk.playback.stop_at(Some(2)));
    tab.does(|session, _| session.set_playback_speed(30));
    tab.does(|session, _| session.toggle_playback());
    executor::advance(60_000);
    assert_eq!((tab.tick(), tab.is_playing()), (Some(2), false));
    tab.does(|session, _| session.toggle_playback());
    executor::advance(60_000);
    assert!(tab.tick() > Some(3), "it goes on");
}

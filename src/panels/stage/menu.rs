//! The menu of an object or actor on the map.

use leptos::prelude::*;
use taskloom_document::Name;

use super::arrange::Key;
use super::relocate::relocate;
use super::state::{Stage, open_reason};
use crate::ui::context_menu::{MenuCommand, MenuSection};
use crate::web::live;

/// Opens the menu of an object or actor at a point of the window.
pub fn open(stage: Stage, key: &Key, at: (f64, f64)) {
    let (thing, place) = (&key.0, stage.place_of(key));
    let Some(play) = stage.play.get_untracked() else {
        return;
    };
    let refusal = stage
        .session
        .plan
        .shown
        .with_untracked(|shown| shown.can_be_changed().err());
    let destinations = match refusal {
        Some(_) => vec![],
        None => play.destinations(thing, place.as_ref()),
    };
    let of_actor = stage
        .actor(key)
        .map_or(vec![], |actor| of_actor(stage, actor));
    if of_actor.is_empty() && destinations.is_empty() {
        let no_other = || format!("There is no other place for {thing}.");
        live::say(&refusal.map_or_else(no_other, str::to_owned));
    }
    let item = |to: Name| {
        let (thing, from, label) = (thing.clone(), place.clone(), format!("Move to {to}"));
        let go = move || {
            if let Some(play) = stage.play.get_untracked() {
                relocate(stage.session, &play, &thing, from.as_ref(), &to);
            }
        };
        MenuCommand::new(label, "", go)
    };
    let moves = destinations.into_iter().map(item).collect();
    let sections = vec![MenuSection::new("", of_actor), MenuSection::new("", moves)];
    stage
        .menus
        .show(format!("Commands for {thing}"), at, sections);
}

fn of_actor(stage: Stage, actor: usize) -> Vec<MenuCommand> {
    let show = move || stage.session.show_character(actor);
    // The menu gives the focus back before the popover takes it.
    let reason = move || request_animation_frame(move || open_reason(stage.session, actor));
    vec![
        MenuCommand::new("Show this actor", "", show),
        MenuCommand::new("Open the reason", "", reason),
    ]
}

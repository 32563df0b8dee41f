//! The menu of an object or actor on the map.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom::document::Name;

use super::arrange::Key;
use super::relocate::relocate;
use super::{Stage, open_reason};
use crate::ui::floating::popover;
use crate::ui::focus::rove;

/// The menu that is open: its object or actor, and its position on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenMenu {
    /// The token that it is about.
    pub key: Key,
    /// The upper left corner.
    pub at: (f64, f64),
}

/// The menu of an object or actor, if one is open. The browser closes it on Escape and on a press
/// outside.
#[component]
pub fn TokenMenu(stage: Stage) -> impl IntoView {
    move || stage.menu.get().map(|menu| view! { <Items menu stage/> })
}

#[component]
fn Items(menu: OpenMenu, stage: Stage) -> impl IntoView {
    let list = popover();
    let OpenMenu { key, at } = menu;
    let thing = key.0.clone();
    let place = stage.place_of(&key);
    let play = stage.play.get_untracked();
    let destinations = play
        .as_ref()
        .map(|play| play.destinations(&thing, place.as_ref()));
    let destinations = destinations.unwrap_or_default();
    let close = move || {
        if let Some(list) = list.get_untracked() {
            let _ = list.hide_popover();
        }
    };
    let is_stuck = destinations.is_empty() && stage.actor(&key).is_none();
    let of_actor = stage.actor(&key).map(|actor| {
        view! {
            <button role="menuitem" tabindex="-1" on:click=move |_| { close(); stage.session.show_character(actor) }>
                "Show this actor"
            </button>
            <button role="menuitem" tabindex="-1" on:click=move |_| { close(); open_reason(stage.session, actor) }>
                "Open the reason"
            </button>
        }
    });
    let label = format!("Commands for {thing}");
    let item = move |to: Name| {
        let (thing, from, text) = (thing.clone(), place.clone(), format!("Move to {to}"));
        let go = move |_| {
            close();
            if let Some(play) = stage.play.get_untracked() {
                relocate(stage.session, &play, &thing, from.as_ref(), &to);
            }
        };
        view! { <button role="menuitem" tabindex="-1" on:click=go>{text}</button> }
    };
    let key_down = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            "Tab" => return close(),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        move_focus(list, step);
    };
    let toggled = move |_| match list.get_untracked() {
        Some(own) if own.matches(":popover-open").unwrap_or(false) => move_focus(list, 1),
        _ => stage.menu.set(None),
    };
    view! {
        <div
            class="menu stage-token-menu"
            role="menu"
            aria-label=label
            popover="auto"
            node_ref=list
            style:left=format!("{}px", at.0)
            style:top=format!("{}px", at.1)
            on:keydown=key_down
            on:toggle=toggled
        >
            {of_actor}
            {destinations.into_iter().map(item).collect_view()}
            {is_stuck.then(|| view! { <button role="menuitem" aria-disabled="true" tabindex="-1">"There is no other place"</button> })}
        </div>
    }
}

/// Moves the focus among the commands.
fn move_focus(list: NodeRef<html::Div>, step: i32) {
    if let Some(list) = list.get_untracked() {
        rove(&list, "[role=menuitem]", |current, count| {
            let next = current.map_or(0, |at| at as i32 + step);
            next.rem_euclid(count.max(1) as i32) as usize
        });
    }
}

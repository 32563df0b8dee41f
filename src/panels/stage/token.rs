//! Places, and the objects and actors in them.

use leptos::prelude::*;
use taskloom::document::{Name, Point};

use super::Stage;
use super::arrange::Key;
use super::layers::Layer;
use super::meters::Level;
use super::scene::Token;
use crate::ui::avatar::{Avatar, colour};

/// A place, or the area for what is nowhere.
#[component]
pub fn PlaceView(name: Option<Name>, stage: Stage) -> impl IntoView {
    let Stage {
        scene, arranged, ..
    } = stage;
    let title = name.as_ref().map_or("nowhere".to_owned(), Name::to_string);
    let is_place = name.is_some();
    let label = {
        let (name, title) = (name.clone(), title.clone());
        move || {
            let inside = scene.with(|scene| {
                let inside = scene.in_place(name.as_ref()).map(words);
                inside.collect::<Vec<_>>().join(", ")
            });
            if inside.is_empty() {
                format!("{title}: empty")
            } else {
                format!("{title}: {inside}")
            }
        }
    };
    let place = name.as_ref().map(ToString::to_string);
    let (own, of_tags, seen) = (name.clone(), name.clone(), name.clone());
    let rect = Memo::new(move |_| {
        arranged.with(|arranged| arranged.places.get(&own).copied().unwrap_or_default())
    });
    let tags = move || {
        let tags = scene.with(|scene| scene.tags.get(of_tags.as_ref()?).cloned());
        let tag = |text: String| view! { <span class="stage-tag">{text}</span> };
        tags.unwrap_or_default().into_iter().map(tag).collect_view()
    };
    let senses = move || {
        let is_seen = |actor: &usize| {
            let place = seen.as_ref();
            place.is_some_and(|place| {
                stage
                    .observed
                    .with(|seen| seen.get(actor).is_some_and(|seen| seen.contains(place)))
            })
        };
        let observers = stage.drawn.get().into_iter().filter(is_seen);
        let area = |actor| view! { <span class="stage-sense" style:--actor=colour(actor)></span> };
        observers.map(area).collect_view()
    };
    view! {
        <div
            class="stage-place"
            class:nowhere=!is_place
            role="group"
            aria-roledescription=is_place.then_some("place")
            aria-label=label
            title=is_place.then_some("Drag, or move with the arrow keys")
            tabindex=is_place.then_some("0")
            data-place=place
            style:transform=move || shift(rect.get().at)
            style:width=move || format!("{}px", rect.get().width)
            style:height=move || format!("{}px", rect.get().height)
        >
            <Show when=move || stage.layers.shows(Layer::Senses)>{senses.clone()}</Show>
            <span class="stage-name" aria-hidden="true">{title}</span>
            <span class="stage-tags" aria-hidden="true">{tags}</span>
        </div>
    }
}

/// An object, an actor, or where one is wrongly believed to be. The place lists them, too, for
/// screen readers.
#[component]
pub fn TokenView(key: Key, stage: Stage) -> impl IntoView {
    let (thing, number, believer) = key.clone();
    let token = {
        let key = key.clone();
        Memo::new(move |_| {
            stage.scene.with(|scene| {
                let mut tokens = scene.tokens.iter();
                tokens
                    .find(|token| super::arrange::key(token) == key)
                    .cloned()
            })
        })
    };
    let actor = stage.actor(&key);
    let rect = {
        let key = key.clone();
        Memo::new(move |_| {
            stage
                .arranged
                .with(|arranged| arranged.tokens.get(&key).copied().unwrap_or_default())
        })
    };
    let place = move || token.with(|token| Some(token.as_ref()?.place.as_ref()?.to_string()));
    let title = move || token.with(|token| token.as_ref().map(words));
    let transform = move || shift(rect.get().at);
    let width = move || format!("{}px", rect.get().width);
    let head = move || actor.map(|actor| view! { <Avatar number=actor size=42/> });
    let style = actor.map(colour);
    if believer.is_some() {
        let belief = move || token.with(|token| token.as_ref().and_then(belief));
        return view! {
            <div
                class="stage-token ghost"
                class:actor=actor.is_some()
                aria-hidden="true"
                title=title
                data-thing=thing.to_string()
                data-place=place
                style:--actor=style
                style:width=width
                style:transform=transform
            >
                {head()}
                <span class="stage-name">{format!("{thing}?")}</span>
                <span class="stage-belief">{belief}</span>
            </div>
        }
        .into_any();
    }
    let meters = move || {
        let meters = token.with(|token| token.as_ref().map(|token| token.meters.clone()));
        meters
            .unwrap_or_default()
            .into_iter()
            .map(meter)
            .collect_view()
    };
    let is_shown = move || {
        let shown = stage.session.desk.character.get();
        actor.map(|actor| (actor == shown).to_string())
    };
    let press = move |event: leptos::ev::MouseEvent| {
        // The pointer's clicks are handled with its drags.
        if event.detail() != 0 {
            return;
        }
        match actor {
            Some(actor) => stage.session.show_character(actor),
            None => stage.open_menu(&key, (event.client_x(), event.client_y())),
        }
    };
    view! {
        <button
            class="stage-token bare"
            class:actor=actor.is_some()
            title=title
            aria-label=title
            aria-pressed=is_shown
            aria-haspopup=actor.is_none().then_some("menu")
            data-token=""
            data-actor=actor.map(|actor| actor.to_string())
            data-thing=thing.to_string()
            data-number=number.to_string()
            data-place=place
            style:--actor=style
            style:width=width
            style:transform=transform
            on:click=press
        >
            {head()}
            <span class="stage-name">{thing.to_string()}</span>
            {meters}
        </button>
    }
    .into_any()
}

/// The bar of a number.
fn meter(level: Level) -> impl IntoView {
    let width = format!("{:.1}%", level.part * 100.0);
    view! {
        <span class="stage-meter" title=level.text>
            <span style:width=width></span>
        </span>
    }
}

/// Describes who believes a thing to be in a place, and since when.
fn belief(token: &Token) -> Option<String> {
    let ghost = token.ghost.as_ref()?;
    let believer = &ghost.believer;
    Some(match ghost.since {
        Some(tick) => format!("{believer} believes, tick {tick}"),
        None => format!("{believer} believes"),
    })
}

/// A token in words: `guard (stamina 3 of 10)`, `guard believes intruder here`.
pub fn words(token: &Token) -> String {
    let Token { thing, meters, .. } = token;
    if let Some(ghost) = &token.ghost {
        return format!("{} believes {thing} here", ghost.believer);
    }
    let meters: Vec<&str> = meters.iter().map(|level| level.text.as_str()).collect();
    match meters.as_slice() {
        [] => thing.to_string(),
        meters => format!("{thing} ({})", meters.join(", ")),
    }
}

/// Returns the transform that moves an element to a point of the map.
pub fn shift(at: Point) -> String {
    format!("translate({}px, {}px)", at.x, at.y)
}

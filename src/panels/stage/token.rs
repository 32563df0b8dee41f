//! Places, and the objects and actors in them.

use leptos::prelude::*;
use taskloom_document::{Name, Point};

use super::arrange::{Key, Rect};
use super::layers::Layer;
use super::menu;
use super::meters::Level;
use super::scene::{Scene, Token};
use super::state::Stage;
use crate::ui::avatar::{Avatar, colour};

/// A place, or the area for what is nowhere.
#[component]
pub fn PlaceView(name: Option<Name>, stage: Stage) -> impl IntoView {
    let Stage {
        scene, arranged, ..
    } = stage;
    let title = name.as_ref().map_or("Nowhere".to_owned(), Name::to_string);
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

/// An object, an actor, or the place where one is wrongly believed to be. The place lists them,
/// too, for screen readers.
#[component]
pub fn TokenView(key: Key, stage: Stage) -> impl IntoView {
    let of = key.clone();
    let token = Memo::new(move |_| {
        stage.scene.with(|scene| {
            let mut tokens = scene.tokens.iter();
            tokens
                .find(|token| super::arrange::key(token) == of)
                .cloned()
        })
    });
    let of = key.clone();
    let rect = Memo::new(move |_| {
        stage
            .arranged
            .with(|arranged| arranged.tokens.get(&of).copied().unwrap_or_default())
    });
    let drawn = Drawn {
        token,
        rect,
        actor: stage.actor(&key),
    };
    match key.2.is_some() {
        true => view! { <Ghost thing=key.0 drawn stage/> }.into_any(),
        false => view! { <Present key drawn stage/> }.into_any(),
    }
}

/// A token on the map.
#[derive(Clone, Copy)]
struct Drawn {
    token: Memo<Option<Token>>,
    rect: Memo<Rect>,
    /// The index of the actor; `None` for objects.
    actor: Option<usize>,
}

impl Drawn {
    fn place(self) -> Option<String> {
        let place = |token: &Option<Token>| Some(token.as_ref()?.place.as_ref()?.to_string());
        self.token.with(place)
    }

    fn title(self) -> Option<String> {
        self.token.with(|token| token.as_ref().map(words))
    }

    fn transform(self) -> String {
        shift(self.rect.get().at)
    }

    fn width(self) -> String {
        format!("{}px", self.rect.get().width)
    }

    fn head(self) -> impl IntoView {
        self.actor
            .map(|actor| view! { <Avatar number=actor size=42/> })
    }
}

/// The place where something is wrongly believed to be.
#[component]
fn Ghost(thing: Name, drawn: Drawn, stage: Stage) -> impl IntoView {
    let is_short = move || {
        let token = drawn.token.get();
        token.is_some_and(|token| stage.scene.with(|scene| is_crowded(scene, &token)))
    };
    let belief = move || {
        let token = drawn.token.get()?;
        stage.scene.with(|scene| belief(scene, &token))
    };
    view! {
        <div
            class="stage-token ghost"
            class:actor=drawn.actor.is_some()
            aria-hidden="true"
            title=move || drawn.title()
            data-thing=thing.to_string()
            data-place=move || drawn.place()
            style:--actor=drawn.actor.map(colour)
            style:width=move || drawn.width()
            style:transform=move || drawn.transform()
        >
            {drawn.head()}
            <span class="stage-name">{format!("{thing}?")}</span>
            <span class="stage-belief" class:short=is_short>{belief}</span>
        </div>
    }
}

/// An object or actor in its place.
#[component]
fn Present(key: Key, drawn: Drawn, stage: Stage) -> impl IntoView {
    let (thing, number, _) = key.clone();
    let actor = drawn.actor;
    let meters = move || {
        let meters = drawn
            .token
            .with(|token| token.as_ref().map(|token| token.meters.clone()));
        meters
            .unwrap_or_default()
            .into_iter()
            .map(meter)
            .collect_view()
    };
    let departure = move || drawn.token.with(|token| token.as_ref()?.departure.clone());
    let has_left =
        move |is_own: bool| departure().is_some_and(|departure| departure.is_own == is_own);
    let is_carried = move || {
        let carrier = |token: &Option<Token>| token.as_ref()?.carrier.clone();
        drawn.token.with(carrier).is_some()
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
            None => menu::open(stage, &key, (event.client_x(), event.client_y())),
        }
    };
    view! {
        <button
            class="stage-token bare"
            class:actor=actor.is_some()
            class:carried=is_carried
            class:gone=move || has_left(true)
            class:held=move || has_left(false)
            title=move || drawn.title()
            aria-label=move || drawn.title()
            aria-pressed=is_shown
            aria-haspopup=actor.is_none().then_some("menu")
            data-token=""
            data-actor=actor.map(|actor| actor.to_string())
            data-thing=thing.to_string()
            data-number=number.to_string()
            data-place=move || drawn.place()
            style:--actor=actor.map(colour)
            style:width=move || drawn.width()
            style:transform=move || drawn.transform()
            on:click=press
        >
            {drawn.head()}
            <span class="stage-name">{thing.to_string()}</span>
            {meters}
            {move || departure().map(|departure| view! { <span class="stage-departure">{departure.text}</span> })}
        </button>
    }
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

/// Returns `true` if another thing is wrongly believed to be in the place of a token.
fn is_crowded(scene: &Scene, token: &Token) -> bool {
    let here = scene.standing(token.place.as_ref());
    here.filter(|other| other.ghost.is_some()).nth(1).is_some()
}

/// Describes who believes a thing to be in a place, and since when; briefly if another thing is
/// wrongly believed to be there, too, whose words would be beside these.
pub fn belief(scene: &Scene, token: &Token) -> Option<String> {
    let ghost = token.ghost.as_ref()?;
    let (believer, verb) = (&ghost.believer, ghost.verb());
    Some(match ghost.since {
        _ if is_crowded(scene, token) => believer.clone(),
        Some(tick) => format!("{believer} {verb}, tick {tick}"),
        None => format!("{believer} {verb}"),
    })
}

/// A token in words: `guard (stamina 3 of 10)`, `guard believes intruder here`.
pub fn words(token: &Token) -> String {
    let Token { thing, meters, .. } = token;
    if let Some(ghost) = &token.ghost {
        return format!("{} {} {thing} here", ghost.believer, ghost.verb());
    }
    if let Some(carrier) = &token.carrier {
        return format!("{thing} (with {carrier})");
    }
    if let Some(departure) = &token.departure {
        return format!("{thing} ({})", departure.text);
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

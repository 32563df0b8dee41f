//! The world as a map: where everything is at the cursor, where it is wrongly believed to be, and
//! where the actors plan to go.

mod activities;
mod arrange;
mod background;
mod bubbles;
mod controls;
mod coordinates;
mod departures;
pub mod export;
mod layers;
mod lines;
mod map_menu;
mod maps;
mod menu;
mod meters;
mod picture;
mod play;
mod relocate;
mod routes;
mod scene;
mod state;
#[cfg(test)]
mod tests;
mod token;
mod words;

use std::sync::Arc;

use leptos::prelude::*;

use self::activities::ActivityList;
use self::controls::{LayerButtons, ZoomButtons};
use self::layers::Layer;
use self::map_menu::MapMenu;
use self::maps::{maps, only_actor};
use self::picture::Picture;
use self::play::Play;
use self::scene::Scene;
use self::state::{Shown, Stage};
use self::words::{When, moves};
use super::run::Scrubber;
use crate::session::{Part, Session, Tab, last_of};

pub use self::layers::StageCamera;

/// The hint that says what a map needs.
const NO_MAP: &str = "No location fact yet. The stage needs a fact of one parameter with an object as its value, \
    such as place_of(?who: person) with a room as its value; or a boolean fact of two parameters, who and where, \
    such as at(?who: person, ?where: room).";

/// The map with its floating controls; below it, playback controls and the last movements.
#[component]
pub fn StageView() -> impl IntoView {
    let session = Session::expect();
    let stage = Stage::new(session);
    let all = Memo::new(move |_| {
        let domain = session.domain();
        let scene = session.plan.scenario.get();
        let scene = scene.and_then(|scenario| domain.scene(&scenario).map(Arc::clone));
        let actor = scene.and_then(|scene| only_actor(domain.document(), &scene));
        maps(&domain, actor.as_ref())
    });
    let shown = Memo::new(move |_| {
        let fact = |play: &Arc<Play>| Some(play.map()?.fact.clone());
        stage.play.with(|play| play.as_ref().and_then(fact))
    });
    let end = Memo::new(move |_| {
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref().filter(|answer| answer.run.is_some());
            answer.map(|answer| last_of(answer))
        })
    });
    let hint = move || match (all.with(Vec::is_empty), stage.play.with(Option::is_some)) {
        (true, _) => Some(NO_MAP.to_owned()),
        (false, false) => Some("There is no scenario to show yet.".to_owned()),
        (false, true) => {
            let omitted = stage
                .play
                .with(|play| play.as_ref().map_or(0, |play| play.omitted));
            (omitted > 0).then(|| format!("{omitted} more places not shown."))
        }
    };
    let has_map = Memo::new(move |_| stage.play.with(Option::is_some));
    let is_listed = move || stage.layers.shows(Layer::Actions) || !has_map.get();
    // The Run tab has a scrubber of its own.
    let has_timeline =
        move || session.desk.tab.get() == Tab::Run && session.desk.folding.is_open(Part::Panel);
    // It takes the room of the slider, so that nothing moves when the answer comes.
    let waiting = move || {
        let is_waiting = session.plan.answer.with(Option::is_none) && has_map.get();
        (is_waiting && !has_timeline())
            .then(|| view! { <p class="hint stage-waiting">"Waiting for the planner."</p> })
    };
    view! {
        <div class="stage-tab">
            <div class="stage-area" style:--cover=move || format!("{}px", stage.camera.cover())>
                <Show when=move || has_map.get()>
                    <Picture stage/>
                    <LayerButtons layers=stage.layers/>
                    <ZoomButtons arranged=stage.stands/>
                </Show>
                <Show when=move || all.with(|all| !all.is_empty())>
                    <MapMenu all shown stage/>
                </Show>
                <div class=move || if is_listed() { "stage-actions" } else { "unseen" }>
                    <ActivityList/>
                </div>
                {move || hint().map(|hint| view! { <p class="hint stage-hint">{hint}</p> })}
            </div>
            <div class="stage-bar">
                {waiting}
                {move || end.get().filter(|_| !has_timeline()).map(|last| view! { <Scrubber last/> })}
                <Movements play=stage.play scene=stage.scene/>
            </div>
        </div>
    }
}

/// Says what has moved since the previous position of the cursor.
#[component]
fn Movements(play: Memo<Shown>, scene: Memo<Scene>) -> impl IntoView {
    let session = Session::expect();
    let when = move || match (session.tick(), session.desk.cursor.get().step) {
        (Some(tick), _) => When::Tick(tick),
        (None, Some(step)) => When::Step(step + 1),
        (None, None) => When::Start,
    };
    let movements = RwSignal::new(String::new());
    Effect::new(move |before: Option<(Shown, When, Scene)>| {
        let now = (play.get(), when(), scene.get());
        let same = |one: &Shown| match (one, &now.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        // In another run nothing has moved.
        if let Some((shown, when, scene)) = before {
            if same(&shown) {
                if when != now.1 || scene != now.2 {
                    movements.set(moves((when, &scene), (now.1, &now.2)));
                }
            } else {
                movements.set(String::new());
            }
        }
        now
    });
    view! {
        <p class="stage-told" role="status" aria-label="Movements">
            {movements}
        </p>
    }
}

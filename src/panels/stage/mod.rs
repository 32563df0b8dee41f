//! The world as a map: where everything is at the cursor, where it is wrongly believed to be, and
//! where the actors plan to go.

mod activities;
mod arrange;
mod background;
mod bubbles;
mod controls;
mod coordinates;
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
#[cfg(test)]
mod tests;
mod token;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::{Name, Point};
use taskloom::planner::plan::{Outcome, Strategy};

use self::activities::ActivityList;
use self::arrange::{Arrangement, Key, arrange, key};
use self::controls::{LayerButtons, ZoomButtons};
use self::layers::{Layer, Layers};
use self::map_menu::MapMenu;
use self::maps::{maps, only_actor};
use self::picture::Picture;
use self::play::Play;
use self::scene::Scene;
use self::words::{When, moves};
use super::run::{Scrubber, last_of};
use crate::panels::why;
use crate::session::{Part, Session, Tab};
use crate::ui::context_menu::ContextMenu;
use crate::worker::Answer;

pub use self::layers::StageCamera;

/// The hint that says what a map needs.
const NO_MAP: &str = "No location fact yet. The stage needs a fact of one parameter with an object as its value, \
    such as place_of(?who: person) with a room as its value; or a boolean fact of two parameters, who and where, \
    such as at(?who: person, ?where: room).";

/// The number of actors up to which the paths and senses of all are drawn; of more, only those of
/// the shown actor.
const MAX_DRAWN: usize = 2;

/// The play that is shown, with the answer that it belongs to.
type Shown = Option<Arc<Play>>;

/// The dragged element and its displacement.
#[derive(Debug, Clone, PartialEq)]
enum Moving {
    /// Nothing that moves by itself.
    None,
    /// An object or actor.
    Token(Key, Point),
    /// A place.
    Place(Name, Point),
}

/// The state of the Stage.
#[derive(Clone, Copy)]
struct Stage {
    session: Session,
    play: Memo<Shown>,
    scene: Memo<Scene>,
    /// The positions of everything, without what is being dragged.
    stands: Memo<Arrangement>,
    /// The positions of everything.
    arranged: Memo<Arrangement>,
    /// The actors whose paths and senses are drawn.
    drawn: Memo<Vec<usize>>,
    /// The places in which they observe something.
    observed: Memo<BTreeMap<usize, BTreeSet<Name>>>,
    layers: Layers,
    camera: StageCamera,
    moving: RwSignal<Option<Moving>>,
    /// `true` while the background image is being aligned.
    is_aligning: RwSignal<bool>,
    menus: ContextMenu,
}

impl Stage {
    fn new(session: Session) -> Self {
        let layers = Layers::restore();
        let play = shown_play(session);
        let scene = Memo::new(move |_| {
            let cursor = session.desk.cursor.get();
            let scene = play
                .get()
                .map(|play| play.scene(cursor))
                .unwrap_or_default();
            match layers.shows(Layer::Beliefs) {
                true => scene,
                false => scene.without_ghosts(),
            }
        });
        let placed = Memo::new(move |_| session.document().layout.stage.places.clone());
        let stands = Memo::new(move |_| {
            let arranged = |play: Arc<Play>| {
                scene.with(|scene| placed.with(|placed| arrange(&play, scene, placed)))
            };
            play.get().map(arranged).unwrap_or_default()
        });
        let moving = RwSignal::new(None::<Moving>);
        let arranged = Memo::new(move |_| {
            let (play, stands) = (play.get(), stands.get());
            match (play, moving.get()) {
                (Some(play), Some(Moving::Place(place, by))) => {
                    let mut placed = placed_by(&stands);
                    if let Some(at) = placed.get_mut(&place) {
                        *at = moved(*at, by);
                    }
                    scene.with(|scene| arrange(&play, scene, &placed))
                }
                (Some(_), Some(Moving::Token(key, by))) => {
                    let mut arranged = stands;
                    if let Some(rect) = arranged.tokens.get_mut(&key) {
                        rect.at = moved(rect.at, by);
                    }
                    arranged
                }
                _ => stands,
            }
        });
        let drawn = Memo::new(move |_| {
            let shown = session.desk.character.get();
            let count = play.with(|play| play.as_ref().map_or(0, |play| play.actors.len()));
            drawn(count, shown)
        });
        let observed = Memo::new(move |_| {
            let (Some(play), cursor) = (play.get(), session.desk.cursor.get()) else {
                return BTreeMap::new();
            };
            if !layers.shows(Layer::Senses) {
                return BTreeMap::new();
            }
            let seen = |actor| (actor, play.observed(cursor, actor));
            drawn.get().into_iter().map(seen).collect()
        });
        Self {
            session,
            play,
            scene,
            stands,
            arranged,
            drawn,
            observed,
            layers,
            camera: StageCamera::expect(),
            moving,
            is_aligning: RwSignal::new(false),
            menus: ContextMenu::expect(),
        }
    }

    /// Returns the index of the actor that a token is.
    fn actor(self, (thing, ..): &Key) -> Option<usize> {
        self.play
            .with_untracked(|play| play.as_ref()?.actor_of(thing))
    }

    /// Returns the place of a token.
    fn place_of(self, of: &Key) -> Option<Name> {
        self.scene.with_untracked(|scene| {
            let mut tokens = scene.tokens.iter();
            tokens.find(|token| key(token) == *of)?.place.clone()
        })
    }
}

/// Returns the actors whose paths and senses are drawn.
fn drawn(count: usize, shown: usize) -> Vec<usize> {
    match count {
        0..=MAX_DRAWN => (0..count).collect(),
        _ => vec![shown],
    }
}

/// Returns the play of the latest answer or, before the first one, of the scenario's start.
fn shown_play(session: Session) -> Memo<Shown> {
    let choice = Memo::new(move |_| {
        let document = session.document();
        let stage = &document.layout.stage;
        (stage.fact.clone(), stage.axes.clone())
    });
    // The rest of the document is that of the answer: no edit is shown before it is planned.
    Memo::new_with_compare(
        move |_| {
            // Tracking alone would never compute it.
            choice.get();
            let answer = session.plan.answer.get();
            let answer = answer.or_else(|| unanswered(session))?;
            Play::new(&session.domain_untracked(), answer).map(Arc::new)
        },
        |one: Option<&Shown>, other| match (one.and_then(Option::as_ref), other) {
            (Some(one), Some(Some(other))) => !Arc::ptr_eq(one, other),
            _ => true,
        },
    )
}

/// Returns an answer that knows nothing yet, so that the map is there before the planner is.
fn unanswered(session: Session) -> Option<Arc<Answer>> {
    // An answer shows an edit once it is planned; here it is shown at once.
    session.domain();
    let scenario = session.plan.scenario.get()?;
    let about = (scenario, session.desk.character.get());
    let answer = Answer::without_plan(0, about, Strategy::default(), Outcome::Stopped);
    Some(Arc::new(answer))
}

/// Returns the positions of all places that can be moved.
fn placed_by(arranged: &Arrangement) -> BTreeMap<Name, Point> {
    let places = arranged.places.iter();
    let places = places.filter_map(|(name, rect)| Some((name.clone()?, rect.at)));
    places.collect()
}

fn moved(at: Point, by: Point) -> Point {
    Point {
        x: at.x.saturating_add(by.x),
        y: at.y.saturating_add(by.y),
    }
}

/// Shows an actor, and opens the reason for what it is doing beside its token.
fn open_reason(session: Session, actor: usize) {
    session.show_character(actor);
    let token = document().query_selector(&format!("[data-token][data-actor=\"{actor}\"]"));
    if let Ok(Some(token)) = token {
        why::open_reason(session, actor, &token);
    }
}

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

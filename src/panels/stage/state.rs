//! The state of the Stage.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::sort::map_of;
use taskloom_document::{Name, Point};
use taskloom_planner::plan::{Outcome, Strategy};

use super::arrange::{Arrangement, Key, arrange, key};
use super::layers::{Layer, Layers, StageCamera};
use super::play::Play;
use super::scene::Scene;
use crate::canvas::presets::Presets;
use crate::panels::why;
use crate::session::Session;
use crate::ui::context_menu::ContextMenu;
use crate::worker::Answer;

/// The number of actors up to which the paths and senses of all are drawn; of more, only those of
/// the shown actor.
const MAX_DRAWN: usize = 2;

/// The play that is shown, with the answer that it belongs to.
pub(super) type Shown = Option<Arc<Play>>;

/// The dragged element and its displacement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Moving {
    /// Nothing that moves by itself.
    None,
    /// An object or actor.
    Token(Key, Point),
    /// A place.
    Place(Name, Point),
}

/// The state of the Stage.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) session: Session,
    pub(super) play: Memo<Shown>,
    pub(super) scene: Memo<Scene>,
    /// The positions of everything, without what is being dragged.
    pub(super) stands: Memo<Arrangement>,
    /// The positions of everything.
    pub(super) arranged: Memo<Arrangement>,
    /// The actors whose paths and senses are drawn.
    pub(super) drawn: Memo<Vec<usize>>,
    /// The places in which they observe something.
    pub(super) observed: Memo<BTreeMap<usize, BTreeSet<Name>>>,
    pub(super) layers: Layers,
    pub(super) camera: StageCamera,
    pub(super) presets: Presets,
    pub(super) moving: RwSignal<Option<Moving>>,
    /// `true` while the background image is being aligned.
    pub(super) is_aligning: RwSignal<bool>,
    pub(super) menus: ContextMenu,
}

impl Stage {
    pub(super) fn new(session: Session) -> Self {
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
                    let mut placed = stands.small.clone();
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
            map_of(drawn.get().into_iter().map(seen))
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
            presets: Presets::expect(),
            moving,
            is_aligning: RwSignal::new(false),
            menus: ContextMenu::expect(),
        }
    }

    /// Returns the index of the actor that a token is.
    pub(super) fn actor(self, (thing, ..): &Key) -> Option<usize> {
        self.play
            .with_untracked(|play| play.as_ref()?.actor_of(thing))
    }

    /// Returns the place of a token.
    pub(super) fn place_of(self, of: &Key) -> Option<Name> {
        self.scene.with_untracked(|scene| {
            let mut tokens = scene.tokens.iter();
            tokens.find(|token| key(token) == *of)?.place.clone()
        })
    }
}

/// Returns the actors whose paths and senses are drawn.
pub(super) fn drawn(count: usize, shown: usize) -> Vec<usize> {
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

pub(super) fn moved(at: Point, by: Point) -> Point {
    Point {
        x: at.x.saturating_add(by.x),
        y: at.y.saturating_add(by.y),
    }
}

/// Shows an actor, and opens the reason for what it is doing beside its token.
pub(super) fn open_reason(session: Session, actor: usize) {
    session.show_character(actor);
    let token = document().query_selector(&format!("[data-token][data-actor=\"{actor}\"]"));
    if let Ok(Some(token)) = token {
        why::open_reason(session, actor, &token);
    }
}

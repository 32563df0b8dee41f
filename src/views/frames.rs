//! Frames and notes: rectangles behind the blocks, with a title and a text. What
//! stands in one moves with it.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev::{self, KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;
use taskloom_core::document::{BlockId, Edit, Frame, Name, Point, Tint};
use taskloom_core::sorted::SortedSet;

use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::Graph;
use crate::canvas::surface::Surface;
use crate::session::{Selection, Session, View};

/// Room between a frame and what it is put around, in graph units.
const AROUND: f64 = 30.0;
/// Height of a frame's title.
const TITLE: f64 = 30.0;
/// The least side of a frame.
const LEAST: i32 = 60;
/// Size of a note around nothing.
const NOTE: Point = Point { x: 240, y: 140 };

/// The canvas under the frames, without its type.
#[derive(Clone, Copy)]
pub struct Under(StoredValue<Beneath, LocalStorage>);

#[derive(Clone)]
struct Beneath {
    /// The graph's point under a point of the page.
    at: Rc<dyn Fn(Vec2) -> Vec2>,
    /// Shows what stands in these frames elsewhere; or, with `true`, gives the edit
    /// that moves it there and shows it where it is.
    carry: Rc<Carry>,
}

type Carry = dyn Fn(&[Arc<Frame>], Vec2, bool) -> Option<Edit>;

impl Under {
    /// The frames' side of a canvas. `moving` is the edit that moves nodes.
    pub fn new<G: Graph>(
        surface: Surface<G>,
        moving: impl Fn(&SortedSet<G::Node>, Vec2) -> Edit + 'static,
    ) -> Self {
        let carry = move |frames: &[Arc<Frame>], by: Vec2, done: bool| {
            let held = surface.nodes_at(|corner| frames.iter().any(|frame| frame.holds(corner)));
            if done {
                surface.carry(&SortedSet::new(), Vec2::default());
                return (!held.is_empty()).then(|| moving(&held, by));
            }
            surface.carry(&held, by);
            None
        };
        Self(StoredValue::new_local(Beneath {
            at: Rc::new(move |page| surface.graph_at(page)),
            carry: Rc::new(carry),
        }))
    }

    /// The graph's point under a point of the page.
    pub fn at(&self, page: Vec2) -> Vec2 {
        (self.0.get_value().at)(page)
    }

    fn carry(&self, frames: &[Arc<Frame>], by: Vec2, done: bool) -> Option<Edit> {
        (self.0.get_value().carry)(frames, by, done)
    }
}

/// What the pointer does with a frame.
#[derive(Clone)]
struct Drag {
    /// The frames that move: the one that is held, and those that stand in it.
    ids: SortedSet<BlockId>,
    /// Whether it is the corner that is held.
    resizes: bool,
    from: Vec2,
    by: Vec2,
}

/// The frames of the open canvas.
#[component]
pub fn Frames(
    /// The compound task, or none for the Board.
    sheet: Option<Name>,
    /// The canvas.
    under: Under,
) -> impl IntoView {
    let session = Session::expect();
    let known = sheet.clone();
    let frames = Mirror::of(move || {
        let document = session.document();
        let frames = document.layout.frames(known.as_ref());
        frames
            .iter()
            .map(|(id, f)| (id.clone(), f.clone()))
            .collect()
    });
    let drag = RwSignal::new_local(None::<Drag>);
    // Frames stop the events of their own presses: this one is beside them.
    let pressed = window_event_listener(ev::pointerdown, move |event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let on_canvas = target.is_some_and(|t| t.closest(".canvas").is_ok_and(|c| c.is_some()));
        if on_canvas && session.selection.with_untracked(|s| !s.frames.is_empty()) {
            session.selection.update(|s| s.frames.clear());
        }
    });
    on_cleanup(move || pressed.remove());
    view! {
        <For each=move || frames.keys.get() key=|id| id.clone() children=move |id| {
            let sheet = sheet.clone();
            one(session, Shown { id, sheet, frames, drag, under })
        }/>
    }
}

#[derive(Clone)]
struct Shown {
    id: BlockId,
    sheet: Option<Name>,
    frames: Mirror<BlockId, Arc<Frame>>,
    drag: RwSignal<Option<Drag>, LocalStorage>,
    under: Under,
}

impl Shown {
    fn frame(&self, id: &BlockId) -> Option<Arc<Frame>> {
        self.frames.model(id).map(|model| model.get_untracked())
    }

    fn moving(&self, drag: &Drag) -> Vec<Arc<Frame>> {
        drag.ids.iter().filter_map(|id| self.frame(id)).collect()
    }

    fn press(&self, session: Session, event: &PointerEvent, resizes: bool) {
        event.stop_propagation();
        if event.button() != 0 {
            return;
        }
        session.selection.set(Selection {
            frames: [self.id.clone()].into(),
            ..Selection::default()
        });
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if let Some(target) = target {
            // Without the pointer's capture a drag ends at the canvas's edge.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        let mut ids = SortedSet::from([self.id.clone()]);
        if let Some(frame) = self
            .frame(&self.id)
            .filter(|_| !resizes && !event.alt_key())
        {
            let all = self.frames.keys.get_untracked();
            ids.extend(all.into_iter().filter(|id| {
                let inner = self.frame(id);
                inner.is_some_and(|inner| frame.holds(inner.at))
            }));
        }
        self.drag.set(Some(Drag {
            ids,
            resizes,
            from: self.pointer(event),
            by: Vec2::default(),
        }));
    }

    fn pointer(&self, event: &MouseEvent) -> Vec2 {
        self.under
            .at(Vec2::new(event.client_x().into(), event.client_y().into()))
    }

    fn pull(&self, event: &PointerEvent) {
        let Some(mut drag) = self.drag.get_untracked() else {
            return;
        };
        event.stop_propagation();
        drag.by = (self.pointer(event) - drag.from).snapped(SNAP);
        if !drag.resizes {
            self.under.carry(&self.moving(&drag), drag.by, false);
        }
        self.drag.set(Some(drag));
    }

    fn release(&self, session: Session) {
        let Some(drag) = self.drag.try_update(Option::take).flatten() else {
            return;
        };
        let frames = self.moving(&drag);
        let carried = match drag.resizes {
            true => None,
            false => self.under.carry(&frames, drag.by, true),
        };
        if drag.by == Vec2::default() {
            return;
        }
        let placed = drag.ids.iter().filter_map(|id| {
            let frame = pulled(&*self.frame(id)?, &drag);
            Some(Edit::SetFrame(self.sheet.clone(), id.clone(), Some(frame)))
        });
        let label = if drag.resizes {
            "Resize frame"
        } else {
            "Move frame"
        };
        session.commit(label, Edit::Batch(placed.chain(carried).collect()));
    }

    /// The keys of a frame's title.
    fn key(&self, session: Session, event: &KeyboardEvent) {
        let step = SNAP * if event.shift_key() { 5.0 } else { 1.0 };
        let by = match event.key().as_str() {
            "ArrowLeft" => Vec2::new(-step, 0.0),
            "ArrowRight" => Vec2::new(step, 0.0),
            "ArrowUp" => Vec2::new(0.0, -step),
            "ArrowDown" => Vec2::new(0.0, step),
            "Enter" | "F2" => {
                session.titling.set(Some(self.id.clone()));
                Vec2::default()
            }
            "Escape" if session.selection.with_untracked(|s| !s.frames.is_empty()) => {
                session.selection.update(|s| s.frames.clear());
                Vec2::default()
            }
            "Delete" | "Backspace" => {
                remove(session, &self.sheet, [self.id.clone()]);
                Vec2::default()
            }
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if by != Vec2::default() {
            let ids = [self.id.clone()].into();
            let (resizes, from) = (false, Vec2::default());
            self.drag.set(Some(Drag {
                ids,
                resizes,
                from,
                by,
            }));
            self.release(session);
        }
    }
}

/// A frame as a drag leaves it.
fn pulled(frame: &Frame, drag: &Drag) -> Frame {
    let mut frame = frame.clone();
    let by = drag.by.to_point();
    if drag.resizes {
        frame.size.x = frame.size.x.saturating_add(by.x).max(LEAST);
        frame.size.y = frame.size.y.saturating_add(by.y).max(LEAST);
    } else {
        frame.at.x = frame.at.x.saturating_add(by.x);
        frame.at.y = frame.at.y.saturating_add(by.y);
    }
    frame
}

fn one(session: Session, shown: Shown) -> impl IntoView {
    let Some(model) = shown.frames.model(&shown.id) else {
        return ().into_any();
    };
    let shown = StoredValue::new_local(shown);
    let now = Signal::derive_local(move || {
        let frame = model.get();
        shown.with_value(|shown| match shown.drag.get() {
            Some(drag) if drag.ids.contains(&shown.id) => pulled(&frame, &drag),
            _ => (*frame).clone(),
        })
    });
    let id = shown.with_value(|shown| shown.id.clone());
    let (own, this) = (id.clone(), id.clone());
    let selected = move || session.selection.with(|s| s.frames.contains(&own));
    let titling = Memo::new(move |_| session.titling.with(|t| t.as_ref() == Some(&this)));
    let words = move || match now.get() {
        Frame { title, .. } if !title.is_empty() => format!("Frame: {title}"),
        Frame { note, .. } if !note.is_empty() => format!("Note: {note}"),
        _ => "Frame".to_owned(),
    };
    let class = move || {
        let tint = now.with(|frame| tint_name(frame.tint));
        format!(
            "frame frame-{tint}{}",
            if selected() { " selected" } else { "" }
        )
    };
    let title = move || {
        if titling.get() {
            let write = move |text: String| {
                shown.with_value(|shown| retitle(session, shown, text));
            };
            return title_field(session, now.with_untracked(|f| f.title.clone()), write);
        }
        now.with(|frame| frame.title.clone()).into_any()
    };
    view! {
        <section class=class data-frame=id.to_string()
            style:left=move || now.with(|f| format!("{}px", f.at.x)) style:top=move || now.with(|f| format!("{}px", f.at.y))
            style:width=move || now.with(|f| format!("{}px", f.size.x)) style:height=move || now.with(|f| format!("{}px", f.size.y))
        >
            <div class="frame-title" tabindex="0" role=move || if titling.get() { "group" } else { "button" } aria-label=words
                on:pointerdown=move |e| shown.with_value(|s| s.press(session, &e, false))
                on:pointermove=move |e| shown.with_value(|s| s.pull(&e))
                on:pointerup=move |_| shown.with_value(|s| s.release(session))
                on:dblclick=move |e| { e.stop_propagation(); shown.with_value(|s| session.titling.set(Some(s.id.clone()))) }
                on:keydown=move |e| if !titling.get_untracked() { shown.with_value(|s| s.key(session, &e)) }
            >{title}</div>
            <p class="frame-note">{move || now.with(|f| f.note.clone())}</p>
            <i class="frame-grip" aria-hidden="true"
                on:pointerdown=move |e| shown.with_value(|s| s.press(session, &e, true))
                on:pointermove=move |e| shown.with_value(|s| s.pull(&e))
                on:pointerup=move |_| shown.with_value(|s| s.release(session))
            ></i>
        </section>
    }
    .into_any()
}

/// The title while it is typed: Enter or leaving it keeps it, Escape does not.
fn title_field(session: Session, text: String, write: impl Fn(String) + 'static) -> AnyView {
    let input = NodeRef::<Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        match event.key().as_str() {
            "Enter" if !event.is_composing() => {
                if let Some(input) = input.get_untracked() {
                    let _ = input.blur();
                }
            }
            "Escape" => session.titling.set(None),
            _ => {}
        }
    };
    let leave = move |_| {
        // Where it was escaped it is not written.
        let open = session.titling.get_untracked().is_some();
        if let Some(input) = input.get_untracked().filter(|_| open) {
            session.titling.set(None);
            write(input.value());
        }
    };
    view! {
        <input node_ref=input class="frame-input" aria-label="Title of the frame" prop:value=text
            on:keydown=key on:blur=leave on:pointerdown=|e| e.stop_propagation()/>
    }
    .into_any()
}

fn retitle(session: Session, shown: &Shown, title: String) {
    if let Some(frame) = shown.frame(&shown.id).filter(|frame| frame.title != title) {
        let frame = Frame {
            title,
            ..(*frame).clone()
        };
        let edit = Edit::SetFrame(shown.sheet.clone(), shown.id.clone(), Some(frame));
        session.commit("Title frame", edit);
    }
}

/// The name of a colour, as in the classes of the style sheet.
pub fn tint_name(tint: Tint) -> &'static str {
    let named = Tint::ALL.into_iter().find(|(other, _)| *other == tint);
    named.map_or("", |(_, name)| name)
}

/// Puts a frame around what is selected, or a note where the canvas was pointed
/// at, and asks for its title.
pub fn add(session: Session, around: Option<Rect>) -> bool {
    let frame = match around {
        Some(rect) => {
            let rect = rect.grown(AROUND);
            Frame {
                at: Vec2::new(rect.x, rect.y - TITLE).to_point(),
                size: Vec2::new(rect.w, rect.h + TITLE).to_point(),
                ..Frame::default()
            }
        }
        None => Frame {
            at: session.pointed().unwrap_or_default(),
            size: NOTE,
            tint: Tint::Yellow,
            ..Frame::default()
        },
    };
    let id = session.fresh_block_id();
    let edit = Edit::SetFrame(session.sheet(), id.clone(), Some(frame));
    if session.commit("Add frame", edit) {
        session.selection.set(Selection {
            frames: [id.clone()].into(),
            ..Selection::default()
        });
        session.titling.set(Some(id));
    }
    true
}

/// Takes frames away; what stands in them stays.
pub fn remove(
    session: Session,
    sheet: &Option<Name>,
    ids: impl IntoIterator<Item = BlockId>,
) -> bool {
    let gone = ids
        .into_iter()
        .map(|id| Edit::SetFrame(sheet.clone(), id, None));
    let gone: Vec<Edit> = gone.collect();
    !gone.is_empty() && session.commit("Delete frame", Edit::Batch(gone))
}

impl Session {
    /// The task whose method is open; none for the Board.
    pub fn sheet(&self) -> Option<Name> {
        match self.view.get_untracked() {
            View::Method(task) => Some(task),
            View::Board => None,
        }
    }
}

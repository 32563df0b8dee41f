//! Frames and notes: rectangles behind the blocks or cards, with a title and a text. On the canvas
//! they are nodes that are dragged by their titles, along with their contents.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::html::Input;
use leptos::prelude::*;
use taskloom_document::{BlockId, Document, Edit, Frame, Name, Point, Tint};

use crate::canvas::colour::Colour;
use crate::canvas::geometry::{Rect, Vec2, pixels};
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{self, Node, Shape, TITLE};
use crate::canvas::surface::Surface;
use crate::session::{Selection, Session};
use crate::ui::entry::Entry;
use crate::ui::keyed::Keyed;

/// The space between a frame and its contents, in graph units: less than between two cards of the
/// Board.
pub const AROUND: f64 = 12.0;
/// The size of a note without contents.
const NOTE: Point = Point { x: 240, y: 140 };

/// Returns the task whose method is open; `None` for the Board.
pub fn sheet(session: Session) -> Option<Name> {
    let view = session.open.view.get_untracked();
    view.method().cloned()
}

/// Returns the frames of a method, or of the Board, as nodes.
pub fn nodes(document: &Document, sheet: Option<&Name>) -> Vec<(Node, Shape)> {
    let frames = document.layout.frames(sheet).iter();
    let node = |(id, frame): (&BlockId, &Arc<Frame>)| {
        let shape = Shape {
            rect: rect(frame),
            sockets: vec![],
            head: TITLE,
            colour: Colour::LineStrong,
        };
        (Node::Frame(id.clone()), shape)
    };
    frames.map(node).collect()
}

/// Returns the place of a frame in the document.
pub fn rect(frame: &Frame) -> Rect {
    let size = Vec2::from(frame.size);
    Rect::at(frame.at.into(), size.x, size.y)
}

/// Returns the edits that change some frames of the open canvas.
pub fn changed(
    session: Session,
    ids: &BTreeSet<BlockId>,
    change: &dyn Fn(&mut Frame),
) -> Vec<Edit> {
    let (document, sheet) = (session.document_untracked(), sheet(session));
    let frames = document.layout.frames(sheet.as_ref());
    let edit = |id: &BlockId| {
        let mut frame = (**frames.get(id)?).clone();
        change(&mut frame);
        Some(Edit::SetFrame(sheet.clone(), id.clone(), Some(frame)))
    };
    ids.iter().filter_map(edit).collect()
}

/// Returns the edits that move the frames among these nodes.
pub fn moved(session: Session, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit> {
    changed(session, &scene::frames(nodes), &|frame| {
        frame.at = (Vec2::from(frame.at) + by).to_point();
    })
}

/// Returns the edits that remove frames but keep their contents.
pub fn removed(session: Session, ids: &BTreeSet<BlockId>) -> Vec<Edit> {
    let gone = |id: &BlockId| Edit::SetFrame(sheet(session), id.clone(), None);
    ids.iter().map(gone).collect()
}

/// Resizes a frame.
pub(super) fn resize(session: Session, id: &BlockId, by: Vec2) {
    let edits = changed(session, &[id.clone()].into(), &|frame| {
        frame.size = (Vec2::from(frame.size) + by).to_point();
    });
    session.commit("Resize frame", Edit::Batch(edits));
}

/// Puts a frame around a rectangle, or a note at the pointer position, in one step with the edits
/// in `before`, and asks for its title.
pub fn add(session: Session, around: Option<Rect>, before: Vec<Edit>) {
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
            at: session.desk.pointed().unwrap_or_default(),
            size: NOTE,
            tint: Tint::Yellow,
            ..Frame::default()
        },
    };
    let id = session.fresh_block_id();
    let mut all = before;
    all.push(Edit::SetFrame(sheet(session), id.clone(), Some(frame)));
    if session.commit("Add frame", Edit::Batch(all)) {
        session.open.select(Selection {
            frames: [id.clone()].into(),
            ..Selection::default()
        });
        session.desk.begin_titling(id);
    }
}

/// The frames of a canvas.
#[component]
pub fn Frames(
    /// The canvas.
    surface: Surface,
    /// The compound task, or `None` for the Board.
    sheet: Option<Name>,
) -> impl IntoView {
    let session = Session::expect();
    let frames = Mirror::of(move || {
        let document = session.document();
        let frames = document.layout.frames(sheet.as_ref()).iter();
        frames.map(|(id, f)| (id.clone(), f.clone())).collect()
    });
    view! {
        <Keyed each=move || frames.keys.get() key=|id| id.clone() children=move |id| {
            frames.model(&id).map(|frame| frame_view(session, surface, id, frame))
        }/>
    }
}

fn frame_view(
    session: Session,
    surface: Surface,
    id: BlockId,
    frame: ArcRwSignal<Arc<Frame>>,
) -> AnyView {
    let frame = Memo::new(move |_| frame.get());
    let node = Node::Frame(id.clone());
    let element = surface.node_ref(node.clone());
    let words = move || match &*frame.read() {
        frame if !frame.title.is_empty() => format!("Frame: {}", frame.title),
        frame if !frame.note.is_empty() => format!("Note: {}", frame.note),
        _ => "Frame".to_owned(),
    };
    let name = id.to_string();
    let text = Signal::derive(move || frame.read().title.clone());
    let input = NodeRef::<Input>::new();
    let this = id.clone();
    Effect::new(move || {
        if let Some(input) = input.get()
            && session
                .desk
                .titling
                .with(|asked| asked.as_ref() == Some(&this))
        {
            session.desk.end_titling();
            // The field is on the page by now.
            let _ = input.focus();
            input.select();
        }
    });
    let take = move |title: String| {
        let edits = changed(session, &[id.clone()].into(), &|frame| {
            frame.title.clone_from(&title);
        });
        session.commit("Edit frame title", Edit::Batch(edits));
        Ok(())
    };
    let done = UnsyncCallback::new(move |()| surface.focus(Some(&node)));
    let side = move |of: fn(Point) -> i32| move || pixels(f64::from(of(frame.read().size)));
    view! {
        <div
            class="frame" node_ref=element tabindex="-1" role="group" data-frame=name data-tint=move || frame.read().tint.name()
            aria-roledescription="frame" aria-label=words style:width=side(|size| size.x) style:height=side(|size| size.y)
        >
            <Entry label="Frame title" text take done input attr:class="frame-title" attr:tabindex="-1"/>
            <p class="frame-note">{move || frame.read().note.clone()}</p>
            <i class="frame-grip" aria-hidden="true"></i>
        </div>
    }
    .into_any()
}

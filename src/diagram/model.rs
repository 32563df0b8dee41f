//! The diagram interface, and the open diagram.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::diagnostic::{Place, Severity};
use taskloom_document::sort::map_of;
use taskloom_document::{BlockKind, Edit, Name, RecordRef};
use taskloom_runtime::TaskState;

use super::face::Look;
use super::menu::Section;
use super::node::{Badge, NodeModel, Overlay};
use crate::canvas::WireLook;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::intent::Intent;
use crate::canvas::scene::{Node, Selected, Wire};
use crate::canvas::search::{Entry, Search};
use crate::canvas::surface::{Content, Surface};
use crate::session::{Selection, Session};
use crate::ui::state_mark::{shape, word};

/// A canvas's content, and the meaning of its gestures for the document.
pub trait Diagram: Content {
    /// Returns its accessible name.
    fn label(&self) -> String;
    /// Returns the compound task whose method it is; `None` for the Board.
    fn sheet(&self) -> Option<Name>;
    /// Returns the word for one of its nodes.
    fn noun(&self) -> &'static str;
    /// Returns the selection, including what is copied and deleted along with it.
    fn whole(&self, surface: Surface) -> Selection;
    /// Selects only this.
    fn select(&self, selected: &Selected);
    /// Returns the models of the mounted nodes. Tracked.
    fn nodes(&self, surface: Surface) -> Vec<(Node, NodeModel)>;
    /// Returns the appearance of the mounted wires. Tracked.
    fn wires(&self, surface: Surface) -> Vec<(Wire, WireLook)>;
    /// Returns the document's position of a point of the canvas.
    fn stored(&self, at: Vec2) -> Vec2 {
        at
    }
    /// Returns the edits that move its nodes, except for frames.
    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit>;
    /// Returns the edits that insert a node on the wire where it was dropped; empty if that isn't
    /// possible.
    fn dropped(&self, node: &Node, at: Vec2, wire: &Wire) -> Vec<Edit>;
    /// Returns the edits that make room for a frame around this rectangle, and how far down the
    /// frame then has to move.
    fn make_room(&self, around: &Rect) -> (Vec<Edit>, f64);
    /// Deletes the selection. Returns `true` if that succeeded.
    fn delete(&self, selected: &Selected) -> bool;
    /// Collapses the selected nodes, or expands them if all are collapsed: returns their number,
    /// whether they get collapsed, and the edit.
    fn collapsed(&self) -> (usize, bool, Edit);
    /// Returns the menu of a selection, at a position in pixels of the canvas and in graph units;
    /// without a selection, of the canvas.
    fn menu(&self, selected: &Selected, at: (Vec2, Vec2)) -> Vec<Section>;
    /// Returns what a drop at a point of the graph would do, or why it is refused.
    fn offer(&self, dragged: &Dragged, at: Vec2) -> Result<DropOffer, String>;
    /// Takes what is dropped at a point of the graph.
    fn take(&self, open: OpenDiagram, dragged: &Dragged, at: Vec2);
    /// Performs an intent. Returns `true` if there was something to do.
    fn perform(&self, open: OpenDiagram, intent: Intent) -> bool;
    /// Returns the content among the nodes.
    fn inside(&self, open: OpenDiagram) -> AnyView;
    /// Returns the content on the screen above everything else.
    fn over(&self, open: OpenDiagram) -> AnyView;
}

/// The object of a drag onto a diagram.
#[derive(Debug, Clone, PartialEq)]
pub enum Dragged {
    /// A record, from the outline.
    Record(RecordRef),
    /// A new block of this kind, from a method's palette.
    Block(BlockKind),
}

impl Dragged {
    /// Returns its name.
    pub fn name(&self) -> String {
        match self {
            Self::Record(record) => record.name.to_string(),
            Self::Block(kind) => kind.title().to_owned(),
        }
    }
}

/// The effect of a drop.
#[derive(Debug, Clone, PartialEq)]
pub struct DropOffer {
    /// Its description: `Add a Branch`.
    pub words: String,
    /// The wire on which a block would be inserted.
    pub wire: Option<Wire>,
}

/// The open diagram, with its canvas.
#[derive(Clone, Copy)]
pub struct OpenDiagram {
    /// The canvas.
    pub surface: Surface,
    pub(super) diagram: StoredValue<Rc<dyn Diagram>, LocalStorage>,
    /// The search box.
    pub(super) searching: RwSignal<Option<Search>, LocalStorage>,
}

impl OpenDiagram {
    /// Returns the diagram; `None` once it is closed.
    pub fn diagram(&self) -> Option<Rc<dyn Diagram>> {
        self.diagram.try_get_value()
    }

    /// Returns the selection, including what is copied and deleted along with it.
    pub(super) fn whole(&self) -> Selection {
        let diagram = self.diagram();
        diagram.map_or_else(Selection::default, |diagram| diagram.whole(self.surface))
    }

    /// Returns what a drop at a position in pixels of the window would do, or why it is refused, and
    /// marks the wire that a block would be inserted on.
    pub fn offer(&self, dragged: &Dragged, at: Vec2) -> Option<Result<String, String>> {
        let graph = self.surface.camera().to_graph(at - self.surface.corner());
        let offer = self.diagram()?.offer(dragged, graph);
        let wire = offer.as_ref().ok().and_then(|offer| offer.wire.clone());
        self.surface.mark_receiving(wire.as_ref());
        Some(offer.map(|offer| offer.words))
    }

    /// Takes what is dropped at a position in pixels of the window.
    pub fn take(&self, dragged: &Dragged, at: Vec2) {
        let graph = self.surface.camera().to_graph(at - self.surface.corner());
        self.surface.mark_receiving(None);
        if let Some(diagram) = self.diagram() {
            diagram.take(*self, dragged, graph);
        }
    }

    /// Opens the search box.
    pub(super) fn search(
        &self,
        title: &str,
        at: Vec2,
        entries: Vec<Entry>,
        fresh: impl Fn(&str) -> Vec<Entry> + 'static,
    ) {
        self.searching.set(Some(Search {
            title: title.to_owned(),
            at,
            entries: Rc::new(entries),
            fresh: Rc::new(fresh),
        }));
    }

    /// Handles the search box being closed.
    pub(super) fn close_search(&self) {
        if self.searching.with_untracked(Option::is_some) {
            self.searching.set(None);
            self.surface.focus(None);
        }
    }
}

/// Returns the diagnostics of the nodes, the most severe first; `node` returns the node of a place.
/// Tracked.
pub fn findings(
    session: Session,
    node: impl Fn(&Place) -> Option<Node>,
) -> BTreeMap<Node, Overlay> {
    let mut findings: BTreeMap<Node, (Severity, String)> = BTreeMap::new();
    for diagnostic in session.open.diagnostics.get().iter() {
        let Some(node) = node(&diagnostic.place) else {
            continue;
        };
        let (severity, messages) = findings
            .entry(node)
            .or_insert((diagnostic.severity, String::new()));
        *severity = (*severity).min(diagnostic.severity);
        if !messages.is_empty() {
            messages.push('\n');
        }
        messages.push_str(&diagnostic.message);
    }
    let overlay = |(severity, messages): (Severity, String)| {
        let class = match severity {
            Severity::Error => "found-error",
            Severity::Warning => "found-warning",
        };
        Overlay::new(class, messages.clone()).with_badge(Badge {
            class: "node-badge".into(),
            icon: EXCLAMATION,
            title: messages,
            ..Badge::default()
        })
    };
    let findings = findings.into_iter();
    map_of(findings.map(|(node, found)| (node, overlay(found))))
}

/// Returns the overlay of a task's state at the current moment of the run.
pub fn in_state(state: TaskState) -> Overlay {
    let (class, name) = word(state);
    Overlay::new(class, format!("State: {name}")).with_badge(Badge {
        class: format!("node-state state {class}"),
        icon: shape(state),
        title: name.into(),
        ..Badge::default()
    })
}

/// An exclamation mark, as the outline of a badge's icon.
const EXCLAMATION: &str = "M8 3v6M8 13v.01";

/// Creates an entry of a search box.
pub fn entry(label: String, detail: &str, look: Look, choose: impl Fn() + 'static) -> Entry {
    Entry {
        label,
        detail: detail.to_owned(),
        class: look.class(),
        icon: Some(look.icon()),
        preferred: false,
        choose: Rc::new(choose),
    }
}

/// Formats a verb with the number of nodes that it applies to: `Move block`, `Move 3 blocks`.
pub fn counted(verb: &str, count: usize, noun: &str) -> String {
    match count {
        1 => format!("{verb} {noun}"),
        count => format!("{verb} {count} {noun}s"),
    }
}

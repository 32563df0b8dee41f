//! The two diagrams: the Board and a method. What they have in common is here, once; `board` and `method` say what is
//! on them and what a gesture means there.

pub mod board;
pub mod face;
pub mod frames;
pub mod method;
mod node;
mod open;
pub mod picture;
mod tidy;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::diagnostic::{Place, Severity};
use taskloom::document::{Edit, Name};

use crate::canvas::WireLook;
use crate::canvas::camera::Camera;
use crate::canvas::far::Tints;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::Command;
use crate::canvas::scene::{End, Node, Scene, Selected, Wire};
use crate::canvas::search::Entry;
use crate::canvas::surface::Surface;
use crate::session::{Selection, Session};
use node::NodeModel;
pub use open::{Menu, OpenDiagram};
pub use view::DiagramView;

/// What can be done on a diagram by a command of the page, besides what a gesture can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Blocks do not count, or count again.
    Mute,
    /// Only titles are shown, or all again.
    Collapse,
    /// A compound task is made of blocks.
    Extract,
    /// The called task's method takes the place of the call.
    Inline,
    /// What is there is laid out.
    Tidy,
    /// What was never placed is laid out.
    Place,
    /// The diagram is left for where it was entered from.
    Leave,
}

/// A canvas's content, and what gestures on it mean for the document.
pub trait Diagram {
    /// What it is, for those who do not see it.
    fn label(&self) -> String;
    /// The compound task whose method it is; none for the Board.
    fn sheet(&self) -> Option<Name>;
    /// What one of its nodes is called.
    fn noun(&self) -> &'static str;
    /// The nodes and wires.
    fn scene(&self) -> Memo<Arc<Scene>>;
    /// What is selected. Tracked.
    fn selected(&self) -> Selected;
    /// What is selected, with what is copied and deleted along with it.
    fn whole(&self, surface: Surface) -> Selection;
    /// Selects this and nothing else.
    fn select(&self, selected: &Selected);
    /// The ports that can take a wire from this one. `without` is left out of account.
    fn offers(&self, from: &End, without: Option<&Wire>) -> BTreeSet<End>;
    /// Whether a node can stand on a wire.
    fn inserts(&self, node: &Node) -> bool;
    /// Colours of what is drawn from afar, where they are not their own. Tracked.
    fn tints(&self) -> Tints;
    /// The nodes in the order in which Tab visits them.
    fn order(&self) -> Vec<Node>;
    /// From where it is first looked at: given the rectangle around all nodes, and the canvas's size in pixels.
    fn opening(&self, content: Rect, size: Vec2) -> Camera;
    /// What the nodes show that have elements. Tracked.
    fn nodes(&self, surface: Surface) -> Vec<(Node, NodeModel)>;
    /// How the wires look that have elements. Tracked.
    fn wires(&self, surface: Surface) -> Vec<(Wire, WireLook)>;
    /// The edits that move its nodes; frames are not among them.
    fn moved(&self, nodes: &BTreeSet<Node>, by: Vec2) -> Vec<Edit>;
    /// The edits that put a node on a wire where it was dropped; none where that means nothing.
    fn dropped(&self, node: &Node, at: Vec2, wire: &Wire) -> Vec<Edit>;
    /// Edits that make room for a frame around this, and how far down the frame then has to go.
    fn make_room(&self, around: &Rect) -> (Vec<Edit>, f64);
    /// Deletes what is selected; whether it did.
    fn delete(&self, selected: &Selected) -> bool;
    /// Collapses what is selected of it, or expands it where all of that is collapsed: how many that are, whether they
    /// get collapsed, and the edit.
    fn collapsed(&self) -> (usize, bool, Edit);
    /// Does what a gesture asks for.
    fn perform(&self, open: OpenDiagram, command: Command);
    /// Does what a command of the page asks for; whether there was something to do.
    fn run(&self, open: OpenDiagram, verb: Verb) -> bool;
    /// What stands among the nodes.
    fn inside(&self, open: OpenDiagram) -> AnyView;
    /// What stands on the screen above all else.
    fn over(&self, open: OpenDiagram) -> AnyView;
}

/// Messages about the nodes, the worst severity first; `node` says whose node a place is on. Tracked.
fn findings(
    session: Session,
    node: impl Fn(&Place) -> Option<Node>,
) -> BTreeMap<Node, (Severity, String)> {
    let mut findings: BTreeMap<Node, (Severity, String)> = BTreeMap::new();
    for diagnostic in session.diagnostics.get().iter() {
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
    findings
}

/// An entry of a search box.
fn entry(label: String, detail: &str, class: &'static str, choose: impl Fn() + 'static) -> Entry {
    Entry {
        label,
        detail: detail.to_owned(),
        class,
        preferred: false,
        choose: Rc::new(choose),
    }
}

/// A verb with how many nodes it is about: `Move block`, `Move 3 blocks`.
fn counted(verb: &str, count: usize, noun: &str) -> String {
    match count {
        1 => format!("{verb} {noun}"),
        count => format!("{verb} {count} {noun}s"),
    }
}

//! What a diagram is, and the one that is open.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use leptos::prelude::*;
use taskloom::document::diagnostic::{Place, Severity};
use taskloom::document::{Edit, Name};

use super::node::NodeModel;
use crate::canvas::WireLook;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::Command;
use crate::canvas::scene::{Node, Selected, Wire};
use crate::canvas::search::{Entry, Search};
use crate::canvas::surface::{Content, Surface};
use crate::session::{Selection, Session};

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
pub trait Diagram: Content {
    /// What it is, for those who do not see it.
    fn label(&self) -> String;
    /// The compound task whose method it is; none for the Board.
    fn sheet(&self) -> Option<Name>;
    /// What one of its nodes is called.
    fn noun(&self) -> &'static str;
    /// What is selected, with what is copied and deleted along with it.
    fn whole(&self, surface: Surface) -> Selection;
    /// Selects this and nothing else.
    fn select(&self, selected: &Selected);
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

/// Gives what can be done with what is selected.
pub type Menu = UnsyncCallback<(), Vec<Entry>>;

/// The diagram that is open, with its canvas.
#[derive(Clone, Copy)]
pub struct OpenDiagram {
    /// The open document.
    pub session: Session,
    /// The canvas.
    pub surface: Surface,
    pub(super) diagram: StoredValue<Rc<dyn Diagram>, LocalStorage>,
    /// The search box.
    pub(super) searching: RwSignal<Option<Search>, LocalStorage>,
}

impl OpenDiagram {
    /// The diagram; none once it is closed.
    pub fn diagram(&self) -> Option<Rc<dyn Diagram>> {
        self.diagram.try_get_value()
    }

    /// What is selected, with what is copied and deleted along with it.
    pub(super) fn whole(&self) -> Selection {
        let diagram = self.diagram();
        diagram.map_or_else(Selection::default, |diagram| diagram.whole(self.surface))
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

    /// The search box was closed.
    pub(super) fn close_search(&self) {
        if self.searching.with_untracked(Option::is_some) {
            self.searching.set(None);
            self.surface.focus(None);
        }
    }

    /// Does what a command of the page asks for; whether there was something to do.
    pub fn run(&self, verb: Verb) -> bool {
        let Some(diagram) = self.diagram() else {
            return false;
        };
        match verb {
            Verb::Collapse => {
                let (count, on, edit) = diagram.collapsed();
                let verb = if on { "Collapse" } else { "Expand" };
                let label = counted(verb, count, diagram.noun());
                count > 0 && self.session.commit(&label, edit)
            }
            Verb::Leave => {
                self.session.leave();
                diagram.sheet().is_some()
            }
            verb => diagram.run(*self, verb),
        }
    }
}

/// Messages about the nodes, the worst severity first; `node` says whose node a place is on. Tracked.
pub fn findings(
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
pub fn entry(
    label: String,
    detail: &str,
    class: &'static str,
    choose: impl Fn() + 'static,
) -> Entry {
    Entry {
        label,
        detail: detail.to_owned(),
        class,
        preferred: false,
        choose: Rc::new(choose),
    }
}

/// A verb with how many nodes it is about: `Move block`, `Move 3 blocks`.
pub fn counted(verb: &str, count: usize, noun: &str) -> String {
    match count {
        1 => format!("{verb} {noun}"),
        count => format!("{verb} {count} {noun}s"),
    }
}

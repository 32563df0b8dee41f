//! A node on the screen: a block or a card.

use leptos::prelude::*;
use taskloom::document::Port;
use taskloom::document::diagnostic::Severity;
use taskloom::planner::explain::Mark;
use taskloom::runtime::TaskState;

use super::face::{CHANGES, Face, Look, Row, need};
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{Node, Side, Slot};
use crate::canvas::surface::Surface;
use crate::ui::state_mark::{shape, word};

/// The displayed state of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeModel {
    /// What is written on it.
    pub face: Face,
    /// `true` if it is muted.
    pub muted: bool,
    /// The search's result for it; `None` without an answer.
    pub mark: Option<Mark>,
    /// `true` if it calls a task that the current step is part of.
    pub current: bool,
    /// The state of the task that it calls, at the current moment of the run.
    pub state: Option<TaskState>,
    /// `true` if blocks off the plan's path are dimmed.
    pub dimmed: bool,
    /// Its diagnostics: the worst severity and all messages.
    pub findings: Option<(Severity, String)>,
}

impl NodeModel {
    /// Creates the model of a node of which only the text and the diagnostics are known.
    pub fn new(face: Face, findings: Option<(Severity, String)>) -> Self {
        Self {
            face,
            muted: false,
            mark: None,
            current: false,
            state: None,
            dimmed: false,
            findings,
        }
    }

    fn classes(&self) -> String {
        let mark = match &self.mark {
            Some(Mark::Taken(_)) => "taken",
            Some(Mark::Rejected(_)) => "rejected",
            Some(Mark::Unreached) if self.dimmed => "unreached",
            _ => "",
        };
        let finding = match self.findings {
            Some((Severity::Error, _)) => "found-error",
            Some((Severity::Warning, _)) => "found-warning",
            None => "",
        };
        let state = self.state.map_or("", |state| word(state).0);
        let mut classes = format!(
            "node-box {} {mark} {state} {finding}",
            self.face.look.class()
        );
        for (on, class) in [
            (self.muted, " muted"),
            (self.face.collapsed, " collapsed"),
            (self.current, " current"),
        ] {
            classes.push_str(if on { class } else { "" });
        }
        classes
    }

    /// Returns a description of its look, text and diagnostics.
    fn words(&self) -> String {
        let mut words = self.face.words();
        if self.muted {
            words.push_str(". Muted");
        }
        match &self.mark {
            Some(Mark::Taken(None)) => words.push_str(". In the plan"),
            Some(Mark::Taken(Some(note))) => words.push_str(&format!(". In the plan, {note}")),
            Some(Mark::Rejected(None)) => words.push_str(". Rejected"),
            Some(Mark::Rejected(Some(why))) => words.push_str(&format!(". Rejected: {why}")),
            _ => {}
        }
        if self.current {
            words.push_str(". Current step");
        }
        if let Some(state) = self.state {
            words.push_str(&format!(". State: {}", word(state).1));
        }
        if let Some((_, messages)) = &self.findings {
            words.push_str(&format!(". {messages}"));
        }
        words
    }
}

/// A node. It is rendered again only when its own model changes.
#[component]
pub fn NodeView(surface: Surface, nodes: Mirror<Node, NodeModel>, node: Node) -> impl IntoView {
    let Some(model) = nodes.model(&node) else {
        return ().into_any();
    };
    let element = surface.node_ref(node.clone());
    let (label, kind) = (model.clone(), model.clone());
    let is_block = node.block().is_some();
    let role = move || match kind.read().face.look {
        _ if !is_block => "card".to_owned(),
        Look::Begin | Look::End => "block".to_owned(),
        look => format!("{} block", look.words()),
    };
    view! {
        <div
            class=if is_block { "block" } else { "card" } node_ref=element tabindex="-1" role="group"
            data-block=node.block().map(ToString::to_string) data-record=node.card().map(ToString::to_string)
            aria-roledescription=role aria-label=move || label.read().words()
        >
            {move || inside(&model.read())}
        </div>
    }
    .into_any()
}

fn inside(model: &NodeModel) -> impl IntoView + use<> {
    let face = &model.face;
    let size = face.size();
    let ports = face.sockets().into_iter().map(|socket| {
        let class = match socket.port.side() {
            Side::Input if face.unmet.contains(&socket.port) => "port in unmet",
            Side::Input => "port in",
            Side::Output => "port out",
        };
        let hint = match socket.port {
            Slot::Need(role) => role.label(),
            Slot::Changes => "effects",
            _ => "",
        };
        view! {
            <i class=class data-port=socket.port.key() title=(!hint.is_empty()).then_some(hint)
                style:left=pixels(socket.at.x) style:top=pixels(socket.at.y)></i>
        }
    });
    let whole = !face.is_pill() && !face.collapsed;
    let lines = (whole && !face.lines.is_empty()).then(|| {
        let class = if face.plain {
            "node-lines plain"
        } else {
            "node-lines"
        };
        let lines = face.lines.iter();
        let lines = lines.map(|line| view! { <div class="node-line">{line.clone()}</div> });
        view! { <div class=class title=face.full.clone()>{lines.collect_view()}</div> }
    });
    let rows = (whole && !face.rows.is_empty())
        .then(|| view! { <div class="node-rows">{face.rows.iter().map(row).collect_view()}</div> });
    let badge = model.findings.clone().map(|(_, messages)| {
        view! { <span class="node-badge" aria-hidden="true" title=messages>"!"</span> }
    });
    let state = model.state.map(|state| {
        let (class, name) = word(state);
        view! {
            <span class=format!("node-state state {class}") aria-hidden="true" title=name>
                <svg viewBox="0 0 16 16"><path d=shape(state)/></svg>
            </span>
        }
    });
    let note = match &model.mark {
        Some(Mark::Taken(Some(note))) => Some(("node-note", note.clone())),
        Some(Mark::Rejected(Some(why))) => Some(("node-note why", why.clone())),
        _ => None,
    };
    let note = note.map(|(class, text)| {
        let title = text.clone();
        view! { <div class=class title=title>{text}</div> }
    });
    view! {
        <div class=model.classes() style:width=pixels(size.x) style:height=pixels(size.y)>
            {head(face)}
            {lines}
            {rows}
        </div>
        {ports.collect_view()}
        {badge}
        {state}
        {note}
    }
}

fn head(face: &Face) -> AnyView {
    if face.is_pill() {
        return view! { <div class="node-head ends">{face.title.clone()}</div> }.into_any();
    }
    let mark = match face.look.glyph() {
        "" => view! { <i class="swatch" aria-hidden="true"></i> }.into_any(),
        glyph => view! { <i class="glyph" aria-hidden="true">{glyph}</i> }.into_any(),
    };
    let aside = (!face.aside.is_empty()).then(|| {
        let class = if face.aside_yields() {
            "node-aside yields"
        } else {
            "node-aside"
        };
        view! { <span class=class title=face.aside.clone()>{face.aside.clone()}</span> }
    });
    view! {
        <div class="node-head" title=format!("{} ({})", face.title, face.look.words())>
            {mark}
            <span class="node-name">{face.title.clone()}</span>
            {aside}
        </div>
    }
    .into_any()
}

fn row(row: &Row) -> AnyView {
    let (text, hint) = (row.text.clone(), row.text.clone());
    let card_row = match row.port {
        Slot::Need(role) => Some((need(role), role.label())),
        Slot::Changes => Some((CHANGES, "effects")),
        _ => None,
    };
    if let Some((look, label)) = card_row {
        return view! {
            <div class="need" title=format!("{label}: {hint}")>
                <span class=format!("need-role {}", look.class)>{look.short}</span>
                <span class="need-text">{text}</span>
            </div>
        }
        .into_any();
    }
    let class = match row.port {
        Slot::Out(Port::True) => "outlet yes",
        Slot::Out(Port::False) => "outlet no",
        _ => "outlet",
    };
    view! { <div class=class title=hint><span>{text}</span></div> }.into_any()
}

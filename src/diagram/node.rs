//! A node on the screen: a block or a card.

use std::iter::once;

use leptos::prelude::*;
use taskloom_document::Port;

use super::face::{CHANGES, Face, Look, Row, need};
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{Node, Side, Slot, Socket};
use crate::canvas::surface::Surface;
use crate::ui::fixed::fixed;
use crate::ui::icon::{Icon, Tile};

/// The displayed state of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeModel {
    /// The text on it.
    pub face: Face,
    /// The overlays, in the order of the description.
    pub overlays: Vec<Overlay>,
}

/// Something known about a node, shown in addition to its face.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// The class of the node's box.
    pub class: &'static str,
    /// The sentence in the node's description; may be empty.
    pub words: String,
    /// The element on the node.
    pub badge: Option<Badge>,
}

/// An element on a node, in addition to its box.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Badge {
    /// Its classes, which also place it.
    pub class: String,
    /// The outline of its icon in a square of 16 units; may be empty.
    pub icon: &'static str,
    /// Its text.
    pub text: String,
    /// Its tooltip.
    pub title: String,
}

impl Overlay {
    /// Creates one without a badge.
    pub fn new(class: &'static str, words: impl Into<String>) -> Self {
        Self {
            class,
            words: words.into(),
            badge: None,
        }
    }

    /// Adds a badge.
    pub fn with_badge(self, badge: Badge) -> Self {
        Self {
            badge: Some(badge),
            ..self
        }
    }
}

impl NodeModel {
    fn classes(&self) -> String {
        let collapsed = self.face.collapsed.then_some("collapsed");
        let overlays = self.overlays.iter().map(|overlay| overlay.class);
        let classes = ["node-box", self.face.look.class()].into_iter();
        Vec::from_iter(classes.chain(collapsed).chain(overlays)).join(" ")
    }

    /// Returns a description of its look, text and overlays.
    fn words(&self) -> String {
        let overlays = self.overlays.iter().map(|overlay| overlay.words.clone());
        let overlays = overlays.filter(|words| !words.is_empty());
        Vec::from_iter(once(self.face.words()).chain(overlays)).join(". ")
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

/// Returns what is in a node's element. Its parts are rendered again each on its own: an edit
/// changes one row of a card, and a step of a run one badge.
fn inside(model: &NodeModel) -> impl IntoView + use<> {
    let face = &model.face;
    let size = face.size();
    let ports = face.sockets().into_iter().map(|socket| {
        let is_unmet = face.unmet.contains(&socket.port);
        fixed((socket, is_unmet), |(socket, is_unmet)| {
            port(socket, *is_unmet)
        })
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
    let rows = (whole && !face.rows.is_empty()).then(|| {
        let rows = face.rows.iter().cloned().map(|shown| fixed(shown, row));
        view! { <div class="node-rows">{rows.collect_view()}</div> }
    });
    let badges = model.overlays.iter().filter_map(|o| o.badge.clone());
    view! {
        <div class=model.classes() style:width=pixels(size.x) style:height=pixels(size.y)>
            {fixed(Head::of(face), head)}
            {lines}
            {rows}
        </div>
        {ports.collect_view()}
        {badges.map(|shown| fixed(shown, badge)).collect_view()}
    }
}

fn port(socket: &Socket, is_unmet: bool) -> AnyView {
    let class = match socket.port.side() {
        Side::Input if is_unmet => "port in unmet",
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
    .into_any()
}

fn badge(badge: &Badge) -> AnyView {
    let Badge {
        class,
        icon,
        text,
        title,
    } = badge.clone();
    let icon = (!icon.is_empty()).then(|| view! { <svg viewBox="0 0 16 16"><path d=icon/></svg> });
    view! { <span class=class aria-hidden="true" title=title>{icon}{text}</span> }.into_any()
}

/// The content of a node's head.
#[derive(PartialEq)]
struct Head {
    look: Look,
    title: String,
    aside: String,
    aside_yields: bool,
    is_pill: bool,
}

impl Head {
    fn of(face: &Face) -> Self {
        Self {
            look: face.look,
            title: face.title.clone(),
            aside: face.aside.clone(),
            aside_yields: face.aside_yields(),
            is_pill: face.is_pill(),
        }
    }
}

fn head(head: &Head) -> AnyView {
    let icon = head.look.icon();
    let title = head.title.as_str();
    if head.is_pill {
        return view! { <div class="node-head ends"><Icon name=icon size=14/>{title.to_owned()}</div> }
        .into_any();
    }
    // The parameters in a card's title are secondary.
    let (name, params) = title.split_at(title.find('(').unwrap_or(title.len()));
    let params = (!params.is_empty())
        .then(|| view! { <span class="node-params">{params.to_owned()}</span> });
    let aside = (!head.aside.is_empty()).then(|| {
        let class = if head.aside_yields {
            "node-aside yields"
        } else {
            "node-aside"
        };
        view! { <span class=class title=head.aside.clone()>{head.aside.clone()}</span> }
    });
    view! {
        <div class="node-head" title=format!("{title} ({})", head.look.words())>
            <Tile icon=icon/>
            <span class="node-name">{name.to_owned()}{params}</span>
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
                <span class=format!("need-role {}", look.class)><Icon name=look.icon size=14/></span>
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

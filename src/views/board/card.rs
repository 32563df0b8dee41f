//! One card of the Board.

use leptos::prelude::*;
use taskloom::document::RecordRef;
use taskloom::document::diagnostic::Severity;

use super::columns::{CardFace, WIDTH};
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{Node, Shape, Side};
use crate::canvas::surface::Surface;
use crate::views::name;

/// All that a card shows.
#[derive(Debug, Clone, PartialEq)]
pub struct CardModel {
    /// What is written on it.
    pub face: CardFace,
    /// Its ports.
    pub shape: Vec<(String, Side, f64, f64)>,
    /// What is wrong with the record.
    pub findings: Option<(Severity, String)>,
}

impl CardModel {
    /// A card's model; the shape gives its ports.
    pub fn new(face: CardFace, shape: &Shape, findings: Option<(Severity, String)>) -> Self {
        let ports = shape.sockets.iter().map(|socket| {
            let key = socket.port.key();
            (key, socket.side, socket.at.x, socket.at.y)
        });
        Self {
            face,
            shape: ports.collect(),
            findings,
        }
    }

    fn words(&self, record: &RecordRef) -> String {
        let mut words = format!("{} {}", record.kind.label(), self.face.title);
        if !self.face.lines.is_empty() {
            words.push_str(&format!(": {}", self.face.lines.join(" ")));
        }
        for (role, text) in &self.face.rows {
            if !text.is_empty() {
                words.push_str(&format!(". {}: {text}", role.label()));
            }
        }
        if let Some((_, messages)) = &self.findings {
            words.push_str(&format!(". {messages}"));
        }
        words
    }
}

/// A card. It renders anew only when its own model changes.
#[component]
pub fn CardView(
    surface: Surface,
    cards: Mirror<RecordRef, CardModel>,
    record: RecordRef,
) -> impl IntoView {
    let Some(model) = cards.model(&record) else {
        return ().into_any();
    };
    let element = surface.node_ref(Node::Card(record.clone()));
    let label = model.clone();
    let id = record.to_string();
    view! {
        <div class="card" node_ref=element tabindex="-1" role="group" data-record=id
            aria-roledescription="card" aria-label=move || label.read().words(&record)
        >
            {move || inside(&model.read())}
        </div>
    }
    .into_any()
}

fn inside(model: &CardModel) -> impl IntoView + use<> {
    let CardModel {
        face,
        shape,
        findings,
    } = model;
    let finding = match findings {
        Some((Severity::Error, _)) => "found-error",
        Some((Severity::Warning, _)) => "found-warning",
        None => "",
    };
    let lines = (!face.collapsed && !face.lines.is_empty()).then(|| {
        let lines = face.lines.iter().map(|line| {
            view! { <div class="block-line" title=line.clone()>{line.clone()}</div> }
        });
        view! { <div class="block-lines">{lines.collect_view()}</div> }
    });
    let rows = (!face.collapsed && !face.rows.is_empty()).then(|| {
        let rows = face.rows.iter().map(|(role, text)| {
            view! {
                <div class="need" title=format!("{}: {text}", role.label())>
                    <span class=format!("need-role {}", role.class())>{role.short()}</span>
                    <span class="need-text">{text.clone()}</span>
                </div>
            }
        });
        view! { <div class="needs">{rows.collect_view()}</div> }
    });
    let ports = shape.iter().map(|(key, side, x, y)| {
        let class = match side {
            Side::Input => "port in",
            Side::Output => "port out",
        };
        view! {
            <i class=class data-port=key.clone() style:left=pixels(*x) style:top=pixels(*y)></i>
        }
    });
    let badge = findings.clone().map(|(_, messages)| {
        view! { <span class="block-badge" aria-hidden="true" title=messages>"!"</span> }
    });
    let room = name::ON_BLOCK.saturating_sub(face.aside.chars().count());
    let aside = (!face.aside.is_empty())
        .then(|| view! { <span class="card-aside">{face.aside.clone()}</span> });
    view! {
        <div class=format!("card-box {} {finding}{}", face.class, if face.collapsed { " collapsed" } else { "" })
            style:width=pixels(WIDTH) style:height=pixels(face.height())
        >
            <div class="card-head" title=face.title.clone()>
                <i class="swatch" aria-hidden="true"></i>
                <span class="block-name">{name::fitted(&face.title, room)}</span>
                {aside}
            </div>
            {lines}
            {rows}
        </div>
        {ports.collect_view()}
        {badge}
    }
}

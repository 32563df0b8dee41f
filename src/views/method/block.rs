//! One block on the screen.

use leptos::prelude::*;
use taskloom::document::diagnostic::Severity;
use taskloom::document::{BlockId, Port};

use super::chart::{Face, Look};
use super::light::Mark;
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::{Node, Side};
use crate::canvas::surface::Surface;
use crate::views::name;

/// All that a block shows.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockModel {
    /// What is written on it.
    pub face: Face,
    /// Whether it does not count.
    pub muted: bool,
    /// What the search made of it; none where there is no answer.
    pub mark: Option<Mark>,
    /// Whether it calls what the step looked at is part of.
    pub current: bool,
    /// Whether blocks off the plan's path step back.
    pub dimmed: bool,
    /// What is wrong with it: the worst severity and all messages.
    pub findings: Option<(Severity, String)>,
}

impl BlockModel {
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
        let muted = if self.muted { " muted" } else { "" };
        let collapsed = if self.face.collapsed {
            " collapsed"
        } else {
            ""
        };
        let current = if self.current { " current" } else { "" };
        let kind = self.face.look.class();
        format!("block-box {kind} {mark} {finding}{muted}{collapsed}{current}")
    }

    /// What it is, says and is wrong with it, in words.
    fn words(&self) -> String {
        let mut words = match self.face.look {
            Look::Begin | Look::End => self.face.title.clone(),
            Look::Branch | Look::Choice => format!("{}: {}", self.face.title, self.face.full),
            Look::Bind => format!("Bind {} where {}", self.face.title, self.face.full),
            look => format!("{}: {}", look.words(), self.face.full),
        };
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
        if let Some((_, messages)) = &self.findings {
            words.push_str(&format!(". {messages}"));
        }
        words
    }
}

/// The mark in a block's head.
fn glyph(look: Look) -> &'static str {
    match look {
        Look::Branch => "◇",
        Look::Choice => "⋔",
        Look::Bind => "∃",
        _ => "",
    }
}

/// A block. It renders anew only when its own model changes.
#[component]
pub fn BlockView(
    surface: Surface,
    blocks: Mirror<BlockId, BlockModel>,
    id: BlockId,
) -> impl IntoView {
    let Some(model) = blocks.model(&id) else {
        return ().into_any();
    };
    let element = surface.node_ref(Node::Block(id.clone()));
    let (label, kind) = (model.clone(), model.clone());
    view! {
        <div
            class="block" node_ref=element tabindex="-1" role="group" data-block=id.to_string()
            aria-roledescription=move || {
                let look = kind.read().face.look;
                if matches!(look, Look::Begin | Look::End) { "block".to_owned() } else { format!("{} block", look.words()) }
            }
            aria-label=move || label.read().words()
        >
            {move || inside(&model.read())}
        </div>
    }
    .into_any()
}

fn inside(model: &BlockModel) -> impl IntoView + use<> {
    let BlockModel {
        face,
        mark,
        findings,
        ..
    } = model;
    let size = face.size();
    let ports = face.sockets().into_iter().map(|socket| {
        let class = match socket.side {
            Side::Input => "port in",
            Side::Output => "port out",
        };
        view! {
            <i class=class data-port=socket.port.key()
                style:left=pixels(socket.at.x) style:top=pixels(socket.at.y)></i>
        }
    });
    let pill = matches!(face.look, Look::Begin | Look::End);
    let whole = !pill && !face.collapsed;
    let lines = (whole && !face.lines.is_empty()).then(|| {
        let class = if face.plain {
            "block-lines plain"
        } else {
            "block-lines"
        };
        let lines = face.lines.iter().map(|line| {
            view! { <div class="block-line">{line.clone()}</div> }
        });
        view! { <div class=class title=face.full.clone()>{lines.collect_view()}</div> }
    });
    let rows = (whole && !face.rows.is_empty()).then(|| {
        let rows = face.rows.iter().map(|(port, label)| {
            let class = match port {
                Port::True => "outlet yes",
                Port::False => "outlet no",
                _ => "outlet",
            };
            view! { <div class=class title=label.clone()><span>{label.clone()}</span></div> }
        });
        view! { <div class="outlets">{rows.collect_view()}</div> }
    });
    let glyph = glyph(face.look);
    let badge = findings.clone().map(|(_, messages)| {
        view! { <span class="block-badge" aria-hidden="true" title=messages>"!"</span> }
    });
    let note = match mark {
        Some(Mark::Taken(Some(note))) => Some(("block-note", note.clone())),
        Some(Mark::Rejected(Some(why))) => Some(("block-note why", why.clone())),
        _ => None,
    };
    let note = note.map(|(class, text)| {
        let title = text.clone();
        view! { <div class=class title=title>{text}</div> }
    });
    let head = if pill {
        view! { <div class="block-head ends">{face.title.clone()}</div> }.into_any()
    } else {
        view! {
            <div class="block-head" title=format!("{} ({})", face.title, face.look.words())>
                {if glyph.is_empty() {
                    view! { <i class="swatch" aria-hidden="true"></i> }.into_any()
                } else {
                    view! { <i class="glyph" aria-hidden="true">{glyph}</i> }.into_any()
                }}
                <span class="block-name">{name::fitted(&face.title, name::ON_BLOCK)}</span>
            </div>
        }
        .into_any()
    };
    view! {
        <div class=model.classes() style:width=pixels(size.x) style:height=pixels(size.y)>
            {head}
            {lines}
            {rows}
        </div>
        {ports.collect_view()}
        {badge}
        {note}
    }
}

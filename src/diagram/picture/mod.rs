//! The open diagram as a picture: all of it, not only the visible part.

mod png;
mod probe;
mod svg;

use leptos::ev;
use leptos::prelude::*;
use taskloom_document::{Document, Name};
use taskloom_domain::dependencies::Reader;
use wasm_bindgen_futures::spawn_local;

use super::board::{cards, columns::columns, folds::Folds};
use super::face::need;
use super::method::chart;
use crate::canvas::scene::{Node, Slot};
use crate::session::Session;
use crate::web::{files, fonts};
pub use probe::Probe;
pub use svg::escaped;
use svg::{Line, Picture};

/// The format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A vector image, for any size.
    Svg,
    /// A bitmap.
    Png,
}

/// Returns a picture of the entire diagram; nothing of it is folded.
fn picture(document: &Document, sheet: Option<&Name>) -> Picture {
    let (scene, heads) = match sheet {
        None => {
            let links = Reader::default().links(document);
            let layout = columns(document, &links, &Folds::default());
            (layout.scene, layout.heads)
        }
        Some(task) => (chart::scene(document, task), vec![]),
    };
    let method = sheet.and_then(|task| document.compound_tasks.get_key_value(task));
    let face = |node: &Node| match node {
        Node::Card(record) => cards::face(document, record),
        Node::Block(id) => {
            let (task, record) = method?;
            let block = record.method.blocks.get(id)?;
            Some(chart::drawn(document, task, id, block))
        }
        Node::Frame(_) | Node::Bend(..) => None,
    };
    let nodes = scene.nodes.iter();
    let boxes = nodes.filter_map(|(node, shape)| Some((shape.rect.corner(), face(node)?)));
    let lines = scene.wires.iter().filter_map(|(wire, colour)| {
        Some(Line {
            path: scene.curve(wire)?.path(),
            colour: *colour,
            dashes: match wire.to.port {
                Slot::Need(role) => need(role).dashes,
                _ => "none",
            },
        })
    });
    Picture {
        frames: document.layout.frames(sheet).values().cloned().collect(),
        lines: lines.collect(),
        boxes: boxes.collect(),
        captions: heads.into_iter().map(|h| (h.rect, h.title)).collect(),
    }
}

/// Downloads the open canvas as a picture, in the colours of the page.
pub fn export(session: Session, kind: Kind) {
    let (document, view) = (
        session.document_untracked(),
        session.open.view.get_untracked(),
    );
    let name = view.method().map_or("board".to_owned(), Name::to_string);
    let Some((text, size)) = svg::svg(&picture(&document, view.method())) else {
        return session.complain("The diagram is empty. There is nothing to export.");
    };
    spawn_local(async move {
        let text = fonts::embedded(text).await;
        let written = match kind {
            Kind::Svg => files::download(&format!("{name}.svg"), &text),
            Kind::Png => match png::png(&text, size).await {
                Some(blob) => files::download_blob(&format!("{name}.png"), &blob),
                None => Err("the picture is too large for this browser".to_owned()),
            },
        };
        if let Err(reason) = written {
            session.complain(format!("Couldn't save the picture: {reason}."));
        }
    });
}

/// Asks the browser to print; the page prints as the whole open diagram.
pub fn print() {
    let _ = window().print();
}

/// The printed content, in place of the page: the diagram, in light colours.
#[component]
pub fn Printed() -> impl IntoView {
    let session = Session::expect();
    let element = NodeRef::<leptos::html::Div>::new();
    let begin = window_event_listener(ev::beforeprint, move |_| {
        let root = document().document_element();
        let theme = root
            .as_ref()
            .and_then(|root| root.get_attribute("data-theme"));
        let set = |theme: Option<&str>| {
            if let Some(root) = &root {
                let _ = match theme {
                    Some(theme) => root.set_attribute("data-theme", theme),
                    None => root.remove_attribute("data-theme"),
                };
            }
        };
        set(Some("light"));
        let drawn = picture(
            &session.document_untracked(),
            session.open.view.get_untracked().method(),
        );
        let text = svg::svg(&drawn).map(|(text, _)| text).unwrap_or_default();
        set(theme.as_deref());
        if let Some(element) = element.get_untracked() {
            element.set_inner_html(&text);
        }
    });
    let end = window_event_listener(ev::afterprint, move |_| {
        if let Some(element) = element.get_untracked() {
            element.set_inner_html("");
        }
    });
    on_cleanup(move || {
        begin.remove();
        end.remove();
    });
    view! { <div class="printed" aria-hidden="true" node_ref=element></div> }
}

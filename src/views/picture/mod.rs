//! The open diagram as a picture: all of it, not only what the screen shows.

mod svg;

use leptos::ev;
use leptos::prelude::*;
use taskloom::document::Document;
use wasm_bindgen_futures::spawn_local;

use crate::session::{Session, View};
use crate::views::{board, method};
use crate::web::files;
pub use svg::{Drawn, Line, Picture, Row};

/// A picture's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Lines and letters, for any size.
    Svg,
    /// Dots.
    Png,
}

fn picture(document: &Document, view: &View) -> Picture {
    let (picture, sheet) = match view {
        View::Board => (board::picture(document), None),
        View::Method(task) => (method::picture(document, task), Some(task)),
    };
    let frames = document.layout.frames(sheet).values().cloned().collect();
    Picture { frames, ..picture }
}

/// Downloads the open canvas as a picture, in the colours of the page.
pub fn export(session: Session, kind: Kind) {
    let (document, view) = (session.document_untracked(), session.view.get_untracked());
    let name = match &view {
        View::Board => "board".to_owned(),
        View::Method(task) => task.to_string(),
    };
    let Some((text, size)) = svg::svg(&picture(&document, &view)) else {
        return session.complain("There is nothing to draw.");
    };
    spawn_local(async move {
        let written = match kind {
            Kind::Svg => files::download(&format!("{name}.svg"), &text),
            Kind::Png => match svg::png(&text, size).await {
                Some(blob) => files::download_blob(&format!("{name}.png"), &blob),
                None => Err("the browser cannot draw a picture so large".to_owned()),
            },
        };
        if let Err(reason) = written {
            session.complain(format!("No picture is written: {reason}."));
        }
    });
}

/// Asks the browser to print; the page prints as the whole open diagram.
pub fn print() {
    let _ = window().print();
}

/// What is printed instead of the page: the diagram, in light colours.
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
        let drawn = picture(&session.document_untracked(), &session.view.get_untracked());
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

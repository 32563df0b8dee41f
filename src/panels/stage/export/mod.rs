//! The Stage as a picture, and the run as a video.

mod draw;
mod frame;
mod marks;
mod record;
pub mod video;

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::{Kind, Point, RecordRef};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, HtmlCanvasElement, HtmlImageElement};

use super::layers::Layer;
use super::play::Play;
use crate::canvas::geometry::Rect;
use crate::diagram::picture;
use crate::kinds;
use crate::page::{file_stem, stem};
use crate::session::{Background, Session};
use crate::web::{files, fonts};
use draw::{Palette, area, draw};
use frame::{Frame, Shot};
use marks::{Drawing, Image};

/// The resolution of a bitmap, in pixels per pixel of the map at 100 %.
const RESOLUTION: f64 = 2.0;
/// The maximum width and height of a bitmap.
const LARGEST: f64 = 8_000.0;

/// The exported content: the play with its view, and the image below the map.
struct Subject {
    play: Arc<Play>,
    shot: Shot,
    palette: Palette,
    image: Option<(Image, Rect, f64)>,
    /// The name of the file, without its extension.
    name: String,
}

impl Subject {
    /// Reads it from the session.
    ///
    /// # Errors
    /// Returns the reason why there is nothing to export.
    async fn new(session: Session) -> Result<Self, String> {
        let answer = session.plan.answer.get_untracked();
        let answer = answer.ok_or("There is no scenario to show yet.")?;
        let document = session.document_untracked();
        let scenario = answer.scenario.clone();
        let shown = RecordRef::new(Kind::Scenario, scenario.clone());
        let shown = kinds::shown_name(&document, &shown);
        let play = Play::new(&session.domain_untracked(), answer);
        let play = play.ok_or("The Stage is empty: it needs a fact that says where things are.")?;
        let title = match document.info.title.as_str() {
            "" => shown,
            title => format!("{title} · {shown}"),
        };
        let image = match session.open.background.get_untracked() {
            Some(background) => loaded(&background).await,
            None => None,
        };
        Ok(Self {
            play: Arc::new(play),
            shot: Shot {
                layers: Layer::ALL.into_iter().filter(|l| l.is_kept()).collect(),
                character: session.desk.character.get_untracked(),
                placed: document.layout.stage.places.clone(),
                title,
            },
            palette: Palette::new().ok_or("The page has no colours.")?,
            image,
            name: format!("{}-{}", file_stem(&session), stem(scenario.as_str())),
        })
    }

    fn draw(&self, frame: &Frame, area: Rect) -> Drawing {
        draw(frame, &self.palette, area, self.image.clone())
    }

    /// Returns the area of a picture of the map with this content.
    fn area(&self, content: super::arrange::Rect) -> Rect {
        let area = area(content);
        match &self.image {
            Some((_, rect, _)) => Rect::around([area, *rect]).unwrap_or(area),
            None => area,
        }
    }
}

/// Loads the image below the map.
async fn loaded(background: &Background) -> Option<(Image, Rect, f64)> {
    let element = HtmlImageElement::new().ok()?;
    element.set_src(&background.address);
    JsFuture::from(element.decode()).await.ok()?;
    let Point { x, y } = background.size;
    let rect = Rect::at(background.at.into(), x.into(), y.into());
    let image = Image {
        address: background.address.clone(),
        element,
    };
    Some((image, rect, background.opacity))
}

/// Downloads a picture of the Stage at the cursor.
pub fn save_picture(session: Session, kind: picture::Kind) {
    spawn_local(async move {
        if let Err(reason) = save(session, kind).await {
            session.complain(format!("Couldn't export the Stage: {reason}"));
        }
    });
}

async fn save(session: Session, kind: picture::Kind) -> Result<(), String> {
    let subject = Subject::new(session).await?;
    let cursor = session.desk.cursor.get_untracked();
    let frame = Frame::new(&subject.play, &subject.shot, cursor);
    let drawing = subject.draw(&frame, subject.area(frame.bounds()));
    let name = match frame.tick {
        Some(tick) => format!("{}-tick-{tick}", subject.name),
        None => subject.name,
    };
    match kind {
        picture::Kind::Svg => {
            let text = fonts::embedded(drawing.svg()).await;
            files::download(&format!("{name}.svg"), &text)
        }
        picture::Kind::Png => {
            let blob = bitmap(&drawing).await;
            let blob = blob.ok_or("The picture is too large for this browser.")?;
            files::download_blob(&format!("{name}.png"), &blob)
        }
    }
}

/// Returns a drawing as a PNG file.
async fn bitmap(drawing: &Drawing) -> Option<Blob> {
    let Rect { w, h, .. } = drawing.area;
    let scale = RESOLUTION.min(LARGEST / w.max(h));
    let canvas = document().create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
    canvas.set_width((w * scale).floor() as u32);
    canvas.set_height((h * scale).floor() as u32);
    drawing.paint(&canvas, scale)?;
    let made = js_sys::Promise::new(&mut |resolve, _| drop(canvas.to_blob(&resolve)));
    JsFuture::from(made).await.ok()?.dyn_into().ok()
}

//! The image below the map of the Stage. It is stored in the browser beside the document, not in
//! it: the document's file stays small, and free of what planners and games don't need.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::Point;

use super::Session;
use super::autosave::Input;
use crate::web::platform::Value;

/// An image below the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Background {
    /// The image, as a `data:` address.
    pub address: String,
    /// Its upper left corner, in pixels of the map at 100 %.
    pub at: Point,
    /// Its width and height there.
    pub size: Point,
    /// Its opacity, from 0 to 1.
    pub opacity: f64,
}

impl Background {
    /// Returns it as it is stored.
    pub(super) fn value(&self) -> Value {
        let Self { at, size, .. } = self;
        let numbers = [at.x, at.y, size.x, size.y].map(f64::from);
        let numbers = numbers.into_iter().chain([self.opacity]);
        let address = Value::Text(self.address.clone());
        Value::List(
            [address]
                .into_iter()
                .chain(numbers.map(Value::Number))
                .collect(),
        )
    }

    /// Returns the image that is stored as this value, if there is one.
    pub(super) fn of_stored(value: Option<&Value>) -> Option<Arc<Self>> {
        value.and_then(Self::read).map(Arc::new)
    }

    fn read(value: &Value) -> Option<Self> {
        let [address, x, y, width, height, opacity] = value.list() else {
            return None;
        };
        let point = |x: &Value, y: &Value| {
            Some(Point {
                x: x.number()? as i32,
                y: y.number()? as i32,
            })
        };
        // Only an image may be shown, whatever is stored.
        let address = address
            .text()
            .filter(|address| address.starts_with("data:image/"))?;
        Some(Self {
            address: address.to_owned(),
            at: point(x, y)?,
            size: point(width, height)?,
            opacity: opacity.number()?.clamp(0.0, 1.0),
        })
    }
}

impl Session {
    /// Replaces or removes the image below the map. It isn't part of the document's history.
    pub fn set_background(&self, background: Option<Background>) {
        self.open.background.set(background.map(Arc::new));
        self.write_background();
    }

    /// Shows an image below the map while it is being moved, without storing it.
    pub fn preview_background(&self, background: Background) {
        self.open.background.set(Some(Arc::new(background)));
    }

    /// Stores the image as it is shown, along with the document: under its row or, if another tab owns that, in a
    /// copy.
    pub fn write_background(&self) {
        self.open.knows_background.set_value(true);
        self.notify_saver(Input::ImageUnsaved);
        self.notify_saver(Input::Edited);
        // A page that is being left can't wait for an image.
        self.notify_saver(Input::Flush);
    }

    /// Shows the image of a document that was just opened: this one, which may not be stored yet, or the stored one.
    pub(super) fn show_background_of(&self, known: Option<Option<Arc<Background>>>) {
        self.open.knows_background.set_value(known.is_some());
        match known {
            Some(background) => {
                self.open.background.set(background);
                self.notify_saver(Input::ImageUnsaved);
            }
            None => {
                self.open.background.set(None);
                self.load_background();
            }
        }
    }

    /// Loads the open document's image.
    pub(super) fn load_background(&self) {
        let (session, entry, document) = (*self, self.entry(), self.opened_document());
        let Ok(library) = self.library() else {
            // There is no storage, so nothing is stored.
            return self.open.knows_background.set_value(true);
        };
        spawn_local(async move {
            let read = library.image(&entry.id).await;
            // The designer may have chosen one by now.
            let is_wanted = session.is_open(document) && !session.open.knows_background.get_value();
            let (Ok(read), true) = (read, is_wanted) else {
                return;
            };
            let background = Background::of_stored(read.as_ref());
            let has_one = background.is_some();
            session.open.knows_background.set_value(true);
            session.open.background.set(background);
            if has_one && session.entry().id != entry.id {
                // A copy was made in the meantime.
                session.notify_saver(Input::ImageUnsaved);
                session.notify_saver(Input::Opened);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_round_trip() {
        let background = Background {
            address: "data:image/png;base64,AA==".to_owned(),
            at: Point { x: -10, y: 20 },
            size: Point { x: 300, y: 200 },
            opacity: 0.6,
        };
        assert_eq!(
            Background::read(&background.value()),
            Some(background.clone())
        );
        let address = "https://example.org/spy.png".to_owned();
        let foreign = Background {
            address,
            ..background
        };
        assert_eq!(Background::read(&foreign.value()), None);
        assert_eq!(Background::read(&Value::Nothing), None);
    }
}

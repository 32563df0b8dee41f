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
    fn value(&self) -> Value {
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
        let is_new = self.storage.background.with_untracked(Option::is_none);
        self.storage.background.set(background.map(Arc::new));
        self.write_background();
        if is_new {
            // An example that nobody has changed isn't stored yet.
            self.notify_saver(Input::Opened);
        }
    }

    /// Shows an image below the map while it is being moved, without storing it.
    pub fn preview_background(&self, background: Background) {
        self.storage.background.set(Some(Arc::new(background)));
    }

    /// Stores the image as it is shown.
    pub fn write_background(&self) {
        let (session, id) = (*self, self.entry().id);
        let background = self.storage.background.get_untracked();
        let value = background.map(|background| background.value());
        spawn_local(async move {
            let written = match session.library() {
                Ok(library) => library.write_image(&id, value).await,
                Err(reason) => Err(reason),
            };
            if let Err(reason) = written {
                session.complain(format!("Couldn't store the background image: {reason}."));
            }
        });
    }

    /// Loads the image of each document that is opened, and stores it again for a copy.
    pub(super) fn follow_background(&self) {
        let session = *self;
        Effect::new(move |before: Option<(u32, String)>| {
            // A copy is made when the document can't be written under its row.
            session.storage.saved.track();
            session.storage.hold.track();
            let opened = session.storage.opened.get();
            let id = session.entry().id;
            match before {
                Some((last, of)) if last == opened => {
                    let has_one = session.storage.background.with_untracked(Option::is_some);
                    if of != id && has_one {
                        session.write_background();
                    }
                }
                _ => session.load_background(id.clone(), opened),
            }
            (opened, id)
        });
    }

    fn load_background(&self, id: String, opened: u32) {
        let session = *self;
        let Ok(library) = self.library() else { return };
        spawn_local(async move {
            let read = library
                .image(&id)
                .await
                .and_then(|value| Background::read(&value));
            let is_open = session.storage.opened.get_untracked() == opened;
            // The designer may have chosen one by now.
            if is_open && session.storage.background.with_untracked(Option::is_none) {
                session.storage.background.set(read.map(Arc::new));
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

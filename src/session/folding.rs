//! The parts around the main view: which of them are open, and which are folded.

use leptos::prelude::*;

use super::{Kept, View};
use crate::web::platform::Platform;

/// A part of the page that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The outline, on the left.
    Outline,
    /// The inspector, on the right.
    Inspector,
    /// The simulation panel, at the bottom.
    Panel,
}

impl Part {
    /// Returns the part's name, which is also its element's class.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outline => "outline",
            Self::Inspector => "inspector",
            Self::Panel => "panel",
        }
    }
}

/// The room that the window has for parts beside the main view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Room {
    /// Every part has room.
    #[default]
    Wide,
    /// Outline and inspector are opened over the main view.
    Narrow,
    /// Each part is a sheet over the main view.
    Phone,
}

impl Room {
    /// Returns the room in a window of this width in pixels; style/shell.css has the same limits.
    pub fn of(width: f64) -> Self {
        match width {
            width if width < 700.0 => Self::Phone,
            width if width < 1100.0 => Self::Narrow,
            _ => Self::Wide,
        }
    }
}

/// The designer's choice for each part, if there is one: `true` is open.
type Choices = [Option<bool>; 3];

/// The choices, and those from before focus mode while it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Folds {
    chosen: Choices,
    before: Option<Choices>,
}

impl Folds {
    /// Returns `true` if a part beside the main view is open. Without a choice, run and scenarios
    /// have the whole width.
    fn is_open(&self, part: Part, view: &View) -> bool {
        self.chosen[part as usize].unwrap_or(part == Part::Panel || view.is_canvas())
    }

    fn choose(&mut self, part: Part, open: bool) {
        self.chosen[part as usize] = Some(open);
    }

    /// Folds every part, or restores the choices from before.
    fn toggle_focus(&mut self) {
        match self.before.take() {
            Some(before) => self.chosen = before,
            None => {
                self.before = Some(self.chosen);
                self.chosen = [Some(false); 3];
            }
        }
    }

    fn write(&self) -> String {
        let word = |choices: &Choices| {
            let sign = |choice: &Option<bool>| match choice {
                Some(true) => 'o',
                Some(false) => 'f',
                None => '-',
            };
            choices.iter().map(sign).collect::<String>()
        };
        match &self.before {
            Some(before) => format!("{} {}", word(&self.chosen), word(before)),
            None => word(&self.chosen),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let word = |word: &str| -> Option<Choices> {
            let sign = |sign: char| match sign {
                'o' => Some(Some(true)),
                'f' => Some(Some(false)),
                '-' => Some(None),
                _ => None,
            };
            let choices: Option<Vec<_>> = word.chars().map(sign).collect();
            choices?.try_into().ok()
        };
        let mut words = text.split(' ');
        Some(Self {
            chosen: word(words.next()?)?,
            before: match words.next() {
                Some(before) => Some(word(before)?),
                None => None,
            },
        })
    }
}

/// The key under which the browser keeps the choices.
const FOLDS: &str = "taskloom.folds";

/// The state of the parts around the main view.
#[derive(Clone, Copy)]
pub struct Folding {
    folds: Kept<RwSignal<Folds>>,
    /// The part that is open over the main view, where there is no room beside it.
    over: Kept<RwSignal<Option<Part>>>,
    room: Kept<RwSignal<Room>>,
    view: Kept<RwSignal<View>>,
    platform: StoredValue<Platform, LocalStorage>,
}

impl Folding {
    /// Restores the choices that were made last.
    pub(super) fn new(view: Kept<RwSignal<View>>, platform: Platform) -> Self {
        let folds = platform.notes.get(FOLDS);
        let folds = folds.as_deref().and_then(Folds::read);
        Self {
            folds: Kept::new(folds.unwrap_or_default()),
            over: Kept::new(None),
            room: Kept::new(Room::default()),
            view,
            platform: StoredValue::new_local(platform),
        }
    }

    /// Returns `true` if a part is open. Tracked.
    pub fn is_open(&self, part: Part) -> bool {
        match self.is_over(part) {
            true => self.over.get() == Some(part),
            false => {
                let view = self.view.get();
                self.folds.with(|folds| folds.is_open(part, &view))
            }
        }
    }

    /// Returns `true` if a part opens over the main view, not beside it. Tracked.
    pub fn is_over(&self, part: Part) -> bool {
        match self.room.get() {
            Room::Wide => false,
            Room::Narrow => part != Part::Panel,
            Room::Phone => true,
        }
    }

    /// Returns the room in the window. Tracked.
    pub fn room(&self) -> Room {
        self.room.get()
    }

    /// Adapts to the width of the window, in pixels.
    pub fn set_width(&self, width: f64) {
        let room = Room::of(width);
        if self.room.with_untracked(|before| *before != room) {
            self.over.set(None);
            self.room.set(room);
        }
    }

    /// Opens a part.
    pub fn open(&self, part: Part) {
        self.set(part, true);
    }

    /// Opens or folds a part.
    pub fn toggle(&self, part: Part) {
        self.set(part, !untrack(|| self.is_open(part)));
    }

    fn set(&self, part: Part, open: bool) {
        if untrack(|| self.is_open(part)) == open {
            return;
        }
        if untrack(|| self.is_over(part)) {
            self.over.set(open.then_some(part));
        } else {
            self.change(|folds| folds.choose(part, open));
        }
    }

    /// Closes the part that is open over the main view. Returns `true` if there was one.
    pub fn close_over(&self) -> bool {
        let was_open = self.over.with_untracked(Option::is_some);
        if was_open {
            self.over.set(None);
        }
        was_open
    }

    /// Folds every part, so that only the main view is left, or opens them again.
    pub fn toggle_focus(&self) {
        self.close_over();
        self.change(Folds::toggle_focus);
    }

    fn change(&self, change: impl FnOnce(&mut Folds)) {
        self.folds.update(change);
        let text = self.folds.with_untracked(Folds::write);
        // If storage is full, the next page opens with the earlier choices.
        let _ = self
            .platform
            .with_value(|platform| platform.notes.keep(FOLDS, &text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_choice_the_stage_has_the_whole_width() {
        let mut folds = Folds::default();
        assert!(folds.is_open(Part::Outline, &View::Board));
        assert!(!folds.is_open(Part::Outline, &View::Stage));
        assert!(folds.is_open(Part::Panel, &View::Stage));
        folds.choose(Part::Outline, true);
        assert!(folds.is_open(Part::Outline, &View::Stage));
        assert!(!folds.is_open(Part::Inspector, &View::Scenarios));
    }

    #[test]
    fn focus_mode_returns_to_the_earlier_choices() {
        let mut folds = Folds::default();
        folds.choose(Part::Inspector, false);
        let before = folds;
        folds.toggle_focus();
        let open = |part: &Part| folds.is_open(*part, &View::Board);
        let parts = [Part::Outline, Part::Inspector, Part::Panel];
        assert!(!parts.iter().any(open));
        folds.toggle_focus();
        assert_eq!(folds, before);
    }

    #[test]
    fn choices_are_read_as_they_were_written() {
        let mut folds = Folds::default();
        folds.choose(Part::Outline, true);
        assert_eq!(Folds::read(&folds.write()), Some(folds));
        folds.toggle_focus();
        assert_eq!(folds.write(), "fff o--");
        assert_eq!(Folds::read("fff o--"), Some(folds));
        for damaged in ["", "ff", "ffff", "fxf", "fff o-"] {
            assert_eq!(Folds::read(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn the_room_depends_on_the_width() {
        let rooms = [390.0, 699.0, 700.0, 1099.0, 1100.0].map(Room::of);
        use Room::{Narrow, Phone, Wide};
        assert_eq!(rooms, [Phone, Phone, Narrow, Narrow, Wide]);
    }
}

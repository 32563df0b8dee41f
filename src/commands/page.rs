//! The open page, as commands see it, and its keyboard: every key that is a command is looked
//! up here. Views only handle the keys of their own widgets, such as arrows in a list.

use std::rc::Rc;

use leptos::ev::{self, Event, KeyboardEvent};
use leptos::prelude::*;
use taskloom::document::Pattern;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::attention::{Attention, target};
use super::bindings::Bindings;
use super::chord;
use super::command::{Command, Group, Input, Place, commands};
use crate::canvas::act::Act;
use crate::canvas::search::Entry;
use crate::diagram::{OpenDiagram, Verb};
use crate::panels::toolbar::{FileState, Theme};
use crate::session::{Session, View};

/// What lies over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// The command palette.
    Palette,
    /// Keys and gestures.
    Help,
    /// The example domains.
    Gallery,
}

/// What commands act on, provided as context.
#[derive(Clone, Copy)]
pub struct Page {
    /// The open document.
    pub session: Session,
    /// Its file.
    pub files: FileState,
    /// Light or dark.
    pub theme: Theme,
    /// All commands.
    pub groups: &'static [Group],
    /// Which keys mean what.
    pub bindings: RwSignal<Bindings>,
    /// What lies over the page.
    pub sheet: RwSignal<Option<Sheet>>,
    /// Whether find and replace is open.
    pub finding: RwSignal<bool>,
    /// What was looked for last.
    pub pattern: RwSignal<Pattern>,
    diagram: StoredValue<Option<OpenDiagram>, LocalStorage>,
    attention: Attention,
}

impl Page {
    /// Provides it to the components below, and listens as long as the page lives.
    pub fn provide(session: Session, files: FileState, groups: &'static [Group]) -> Self {
        let page = Self {
            session,
            files,
            theme: Theme::expect(),
            groups,
            bindings: RwSignal::new(Bindings::restore(groups)),
            sheet: RwSignal::new(None),
            finding: RwSignal::new(false),
            pattern: RwSignal::new(Pattern::default()),
            diagram: StoredValue::new_local(None),
            attention: Attention::new(),
        };
        provide_context(page);
        let handle = window_event_listener(ev::keydown, move |event| page.key(&event));
        on_cleanup(move || handle.remove());
        page.keep_focus();
        page
    }

    /// What an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// A diagram has opened.
    pub fn opened(&self, diagram: OpenDiagram) {
        self.diagram.set_value(Some(diagram));
    }

    /// Which diagram is open; none before the first.
    pub fn view(&self) -> Option<View> {
        let diagram = self.diagram.get_value()?.diagram()?;
        Some(diagram.sheet().map_or(View::Board, View::Method))
    }

    /// Does something on the open diagram's canvas.
    pub fn act(&self, act: Act) -> bool {
        let diagram = self.diagram.get_value();
        diagram.is_some_and(|diagram| diagram.surface.act(act))
    }

    /// Does something on the open diagram.
    pub fn run(&self, verb: Verb) -> bool {
        let diagram = self.diagram.get_value();
        diagram.is_some_and(|diagram| diagram.run(verb))
    }

    /// Opens the Board.
    pub fn show_board(&self) -> bool {
        self.session.open(View::Board);
        true
    }

    /// The menu of what is selected.
    pub fn menu(&self) -> Vec<Entry> {
        let (page, view) = (*self, self.view());
        let open = on_selection(self.groups).filter(|command| command.place.is_open(view.as_ref()));
        let entry = |command: &'static Command| Entry {
            label: command.title.to_owned(),
            detail: self
                .bindings
                .with_untracked(|b| b.keys(command))
                .into_iter()
                .next()
                .unwrap_or_default(),
            class: "command",
            preferred: false,
            choose: Rc::new(move || {
                (command.run)(&page);
            }),
        };
        open.map(entry).collect()
    }

    /// Does the command with this id.
    pub fn command(&self, id: &str) {
        if let Some(command) = self.find(id) {
            (command.run)(self);
        }
    }

    /// The command with this id.
    pub fn find(&self, id: &str) -> Option<&'static Command> {
        commands(self.groups).find(|command| command.id == id)
    }

    /// Closes the dialog that is open, so that the focus is where it was before.
    pub fn close_sheet(&self) {
        if let Ok(Some(open)) = document().query_selector("dialog[open]")
            && let Ok(open) = open.dyn_into::<web_sys::HtmlDialogElement>()
        {
            open.close();
        }
        self.sheet.set(None);
        if nothing_has_focus() {
            self.act(Act::Focus);
        }
    }

    /// Whether a key means this command.
    pub fn means(&self, event: &KeyboardEvent, id: &str) -> bool {
        let chord = chord::of(event).unwrap_or_default();
        let meant = self.bindings.with_untracked(|b| b.of(&chord));
        meant.iter().any(|command| command.id == id)
    }

    /// A key was pressed and nothing on the page has taken it.
    fn key(&self, event: &KeyboardEvent) {
        if event.default_prevented() {
            return;
        }
        let Some(chord) = chord::of(event) else {
            return;
        };
        if self.attention.is_slip(event) {
            return event.prevent_default();
        }
        let in_form = self.attention.is_in_form(event);
        if in_form && chord::is_sign(&chord) {
            return;
        }
        let field = field(event);
        let on_canvas = on_canvas(event) && !in_form;
        for command in self.bindings.with_untracked(|b| b.of(&chord)) {
            let reached = match command.place {
                Place::Page => Bindings::reaches(command, &chord, field),
                place => on_canvas && place.is_open(self.view().as_ref()),
            };
            // What lies over the page keeps the keys for itself.
            let sheet = self.sheet.with_untracked(Option::is_some);
            if reached && !sheet && (command.run)(self) {
                event.prevent_default();
                return;
            }
        }
    }

    /// Gives the focus to the canvas where an edit has taken away what had it: keys would go
    /// nowhere. In a form it stays close by, for the next letter may be part of a text.
    fn keep_focus(&self) {
        let page = *self;
        Effect::new(move |before: Option<()>| {
            page.session.document();
            if before.is_some() {
                // By then the views have followed the document.
                request_animation_frame(move || {
                    if nothing_has_focus() && !page.attention.stay_in_form() {
                        page.act(Act::Focus);
                    }
                });
            }
        });
    }
}

/// The keys of a command for a menu or a tooltip: `Ctrl+Z`. Empty where it has none.
pub fn shown(id: &str) -> String {
    let page = Page::expect();
    let keys = page
        .find(id)
        .map(|command| page.bindings.with(|b| b.keys(command)));
    keys.into_iter().flatten().next().unwrap_or_default()
}

/// Keys as their caps, for showing.
pub fn caps(keys: &[String]) -> Vec<Vec<String>> {
    let caps = |key: &String| chord::caps(key).into_iter().map(str::to_owned).collect();
    keys.iter().map(caps).collect()
}

/// Whether the keyboard's focus is nowhere.
fn nothing_has_focus() -> bool {
    let active = document().active_element();
    active.is_none_or(|element| element.tag_name() == "BODY")
}

fn field(event: &Event) -> Input {
    let Some(target) = target(event) else {
        return Input::None;
    };
    let html = target.dyn_ref::<HtmlElement>();
    if html.is_some_and(HtmlElement::is_content_editable) {
        return Input::Text;
    }
    match target.tag_name().as_str() {
        "TEXTAREA" => Input::Text,
        "SELECT" => Input::Choice,
        "INPUT" => match target.get_attribute("type").as_deref() {
            Some("checkbox" | "radio" | "button" | "range" | "color" | "file") => Input::None,
            _ => Input::Text,
        },
        _ => Input::None,
    }
}

/// Whether keys of this event are a field's.
pub fn in_text(event: &Event) -> bool {
    field(event) != Input::None
}

/// Whether the focus is on the canvas, and not in a field or a button on it, or nowhere.
fn on_canvas(event: &KeyboardEvent) -> bool {
    let Some(target) = target(event) else {
        return false;
    };
    let inside = |selector: &str| target.closest(selector).ok().flatten().is_some();
    let inner = "input, textarea, select, button, a, summary, [data-inner]";
    target.tag_name() == "BODY" || (inside(".canvas") && !inside(inner))
}

/// What can be done with what is selected: a block's own menu.
fn on_selection(groups: &'static [Group]) -> impl Iterator<Item = &'static Command> {
    let of_blocks = groups.iter().filter(|group| group.is_of_blocks);
    let find = move |id: &'static str| commands(groups).find(move |command| command.id == id);
    let first = ["enter"].into_iter().filter_map(find);
    let last = ["follow", "fit-selection"].into_iter().filter_map(find);
    first
        .chain(of_blocks.flat_map(|group| group.commands))
        .chain(last)
}

/// Begins to rename: the selected block's text is edited, the selected record gets a new name.
pub fn rename(page: &Page) -> bool {
    if page.act(Act::Rename) {
        return true;
    }
    let one = page.session.selection.with_untracked(|s| {
        let mut records = s.records.iter();
        records.next().cloned().filter(|_| records.next().is_none())
    });
    let found = one.is_some();
    if found {
        page.session.renaming.set(one);
    }
    found
}

/// The parts of the page, and what in each gets the focus.
const AREAS: [&str; 5] = [
    ".toolbar :is(button, input, select)",
    ".outline :is(.item[tabindex='0'], .search)",
    ".stage .canvas",
    ".inspector :is(input, textarea, select, button)",
    ".panel [tabindex='0']",
];

/// Puts the focus into the next part of the page, or the one before.
pub fn next_area(step: i32) -> bool {
    let active = document().active_element();
    let count = AREAS.len() as i32;
    let within = |area: &str| {
        let root = area.split(' ').next().unwrap_or_default();
        let found = active.as_ref().map(|element| element.closest(root));
        matches!(found, Some(Ok(Some(_))))
    };
    let mut at = AREAS
        .iter()
        .position(|area| within(area))
        .map_or(1, |at| at as i32);
    for _ in 0..count {
        at = (at + step).rem_euclid(count);
        let next = AREAS
            .get(at as usize)
            .and_then(|area| document().query_selector(area).ok());
        if let Some(next) = next
            .flatten()
            .and_then(|e| e.dyn_into::<HtmlElement>().ok())
        {
            let _ = next.focus();
            return true;
        }
    }
    false
}

//! The open page, as commands see it, and its keyboard: every key that is a command is looked
//! up here. Views only handle the keys of their own widgets, such as arrows in a list.

mod attention;
mod back;
mod bindings;
pub mod chord;
mod command;
mod files;
pub mod help_pages;
mod link;
mod theme;
mod tooltip;
mod watch;

use leptos::ev::{self, Event, KeyboardEvent};
use leptos::prelude::*;
use taskloom_document::Pattern;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::canvas::geometry::Vec2;
use crate::canvas::intent::Intent;
use crate::canvas::surface::Surface;
use crate::diagram::OpenDiagram;
use crate::diagram::menu::{Choice, MenuRequest};
use crate::session::{Selection, Session, View};
use crate::ui::context_menu::{ContextMenu, MenuCommand, MenuSection};
use attention::{Attention, target};
pub use back::follow_browser;
pub use bindings::Bindings;
pub use command::{Command, Group, Place, command};
use command::{Input, commands};
pub use files::{FileState, LONGEST_TITLE, file_stem, stem};
pub use link::{Link, Linked, linked};
pub use theme::Theme;
pub use tooltip::TooltipView;
pub use watch::follow_watched;

/// The dialogs over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// The command palette.
    Palette,
    /// First steps, the pages of the help, keys and gestures.
    Help,
    /// The example domains.
    Gallery,
    /// The export of a run as a video.
    Video,
}

/// The context that commands act on, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct Page {
    /// The open document.
    pub session: Session,
    /// Its file.
    pub files: FileState,
    /// The theme.
    pub theme: Theme,
    /// All commands.
    pub groups: &'static [Group],
    /// The key bindings.
    pub bindings: RwSignal<Bindings>,
    /// The open dialog.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The current step of the tour; `None` outside of it.
    pub tour: RwSignal<Option<usize>>,
    /// The number of requests to show the start card again.
    pub guide_requests: RwSignal<u32>,
    /// `true` if find and replace is open.
    pub finding: RwSignal<bool>,
    /// The pattern of the last search.
    pub pattern: RwSignal<Pattern>,
    diagram: StoredValue<Option<OpenDiagram>, LocalStorage>,
    attention: Attention,
    menu: ContextMenu,
}

impl Page {
    /// Provides it to the components below, and listens for the lifetime of the page.
    pub fn provide(session: Session, files: FileState, groups: &'static [Group]) -> Self {
        let page = Self {
            session,
            files,
            theme: Theme::expect(),
            groups,
            bindings: RwSignal::new(Bindings::restore(groups)),
            sheet: RwSignal::new(None),
            tour: RwSignal::new(None),
            guide_requests: RwSignal::new(0),
            finding: RwSignal::new(false),
            pattern: RwSignal::new(Pattern::default()),
            diagram: StoredValue::new_local(None),
            attention: Attention::new(),
            menu: ContextMenu::provide(),
        };
        provide_context(page);
        let handle = window_event_listener(ev::keydown, move |event| page.key(&event));
        on_cleanup(move || handle.remove());
        page.keep_focus();
        page
    }

    /// Returns the page that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Registers the diagram that has opened.
    pub fn opened(&self, diagram: OpenDiagram) {
        self.diagram.set_value(Some(diagram));
    }

    /// Returns the open diagram, if a canvas is shown.
    pub fn open_diagram(&self) -> Option<OpenDiagram> {
        let is_canvas = self.session.open.view.with_untracked(View::is_canvas);
        self.diagram.get_value().filter(|_| is_canvas)
    }

    /// Returns which view is open; `None` before the first diagram.
    pub fn view(&self) -> Option<View> {
        let view = self.session.open.view.get_untracked();
        if !view.is_canvas() {
            return Some(view);
        }
        let diagram = self.diagram.get_value()?.diagram()?;
        Some(diagram.sheet().map_or(View::Board, View::Method))
    }

    /// Performs an intent on the open diagram. Returns `true` if there was something to do.
    pub fn perform(&self, intent: Intent) -> bool {
        self.open_diagram()
            .is_some_and(|diagram| diagram.surface.perform(intent))
    }

    /// Shows the start card of the open example again.
    pub fn show_guide(&self) {
        self.guide_requests.update(|count| *count += 1);
    }

    /// Opens a view.
    pub fn show_view(&self, view: View) -> bool {
        self.session.open.show_view(view);
        true
    }

    /// Starts renaming: the selected block's text is edited, the selected record gets a new name.
    pub fn rename(&self) -> bool {
        if self.perform(Intent::Rename(None)) {
            return true;
        }
        let one = self.session.open.selection;
        one.with_untracked(Selection::only_record)
            .is_some_and(|record| {
                self.session.desk.begin_renaming(record);
                true
            })
    }

    /// Opens a canvas's menu.
    pub fn open_menu(&self, request: MenuRequest) {
        let MenuRequest {
            label,
            surface,
            at,
            sections,
        } = request;
        let sections = sections.into_iter().map(|section| {
            let choices = section.choices.into_iter();
            let commands = choices.filter_map(|choice| self.menu_command(choice, surface, at));
            MenuSection::new(section.heading, commands.collect())
        });
        let corner = surface.corner() + at;
        self.menu
            .show(label, (corner.x, corner.y), sections.collect());
    }

    fn menu_command(&self, choice: Choice, surface: Surface, at: Vec2) -> Option<MenuCommand> {
        let (page, keys) = (*self, |id| self.first_keys(id));
        Some(match choice {
            Choice::Command(id, label) => {
                let command = self.find(id)?;
                MenuCommand::new(label, keys(id), move || {
                    surface.point_at(at);
                    (command.run)(&page);
                })
            }
            Choice::At(label, id, intent) => MenuCommand::new(label, keys(id), move || {
                page.perform(Intent::clone(&intent));
            }),
        })
    }

    /// Returns the first keys of a command: `Ctrl+Z`. Empty if it has none.
    pub fn first_keys(&self, id: &str) -> String {
        // The browser's own keys cause its events of the clipboard.
        let of_browser = match id {
            "cut" => "Ctrl+X",
            "copy" => "Ctrl+C",
            "paste" => "Ctrl+V",
            _ => "",
        };
        let command = self.find(id).filter(|_| of_browser.is_empty());
        let keys = command.map(|command| self.bindings.with_untracked(|b| b.keys(command)));
        let keys = keys.into_iter().flatten().next();
        keys.unwrap_or_else(|| of_browser.to_owned())
    }

    /// Runs the command with this id.
    pub fn command(&self, id: &str) {
        if let Some(command) = self.find(id) {
            (command.run)(self);
        }
    }

    /// Returns the command with this id.
    pub fn find(&self, id: &str) -> Option<&'static Command> {
        commands(self.groups).find(|command| command.id == id)
    }

    /// Closes the open sheet, so that the focus is where it was before.
    pub fn close_sheet(&self) {
        if let Ok(Some(open)) = document().query_selector("dialog:modal")
            && let Ok(open) = open.dyn_into::<web_sys::HtmlDialogElement>()
        {
            open.close();
        }
        self.sheet.set(None);
        if nothing_has_focus() {
            self.perform(Intent::Focus);
        }
    }

    /// Returns `true` if a key is bound to this command.
    pub fn means(&self, event: &KeyboardEvent, id: &str) -> bool {
        let chord = chord::of(event).unwrap_or_default();
        let meant = self.bindings.with_untracked(|b| b.of(&chord));
        meant.iter().any(|command| command.id == id)
    }

    /// Handles a key that nothing on the page has taken.
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
            // An open dialog keeps the keys for itself.
            let sheet = self.sheet.with_untracked(Option::is_some);
            if reached && !sheet && (command.run)(self) {
                event.prevent_default();
                return;
            }
        }
    }

    /// Catches the focus after every edit.
    fn keep_focus(&self) {
        let page = *self;
        Effect::new(move |before: Option<()>| {
            page.session.document();
            if before.is_some() {
                page.catch_focus();
            }
        });
    }

    /// Focuses the canvas if the focused element is removed: keys would go nowhere. In a form the
    /// focus stays close by, since the next letter may be part of a text.
    pub fn catch_focus(&self) {
        let page = *self;
        // By then the views have followed.
        request_animation_frame(move || {
            if nothing_has_focus() && !page.attention.stay_in_form() {
                page.perform(Intent::Focus);
            }
        });
    }
}

/// Returns the keys of a command for a menu or a tooltip: `Ctrl+Z`. Empty if it has none.
pub fn shown(id: &str) -> String {
    let page = Page::expect();
    let keys = page
        .find(id)
        .map(|command| page.bindings.with(|b| b.keys(command)));
    keys.into_iter().flatten().next().unwrap_or_default()
}

/// Returns keys as their caps, for display.
pub fn caps(keys: &[String]) -> Vec<Vec<String>> {
    let caps = |key: &String| chord::caps(key).into_iter().map(str::to_owned).collect();
    keys.iter().map(caps).collect()
}

/// Returns `true` if nothing has the keyboard's focus.
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

/// Returns `true` if the keys of this event belong to a field.
pub fn in_text(event: &Event) -> bool {
    field(event) != Input::None
}

/// Returns `true` if the focus is on the canvas, and not in a field or a button on it, or nowhere.
fn on_canvas(event: &KeyboardEvent) -> bool {
    let Some(target) = target(event) else {
        return false;
    };
    let inside = |selector: &str| target.closest(selector).ok().flatten().is_some();
    let inner = "input, textarea, select, button, a, summary, [data-inner]";
    target.tag_name() == "BODY" || (inside(".canvas") && !inside(inner))
}

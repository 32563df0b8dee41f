//! Dragging a record out of the outline, or a block out of a palette: onto a canvas, or, for
//! records, into a text.

use gloo::events::{EventListener, EventListenerOptions};
use leptos::ev::PointerEvent;
use leptos::html::Div;
use leptos::prelude::*;
use taskloom_document::syntax::ast::Reference;
use taskloom_document::syntax::print_reference;
use taskloom_document::{BlockKind, Document, RecordRef};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::model::{Dragged, OpenDiagram};
use crate::canvas::geometry::{Vec2, pixels};
use crate::session::Session;
use crate::ui::drag::{Drag, drag_after_rest, drag_off};
use crate::ui::live::live;
use crate::web::typing;

/// The texts that a name can be dropped into.
const TEXTS: &str = ".expression textarea, .in-place textarea";

/// The words at a finger that has rested on a row.
const RESTING: &str = "Drag it, or lift for the menu";

/// The distance, in pixels, within which a finger counts as resting.
const TREMBLING: f64 = 8.0;

/// The label at the pointer during a drag.
#[derive(Debug, Clone, PartialEq)]
struct Ghost {
    name: String,
    /// The effect of dropping it, or why that is refused; empty where nothing can be dropped.
    words: Result<String, String>,
    at: Vec2,
}

/// The drag of a record or a block, provided as Leptos context.
#[derive(Clone, Copy)]
pub struct NodeDrag {
    session: Session,
    /// Returns the open diagram, if a canvas is shown.
    open_diagram: UnsyncCallback<(), Option<OpenDiagram>>,
    ghost: RwSignal<Option<Ghost>>,
    /// The text under the pointer.
    text: StoredValue<Option<HtmlElement>, LocalStorage>,
    /// `true` from a drag to the next press: the click at its end does nothing.
    has_dragged: StoredValue<bool>,
    /// `true` while a finger drags.
    is_by_finger: StoredValue<bool>,
    /// `true` while that finger has not moved from where it rested.
    rests: StoredValue<bool>,
}

impl NodeDrag {
    /// Provides it to the components below.
    pub fn provide(session: Session, open_diagram: UnsyncCallback<(), Option<OpenDiagram>>) {
        let drag = Self {
            session,
            open_diagram,
            ghost: RwSignal::new(None),
            text: StoredValue::new_local(None),
            has_dragged: StoredValue::new(false),
            is_by_finger: StoredValue::new(false),
            rests: StoredValue::new(false),
        };
        provide_context(drag);
    }

    /// Returns the drag that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Returns `true` if the last press has become a drag.
    pub fn has_dragged(self) -> bool {
        self.has_dragged.get_value()
    }

    /// Returns `true` while a finger drags.
    pub fn is_by_finger(self) -> bool {
        self.is_by_finger.get_value()
    }

    /// Keeps the outline from being scrolled by a finger that drags.
    pub fn keep_from_scrolling(self, tree: NodeRef<Div>) {
        let listener = StoredValue::new_local(None::<EventListener>);
        Effect::new(move || {
            let Some(tree) = tree.get() else { return };
            let active = EventListenerOptions::enable_prevent_default();
            let held = EventListener::new_with_options(&tree, "touchmove", active, move |event| {
                if self.is_by_finger() {
                    event.prevent_default();
                }
            });
            listener.set_value(Some(held));
        });
    }

    /// Handles the press of a row. A finger scrolls the outline unless it rests first; lifted where
    /// it rested, it opens the row's menu.
    pub fn press(
        self,
        row: &Element,
        event: &PointerEvent,
        record: RecordRef,
        open_menu: impl Fn((f64, f64)) + Copy + 'static,
    ) {
        self.has_dragged.set_value(false);
        if event.button() != 0 {
            return;
        }
        let is_finger = event.pointer_type() == "touch";
        let at = Vec2::new(event.client_x(), event.client_y());
        let (name, dragged) = (record.name.to_string(), Dragged::Record(record));
        let step = move |step: Drag<'_>| match step {
            Drag::Moved(event) => {
                self.has_dragged.set_value(true);
                let to = Vec2::new(event.client_x(), event.client_y());
                // A finger that rests trembles.
                if self.rests.get_value() && (to - at).length() < TREMBLING {
                    return;
                }
                self.rests.set_value(false);
                self.moved(&dragged, to);
            }
            Drag::Released => {
                let (ghost, rests) = (self.ghost.get_untracked(), self.rests.get_value());
                self.end();
                match ghost {
                    Some(_) if rests => {
                        // A menu that opens within the release would be closed by it.
                        request_animation_frame(move || open_menu((at.x, at.y)));
                    }
                    Some(ghost) => self.dropped(&dragged, ghost.at),
                    None => {}
                }
            }
            Drag::Cancelled => {
                self.mark(&Target::Nothing);
                self.end();
            }
        };
        if !is_finger {
            return drag_off(row, event, step);
        }
        let begin = move || {
            self.is_by_finger.set_value(true);
            self.rests.set_value(true);
            self.has_dragged.set_value(true);
            let words = Ok(RESTING.to_owned());
            self.ghost.set(Some(Ghost { name, words, at }));
        };
        drag_after_rest(row, event, begin, step);
    }

    /// Handles the press of a block in a palette, which drags at once, by a finger too.
    pub fn press_block(self, button: &Element, event: &PointerEvent, kind: BlockKind) {
        self.has_dragged.set_value(false);
        if event.button() != 0 {
            return;
        }
        let dragged = Dragged::Block(kind);
        drag_off(button, event, move |step| match step {
            Drag::Moved(event) => {
                self.has_dragged.set_value(true);
                self.moved(&dragged, Vec2::new(event.client_x(), event.client_y()));
            }
            Drag::Released => {
                let ghost = self.ghost.get_untracked();
                self.end();
                if let Some(ghost) = ghost {
                    self.dropped(&dragged, ghost.at);
                }
            }
            Drag::Cancelled => {
                self.mark(&Target::Nothing);
                self.end();
            }
        });
    }

    fn moved(self, dragged: &Dragged, at: Vec2) {
        let target = target(dragged, at);
        self.mark(&target);
        let words = match target {
            Target::Text(_) => Ok("Insert the name".to_owned()),
            Target::Canvas => {
                let diagram = self.open_diagram.run(());
                let offer = diagram.and_then(|diagram| diagram.offer(dragged, at));
                offer.unwrap_or(Ok(String::new()))
            }
            Target::Nothing => Ok(String::new()),
        };
        let name = dragged.name();
        self.ghost.set(Some(Ghost { name, words, at }));
    }

    /// Marks the text under the pointer, and unmarks what was under it before.
    fn mark(self, target: &Target) {
        let text = match target {
            Target::Text(text) => Some(text.clone()),
            _ => None,
        };
        if !matches!(target, Target::Canvas)
            && let Some(diagram) = self.open_diagram.run(())
        {
            diagram.surface.mark_receiving(None);
        }
        let before = self.text.with_value(Clone::clone);
        if before != text {
            let list = |field: &HtmlElement| field.class_list();
            // A class is a valid token.
            let _ = before
                .as_ref()
                .map(|field| list(field).remove_1("drop-here"));
            let _ = text.as_ref().map(|field| list(field).add_1("drop-here"));
            self.text.set_value(text);
        }
    }

    fn end(self) {
        self.is_by_finger.set_value(false);
        self.rests.set_value(false);
        self.ghost.set(None);
    }

    fn dropped(self, dragged: &Dragged, at: Vec2) {
        let target = target(dragged, at);
        self.mark(&Target::Nothing);
        match (target, dragged) {
            (Target::Text(field), Dragged::Record(record)) => {
                // The field is on the screen, so it takes the focus.
                let _ = field.focus();
                typing::insert(&reference(&self.session.document_untracked(), record));
            }
            (Target::Canvas, dragged) => {
                if let Some(diagram) = self.open_diagram.run(()) {
                    diagram.take(dragged, at);
                }
            }
            (Target::Text(_) | Target::Nothing, _) => {}
        }
    }
}

/// Returns how a record is named in a text: `at(?place)`.
fn reference(document: &Document, record: &RecordRef) -> String {
    let params = document.view(record).map_or(&[][..], |view| view.params());
    print_reference(&Reference::to_params(&record.name, params))
}

enum Target {
    Text(HtmlElement),
    Canvas,
    Nothing,
}

/// Returns what is at a point of the window. Texts take records only.
fn target(dragged: &Dragged, at: Vec2) -> Target {
    let element = document().element_from_point(at.x as f32, at.y as f32);
    let within = |selector: &str| {
        let found = element.as_ref()?.closest(selector).ok()??;
        found.dyn_into::<HtmlElement>().ok()
    };
    match (within(TEXTS), dragged) {
        (Some(text), Dragged::Record(_)) => Target::Text(text),
        _ if within(".canvas").is_some() && within("[data-inner]").is_none() => Target::Canvas,
        _ => Target::Nothing,
    }
}

/// The label at the pointer.
#[component]
pub fn DragGhost() -> impl IntoView {
    let drag = NodeDrag::expect();
    let shown = move |ghost: Ghost| {
        let refused = ghost.words.is_err();
        let (Ok(words) | Err(words)) = ghost.words;
        view! {
            <div class="drag-ghost" class:refused=refused aria-hidden="true" style:left=pixels(ghost.at.x) style:top=pixels(ghost.at.y)>
                <b>{ghost.name}</b>
                {(!words.is_empty()).then(|| view! { <span>{words}</span> })}
            </div>
        }
    };
    live(move || drag.ghost.get().map(shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Kind;

    #[test]
    fn texts_get_names_with_their_parameters() {
        let text = include_str!("../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let of =
            |kind, name: &str| reference(&document, &RecordRef::new(kind, name.parse().unwrap()));
        assert_eq!(of(Kind::Fact, "box_open"), "box_open");
        assert!(of(Kind::PrimitiveTask, "walk-to").starts_with("walk-to(?"));
        assert_eq!(of(Kind::Object, "box"), "box");
    }
}

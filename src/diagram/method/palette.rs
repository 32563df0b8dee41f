//! The palette: the kinds of block that are dragged into a method.

use leptos::ev::{MouseEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use taskloom_document::{BlockKind, Kind};

use super::flow::Method;
use crate::diagram::dragging::NodeDrag;
use crate::diagram::face::Look;
use crate::diagram::model::OpenDiagram;
use crate::ui::icon::Tile;

/// A kind of block, its look, and its description.
type Line = (BlockKind, Look, &'static str);

/// The kinds of block that can be added repeatedly; a method has one Begin.
const KINDS: [Line; 5] = [
    (
        BlockKind::Task,
        Look::Record(Kind::PrimitiveTask),
        "a call of a task",
    ),
    (BlockKind::Branch, Look::Branch, "a condition, yes or no"),
    (
        BlockKind::Choice(2),
        Look::Choice,
        "alternatives, tried in order",
    ),
    (
        BlockKind::Bind,
        Look::Bind,
        "an object that satisfies a condition",
    ),
    (BlockKind::End, Look::End, "the method is complete"),
];

/// A strip of the kinds of block. They are dragged onto the canvas or a wire; a click, or Enter,
/// adds a block in a free place.
#[component]
pub fn Palette(
    /// The method.
    method: Method,
    /// The method's diagram.
    open: OpenDiagram,
) -> impl IntoView {
    let buttons = KINDS.map(|line| view! { <KindButton method open line/> });
    view! {
        <div class="block-palette-room">
            <div class="block-palette" data-inner="" role="toolbar" aria-label="Blocks">
                {buttons.collect_view()}
            </div>
        </div>
    }
}

#[component]
fn KindButton(method: Method, open: OpenDiagram, line: Line) -> impl IntoView {
    let (kind, look, description) = line;
    let drag = NodeDrag::expect();
    let button = NodeRef::<html::Button>::new();
    let press = move |event: PointerEvent| {
        if let Some(button) = button.get_untracked() {
            drag.press_block(&button, &event, kind);
        }
    };
    let click = move |event: MouseEvent| {
        // The click at the end of a drag; clicks by keyboard have no detail.
        if event.detail() == 0 || !drag.has_dragged() {
            method.add_kind_in_sight(open, kind);
        }
    };
    view! {
        <button
            type="button"
            title=format!("{}: {description}. Drag it onto the canvas or a wire, or click", kind.title())
            aria-label=format!("Add {}", kind.title())
            node_ref=button
            on:pointerdown=press
            on:click=click
        >
            <Tile icon=look.icon() class=look.class()/>
            <span>{kind.title()}</span>
        </button>
    }
}

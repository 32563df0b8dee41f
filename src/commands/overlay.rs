//! The modal dialogs over the page: the palette, the help sheet, the examples and the export of a
//! video. The browser keeps the focus inside, and restores it afterwards.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::{gallery, help, palette};
use crate::page::{Page, Sheet};
use crate::panels::video;
use crate::ui::floating::modal_dialog;

/// The open dialog, if any.
#[component]
pub fn Overlay() -> impl IntoView {
    let page = Page::expect();
    // Each has a place of its own: a dialog that replaces another one is a new element, which opens.
    let sheets = [Sheet::Palette, Sheet::Help, Sheet::Gallery, Sheet::Video];
    let shown = |sheet| move || (page.sheet.get() == Some(sheet)).then(|| dialog(page, sheet));
    sheets.map(shown).into_view()
}

fn dialog(page: Page, sheet: Sheet) -> AnyView {
    let (name, class, inside): (_, _, fn(Page) -> AnyView) = match sheet {
        Sheet::Palette => ("Command palette", "sheet palette", palette::inside),
        Sheet::Help => ("Help", "sheet help", help::inside),
        Sheet::Gallery => ("Examples", "sheet gallery", gallery::inside),
        Sheet::Video => ("Video of the run", "sheet video", video::inside),
    };
    let element = modal_dialog();
    let press_outside = move |event: MouseEvent| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.tag_name() == "DIALOG") {
            page.close_sheet();
        }
    };
    view! {
        <dialog node_ref=element class=class aria-label=name on:mousedown=press_outside
            on:close=move |_| if page.sheet.get_untracked() == Some(sheet) { page.sheet.set(None) }
        >
            {inside(page)}
        </dialog>
    }
    .into_any()
}

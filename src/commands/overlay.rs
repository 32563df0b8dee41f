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
    move || {
        page.sheet.get().map(|sheet| match sheet {
            Sheet::Palette => dialog(sheet, "Command palette", palette::inside),
            Sheet::Help => dialog(sheet, "Help", help::inside),
            Sheet::Gallery => dialog(sheet, "Examples", gallery::inside),
            Sheet::Video => dialog(sheet, "Video of the run", video::inside),
        })
    }
}

fn dialog(sheet: Sheet, name: &'static str, inside: fn(Page) -> AnyView) -> AnyView {
    let page = Page::expect();
    let element = modal_dialog();
    let press_outside = move |event: MouseEvent| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| target.tag_name() == "DIALOG") {
            page.close_sheet();
        }
    };
    let class = match sheet {
        Sheet::Palette => "sheet palette",
        Sheet::Help => "sheet help",
        Sheet::Gallery => "sheet gallery",
        Sheet::Video => "sheet video",
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

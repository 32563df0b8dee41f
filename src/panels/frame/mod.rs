//! The frame around the main view: what folds its parts, opens them again, and stands for them on
//! a narrow screen.

use leptos::prelude::*;
use taskloom_document::Kind;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::kinds;
use crate::page::{Page, shown};
use crate::panels::toolbar::SWITCHES;
use crate::session::{Desk, Folding, Part};
use crate::ui::icon::{Icon, Lucide, Tile};

/// Keeps the layout in step with the width of the window.
pub fn follow_width(folding: Folding) {
    let adapt = move || {
        let width = window().inner_width().ok().and_then(|w| w.as_f64());
        folding.set_width(width.unwrap_or(1280.0));
    };
    adapt();
    let resized = window_event_listener(leptos::ev::resize, move |_| adapt());
    on_cleanup(move || resized.remove());
}

/// The icon, the words and the command of a part.
fn described(part: Part) -> (Lucide, &'static str, &'static str) {
    match part {
        Part::Outline => (Lucide::PanelLeft, "the outline", "fold-outline"),
        Part::Inspector => (Lucide::PanelRight, "the inspector", "fold-inspector"),
        Part::Panel => (Lucide::PanelBottom, "the simulation panel", "fold-panel"),
    }
}

/// The button that folds a part and opens it again: the part has one, and so has its rail.
#[component]
pub fn FoldButton(
    /// The part.
    part: Part,
) -> impl IntoView {
    let folding = Page::expect().session.desk.folding;
    let (icon, words, command) = described(part);
    let label = move || match folding.is_open(part) {
        true => format!("Fold {words}"),
        false => format!("Unfold {words}"),
    };
    let toggle = move |_| {
        folding.toggle(part);
        focus(format!("[data-fold={}]", part.name()));
    };
    view! {
        <button
            class="fold-part"
            data-fold=part.name()
            aria-expanded=move || folding.is_open(part).to_string()
            aria-label=label
            title=move || format!("{} ({})", label(), shown(command))
            on:click=toggle
        >
            <Icon name=icon/>
        </button>
    }
}

/// The rail in place of the folded outline: a button for each kind of record, which opens the
/// outline there.
#[component]
pub fn OutlineRail() -> impl IntoView {
    let folding = Page::expect().session.desk.folding;
    let button = move |kind: Kind| {
        let info = kinds::of(kind);
        view! {
            <button
                class=format!("rail-kind {}", info.class)
                aria-label=info.title
                title=info.title
                on:click=move |_| show_kind(folding, info.title)
            >
                <Tile icon=info.icon/>
            </button>
        }
    };
    view! {
        <nav class="rail rail-outline" aria-label="Kinds of records">
            <FoldButton part=Part::Outline/>
            <hr/>
            {Kind::ALL.map(button).into_iter().collect_view()}
        </nav>
    }
}

/// The rail in place of the folded inspector.
#[component]
pub fn InspectorRail() -> impl IntoView {
    view! {
        <nav class="rail rail-inspector" aria-label="Folded panel">
            <FoldButton part=Part::Inspector/>
        </nav>
    }
}

/// The tabs at the bottom of a phone: views, and the parts that open over them.
#[component]
pub fn BottomTabs() -> impl IntoView {
    let page = Page::expect();
    let folding = page.session.desk.folding;
    let view = page.session.open.view;
    let views = SWITCHES.map(|(label, icon, command, is_open)| {
        let open = move |_| {
            folding.close_over();
            page.command(command);
        };
        view! {
            <button aria-pressed=move || view.with(is_open).to_string() on:click=open>
                <Icon name=icon/>
                <span>{label}</span>
            </button>
        }
    });
    let part = |label: &'static str, icon: Lucide, part: Part| {
        view! {
            <button
                aria-expanded=move || folding.is_open(part).to_string()
                on:click=move |_| folding.toggle(part)
            >
                <Icon name=icon/>
                <span>{label}</span>
            </button>
        }
    };
    view! {
        <div class="bottom-tabs">
            <nav aria-label="Views">{views.into_iter().collect_view()}</nav>
            <div role="group" aria-label="Panels">
                {part("Run", Lucide::Play, Part::Panel)}
                {part("Outline", Lucide::ListTree, Part::Outline)}
                {part("Inspector", Lucide::SlidersHorizontal, Part::Inspector)}
            </div>
        </div>
    }
}

/// Opens the outline at the records with this heading.
fn show_kind(folding: Folding, title: &'static str) {
    folding.open(Part::Outline);
    request_animation_frame(move || {
        let heads = elements(".outline .group-head");
        let is_it = |head: &Element| {
            let text = head.text_content().unwrap_or_default();
            text.contains(title)
        };
        let Some(head) = heads.into_iter().find(is_it) else {
            return;
        };
        if let Some(group) = head.parent_element() {
            group.scroll_into_view();
        }
        let fold = head.query_selector(".fold").ok().flatten();
        if let Some(fold) = fold.and_then(|fold| fold.dyn_into::<HtmlElement>().ok()) {
            if fold.get_attribute("aria-expanded").as_deref() == Some("false") {
                fold.click();
            }
            // The group is on the screen.
            let _ = fold.focus();
        }
    });
}

/// Closes the part that is open over the main view after a press outside it.
pub fn close_outside(desk: Desk, target: Option<Element>) {
    let folding = desk.folding;
    let is_in = |selector| {
        let target = target.as_ref();
        target.is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))))
    };
    // On a phone, the panel is one of those parts.
    if is_in(".canvas-area") || is_in(".panel") && !untrack(|| folding.is_over(Part::Panel)) {
        folding.close_over();
    }
}

/// Focuses the first visible element that matches, once the page has followed.
fn focus(selector: String) {
    request_animation_frame(move || {
        if let Some(element) = visible(&selector) {
            let _ = element.focus();
        }
    });
}

/// Returns the first element on the screen that matches.
pub fn visible(selector: &str) -> Option<HtmlElement> {
    let found = elements(selector).into_iter();
    let mut found = found.filter_map(|element| element.dyn_into::<HtmlElement>().ok());
    found.find(|element| element.offset_width() > 0)
}

fn elements(selector: &str) -> Vec<Element> {
    let Ok(found) = document().query_selector_all(selector) else {
        return vec![];
    };
    let at = |at| found.item(at)?.dyn_into::<Element>().ok();
    (0..found.length()).filter_map(at).collect()
}

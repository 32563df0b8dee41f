//! The whole editor: its panels around the open diagram.

use gloo::timers::future::TimeoutFuture;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use taskloom_document::Name;
use wasm_bindgen::JsCast;

use crate::canvas::cameras::Cameras;
use crate::canvas::geometry::pixels;
use crate::canvas::presets::Presets;
use crate::commands::{GROUPS, Overlay, clipboard};
use crate::diagram::picture::Printed;
use crate::diagram::{DiagramView, DragGhost, NodeDrag};
use crate::page::{FileState, Page, Theme, TooltipView, follow_browser, follow_watched};
use crate::panels::frame::{BottomTabs, InspectorRail, OutlineRail, close_outside, follow_width};
use crate::panels::results::Results;
use crate::panels::start::{Progress, StartCard};
use crate::panels::toolbar::Toolbar;
use crate::panels::tour::{self, TourView};
use crate::panels::why::WhyPopover;
use crate::panels::{
    ChangedFileDialog, DeletionDialog, DrawerView, Find, Inspector, Notices, Outline, Panel,
    ScenariosView, StageCamera, StageView, Toasts, UsesDialog,
};
use crate::session::library::Start;
use crate::session::{Folding, Part, Room, Session, View, announce};
use crate::ui::anchor::window_size;
use crate::ui::context_menu::ContextMenuView;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::splitter::{Edge, Splitter};
use crate::ui::typed_key::TypedKey;
use crate::ui::{anchored, long_press};
use crate::web::platform::Platform;
use crate::web::{live, share, storage, watched};

/// The width in pixels under which a window is small.
const SMALL_WINDOW: f64 = 1400.0;

/// The whole editor.
#[component]
pub fn App(
    /// The document to open.
    start: Start,
    /// The platform that the page runs on.
    platform: Platform,
) -> impl IntoView {
    let (session, files) = provide(start, platform);
    let folding = session.desk.folding;
    // A small window lacks width most of all.
    let (width, height) = window_size();
    let (outline, inspector) = match width < SMALL_WINDOW {
        true => (204.0, 260.0),
        false => (232.0, 304.0),
    };
    let outline = remembered("outline", outline);
    let inspector = remembered("inspector", inspector);
    let panel = remembered("panel", (height * 0.3).clamp(192.0, 360.0));
    let state = move |part| match (folding.is_open(part), folding.is_over(part)) {
        (false, _) => "folded",
        (true, false) => "open",
        (true, true) => "over",
    };
    // What a part takes of the window: its size, or that of its rail, line or tabs.
    let taken = move |part, size: RwSignal<f64>| {
        pixels(match (state(part), part, folding.room()) {
            ("open", ..) => size.get(),
            (_, Part::Panel, Room::Phone) => 56.0,
            (_, _, Room::Phone) => 0.0,
            (_, Part::Panel, _) => 40.0,
            _ => 48.0,
        })
    };
    let escape = move |event: KeyboardEvent| close_by_key(folding, &event);
    let pressed = move |event: PointerEvent| {
        close_outside(session.desk, event.target().and_then(|t| t.dyn_into().ok()));
    };
    let old = Memo::new(move |_| session.plan.is_old());
    view! {
        <div
            class="app"
            data-outline=move || state(Part::Outline)
            data-inspector=move || state(Part::Inspector)
            data-panel=move || state(Part::Panel)
            style:--outline-width=move || taken(Part::Outline, outline)
            style:--inspector-width=move || taken(Part::Inspector, inspector)
            style:--panel-height=move || taken(Part::Panel, panel)
            style:--outline-size=move || pixels(outline.get())
            style:--inspector-size=move || pixels(inspector.get())
            on:dragover=|event| event.prevent_default()
            on:drop=move |event| files.drop(session, &event)
            on:keydown=escape
            on:pointerdown:capture=pressed
        >
            <Toolbar/>
            <OutlineRail/>
            <Outline/>
            <main class="canvas-area" class:old=move || old.get()>
                <CanvasArea/>
                <Notices/>
                <Find/>
                <StartCard/>
                <TooltipView/>
            </main>
            <Inspector/>
            <InspectorRail/>
            <Panel/>
            <section class="splitters" aria-label="Panel sizes">
                <Splitter edge=Edge::Right size=outline least=180.0 name="Outline width" area="outline" fold=move || folding.toggle(Part::Outline)/>
                <Splitter edge=Edge::Left size=inspector least=240.0 name="Inspector width" area="inspector" fold=move || folding.toggle(Part::Inspector)/>
                <Splitter edge=Edge::Top size=panel least=96.0 name="Simulation panel height" area="panel" fold=move || folding.toggle(Part::Panel)/>
            </section>
            <BottomTabs/>
            <DrawerView/>
            <Toasts/>
            <TourView/>
            <DragGhost/>
        </div>
        <Printed/>
        <Overlay/>
        <ContextMenuView/>
        <DeletionDialog/>
        <UsesDialog/>
        <ChangedFileDialog/>
        <WhyPopover/>
        <p class="unseen" id=live::ID role="status"></p>
    }
}

/// Closes what lies over the main view, if anything does.
fn close_by_key(folding: Folding, event: &KeyboardEvent) {
    if event.typed_key() == "Escape" && !event.default_prevented() && folding.close_over() {
        event.prevent_default();
    }
}

/// Provides the state of the page to its components, and follows the browser.
fn provide(start: Start, platform: Platform) -> (Session, FileState) {
    let is_first = start.is_first;
    let session = Session::provide(start, platform.clone());
    Results::provide(session);
    let files = FileState::provide(platform);
    Theme::provide();
    Presets::provide();
    Cameras::provide();
    StageCamera::provide(session, Cameras::expect());
    let page = Page::provide(session, files, GROUPS);
    NodeDrag::provide(session, UnsyncCallback::new(move |()| page.open_diagram()));
    // Whether the start card is folded at first depends on the width.
    follow_width(session.desk.folding);
    // Who comes to watch a log wants no example.
    Progress::provide(page, is_first && !watched::is_watching());
    tour::restore(page);
    announce(session);
    follow_browser(session);
    open_shared(session, files);
    follow_watched(session, files);
    let pasted =
        window_event_listener(leptos::ev::hashchange, move |_| open_shared(session, files));
    on_cleanup(move || pasted.remove());
    clipboard::listen(session);
    anchored::listen();
    long_press::listen();
    (session, files)
}

/// The name of what is being read if the address holds a document.
const LINK: &str = "the link";

/// Opens the document in the page's address; the previous one stays in the list.
fn open_shared(session: Session, files: FileState) {
    if !share::is_shared() {
        return;
    }
    let opening = session.begin_opening();
    wasm_bindgen_futures::spawn_local(async move {
        files.reading.set(Some(LINK.to_owned()));
        let shared = share::shared().await;
        let is_stopped = files
            .reading
            .with_untracked(|name| name.as_deref() != Some(LINK));
        if is_stopped {
            return;
        }
        // Showing it may take long: the message is on the screen by then.
        TimeoutFuture::new(50).await;
        files.stop_reading();
        match shared {
            Some(Ok(text)) => {
                files.open_text(session, "the linked document", &text, opening);
            }
            Some(Err(reason)) => session.complain(format!("Couldn't open the link: {reason}.")),
            None => {}
        }
    });
}

/// The open canvas, under its breadcrumbs.
#[component]
fn CanvasArea() -> impl IntoView {
    let session = Session::expect();
    let page = Page::expect();
    let open = Memo::new(move |_| session.open.view.get());
    let menu = UnsyncCallback::new(move |(request,)| page.open_menu(request));
    let opened = UnsyncCallback::new(move |(diagram,)| page.opened(diagram));
    view! {
        {move || match open.get() {
            View::Board => view! { <DiagramView task=None menu opened/> }.into_any(),
            View::Method(task) => view! { <DiagramView task=Some(task) menu opened/> }.into_any(),
            View::Stage => view! { <StageView/> }.into_any(),
            View::Scenarios => view! { <ScenariosView/> }.into_any(),
        }}
        <nav class="crumbs" aria-label="Breadcrumbs">
            {move || {
                if !session.open.view.with(View::is_canvas) {
                    return vec![];
                }
                let path = session.open.path();
                let names = std::iter::once(None).chain(path.iter().cloned().map(Some));
                names.enumerate().map(|(at, name)| crumb(session, at == path.len(), name)).collect()
            }}
        </nav>
    }
}

/// One of the breadcrumbs: the Board, or a method.
fn crumb(session: Session, here: bool, method: Option<Name>) -> AnyView {
    let between = method
        .is_some()
        .then(|| view! { <Icon name=Lucide::ChevronRight size=14/> });
    let text = method.as_ref().map_or("Board".to_owned(), Name::to_string);
    if here {
        return view! { {between}<b aria-current="page">{text}</b> }.into_any();
    }
    let go = move |_| match &method {
        Some(task) => session.open.enter(task.clone()),
        None => session.open.show_view(View::Board),
    };
    let title = format!("Back to {text}");
    view! { {between}<button class="link" title=title on:click=go>{text}</button> }.into_any()
}

/// Returns a panel's size in pixels, stored across reloads if it was changed.
fn remembered(panel: &'static str, default: f64) -> RwSignal<f64> {
    let key = format!("taskloom.size.{panel}");
    let size = storage::get(&key)
        .and_then(|text| text.parse().ok())
        .filter(|n: &f64| n.is_finite())
        .unwrap_or(default);
    let signal = RwSignal::new(size);
    Effect::new(move || {
        let size = signal.get();
        let changed = (size != default).then(|| size.to_string());
        storage::set(&key, &changed.unwrap_or_default());
    });
    signal
}

//! The whole editor: its panels around the open diagram.

use gloo::timers::future::TimeoutFuture;
use leptos::prelude::*;
use taskloom::document::Name;

use crate::canvas::cameras::Cameras;
use crate::canvas::geometry::pixels;
use crate::canvas::presets::Presets;
use crate::commands::{GROUPS, Overlay, clipboard};
use crate::diagram::DiagramView;
use crate::diagram::picture::Printed;
use crate::page::{FileState, Page, Theme, follow_browser};
use crate::panels::results::Results;
use crate::panels::toolbar::Toolbar;
use crate::panels::{
    DeletionDialog, DrawerView, Find, Inspector, Notices, Outline, Panel, ScenariosView, StageCamera,
    StageView, Toasts,
};
use crate::session::library::Start;
use crate::session::{Session, View, announce};
use crate::ui::splitter::{Edge, Splitter};
use crate::web::platform::Platform;
use crate::web::{live, share, storage};

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
    let session = Session::provide(start, platform.clone());
    Results::provide(session);
    let files = FileState::provide(platform);
    Theme::provide();
    Presets::provide();
    Cameras::provide();
    StageCamera::provide();
    Page::provide(session, files, GROUPS);
    announce(session);
    follow_browser(session);
    open_shared(session, files);
    let pasted =
        window_event_listener(leptos::ev::hashchange, move |_| open_shared(session, files));
    on_cleanup(move || pasted.remove());
    clipboard::listen(session);
    // A small window lacks width most of all.
    let width = window().inner_width().ok().and_then(|w| w.as_f64());
    let (outline, inspector) = match width {
        Some(width) if width < SMALL_WINDOW => (204.0, 260.0),
        _ => (220.0, 300.0),
    };
    let outline = remembered("outline", outline);
    let inspector = remembered("inspector", inspector);
    let panel = remembered("panel", 248.0);
    let length = |size: RwSignal<f64>| move || pixels(size.get());
    let old = Memo::new(move |_| session.plan.is_old());
    view! {
        <div
            class="app"
            style:--outline-width=length(outline)
            style:--inspector-width=length(inspector)
            style:--panel-height=length(panel)
            on:dragover=|event| event.prevent_default()
            on:drop=move |event| files.drop(session, &event)
        >
            <Toolbar/>
            <Outline/>
            <main class="canvas-area" class:old=move || old.get()>
                <CanvasArea/>
                <Notices/>
                <Find/>
            </main>
            <Inspector/>
            <Panel/>
            <section class="splitters" aria-label="Panel sizes">
                <Splitter edge=Edge::Right size=outline name="Outline width" area="outline"/>
                <Splitter edge=Edge::Left size=inspector name="Inspector width" area="inspector"/>
                <Splitter edge=Edge::Top size=panel name="Simulation panel height" area="panel"/>
            </section>
            <DrawerView/>
            <Toasts/>
        </div>
        <Printed/>
        <Overlay/>
        <DeletionDialog/>
        <p class="unseen" id=live::ID role="status"></p>
    }
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
    let menu = UnsyncCallback::new(move |()| page.menu());
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
        .then(|| view! { <span aria-hidden="true">"›"</span> });
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

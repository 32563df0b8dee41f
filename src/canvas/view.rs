//! The canvas's elements: the world under the camera, its wires, and the zoom bar.

use leptos::html::{self, Div};
use leptos::prelude::*;
use leptos::svg;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use leptos::web_sys::{HtmlElement, ResizeObserver, SvgElement};

use super::elements::Elements;
use super::input::is_inner;
use super::mirror::Mirror;
use super::presets::Presets;
use super::scene::Wire;
use super::surface::Surface;

use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;

/// The appearance of a wire: its classes and its tooltip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireLook {
    /// The classes in addition to `wire`.
    pub class: String,
    /// Its description.
    pub title: String,
}

impl WireLook {
    /// Creates a look of these classes and this description.
    pub fn new(class: impl Into<String>, title: String) -> Self {
        Self {
            class: class.into(),
            title,
        }
    }
}

/// A canvas. `children` are placed in the world, in graph units; `over` is placed on the screen
/// above it.
#[component]
pub fn Canvas(
    /// The handle to it.
    surface: Surface,
    /// Its accessible name.
    #[prop(into)]
    label: Signal<String>,
    /// The appearance of the wires.
    wires: Mirror<Wire, WireLook>,
    /// The content on the screen, above the world.
    over: impl IntoView + 'static,
    /// The content of the world.
    children: Children,
) -> impl IntoView {
    let (root, world) = (NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let marquee = [(); 3].map(|()| NodeRef::<Div>::new());
    let [begin, end, edge] = marquee;
    let loose = NodeRef::<svg::Path>::new();
    let (far, grid) = (NodeRef::<html::Canvas>::new(), NodeRef::<Div>::new());
    let (map, map_window) = (NodeRef::<html::Canvas>::new(), NodeRef::<Div>::new());
    Effect::new(move |_| {
        let (Some(root), Some(world), Some(loose)) = (root.get(), world.get(), loose.get()) else {
            return;
        };
        let [Some(begin), Some(end), Some(edge)] = marquee.map(|pane| pane.get()) else {
            return;
        };
        let (Some(far), Some(grid), Some(map), Some(map_window)) =
            (far.get(), grid.get(), map.get(), map_window.get())
        else {
            return;
        };
        let root: HtmlElement = root.unchecked_into();
        surface.attach(Elements {
            root: root.clone(),
            world: world.unchecked_into(),
            marquee: [begin, end, edge].map(|pane| pane.unchecked_into()),
            loose: loose.unchecked_into(),
            far,
            grid: grid.unchecked_into(),
            map,
            map_window: map_window.unchecked_into(),
        });
        observe_size(surface, &root);
    });
    let released = window_event_listener(leptos::ev::keyup, move |event| surface.key_up(&event));
    let left = window_event_listener(leptos::ev::blur, move |_| surface.release_space());
    on_cleanup(move || {
        released.remove();
        left.remove();
    });
    view! {
        <div
            class="canvas" node_ref=root tabindex="0" role="group" aria-label=move || label.get()
            on:pointerdown=move |e| surface.pointer_down(&e)
            on:pointermove=move |e| surface.pointer_move(&e)
            on:pointerup=move |e| surface.pointer_up(&e)
            on:pointercancel=move |e| surface.pointer_cancel(&e)
            on:pointerleave=move |_| surface.pointer_leave()
            on:wheel=move |e| surface.wheel(&e)
            on:click=move |e| surface.clicked(&e)
            on:dblclick=move |e| surface.double_click(&e)
            on:contextmenu=move |e| if !is_inner(&e) { e.prevent_default() }
            on:keydown=move |e| surface.key_down(&e)
        >
            <div class="plane" node_ref=world>
                <div class="grid" aria-hidden="true" node_ref=grid>
                    <canvas class="far" width="0" height="0" node_ref=far></canvas>
                </div>
                <svg class="wires" aria-hidden="true">
                    <Keyed each=move || wires.keys.get() key=Wire::name let:wire>
                        <WireView surface wires wire/>
                    </Keyed>
                </svg>
                {children()}
                <svg class="wires" aria-hidden="true"><path class="wire loose" node_ref=loose d=""></path></svg>
            </div>
            <div class="marquee moving" node_ref=begin>
                <div class="moving" node_ref=end><div class="moving" node_ref=edge></div></div>
            </div>
            {over}
            <MinimapView surface map map_window/>
            <ZoomBar surface/>
        </div>
    }
}

/// Measures the canvas whenever its size changes, until it is removed.
fn observe_size(surface: Surface, root: &HtmlElement) {
    let resized = Closure::<dyn Fn()>::new(move || surface.measure());
    let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else {
        return;
    };
    observer.observe(root);
    let kept = StoredValue::new_local((observer, resized));
    on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
}

/// The minimap. It is for the pointer only: the keyboard has other commands for the same purpose.
#[component]
fn MinimapView(
    surface: Surface,
    map: NodeRef<html::Canvas>,
    map_window: NodeRef<Div>,
) -> impl IntoView {
    let presets = Presets::expect();
    view! {
        <div class="minimap" data-inner="" aria-hidden="true" hidden=move || !presets.minimap()>
            <canvas
                node_ref=map width="0" height="0"
                on:pointerdown=move |e| surface.look_by_minimap(&e)
                on:pointermove=move |e| surface.look_by_minimap(&e)
            ></canvas>
            <div class="minimap-window" node_ref=map_window></div>
        </div>
    }
}

#[component]
fn WireView(surface: Surface, wires: Mirror<Wire, WireLook>, wire: Wire) -> impl IntoView {
    let Some(look) = wires.model(&wire) else {
        return ().into_any();
    };
    let (shown, reach) = (NodeRef::<svg::Path>::new(), NodeRef::<svg::Path>::new());
    let key = wire.clone();
    Effect::new(move |_| {
        if let (Some(shown), Some(reach)) = (shown.get(), reach.get()) {
            let paths: [SvgElement; 2] = [shown.unchecked_into(), reach.unchecked_into()];
            surface.mount_wire(key.clone(), paths.into());
        }
    });
    on_cleanup(move || surface.unmount_wire(&wire));
    let title = look.clone();
    // The class is set on a group: the paths' own classes belong to the surface.
    view! {
        <g class=move || format!("wire-group {}", look.read().class)>
            <path class="wire-reach" node_ref=reach><title>{move || title.read().title.clone()}</title></path>
            <path class="wire" node_ref=shown></path>
        </g>
    }
    .into_any()
}

#[component]
fn ZoomBar(surface: Surface) -> impl IntoView {
    let presets = Presets::expect();
    let reset = move |_| surface.zoom_by(1.0 / surface.camera().zoom);
    view! {
        <div class="zoom-bar" role="toolbar" aria-label="Zoom">
            <button type="button" title="Zoom out (-)" aria-label="Zoom out" on:click=move |_| surface.zoom_by(0.8)><Icon name=Lucide::Minus size=14/></button>
            <button type="button" class="percent" title="Zoom to 100 % (Ctrl+0)" on:click=reset>
                {move || format!("{} %", surface.percent.get())}
            </button>
            <button type="button" title="Zoom in (+)" aria-label="Zoom in" on:click=move |_| surface.zoom_by(1.25)><Icon name=Lucide::Plus size=14/></button>
            <button type="button" title="Fit all (Home)" aria-label="Fit all" on:click=move |_| surface.fit(&Default::default())>
                <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M1 5V1h4M9 1h4v4M13 9v4H9M5 13H1V9"></path></svg>
            </button>
            <button
                type="button" title="Minimap (Alt+M)" aria-label="Minimap"
                aria-pressed=move || presets.minimap().to_string() on:click=move |_| presets.toggle_minimap()
            >
                <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M1 2h12v10H1zM7 7h6M7 7v5"></path></svg>
            </button>
        </div>
    }
}

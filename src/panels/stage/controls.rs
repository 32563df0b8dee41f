//! The floating controls of the Stage: its layers and its zoom.

use leptos::prelude::*;

use super::arrange::Arrangement;
use super::layers::{Layer, Layers, StageCamera};

use crate::ui::icon::{Icon, Lucide};

/// The factor by which the buttons zoom.
const STEP: f64 = 1.25;

/// The buttons that show and hide layers.
#[component]
pub fn LayerButtons(layers: Layers) -> impl IntoView {
    let button = move |layer: Layer| {
        view! {
            <button
                title=layer.title()
                aria-pressed=move || layers.shows(layer).to_string()
                on:click=move |_| layers.toggle(layer)
            >
                {layer.name()}
            </button>
        }
    };
    view! {
        <div class="stage-float stage-layers" role="group" aria-label="Layers">
            {Layer::ALL.map(button).collect_view()}
        </div>
    }
}

/// The buttons that zoom, and fit the map into the view.
#[component]
pub fn ZoomButtons(arranged: Memo<Arrangement>) -> impl IntoView {
    let camera = StageCamera::expect();
    let percent = move || format!("{:.0} %", camera.get().zoom * 100.0);
    view! {
        <div class="stage-float stage-zoom" role="group" aria-label="Zoom">
            <button aria-label="Zoom out" title="Zoom out" on:click=move |_| camera.zoom(None, 1.0 / STEP)>
                <Icon name=Lucide::Minus size=14/>
            </button>
            <span class="percent">{percent}</span>
            <button aria-label="Zoom in" title="Zoom in" on:click=move |_| camera.zoom(None, STEP)>
                <Icon name=Lucide::Plus size=14/>
            </button>
            <button
                title="Fit the map into the view"
                on:click=move |_| camera.fit(arranged.with_untracked(|arranged| arranged.bounds))
            >
                "Fit"
            </button>
        </div>
    }
}

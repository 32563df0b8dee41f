//! The drawer over the outline: documents, history or a link.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::documents::{Documents, Share};
use super::history::HistoryList;
use crate::session::{Drawer, Session};

/// The open drawer. It takes the focus, and returns it when it closes.
#[component]
pub fn DrawerView() -> impl IntoView {
    let session = Session::expect();
    let element = NodeRef::<html::Div>::new();
    let before = StoredValue::new_local(None::<HtmlElement>);
    Effect::new(move || {
        let focused = || document().active_element()?.dyn_into::<HtmlElement>().ok();
        match element.get() {
            Some(drawer) => {
                before.set_value(focused());
                // An element on the screen takes the focus.
                let _ = drawer.focus();
            }
            None => {
                if let Some(before) = before.try_update_value(Option::take).flatten() {
                    let _ = before.focus();
                }
            }
        }
    });
    let close = move || session.desk.close_drawer();
    let key = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    };
    move || {
        session.desk.drawer.get().map(|drawer| {
            let (title, body) = match drawer {
                Drawer::Documents => ("Documents", view! { <Documents/> }.into_any()),
                Drawer::History => ("History", view! { <HistoryList/> }.into_any()),
                Drawer::Share => ("Share", view! { <Share/> }.into_any()),
            };
            view! {
                <div class="drawer" role="dialog" aria-label=title tabindex="-1" node_ref=element on:keydown=key>
                    <div class="drawer-head">
                        <h2>{title}</h2>
                        <button class="bare" aria-label="Close" title="Close (Esc)" on:click=move |_| close()>"✕"</button>
                    </div>
                    {body}
                </div>
            }
        })
    }
}

//! The drawer over the outline: documents, history or a link.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::documents::{Documents, Share};
use super::history::HistoryList;
use crate::session::{Drawer, Session};
use crate::ui::floating::modeless_dialog;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::live::live;
use crate::ui::typed_key::TypedKey;

/// The open drawer.
#[component]
pub fn DrawerView() -> impl IntoView {
    let session = Session::expect();
    live(move || {
        session
            .desk
            .boxes
            .drawer
            .get()
            .map(|drawer| opened(session, drawer))
    })
}

fn opened(session: Session, drawer: Drawer) -> impl IntoView {
    let (title, body) = match drawer {
        Drawer::Documents => ("Documents", view! { <Documents/> }.into_any()),
        Drawer::History => ("History", view! { <HistoryList/> }.into_any()),
        Drawer::Share => ("Share", view! { <Share/> }.into_any()),
    };
    let close = move || session.desk.close_drawer();
    let key = move |event: KeyboardEvent| {
        if event.typed_key() == "Escape" && !event.default_prevented() {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    };
    view! {
        <dialog class="drawer" aria-label=title node_ref=modeless_dialog() on:keydown=key>
            <div class="drawer-head">
                <h2 tabindex="-1" autofocus=true>{title}</h2>
                <button class="bare" aria-label="Close" title="Close (Esc)" on:click=move |_| close()><Icon name=Lucide::X size=14/></button>
            </div>
            {body}
        </dialog>
    }
}

//! Messages that disappear on their own.

use leptos::prelude::*;

use crate::page::Linked;
use crate::session::{Offer, Session};
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;

/// The messages on the screen.
#[component]
pub fn Toasts() -> impl IntoView {
    let session = Session::expect();
    let messages = session.desk.messages;
    let close = move |id: u64| messages.close(id);
    view! {
        <div class="toasts" role="status" aria-live="polite">
            <Keyed
                each=move || messages.shown.get()
                key=|toast| toast.id
                children=move |toast| {
                    // The offer may be withdrawn.
                    let offer = Memo::new(move |_| {
                        messages.shown.with(|all| all.iter().find(|t| t.id == toast.id)?.offer)
                    });
                    view! {
                        <div class="toast" class:failed=toast.failed>
                            <span><Linked text=toast.text/></span>
                            {move || offer
                                .get()
                                .map(|offer| {
                                    let act = move |_| {
                                        close(toast.id);
                                        match offer {
                                            Offer::Undo => session.undo(),
                                            Offer::BringBack => session.bring_back(),
                                        }
                                    };
                                    let text = match offer {
                                        Offer::Undo => "Undo",
                                        Offer::BringBack => "Reopen previous document",
                                    };
                                    view! { <button on:click=act>{text}</button> }
                                })}
                            <button class="bare" aria-label="Dismiss" on:click=move |_| close(toast.id)>
                                <Icon name=Lucide::X size=14/>
                            </button>
                        </div>
                    }
                }
            />
        </div>
    }
}

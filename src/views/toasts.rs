//! Messages that go away by themselves.

use leptos::prelude::*;

use crate::session::Session;

/// The messages on the screen.
#[component]
pub fn Toasts() -> impl IntoView {
    let session = Session::expect();
    let close = move |id: u64| session.toasts.update(|t| t.retain(|t| t.id != id));
    view! {
        <div class="toasts" role="status" aria-live="polite">
            <For
                each=move || session.toasts.get()
                key=|toast| toast.id
                children=move |toast| {
                    view! {
                        <div class="toast" class:failed=toast.failed>
                            <span>{toast.text}</span>
                            {toast
                                .undo
                                .then(|| {
                                    view! {
                                        <button on:click=move |_| {
                                            session.undo();
                                            close(toast.id);
                                        }>"Undo"</button>
                                    }
                                })}
                            <button class="bare" aria-label="Dismiss" on:click=move |_| close(toast.id)>
                                "✕"
                            </button>
                        </div>
                    }
                }
            />
        </div>
    }
}

//! A button that opens a list of commands.

use leptos::context::Provider;
use leptos::ev::{FocusEvent, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Node;

use super::focus::rove;

#[derive(Clone, Copy)]
struct Open(RwSignal<bool>);

/// A menu; its children are [`MenuItem`]s.
#[component]
pub fn Menu(
    /// The label of the button.
    label: &'static str,
    /// If `true`, the menu is aligned with the button's right edge.
    #[prop(optional)]
    right: bool,
    /// The commands.
    children: ChildrenFn,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let list = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    let children = StoredValue::new(children);
    let focus = move |step: i32| {
        if let Some(list) = list.get_untracked() {
            rove(&list, "[role=menuitem]", |current, count| {
                let next = match current {
                    Some(at) => at as i32 + step,
                    None if step > 0 => 0,
                    None => -1,
                };
                next.rem_euclid(count.max(1) as i32) as usize
            });
        }
    };
    Effect::new(move || {
        if open.get() {
            focus(1);
        }
    });
    let key = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "ArrowDown" if open.get_untracked() => focus(1),
            "ArrowDown" => open.set(true),
            "ArrowUp" => focus(-1),
            "Escape" if open.get_untracked() => {
                open.set(false);
                if let Some(button) = button.get_untracked() {
                    // A button on the screen takes the focus.
                    let _ = button.focus();
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    let focus_out = move |event: FocusEvent| {
        let inside = event
            .related_target()
            .and_then(|t| t.dyn_into::<Node>().ok())
            .is_some_and(|t| {
                event
                    .current_target()
                    .and_then(|c| c.dyn_into::<Node>().ok())
                    .is_some_and(|c| c.contains(Some(&t)))
            });
        if !inside {
            open.set(false);
        }
    };
    view! {
        <div class="menu" on:keydown=key on:focusout=focus_out>
            <button
                node_ref=button
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|o| *o = !*o)
            >
                {label}
                <span class="chevron" aria-hidden="true">"▾"</span>
            </button>
            <Show when=move || open.get()>
                <div class="menu-list" class:right=right role="menu" aria-label=label tabindex="-1" node_ref=list>
                    <Provider value=Open(open)>{children.with_value(|c| c())}</Provider>
                </div>
            </Show>
        </div>
    }
}

/// One command of a menu.
#[component]
pub fn MenuItem<F: Fn() + Send + Sync + 'static>(
    /// Its label.
    label: &'static str,
    /// Returns the keys of the same command.
    #[prop(default = String::new)]
    keys: fn() -> String,
    /// Runs it.
    run: F,
) -> impl IntoView {
    let Open(open) = use_context().expect("the page provides it");
    view! {
        <button
            role="menuitem"
            tabindex="-1"
            on:click=move |_| {
                open.set(false);
                run();
            }
        >
            <span>{label}</span>
            <kbd>{keys}</kbd>
        </button>
    }
}

/// A heading inside a menu.
#[component]
pub fn MenuNote(
    /// Its text.
    text: &'static str,
) -> impl IntoView {
    view! { <span class="menu-note" role="presentation">{text}</span> }
}

//! A button that opens a list of commands.

use super::typed_key::TypedKey;
use leptos::context::Provider;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::focus::rove;
use super::icon::{Icon, Lucide};

/// The popover with a menu's commands.
#[derive(Clone, Copy)]
struct Commands(NodeRef<html::Div>);

impl Commands {
    fn is_open(self) -> bool {
        let list = self.0.get_untracked();
        list.is_some_and(|list| list.matches(":popover-open").unwrap_or(false))
    }

    /// Closes the menu. If a command has the focus, the button gets it.
    fn close(self) {
        if let Some(list) = self.0.get_untracked() {
            // A menu that is already closed stays closed.
            let _ = list.hide_popover();
        }
    }

    /// Moves the focus among the commands.
    fn focus(self, step: i32) {
        if let Some(list) = self.0.get_untracked() {
            rove(&list, "[role=menuitem]", |current, count| {
                let next = match current {
                    Some(at) => at as i32 + step,
                    None if step > 0 => 0,
                    None => -1,
                };
                next.rem_euclid(count.max(1) as i32) as usize
            });
        }
    }
}

/// A menu; its children are [`MenuItem`]s. The browser closes it on Escape, on a press outside, and
/// when something else opens.
#[component]
pub fn Menu(
    /// The label of the button, which no other menu has.
    label: &'static str,
    /// If `true`, the menu is aligned with the button's right edge.
    #[prop(optional)]
    right: bool,
    /// The content of a button that doesn't show the label.
    #[prop(optional)]
    face: Option<AnyView>,
    /// The class of the menu with its button.
    #[prop(optional)]
    class: &'static str,
    /// The commands.
    children: Children,
) -> impl IntoView {
    let commands = Commands(NodeRef::new());
    let button = NodeRef::<html::Button>::new();
    let key = move |event: KeyboardEvent| {
        match (event.typed_key().as_str(), commands.is_open()) {
            ("ArrowDown", true) => commands.focus(1),
            ("ArrowUp", true) => commands.focus(-1),
            ("Escape", true) => commands.close(),
            // From the button, the key moves the focus on.
            ("Tab", true) => return commands.close(),
            // A click, since the menu is placed at the button that opened it.
            ("ArrowDown", false) => button.get_untracked().iter().for_each(|b| b.click()),
            _ => return,
        }
        event.prevent_default();
    };
    let opened = move |_| {
        if commands.is_open() {
            commands.focus(1);
        }
    };
    let id = format!("menu-{label}");
    let named = face.is_some().then_some(label);
    let face = face
        .unwrap_or_else(|| view! { {label} <Icon name=Lucide::ChevronDown size=14/> }.into_any());
    view! {
        <div class=class on:keydown=key>
            <button node_ref=button aria-haspopup="menu" aria-label=named title=named popovertarget=id.clone()>
                {face}
            </button>
            <div class="menu" class:right=right role="menu" aria-label=label id=id popover="auto" node_ref=commands.0 on:toggle=opened>
                <Provider value=commands>{children()}</Provider>
            </div>
        </div>
    }
}

/// One command of a menu.
#[component]
pub fn MenuItem<F: Fn() + Send + Sync + 'static>(
    /// Its label.
    label: &'static str,
    /// Its icon.
    #[prop(optional)]
    icon: Option<Lucide>,
    /// Returns the keys of the same command.
    #[prop(default = String::new)]
    keys: fn() -> String,
    /// Runs it.
    run: F,
) -> impl IntoView {
    let commands: Commands = use_context().expect("the menu provides it");
    let choose = move |_| {
        // The focus doesn't return to the button: the canvas takes it, or what the command opens.
        let focused = document().active_element();
        if let Some(focused) = focused.and_then(|f| f.dyn_into::<HtmlElement>().ok()) {
            let _ = focused.blur();
        }
        commands.close();
        run();
    };
    view! {
        <button role="menuitem" tabindex="-1" on:click=choose>
            <span class="menu-label">{icon.map(|name| view! { <Icon name/> })} {label}</span>
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

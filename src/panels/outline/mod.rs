//! The outline: a tree of all records, and the starting point for the keyboard.

mod item;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom::document::{Kind, Name};

use crate::kinds;
use crate::page::{Page, in_text};
use crate::panels::frame::FoldButton;
use crate::session::{Part, Session};
use crate::ui::focus::rove;
use crate::ui::more::{More, ROWS};
use crate::web::storage;
use item::Item;

/// The left panel.
#[component]
pub fn Outline() -> impl IntoView {
    let session = Session::expect();
    let search = RwSignal::new(String::new());
    // The search text of another document doesn't apply to this one.
    Effect::new(move || {
        session.storage.opened.track();
        search.set(String::new());
    });
    let tree = NodeRef::<html::Div>::new();
    let page = Page::expect();
    let key = move |event: KeyboardEvent| {
        if in_text(&event) {
            return;
        }
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" if !event.alt_key() => -1,
            "Home" => i32::MIN,
            "End" => i32::MAX,
            _ if page.means(&event, "delete") => {
                let records = session.open.selection.get_untracked().records;
                session.delete(records, vec![]);
                event.prevent_default();
                return;
            }
            _ => return,
        };
        event.prevent_default();
        if let Some(tree) = tree.get_untracked() {
            // Focus on an item selects it.
            rove(&tree, ".item", |current, count| {
                let at = current.map_or(-1, |at| at as i32);
                let last = count as i32 - 1;
                at.saturating_add(step).clamp(0, last.max(0)) as usize
            });
        }
    };
    view! {
        <nav class="outline" aria-label="Outline">
            <FoldButton part=Part::Outline/>
            <input
                class="search"
                type="search"
                placeholder="Search…"
                aria-label="Search the outline"
                prop:value=move || search.get()
                on:input=move |event| search.set(event_target_value(&event))
            />
            <div class="tree" tabindex=move || if session.open.selection.with(|s| s.records.is_empty()) { "0" } else { "-1" } role="tree" aria-label="Records" node_ref=tree on:keydown=key>
                {Kind::ALL.into_iter().map(|kind| view! { <Group kind search/> }).collect_view()}
            </div>
        </nav>
    }
}

/// The records of one kind.
#[component]
fn Group(kind: Kind, search: RwSignal<String>) -> impl IntoView {
    let session = Session::expect();
    let info = kinds::of(kind);
    let key = format!("taskloom.fold.{}", kind.label());
    let folded = RwSignal::new(storage::get(&key).is_some());
    Effect::new(move || {
        if folded.get() {
            storage::set(&key, "1");
        } else {
            storage::remove(&key);
        }
    });
    let names = session.open.names(kind);
    let shown = Memo::new(move |_| {
        let wanted = search.get().to_lowercase();
        let mut names = names.get();
        if !wanted.is_empty() {
            names.retain(|n| n.as_str().to_lowercase().contains(&wanted));
        }
        names
    });
    let most = RwSignal::new(ROWS);
    let add = move |_| {
        folded.set(false);
        search.set(String::new());
        session.add(info.base, kinds::fresh(kind));
    };
    view! {
        <div class="group" role="none">
            <div
                class="group-head"
                role="treeitem"
                prop:ariaLevel="1"
                aria-selected="false"
                aria-expanded=move || (!folded.get()).to_string()
            >
                <button
                    class="bare fold"
                    aria-expanded=move || (!folded.get()).to_string()
                    on:click=move |_| folded.update(|f| *f = !*f)
                >
                    <span class="chevron" aria-hidden="true">
                        {move || if folded.get() { "▸" } else { "▾" }}
                    </span>
                    {info.title}
                    <span class="count">{move || names.with(Vec::len)}</span>
                </button>
                <button
                    class="bare add"
                    aria-label=format!("Add {}", with_article(kind))
                    title=format!("Add {}", with_article(kind))
                    on:click=add
                >
                    "+"
                </button>
            </div>
            <Show when=move || !folded.get()>
                <div role="group" aria-label=info.title>
                    <For
                        each=move || shown.with(|names| names.iter().take(most.get()).cloned().collect::<Vec<_>>())
                        key=|name| name.as_str().to_owned()
                        children=move |name: Name| view! { <Item kind name/> }
                    />
                    <More shown=most all=Signal::derive(move || shown.with(Vec::len))/>
                </div>
                <Show when=move || names.with(Vec::is_empty)>
                    <p class="hint">{info.hint}</p>
                </Show>
            </Show>
        </div>
    }
}

fn with_article(kind: Kind) -> String {
    let label = kind.label();
    let article = if label.starts_with(['a', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {label}")
}

//! The outline: a tree of all records, and the starting point for the keyboard.

mod item;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom::document::{Kind, Name};

use crate::page::{Page, in_text};
use crate::session::{Session, fresh};
use crate::ui::focus::rove;
use crate::ui::more::{More, ROWS};
use crate::web::storage;
use item::Item;

/// A group: its heading, its kind, and the hint while it is empty.
struct Group {
    title: &'static str,
    kind: Kind,
    empty: &'static str,
}

const GROUPS: &[Group] = &[
    Group {
        title: "Types",
        kind: Kind::Type,
        empty: "Classes of objects: place, item",
    },
    Group {
        title: "Objects",
        kind: Kind::Object,
        empty: "Things in the world: box, key",
    },
    Group {
        title: "Facts",
        kind: Kind::Fact,
        empty: "What can be true: box_open",
    },
    Group {
        title: "Conditions",
        kind: Kind::Condition,
        empty: "Named formulas",
    },
    Group {
        title: "Actions",
        kind: Kind::Action,
        empty: "What the game can do: WalkTo",
    },
    Group {
        title: "Primitive tasks",
        kind: Kind::PrimitiveTask,
        empty: "Steps of a plan",
    },
    Group {
        title: "Compound tasks",
        kind: Kind::CompoundTask,
        empty: "Tasks drawn as a flowchart",
    },
    Group {
        title: "Goals",
        kind: Kind::Goal,
        empty: "What characters want: fed",
    },
    Group {
        title: "Agents",
        kind: Kind::Agent,
        empty: "Kinds of character: guard",
    },
    Group {
        title: "Scenarios",
        kind: Kind::Scenario,
        empty: "Situations to plan for",
    },
];

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
            <input
                class="search"
                type="search"
                placeholder="Search…"
                aria-label="Search the outline"
                prop:value=move || search.get()
                on:input=move |event| search.set(event_target_value(&event))
            />
            <div class="tree" tabindex=move || if session.open.selection.with(|s| s.records.is_empty()) { "0" } else { "-1" } role="tree" aria-label="Records" node_ref=tree on:keydown=key>
                {GROUPS.iter().map(|group| view! { <GroupView group search/> }).collect_view()}
            </div>
        </nav>
    }
}

/// The records of one kind.
#[component]
fn GroupView(group: &'static Group, search: RwSignal<String>) -> impl IntoView {
    let session = Session::expect();
    let kind = group.kind;
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
        let (base, record) = fresh(kind);
        session.add(base, record);
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
                    {group.title}
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
                <div role="group" aria-label=group.title>
                    <For
                        each=move || shown.with(|names| names.iter().take(most.get()).cloned().collect::<Vec<_>>())
                        key=|name| name.as_str().to_owned()
                        children=move |name: Name| view! { <Item kind name/> }
                    />
                    <More shown=most all=Signal::derive(move || shown.with(Vec::len))/>
                </div>
                <Show when=move || names.with(Vec::is_empty)>
                    <p class="hint">{group.empty}</p>
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

//! The records of one kind in the outline.

use leptos::prelude::*;
use taskloom_document::{Kind, Name};

use super::item::Item;
use super::matching;
use super::mounting::Mounting;
use crate::kinds;
use crate::session::{Selection, Session};
use crate::ui::icon::{FoldIcon, Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::more::{More, ROWS};
use crate::web::storage;

/// A heading with its rows. A kind without records has only the button that adds one.
#[component]
pub fn Group(kind: Kind, search: RwSignal<String>, mounting: Mounting) -> impl IntoView {
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
        let (names, wanted) = (names.get(), search.get());
        match wanted.trim().is_empty() {
            true => names,
            false => matching(&session.document(), kind, &names, &wanted),
        }
    });
    let searching = move || search.with(|wanted| !wanted.trim().is_empty());
    let empty = Memo::new(move |_| names.with(Vec::is_empty));
    let open = Memo::new(move |_| !empty.get() && (searching() || !folded.get()));
    let most = RwSignal::new(ROWS);
    let count = Memo::new(move |_| {
        let most = most.get().min(mounting.most());
        shown.with(Vec::len).min(most)
    });
    // The row of a selected record exists, so that it can be scrolled to.
    Effect::new(move || {
        let record = session.open.selection.with(Selection::only_record);
        let Some(record) = record.filter(|record| record.kind == kind) else {
            return;
        };
        let at = shown.with(|names| names.iter().position(|name| *name == record.name));
        if let Some(at) = at.filter(|at| *at >= most.get_untracked()) {
            most.set(at + 1);
        }
    });
    let add = move |_| {
        folded.set(false);
        search.set(String::new());
        session.add(info.base, kinds::fresh(kind));
    };
    let title = move || match empty.get() {
        true => view! { <span class="fold none" title=info.hint>{info.title}</span> }.into_any(),
        false => view! { <FoldButton title=info.title open folded names/> }.into_any(),
    };
    view! {
        <div class="group" role="none" hidden=move || searching() && shown.with(Vec::is_empty)>
            <div
                class="group-head"
                role="treeitem"
                prop:ariaLevel="1"
                aria-selected="false"
                aria-expanded=move || open.get().to_string()
            >
                {title}
                <button
                    class="bare add"
                    aria-label=format!("Add {}", with_article(kind))
                    title=format!("Add {}: {}", with_article(kind), info.hint)
                    on:click=add
                >
                    <Icon name=Lucide::Plus size=14/>
                </button>
            </div>
            <Show when=move || open.get()>
                <div role="group" aria-label=info.title>
                    <Keyed
                        each=move || shown.with(|names| names.iter().take(count.get()).cloned().collect::<Vec<_>>())
                        key=|name| name.as_str().to_owned()
                        children=move |name: Name| view! { <Item kind name/> }
                    />
                    <More shown=most all=Signal::derive(move || shown.with(Vec::len))/>
                </div>
            </Show>
        </div>
    }
}

/// The heading of a kind with records: it shows and hides them.
#[component]
fn FoldButton(
    title: &'static str,
    open: Memo<bool>,
    folded: RwSignal<bool>,
    names: Memo<Vec<Name>>,
) -> impl IntoView {
    view! {
        <button
            class="bare fold"
            aria-expanded=move || open.get().to_string()
            on:click=move |_| folded.update(|f| *f = !*f)
        >
            <FoldIcon open/>
            {title}
            <span class="count">{move || names.with(Vec::len)}</span>
        </button>
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

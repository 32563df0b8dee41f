//! Lists that are searched by typing: the box at the pointer for adding blocks,
//! the command palette and the help sheet are this one list.

use super::typed_key::TypedKey;
use std::rc::Rc;

use leptos::ev;
use leptos::html::Ul;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::fuzzy::fuzzy;
use super::icon::{Lucide, Tile};
use crate::web::storage;
use taskloom_document::sort::CompactSort;

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// The heading above it, where a group begins.
    pub heading: Option<&'static str>,
    /// The text that is matched and shown.
    pub label: String,
    /// The text beside it.
    pub detail: String,
    /// The icon before it.
    pub icon: Option<Lucide>,
    /// The class that sets the icon's colours.
    pub class: &'static str,
    /// `true` if it comes before others that match equally well.
    pub preferred: bool,
    /// Its keys, each as its caps.
    pub keys: Vec<Vec<String>>,
}

/// The bonus of a preferred row over a closer match.
const PREFERENCE: i32 = 60;
/// The bonus for each recent use of a row, and the maximum number of uses that count.
const USE: i32 = 10;
const USES: usize = 5;

/// Returns the numbers of the rows that match the typed text, best first: by how closely they
/// match, and by how often they were used recently. If nothing is typed, rows used recently come
/// first, and all others in their own order.
pub fn ranked(rows: &[Row], typed: &str, recent: &Recent) -> Vec<usize> {
    let typed = typed.trim();
    let score = |(at, row): (usize, &Row)| {
        let uses = i32::try_from(recent.uses(&row.label).min(USES)).unwrap_or(0);
        if typed.is_empty() {
            return Some((uses, at));
        }
        let name = fuzzy(typed, &row.label);
        // A match in the detail counts less.
        let in_detail = || fuzzy(typed, &row.detail).map(|score| score / 2 - 20);
        // Each word may match in the name or in the detail, but with all of its letters in one.
        let word = |word| fuzzy(word, &row.label).max(fuzzy(word, &row.detail));
        let both = || {
            let score: Option<i32> = typed.split_whitespace().map(word).sum();
            score.map(|score| score / 2 - 30)
        };
        let preference = if row.preferred { PREFERENCE } else { 0 };
        Some((
            name.or_else(in_detail).or_else(both)? + preference + USE * uses,
            at,
        ))
    };
    let mut found: Vec<(i32, usize)> = rows.iter().enumerate().filter_map(score).collect();
    found.compact_sort_by_key(|(score, _)| -score);
    found.into_iter().map(|(_, at)| at).collect()
}

/// The rows used recently in any list, newest first.
#[derive(Debug, Clone, Default)]
pub struct Recent(Vec<String>);

impl Recent {
    const KEY: &str = "taskloom.recent";
    const MOST: usize = 80;

    /// Restores what is stored in the browser.
    pub fn restore() -> Self {
        let kept = storage::get(Self::KEY).unwrap_or_default();
        Self(kept.lines().map(str::to_owned).collect())
    }

    /// Returns how often a row with this label was chosen recently.
    pub fn uses(&self, label: &str) -> usize {
        self.0.iter().filter(|used| *used == label).count()
    }

    /// Records that a row was chosen. The oldest ones are forgotten.
    pub fn note(label: &str) {
        let mut all = Self::restore().0;
        all.insert(0, label.replace('\n', " "));
        all.truncate(Self::MOST);
        storage::set(Self::KEY, &all.join("\n"));
    }
}

/// The type of [`List::rows`].
pub type Rows = dyn Fn(&str) -> Vec<Row>;
/// The type of [`List::key`].
pub type TakesKey = dyn Fn(&ev::KeyboardEvent, usize) -> bool;

/// A list with a search field above it.
#[derive(Clone)]
pub struct List {
    /// The prompt of the field: `Add a block`.
    pub title: String,
    /// Returns the rows for the typed text. Signals that it reads are tracked.
    pub rows: Rc<Rows>,
    /// Receives the number of the chosen row.
    pub pick: Rc<dyn Fn(usize)>,
    /// Gets keys first, with the number of the row under the cursor; returns `true` if it took one.
    pub key: Rc<TakesKey>,
    /// Called when the field is left: by Escape, or else because something else got the focus.
    pub leave: Rc<dyn Fn(bool)>,
}

/// The maximum number of rows shown.
const SHOWN: usize = 160;

/// The field and the list. The field gets the focus when the dialog or popover around it opens.
#[component]
pub fn ListView(list: List) -> impl IntoView {
    let List {
        title,
        rows,
        pick,
        key,
        leave,
    } = list;
    let (rows, pick) = (StoredValue::new_local(rows), StoredValue::new_local(pick));
    let choose = move |at: usize| pick.get_value()(at);
    let typed = RwSignal::new(String::new());
    let chosen = RwSignal::new(0_usize);
    let count = StoredValue::new(0_usize);
    let shown = NodeRef::<Ul>::new();
    let left = leave.clone();
    let on_key = move |event: ev::KeyboardEvent| {
        let at = chosen.get_untracked();
        let all = count.get_value().max(1);
        if !key(&event, at) {
            match event.typed_key().as_str() {
                "ArrowDown" => chosen.set((at + 1) % all),
                "ArrowUp" => chosen.set((at + all - 1) % all),
                "PageDown" => chosen.set((at + 10).min(all - 1)),
                "PageUp" => chosen.set(at.saturating_sub(10)),
                "Enter" => choose(at),
                "Escape" => leave(true),
                _ => return,
            }
        }
        event.prevent_default();
        event.stop_propagation();
    };
    // The option under the cursor stays visible.
    Effect::new(move |_| {
        let index = chosen.get();
        let options = shown
            .get()
            .and_then(|list| list.query_selector_all("[role=option]").ok());
        let option = options.and_then(|all| all.item(u32::try_from(index).unwrap_or_default()));
        if let Some(option) = option {
            keep_in_sight(option.unchecked_ref());
        }
    });
    let hint = title.clone();
    view! {
        <input
            autofocus=true class="finder-input" type="text" placeholder=hint aria-label=title
            autocomplete="off" spellcheck="false" role="combobox" aria-expanded="true"
            aria-controls="finder-list" aria-autocomplete="list"
            aria-activedescendant=move || format!("finder-{}", chosen.get())
            on:input=move |e| { typed.set(event_target_value(&e)); chosen.set(0); }
            on:keydown=on_key on:blur=move |_| left(false)
        />
        <div class="finder-rows" id="finder-list" role="listbox" aria-label="Matches" on:mousedown=|e| e.prevent_default()>
            <ul class="finder-list" role="presentation" node_ref=shown>
                {move || {
                    let mut all = rows.get_value()(&typed.get());
                    all.truncate(SHOWN);
                    count.set_value(all.len());
                    if all.is_empty() {
                        return view! { <li class="finder-none" role="option" aria-selected="false">"No matches"</li> }.into_any();
                    }
                    let choose = UnsyncCallback::new(move |(at,)| choose(at));
                    all.into_iter().enumerate().map(|(at, row)| row_view(at, row, chosen, choose)).collect_view().into_any()
                }}
            </ul>
        </div>
    }
}

/// Scrolls to an option of a list as far as necessary.
pub fn keep_in_sight(option: &Element) {
    let near = ScrollIntoViewOptions::new();
    near.set_block(ScrollLogicalPosition::Nearest);
    option.scroll_into_view_with_scroll_into_view_options(&near);
}

fn row_view(
    at: usize,
    row: Row,
    chosen: RwSignal<usize>,
    choose: UnsyncCallback<(usize,)>,
) -> AnyView {
    let heading = row.heading.map(|heading| {
        view! { <li class="finder-head" role="presentation">{heading}</li> }
    });
    let keys = row.keys.into_iter().map(|caps| {
        let caps = caps.into_iter().map(|cap| view! { <kbd>{cap}</kbd> });
        view! { <span class="caps">{caps.collect_view()}</span> }
    });
    let mark = row.icon.map(|icon| view! { <Tile icon class=row.class/> });
    view! {
        {heading}
        <li
            role="option" id=format!("finder-{at}") class:chosen=move || chosen.get() == at
            aria-selected=move || (chosen.get() == at).to_string()
            on:pointermove=move |_| if chosen.get_untracked() != at { chosen.set(at) }
            on:pointerdown=move |e| { e.prevent_default(); e.stop_propagation(); chosen.set(at); choose.run((at,)) }
        >
            {mark}
            <span class="finder-label">{row.label}</span>
            <span class="finder-detail">{row.detail}</span>
            {keys.collect_view()}
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the labels of three rows that match, by what was typed and used recently.
    fn labels(typed: &str, recent: &[&str]) -> Vec<String> {
        let row = |(label, detail): (&str, &str)| Row {
            label: label.into(),
            detail: detail.into(),
            ..Row::default()
        };
        let rows = [
            ("Branch", "a condition with two sides"),
            ("con-man", "compound task"),
            ("End", "the method is complete"),
        ]
        .map(row);
        let recent = Recent(recent.iter().map(|r| (*r).to_owned()).collect());
        let found = ranked(&rows, typed, &recent);
        found.into_iter().map(|at| rows[at].label.clone()).collect()
    }

    #[test]
    fn name_matches_precede_hint_matches() {
        assert_eq!(labels("con", &[]), ["con-man", "Branch"]);
        assert_eq!(labels("", &[]), ["Branch", "con-man", "End"]);
        assert_eq!(labels("xyz", &[]), Vec::<String>::new());
    }

    #[test]
    fn words_match_in_label_or_hint_but_not_across_both() {
        assert_eq!(labels("man task", &[]), ["con-man"]);
        assert_eq!(labels("mansk", &[]), Vec::<String>::new());
    }

    #[test]
    fn recently_used_rows_rank_first() {
        assert_eq!(
            labels("", &["End", "con-man", "End"]),
            ["End", "con-man", "Branch"]
        );
        assert_eq!(labels("n", &[]), ["End", "con-man", "Branch"]);
        let often = ["Branch"; 9];
        assert_eq!(labels("n", &often)[0], "Branch");
        assert_eq!(
            labels("con", &["Branch"]),
            ["con-man", "Branch"],
            "a close fit wins"
        );
    }
}

//! The outline: a tree of all records, and the starting point for the keyboard.

mod group;
mod item;
mod menu;
mod mounting;
mod range;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use taskloom_document::{Document, Kind, Name, RecordRef};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::diagram::NodeDrag;
use crate::page::{Page, in_text};
use crate::panels::frame::FoldButton;
use crate::session::{Part, Session};
use crate::ui::focus::rove;
use crate::ui::typed_key::TypedKey;
use group::Group;
use mounting::Mounting;
use range::Range;

/// The time, in milliseconds, within which letters continue a name that is typed.
const TYPING: f64 = 800.0;

/// The left panel.
#[component]
pub fn Outline() -> impl IntoView {
    let session = Session::expect();
    let drag = NodeDrag::expect();
    let range = Range::provide();
    let mounting = Mounting::new(session);
    let search = RwSignal::new(String::new());
    // The search text of another document doesn't apply to this one.
    Effect::new(move || {
        session.storage.opened.track();
        search.set(String::new());
    });
    let tree = NodeRef::<html::Div>::new();
    drag.keep_from_scrolling(tree);
    let page = Page::expect();
    let typed = StoredValue::new((String::new(), 0.0));
    let key = move |event: KeyboardEvent| {
        if in_text(&event) {
            return;
        }
        let Some(tree) = tree.get_untracked() else {
            return;
        };
        match event.typed_key().as_str() {
            "ArrowDown" if event.shift_key() => range.extend(1),
            "ArrowUp" if event.shift_key() => range.extend(-1),
            "ArrowDown" => go(&tree, 1),
            "ArrowUp" if !event.alt_key() => go(&tree, -1),
            "Home" => go(&tree, i32::MIN),
            "End" => go(&tree, i32::MAX),
            _ if page.means(&event, "delete") => {
                let records = session.open.selection.get_untracked().records;
                session.delete(records, vec![]);
            }
            key if is_letter(&event, key) => {
                let text = typed.with_value(|(text, at): &(String, f64)| {
                    let goes_on = event.time_stamp() - at < TYPING;
                    let before = if goes_on { text.as_str() } else { "" };
                    format!("{before}{}", key.to_lowercase())
                });
                go_to_typed(&tree, &text);
                typed.set_value((text, event.time_stamp()));
            }
            _ => return,
        }
        event.prevent_default();
    };
    let search_key = move |event: KeyboardEvent| {
        match event.typed_key().as_str() {
            "ArrowDown" => {
                if let Some(tree) = tree.get_untracked() {
                    rove(&tree, ".item", |_, _| 0);
                }
            }
            "Enter" => open_first(session, &search.get_untracked()),
            "Escape" if !search.with_untracked(String::is_empty) => search.set(String::new()),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
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
                on:keydown=search_key
            />
            <div class="tree" tabindex=move || if session.open.selection.with(|s| s.records.is_empty()) { "0" } else { "-1" } role="tree" aria-label="Records" node_ref=tree on:keydown=key>
                {Kind::ALL.into_iter().map(|kind| view! { <Group kind search mounting/> }).collect_view()}
            </div>
        </nav>
    }
}

/// Moves the focus among the rows by a number of rows; a row that gets the focus is selected.
fn go(tree: &Element, step: i32) {
    rove(tree, ".item", |current, count| {
        let at = current.map_or(-1, |at| at as i32);
        let last = count as i32 - 1;
        at.saturating_add(step).clamp(0, last.max(0)) as usize
    });
}

/// Returns `true` for a character that a name may contain.
fn is_letter(event: &KeyboardEvent, key: &str) -> bool {
    let mut letters = key.chars();
    let only = letters.next().filter(|_| letters.next().is_none());
    let is_plain = !event.ctrl_key() && !event.alt_key() && !event.meta_key();
    is_plain && only.is_some_and(|letter| letter.is_alphanumeric() || "_-".contains(letter))
}

/// Focuses the next row whose name begins with a text.
fn go_to_typed(tree: &Element, typed: &str) {
    let Ok(rows) = tree.query_selector_all(".item") else {
        return;
    };
    let label = |at| {
        let row: Element = rows.item(at)?.dyn_into().ok()?;
        row.get_attribute("aria-label")
    };
    let labels: Vec<String> = (0..rows.length()).filter_map(label).collect();
    rove(tree, ".item", |current, _| {
        next_typed(&labels, current, typed)
    });
}

/// Returns the index of the next label that begins with a text, cyclically. A longer text may stay
/// at the current one. Without a match, the index stays.
fn next_typed(labels: &[String], current: Option<usize>, typed: &str) -> usize {
    let start = match (current, typed.chars().count()) {
        (Some(at), 1) => at + 1,
        (Some(at), _) => at,
        (None, _) => 0,
    };
    let count = labels.len();
    let all = (0..count).map(|step| (start + step) % count.max(1));
    let fits = |at: &usize| {
        let label = labels.get(*at).map(|label| label.to_lowercase());
        label.is_some_and(|label| label.starts_with(typed))
    };
    all.into_iter().find(fits).or(current).unwrap_or(0)
}

/// Returns the names of the records of a kind that match a searched text.
fn matching(document: &Document, kind: Kind, names: &[Name], wanted: &str) -> Vec<Name> {
    let wanted = wanted.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let matches = |name: &&Name| {
        let record = RecordRef::new(kind, (*name).clone());
        let title = || {
            document
                .get(&record)
                .is_some_and(|record| has(record.title()))
        };
        wanted.is_empty() || has(name.as_str()) || title()
    };
    names.iter().filter(matches).cloned().collect()
}

/// Selects the first match of the search. A method or a scenario opens.
fn open_first(session: Session, wanted: &str) {
    let document = session.document_untracked();
    let first = Kind::ALL.into_iter().find_map(|kind| {
        let names: Vec<Name> = document.names(kind).into_iter().cloned().collect();
        let mut found = matching(&document, kind, &names, wanted).into_iter();
        found.next().map(|name| RecordRef::new(kind, name))
    });
    let Some(record) = first.filter(|_| !wanted.trim().is_empty()) else {
        return;
    };
    session.select(record.clone());
    if matches!(record.kind, Kind::CompoundTask | Kind::Scenario) {
        item::open(session, record);
        return;
    }
    // By then its row is selected.
    request_animation_frame(|| {
        let row = leptos::prelude::document().query_selector(".outline .item.on");
        if let Ok(Some(row)) = row
            && let Ok(row) = row.dyn_into::<HtmlElement>()
        {
            let _ = row.focus();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_letters_go_to_the_next_name() {
        let labels = ["ball", "box", "Boy", "key"].map(str::to_owned);
        assert_eq!(next_typed(&labels, None, "b"), 0);
        assert_eq!(
            next_typed(&labels, Some(0), "b"),
            1,
            "the same letter again"
        );
        assert_eq!(next_typed(&labels, Some(1), "bo"), 1, "a longer text stays");
        assert_eq!(next_typed(&labels, Some(1), "boy"), 2);
        assert_eq!(
            next_typed(&labels, Some(3), "b"),
            0,
            "from the end to the start"
        );
        assert_eq!(next_typed(&labels, Some(2), "x"), 2);
        assert_eq!(next_typed(&[], None, "x"), 0);
    }

    #[test]
    fn search_finds_names_and_titles() {
        let text = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
        let document = Document::from_json(text).unwrap();
        let names: Vec<Name> = document.scenarios.keys().cloned().collect();
        let found = |wanted| {
            let found = matching(&document, Kind::Scenario, &names, wanted);
            Vec::from_iter(found.iter().map(ToString::to_string)).join(" ")
        };
        assert_eq!(found("slams"), found("The box slams"));
        assert!(!found("slams").is_empty());
        assert_eq!(found("BOX-OPEN"), "case-1-box-open");
        assert_eq!(found("").split(' ').count(), names.len());
    }
}

//! The search box at the pointer: type, choose, Enter.

use std::rc::Rc;

use leptos::ev;
use leptos::html::{Input, Ul};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{EventTarget, HtmlElement};

use super::geometry::Vec2;
use super::text::fuzzy;

/// What can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<T> {
    /// What is matched and shown.
    pub label: String,
    /// Shown beside it.
    pub detail: String,
    /// The class of its mark.
    pub class: &'static str,
    /// Whether it comes before others that fit as well: it is there already.
    pub preferred: bool,
    /// What choosing it means.
    pub value: T,
}

/// What being preferred is worth against a closer fit.
const PREFERENCE: i32 = 60;

/// The entries that fit what was typed, the best first; where it is empty, all
/// in their own order.
pub fn ranked<T: Clone>(entries: &[Entry<T>], typed: &str) -> Vec<Entry<T>> {
    let mut found: Vec<(i32, &Entry<T>)> = entries
        .iter()
        .filter_map(|entry| {
            let name = fuzzy(typed, &entry.label);
            // What stands beside the name counts less.
            let beside = || fuzzy(typed, &entry.detail).map(|score| score / 2 - 20);
            let preference = if entry.preferred { PREFERENCE } else { 0 };
            Some((name.or_else(beside)? + preference, entry))
        })
        .collect();
    if !typed.trim().is_empty() {
        taskloom_core::order::sort_by_key(&mut found, |(score, _)| -score);
    }
    found.into_iter().map(|(_, entry)| entry.clone()).collect()
}

/// What a text that was typed makes possible.
pub type Fresh<T> = dyn Fn(&str) -> Vec<Entry<T>>;

/// What a search box offers.
#[derive(Clone)]
pub struct Search<T> {
    /// What it asks for: `Add a block`.
    pub title: String,
    /// Where it opens, in pixels of the canvas.
    pub at: Vec2,
    /// What it finds by name.
    pub entries: Rc<Vec<Entry<T>>>,
    /// What it offers besides for a text that was typed.
    pub fresh: Rc<Fresh<T>>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 340.0;

/// The box. `close` is told what was chosen, or that nothing was.
#[component]
pub fn SearchBox<T: Clone + 'static>(
    /// What it offers.
    search: Search<T>,
    /// Pixels of the canvas.
    size: Vec2,
    /// Gets the choice.
    close: UnsyncCallback<(Option<T>,)>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let chosen = RwSignal::new(0_usize);
    let input = NodeRef::<Input>::new();
    let list = NodeRef::<Ul>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
        }
    });
    let Search {
        title,
        at,
        entries,
        fresh,
    } = search;
    let found = StoredValue::new_local(vec![]);
    let offer = StoredValue::new_local((entries, fresh));
    let look_up = move || {
        let text = typed.get();
        let head = text.split('(').next().unwrap_or_default();
        let all = offer.with_value(|(entries, fresh)| {
            let (by_name, fresh) = (ranked(entries, head.trim()), fresh(text.trim()));
            // Whoever types arguments wants just that call.
            match text.contains('(') {
                true => [fresh, by_name].concat(),
                false => [by_name, fresh].concat(),
            }
        });
        found.set_value(all.clone());
        all
    };
    let pick = move |index: usize| {
        let value: Option<T> =
            found.with_value(|all: &Vec<Entry<T>>| all.get(index).map(|e| e.value.clone()));
        if value.is_some() {
            close.run((value,));
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        event.stop_propagation();
        let count = found.with_value(Vec::len).max(1);
        match event.key().as_str() {
            "ArrowDown" => chosen.update(|c| *c = (*c + 1) % count),
            "ArrowUp" => chosen.update(|c| *c = (*c + count - 1) % count),
            "Enter" if !event.is_composing() => pick(chosen.get_untracked()),
            "Escape" => close.run((None,)),
            "Tab" => {}
            _ => return,
        }
        event.prevent_default();
    };
    // The option under the cursor stays in sight.
    Effect::new(move |_| {
        let index = chosen.get();
        let option = list.get().and_then(|list| {
            let options = list.children();
            options.item(u32::try_from(index).unwrap_or_default())
        });
        if let (Some(list), Some(option)) = (list.get(), option) {
            let option: HtmlElement = option.unchecked_into();
            let (top, bottom) = (
                option.offset_top(),
                option.offset_top() + option.offset_height(),
            );
            if top < list.scroll_top() {
                list.set_scroll_top(top);
            } else if bottom > list.scroll_top() + list.client_height() {
                list.set_scroll_top(bottom - list.client_height());
            }
        }
    });
    let left = at.x.min(size.x - WIDTH - 8.0).max(8.0);
    let top = at.y.min(size.y - HEIGHT - 8.0).max(8.0);
    let (name, hint) = (title.clone(), title.clone());
    // A press beside the field, or the end of the long one that opened the box,
    // would take the focus from it and so close it.
    let keep_focus = move |event: ev::MouseEvent| {
        let on_input = event.target().is_some_and(|target| {
            let input = input.get_untracked();
            input.is_some_and(|input| target == *input.unchecked_ref::<EventTarget>())
        });
        if !on_input {
            event.prevent_default();
        }
    };
    let leave = move |_| close.run((None,));
    view! {
        <div class="finder" data-inner="" role="dialog" aria-label=name
            style:left=format!("{left}px") style:top=format!("{top}px")
            on:pointerdown=|e| e.stop_propagation() on:mousedown=keep_focus on:wheel=|e| e.stop_propagation()
        >
            <input
                node_ref=input class="finder-input" type="text" placeholder=hint aria-label=title
                autocomplete="off" spellcheck="false" role="combobox" aria-expanded="true"
                aria-controls="finder-list" aria-autocomplete="list"
                aria-activedescendant=move || format!("finder-{}", chosen.get())
                on:input=move |e| { typed.set(event_target_value(&e)); chosen.set(0); }
                on:keydown=on_key on:blur=leave
            />
            <ul class="finder-list" id="finder-list" role="listbox" aria-label="Found" node_ref=list>
                {move || {
                    let all = look_up();
                    if all.is_empty() {
                        return view! { <li class="finder-none" role="option" aria-selected="false">"Nothing of that name"</li> }.into_any();
                    }
                    all.into_iter().enumerate().map(|(index, entry)| {
                        view! {
                            <li
                                role="option" id=format!("finder-{index}") class:chosen=move || chosen.get() == index
                                aria-selected=move || (chosen.get() == index).to_string()
                                on:pointermove=move |_| if chosen.get_untracked() != index { chosen.set(index) }
                                on:pointerdown=move |e| { e.prevent_default(); e.stop_propagation(); pick(index) }
                            >
                                <i class=format!("swatch {}", entry.class)></i>
                                <span class="finder-label">{entry.label}</span>
                                <span class="finder-detail">{entry.detail}</span>
                            </li>
                        }
                    }).collect_view().into_any()
                }}
            </ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str, detail: &str) -> Entry<()> {
        Entry {
            label: label.into(),
            detail: detail.into(),
            class: "",
            preferred: false,
            value: (),
        }
    }

    #[test]
    fn names_come_before_what_stands_beside_them() {
        let entries = [
            entry("Branch", "a condition with two sides"),
            entry("con-man", "compound task"),
            entry("End", "the method is complete"),
        ];
        let labels = |typed: &str| -> Vec<String> {
            let found = ranked(&entries, typed);
            found.into_iter().map(|e| e.label).collect()
        };
        assert_eq!(labels("con"), ["con-man", "Branch"]);
        assert_eq!(labels(""), ["Branch", "con-man", "End"]);
        assert_eq!(labels("xyz"), Vec::<String>::new());
    }
}

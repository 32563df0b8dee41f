//! Lists that are reordered by hand: each row has a grip, by which it is dragged, and which the
//! arrow keys move while it has the focus.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::drag::{Drag, drag};

use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// A row that is being dragged, and its target index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moving {
    from: usize,
    to: usize,
}

/// The order of a list. Its rows are children of one element, each with `data-sorted`, and with
/// [`Sorting::state`] as `data-drag`.
#[derive(Clone, Copy)]
pub struct Sorting {
    moved: Callback<(usize, usize)>,
    drag: RwSignal<Option<Moving>>,
}

impl Sorting {
    /// Creates it; `moved` moves a row from one index to another.
    pub fn new(moved: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self {
            moved: Callback::new(move |(from, to)| moved(from, to)),
            drag: RwSignal::new(None),
        }
    }

    /// Returns the role of a row in a drag: `moves`, or `before` or `after` if the dragged row
    /// would land on that side of it; tracked.
    pub fn state(self, at: usize) -> Option<&'static str> {
        let Moving { from, to } = self.drag.get()?;
        match at {
            _ if at == from => Some("moves"),
            _ if at == to && to < from => Some("before"),
            _ if at == to => Some("after"),
            _ => None,
        }
    }
}

impl Sorting {
    /// Drags a row by its grip.
    fn drag(self, grip: &Element, press: &PointerEvent, from: usize, count: Signal<usize>) {
        let dragged = self.drag;
        dragged.set(Some(Moving { from, to: from }));
        let own = grip.clone();
        drag(grip, press, move |step| match step {
            Drag::Moved(event) => {
                let middles: Vec<f64> = rows(&own).iter().map(middle).collect();
                let last = count.get_untracked().saturating_sub(1);
                let to = place(&middles, from, event.client_y()).min(last);
                let moving = Some(Moving { from, to });
                if dragged.get_untracked() != moving {
                    dragged.set(moving);
                }
            }
            Drag::Released => {
                let moving = dragged.get_untracked();
                dragged.set(None);
                if let Some(Moving { from, to }) = moving.filter(|moving| moving.from != moving.to)
                {
                    self.moved.run((from, to));
                }
            }
            Drag::Cancelled => dragged.set(None),
        });
    }
}

/// Returns the height of the middle of a row.
fn middle(row: &Element) -> f64 {
    let place = row.get_bounding_client_rect();
    place.top() + place.height() / 2.0
}

/// Moves an entry from one index to another. An index out of range changes nothing.
pub fn shift<T>(list: &mut Vec<T>, from: usize, to: usize) {
    if from < list.len() && to < list.len() {
        let entry = list.remove(from);
        list.insert(to, entry);
    }
}

/// Returns the index of a row that is dropped at a height, from the heights of the middles of all
/// rows, top to bottom.
fn place(middles: &[f64], from: usize, y: f64) -> usize {
    let others = middles.iter().enumerate().filter(|(at, _)| *at != from);
    others.filter(|(_, middle)| **middle < y).count()
}

/// Returns the rows of the list that contains a grip.
fn rows(grip: &Element) -> Vec<Element> {
    let list = grip.closest("[data-sorted]").ok().flatten();
    let list = list.and_then(|row| row.parent_element());
    let rows = list.and_then(|list| list.query_selector_all(":scope > [data-sorted]").ok());
    let Some(rows) = rows else {
        return vec![];
    };
    let row = |at| rows.item(at)?.dyn_into::<Element>().ok();
    (0..rows.length()).filter_map(row).collect()
}

/// The handle by which a row is moved.
#[component]
pub fn Grip(
    /// The list's order.
    sorting: Sorting,
    /// The row's index.
    at: usize,
    /// The number of rows that can be moved.
    #[prop(into)]
    count: Signal<usize>,
    /// The kind of row: `goal`.
    #[prop(into)]
    one: String,
) -> impl IntoView {
    let grip = NodeRef::<html::Button>::new();
    let down = move |event: PointerEvent| {
        if let Some(grip) = grip.get_untracked().filter(|_| event.button() == 0) {
            let _ = grip.focus();
            sorting.drag(&grip, &event, at, count);
        }
    };
    let key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
            return;
        }
        let to = match event.typed_key().as_str() {
            "ArrowUp" => at.checked_sub(1),
            "ArrowDown" => Some(at + 1).filter(|to| *to < count.get_untracked()),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        let (Some(to), Some(own)) = (to, grip.get_untracked()) else {
            return;
        };
        // The focus moves with the row: rows are identified by their indices.
        let next = rows(&own).get(to).cloned();
        sorting.moved.run((at, to));
        let next = next.and_then(|row| row.query_selector(".grip").ok().flatten());
        if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
            // An element on the screen takes the focus.
            let _ = next.focus();
        }
    };
    view! {
        <button
            type="button"
            class="bare grip"
            aria-label=move || format!("Move {one} {} of {}", at + 1, count.get())
            title="Drag to reorder, or press ↑ or ↓"
            node_ref=grip
            on:pointerdown=down
            on:keydown=key
        >
            <Icon name=Lucide::GripVertical size=14/>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_rows_move_to_their_target() {
        let middles = [10.0, 30.0, 50.0];
        let dropped = |from, y| place(&middles, from, y);
        assert_eq!(dropped(0, 12.0), 0, "where it was");
        assert_eq!(dropped(0, 31.0), 1);
        assert_eq!(dropped(0, 99.0), 2);
        assert_eq!(dropped(2, 29.0), 1);
        assert_eq!(dropped(2, -5.0), 0);
        assert_eq!(dropped(1, 40.0), 1);
    }

    #[test]
    fn other_rows_keep_their_order() {
        let shifted = |from, to| {
            let mut list = vec!['a', 'b', 'c', 'd'];
            shift(&mut list, from, to);
            String::from_iter(list)
        };
        assert_eq!(shifted(0, 2), "bcad");
        assert_eq!(shifted(3, 0), "dabc");
        assert_eq!(shifted(1, 4), "abcd", "there is no such place");
    }
}

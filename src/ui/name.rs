//! A name where there may be too little room for it. Names are told apart by their ends as often as by their beginnings:
//! what is left out is its parameters first, and then its middle.

use leptos::prelude::*;

/// Letters for which a block or a card has room at least.
pub const ON_BLOCK: usize = 14;
/// Letters for which the outline has room as it is first seen.
pub const IN_OUTLINE: usize = 20;
/// So many letters of its end are shown first, where there is not too little room.
const END: usize = 10;

/// A name with its parameters, where there is room for so many letters at least. It is for whom sees it: as text it is in
/// parts, so that its element needs a label.
pub fn fitted(text: &str, room: usize) -> AnyView {
    let (name, params) = text.split_at(text.find('(').unwrap_or(text.len()));
    let last = END.min(room + 2);
    if name.chars().count() <= room.max(last) {
        return text.to_owned().into_any();
    }
    let cut = name.char_indices().nth_back(last - 1);
    let (begin, end) = name.split_at(cut.map_or(0, |(at, _)| at));
    view! {
        <span class="long-name" data-params=params.to_owned()>
            <span>
                <span>{begin.to_owned()}</span>
                <span>{end.to_owned()}</span>
            </span>
        </span>
    }
    .into_any()
}

//! A name that may not fit its space. Names often differ only at their ends: first its parameters
//! are left out, and then its middle.

use leptos::prelude::*;

/// The number of letters for which the outline has room at its initial width.
pub const IN_OUTLINE: usize = 20;
/// The number of letters at its end that are kept first, unless there is too little room.
const END: usize = 10;

/// Shows a name with its parameters, with room for at least a number of letters. It is visual only:
/// its text is split into parts, so its element needs a label.
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

//! Lists that are edited row by row: a button adds a row, and each row can be removed.

use leptos::prelude::*;
use taskloom_document::{Field, RecordType};

use super::edited::Edited;
use super::heading::Heading;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::keyed::Keyed;
use crate::ui::row_keys::move_in_row;
use crate::ui::sortable::shift;

/// A section with one row per entry of a list, and a button that adds an entry.
#[component]
pub fn EditableList<V: IntoView + 'static>(
    /// The heading.
    title: &'static str,
    /// The section's name, if it differs from the heading.
    #[prop(default = title)]
    name: &'static str,
    /// The kind of entry, with its article: `an event`.
    one: &'static str,
    /// The number of entries.
    count: Memo<usize>,
    /// Adds an entry.
    add: impl Fn() + Send + Sync + 'static,
    /// The reason why nothing can be added yet.
    #[prop(optional, into)]
    first: Signal<Option<&'static str>>,
    /// A hint above the rows.
    #[prop(optional, into)]
    hint: Signal<Option<&'static str>>,
    /// Shown above the rows.
    #[prop(optional)]
    above: Option<AnyView>,
    /// Returns the row of an entry.
    row: impl Fn(usize) -> V + Clone + Send + Sync + 'static,
    /// Shown below the rows.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let label = format!("Add {one}");
    let what = label.clone();
    view! {
        <section class="section" aria-label=name on:keydown=|event| move_in_row(&event)>
            <Heading title>
                <button
                    class="bare add"
                    aria-label=label
                    title=move || first.get().map_or_else(|| what.clone(), str::to_owned)
                    disabled=move || first.get().is_some()
                    on:click=move |_| add()
                ><Icon name=Lucide::Plus size=14/></button>
            </Heading>
            {above}
            {move || hint.get().map(|hint| view! { <p class="hint">{hint}</p> })}
            <Keyed each=move || 0..count.get() key=|at| *at children=row/>
            {children.map(|children| children())}
        </section>
    }
}

/// The tooltip of a button that removes a row: Tab visits only the fields.
pub const REMOVE: &str = "Remove (→ at the end of the row leads here)";

/// The button that removes a row.
#[component]
pub fn RemoveButton(
    /// The name of the removed entry: `event 1`.
    #[prop(into)]
    what: String,
    /// Removes it.
    remove: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button class="bare remove" tabindex="-1" aria-label=format!("Remove {what}") title=REMOVE on:click=move |_| remove()><Icon name=Lucide::X size=14/></button>
    }
}

/// A list within a record. Each change of it is one undo step; typing into a field of an entry is
/// merged.
pub struct EditedList<R: RecordType, T: 'static> {
    owner: Edited<R>,
    one: &'static str,
    list: fn(&R) -> &Vec<T>,
    list_mut: fn(&mut R) -> &mut Vec<T>,
}

impl<R: RecordType, T> Clone for EditedList<R, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: RecordType, T> Copy for EditedList<R, T> {}

impl<R: RecordType, T> EditedList<R, T> {
    /// Creates it for a kind of entry, with its article: `an event`.
    pub fn new(
        owner: Edited<R>,
        one: &'static str,
        list: fn(&R) -> &Vec<T>,
        list_mut: fn(&mut R) -> &mut Vec<T>,
    ) -> Self {
        Self {
            owner,
            one,
            list,
            list_mut,
        }
    }

    /// Returns the number of entries as a signal.
    pub fn count(self) -> Memo<usize> {
        self.owner.memo(move |record| (self.list)(record).len())
    }

    /// Returns a part of an entry as a signal, with the default once the entry is gone.
    pub fn memo<V: Default + PartialEq + Send + Sync + 'static>(
        self,
        at: usize,
        of: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> Memo<V> {
        let part = move |record: &R| (self.list)(record).get(at).map(&of).unwrap_or_default();
        self.owner.memo(part)
    }

    /// Adds an entry at the end, and focuses a field of it.
    pub fn add(self, entry: T, field: impl Fn(usize) -> Field) {
        let at = self.count().get_untracked();
        self.owner
            .change(&format!("Add {} to", self.one), |record| {
                (self.list_mut)(record).push(entry);
            });
        self.owner.focus(field(at));
    }

    /// Removes an entry.
    pub fn remove(self, at: usize) {
        self.owner
            .change(&format!("Remove {} of", self.one), |record| {
                let list = (self.list_mut)(record);
                if at < list.len() {
                    list.remove(at);
                }
            });
    }

    /// Moves an entry from one index to another.
    pub fn shift(self, from: usize, to: usize) {
        self.owner
            .change(&format!("Move {} of", self.one), |record| {
                shift((self.list_mut)(record), from, to);
            });
    }

    /// Changes an entry in one undo step; `what` begins its label: `Change the agent of`.
    pub fn edit(self, at: usize, what: &str, change: impl FnOnce(&mut T)) {
        let label = format!("{what} {} in", self.one);
        self.owner.change(&label, |record| {
            if let Some(entry) = (self.list_mut)(record).get_mut(at) {
                change(entry);
            }
        });
    }

    /// Changes a field of an entry; `field` identifies it for merging.
    pub fn change(self, at: usize, field: &str, change: impl FnOnce(&mut T)) {
        let noun = self.one.split_once(' ').map_or(self.one, |(_, noun)| noun);
        let key = format!("{noun} {at} {field}");
        self.owner
            .typed(&format!("Change {} of", self.one), &key, |record| {
                if let Some(entry) = (self.list_mut)(record).get_mut(at) {
                    change(entry);
                }
            });
    }
}

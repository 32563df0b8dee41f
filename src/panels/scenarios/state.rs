//! The state of the table, and its keys.

use std::collections::{BTreeMap, BTreeSet};

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_document::sort::{map_of, set_of};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::actions;
use super::rows::{Row, Sort, rows, sort};
use crate::panels::results::Results;
use crate::session::Session;
use crate::ui::focus::rove;
use crate::ui::rows::step;
use crate::ui::typed_key::TypedKey;

/// The state of the table, which ends with its view.
#[derive(Clone, Copy)]
pub struct Table {
    /// The session.
    pub session: Session,
    /// The results of the scenarios.
    pub results: Results,
    /// All rows, by scenario.
    pub rows: Memo<BTreeMap<Name, Row>>,
    /// The scenarios that are shown, in order.
    pub order: Memo<Vec<Name>>,
    /// The scenarios whose boxes are checked.
    pub chosen: RwSignal<BTreeSet<Name>>,
    /// `true` if only what the last edit changed is shown.
    pub only_changed: RwSignal<bool>,
    /// The scenario being renamed.
    pub renaming: RwSignal<Option<Name>>,
    /// The scenario whose menu is open.
    pub menu: RwSignal<Option<Name>>,
    /// The failed scenarios whose reasons are hidden.
    pub folded: RwSignal<BTreeSet<Name>>,
    /// The scenarios being compared.
    pub compared: RwSignal<Option<[Name; 2]>>,
    /// The order of the rows.
    pub sort: RwSignal<Sort>,
    stop: RwSignal<Option<Name>>,
}

impl Table {
    /// Creates the state of a table without a choice, in the document's order.
    pub fn new() -> Self {
        let session = Session::expect();
        let results = Results::expect();
        let order_by = RwSignal::new(None);
        let only_changed = RwSignal::new(false);
        let all = Memo::new(move |_| {
            let (document, domain) = (session.document(), session.domain());
            let before = session.open.before_last_step();
            let queue = results.queue.get();
            let all = results
                .checked
                .with(|checked| rows(&document, &domain, before.as_ref(), checked, &queue));
            let all = all.into_iter().map(|row| (row.name.clone(), row));
            map_of(all)
        });
        let order = Memo::new(move |_| {
            let is_shown = |row: &&Row| !only_changed.get() || row.change.is_change();
            let mut shown: Vec<Row> =
                all.with(|rows| rows.values().filter(is_shown).cloned().collect());
            sort(&mut shown, order_by.get());
            shown.into_iter().map(|row| row.name).collect::<Vec<_>>()
        });
        Self {
            session,
            results,
            rows: all,
            order,
            chosen: RwSignal::default(),
            only_changed,
            renaming: RwSignal::new(None),
            menu: RwSignal::new(None),
            folded: RwSignal::default(),
            compared: RwSignal::new(None),
            sort: order_by,
            stop: RwSignal::new(None),
        }
    }

    /// Returns the chosen scenarios that still exist. Tracked.
    pub fn chosen(self) -> BTreeSet<Name> {
        let chosen = self.chosen.get();
        self.rows
            .with(|rows| set_of(chosen.into_iter().filter(|name| rows.contains_key(name))))
    }

    /// Checks or unchecks the box of a scenario.
    pub fn toggle(self, name: &Name) {
        self.chosen.update(|chosen| {
            if !chosen.remove(name) {
                chosen.insert(name.clone());
            }
        });
    }

    /// Returns the chosen scenarios if this is one of them, or else only this one.
    pub fn acted_on(self, name: &Name) -> BTreeSet<Name> {
        let chosen = untrack(|| self.chosen());
        match chosen.contains(name) {
            true => chosen,
            false => [name.clone()].into(),
        }
    }

    /// Duplicates scenarios, and chooses the copies.
    pub fn duplicate(self, names: &BTreeSet<Name>) {
        let copies = actions::duplicate(self.session, names);
        if !copies.is_empty() {
            self.chosen.set(copies);
        }
    }

    /// Opens a scenario on the Stage.
    pub fn open(self, name: Name) {
        self.results.watch(self.session, name, None);
    }

    /// Returns `true` if a row is the table's Tab stop. Tracked.
    pub fn is_stop(self, name: &Name) -> bool {
        let stop = self.stop.get();
        self.order.with(|order| {
            let stop = stop.as_ref().filter(|stop| order.contains(stop));
            stop.or(order.first()) == Some(name)
        })
    }

    /// Records that a row has the focus.
    pub fn reach(self, name: Name) {
        if self
            .stop
            .with_untracked(|stop| stop.as_ref() != Some(&name))
        {
            self.stop.set(Some(name));
        }
    }

    /// Handles a key pressed within the table.
    pub fn key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
            return;
        }
        let focused = document().active_element();
        let is_row = focused.is_some_and(|element| element.has_attribute("data-row"));
        let Some(name) = self.stop.get_untracked().filter(|_| is_row) else {
            return;
        };
        let list = event.current_target();
        let list = list.and_then(|list| list.dyn_into::<HtmlElement>().ok());
        let Some(list) = list else {
            return;
        };
        match event.typed_key().as_str() {
            "Enter" => self.open(name),
            " " => self.toggle(&name),
            "F2" => self.renaming.set(Some(name)),
            "Delete" => actions::delete(self.session, &self.acted_on(&name)),
            key => {
                let Some(step) = step(key) else {
                    return;
                };
                rove(&list, "[data-row]", |current, count| {
                    step(current.unwrap_or(0), count.saturating_sub(1))
                });
            }
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

//! Showing another part of the document, of the plan or of the run.

use std::sync::Arc;

use leptos::prelude::*;
use taskloom_document::diagnostic::Place;
use taskloom_document::{Field, Kind, Name, RecordRef};
use taskloom_planner::plan::Plan;
use taskloom_runtime::{Entry, Run};

use super::{Cursor, Happened, LinkTarget, Part, Selection, Session, View};
use crate::examples::Example;
use crate::worker::Answer;

impl Session {
    /// Opens what a link names.
    pub fn visit(&self, target: LinkTarget) {
        match target {
            LinkTarget::Tab(tab) => self.desk.show_tab(tab),
            LinkTarget::Record(record) => self.visit_record(record),
            LinkTarget::Task(name) if self.domain_untracked().drawn_block(&name).is_some() => {
                self.open.show_view(View::Method(name));
            }
            LinkTarget::Task(name) => {
                let document = self.document_untracked();
                let kind = match document.primitive_tasks.contains_key(&name) {
                    true => Kind::PrimitiveTask,
                    false => Kind::CompoundTask,
                };
                self.visit_record(RecordRef::new(kind, name));
            }
            LinkTarget::Place(place) => self.show(place),
            LinkTarget::Block(task, block) => self.open.show_block(task, block),
            LinkTarget::Scenario(name) => self.choose_scenario(Some(name)),
            LinkTarget::Expectation(scenario, at) => {
                self.choose_scenario(Some(scenario.clone()));
                self.show(Place {
                    record: RecordRef::new(Kind::Scenario, scenario),
                    field: Field::Expectation(at),
                    span: None,
                });
            }
            LinkTarget::Character(number) => self.show_character(number),
            LinkTarget::Tick(tick) => self.show_tick(tick),
        }
    }

    /// Selects a record, unless it was renamed or deleted since the link was written.
    fn visit_record(&self, record: RecordRef) {
        match self.document_untracked().spelled(&record) {
            Some(record) => {
                self.select(record);
                self.desk.folding.open(Part::Inspector);
            }
            None => self.complain(format!(
                "The {} {} no longer exists.",
                record.kind.label(),
                record.name
            )),
        }
    }

    /// Selects only this record, and nothing on the canvas.
    pub fn select(&self, record: RecordRef) {
        self.open.select(Selection::record(record));
    }

    /// Focuses the first text in the form of the selected record, if its form is open and begins
    /// with one.
    pub fn fill_in(&self) {
        let record = self.open.selection.with_untracked(Selection::only_record);
        let Some(record) =
            record.filter(|_| untrack(|| self.desk.folding.is_open(Part::Inspector)))
        else {
            return;
        };
        let field = match record.kind {
            Kind::Condition | Kind::Goal => Field::Formula,
            Kind::PrimitiveTask => Field::Action,
            Kind::Scenario => Field::Task(0),
            _ => return,
        };
        self.desk.focus_field(Place {
            record,
            field,
            span: None,
        });
    }

    /// Plans another scenario. An inspector that shows a scenario follows.
    pub fn choose_scenario(&self, name: Option<Name>) {
        self.desk.playback.pause();
        self.desk.cursor.set(Cursor::default());
        self.desk.show_first_character();
        let shows_one = self.open.selection.with_untracked(|selection| {
            let mut records = selection.records.iter();
            let only = records.next().filter(|_| records.next().is_none());
            only.is_some_and(|record| record.kind == Kind::Scenario)
        });
        if let Some(name) = name.clone().filter(|_| shows_one) {
            self.select(RecordRef::new(Kind::Scenario, name));
        }
        let scenario = self.plan.scenario;
        if scenario.with_untracked(|scenario| *scenario != name) {
            self.plan.drop_interventions();
        }
        scenario.set(name);
    }

    /// Opens the scenario and the view that show an example best.
    pub fn present(&self, example: &Example) {
        self.choose_scenario(Name::new(example.scenario()).ok());
        let view = example.guide.opening.view();
        self.open.show_view(view);
    }

    /// Shows a place of the document: opens its canvas, selects the element that contains it and
    /// focuses its field.
    pub fn show(&self, place: Place) {
        let block = match &place.field {
            Field::Block(id)
            | Field::BlockText(id)
            | Field::BlockWhile(id)
            | Field::BlockAbort(id)
            | Field::BlockQuery(id)
            | Field::BlockOrder(id)
            | Field::BlockScore(id, _)
            | Field::BlockVariable(id) => Some(id.clone()),
            _ => None,
        };
        match block {
            Some(block) => self.open.show_block(place.record.name.clone(), block),
            None => {
                if place.field == Field::Method {
                    self.open.show_view(View::Method(place.record.name.clone()));
                }
                self.select(place.record.clone());
            }
        }
        self.desk.focus_field(place);
    }

    /// Returns the plan at the cursor, with its answer. Tracked.
    pub fn current_plan(&self) -> Option<(Arc<Answer>, Plan)> {
        let answer = self.plan.answer.get()?;
        let plan = answer.plan_at_or_own(self.desk.cursor.get().plan)?.clone();
        Some((answer, plan))
    }

    /// Returns the number of steps of the plan at the cursor. Tracked.
    pub fn step_count(&self) -> usize {
        let cursor = self.desk.cursor.get();
        self.plan.answer.with(|answer| {
            let plan = answer
                .as_ref()
                .and_then(|answer| answer.plan_at(cursor.plan));
            plan.map_or(0, |plan| plan.steps.len())
        })
    }

    /// Returns the tick of the run at the cursor, for an entry the one at which it began. Tracked.
    pub fn tick(&self) -> Option<u32> {
        match self.desk.cursor.get().happened? {
            Happened::Tick(tick) => Some(tick),
            Happened::Line(entry) => self.plan.answer.with(|answer| {
                let run = answer.as_ref()?.run.as_ref()?;
                run.tick_of(entry)
            }),
        }
    }

    /// Shows a character, at the same moment of the run.
    pub fn show_character(&self, character: usize) {
        let tick = untrack(|| self.tick());
        let cursor = self.with_run(|run| Some(Cursor::at_tick(run, tick?, character)));
        self.desk.set_character(self.open, self.plan, character);
        self.desk.cursor.set(cursor.flatten().unwrap_or_default());
    }

    /// Moves the cursor to an entry of the run, and shows its character.
    pub fn show_entry(&self, entry: Entry) {
        let shown = self.desk.character.get_untracked();
        let found = self.with_run(|run| {
            let character = run.character_of(entry).unwrap_or(shown);
            (character, Cursor::at_entry(run, entry, character))
        });
        if let Some((character, cursor)) = found {
            self.desk.set_character(self.open, self.plan, character);
            self.desk.cursor.set(cursor);
        }
    }

    /// Moves the cursor to a tick of the run.
    pub fn show_tick(&self, tick: u32) {
        let character = self.desk.character.get_untracked();
        let cursor = self.with_run(|run| Cursor::at_tick(run, tick, character));
        self.desk.cursor.set(cursor.unwrap_or_default());
    }

    /// Moves the cursor to the initial situation and its plan.
    pub fn show_start(&self) {
        self.desk.cursor.set(Cursor::default());
    }

    /// Moves the cursor to a step of the shown plan, as it was planned.
    pub fn show_step(&self, step: Option<usize>) {
        self.desk.cursor.update(|cursor| {
            cursor.step = step;
            cursor.happened = None;
        });
    }

    /// Moves the cursor by a step or, if it is in the run, by an entry or tick.
    pub fn move_cursor(&self, by: isize) {
        let cursor = self.desk.cursor.get_untracked();
        let character = self.desk.character.get_untracked();
        let answer = self.plan.answer.get_untracked();
        let moved = cursor.moved(answer.as_deref(), character, by);
        self.desk.cursor.set(moved);
    }

    fn with_run<T>(&self, read: impl FnOnce(&Run) -> T) -> Option<T> {
        let answer = self.plan.answer.get_untracked()?;
        answer.run.as_ref().map(read)
    }

    /// Keeps the cursor valid when a newer answer comes.
    pub(super) fn keep_cursor_valid(&self) {
        let (plan, desk) = (self.plan, self.desk);
        Effect::new(move || {
            let Some(answer) = plan.answer.get() else {
                return;
            };
            let cursor = desk.cursor.get_untracked();
            let kept = cursor.kept_in(&answer);
            if kept != cursor {
                desk.cursor.set(kept);
            }
        });
    }
}

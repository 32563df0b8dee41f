//! The right panel: all fields of the selected record or block, edited in place.

mod actors;
mod agent;
mod blocks;
mod choice;
mod commitment;
mod crowds;
mod document;
mod editable_list;
mod edited;
mod event_occurrences;
mod example;
mod expectations;
mod fields;
mod frame;
mod goal;
mod goal_value;
mod header;
mod heading;
mod in_run;
mod initial;
mod many;
mod note;
mod own_texts;
mod params;
mod scenario;
mod task_options;
mod tasks;
mod texts;
mod world;

use leptos::prelude::*;
use taskloom_document::{BlockId, Kind, Name, RecordRef};

use crate::panels::frame::FoldButton;
use crate::session::{Part, Selection, Session, View};
use blocks::BlockInspector;
use document::DocumentInspector;
use frame::FrameInspector;
use header::{Header, Note};
use in_run::{InThisRun, UsedBy};
pub use initial::put_in as put_initial;
use many::{ManyInspector, actions};

/// The subject of the inspector.
#[derive(Clone, PartialEq, Eq)]
enum Subject {
    Document,
    Record(RecordRef),
    Block(Name, BlockId),
    Frame(BlockId),
    /// A number of wire points.
    Bends(usize),
    /// Several items: their number, and the items whose fields are shown.
    Many(usize, Selection),
}

/// The right panel.
#[component]
pub fn Inspector() -> impl IntoView {
    let session = Session::expect();
    let subject = Memo::new(move |_| subject(session));
    view! {
        <aside class="inspector" aria-label="Inspector">
            <FoldButton part=Part::Inspector/>
            {move || match subject.get() {
                Subject::Document => view! { <DocumentInspector/> }.into_any(),
                Subject::Record(record) => view! { <RecordInspector record/> }.into_any(),
                Subject::Block(task, block) => view! { <BlockInspector task block/> }.into_any(),
                Subject::Frame(id) => view! { <FrameInspector id/> }.into_any(),
                Subject::Bends(count) => bends(count),
                Subject::Many(count, _) => view! { <ManyInspector count/> }.into_any(),
            }}
        </aside>
    }
}

fn subject(session: Session) -> Subject {
    let view = session.open.view.get();
    session.open.selection.with(|selection| {
        let count = selection.blocks.len() + selection.records.len() + selection.frames.len();
        if count > 1 {
            return Subject::Many(count, selection.clone());
        }
        if let Some(frame) = selection.frames.first() {
            return Subject::Frame(frame.clone());
        }
        if count == 0 && !selection.bends.is_empty() {
            return Subject::Bends(selection.bends.len());
        }
        let block = selection.blocks.first().cloned();
        let record = selection.records.first().cloned();
        match (view, block, record) {
            (View::Method(task), Some(block), _) => Subject::Block(task, block),
            (_, _, Some(record)) => Subject::Record(record),
            (View::Method(task), None, None) => {
                Subject::Record(RecordRef::new(Kind::CompoundTask, task))
            }
            (_, _, None) => Subject::Document,
        }
    })
}

/// The points that wires pass through.
fn bends(count: usize) -> AnyView {
    let title = match count {
        1 => "Wire point".to_owned(),
        count => format!("{count} wire points"),
    };
    view! {
        <header class="subject"><h2>{title}</h2></header>
        <p class="hint">"The wire passes through it. Drag it or use the arrow keys; without it the wire is routed automatically."</p>
        {actions(&["delete"])}
    }
    .into_any()
}

/// All fields of one record. It stays mounted while the record is edited.
#[component]
fn RecordInspector(record: RecordRef) -> impl IntoView {
    let name = record.name.clone();
    // A scenario's note tells what it shows, so it comes first.
    let is_scenario = record.kind == Kind::Scenario;
    let is_task = matches!(record.kind, Kind::PrimitiveTask | Kind::CompoundTask);
    let task = is_task.then(|| name.clone());
    let body = match record.kind {
        Kind::Type => view! { <world::TypeFields name/> }.into_any(),
        Kind::Object => view! { <world::ObjectFields name/> }.into_any(),
        Kind::Fact => view! { <world::FactFields name/> }.into_any(),
        Kind::Condition => view! { <world::ConditionFields name/> }.into_any(),
        Kind::Action => view! { <tasks::ActionFields name/> }.into_any(),
        Kind::PrimitiveTask => view! { <tasks::PrimitiveFields name/> }.into_any(),
        Kind::CompoundTask => view! { <tasks::CompoundFields name/> }.into_any(),
        Kind::Goal => view! { <goal::GoalFields name/> }.into_any(),
        Kind::Agent => view! { <agent::AgentFields name/> }.into_any(),
        Kind::Scenario => view! { <scenario::ScenarioFields name/> }.into_any(),
    };
    view! {
        <Header record=record.clone()/>
        {is_scenario.then(|| view! { <Note record=record.clone()/> })}
        {body}
        {(!is_scenario).then(|| view! { <Note record=record.clone()/> })}
        {task.map(|task| view! { <InThisRun task/> })}
        <UsedBy record/>
    }
}

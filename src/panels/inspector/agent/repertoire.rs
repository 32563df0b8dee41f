//! The tasks that an agent may use.

use leptos::prelude::*;
use taskloom_document::{Agent, Document, Field, Kind, Name, RecordRef};

use crate::expression::Messages;
use crate::kinds;
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::Adder;
use crate::panels::inspector::heading::Heading;
use crate::session::Session;
use crate::ui::icon::{Icon, Lucide, Tile};
use crate::ui::keyed::Keyed;

/// Returns the kind of the task with this name.
fn kind_of(document: &Document, name: &Name) -> Option<Kind> {
    [Kind::PrimitiveTask, Kind::CompoundTask]
        .into_iter()
        .find(|kind| document.contains(&RecordRef::new(*kind, name.clone())))
}

/// Describes the tasks that are also allowed: all tasks of a kind of which none is listed.
fn also_allowed(document: &Document, listed: &[Name]) -> Option<&'static str> {
    let has = |kind| {
        listed
            .iter()
            .any(|name| kind_of(document, name) == Some(kind))
    };
    match (has(Kind::PrimitiveTask), has(Kind::CompoundTask)) {
        (false, false) => Some("No tasks listed: all tasks are allowed."),
        (true, false) => Some("All compound tasks are also allowed."),
        (false, true) => Some("All primitive tasks are also allowed."),
        (true, true) => None,
    }
}

/// The repertoire: one row per task.
#[component]
pub fn Repertoire(agent: Edited<Agent>) -> impl IntoView {
    let session = Session::expect();
    let uses = agent.memo(|agent| agent.uses.clone());
    let count = Memo::new(move |_| uses.with(Vec::len));
    let (primitive, compound) = (
        session.open.names(Kind::PrimitiveTask),
        session.open.names(Kind::CompoundTask),
    );
    let free = Memo::new(move |_| {
        let mut names = compound.get();
        names.extend(primitive.get());
        uses.with(|uses| names.retain(|name| !uses.contains(name)));
        names
    });
    let add = Callback::new(move |task: Name| {
        agent.change("Add to the repertoire of", |agent| agent.uses.push(task));
    });
    let row = move |at: usize| {
        let name = Memo::new(move |_| uses.with(|uses| uses.get(at).cloned()));
        let text = move || name.get().map(|name| name.to_string()).unwrap_or_default();
        let kind = Memo::new(move |_| kind_of(&session.document(), &name.get()?));
        let class = move || {
            kind.get()
                .map(|kind| format!("row task {}", kinds::of(kind).class))
                .unwrap_or_else(|| "row task".to_owned())
        };
        let open = move |_| {
            let kind = kind.get_untracked();
            if let Some((kind, name)) = kind.zip(name.get_untracked()) {
                session.select(RecordRef::new(kind, name));
            }
        };
        let findings = session.open.findings(move |place| {
            place.record == agent.record() && place.field == Field::Uses(at)
        });
        let remove = move |_| {
            agent.change("Remove from the repertoire of", |agent| {
                if at < agent.uses.len() {
                    agent.uses.remove(at);
                }
            });
        };
        view! {
            <div class=class>
                {move || kind.get().map(|kind| view! { <Tile icon=kinds::of(kind).icon/> })}
                <button class="link fixed" title=move || kind.get().map(|kind| format!("Show this {}", kind.label())) on:click=open>{text}</button>
                <button class="bare remove" aria-label=move || format!("Remove {} from the repertoire", text()) on:click=remove><Icon name=Lucide::X size=14/></button>
            </div>
            <Messages findings/>
        }
    };
    view! {
        <section class="section" aria-label="Repertoire">
            <Heading title="Repertoire"/>
            <p class="hint">{move || uses.with(|uses| also_allowed(&session.document(), uses))}</p>
            <Keyed each=move || 0..count.get() key=|at| *at children=row/>
            <Adder one="task" names=free add/>
        </section>
    }
}

//! One block of a flowchart.

use leptos::prelude::*;
use taskloom_document::{
    Block, BlockId, BlockKind, CompoundTask, Edit, Field, Kind, Name, Param, RecordRef,
};
use taskloom_domain::calls::called_task;

use super::choice::ChoiceFields;
use super::fields::{Labelled, NameSelect, Written, type_names};
use super::heading::HelpLink;
use super::many::actions;
use super::task_options::TaskOptions;
use crate::expression::Messages;
use crate::page::help_pages;
use crate::session::Session;
use crate::ui::entry::{Entry, Refusal};

/// All fields of the selected block.
#[component]
pub fn BlockInspector(task: Name, block: BlockId) -> impl IntoView {
    let session = Session::expect();
    let data = session.open.follow::<CompoundTask>(task.clone());
    let id = block.clone();
    let own = Memo::new(move |_| {
        data.with(|d| {
            d.as_ref()
                .and_then(|d| d.method.blocks.get(&id))
                .map(|b| Block::clone(b))
        })
    });
    // The fields stay mounted while the block keeps its kind.
    let kind = Memo::new(move |_| own.with(|b| b.as_ref().map(kind_of)));
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let (owner, id) = (record, block.clone());
    let findings = session.open.findings(move |place| {
        let is_own = match &place.field {
            Field::Block(block) | Field::BlockVariable(block) => *block == id,
            _ => false,
        };
        is_own && place.record == owner
    });
    let remove = {
        let (task, block) = (task.clone(), block.clone());
        move |_| {
            session.commit(
                "Delete a block",
                Edit::RemoveBlocks(task.clone(), vec![block.clone()]),
            );
        }
    };
    let removable = StoredValue::new(remove);
    let (of, at) = (StoredValue::new(task.clone()), StoredValue::new(block));
    view! {
        <header class="subject">
            <h2>{move || kind.get().map(BlockKind::title)}</h2>
            {move || kind.get().map(|kind| view! { <HelpLink about=kind.title() page=help_pages::of_block(kind)/> })}
            <button
                class="bare"
                aria-label="Delete block"
                title="Delete (Del)"
                on:click=move |event| removable.with_value(|remove| remove(event))
            >
                "Delete"
            </button>
        </header>
        <p class="kind">
            "block of "
            <button class="link" on:click=move |_| session.open.select(Default::default())>
                {task.to_string()}
            </button>
        </p>
        <Messages findings/>
        {move || fields(kind.get(), of.get_value(), at.get_value(), own)}
        {move || match kind.get() {
            Some(BlockKind::Task) => actions(&["duplicate", "mute", "collapse", "extract", "inline"]),
            Some(BlockKind::Begin | BlockKind::End) | None => ().into_any(),
            Some(BlockKind::Branch | BlockKind::Choice(_) | BlockKind::Bind) => {
                actions(&["duplicate", "mute", "collapse", "extract"])
            }
        }}
    }
}

/// The fields of a kind of block.
fn fields(
    kind: Option<BlockKind>,
    task: Name,
    block: BlockId,
    own: Memo<Option<Block>>,
) -> AnyView {
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let hint = |text: &'static str| view! { <p class="hint">{text}</p> }.into_any();
    match kind {
        Some(BlockKind::Task) => view! { <TaskFields record block own/> }.into_any(),
        Some(BlockKind::Branch) => view! {
            <Written record field=Field::BlockText(block) label="Condition" placeholder="condition for “yes”…"/>
            <p class="hint">
                "Takes “yes” if the condition holds, otherwise “no”. A side without a wire can’t be taken: the planner tries another alternative."
            </p>
        }
        .into_any(),
        Some(BlockKind::Choice(_)) => view! { <ChoiceFields task block own/> }.into_any(),
        Some(BlockKind::Bind) => view! { <BindFields task block own/> }.into_any(),
        Some(BlockKind::Begin) => {
            hint("The method starts here. Several wires out of it run unordered.")
        }
        Some(BlockKind::End) => hint("The method is complete here."),
        None => hint("The block is gone."),
    }
}

/// Returns its kind, which is the same for any number of alternatives.
fn kind_of(block: &Block) -> BlockKind {
    match block.kind() {
        BlockKind::Choice(_) => BlockKind::Choice(0),
        kind => kind,
    }
}

#[component]
fn TaskFields(record: RecordRef, block: BlockId, own: Memo<Option<Block>>) -> impl IntoView {
    let session = Session::expect();
    let called = Memo::new(move |_| {
        let document = session.document();
        let name = own.with(|block| block.as_ref().and_then(called_task))?;
        let kinds = [Kind::CompoundTask, Kind::PrimitiveTask];
        kinds
            .into_iter()
            .find_map(|kind| document.spelled(&RecordRef::new(kind, name.clone())))
    });
    view! {
        <Written record=record.clone() field=Field::BlockText(block.clone()) label="Task" placeholder="task to do…"/>
        <TaskOptions task=record.name block own/>
        {move || {
            called
                .get()
                .map(|record| {
                    let compound = record.kind == Kind::CompoundTask;
                    let text = if compound { "Open its method" } else { "Edit the task" };
                    view! {
                        <button
                            class="wide"
                            on:click=move |_| {
                                if compound {
                                    session.open.enter(record.name.clone());
                                } else {
                                    session.select(record.clone());
                                }
                            }
                        >
                            {text}
                        </button>
                    }
                })
        }}
    }
}

#[component]
fn BindFields(task: Name, block: BlockId, own: Memo<Option<Block>>) -> impl IntoView {
    let session = Session::expect();
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let variable = Memo::new(move |_| own.get()?.binds().cloned());
    let reason = RwSignal::new(None::<String>);
    let this = StoredValue::new((task, block.clone()));
    let owner = record.clone();
    let rename = move |typed: String| {
        let old = variable.get_untracked().map(|v| v.name);
        old.map_or(Ok(()), |old| {
            session.rename_variable(owner.clone(), old, &typed)
        })
    };
    let text = Signal::derive(move || {
        variable
            .get()
            .map(|v| format!("?{}", v.name))
            .unwrap_or_default()
    });
    let retype = Callback::new(move |to: Option<Name>| {
        let (task, block) = this.get_value();
        let now = session
            .document_untracked()
            .compound_tasks
            .get(&task)
            .and_then(|t| t.method.blocks.get(&block).cloned());
        let (
            Some(of),
            Some(Block::Bind {
                variable,
                condition,
                order_by,
                query,
            }),
        ) = (to, now.as_deref())
        else {
            return;
        };
        let bind = Block::Bind {
            variable: Param {
                name: variable.name.clone(),
                of,
            },
            condition: condition.clone(),
            order_by: order_by.clone(),
            query: query.clone(),
        };
        session.commit(
            "Change a variable's type",
            Edit::SetBlock(task, block, bind),
        );
    });
    let of = Memo::new(move |_| variable.get().map(|v| v.of));
    view! {
        <div class="row">
            <Labelled label="Variable" short=true>
                <Entry label="Variable" text take=rename reason restores=false attr:class="text code"/>
            </Labelled>
            <Labelled label="Type" short=true>
                <NameSelect label="Type of the variable" names=type_names(session) current=of set=retype/>
            </Labelled>
        </div>
        <Refusal reason/>
        <Written record=record.clone() field=Field::BlockText(block.clone()) label="Condition" placeholder="every object of the type"/>
        <Written record=record.clone() field=Field::BlockQuery(block.clone()) label="Query" placeholder="a question to the game, such as cover-near(?me)…"/>
        <Written record field=Field::BlockOrder(block) label="Try first (lowest value)" placeholder="in the order of their names"/>
    }
}

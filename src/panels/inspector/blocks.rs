//! One block of a flowchart.

use leptos::prelude::*;
use taskloom::document::{
    Alternative, Block, BlockId, BlockKind, ChoicePolicy, CompoundTask, Edit, Field, Kind, Name,
    Param, Port, RecordRef,
};
use taskloom::domain::calls::called_task;

use super::fields::{Labelled, NameSelect, Written, type_names};
use super::many::actions;
use crate::expression::{ExpressionField, Messages};
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
    let (owner, id) = (record.clone(), block.clone());
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
    let (text, of, at) = (
        StoredValue::new(record),
        StoredValue::new(task.clone()),
        StoredValue::new(block),
    );
    view! {
        <header class="subject">
            <h2>{move || kind.get().map(BlockKind::title)}</h2>
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
        {move || match kind.get() {
            Some(BlockKind::Task) => {
                view! { <TaskFields record=text.get_value() block=at.get_value() own/> }.into_any()
            }
            Some(BlockKind::Branch) => {
                view! {
                    <Written record=text.get_value() field=Field::BlockText(at.get_value()) label="Condition" placeholder="condition for “yes”…"/>
                    <p class="hint">
                        "Takes “yes” if the condition holds, otherwise “no”. An output without a wire makes that side inapplicable."
                    </p>
                }
                    .into_any()
            }
            Some(BlockKind::Choice(_)) => {
                view! { <ChoiceFields task=of.get_value() block=at.get_value() own/> }.into_any()
            }
            Some(BlockKind::Bind) => {
                view! { <BindFields task=of.get_value() block=at.get_value() own/> }.into_any()
            }
            Some(BlockKind::Begin) => {
                view! { <p class="hint">"The method starts here. Several wires out of it run unordered."</p> }
                    .into_any()
            }
            Some(BlockKind::End) => view! { <p class="hint">"The method is complete here."</p> }.into_any(),
            None => view! { <p class="hint">"The block is gone."</p> }.into_any(),
        }}
        {move || match kind.get() {
            Some(BlockKind::Task) => actions(&["duplicate", "mute", "collapse", "extract", "inline"]),
            Some(BlockKind::Begin | BlockKind::End) | None => ().into_any(),
            Some(BlockKind::Branch | BlockKind::Choice(_) | BlockKind::Bind) => {
                actions(&["duplicate", "mute", "collapse", "extract"])
            }
        }}
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
        <Written record field=Field::BlockText(block) label="Task" placeholder="task to do…"/>
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

/// The orders that a Choice can have, with their values in the list and their names.
const ORDERS: [(ChoicePolicy, &str, &str); 4] = [
    (ChoicePolicy::First, "first", "in the order drawn"),
    (ChoicePolicy::Highest, "highest", "highest score first"),
    (ChoicePolicy::Cheapest, "cheapest", "lowest cost first"),
    (ChoicePolicy::Random, "random", "random, weighted"),
];

/// A change to the settings of a Choice.
type Change<'c> = &'c dyn Fn(&mut ChoicePolicy, &mut Vec<Alternative>);

#[component]
fn ChoiceFields(task: Name, block: BlockId, own: Memo<Option<Block>>) -> impl IntoView {
    let session = Session::expect();
    let parts = Memo::new(move |_| match own.get() {
        Some(Block::Choice {
            policy,
            alternatives,
            ..
        }) => (policy, alternatives),
        _ => (ChoicePolicy::First, vec![]),
    });
    let count = Memo::new(move |_| parts.with(|p| p.1.len()));
    let policy = Memo::new(move |_| parts.with(|p| p.0));
    let record = RecordRef::new(Kind::CompoundTask, task.clone());
    let field = block.clone();
    let this = StoredValue::new((task, block));
    let edit = move |label: &str, key: Option<usize>, change: Change<'_>| {
        let (task, block) = this.get_value();
        let Some(Block::Choice {
            mut policy,
            mut alternatives,
            mut scores,
        }) = own.get_untracked()
        else {
            return;
        };
        change(&mut policy, &mut alternatives);
        // A removed alternative has no score; one that needs a score gets a field for it.
        let ports = alternatives
            .iter()
            .map(|output| Port::Alternative(output.id));
        let ports: Vec<Port> = ports.collect();
        scores
            .retain(|port, text| ports.contains(port) && (policy.is_scored() || !text.is_empty()));
        if policy.is_scored() {
            for port in ports {
                scores.entry(port).or_default();
            }
        }
        let choice = Block::Choice {
            policy,
            alternatives,
            scores,
        };
        let edit = Edit::SetBlock(task, block.clone(), choice);
        match key {
            Some(at) => session.commit_typing(label, &format!("{block}/{at}"), edit),
            None => session.commit(label, edit),
        };
    };
    let change = move |label: &str, key: Option<usize>, change: &dyn Fn(&mut Vec<Alternative>)| {
        edit(label, key, &|_, alternatives| change(alternatives));
    };
    let set_policy = move |event| {
        let chosen = event_target_value(&event);
        let chosen = ORDERS.iter().find(|order| order.1 == chosen);
        if let Some((policy, ..)) = chosen {
            edit("Order the alternatives", None, &|own, _| *own = *policy);
        }
    };
    let add = move |_| {
        change("Add an alternative", None, &|all| {
            let id = all
                .iter()
                .map(|a| a.id)
                .max()
                .unwrap_or(0)
                .saturating_add(1);
            all.push(Alternative {
                id,
                label: String::new(),
            });
        });
    };
    let is_last = move |at: usize| at + 1 >= count.get();
    let swap = move |a: usize, b: usize| {
        change("Reorder alternatives", None, &|all| {
            if a < all.len() && b < all.len() {
                all.swap(a, b);
            }
        });
    };
    view! {
        <section class="section" aria-label="Alternatives">
            <h3>
                "Alternatives"
                <button class="bare add" aria-label="Add an alternative" title="Add an alternative" on:click=add>"+"</button>
            </h3>
            <Labelled label="Order">
                <select aria-label="Order" on:change=set_policy>
                    {ORDERS
                        .iter()
                        .map(|(order, value, words)| view! {
                            <option value=*value selected=move || policy.get() == *order>{*words}</option>
                        })
                        .collect_view()}
                </select>
            </Labelled>
            <For
                each=move || 0..count.get()
                key=|at| *at
                children=move |at| {
                    let label = Memo::new(move |_| parts.with(|p| p.1.get(at).map(|a| a.label.clone()).unwrap_or_default()));
                    let port = Memo::new(move |_| parts.with(|p| p.1.get(at).map(|a| Port::Alternative(a.id))));
                    let (record, field) = (record.clone(), field.clone());
                    let score = move || {
                        let word = match policy.get() {
                            ChoicePolicy::Highest => "score",
                            ChoicePolicy::Random => "weight",
                            ChoicePolicy::Cheapest => "cost",
                            ChoicePolicy::First => return None,
                        };
                        let place = Field::BlockScore(field.clone(), port.get()?);
                        Some(view! {
                            <div class="row score">
                                <span class="dim">{word}</span>
                                <ExpressionField record=record.clone() field=place
                                    label=format!("{word} of alternative {}", at + 1)
                                    placeholder=if word == "weight" { "1" } else { "none: tried last" }/>
                            </div>
                        })
                    };
                    view! {
                        <div class="row">
                            <span class="dim">{at + 1}</span>
                            <input
                                class="text"
                                aria-label=format!("Alternative {}", at + 1)
                                placeholder="label…"
                                prop:value=move || label.get()
                                on:input=move |event| {
                                    let to = event_target_value(&event);
                                    change("Label an alternative", Some(at), &|all| {
                                        if let Some(one) = all.get_mut(at) {
                                            one.label = to.clone();
                                        }
                                    });
                                }
                                on:blur=move |_| session.open.seal()
                            />
                            <button class="bare" aria-label=format!("Move alternative {} up", at + 1)
                                disabled=at == 0 on:click=move |_| swap(at, at.saturating_sub(1))>"▲"</button>
                            <button class="bare" aria-label=format!("Move alternative {} down", at + 1)
                                disabled=move || is_last(at) on:click=move |_| swap(at, at + 1)>"▼"</button>
                            <button class="bare remove" aria-label=format!("Remove alternative {}", at + 1)
                                on:click=move |_| change("Remove an alternative", None, &|all| {
                                    if at < all.len() {
                                        all.remove(at);
                                    }
                                })>"✕"</button>
                        </div>
                        {score}
                    }
                }
            />
        </section>
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
        <Written record field=Field::BlockOrder(block) label="Order (lowest first)" placeholder="object order"/>
    }
}

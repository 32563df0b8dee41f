//! The alternatives of a Choice: their order, labels and scores.

use leptos::prelude::*;
use taskloom_document::{
    Alternative, Block, BlockId, ChoicePolicy, Edit, Field, Kind, Name, Port, RecordRef,
};

use super::editable_list::{EditableList, RemoveButton};
use super::fields::Labelled;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::live::live;
use crate::ui::select::{Choice, Select};
use crate::ui::sortable::{Grip, Sorting, shift};

/// The orders that a Choice can have.
static ORDERS: [Choice<ChoicePolicy>; 4] = [
    (ChoicePolicy::First, "first", "in the order drawn"),
    (ChoicePolicy::Highest, "highest", "highest score first"),
    (ChoicePolicy::Cheapest, "cheapest", "lowest cost first"),
    (ChoicePolicy::Random, "random", "random, weighted"),
];

/// A Choice that is edited.
#[derive(Clone, Copy)]
struct EditedChoice {
    session: Session,
    /// The method's task, and the block in it.
    this: StoredValue<(Name, BlockId)>,
    own: Memo<Option<Block>>,
    policy: Memo<ChoicePolicy>,
    alternatives: Memo<Vec<Alternative>>,
}

impl EditedChoice {
    fn new(session: Session, task: Name, block: BlockId, own: Memo<Option<Block>>) -> Self {
        let policy = move || match own.get() {
            Some(Block::Choice { policy, .. }) => policy,
            _ => ChoicePolicy::First,
        };
        let alternatives = move || match own.get() {
            Some(Block::Choice { alternatives, .. }) => alternatives,
            _ => vec![],
        };
        Self {
            session,
            this: StoredValue::new((task, block)),
            own,
            policy: Memo::new(move |_| policy()),
            alternatives: Memo::new(move |_| alternatives()),
        }
    }

    /// Changes it; changes with the same key are merged.
    fn edit(
        self,
        label: &str,
        key: Option<usize>,
        change: impl FnOnce(&mut ChoicePolicy, &mut Vec<Alternative>),
    ) {
        let (task, block) = self.this.get_value();
        let Some(Block::Choice {
            mut policy,
            mut alternatives,
            mut scores,
        }) = self.own.get_untracked()
        else {
            return;
        };
        change(&mut policy, &mut alternatives);
        // A removed alternative has no score; one that needs a score gets a field for it.
        let ports = alternatives.iter();
        let ports: Vec<Port> = ports.map(|output| Port::Alternative(output.id)).collect();
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
            Some(at) => self
                .session
                .commit_typing(label, &format!("{block}/{at}"), edit),
            None => self.session.commit(label, edit),
        };
    }

    fn add(self) {
        self.edit("Add an alternative", None, |_, all| {
            let last = all.iter().map(|a| a.id).max().unwrap_or(0);
            all.push(Alternative {
                id: last.saturating_add(1),
                label: String::new(),
            });
        });
    }

    fn remove(self, at: usize) {
        self.edit("Remove an alternative", None, |_, all| {
            if at < all.len() {
                all.remove(at);
            }
        });
    }

    fn label(self, at: usize, to: String) {
        self.edit("Label an alternative", Some(at), |_, all| {
            if let Some(one) = all.get_mut(at) {
                one.label = to;
            }
        });
    }
}

/// The fields of a Choice.
#[component]
pub fn ChoiceFields(task: Name, block: BlockId, own: Memo<Option<Block>>) -> impl IntoView {
    let choice = EditedChoice::new(Session::expect(), task, block, own);
    let count = Memo::new(move |_| choice.alternatives.with(Vec::len));
    let sorting = Sorting::new(move |from, to| {
        choice.edit("Reorder alternatives", None, |_, all| shift(all, from, to));
    });
    let order = Callback::new(move |to| {
        choice.edit("Order the alternatives", None, |own, _| *own = to);
    });
    let above = view! {
        <Labelled label="Order">
            <Select label="Order" choices=&ORDERS chosen=choice.policy set=order/>
        </Labelled>
    };
    let row = move |at| view! { <Row choice at count sorting/> };
    view! {
        <EditableList
            title="Alternatives"
            one="an alternative"
            count
            add=move || choice.add()
            above=above.into_any()
            row
        />
    }
}

#[component]
fn Row(choice: EditedChoice, at: usize, count: Memo<usize>, sorting: Sorting) -> impl IntoView {
    let of = move || choice.alternatives.with(|all| all.get(at).cloned());
    let label = Memo::new(move |_| of().map(|one| one.label).unwrap_or_default());
    let port = Memo::new(move |_| of().map(|one| Port::Alternative(one.id)));
    view! {
        <div class="alternative" data-sorted="" data-drag=move || sorting.state(at)>
            <div class="row">
                <Show when=move || 1 < count.get()><Grip sorting at count one="alternative"/></Show>
                <span class="dim">{at + 1}</span>
                <input
                    class="text"
                    aria-label=format!("Alternative {}", at + 1)
                    placeholder="label…"
                    prop:value=move || label.get()
                    on:input=move |event| choice.label(at, event_target_value(&event))
                    on:blur=move |_| choice.session.open.seal()
                />
                <RemoveButton what=format!("alternative {}", at + 1) remove=move || choice.remove(at)/>
            </div>
            <Score choice at port/>
        </div>
    }
}

/// The score of an alternative, if the order needs one.
#[component]
fn Score(choice: EditedChoice, at: usize, port: Memo<Option<Port>>) -> impl IntoView {
    let (task, block) = choice.this.get_value();
    let record = RecordRef::new(Kind::CompoundTask, task);
    live(move || {
        let word = match choice.policy.get() {
            ChoicePolicy::Highest => "score",
            ChoicePolicy::Random => "weight",
            ChoicePolicy::Cheapest => "cost",
            ChoicePolicy::First => return None,
        };
        let field = Field::BlockScore(block.clone(), port.get()?);
        Some(view! {
            <div class="row score">
                <span class="dim">{word}</span>
                <ExpressionField record=record.clone() field
                    label=format!("{word} of alternative {}", at + 1)
                    placeholder=if word == "weight" { "1" } else { "none: tried last" }/>
            </div>
        })
    })
}

//! The options of a Task block.

use leptos::prelude::*;
use taskloom_document::{Block, BlockId, Edit, Field, Kind, Name, RecordRef};

use super::fields::{NumberField, Written};
use super::heading::Heading;
use crate::session::Session;

/// Returns one of the options of a Task block, to change it.
type OptionOf = fn(&mut Block) -> Option<&mut Option<u32>>;

const BACKGROUND: &str = "In the background";

/// The options of a Task block: sentences with a number each, a switch, and the task that cleans up.
#[component]
pub fn TaskOptions(
    /// The task of the method.
    task: Name,
    /// The block.
    block: BlockId,
    /// Its content.
    own: Memo<Option<Block>>,
) -> impl IntoView {
    let session = Session::expect();
    let method = RecordRef::new(Kind::CompoundTask, task.clone());
    let repeat_while = Field::BlockWhile(block.clone());
    let on_abort = Field::BlockAbort(block.clone());
    let this = StoredValue::new((task, block));
    let value = move |of: OptionOf| {
        Signal::derive(move || {
            let mut block = own.get()?;
            of(&mut block).and_then(|option| option.map(f64::from))
        })
    };
    let set = move |name: &'static str, of: OptionOf| {
        Callback::new(move |to: Option<f64>| {
            let Some(mut changed) = own.get_untracked() else {
                return;
            };
            if let Some(option) = of(&mut changed) {
                *option = to.map(|to| to as u32);
            }
            let (task, block) = this.get_value();
            let key = format!("{block}/{name}");
            let label = format!("Change the {name} of a block");
            session.commit_typing(&label, &key, Edit::SetBlock(task, block, changed));
        })
    };
    let repeat: OptionOf = |block| match block {
        Block::Task { repeat, .. } => Some(repeat),
        _ => None,
    };
    let timeout: OptionOf = |block| match block {
        Block::Task { timeout, .. } => Some(timeout),
        _ => None,
    };
    let retry: OptionOf = |block| match block {
        Block::Task { retry, .. } => Some(retry),
        _ => None,
    };
    let is_background =
        Signal::derive(move || own.get().is_some_and(|block| block.is_background()));
    let set_background = move |event| {
        let Some(block) = own.get_untracked() else {
            return;
        };
        let changed = block.with_background(event_target_checked(&event));
        let (task, id) = this.get_value();
        let label = "Change whether a block is in the background";
        session.commit(label, Edit::SetBlock(task, id, changed));
    };
    let row = move |before, label, placeholder, after, (name, of): (&'static str, OptionOf)| {
        view! {
            <div class="row words">
                {before}
                <NumberField label placeholder optional=true natural=true value=value(of) set=set(name, of)/>
                {after}
            </div>
        }
    };
    view! {
        <section class="section" aria-label="Options">
            <Heading title="Options"/>
            {row("Repeat", "Number of times", "once", "times", ("repetition", repeat))}
            <Written record=method.clone() field=repeat_while label="While" placeholder="always; or a condition, evaluated each time…"/>
            {row("Fails after", "Timeout in ticks", "never", "ticks", ("timeout", timeout))}
            {row("Gives up after", "Number of retries", "never", "retries", ("retries", retry))}
            <div class="switch-row">
                <label
                    class="switch"
                    title="What follows doesn't wait for it, and it is stopped when the rest of the method is complete"
                >
                    <input
                        type="checkbox"
                        role="switch"
                        aria-label=BACKGROUND
                        prop:checked=move || is_background.get()
                        on:change=set_background
                    />
                    <span>{BACKGROUND}</span>
                </label>
            </div>
            <Written record=method field=on_abort label="If aborted" placeholder="task that cleans up…"/>
        </section>
    }
}

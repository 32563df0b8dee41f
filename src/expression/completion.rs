//! The completions, in a list under the field.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use taskloom_document::diagnostic::Span;
use taskloom_document::{BlockText, Expectation, Field, Record, RecordRef};
use taskloom_domain::lang::{Candidate, CandidateKind, Scope, TextRole, complete};
use web_sys::HtmlTextAreaElement;

use crate::session::Session;
use crate::ui::floating::popover;
use crate::ui::list::keep_in_sight;
use crate::web::typing;

/// An open list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completing {
    candidates: Vec<Candidate>,
    /// The index of the chosen entry.
    pub chosen: usize,
}

impl Completing {
    /// Chooses the next entry, or the previous one.
    pub fn step(open: &mut Option<Self>, step: isize) {
        if let Some(open) = open {
            let count = open.candidates.len() as isize;
            open.chosen = (open.chosen as isize + step).rem_euclid(count.max(1)) as usize;
        }
    }

    /// Inserts an entry into the field as typing does, so that the field's undo reverts it, and
    /// selects the argument with which typing continues. Returns `true` if an argument of the
    /// entry is selected, `false` if the caret is behind the entry.
    pub fn accept(&self, area: &HtmlTextAreaElement, chosen: usize) -> Option<bool> {
        let candidate = self.candidates.get(chosen)?;
        let text = area.value();
        let replace = candidate.replace.range();
        let head = text.get(..replace.start)?;
        let (start, end) = (to_utf16(&text, replace.start), to_utf16(&text, replace.end));
        area.focus().ok()?;
        area.set_selection_range(start, end).ok()?;
        typing::insert(&candidate.insert);
        let selected = candidate.selected.range();
        let is_argument = selected.end < candidate.insert.len();
        select(area, head.len() + selected.start..head.len() + selected.end);
        Some(is_argument)
    }
}

/// Returns the completions at the field's caret; `None` while nothing is being typed, unless the
/// designer asked for them.
pub fn at_caret(
    session: Session,
    record: &RecordRef,
    field: &Field,
    area: &HtmlTextAreaElement,
    asked: bool,
) -> Option<Completing> {
    let written = area.value();
    let Range { start: caret, end } = selection(area)?;
    // A selected argument is replaced, so what it could be doesn't depend on it.
    let text = [written.get(..caret)?, written.get(end..)?].concat();
    let (document, domain) = (session.document_untracked(), session.domain_untracked());
    let data = document.get(record)?;
    let expanded = match &data {
        Record::Scenario(_) => Some(domain.scene(&record.name)?.record.clone()),
        _ => None,
    };
    let scope = Scope {
        document: &document,
        scenario: expanded.as_deref(),
        variables: document.scope(record, field),
        me: domain.me_at(record, field),
        near: None,
    };
    let mut candidates = complete(&text, caret, role(&data, field)?, &scope);
    let first = candidates.first()?;
    let typed = text.get(first.replace.start as usize..caret)?;
    let finished = candidates
        .iter()
        .any(|c| c.label.eq_ignore_ascii_case(typed));
    let wanted = asked || (!typed.is_empty() && !finished);
    let mut chosen = 0;
    if caret < end {
        let selected = written.get(caret..end)?;
        chosen = candidates
            .iter()
            .position(|c| c.label == selected)
            .unwrap_or(0);
        for candidate in &mut candidates {
            candidate.replace = Span::new(candidate.replace.start as usize, end);
        }
    }
    wanted.then_some(Completing { candidates, chosen })
}

/// Returns the selected part of a field's text, in bytes.
pub fn selection(area: &HtmlTextAreaElement) -> Option<Range<usize>> {
    let text = area.value();
    let start = from_utf16(&text, area.selection_start().ok().flatten()?);
    let end = from_utf16(&text, area.selection_end().ok().flatten()?);
    Some(start..end)
}

/// Selects a part of a field's text, in bytes; offsets are clamped to its length.
pub fn select(area: &HtmlTextAreaElement, part: Range<usize>) {
    let text = area.value();
    let (start, end) = (to_utf16(&text, part.start), to_utf16(&text, part.end));
    // A field on the screen takes any selection.
    let _ = area.set_selection_range(start, end);
}

/// Returns the role of a field's text, whether or not the text exists yet.
fn role(data: &Record, field: &Field) -> Option<TextRole> {
    Some(match field {
        Field::Formula
        | Field::Precondition(_)
        | Field::Integrity(_)
        | Field::Completion(_)
        | Field::Goal
        | Field::Subgoal(_)
        | Field::EventWhen(_)
        | Field::BlockWhile(_)
        | Field::Sense(_) => TextRole::Formula,
        Field::Cost
        | Field::Duration
        | Field::Relevance
        | Field::Bias
        | Field::BlockOrder(_)
        | Field::BlockScore(..) => TextRole::Number,
        Field::Claim(_) => TextRole::Object,
        Field::BlockQuery(_) => TextRole::Query,
        Field::Effect(_) | Field::Event(_) => TextRole::Effect,
        Field::Task(_)
        | Field::CastTask(..)
        | Field::CrowdTask(..)
        | Field::Failure(_)
        | Field::BlockAbort(_)
        | Field::ExpectedStep(..) => TextRole::TaskCall,
        Field::Action => TextRole::ActionCall,
        Field::Initial(_)
        | Field::Belief(..)
        | Field::CrowdInitial(..)
        | Field::CrowdBelief(..) => TextRole::Initial,
        Field::BlockText(id) => match data {
            Record::CompoundTask(task) => {
                let mut texts = task.method.blocks.get(id)?.texts();
                return texts
                    .find_map(|(which, role, _)| (which == BlockText::Main).then_some(role));
            }
            _ => return None,
        },
        Field::Expectation(at) => match data {
            Record::Scenario(scenario) => match scenario.expect.get(*at)? {
                Expectation::Contains(_) => TextRole::TaskCall,
                _ => TextRole::Formula,
            },
            _ => return None,
        },
        _ => return None,
    })
}

/// Converts a byte offset to the offset in UTF-16 units that the browser uses.
fn to_utf16(text: &str, bytes: usize) -> u32 {
    let head = text.get(..bytes.min(text.len())).unwrap_or(text);
    head.encode_utf16().count() as u32
}

fn from_utf16(text: &str, units: u32) -> usize {
    let mut counted = 0;
    for (at, character) in text.char_indices() {
        if counted >= units {
            return at;
        }
        counted += character.len_utf16() as u32;
    }
    text.len()
}

/// The list, at its field, while it is open.
#[component]
pub fn Popup(completing: RwSignal<Option<Completing>>, accept: Callback<usize>) -> impl IntoView {
    view! {
        <Show when=move || completing.with(Option::is_some)>
            <Candidates completing accept/>
        </Show>
    }
}

#[component]
fn Candidates(completing: RwSignal<Option<Completing>>, accept: Callback<usize>) -> impl IntoView {
    let entries = move || {
        let open = completing.get();
        let chosen = open.as_ref().map_or(0, |c| c.chosen);
        let candidates = open.into_iter().flat_map(|c| c.candidates).enumerate();
        candidates
            .map(|(at, candidate)| view! { <Entry candidate at chosen=at == chosen accept/> })
            .collect_view()
    };
    view! {
        <div class="completion" role="listbox" aria-label="Completions" popover="manual" node_ref=popover()>
            {entries}
        </div>
    }
}

#[component]
fn Entry(candidate: Candidate, at: usize, chosen: bool, accept: Callback<usize>) -> impl IntoView {
    let row = NodeRef::<html::Div>::new();
    if chosen {
        Effect::new(move || {
            if let Some(row) = row.get() {
                keep_in_sight(&row);
            }
        });
    }
    view! {
        <div
            class="entry"
            role="option"
            aria-selected=chosen.to_string()
            node_ref=row
            on:pointerdown=move |event| {
                event.prevent_default();
                accept.run(at);
            }
        >
            <i class=format!("dot {}", colour(candidate.kind)) aria-hidden="true"></i>
            <span class="grow">{candidate.label}</span>
            <small>{candidate.detail}</small>
        </div>
    }
}

fn colour(kind: CandidateKind) -> &'static str {
    match kind {
        CandidateKind::Fact => "kind-fact",
        CandidateKind::Condition => "kind-condition",
        CandidateKind::Object => "kind-object",
        CandidateKind::Task => "kind-primitive-task",
        CandidateKind::Action => "kind-action",
        CandidateKind::Type => "kind-type",
        CandidateKind::Variable | CandidateKind::Keyword => "",
    }
}

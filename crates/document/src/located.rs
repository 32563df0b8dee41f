//! The locations of a document's parts in the text of its file, however the text is formatted.

use super::file::table_of_kind;
use super::json::{Places, Spot};
use super::record::{Field, Kind, RecordRef};
use crate::span::Span;

/// The locations of the parts of a document's file.
#[derive(Debug)]
pub struct FilePlaces<'a>(Places<'a>);

impl<'a> FilePlaces<'a> {
    /// Indexes a file's text, without a byte order mark, in time linear in its length.
    pub fn of(text: &'a str) -> Self {
        Self(Places::of(text))
    }

    /// Returns the span of a field of a record, or of a part of that field if the field is a text.
    ///
    /// For fields that the file omits, returns the span of the record's name; none if the file does
    /// not have the record.
    pub fn span(&self, record: &RecordRef, field: &Field, part: Option<Span>) -> Option<Span> {
        let table = self.0.root().member(&table_of_kind(record.kind))?;
        let of = table.member(record.name.as_str())?;
        let spot = spot(&of, record.kind, field, part.is_some()).unwrap_or(of);
        let found = match (spot.text(), part) {
            (Some(_), Some(part)) => spot.part(part.range()),
            (Some(text), None) => text,
            (None, _) => spot.mark(),
        };
        Some(Span::new(found.start, found.end))
    }
}

/// Returns the value of a field of a record; `is_text` selects a text within it.
fn spot<'a>(of: &Spot<'a>, kind: Kind, field: &Field, is_text: bool) -> Option<Spot<'a>> {
    let item = |list: &str, n: &usize| of.member(list)?.item(*n);
    let first = |spot: Spot<'a>, keys: &[&str]| keys.iter().find_map(|key| spot.member(key));
    let planning = |keys: &[&str]| first(of.member("planning")?, keys);
    let block = |id: &dyn ToString| {
        let method = of.member("method")?;
        method.member("blocks")?.member(&id.to_string())
    };
    match field {
        Field::Whole => None,
        Field::Type => first(*of, &["type", "parent", "value"]),
        Field::Param(n) => item("params", n),
        Field::Formula => first(*of, &["formula", "condition"]),
        Field::Action => of.member("action"),
        Field::Precondition(n) => item("preconditions", n),
        Field::Integrity(n) => item("integrity", n),
        Field::Completion(n) => item("completion", n),
        Field::Claim(n) => item("claims", n),
        Field::Effect(n) => item("effects", n)?.member("text"),
        Field::Cost => of.member("cost"),
        Field::Duration => of.member("duration"),
        Field::Relevance => of.member("relevance"),
        Field::Bias => of.member("bias"),
        Field::Subgoal(n) => item("subgoals", n),
        Field::Method => of.member("method"),
        Field::Block(id) => block(id),
        Field::BlockText(id) => first(block(id)?, &["call", "condition"]),
        Field::BlockWhile(id) => block(id)?.member("repeat_while"),
        Field::BlockAbort(id) => block(id)?.member("on_abort"),
        Field::BlockQuery(id) => block(id)?.member("query"),
        Field::BlockOrder(id) => block(id)?.member("order_by"),
        Field::BlockScore(id, port) => block(id)?.member("scores")?.member(&port.to_string()),
        Field::BlockVariable(id) => block(id)?.member("variable"),
        Field::Task(n) if kind == Kind::Agent => planning(&["decomposition", "reactive"])?
            .member("tasks")?
            .item(*n),
        Field::Task(n) => item("tasks", n),
        Field::Uses(n) => item("uses", n),
        Field::Initial(n) => item("initial", n),
        Field::Goal => of.member("goal"),
        Field::Event(n) => item("events", n)?.member("effect"),
        Field::EventWhen(n) => item("events", n)?.member("when"),
        Field::Failure(n) => item("failures", n)?.member("task"),
        Field::Expectation(n) => {
            let expectation = item("expect", n)?;
            Some(first(expectation, &["contains", "finally"]).unwrap_or(expectation))
        }
        Field::ExpectedStep(n, step) => item("expect", n)?.member("plan")?.item(*step),
        Field::Object(name) => of.member("objects")?.member(name.as_str()),
        Field::Cast(n) => item("cast", n)?.member("agent"),
        Field::CastObject(n) => item("cast", n)?.member("object"),
        Field::CastTask(n, task) => item("cast", n)?.member("tasks")?.item(*task),
        Field::Belief(n, belief) => item("cast", n)?.member("beliefs")?.item(*belief),
        Field::Crowd(n) => item("crowds", n)?.member("agent"),
        Field::CrowdInitial(n, value) => item("crowds", n)?.member("initial")?.item(*value),
        Field::CrowdTask(n, task) => item("crowds", n)?.member("tasks")?.item(*task),
        Field::CrowdBelief(n, belief) => item("crowds", n)?.member("beliefs")?.item(*belief),
        Field::Sense(n) => item("senses", n)?.member(if is_text { "when" } else { "fact" }),
        Field::AgentGoal(n) => planning(&["goals"])?.member("goals")?.item(*n),
    }
}

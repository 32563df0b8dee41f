//! Links as edits of the texts that they are read from.

use taskloom_document::syntax::ast::{ExprKind, Reference};
use taskloom_document::syntax::{parse_expr, print_reference};
use taskloom_document::{
    Block, BlockId, Document, Edit, Field, Kind, Name, Param, Point, Record, RecordRef, ValueKind,
};

use super::{Link, Role, agents, names_in};
use crate::calls::{called, called_task};

/// Returns the edit that makes `link.to` need `link.from`: another conjunct, an action to call, or
/// another block. `fresh` is the id and position of that block.
pub fn connected(document: &Document, link: &Link, fresh: (BlockId, Point)) -> Option<Edit> {
    let Link { from, to, role } = link;
    if let Record::Agent(agent) = document.get(to)? {
        return agents::connected(document, &agent, link);
    }
    if *role == Role::Claim {
        return None;
    }
    let text = mention(document, from, to)?;
    let record = document.get(to)?;
    if let Some((texts, field)) = list(*role, &record) {
        return Some(Edit::SetText(to.clone(), field(texts.len()), text));
    }
    match (role, record) {
        (Role::Formula, record) => {
            let formula = and(record.view().text(&Field::Formula)?, text);
            Some(Edit::SetText(to.clone(), Field::Formula, formula))
        }
        (Role::Action, Record::PrimitiveTask(_)) => {
            Some(Edit::SetText(to.clone(), Field::Action, text))
        }
        (Role::Task, Record::Goal(goal)) => {
            let field = Field::Task(goal.tasks.len());
            Some(Edit::SetText(to.clone(), field, text))
        }
        (Role::Subtask, Record::CompoundTask(_)) => Some(Edit::AddBlock {
            task: to.name.clone(),
            id: fresh.0,
            block: Block::task(text),
            at: fresh.1,
        }),
        _ => None,
    }
}

/// Formulas, and the field of each by its index.
type List<'a> = (&'a [String], fn(usize) -> Field);

/// Returns the list of formulas for a role of a task.
fn list(role: Role, record: &Record) -> Option<List<'_>> {
    Some(match (role, record) {
        (Role::Precondition, Record::PrimitiveTask(task)) => {
            (&task.preconditions, Field::Precondition)
        }
        (Role::Integrity, Record::PrimitiveTask(task)) => (&task.integrity, Field::Integrity),
        (Role::Completion, Record::PrimitiveTask(task)) => (&task.completion, Field::Completion),
        (Role::Claim, Record::PrimitiveTask(task)) => (&task.claims, Field::Claim),
        (Role::Precondition, Record::CompoundTask(task)) => {
            (&task.preconditions, Field::Precondition)
        }
        (Role::Integrity, Record::CompoundTask(task)) => (&task.integrity, Field::Integrity),
        _ => return None,
    })
}

/// Adds a conjunct to a formula.
fn and(formula: &str, conjunct: String) -> String {
    let before = formula.trim();
    if before.is_empty() {
        conjunct
    } else if matches_or(before) {
        format!("({before}) and {conjunct}")
    } else {
        format!("{before} and {conjunct}")
    }
}

/// Returns `true` if the formula's outermost operator binds weaker than `and`.
fn matches_or(formula: &str) -> bool {
    matches!(
        parse_expr(formula).value.kind,
        ExprKind::Or(_) | ExprKind::Imply(..) | ExprKind::Quantified(..)
    )
}

/// Returns the text with which `to` mentions `from`, with `to`'s own parameters as arguments if
/// their types fit, and `?me` for an agent.
pub(super) fn mention(document: &Document, from: &RecordRef, to: &RecordRef) -> Option<String> {
    let me = document.agents.get(&to.name);
    let me = me.filter(|_| to.kind == Kind::Agent).map(|agent| Param {
        name: Name::me(),
        of: agent.of.clone(),
    });
    let scope = match to.kind {
        Kind::Agent => me.as_slice(),
        _ => document.view(to)?.params(),
    };
    let wanted = document.view(from)?.params().iter();
    let args = wanted.map(|param| {
        let same = scope
            .iter()
            .find(|p| p.name == param.name && fits(document, p, param));
        let fitting = same.or_else(|| scope.iter().find(|p| fits(document, p, param)));
        fitting.unwrap_or(param).clone()
    });
    let args: Vec<Param> = args.collect();
    let call = print_reference(&Reference::to_params(&from.name, &args));
    let value = (from.kind == Kind::Fact)
        .then(|| document.facts.get(&from.name))
        .flatten()
        .map(|fact| &fact.value);
    Some(match value {
        Some(ValueKind::Number { .. }) => format!("{call} > 0"),
        Some(ValueKind::Object(of)) => {
            let mut objects = document.objects.iter();
            let object = objects.find(|(_, o)| document.is_kind_of(&o.of, of));
            match object {
                Some((name, _)) => format!("{call} = {name}"),
                None => format!("{call} = ?{of}"),
            }
        }
        _ => call,
    })
}

fn fits(document: &Document, given: &Param, wanted: &Param) -> bool {
    document.is_kind_of(&given.of, &wanted.of)
}

/// Returns the edit that ends a need by removing the texts that mention it. Returns `None` if a
/// formula can't be separated from what else it says.
pub fn disconnected(document: &Document, link: &Link) -> Option<Edit> {
    let to = &link.to;
    if let Record::Agent(agent) = document.get(to)? {
        return agents::disconnected(&agent, link);
    }
    let removed = |texts: &[String], field: fn(usize) -> Field| {
        let mentions = |text: &String| {
            let mut found = false;
            names_in(&parse_expr(text).value, &mut |name| {
                found |= *name == link.from.name;
            });
            found
        };
        // The last one first, so that the others keep their indices.
        let texts = texts.iter().enumerate().rev();
        let edits = texts.filter(|(_, text)| mentions(text));
        let edits = edits.map(|(n, _)| Edit::RemoveText(to.clone(), field(n)));
        Edit::Batch(edits.collect())
    };
    let record = document.get(to)?;
    if let Some((texts, field)) = list(link.role, &record) {
        return Some(removed(texts, field));
    }
    match (link.role, record) {
        (Role::Task, Record::Goal(goal)) => Some(agents::without_calls(to, &goal.tasks, link)),
        (Role::Action, Record::PrimitiveTask(_)) => {
            Some(Edit::SetText(to.clone(), Field::Action, String::new()))
        }
        (Role::Subtask, Record::CompoundTask(task)) => {
            let blocks = task.method.blocks.iter();
            let calls =
                blocks.filter(|(_, block)| called_task(block).as_ref() == Some(&link.from.name));
            let ids: Vec<BlockId> = calls.map(|(id, _)| id.clone()).collect();
            let cleanups = task.method.blocks.iter().filter(|(id, block)| {
                let cleanup = block.on_abort().and_then(called);
                cleanup.as_ref() == Some(&link.from.name) && !ids.contains(*id)
            });
            let mut edits: Vec<Edit> = cleanups
                .map(|(id, _)| {
                    Edit::SetText(to.clone(), Field::BlockAbort(id.clone()), String::new())
                })
                .collect();
            if !ids.is_empty() {
                edits.push(Edit::RemoveBlocks(to.name.clone(), ids));
            }
            Some(Edit::Batch(edits))
        }
        (Role::Formula, record) => {
            let field = match &record {
                Record::CompoundTask(_) => Field::Goal,
                _ => Field::Formula,
            };
            let left = without(document, record.view().text(&field)?, link)?;
            let formula = Edit::SetText(to.clone(), field, left);
            let Record::Goal(goal) = record else {
                return Some(formula);
            };
            let subgoals = removed(&goal.subgoals, Field::Subgoal);
            Some(Edit::Batch(vec![formula, subgoals]))
        }
        _ => None,
    }
}

/// Returns a formula without the conjuncts that mention only this name. Returns `None` if a
/// conjunct mentions other names too.
fn without(document: &Document, formula: &str, link: &Link) -> Option<String> {
    let tree = parse_expr(formula).value;
    let conjuncts = match &tree.kind {
        ExprKind::And(conjuncts) => conjuncts.as_slice(),
        _ => std::slice::from_ref(&tree),
    };
    let mut left = vec![];
    for conjunct in conjuncts {
        let (mut is_mentioned, mut others) = (false, false);
        names_in(conjunct, &mut |name| {
            let own = *name == link.from.name;
            is_mentioned |= own;
            let needed =
                document.facts.contains_key(name) || document.conditions.contains_key(name);
            others |= needed && !own;
        });
        match (is_mentioned, others) {
            (true, true) => return None,
            (true, false) => {}
            (false, _) => {
                let (start, end) = (conjunct.span.start as usize, conjunct.span.end as usize);
                left.push(formula.get(start..end)?.trim());
            }
        }
    }
    Some(left.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::super::tests::example;
    use super::*;

    fn link(from: &str, role: Role, to: &str) -> Link {
        Link {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            role,
        }
    }

    /// Returns the example after this wire is drawn.
    fn drawn(link: &Link) -> Document {
        let document = example();
        let edit = connected(
            &document,
            link,
            ("fresh1".parse().unwrap(), Point::default()),
        )
        .unwrap();
        document.apply(&edit).unwrap()
    }

    #[test]
    fn drawn_wires_appear_and_removed_wires_disappear() {
        for wanted in [
            link("fact:box_open", Role::Integrity, "primitive:open-box"),
            link("fact:at", Role::Precondition, "primitive:take-ball"),
            link("condition:key_at", Role::Completion, "primitive:walk-to"),
            link("action:Smash", Role::Action, "primitive:open-box"),
            link("fact:has", Role::Precondition, "compound:get-ball"),
            link("primitive:smash-box", Role::Subtask, "compound:get-key"),
        ] {
            let with = drawn(&wanted);
            assert!(
                Reader::default().links(&with).contains(&wanted),
                "{wanted:?}"
            );
            let edit = disconnected(&with, &wanted).unwrap();
            let without = with.apply(&edit).unwrap();
            assert!(
                !Reader::default().links(&without).contains(&wanted),
                "{wanted:?}"
            );
        }
    }

    #[test]
    fn facts_that_tell_what_is_claimed_have_wires_that_can_be_removed_but_not_drawn() {
        let text = r#"{ "taskloom": 4,
            "types": { "tool": { "parent": "object" } },
            "objects": { "saw": { "type": "tool" } },
            "facts": { "tool_of": { "params": ["?who: object"], "value": { "object": "tool" } } },
            "primitive_tasks": { "work": { "claims": ["tool_of(?me)", "saw"] } } }"#;
        let document = Document::from_json(text).unwrap();
        let claim = link("fact:tool_of", Role::Claim, "primitive:work");
        assert_eq!(
            Vec::from_iter(Reader::default().links(&document).iter().cloned()),
            std::slice::from_ref(&claim)
        );
        assert!(!super::super::is_possible(&[].into(), &claim, None));
        let fresh = ("fresh1".parse().unwrap(), Point::default());
        assert_eq!(connected(&document, &claim, fresh), None);
        let edit = disconnected(&document, &claim).unwrap();
        let without = document.apply(&edit).unwrap();
        let task = &without.primitive_tasks[&"work".parse::<Name>().unwrap()];
        assert_eq!(task.claims, ["saw"]);
    }

    #[test]
    fn wires_of_cleanups_can_be_removed_without_their_blocks() {
        let text = r#"{ "taskloom": 4,
            "primitive_tasks": { "work": {}, "tidy": {} },
            "compound_tasks": { "job": { "method": { "blocks": {
                "b": { "kind": "task", "call": "work", "on_abort": "tidy" },
                "c": { "kind": "task", "call": "tidy", "on_abort": "tidy" }
            } } } } }"#;
        let document = Document::from_json(text).unwrap();
        let cleanup = link("primitive:tidy", Role::Subtask, "compound:job");
        let links = Reader::default().links(&document);
        assert!(links.contains(&cleanup));
        let edit = disconnected(&document, &cleanup).unwrap();
        let without = document.apply(&edit).unwrap();
        let job = &without.compound_tasks[&"job".parse::<Name>().unwrap()];
        let blocks: Vec<&Block> = job.method.blocks.values().map(|block| &**block).collect();
        assert_eq!(blocks, [&Block::task("work")]);
    }

    #[test]
    fn drawn_calls_pass_parameters_of_matching_types() {
        let with = drawn(&link("fact:has", Role::Integrity, "primitive:pick-up"));
        let task = &with.primitive_tasks[&"pick-up".parse::<Name>().unwrap()];
        assert_eq!(task.integrity, ["has(?item)"]);
        let with = drawn(&link("fact:box_open", Role::Formula, "condition:key_at"));
        let condition = &with.conditions[&"key_at".parse::<Name>().unwrap()];
        assert_eq!(condition.formula, "item_at(key, ?place) and box_open");
    }
}

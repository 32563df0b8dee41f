//! Effects as statements: values that are unset come first, then those that are set, then additions
//! to numbers.

use super::expression::Scope;
use super::statements::{Line, Statement};
use taskloom_document::{EffectTiming, Name, Source};
use taskloom_domain::lang::typed::{Assignment, Change, Effect};
use taskloom_domain::text::TypedText;

/// The kind of effects to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The effects that the planner predicts.
    Predict,
    /// Effects on memory once the task has been executed: the game makes the others true, and the
    /// agent's sensors observe them.
    Execute,
}

/// Returns the statements of a task's effects.
pub fn statements(
    scope: &Scope,
    effects: &[(EffectTiming, TypedText<Effect>)],
    phase: Phase,
) -> Vec<Line> {
    let mut lines = vec![];
    for pass in 0..3 {
        for (timing, effect) in effects {
            let Some(effect) = &effect.value else {
                continue;
            };
            let (of_pass, fact) = pass_and_fact(&effect.change);
            let counts = match phase {
                Phase::Predict => *timing != EffectTiming::Executed,
                Phase::Execute => {
                    let source = scope.document.facts.get(fact).map(|fact| fact.source);
                    *timing != EffectTiming::Planned
                        && matches!(source, Some(Source::Memory | Source::Blackboard))
                }
            };
            if of_pass == pass && counts {
                write(scope, effect, &mut lines);
            }
        }
    }
    lines
}

fn pass_and_fact(change: &Change) -> (u8, &Name) {
    match change {
        Change::Unset(fact, _) => (0, fact),
        Change::Set(fact, _) | Change::Object(fact, ..) => (1, fact),
        Change::Number(assignment, fact, ..) => match assignment {
            Assignment::Assign => (1, fact),
            Assignment::Increase | Assignment::Decrease => (2, fact),
        },
    }
}

fn write(scope: &Scope, effect: &Effect, lines: &mut Vec<Line>) {
    let mut scope = scope.clone();
    let mut depth = 0;
    let mut line = |depth: usize, statement, text: String, name: &str| {
        lines.push(Line {
            indent: "    ".repeat(depth),
            statement,
            text,
            name: name.to_owned(),
        });
    };
    for param in &effect.forall {
        let variable = scope.bind(param);
        let things = format!("before.All<{}>()", scope.names.of(&param.of));
        line(depth, Statement::Foreach, things, &variable);
        line(depth, Statement::Open, String::new(), "");
        depth += 1;
    }
    if let Some(when) = &effect.when {
        line(depth, Statement::If, scope.formula(when), "");
        line(depth, Statement::Open, String::new(), "");
        depth += 1;
    }
    let (method, fact, args, value) = match &effect.change {
        Change::Unset(fact, args) => ("Write", fact, args, "false".to_owned()),
        Change::Set(fact, args) => ("Write", fact, args, "true".to_owned()),
        Change::Object(fact, args, value) => ("Write", fact, args, scope.term(value)),
        Change::Number(assignment, fact, args, number) => {
            let (method, value) = match assignment {
                Assignment::Assign => ("Write", scope.number(number)),
                Assignment::Increase => ("Add", scope.number(number)),
                Assignment::Decrease => ("Add", scope.negative(number)),
            };
            (method, fact, args, value)
        }
    };
    let atom = scope.atom(fact, args);
    let change = format!("after.{method}({atom}, {value});");
    line(depth, Statement::Plain, change, "");
    while depth > 0 {
        depth -= 1;
        line(depth, Statement::Close, String::new(), "");
    }
}

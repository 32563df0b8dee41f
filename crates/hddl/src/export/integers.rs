//! Whole numbers, which HDDL and PDDL can't express.

use taskloom_document::{Document, Name, ValueKind};
use taskloom_domain::lang::typed::{Change, Number, Operator};

use super::form::Form;
use super::input::{Input, effects};

/// Returns a warning if a task may assign a fraction to a fact of whole numbers: in that case,
/// Taskloom doesn't apply the task, but other planners do.
pub fn integers_warning(input: &Input, form: Form) -> Option<String> {
    let mut tasks = input.primitives.iter();
    let (task, fact) = tasks.find_map(|(task, primitive)| {
        let mut changes = effects(primitive).map(|(_, effect)| &effect.change);
        let fact = changes.find_map(|change| match change {
            Change::Number(_, fact, _, number) => (is_whole_fact(input.document, fact)
                && !is_whole(input.document, number))
            .then_some(fact),
            _ => None,
        });
        Some((task, fact?))
    })?;
    let language = form.name();
    Some(format!(
        "{fact} is limited to whole numbers, which {language} can't express, and {task} may assign others: the limit is omitted"
    ))
}

fn is_whole_fact(document: &Document, fact: &Name) -> bool {
    let fact = document.facts.get(fact);
    fact.is_some_and(|fact| matches!(fact.value, ValueKind::Number { integer: true, .. }))
}

/// Returns `true` if a number is whole in every state.
fn is_whole(document: &Document, number: &Number) -> bool {
    let all = |numbers: &[Number]| numbers.iter().all(|number| is_whole(document, number));
    match number {
        Number::Constant(value) => value.fract() == 0.0,
        Number::Fact(fact, _) => is_whole_fact(document, fact),
        Number::Arithmetic(Operator::Divide, ..) => false,
        Number::Arithmetic(_, a, b) => is_whole(document, a) && is_whole(document, b),
        Number::Negative(of) | Number::Aggregate(_, _, of, _) => is_whole(document, of),
        Number::Function(_, numbers) => all(numbers),
        Number::Time => true,
    }
}

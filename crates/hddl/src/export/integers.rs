//! Whole numbers, which HDDL and PDDL can't express.

use taskloom_domain::lang::typed::{Change, is_whole_fact};

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
                && !number.is_whole(input.document))
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

//! Edits that don't change the meaning for planning: if two versions of a document are equivalent,
//! their problems, runs and verdicts are equal.

use proptest::prelude::*;
use taskloom_document::{Document, Edit};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, initial_state, policy};
use taskloom_runtime::{default_planner, run_test};

/// A search on random records is short, or endless.
const SMALL: Budget = Budget {
    nodes: 200,
    depth: 20,
    memory: 1 << 20,
};

/// The number of scenarios that kept their meaning over an edit, and of those that did not.
#[derive(Default)]
pub struct Meanings {
    pub kept: u32,
    pub changed: u32,
}

/// Checks every scenario that remains after an edit.
pub fn look(
    before: &Document,
    after: &Document,
    edit: &Edit,
    counts: &mut Meanings,
) -> Result<(), TestCaseError> {
    if before == after {
        return Ok(());
    }
    for scenario in after.scenarios.keys() {
        if !before.same_meaning(after, scenario) {
            counts.changed += 1;
            continue;
        }
        counts.kept += 1;
        let report = |document: &Document| {
            let problem = compile(&Domain::from(document), scenario);
            let mut report = format!(
                "{problem:?} {:?}",
                initial_state(&Domain::from(document), scenario)
            );
            // Of the agents only this is read, and the caller that requests a plan asks for it.
            if policy(&Domain::from(before), scenario, 0)
                == policy(&Domain::from(after), scenario, 0)
            {
                let mut plan = default_planner(SMALL);
                report += &format!(
                    "{:?}",
                    run_test(&Domain::from(document), scenario, &mut plan, 20)
                );
            }
            report
        };
        prop_assert_eq!(report(before), report(after), "{:?}", edit);
    }
    Ok(())
}

//! The states that a search for a goal explored: their costs, their estimated distances to the
//! goal, and their status.

use expect_test::{Expect, expect};
use taskloom_document::{Direction, GoalSearch, Heuristic};
use taskloom_domain::Domain;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Progress, Strategy};

use super::{domain, name, searching};

/// A cook needs a clean pot with water in it. Ordering food contributes nothing, so it leads to no
/// state.
const KITCHEN: &str = "
fact clean
fact full
fact warm
fact served
primitive wash
  eff clean
primitive pour
  pre clean
  eff full
primitive heat
  eff warm
  cost 2
primitive order
  eff served
  cost 9
scenario s
  goal clean and full and warm
";

fn check(direction: Direction, expected: Expect) {
    let search = GoalSearch {
        direction,
        heuristic: Heuristic::Unmet,
        ..GoalSearch::default()
    };
    let document = searching(&domain::document(KITCHEN), search);
    let problem = compile(&Domain::from(&document), &name("s"));
    let mut search = Strategy::First.search(&problem, Budget::default(), 100);
    while search.step(64) == Progress::Running {}
    let trace = search.trace().expect("it keeps one");
    let mut lines = vec![];
    for (number, state) in trace.states.iter().enumerate() {
        let from = state.parent.map(|parent| format!(" from {parent}"));
        let task = state.task.as_ref().map(|task| format!(" {task}"));
        let left = state
            .remaining_estimate
            .map_or("-".to_owned(), |left| left.to_string());
        lines.push(format!(
            "{number}{}{}: g {}, h {left}, {:?}, not yet [{}]",
            from.unwrap_or_default(),
            task.unwrap_or_default(),
            state.cost,
            state.status,
            state.differs.join(", ")
        ));
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn states_have_their_cost_and_unmet_condition_count() {
    check(
        Direction::Forward,
        expect![[r#"
        0: g 0, h 3, Chosen, not yet [clean, full, warm]
        1 from 0 heat: g 2, h 2, Open, not yet [clean, full]
        2 from 0 wash: g 1, h 2, Chosen, not yet [full, warm]
        3 from 2 heat: g 3, h 1, Open, not yet [full]
        4 from 2 pour: g 2, h 1, Chosen, not yet [warm]
        5 from 4 heat: g 4, h 0, Chosen, not yet []"#]],
    );
}

#[test]
fn regression_states_are_required_conditions() {
    check(
        Direction::Regressive,
        expect![[r#"
        0: g 0, h 3, Chosen, not yet [warm, clean, full]
        1 from 0 heat: g 2, h 2, Open, not yet [clean, full]
        2 from 0 pour: g 1, h 2, Chosen, not yet [warm, clean]
        3 from 0 wash: g 1, h 2, Closed, not yet [warm, full]
        4 from 2 heat: g 3, h 1, Open, not yet [clean]
        5 from 2 wash: g 2, h 1, Chosen, not yet [warm]
        6 from 5 heat: g 4, h 0, Chosen, not yet []
        7 from 3 heat: g 3, h 1, Open, not yet [full]
        8: g 0, h 3, Closed, not yet [clean, full, warm]"#]],
    );
}

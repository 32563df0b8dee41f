//! Compound tasks with a goal (semantics, section 3).

use expect_test::{Expect, expect};
use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::plan::NodeKind;
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{
    Budget, Limit, Outcome, Plan, Progress, Strategy, TraceKind, plan, validate,
};
use testkit::domain::document;

/// A cook who fetches ingredients from places. The lines are those of the method of `get`, of other
/// tasks, and of the scenario.
fn kitchen(method: &str, others: &str, scenario: &str) -> Domain {
    let domain = Domain::from(&document(&format!(
        "
type place
type item
object stove: place
object shelf: place
object cellar: place
object salt: item
object wine: item
object fish: item
object bob: object
value at: place
value place_of(?i: item): place
fact has(?i: item)
fact locked(?p: place)
number money
primitive go(?p: place)
  pre not locked(?p)
  pre at != ?p
  eff at := ?p
primitive take(?i: item)
  pre place_of(?i) = at
  eff has(?i)
primitive unlock(?p: place)
  pre at = stove
  eff not locked(?p)
primitive buy(?i: item)
  pre money > 0
  eff money -= 1
  eff has(?i)
  cost 9
primitive cook
  pre at = stove
  pre has(salt)
  pre has(wine)
compound get(?i: item)
  goal has(?i)
{method}
compound return
  goal at = stove
{others}
scenario s
  initial at := stove
  initial place_of(salt) := shelf
  initial place_of(wine) := cellar
{scenario}
"
    )));
    assert_eq!(domain.errors(Some(&name())), vec![]);
    domain
}

fn name() -> Name {
    Name::new("s").expect("a name")
}

fn run(domain: &Domain, strategy: Strategy, budget: Budget) -> Outcome {
    let mut search = taskloom_portfolio::search(strategy, &compile(domain, &name()), budget, 0);
    while search.step(1) == Progress::Running {}
    search.outcome().expect("an outcome")
}

/// Formats the decomposition tree.
fn tree(plan: &Plan) -> String {
    let mut lines = vec![];
    for node in &plan.nodes {
        let mut depth = 0;
        let mut above = node.parent;
        while let Some(parent) = above {
            depth += 1;
            above = plan.nodes[parent].parent;
        }
        let how = match &node.kind {
            NodeKind::Decomposed(decomposed) if decomposed.is_by_goal() => " by its goal",
            NodeKind::Step(_) | NodeKind::Decomposed(_) => "",
            NodeKind::Pending => " pending",
        };
        lines.push(format!("{}{}{how}", "  ".repeat(depth), node.task));
    }
    let steps = plan.steps.iter();
    let steps = steps.map(|step| format!("{} {:?}", step.task, step.after));
    lines.extend(steps);
    lines.join("\n")
}

/// Finds valid plans by all strategies, and compares that of the first one.
fn check(domain: &Domain, expected: Expect) {
    let mut found = vec![];
    for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let outcome = run(domain, strategy, Budget::default());
        found.push(match &outcome {
            Outcome::Plan(plan) => {
                assert_eq!(validate(domain, &name(), plan), Ok(()), "{strategy:?}");
                tree(plan)
            }
            other => format!("{other:?}"),
        });
    }
    let is_plan = |text: &String| !text.starts_with("NoPlan");
    let first = is_plan(&found[0]);
    assert!(found.iter().all(|text| is_plan(text) == first), "{found:?}");
    expected.assert_eq(&found[0]);
}

#[test]
fn without_a_drawn_way_primitive_tasks_lead_to_the_goal() {
    let domain = kitchen("", "", "  task get(salt)\n  task return");
    check(
        &domain,
        expect![[r#"
        get(salt) by its goal
        return by its goal
          go(shelf)
          take(salt)
          go(stove)
        go(shelf) []
        take(salt) [0]
        go(stove) [1]"#]],
    );
}

#[test]
fn nothing_is_done_for_a_goal_that_is_true() {
    let domain = kitchen(
        "  block a begin\n  block b task buy(?i)\n  wire a.out -> b",
        "",
        "  initial has(salt)\n  task get(salt)\n  task return",
    );
    check(
        &domain,
        expect![[r#"
        get(salt) by its goal
        return by its goal"#]],
    );
}

#[test]
fn drawn_ways_come_first() {
    let method = "  block a begin\n  block b task buy(?i)\n  wire a.out -> b";
    let domain = kitchen(method, "", "  initial money := 1\n  task get(salt)");
    check(
        &domain,
        expect![[r#"
        get(salt)
          buy(salt)
        buy(salt) []"#]],
    );
    let domain = kitchen(method, "", "  task get(salt)");
    check(
        &domain,
        expect![[r#"
        get(salt) by its goal
          go(shelf)
          take(salt)
        go(shelf) []
        take(salt) [0]"#]],
    );
}

#[test]
fn method_without_tasks_is_no_way() {
    let method = "  block a begin\n  block b end\n  wire a.out -> b";
    let domain = kitchen(method, "", "  task get(salt)");
    check(
        &domain,
        expect![[r#"
        get(salt) by its goal
          go(shelf)
          take(salt)
        go(shelf) []
        take(salt) [0]"#]],
    );
}

#[test]
fn goals_are_planned_in_the_state_in_which_they_are_decomposed() {
    let others = "
compound dinner
  block a begin
  block b task get(salt)
  block c task get(wine)
  block d task return
  block e task cook
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d
  wire d.out -> e
";
    let domain = kitchen("", others, "  initial locked(cellar)\n  task dinner");
    check(
        &domain,
        expect![[r#"
        dinner
          get(salt) by its goal
          get(wine) by its goal
          return by its goal
          cook
            go(shelf)
            take(salt)
            go(stove)
            unlock(cellar)
            go(cellar)
            take(wine)
            go(stove)
        go(shelf) []
        take(salt) [0]
        go(stove) [1]
        unlock(cellar) [2]
        go(cellar) [3]
        take(wine) [4]
        go(stove) [5]
        cook [6]"#]],
    );
}

#[test]
fn unordered_goals_may_interleave() {
    let others = "
compound dinner
  block a begin
  block b task get(salt)
  block c task get(wine)
  block d task return
  wire a.out -> b
  wire a.out -> c
  wire b.out -> d
  wire c.out -> d
";
    let domain = kitchen("", others, "  task dinner");
    check(
        &domain,
        expect![[r#"
        dinner
          get(salt) by its goal
          get(wine) by its goal
          return by its goal
            go(shelf)
            take(salt)
            go(cellar)
            take(wine)
            go(stove)
        go(shelf) []
        take(salt) [0]
        go(cellar) []
        take(wine) [2]
        go(stove) [1, 3]"#]],
    );
}

#[test]
fn an_unreachable_goal_has_no_plan() {
    let domain = kitchen("", "", "  task get(fish)");
    check(&domain, expect!["NoPlan"]);
}

#[test]
fn other_alternatives_are_tried_if_a_goal_cannot_be_reached() {
    let others = "
compound meal
  block a begin
  block b choice 1 fish, 2 salt
  block c task get(fish)
  block d task get(salt)
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d
";
    let domain = kitchen("", others, "  task meal");
    check(
        &domain,
        expect![[r#"
        meal
          get(salt) by its goal
            go(shelf)
            take(salt)
        go(shelf) []
        take(salt) [0]"#]],
    );
}

#[test]
fn the_repertoire_limits_what_a_search_may_use() {
    let others = "
agent porter: object
  uses go
  uses take
";
    let scenario =
        "  initial locked(cellar)\n  initial money := 3\n  cast bob as porter\n  task get(wine)";
    check(&kitchen("", others, scenario), expect!["NoPlan"]);
}

#[test]
fn a_search_that_gives_up_proves_nothing() {
    let domain = kitchen("", "", "  task get(salt)");
    let budget = Budget {
        nodes: 4,
        ..Budget::default()
    };
    for strategy in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let outcome = run(&domain, strategy, budget);
        assert_eq!(outcome, Outcome::GaveUp(Limit::Nodes), "{strategy:?}");
    }
}

#[test]
fn results_do_not_depend_on_slices() {
    let domain = kitchen("", "", "  task get(wine)\n  task get(salt)\n  task return");
    let problem = compile(&domain, &name());
    let whole = plan(&problem, Budget::default());
    for slice in [1, 2, 7, 100] {
        let mut search = Strategy::First.search(&problem, Budget::default(), 0);
        let mut before = 0;
        while search.step(slice) == Progress::Running {
            assert!(search.spent() >= before + slice, "a call does what it may");
            before = search.spent();
        }
        assert_eq!(search.outcome().as_ref(), Some(&whole), "{slice}");
    }
}

#[test]
fn tampered_plans_are_invalid() {
    let domain = kitchen("", "", "  task get(salt)\n  task return");
    let Outcome::Plan(plan) = run(&domain, Strategy::First, Budget::default()) else {
        panic!("no plan");
    };
    let invalid = |change: &dyn Fn(&mut Plan)| {
        let mut plan = (*plan).clone();
        change(&mut plan);
        validate(&domain, &name(), &plan)
            .map_or_else(|invalid| invalid.to_string(), |()| "valid".to_owned())
    };
    expect!["step 2: its stated order doesn't match the flowcharts"]
        .assert_eq(&invalid(&|plan| plan.steps[1].after.clear()));
    expect!["decomposition of 'get(salt)': 'wine' is not a place"].assert_eq(&invalid(&|plan| {
        let args = &mut plan.nodes[2].task.args;
        *args = vec![Name::new("wine").expect("a name")];
        plan.steps[0].task = plan.nodes[2].task.clone();
    }));
    expect!["'go(shelf)' comes before 'get(salt)' is decomposed"].assert_eq(&invalid(&|plan| {
        let NodeKind::Decomposed(decomposed) = &mut plan.nodes[0].kind else {
            return;
        };
        decomposed.at = 1;
    }));
}

#[test]
fn the_trace_tells_how_a_goal_was_reached() {
    let method = "  block a begin\n  block b task buy(?i)\n  wire a.out -> b";
    let domain = kitchen(
        method,
        "",
        "  initial at := cellar\n  task get(wine)\n  task get(wine)\n  task get(fish)",
    );
    let mut search = Strategy::First.search(&compile(&domain, &name()), Budget::default(), 1000);
    while search.step(u64::MAX) == Progress::Running {}
    let events = search.trace().expect("a trace").events.iter();
    let events = events.map(|event| match &event.kind {
        TraceKind::Alternative { label, .. } => format!("{}: {label}", event.task),
        TraceKind::Inapplicable { why, .. } => format!("{}: {why}", event.task),
        other => format!(
            "{}: {}",
            event.task,
            format!("{other:?}").split(' ').next().unwrap()
        ),
    });
    expect![[r#"
        get(wine): Task
        get(wine): 
        buy(wine): Task
        buy(wine): Failed
        get(wine): a plan for the goal
        take(wine): Task
        get(wine): Task
        get(wine): the goal is true
        get(fish): Task
        get(fish): 
        buy(fish): Task
        buy(fish): Failed
        get(fish): no plan leads to its goal has(?i)
        get(fish): Backtrack"#]]
    .assert_eq(&events.collect::<Vec<_>>().join("\n"));
}

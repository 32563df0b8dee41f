//! Task blocks that do their task several times.

use expect_test::{Expect, expect};
use taskloom_document::{Block, BlockId, Document, Edit, Kind, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::refactor::{extract, inline};
use taskloom_planner::compile::compile;
use taskloom_planner::plan::{Budget, Outcome, Progress, Strategy, plan_by, validate};
use testkit::domain::document;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn id(text: &str) -> BlockId {
    text.parse().expect("an id")
}

/// A worker loads crates onto carts; the lines are those of the method.
fn loading(method: &str) -> Document {
    document(&format!(
        "
type cart
object red: cart
object blue: cart
fact open(?c: cart)
number load(?c: cart) integer 0..9
primitive put(?c: cart)
  pre open(?c)
  eff load(?c) += 1
primitive look
primitive go(?c: cart)
  pre load(?c) >= 3
  eff load(?c) := 0
compound fill(?c: cart)
  block a begin
  block b task put(?c) repeat 2
  wire a.out -> b
compound work
  block a begin
{method}
scenario s
  initial open(blue)
  task work
"
    ))
}

/// Plans by all strategies, each with a valid plan of the same length, and returns the first one's steps,
/// each with the block that it comes from and the steps that must come before it.
fn steps(document: &Document) -> String {
    let domain = Domain::from(document);
    let problem = compile(&domain, &name("s"));
    let outcome = plan_by(problem.policy(), &problem, Budget::default());
    let Outcome::Plan(plan) = &outcome else {
        return format!("{outcome:?}");
    };
    assert_eq!(validate(&domain, &name("s"), plan), Ok(()));
    for other in [Strategy::First, Strategy::Cheapest, Strategy::Fastest] {
        let mut search = taskloom_portfolio::search(other, &problem, Budget::default(), 0);
        while search.step(u64::MAX) == Progress::Running {}
        let Some(Outcome::Plan(found)) = search.outcome() else {
            panic!("{other:?} finds no plan");
        };
        assert_eq!(found.steps.len(), plan.steps.len(), "{other:?}");
        assert_eq!(validate(&domain, &name("s"), &found), Ok(()));
    }
    let blocks = |blocks: &[BlockId]| {
        let blocks = blocks.iter().map(ToString::to_string);
        blocks.collect::<Vec<_>>().join(" ")
    };
    let of_root = plan.nodes[plan.roots[0]].decomposed().expect("a method");
    let path = format!("blocks {}", blocks(&of_root.blocks));
    let wires = of_root.wires.iter().map(ToString::to_string);
    let wires = format!("wires {}", wires.collect::<Vec<_>>().join(", "));
    let steps = plan.steps.iter().map(|step| {
        let block = plan.nodes[step.node].block.clone().expect("a block");
        format!("{} by {block} after {:?}", step.task, step.after)
    });
    let lines: Vec<String> = [path, wires].into_iter().chain(steps).collect();
    lines.join("\n")
}

fn check(method: &str, expected: Expect) {
    expected.assert_eq(&steps(&loading(method)));
}

#[test]
fn block_that_repeats_stands_for_a_sequence() {
    check(
        "  block b bind ?c: cart where open(?c)
  block c task put(?c) repeat 3
  block d task go(?c)
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d",
        expect![[r#"
            blocks a b c d
            wires a.out -> b, b.out -> c, c.out -> d
            put(blue) by c after []
            put(blue) by c after [0]
            put(blue) by c after [1]
            go(blue) by d after [2]"#]],
    );
}

#[test]
fn compound_task_repeats_as_a_whole() {
    check(
        "  block b task fill(blue) repeat 2
  block c task go(blue)
  wire a.out -> b
  wire b.out -> c",
        expect![[r#"
            blocks a b c
            wires a.out -> b, b.out -> c
            put(blue) by b after []
            put(blue) by b after [0]
            put(blue) by b after [1]
            put(blue) by b after [2]
            go(blue) by c after [3]"#]],
    );
}

#[test]
fn what_is_unordered_stays_so() {
    check(
        "  block b task put(blue) repeat 3
  block c task look repeat 2
  block d task go(blue)
  wire a.out -> b
  wire a.out -> c
  wire b.out -> d
  wire c.out -> d",
        expect![[r#"
            blocks a b c d
            wires a.out -> b, a.out -> c, b.out -> d, c.out -> d
            put(blue) by b after []
            put(blue) by b after [0]
            put(blue) by b after [1]
            look by c after []
            look by c after [3]
            go(blue) by d after [2, 4]"#]],
    );
}

#[test]
fn repeated_task_is_planned_only_if_it_is_possible_each_time() {
    check(
        "  block b choice ten, three
  block c task put(blue) repeat 10
  block d task put(blue) repeat 3
  wire a.out -> b
  wire b.1 -> c
  wire b.2 -> d",
        expect![[r#"
            blocks a b d
            wires a.out -> b, b.2 -> d
            put(blue) by d after []
            put(blue) by d after [0]
            put(blue) by d after [1]"#]],
    );
}

#[test]
fn muted_block_is_not_done_at_all() {
    let drawn = loading(
        "  block b task put(blue) repeat 3
  block c task look
  wire a.out -> b
  wire b.out -> c",
    );
    let muted = drawn.apply(&Edit::Mute(name("work"), vec![id("b")], true));
    expect![[r#"
        blocks a c
        wires a.out -> c
        look by c after []"#]]
    .assert_eq(&steps(&muted.expect("it can be muted")));
}

#[test]
fn numbers_that_are_not_allowed_count_as_the_nearest_ones() {
    let block = |repeat| Block::task("look").with_repeat(repeat);
    let times = [None, Some(0), Some(1), Some(7), Some(500)];
    let times = times.map(|repeat| block(repeat).repetitions());
    assert_eq!(times, [1, 1, 1, 7, 100]);
    assert_eq!(Block::End {}.repetitions(), 1);
}

#[test]
fn block_that_repeats_is_extracted_as_it_is_and_not_inlined() {
    let before = loading(
        "  block b task fill(blue) repeat 2
  block c task go(blue)
  wire a.out -> b
  wire b.out -> c",
    );
    let fresh = &mut || id("n1");
    let refused = inline(&before, &name("work"), &id("b"), fresh).expect_err("it repeats");
    expect!["The call repeats, which can't be inlined."].assert_eq(&refused);
    let call = Block::task("fill(blue)").with_timeout(Some(3));
    let limited = before.apply(&Edit::SetBlock(name("work"), id("b"), call));
    let refused = inline(&limited.expect("an edit"), &name("work"), &id("b"), fresh);
    expect!["The call has a timeout, which can't be inlined."]
        .assert_eq(&refused.expect_err("it has a timeout"));
    let call = Block::task("fill(blue)").with_retry(Some(0));
    let limited = before.apply(&Edit::SetBlock(name("work"), id("b"), call));
    let refused = inline(&limited.expect("an edit"), &name("work"), &id("b"), fresh);
    expect!["The call limits its retries, which can't be inlined."]
        .assert_eq(&refused.expect_err("it has a limit"));
    let call = Block::task("fill(blue)").with_on_abort("fill(blue)");
    let limited = before.apply(&Edit::SetBlock(name("work"), id("b"), call));
    let refused = inline(&limited.expect("an edit"), &name("work"), &id("b"), fresh);
    expect!["The call has a cleanup, which can't be inlined."]
        .assert_eq(&refused.expect_err("it has a cleanup"));
    let call = Block::task("fill(blue)").with_repeat_while("open(blue)");
    let limited = before.apply(&Edit::SetBlock(name("work"), id("b"), call));
    let refused = inline(&limited.expect("an edit"), &name("work"), &id("b"), fresh);
    expect!["The call repeats, which can't be inlined."]
        .assert_eq(&refused.expect_err("it may repeat"));
    let inside = [id("b")].into_iter().collect();
    let mut ids = ["n1", "n2", "n3", "n4"].into_iter();
    let fresh = &mut || id(ids.next().expect("few blocks"));
    let extracted = extract(&before, &name("work"), &inside, &Default::default(), fresh);
    let extracted = extracted.expect("it can be extracted");
    let after = before.apply(&extracted.edit).expect("it applies");
    let plan = |document: &Document| {
        let problem = compile(&Domain::from(document), &name("s"));
        match plan_by(problem.policy(), &problem, Budget::default()) {
            Outcome::Plan(plan) => plan.steps.iter().map(|s| s.task.clone()).collect(),
            _ => vec![],
        }
    };
    assert_eq!(plan(&before).len(), 5);
    assert_eq!(plan(&after), plan(&before));
}

/// Returns the steps of the plan and, for each root's subtask, what it is decomposed into.
fn guarded(document: &Document) -> String {
    let domain = Domain::from(document);
    let problem = compile(&domain, &name("s"));
    let outcome = plan_by(problem.policy(), &problem, Budget::default());
    let Outcome::Plan(plan) = &outcome else {
        return format!("{outcome:?}");
    };
    let lines = plan.nodes.iter().enumerate().map(|(at, node)| {
        let children = plan.nodes.iter().filter(|child| child.parent == Some(at));
        let children = children.map(|child| child.task.to_string());
        let children = children.collect::<Vec<_>>();
        let block = node.block.as_ref().map(ToString::to_string);
        let block = block.unwrap_or_default();
        format!("{block} {}: {}", node.task, children.join(", "))
    });
    let lines: Vec<String> = lines.collect();
    format!("{}\n{}", steps(document), lines.join("\n"))
}

#[test]
fn formula_is_evaluated_before_each_repetition() {
    let document = loading(
        "  block b bind ?c: cart where open(?c)
  block d task put(?c) repeat 4 while load(?c) < 2
  block e task look
  wire a.out -> b
  wire b.out -> d
  wire d.out -> e",
    );
    expect![[r#"
        blocks a b d e
        wires a.out -> b, b.out -> d, d.out -> e
        put(blue) by d after []
        put(blue) by d after [0]
        look by e after [1]
         work: work-while-d(blue), work-while-d(blue), work-while-d(blue), work-while-d(blue), look
        d work-while-d(blue): put(blue)
        d work-while-d(blue): put(blue)
        d work-while-d(blue): 
        d work-while-d(blue): 
        e look: 
        d put(blue): 
        d put(blue): "#]]
    .assert_eq(&guarded(&document));
}

#[test]
fn nothing_is_repeated_if_the_formula_is_false_or_beyond_the_number() {
    check(
        "  block b task look repeat 3 while open(red)
  block c task put(blue) repeat 2 while open(blue)
  block d task put(blue) while load(blue) < 5
  wire a.out -> b
  wire b.out -> c
  wire c.out -> d",
        expect![[r#"
            blocks a b c d
            wires a.out -> b, b.out -> c, c.out -> d
            put(blue) by c after []
            put(blue) by c after [0]
            put(blue) by d after [1]"#]],
    );
}

#[test]
fn repetition_has_a_name_that_no_other_task_has() {
    let document = document(
        "
fact done
primitive go
  eff done
primitive work-while-b
compound work
  block a begin
  block b task go repeat 2 while not done
  wire a.out -> b
agent worker: object
  uses work
  uses go
scenario s
  task work
",
    );
    let domain = Domain::from(&document);
    assert_eq!(**domain.document(), document);
    let executable = domain.executable();
    let tasks = executable.document().compound_tasks.keys();
    let tasks: Vec<&str> = tasks.map(Name::as_str).collect();
    assert_eq!(tasks, ["work", "work-while-b-2"]);
    let (owner, block) = domain
        .drawn_block(&name("work-while-b-2"))
        .expect("a block");
    assert_eq!((owner.as_str(), block.as_str()), ("work", "b"));
    assert_eq!(domain.drawn_block(&name("work")), None);
    let agent = &executable.document().agents[&name("worker")];
    let may_use = |task: &str| {
        let task = RecordRef::new(Kind::CompoundTask, name(task));
        executable.document().may_use(agent, &task)
    };
    assert!(may_use("work-while-b-2"));
}

/// Extracts blocks of the method of `work`. Returns the document with the new task, and the task's parameters.
fn extracted(before: &Document, blocks: &[&str]) -> (Document, Vec<String>) {
    let inside = blocks.iter().map(|block| id(block)).collect();
    let mut ids = ["n1", "n2", "n3", "n4"].into_iter();
    let fresh = &mut || id(ids.next().expect("few blocks"));
    let extracted = extract(before, &name("work"), &inside, &Default::default(), fresh);
    let extracted = extracted.expect("it can be extracted");
    let after = before.apply(&extracted.edit).expect("it applies");
    let mut tasks = after.compound_tasks.iter();
    let added = tasks.find(|(own, _)| !before.compound_tasks.contains_key(*own));
    let params = added.expect("a new task").1.params.iter();
    let params = params.map(ToString::to_string).collect();
    (after, params)
}

/// Returns the number of steps of the plan.
fn length(document: &Document) -> usize {
    let problem = compile(&Domain::from(document), &name("s"));
    match plan_by(Default::default(), &problem, Budget::default()) {
        Outcome::Plan(plan) => plan.steps.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn block_that_repeats_while_a_formula_is_true_is_extracted_with_the_variables_of_both_texts() {
    let before = loading(
        "  block b bind ?c: cart where open(?c)
  block d bind ?d: cart where not open(?d)
  block e task put(?c) repeat 4 while load(?c) < 2 and not open(?d)
  wire a.out -> b
  wire b.out -> d
  wire d.out -> e",
    );
    let (after, params) = extracted(&before, &["e"]);
    assert_eq!(params, ["?c: cart", "?d: cart"]);
    assert_eq!((length(&before), length(&after)), (2, 2));
}

#[test]
fn query_is_extracted_with_its_variables() {
    let before = loading(
        "  block b bind ?c: cart where open(?c)
  block d bind ?d: cart asks next-to(?c)
  block e task put(?d)
  wire a.out -> b
  wire b.out -> d
  wire d.out -> e",
    );
    let (_, params) = extracted(&before, &["d", "e"]);
    assert_eq!(params, ["?c: cart"]);
}

#[test]
fn a_variable_called_me_hides_the_actor_while_a_task_is_repeated() {
    let parameter = |variable: &str| {
        format!(
            "compound fill({variable}: thing)
  block a begin
  block b task inc({variable}) repeat 5 while n({variable}) < 3
  wire a.out -> b
"
        )
    };
    let bind = |variable: &str| {
        format!(
            "compound fill(?of: thing)
  block a begin
  block c bind {variable}: thing where {variable} = ?of
  block b task inc({variable}) repeat 5 while n({variable}) < 3
  wire a.out -> c
  wire c.out -> b
"
        )
    };
    for method in [parameter("?x"), parameter("?me"), bind("?x"), bind("?me")] {
        for tasks in ["task fill(one)", "cast two as worker\n  does fill(one)"] {
            let text = format!(
                "type thing
object one: thing
object two: thing
number n(?t: thing) integer
primitive inc(?t: thing)
  eff n(?t) += 1
{method}
agent worker: thing
scenario s
  {tasks}"
            );
            let steps = steps(&document(&text));
            assert_eq!(steps.matches("inc(one)").count(), 3, "{text}\n{steps}");
            assert_eq!(steps.matches("inc(").count(), 3, "{text}\n{steps}");
        }
    }
}

//! A part of a method is extracted into a compound task and inlined again, and the plans stay the
//! same.

use std::cell::Cell;
use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use taskloom_document::{BlockId, Document, Edit, Frame, History, Name, RecordRef};
use taskloom_domain::Domain;
use taskloom_domain::refactor::{extract, inline};
use taskloom_planner::compile::{compile, methods};
use taskloom_planner::plan::{Budget, Outcome, plan};
use testkit::domain::{document, example};
use testkit::networks;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn blocks(ids: &str) -> BTreeSet<BlockId> {
    ids.split_whitespace()
        .map(|id| id.parse().expect("an id"))
        .collect()
}

/// Generates `n1`, `n2` and so on.
fn fresh() -> impl FnMut() -> BlockId {
    let count = Cell::new(0);
    move || {
        count.set(count.get() + 1);
        format!("n{}", count.get()).parse().expect("an id")
    }
}

fn written(document: &Document, task: &str) -> String {
    let Some(task) = document.compound_tasks.get(&name(task)) else {
        return "none".into();
    };
    let params = task.params.iter().map(|param| param.to_string());
    let blocks = task
        .method
        .blocks
        .iter()
        .map(|(id, block)| format!("{id} {block:?}"));
    let wires = task.method.wires.iter().map(|wire| wire.to_string());
    params
        .chain(blocks)
        .chain(wires)
        .collect::<Vec<_>>()
        .join("\n")
}

fn check_extract(text: &str, ids: &str, expected: Expect) {
    let before = document(text);
    match extract(
        &before,
        &name("go"),
        &blocks(ids),
        &BTreeSet::new(),
        &mut fresh(),
    ) {
        Err(reason) => expected.assert_eq(&reason),
        Ok(extracted) => {
            let after = before
                .apply(&extracted.edit)
                .expect("an edit that can be made");
            let (outer, inner) = (
                written(&after, "go"),
                written(&after, extracted.task.as_str()),
            );
            expected.assert_eq(&format!("{outer}\n---- {}\n{inner}", extracted.task));
        }
    }
}

const DOMAIN: &str = "
type place
object shed: place
fact lit
fact at(?p: place)
primitive walk(?p: place)
primitive rest
";

fn go(method: &str) -> String {
    let lines = method.lines().map(|line| format!("  {}", line.trim()));
    let lines: Vec<String> = lines.filter(|line| !line.trim().is_empty()).collect();
    format!("{DOMAIN}compound go(?to: place)\n{}\n", lines.join("\n"))
}

#[test]
fn extracts_a_region_with_its_variables() {
    check_extract(
        &go("block b begin
             block v bind ?via: place where at(?via)
             block x task walk(?via)
             block y task walk(?to)
             block z task rest
             wire b.out -> v
             wire v.out -> x
             wire x.out -> y
             wire y.out -> z"),
        "b x y",
        expect![[r#"
            ?to: place
            b Begin
            n2 Task { call: "go-part(?via, ?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            v Bind { variable: Param { name: "via", of: "place" }, condition: "at(?via)", order_by: "", query: "" }
            z Task { call: "rest", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            b.out -> v
            v.out -> n2
            n2.out -> z
            ---- go-part
            ?via: place
            ?to: place
            n1 Begin
            x Task { call: "walk(?via)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            y Task { call: "walk(?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            n1.out -> x
            x.out -> y"#]],
    );
}

#[test]
fn moves_frames_on_request() {
    let line = "block b begin
         block x task rest
         wire b.out -> x";
    let frame = |id: &str, frame| Edit::SetFrame(Some(name("go")), id.parse().unwrap(), frame);
    let both = ["f", "g"].map(|id| frame(id, Some(Frame::default())));
    let before = document(&go(line))
        .apply(&Edit::Batch(both.into()))
        .unwrap();
    let extracted = extract(
        &before,
        &name("go"),
        &blocks("x"),
        &blocks("f"),
        &mut fresh(),
    );
    let extracted = extracted.unwrap();
    let after = before.apply(&extracted.edit).unwrap();
    let frames = |task: &Name| after.layout.frames(Some(task)).keys().cloned().collect();
    let (outer, inner): (BTreeSet<_>, BTreeSet<_>) = (frames(&name("go")), frames(&extracted.task));
    assert_eq!((outer, inner), (blocks("g"), blocks("f")));
}

#[test]
fn rejects_refactorings_that_change_meaning() {
    let line = "block b begin
         block x task rest
         block q branch lit
         block y task walk(?to)
         block z task rest
         wire b.out -> x
         wire x.out -> q
         wire q.true -> y
         wire q.false -> z";
    check_extract(
        &go(line),
        "b",
        expect!["Select the blocks to move into a new task."],
    );
    check_extract(
        &go(line),
        "q y z",
        expect![
            "Its conditions and choices would be decided after another task of the method, and not before it as now."
        ],
    );
    check_extract(
        &go(line),
        "q",
        expect!["The selection leads to different blocks, but a task has a single output."],
    );
    check_extract(
        &go(line),
        "x y",
        expect![
            "The selection has several entry blocks with different predecessors, but a task has a single input."
        ],
    );
    let rests = |wires: &str| {
        go(&format!(
            "block b begin
             block x task rest
             block y task rest
             block z task rest
             {wires}"
        ))
    };
    check_extract(
        &rests(
            "wire b.out -> x
             wire x.out -> y
             wire y.out -> z",
        ),
        "x z",
        expect![
            "The selection has several entry blocks with different predecessors, but a task has a single input."
        ],
    );
    check_extract(
        &rests(
            "wire b.out -> x
             wire b.out -> y
             wire y.out -> z",
        ),
        "x y",
        expect![
            "One path ends inside the selection and another leaves it, but a task has a single output."
        ],
    );
    check_extract(
        &go("block b begin
             block v bind ?via: place
             block x task walk(?via)
             wire b.out -> v
             wire v.out -> x"),
        "v",
        expect!["'?via' is bound inside the selection and used outside."],
    );
    check_extract(
        &go("block b begin
             block c choice one, two
             block x task rest
             block y task walk(?to)
             block d choice one, two
             wire b.out -> c
             wire c.1 -> x
             wire c.2 -> y
             wire x.out -> d
             wire y.out -> d"),
        "c x y",
        expect![
            "Its alternatives would be tried in a different order: a Choice or Bind that comes later now would come first."
        ],
    );
    let parallel_caller = "compound home
  block b begin
  block g task go(shed)
  block r task rest
  wire b.out -> g
  wire b.out -> r
";
    check_extract(
        &(go("block b begin
              block q branch lit
              block x task rest
              wire b.out -> q
              wire q.true -> x")
            + parallel_caller),
        "q x",
        expect![
            "Its conditions and choices would be decided later, and 'home' lets other tasks run in between."
        ],
    );
}

fn check_inline(text: &str, id: &str, expected: Expect) {
    let before = document(text);
    let id: BlockId = id.parse().expect("an id");
    match inline(&before, &name("go"), &id, &mut fresh()) {
        Err(reason) => expected.assert_eq(&reason),
        Ok((edit, _)) => {
            let after = before.apply(&edit).expect("an edit that can be made");
            let left = after.contains(&"compound:reach".parse::<RecordRef>().expect("a record"));
            expected.assert_eq(&format!("{}\nreach left: {left}", written(&after, "go")));
        }
    }
}

#[test]
fn inlines_a_call() {
    let reach = "compound reach(?goal: place)
  pre lit
  block b begin
  block v bind ?via: place where at(?via) and ?via != ?goal
  block x task walk(?via)
  block y task walk(?goal)
  block e end
  wire b.out -> v
  wire v.out -> x
  wire x.out -> y
  wire y.out -> e
";
    let call = |arg: &str, follows: &str| {
        go(&format!(
            "block b begin
             block r task reach({arg})
             block s task rest
             wire b.out -> r
             {follows}"
        )) + reach
    };
    check_inline(
        &call("shed", "wire r.out -> s"),
        "r",
        expect![[r#"
            ?to: place
            b Begin
            n2 Branch { condition: "lit" }
            s Task { call: "rest", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            v Bind { variable: Param { name: "via", of: "place" }, condition: "at(?via) and ?via != shed", order_by: "", query: "" }
            x Task { call: "walk(?via)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            y Task { call: "walk(shed)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            v.out -> x
            x.out -> y
            y.out -> s
            n2.true -> v
            b.out -> n2
            reach left: false"#]],
    );
    check_inline(
        &call("?to", "wire s.out -> r").replace("wire b.out -> r", "wire b.out -> s"),
        "r",
        expect![
            "'reach' is decided when it is reached; inlined, it would be decided together with 'go'."
        ],
    );
    check_inline(
        &call("?to", "wire r.out -> s"),
        "s",
        expect!["'rest' doesn't call a compound task."],
    );
    check_inline(
        &call("?nowhere", "wire r.out -> s"),
        "r",
        expect!["Fix the call first: Variable '?nowhere' isn't bound here."],
    );
    let muted = document(&call("?to", "wire r.out -> s"));
    let (go, call) = (name("go"), "r".parse::<BlockId>().expect("an id"));
    let mute = Edit::Mute(go.clone(), vec![call.clone()], true);
    let muted = muted.apply(&mute).expect("a call can be muted");
    let refusal = inline(&muted, &go, &call, &mut fresh()).expect_err("it is muted");
    expect!["The call is muted, but its method wouldn't be. Unmute it first."].assert_eq(&refusal);
}

#[test]
fn variables_of_aggregates_stay_where_they_are() {
    let line = "block b begin
         block v bind ?via: place where count ?p: place. (at(?p) and ?p != ?to) > 1
         block q branch count ?p: place. (?p != ?via) = 1 or lit and at(?to)
         block x task rest
         wire b.out -> v
         wire v.out -> q
         wire q.true -> x";
    check_extract(
        &go(line),
        "q x",
        expect![[r#"
            ?to: place
            b Begin
            n2 Task { call: "go-part(?via, ?to)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            v Bind { variable: Param { name: "via", of: "place" }, condition: "count ?p: place. (at(?p) and ?p != ?to) > 1", order_by: "", query: "" }
            b.out -> v
            v.out -> n2
            ---- go-part
            ?via: place
            ?to: place
            n1 Begin
            q Branch { condition: "count ?p: place. (?p != ?via) = 1 or lit and at(?to)" }
            x Task { call: "rest", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            n1.out -> q
            q.true -> x"#]],
    );
    let reach = "compound reach(?goal: place)
  block b begin
  block q branch count ?to: place. (at(?to) and ?to != ?goal) > sum ?p: place. 1 of (?p = ?goal)
  block x task walk(?goal)
  wire b.out -> q
  wire q.true -> x
";
    let call = |arg: &str| {
        let method = "block b begin\n block r task reach(ARG)\n wire b.out -> r";
        go(&method.replace("ARG", arg)) + reach
    };
    check_inline(
        &call("shed").replace(
            "?to: place. (at(?to) and ?to !=",
            "?q: place. (at(?q) and ?q !=",
        ),
        "r",
        expect![[r#"
            ?to: place
            b Begin
            q Branch { condition: "count ?q: place. (at(?q) and ?q != shed) > sum ?p: place. 1 of (?p = shed)" }
            x Task { call: "walk(shed)", repeat: None, repeat_while: "", timeout: None, retry: None, background: false, on_abort: "" }
            q.true -> x
            b.out -> q
            reach left: false"#]],
    );
    check_inline(
        &call("?to"),
        "r",
        expect![
            "In 'count ?to: place. (at(?to) and ?to != ?goal) > sum ?p: place. 1 of (?p = ?goal)', a quantifier would capture '?to'."
        ],
    );
}

#[test]
fn rejects_inlining_that_captures_a_variable() {
    let text = format!(
        "{}compound reach\n  block b begin\n  block q branch exists ?to: place. at(?to)\n  block x task rest\n  \
         wire b.out -> q\n  wire q.true -> x\n",
        go(
            "block b begin\nblock r task reach\nblock s task walk(?to)\nwire b.out -> r\nwire r.out -> s"
        )
    );
    check_inline(
        &text,
        "r",
        expect![
            "Inlined here, 'reach' would have an error: '?to' is already bound: choose another name."
        ],
    );
}

#[test]
fn undo_reverts_an_extraction_in_one_step() {
    let before = example("night-guard");
    let first = before.to_json();
    let mut extracted = 0;
    for (task, record) in before.compound_tasks.iter() {
        for id in record.method.blocks.keys() {
            let one = [id.clone()].into();
            let Ok(found) = extract(&before, task, &one, &BTreeSet::new(), &mut fresh()) else {
                continue;
            };
            extracted += 1;
            let mut history = History::new("open", before.clone());
            let after = before.apply(&found.edit).expect("an edit that can be made");
            assert_eq!(after.invariants(), Ok(()));
            history.commit("extract", after);
            history.undo();
            assert_eq!(history.current().to_json(), first);
        }
    }
    assert!(extracted > 5, "{extracted} blocks were extracted");
}

/// Returns the steps of the first plan; `None` if the search did not end.
fn steps(document: &Document) -> Option<Vec<String>> {
    let budget = Budget {
        nodes: 2_000,
        ..Budget::default()
    };
    match plan(&compile(&Domain::from(document), &name("s")), budget) {
        Outcome::Plan(plan) => Some(plan.steps.iter().map(|s| s.task.to_string()).collect()),
        Outcome::NoPlan => Some(vec!["none".into()]),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, max_global_rejects: 200_000, max_shrink_iters: 400,
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn extracting_keeps_the_plan_and_inlining_brings_the_methods_back(
        domain in networks::domains(),
        task in 0..networks::COMPOUNDS,
        bits in 1u32..128,
    ) {
        let before = document(&networks::written(&domain));
        let task = name(&format!("c{task}"));
        let method = &before.compound_tasks[&task].method;
        let ids = method.blocks.keys().enumerate();
        let ids: BTreeSet<BlockId> = ids.filter(|(n, _)| bits >> n & 1 == 1).map(|(_, id)| id.clone()).collect();
        let extracted = extract(&before, &task, &ids, &BTreeSet::new(), &mut fresh());
        prop_assume!(extracted.is_ok());
        let extracted = extracted.expect("assumed");
        let after = before.apply(&extracted.edit).expect("an edit that can be made");
        prop_assert_eq!(after.invariants(), Ok(()));
        let (edit, _) = inline(&after, &task, &extracted.block, &mut fresh())
            .map_err(TestCaseError::fail)?;
        let back = after.apply(&edit).expect("an edit that can be made");
        let again = &back.compound_tasks[&task].method;
        prop_assert_eq!(&again.blocks, &method.blocks);
        let all = |flow| methods(flow).expect("a chart").take(300).collect::<Vec<_>>();
        prop_assert_eq!(all(again), all(method));
        prop_assert!(!back.compound_tasks.contains_key(&extracted.task));
        // Only searches that end count as a case.
        let (was, is) = (steps(&before), steps(&after));
        prop_assume!(was.is_some() && is.is_some());
        prop_assert_eq!(was, is, "{:?} of {} in\n{}", ids, task, networks::written(&domain));
    }

    #[test]
    fn inlining_keeps_the_plan(domain in networks::domains(), number: usize) {
        let before = document(&networks::written(&domain));
        let all = before.compound_tasks.iter().flat_map(|(task, record)| {
            record.method.blocks.keys().map(move |id| (task.clone(), id.clone()))
        });
        let all: Vec<(Name, BlockId)> = all.collect();
        let inlined = (0..all.len()).find_map(|n| {
            let (task, id) = &all[(n + number) % all.len()];
            inline(&before, task, id, &mut fresh()).ok().map(|(edit, _)| (task, id, edit))
        });
        prop_assume!(inlined.is_some());
        let (task, id, edit) = inlined.expect("assumed");
        let after = before.apply(&edit).expect("an edit that can be made");
        prop_assert_eq!(after.invariants(), Ok(()));
        let (was, is) = (steps(&before), steps(&after));
        prop_assume!(was.is_some() && is.is_some());
        prop_assert_eq!(was, is, "{} of {} in\n{}", id, task, networks::written(&domain));
    }
}

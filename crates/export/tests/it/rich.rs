//! Random domains with everything that affects execution.

use std::sync::Arc;

use taskloom_document::{Agent, CastMember, Document, Info, Planning, Policy};

use super::host::scenario;
use testkit::charts::{Draw, Words, chart};

/// With objects that may be undefined, ranges, and conditions with arguments.
const RICH: Words = Words {
    conditions: &[
        "f0",
        "not f1",
        "g(?t)",
        "not g(w(?t))",
        "c(?t)",
        "c(w(?t))",
        "not c(w(?t))",
        "e(w(?t), ?t)",
        "not e(?t, h)",
        "k(?t) or f2",
        "not k(w(?t))",
        "w(?t) = ?t",
        "w(?t) != h",
        "w(w(?t)) = w(x1)",
        "h != ?t",
        "exists ?e: thing. w(?e) = ?t",
        "forall ?e: tool. c(w(?e)) imply f1",
        "d(w(?t)) > n",
        "d(w(?t)) != n",
        "n / d(?t) >= 1",
        "2 * d(?t) - 1 <= n + 1",
        "n < 3",
        "count ?e: thing. g(?e) >= 2",
        "count ?e: thing, ?o: tool. (w(?e) = ?t or c(?o)) > n",
        "sum ?e: thing. d(?e) of not c(w(?e)) <= 2 * n",
        "max ?e: thing. d(?e) of (w(?e) != ?t) = min ?e: thing. (d(?e) + n)",
        "min(d(?t), n) < max(d(w(?t)), 1)",
        "sqrt(n - d(?t)) >= floor(d(?t) / 2) or abs(d(?t) - n) > 2",
    ],
    effects: &[
        "f0",
        "not f0",
        "f1",
        "not f1",
        "f2",
        "g(?t)",
        "not g(?t)",
        "not g(w(?t))",
        "w(?t) := x1",
        "w(?t) := w(x1)",
        "w(x1) := ?t",
        "h := x3",
        "n += 1",
        "n -= 1",
        "n := d(w(?t))",
        "d(?t) += 0.5",
        "d(?t) := n",
        "n := count ?e: thing. (w(?e) != ?t)",
        "d(?t) := min(5, max ?e: thing. d(?e) of g(?e))",
        "n += ceil(d(?t) / 3) - 1",
        "f2 when c(w(?t))",
        "forall ?e: thing. w(?e) := ?t when w(?e) != ?t and g(?e)",
        "forall ?e: thing. not g(?e) when e(?e, ?t)",
    ],
    objects: &["x1", "x2", "x3", "w(x1)", "w(?t)", "h"],
    background: false,
};

const COSTS: &[&str] = &[
    "0",
    "2",
    "n + 1",
    "d(?t)",
    "2 * d(w(?t))",
    "0.5 * n",
    "count ?e: thing. not g(?e)",
    "sum ?e: thing, ?o: tool. d(?e) of (w(?e) = ?t) / 2",
    "max(d(w(?t)), floor(sqrt(n)))",
    "1 + min ?e: thing. d(?e) of g(?e)",
];

const EVENTS: &[&str] = &[
    "f0",
    "not f0",
    "not f1",
    "f2",
    "g(x1)",
    "not g(x2)",
    "w(x1) := x2",
    "w(x2) := w(x1)",
    "n := 3",
    "d(x2) := 0",
    "h := x3",
];

const GOALS: &[&str] = &["f0 or g(x1)", "not f1", "w(x1) != x2", "not c(w(x2))"];

/// A domain with everything that affects execution: actions that take time, integrity rules,
/// completion conditions, executed-only effects, and events. If it is `recursive`, its compound
/// tasks may call each other and themselves.
pub fn domain(seed: u64, recursive: bool) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9) + 7);
    let mut text = String::from(
        "type thing\ntype tool: thing\nobject x1: thing\nobject x2: thing\nobject x3: tool\n\
         fact f0\nfact f1\nfact f2\nfact g(?t: thing)\nnumber n integer 0..4\n\
         number d(?t: thing) 0..5\nvalue w(?t: thing): thing\nvalue h: tool\n\
         condition c(?a: thing): not g(?a)\n\
         condition e(?a: thing, ?b: thing): ?a != ?b or f0\n\
         condition k(?a: thing): c(w(?a)) and d(?a) < 3\n",
    );
    for duration in 0..4 {
        text += &format!("action a{duration}(?t: thing) {duration}\n");
    }
    let condition = |draw: &mut Draw, text: &mut String, word: &str, one_in: usize| {
        if draw.below(one_in) == 0 {
            *text += &format!("  {word} {}\n", draw.one(RICH.conditions));
        }
    };
    for number in 0..4 {
        text += &match draw.below(5) {
            4 => format!("primitive p{number}(?t: thing)\n"),
            action => format!("primitive p{number}(?t: thing) = a{action}(?t)\n"),
        };
        condition(&mut draw, &mut text, "pre", 8);
        condition(&mut draw, &mut text, "integrity", 6);
        condition(&mut draw, &mut text, "done", 2);
        for _ in 0..=draw.below(2) {
            text += &format!("  eff {}\n", draw.one(RICH.effects));
        }
        if draw.below(4) == 0 {
            text += &format!("  executed {}\n", draw.one(RICH.effects));
        }
        if draw.below(2) == 0 {
            text += &format!("  cost {}\n", draw.one(COSTS));
        }
    }
    let calls: [&[&str]; 2] = if recursive {
        [&["on", "go"]; 2]
    } else {
        [&["on"], &["p0"]]
    };
    for (name, calls) in ["go", "on"].into_iter().zip(calls) {
        text += &format!("compound {name}(?t: thing)\n");
        condition(&mut draw, &mut text, "pre", 9);
        condition(&mut draw, &mut text, "integrity", 5);
        chart(&mut draw, &RICH, calls, &mut text);
    }
    text += "scenario s\n";
    for fact in [
        "f0",
        "f1",
        "f2",
        "g(x1)",
        "g(x2)",
        "w(x1) = x3",
        "w(x2) = x2",
        "h = x3",
    ] {
        if draw.below(3) > 0 {
            text += &format!("  initial {fact}\n");
        }
    }
    for object in ["x1", "x2", "x3"] {
        text += &format!("  initial d({object}) = {}\n", draw.below(4));
    }
    for _ in 0..draw.below(10) {
        text += &format!("  event {} {}\n", draw.below(16), draw.one(EVENTS));
    }
    if draw.below(4) == 0 {
        text += &format!("  goal {}\n", draw.one(GOALS));
    }
    text += "  task go(x2)\n";
    if draw.below(3) == 0 {
        text += "  task on(x1)\n";
    }
    text
}

/// Returns a domain's document, in whose scenario an agent may use the policy `cheapest`.
pub fn document(title: &str, domain: &str, cheapest: bool) -> Document {
    let mut document = testkit::domain::document(domain);
    document.info = Arc::new(Info {
        title: title.to_owned(),
        note: String::new(),
    });
    if cheapest {
        let name = scenario();
        let agent = Agent {
            planning: Planning::Decomposition {
                tasks: vec![],
                policy: Policy::Cheapest,
            },
            ..Agent::default()
        };
        document.agents.insert(name.clone(), Arc::new(agent));
        let record = document.scenarios.get_mut(&name).expect("the scenario");
        Arc::make_mut(record).cast.push(CastMember::playing(name));
    }
    document
}

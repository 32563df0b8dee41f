//! Domains drawn at random: two compound tasks with any flowcharts that call each
//! other and four primitive tasks.

/// Numbers that look random and are always the same (Knuth's MMIX generator).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// What charts and tasks are drawn from.
struct Words {
    conditions: &'static [&'static str],
    effects: &'static [&'static str],
    /// Arguments of tasks, beside the variables.
    objects: &'static [&'static str],
}

const PLAIN: Words = Words {
    conditions: &[
        "f0",
        "f1",
        "f2",
        "not f0",
        "not f1",
        "g(?t)",
        "not g(?t)",
        "f0 or f2",
        "n >= 2",
        "n < 2",
        "exists ?e: thing. g(?e) and ?e != ?t",
        "d(?t) > n",
    ],
    effects: &[
        "f0",
        "f1",
        "f2",
        "not f0",
        "not f1",
        "g(?t)",
        "not g(?t)",
        "n += 1",
        "n -= 1",
        "n := 2",
        "forall ?e: thing. g(?e) when ?e != ?t and f1",
    ],
    objects: &["x1", "x2", "x3"],
};

/// With objects that may be missing, ranges, and conditions with arguments.
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
        "f2 when c(w(?t))",
        "forall ?e: thing. w(?e) := ?t when w(?e) != ?t and g(?e)",
        "forall ?e: thing. not g(?e) when e(?e, ?t)",
    ],
    objects: &["x1", "x2", "x3", "w(x1)", "w(?t)", "h"],
};

const COSTS: &[&str] = &["0", "2", "n + 1", "d(?t)", "2 * d(w(?t))", "0.5 * n"];

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

/// A domain for the language of test domains.
pub fn domain(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9) + 1);
    let mut text = String::from(
        "type thing\nobject x1: thing\nobject x2: thing\nobject x3: thing\n\
         fact f0\nfact f1\nfact f2\nfact g(?t: thing)\nnumber n integer 0..4\n\
         number d(?t: thing)\n",
    );
    for number in 0..4 {
        text += &format!("primitive p{number}(?t: thing)\n");
        if draw.below(4) == 0 {
            text += &format!("  pre {}\n", draw.one(PLAIN.conditions));
        }
        for _ in 0..=draw.below(2) {
            text += &format!("  eff {}\n", draw.one(PLAIN.effects));
        }
    }
    for name in ["go", "on"] {
        text += &format!("compound {name}(?t: thing)\n");
        if draw.below(5) == 0 {
            text += &format!("  pre {}\n", draw.one(PLAIN.conditions));
        }
        chart(&mut draw, &PLAIN, &["on", "go"], &mut text);
    }
    text += "scenario s\n";
    for fact in ["f0", "f1", "f2", "g(x1)", "g(x2)", "g(x3)"] {
        if draw.below(2) == 0 {
            text += &format!("  initial {fact}\n");
        }
    }
    for object in ["x1", "x2", "x3"] {
        text += &format!("  initial d({object}) = {}\n", draw.below(4));
    }
    text + "  task go(x2)\n"
}

/// A domain with whatever makes a difference while a plan is carried out: actions that take
/// time, integrity rules, completion conditions, effects that are only executed, events.
/// Its compound tasks may call each other and themselves if it is `recursive`.
pub fn rich_domain(seed: u64, recursive: bool) -> String {
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

fn chart(draw: &mut Draw, words: &Words, compounds: &[&str], text: &mut String) {
    let mut outputs: Vec<(usize, Vec<&str>)> = vec![(0, vec!["out"])];
    *text += "  block b0 begin\n";
    let count = 3 + draw.below(8);
    let mut binds = vec!["?t"];
    for number in 1..=count {
        let (block, ports) = match draw.below(8) {
            0 | 1 => (
                format!("branch {}", draw.one(words.conditions)),
                vec!["true", "false"],
            ),
            2 => ("choice one, two".to_owned(), vec!["1", "2"]),
            3 => {
                let variable = draw.one(&["?u", "?v", "?t"]);
                let mut block = format!("bind {variable}: thing");
                if draw.below(2) == 0 {
                    block += &format!(" where {}g({variable})", draw.one(&["", "not "]));
                }
                if draw.below(2) == 0 {
                    block += &format!(" by {}d({variable})", draw.one(&["", "-"]));
                }
                binds.push(variable);
                (block, vec!["out"])
            }
            4 if number == count => ("end".to_owned(), vec![]),
            _ => {
                let task = match draw.below(12) {
                    0 => draw.one(compounds),
                    _ => draw.one(&["p0", "p1", "p2", "p3"]),
                };
                let arg = match draw.below(3) {
                    0 => draw.one(words.objects),
                    1 => draw.one(&["?t"]),
                    _ => draw.one(&binds),
                };
                (format!("task {task}({arg})"), vec!["out"])
            }
        };
        *text += &format!("  block b{number} {block}\n");
        for _ in 0..=draw.below(3) / 2 {
            let (from, ports) = &outputs[outputs.len() - 1 - draw.below(outputs.len().min(4))];
            let wire = format!("  wire b{from}.{} -> b{number}\n", draw.one(ports));
            if !text.ends_with(&wire) {
                *text += &wire;
            }
        }
        if !ports.is_empty() {
            outputs.push((number, ports));
        }
    }
}

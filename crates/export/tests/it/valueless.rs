//! A domain with undefined values wherever they can occur.

/// Formulas with an undefined part.
const VALUELESS: &[&str] = &[
    "lit(where(x))",
    "dark(where(x))",
    "dark(x)",
    "same(where(x), y)",
    "same(y, where(x))",
    "same(x, y)",
    "always(where(x))",
    "always(x)",
    "within(x)",
    "counted(where(x))",
    "counted(x)",
    "where(x) = where(y)",
    "where(x) = x",
    "x = who",
    "who = base",
    "where(where(x)) = y",
    "num = 0",
    "num / 0 = 1",
    "num / 0 < 1",
    "num / 0 >= 1",
    "-(num / 0) >= 1",
    "of(where(x)) = 0",
    "of(where(x)) + 1 > 0",
    "of(where(x)) = of(where(y))",
    "of(x) = of(y)",
    "big * 10 > big",
    "big * 10 = big * 10",
    "-(big + big) < 0",
    "1 / (big * 10) = 0",
    "big * 10 - big * 10 = 0",
    "count ?p: thing. same(where(?p), ?p) = 3",
    "count ?p: thing, ?q: tool. (where(?p) = ?q) = 0",
    "min ?p: thing. num of lit(?p) >= 0",
    "max ?p: thing. num of lit(?p) = 0",
    "min ?p: thing, ?q: tool. num of (lit(?p) or ?q = who) < 1",
    "max ?p: thing. (num / 0) < 1",
    "sum ?p: thing. of(where(?p)) >= 0",
    "sum ?p: thing. of(where(?p)) of (where(?p) = y) = 0",
    "sum ?p: thing. (-1) = -3",
    "sum ?p: thing, ?q: thing. (big - 1) > 0",
    "max ?p: thing. (big * 10) > 0",
    "-min ?p: thing. -num <= 0",
    "min(num, big * 10) = 0",
    "max(num / 0, 1) >= 1",
    "abs(of(where(x))) >= 0",
    "abs(-3) + floor(-2) + ceil(2) = 3",
    "floor(-0.5) = -1 and ceil(-0.5) = 0",
    "sqrt(num - 1) <= 0",
    "sqrt(4) * min(3, 100000) * min(100000, 200000) > 500000",
    "sqrt(big * 10) > 0",
    "exists ?p: thing. same(where(?p), ?p)",
    "exists ?p: thing. ?p = where(x)",
    "forall ?p: thing. dark(where(?p))",
    "forall ?p: thing. where(?p) = y imply dark(where(?p))",
    "not dark(where(x)) and not lit(where(x))",
    "not (dark(where(x)) or same(where(x), y))",
    "dark(where(x)) imply lit(x)",
];

/// Impossible effects: they need an undefined value, or leave a range.
const IMPOSSIBLE: &[&str] = &[
    "lit(where(x))",
    "not lit(where(x))",
    "where(x) := where(y)",
    "where(where(x)) := x",
    "of(where(x)) := 1",
    "num := num / 0",
    "num := sqrt(-1 - num)",
    "num += max ?p: thing. num of lit(?p)",
    "num := min(1, num / 0)",
    "num += of(where(x))",
    "num -= big * 10",
    "num := 1 / (big * 10)",
    "lit(where(x)) when dark(x)",
    "forall ?p: thing. where(?p) := where(where(?p))",
    "small := num + 7",
    "small := num",
    "small += num",
    "small += 1.5",
    "small -= 1",
];

/// A task that checks which of the formulas are true, and that their negations are not; the
/// alternatives before it are impossible.
pub fn domain() -> String {
    let mut text = String::from(
        "type thing\ntype tool: thing\nobject x: thing\nobject y: thing\nobject base: tool\n\
         value where(?x: thing): thing\nvalue who: tool\nfact lit(?x: thing)\nnumber num\n\
         number of(?x: thing)\nnumber small integer 1..5\n\
         condition dark(?x: thing): not lit(?x)\n\
         condition same(?a: thing, ?b: thing): ?a != ?b\n\
         condition always(?x: thing): true\n\
         condition within(?x: thing): dark(where(?x))\n\
         condition counted(?x: thing): of(?x) != 1 or lit(?x)\n\
         primitive walk(?x: thing)\n  eff lit(?x)\n",
    );
    for (n, formula) in VALUELESS.iter().enumerate() {
        let facts = format!("fact holds{n}\nfact fails{n}\n");
        let negated = formula.replacen(" = ", " != ", 1);
        let negated = if formula.matches(['=', '(']).count() == 1 && negated != *formula {
            negated
        } else {
            format!("not ({formula})")
        };
        text = facts + &text;
        text += &format!("primitive see{n}\n  eff holds{n} when {formula}\n");
        text += &format!("  eff fails{n} when {negated}\n");
    }
    let see: Vec<String> = (0..VALUELESS.len()).map(|n| format!("see{n}")).collect();
    text += &format!("compound see\n  sequence {}\n", see.join("; "));
    for (n, effect) in IMPOSSIBLE.iter().enumerate() {
        text += &format!("primitive impossible{n}\n  eff {effect}\n");
    }
    let mut ways: Vec<String> = (0..IMPOSSIBLE.len())
        .map(|n| format!("task impossible{n}"))
        .collect();
    ways.extend(["task walk(where(x))", "task walk(where(where(y)))"].map(str::to_owned));
    ways.push("bind ?p: tool where ?p = who".to_owned());
    ways.push("bind ?p: thing where same(where(?p), y) by of(where(?p))".to_owned());
    ways.push("task see".to_owned());
    let labels: Vec<String> = (0..ways.len()).map(|n| n.to_string()).collect();
    text += "compound go\n  block b begin\n";
    text += &format!(
        "  block c choice {}\n  wire b.out -> c\n",
        labels.join(", ")
    );
    for (n, way) in ways.iter().enumerate() {
        text += &format!("  block w{n} {way}\n  wire c.{} -> w{n}\n", n + 1);
    }
    // Near the largest representable number.
    let text = text.replace("big", &format!("1{}", "0".repeat(308)));
    text + "scenario s\n  initial where(base) = y\n  task go\n"
}

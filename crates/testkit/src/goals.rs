//! Random domains with actions of every kind, and a goal.

use std::fmt::Write;

use crate::random::Random;

/// Generates an object that can be named in a scope with this many parameters.
fn thing(random: &mut Random, params: usize) -> &'static str {
    let all = ["a", "b", "?t", "?u"];
    all[random.below(2 + params)]
}

/// Generates a number with a fraction.
fn decimal(random: &mut Random) -> &'static str {
    let all = ["0.1", "0.25", "0.3", "0.5", "0.7"];
    all[random.below(all.len())]
}

fn place(random: &mut Random, params: usize) -> String {
    match random.below(4) {
        0 => format!("at({})", thing(random, params)),
        n => format!("p{}", n - 1),
    }
}

fn number(random: &mut Random, params: usize) -> String {
    match random.below(7) {
        0 => "n".into(),
        1 => "d".into(),
        2 => format!("m({})", thing(random, params)),
        3 => "(count ?x: thing. g(?x))".into(),
        4 => format!("far({}, {})", place(random, params), place(random, params)),
        5 => format!("(m({}) + n)", thing(random, params)),
        _ => random.below(4).to_string(),
    }
}

/// Generates an atomic condition.
pub fn test(random: &mut Random, params: usize, depth: usize) -> String {
    match random.below(if depth == 0 { 9 } else { 13 }) {
        0 => format!("f{}", random.below(3)),
        1 => format!("not f{}", random.below(3)),
        2 => format!("g({})", thing(random, params)),
        3 => format!("not g({})", thing(random, params)),
        4 => format!("at({}) = {}", thing(random, params), place(random, params)),
        5 => format!("at({}) != {}", thing(random, params), place(random, params)),
        6 => {
            let sign = random.pick(&[">=", "<=", "=", "!=", ">", "<"]);
            format!("{} {sign} {}", number(random, params), random.below(6))
        }
        7 => format!("h({})", place(random, params)),
        8 => {
            let sign = random.pick(&[">=", "<=", "=", ">", "<"]);
            format!("d {sign} {}", decimal(random))
        }
        9 => {
            let (a, b) = (test(random, params, 0), test(random, params, 0));
            format!("({a} or {b})")
        }
        10 => format!("not ({})", test(random, params, depth - 1)),
        11 => of_all(random),
        _ => format!("known({})", thing(random, params)),
    }
}

/// Generates a quantified condition, or a comparison of a count.
fn of_all(random: &mut Random) -> String {
    let what = random.pick(&["g(?x)", "at(?x) = p0", "m(?x) >= 1", "not h(at(?x))"]);
    match *random.pick(&["exists", "forall", "count"]) {
        "count" => format!("(count ?x: thing. {what}) >= {}", 1 + random.below(2)),
        kind => format!("({kind} ?x: thing. {what})"),
    }
}

fn effect(random: &mut Random, params: usize) -> String {
    let change = match random.below(13) {
        0 | 1 => format!("f{}", random.below(3)),
        2 => format!("not f{}", random.below(3)),
        3 => format!("g({})", thing(random, params)),
        4 => format!("not g({})", thing(random, params)),
        5 | 6 => format!("at({}) := {}", thing(random, params), place(random, params)),
        7 => {
            let sign = random.pick(&["+=", "+=", "-="]);
            format!("n {sign} {}", random.pick(&[1, 2, 5]))
        }
        8 => format!("m({}) -= 1", thing(random, params)),
        9 => format!("n := {}", number(random, params)),
        10 => {
            let sign = random.pick(&["+=", "-=", ":="]);
            format!("d {sign} {}", decimal(random))
        }
        11 => "d += 0.5".into(),
        _ => format!("h({})", place(random, params)),
    };
    match random.below(5) {
        0 => format!("{change} when {}", test(random, params, 0)),
        1 if random.below(2) == 0 => {
            let of_all = random.pick(&["not g(?x)", "g(?x) when m(?x) >= 1", "m(?x) += 1"]);
            format!("forall ?x: thing. {of_all}")
        }
        _ => change,
    }
}

/// Generates a domain and a scenario `s` with a goal and no tasks, as text.
pub fn domain(random: &mut Random) -> String {
    let most = random.pick(&[3, 5, 8]);
    let mut text = format!(
        "type thing: object\ntype place: object\n\
         object a: thing\nobject b: thing\nobject p0: place\nobject p1: place\nobject p2: place\n\
         fact f0\nfact f1\nfact f2\nfact g(?t: thing)\nfact h(?p: place)\n\
         value at(?t: thing): place\nnumber n integer 0..{most}\nnumber d 0..1.5\nnumber m(?t: thing) integer 0..2\n\
         number far(?p: place, ?q: place) integer 0..9\n\
         condition known(?t: thing): g(?t) or at(?t) = p1\n",
    );
    for task in 0..3 + random.below(3) {
        let params = random.below(3);
        let head = ["", "(?t: thing)", "(?t: thing, ?u: thing)"][params];
        let _ = writeln!(text, "primitive t{task}{head}");
        for _ in 0..random.below(3) {
            let _ = writeln!(text, "  pre {}", test(random, params, 1));
        }
        // Several may add to the same number.
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(text, "  eff {}", effect(random, params));
        }
        match random.below(6) {
            0 => {}
            1 => {
                let cost = random.pick(&["0", "0.5", "d", "0.5 * n", "2 - d"]);
                let _ = writeln!(text, "  cost {cost}");
            }
            2 => {
                let _ = writeln!(text, "  cost {}", number(random, params));
            }
            _ => {
                let _ = writeln!(text, "  cost {}", 1 + random.below(4));
            }
        }
    }
    text.push_str("scenario s\n");
    for initial in [
        "f0",
        "g(a)",
        "h(p1)",
        "at(a) = p0",
        "at(b) = p2",
        "n = 1",
        "d = 0.5",
        "m(b) = 2",
    ] {
        if random.below(2) == 0 {
            let _ = writeln!(text, "  initial {initial}");
        }
    }
    let _ = writeln!(text, "  initial far(p0, p1) = 2\n  initial far(p1, p0) = 1");
    let parts = 1 + random.below(3);
    let goal = (0..parts).map(|_| match random.below(4) {
        0 => of_all(random),
        _ => test(random, 0, 1),
    });
    let goal: Vec<String> = goal.collect();
    let _ = writeln!(text, "  goal {}", goal.join(" and "));
    text
}

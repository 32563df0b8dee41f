//! Random domains for classical planners: no numbers except costs, and a goal.

use std::fmt::Write;
use testkit::charts::Draw;

/// Generates an object that can be named in a scope with this many parameters.
fn thing(draw: &mut Draw, params: usize) -> &'static str {
    let all = ["a", "b", "c", "?t", "?u"];
    all[draw.below(3 + params)]
}

fn place(draw: &mut Draw, params: usize) -> String {
    match draw.below(4) {
        0 => format!("at({})", thing(draw, params)),
        n => format!("p{}", n - 1),
    }
}

/// Generates a condition.
fn test(draw: &mut Draw, params: usize, depth: usize) -> String {
    match draw.below(if depth == 0 { 7 } else { 11 }) {
        0 => format!("f{}", draw.below(3)),
        1 => format!("not f{}", draw.below(3)),
        2 => format!("g({})", thing(draw, params)),
        3 => format!("not g({})", thing(draw, params)),
        4 => format!("at({}) = {}", thing(draw, params), place(draw, params)),
        5 => format!("at({}) != {}", thing(draw, params), place(draw, params)),
        6 => format!("h({})", place(draw, params)),
        7 => {
            let (a, b) = (test(draw, params, 0), test(draw, params, 0));
            let sign = draw.one(&["or", "imply"]);
            format!("({a} {sign} {b})")
        }
        8 => format!("not ({})", test(draw, params, depth - 1)),
        9 => {
            let kind = draw.one(&["exists", "forall"]);
            let body = draw.one(&["g(?x)", "at(?x) = p0", "not known(?x)", "h(at(?x))"]);
            format!("({kind} ?x: thing. {body})")
        }
        _ => format!("known({})", thing(draw, params)),
    }
}

fn effect(draw: &mut Draw, params: usize) -> String {
    let change = match draw.below(8) {
        0 | 1 => format!("f{}", draw.below(3)),
        2 => format!("not f{}", draw.below(3)),
        3 => format!("g({})", thing(draw, params)),
        4 => format!("not g({})", thing(draw, params)),
        5 | 6 => format!("at({}) := {}", thing(draw, params), place(draw, params)),
        _ => format!("h({})", place(draw, params)),
    };
    match draw.below(5) {
        0 => format!("{change} when {}", test(draw, params, 0)),
        1 if draw.below(2) == 0 => {
            let of_all = draw.one(&["not g(?x)", "g(?x) when at(?x) = p1", "not h(at(?x))"]);
            format!("forall ?x: thing. {of_all}")
        }
        _ => change,
    }
}

/// Generates a domain and a scenario `s` with a goal and no tasks, as text.
pub fn domain(seed: u64) -> String {
    let draw = &mut Draw(seed.wrapping_mul(0x9e37_79b9) + 5);
    let mut text = String::from(
        "type thing: object\ntype place: object\nobject a: thing\nobject b: thing\n\
         object c: thing\nobject p0: place\nobject p1: place\nobject p2: place\n\
         fact f0\nfact f1\nfact f2\nfact g(?t: thing)\nfact h(?p: place)\n\
         value at(?t: thing): place\nnumber far(?p: place, ?q: place) integer 0..9\n\
         condition known(?t: thing): g(?t) or at(?t) = p1\n",
    );
    for task in 0..4 + draw.below(4) {
        let params = draw.below(3);
        let head = ["", "(?t: thing)", "(?t: thing, ?u: thing)"][params];
        let _ = writeln!(text, "primitive t{task}{head}");
        for _ in 0..draw.below(3) {
            let _ = writeln!(text, "  pre {}", test(draw, params, 1));
        }
        for _ in 0..1 + draw.below(2) {
            let _ = writeln!(text, "  eff {}", effect(draw, params));
        }
        match draw.below(4) {
            0 => {}
            1 => {
                let (from, to) = (place(draw, params), place(draw, params));
                let _ = writeln!(text, "  cost far({from}, {to})");
            }
            _ => {
                let _ = writeln!(text, "  cost {}", 1 + draw.below(4));
            }
        }
    }
    text.push_str("scenario s\n");
    for initial in ["f0", "g(a)", "h(p1)", "at(a) = p0", "at(b) = p2"] {
        if draw.below(2) == 0 {
            let _ = writeln!(text, "  initial {initial}");
        }
    }
    let _ = writeln!(text, "  initial far(p0, p1) = 2\n  initial far(p1, p2) = 5");
    let goal: Vec<String> = (0..1 + draw.below(4)).map(|_| test(draw, 0, 1)).collect();
    let _ = writeln!(text, "  goal {}", goal.join(" and "));
    text
}

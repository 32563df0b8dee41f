//! Random domains with costs, small enough to list all of their plans, and their text.

use std::fmt::Write;

use proptest::prelude::*;

pub const OBJECTS: u8 = 2;
pub const PRIMITIVES: u8 = 3;
const COMPOUNDS: u8 = 3;

/// `o0`, the parameter `?x`, or the variable `?b` of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg {
    Object(u8),
    Param,
    Bound,
}

/// `f0`, `g1(?x)` or `n >= 2`, or its negation.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    Plain(u8, bool),
    Of(u8, Arg, bool),
    AtLeast(u8, bool),
}

/// `constant + of_n * n + of_w * w(?x)`, where `w` never changes.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    pub constant: i8,
    pub of_n: i8,
    pub of_w: i8,
}

#[derive(Debug, Clone)]
pub struct Primitive {
    pub needs: Vec<Test>,
    pub effects: Vec<Test>,
    pub adds: i8,
    pub cost: Cost,
}

/// An output of the only Choice of a compound task: a precondition, a variable such that `g(?b)` is
/// true, and a partially ordered network.
#[derive(Debug, Clone)]
pub struct Method {
    pub needs: Vec<Test>,
    pub bind: Option<u8>,
    pub tasks: Vec<(u8, Arg)>,
    /// Pairs of tasks: the first comes before the second, which has a greater number.
    pub order: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub struct Domain {
    pub primitives: Vec<Primitive>,
    pub compounds: Vec<Vec<Method>>,
    pub initial: Vec<Test>,
    pub weights: [u8; OBJECTS as usize],
    pub roots: Vec<(u8, u8)>,
    pub goal: Option<Test>,
}

impl Domain {
    /// `true` if a step may have a negative cost.
    pub fn is_negative(&self) -> bool {
        let least = |c: &Cost| c.constant + 3 * c.of_n.min(0);
        self.primitives.iter().any(|p| least(&p.cost) < 0)
    }
}

fn arg(arg: Arg) -> String {
    match arg {
        Arg::Object(object) => format!("o{object}"),
        Arg::Param => "?x".to_owned(),
        Arg::Bound => "?b".to_owned(),
    }
}

fn text(test: &Test) -> String {
    let (is, text) = match test {
        Test::Plain(fact, is) => (is, format!("f{fact}")),
        Test::Of(fact, of, is) => (is, format!("g{fact}({})", arg(*of))),
        Test::AtLeast(k, is) => (is, format!("n >= {k}")),
    };
    if *is { text } else { format!("not {text}") }
}

pub fn task(task: u8) -> String {
    match task.checked_sub(PRIMITIVES) {
        None => format!("p{task}"),
        Some(compound) => format!("c{compound}"),
    }
}

/// Returns the domain as a text for `domain::document`.
pub fn written(domain: &Domain) -> String {
    let mut out = "type thing\nobject o0: thing\nobject o1: thing\nfact f0\nfact f1\n\
                   fact g0(?t: thing)\nfact g1(?t: thing)\nnumber n integer 0..3\n\
                   number w(?t: thing)\n"
        .to_owned();
    for (number, primitive) in domain.primitives.iter().enumerate() {
        let _ = writeln!(out, "primitive p{number}(?x: thing)");
        let (needs, effects) = (primitive.needs.iter(), primitive.effects.iter());
        needs.for_each(|t| out += &format!("  pre {}\n", text(t)));
        effects.for_each(|t| out += &format!("  eff {}\n", text(t)));
        if primitive.adds != 0 {
            let _ = writeln!(out, "  eff n += {}", primitive.adds);
        }
        let Cost {
            constant,
            of_n,
            of_w,
        } = primitive.cost;
        // Some conditions express the same in other words.
        let (n, w) = match constant % 3 {
            0 => ("n", "w(?x)"),
            1 => (
                "min(3, abs(-max(n, 0)))",
                "sum ?o: thing. w(?o) of (?o = ?x)",
            ),
            _ => (
                "floor(sqrt(n * n))",
                "(max ?o: thing. w(?o) of (?o = ?x) + count ?o: thing. (?o != ?x) - 1)",
            ),
        };
        let _ = writeln!(out, "  cost {constant} + {of_n} * {n} + {of_w} * {w}");
    }
    for (number, methods) in domain.compounds.iter().enumerate() {
        let outputs: Vec<String> = (0..methods.len()).map(|m| format!("m{m}")).collect();
        let _ = writeln!(out, "compound c{number}(?x: thing)");
        let _ = writeln!(
            out,
            "  block a begin\n  block b choice {}",
            outputs.join(",")
        );
        out += "  wire a.out -> b\n";
        for (m, method) in methods.iter().enumerate() {
            written_method(&mut out, m, method);
        }
    }
    out += "scenario s\n";
    let initial = domain.initial.iter();
    initial.for_each(|t| out += &format!("  initial {}\n", text(t)));
    let weights = domain.weights.iter().enumerate();
    weights.for_each(|(o, w)| out += &format!("  initial w(o{o}) = {w}\n"));
    let roots = domain.roots.iter();
    roots.for_each(|(t, o)| out += &format!("  task {}(o{o})\n", task(*t)));
    let goal = domain.goal.iter();
    goal.for_each(|t| out += &format!("  goal {}\n", text(t)));
    out
}

fn written_method(out: &mut String, m: usize, method: &Method) {
    let mut last = format!("b.{}", m + 1);
    if !method.needs.is_empty() {
        let needs: Vec<String> = method.needs.iter().map(text).collect();
        let _ = writeln!(out, "  block n{m} branch {}", needs.join(" and "));
        let _ = writeln!(out, "  wire {last} -> n{m}");
        last = format!("n{m}.true");
    }
    if let Some(fact) = method.bind {
        let _ = writeln!(out, "  block v{m} bind ?b: thing where g{fact}(?b)");
        let _ = writeln!(out, "  wire {last} -> v{m}");
        last = format!("v{m}.out");
    }
    let _ = writeln!(out, "  block e{m} end");
    if method.tasks.is_empty() {
        let _ = writeln!(out, "  wire {last} -> e{m}");
    }
    for (number, (callee, of)) in method.tasks.iter().enumerate() {
        let _ = writeln!(
            out,
            "  block t{m}x{number} task {}({})",
            task(*callee),
            arg(*of)
        );
        if method.order.iter().all(|(_, to)| *to != number) {
            let _ = writeln!(out, "  wire {last} -> t{m}x{number}");
        }
    }
    for (from, to) in &method.order {
        let _ = writeln!(out, "  wire t{m}x{from}.out -> t{m}x{to}");
    }
}

fn args() -> impl Strategy<Value = Arg> {
    prop_oneof![
        (0..OBJECTS).prop_map(Arg::Object),
        Just(Arg::Param),
        Just(Arg::Bound)
    ]
}

/// A test or an effect of a task, whose variable is its parameter.
fn literals() -> impl Strategy<Value = Test> {
    let of = prop_oneof![(0..OBJECTS).prop_map(Arg::Object), Just(Arg::Param)];
    prop_oneof![
        (0u8..2, any::<bool>()).prop_map(|(f, is)| Test::Plain(f, is)),
        (0u8..2, of, any::<bool>()).prop_map(|(g, a, is)| Test::Of(g, a, is)),
    ]
}

fn needs() -> impl Strategy<Value = Vec<Test>> {
    let number = (1u8..4, any::<bool>()).prop_map(|(k, is)| Test::AtLeast(k, is));
    prop_oneof![
        3 => Just(vec![]),
        1 => literals().prop_map(|t| vec![t]),
        1 => number.prop_map(|t| vec![t]),
    ]
}

prop_compose! {
    fn costs()(constant in 0i8..4, of_n in -1i8..3, of_w in 0i8..2, low in 0u8..10) -> Cost {
        // Usually not negative, for any n.
        let constant = match (of_n, low) {
            (_, 0) => constant - 2,
            (-1, _) => constant + 3,
            _ => constant,
        };
        Cost { constant, of_n, of_w }
    }
}

prop_compose! {
    fn primitives()(
        needs in needs(),
        effects in prop::collection::vec(literals(), 0..3),
        adds in prop_oneof![2 => Just(0i8), 1 => -1i8..2],
        cost in costs(),
    ) -> Primitive {
        Primitive { needs, effects, adds, cost }
    }
}

prop_compose! {
    fn methods()(
        needs in needs(),
        bind in prop::option::weighted(0.4, 0u8..2),
        tasks in prop::collection::vec((prop_oneof![3 => 0..PRIMITIVES, 2 => 0..PRIMITIVES + COMPOUNDS], args()), 0..4),
        total in any::<bool>(),
        pairs in prop::collection::vec((0usize..4, 0usize..4), 0..3),
    ) -> Method {
        let unbound = |(task, arg)| match arg {
            Arg::Bound if bind.is_none() => (task, Arg::Param),
            arg => (task, arg),
        };
        let tasks: Vec<(u8, Arg)> = tasks.into_iter().map(unbound).collect();
        let mut order: Vec<(usize, usize)> = match total {
            true => (1..tasks.len()).map(|to| (to - 1, to)).collect(),
            false => pairs.into_iter().filter(|(a, b)| a < b && *b < tasks.len()).collect(),
        };
        order.sort_unstable();
        order.dedup();
        Method { needs, bind, tasks, order }
    }
}

prop_compose! {
    pub fn domains()(
        primitives in prop::collection::vec(primitives(), PRIMITIVES as usize),
        compounds in prop::collection::vec(
            prop::collection::vec(methods(), 1..4), COMPOUNDS as usize),
        initial in prop::collection::vec(literals().prop_map(|t| match t {
            Test::Of(g, Arg::Object(o), _) => Test::Of(g, Arg::Object(o), true),
            Test::Of(g, ..) => Test::Of(g, Arg::Object(0), true),
            Test::Plain(f, _) => Test::Plain(f, true),
            other => other,
        }), 0..4),
        weights in [0u8..4, 0..4],
        roots in prop::collection::vec((PRIMITIVES..PRIMITIVES + COMPOUNDS, 0..OBJECTS), 1..3),
        goal in prop::option::weighted(0.3, (0u8..2, any::<bool>()).prop_map(|(f, is)| Test::Plain(f, is))),
    ) -> Domain {
        Domain { primitives, compounds, initial, weights, roots, goal }
    }
}

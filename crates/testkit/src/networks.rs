//! Random domains, small enough to be searched exhaustively, and their text.

use std::fmt::Write;

use proptest::prelude::*;

/// The number of objects.
pub const OBJECTS: u8 = 2;
/// The number of primitive tasks, which come before the compound ones.
pub const PRIMITIVES: u8 = 3;
/// The number of compound tasks.
pub const COMPOUNDS: u8 = 3;

/// An argument of a task or fact.
#[derive(Debug, Clone, Copy)]
pub enum Arg {
    /// `o0`.
    Object(u8),
    /// The parameter `?x`.
    Param,
    /// The variable of a Bind block.
    Bound(usize),
}

/// A test of a fact or of the number, or its negation.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// `f0`.
    Plain(u8, bool),
    /// `g1(?x)`.
    Of(u8, Arg, bool),
    /// `n >= 2`.
    AtLeast(u8, bool),
}

/// A block of a flowchart.
#[derive(Debug, Clone)]
pub enum Block {
    /// A call, how often it is done, and whether that is in the background.
    Task(u8, Arg, u8, bool),
    /// A call, how often it is done at most, and the test while which it is. The test is about nothing
    /// but the call's argument.
    While(u8, Arg, u8, Test),
    /// A condition.
    Branch(Test),
    /// The number of alternatives.
    Choice(u8),
    /// The condition of its variable.
    Bind(Test),
}

/// A primitive task.
#[derive(Debug, Clone)]
pub struct Primitive {
    /// Its preconditions.
    pub needs: Vec<Test>,
    /// The tests that are true after it.
    pub effects: Vec<Test>,
    /// The amount that it adds to the number.
    pub adds: i8,
}

/// A compound task.
#[derive(Debug, Clone)]
pub struct Compound {
    /// Its preconditions.
    pub needs: Vec<Test>,
    /// The blocks after Begin, which is number 0.
    pub blocks: Vec<Block>,
    /// From a block and the number of its output, to a block.
    pub wires: Vec<(usize, u8, usize)>,
}

/// A domain with a scenario.
#[derive(Debug, Clone)]
pub struct Domain {
    /// The primitive tasks.
    pub primitives: Vec<Primitive>,
    /// The compound tasks.
    pub compounds: Vec<Compound>,
    /// The facts that are true initially.
    pub initial: Vec<Test>,
    /// The scenario's tasks, each with an object.
    pub roots: Vec<(u8, u8)>,
    /// The scenario's goal.
    pub goal: Option<Test>,
}

fn arg(arg: Arg) -> String {
    match arg {
        Arg::Object(object) => format!("o{object}"),
        Arg::Param => "?x".to_owned(),
        Arg::Bound(block) => format!("?b{block}"),
    }
}

fn text(test: Test) -> String {
    let (is, text) = match test {
        Test::Plain(fact, is) => (is, format!("f{fact}")),
        Test::Of(fact, of, is) => (is, format!("g{fact}({})", arg(of))),
        Test::AtLeast(k, is) => (is, format!("n >= {k}")),
    };
    if is { text } else { format!("not {text}") }
}

/// Returns the name of a task.
pub fn task(task: u8) -> String {
    match task.checked_sub(PRIMITIVES) {
        None => format!("p{task}"),
        Some(compound) => format!("c{compound}"),
    }
}

/// Returns the domain in the language of the test domains.
pub fn written(domain: &Domain) -> String {
    let mut out = String::from("type thing\n");
    for object in 0..OBJECTS {
        let _ = writeln!(out, "object o{object}: thing");
    }
    out += "fact f0\nfact f1\nfact g0(?x: thing)\nfact g1(?x: thing)\nnumber n integer 0..3\n";
    for (number, primitive) in domain.primitives.iter().enumerate() {
        let _ = writeln!(out, "primitive p{number}(?x: thing)");
        primitive
            .needs
            .iter()
            .for_each(|t| out += &format!("  pre {}\n", text(*t)));
        primitive
            .effects
            .iter()
            .for_each(|t| out += &format!("  eff {}\n", text(*t)));
        let _ = writeln!(out, "  eff n += {}", primitive.adds);
    }
    for (number, compound) in domain.compounds.iter().enumerate() {
        let _ = writeln!(out, "compound c{number}(?x: thing)");
        compound
            .needs
            .iter()
            .for_each(|t| out += &format!("  pre {}\n", text(*t)));
        out += "  block k0 begin\n";
        for (number, block) in (1..).zip(&compound.blocks) {
            let block = match block {
                Block::Task(callee, of, times, is_background) => {
                    let repeat = match times {
                        1 => String::new(),
                        _ => format!(" repeat {times}"),
                    };
                    let background = if *is_background { " background" } else { "" };
                    format!("task {}({}){repeat}{background}", task(*callee), arg(*of))
                }
                Block::While(callee, of, times, test) => format!(
                    "task {}({}) repeat {times} while {}",
                    task(*callee),
                    arg(*of),
                    text(*test)
                ),
                Block::Branch(test) => format!("branch {}", text(*test)),
                Block::Choice(outputs) => {
                    format!("choice {}", vec!["a"; *outputs as usize].join(","))
                }
                Block::Bind(test) => format!("bind ?b{number}: thing where {}", text(*test)),
            };
            let _ = writeln!(out, "  block k{number} {block}");
        }
        for (from, output, to) in &compound.wires {
            let port = match from.checked_sub(1).map(|b| &compound.blocks[b]) {
                Some(Block::Branch(_)) => ["true", "false"][*output as usize].to_owned(),
                Some(Block::Choice(_)) => (output + 1).to_string(),
                _ => "out".to_owned(),
            };
            let _ = writeln!(out, "  wire k{from}.{port} -> k{to}");
        }
    }
    out += "scenario s\n";
    domain
        .initial
        .iter()
        .for_each(|t| out += &format!("  initial {}\n", text(*t)));
    domain
        .roots
        .iter()
        .for_each(|(t, o)| out += &format!("  task {}(o{o})\n", task(*t)));
    domain
        .goal
        .iter()
        .for_each(|t| out += &format!("  goal {}\n", text(*t)));
    out
}

fn args() -> impl Strategy<Value = Arg> {
    prop_oneof![(0..OBJECTS).prop_map(Arg::Object), Just(Arg::Param)]
}

fn tests() -> impl Strategy<Value = Test> {
    prop_oneof![
        (0u8..2, any::<bool>()).prop_map(|(f, is)| Test::Plain(f, is)),
        (0u8..2, args(), any::<bool>()).prop_map(|(g, a, is)| Test::Of(g, a, is)),
        (1u8..4, any::<bool>()).prop_map(|(k, is)| Test::AtLeast(k, is)),
    ]
}

fn literals() -> impl Strategy<Value = Test> {
    prop_oneof![
        (0u8..2, any::<bool>()).prop_map(|(f, is)| Test::Plain(f, is)),
        (0u8..2, args(), any::<bool>()).prop_map(|(g, a, is)| Test::Of(g, a, is)),
    ]
}

/// Usually none: a domain in which little is possible tests little.
fn needs() -> impl Strategy<Value = Vec<Test>> {
    prop_oneof![3 => Just(vec![]), 1 => tests().prop_map(|t| vec![t])]
}

prop_compose! {
    fn primitives()(
        needs in needs(),
        effects in prop::collection::vec(literals(), 0..3),
        adds in prop_oneof![2 => Just(0i8), 1 => -1i8..2],
    ) -> Primitive {
        Primitive { needs, effects, adds }
    }
}

prop_compose! {
    /// An argument may be the variable of any Bind block, whether bound there or not.
    fn compounds()(
        needs in needs(),
        kinds in prop::collection::vec((0u8..11, tests(), args(), 0..PRIMITIVES + COMPOUNDS, any::<bool>()), 1..7),
        ways in prop::collection::vec((0usize..6, 0u8..3), 6),
        more in prop::collection::vec((0usize..7, 0u8..3, 0usize..7), 0..8),
    ) -> Compound {
        let binds: Vec<usize> = (1..).zip(&kinds).filter(|(_, k)| k.0 == 7).map(|(n, _)| n).collect();
        let block = |(number, (kind, test, of, callee, late)): (usize, (u8, Test, Arg, u8, bool))| {
            let bound = binds.last().filter(|_| late).map(|b| Arg::Bound(*b)).unwrap_or(of);
            match kind {
                0..=3 => Block::Task(callee, bound, 1, kind == 3 && late),
                4 => Block::Task(callee, bound, 1 + u8::from(late), false),
                5 => match test {
                    Test::Of(g, _, is) => Block::Branch(Test::Of(g, bound, is)),
                    other => Block::Branch(other),
                },
                6 => Block::Choice(1 + callee % 3),
                7 => match test {
                    Test::Of(g, _, is) => Block::Bind(Test::Of(g, Arg::Bound(number), is)),
                    other => Block::Bind(other),
                },
                8 => {
                    let about = match test {
                        Test::Of(g, _, is) => Test::Of(g, bound, is),
                        other => other,
                    };
                    Block::While(callee, bound, 1 + callee % 3, about)
                }
                _ => Block::Task(callee % PRIMITIVES, bound, 1 + callee % 3, kind == 10 && late),
            }
        };
        let blocks: Vec<Block> = (1..).zip(kinds).map(block).collect();
        let mut kept: Vec<(usize, u8, usize)> = vec![];
        // Every block is reachable, and some in several ways.
        let ways = (1..).zip(ways).map(|(to, (from, output))| (from % to, output, to));
        for (a, output, b) in ways.chain(more) {
            let (from, to) = (a.min(b), a.max(b));
            let outputs = match from.checked_sub(1).and_then(|n| blocks.get(n)) {
                Some(Block::Branch(_)) => 2,
                Some(Block::Choice(outputs)) => *outputs,
                _ => 1,
            };
            let wire = (from, output % outputs, to);
            if from != to && to <= blocks.len() && !kept.contains(&wire) {
                kept.push(wire);
            }
        }
        Compound { needs, blocks, wires: kept }
    }
}

prop_compose! {
    /// Generates domains.
    pub fn domains()(
        primitives in prop::collection::vec(primitives(), PRIMITIVES as usize),
        compounds in prop::collection::vec(compounds(), COMPOUNDS as usize),
        initial in prop::collection::vec(literals().prop_map(|t| match t {
            Test::Of(g, Arg::Param, _) => Test::Of(g, Arg::Object(0), true),
            Test::Of(g, a, _) => Test::Of(g, a, true),
            Test::Plain(f, _) => Test::Plain(f, true),
            other => other,
        }), 0..4),
        roots in prop::collection::vec((1..PRIMITIVES + COMPOUNDS, 0..OBJECTS), 1..3),
        goal in prop::option::weighted(0.3, (0u8..2, any::<bool>()).prop_map(|(f, is)| Test::Plain(f, is))),
    ) -> Domain {
        Domain { primitives, compounds, initial, roots, goal }
    }
}

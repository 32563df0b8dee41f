//! The search finds the plan that a naive planner finds first, on random domains.
//!
//! The naive planner works on the random domain itself: it knows no text, no
//! compiled form and no memory of failures. It recurses, copies everything, and
//! turns back only where a state and network have come again on the way to them.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::*;
use taskloom_core::compile::compile;
use taskloom_core::document::Name;
use taskloom_core::plan::{Budget, Outcome, plan, validate};

mod domain;

const OBJECTS: u8 = 2;
const PRIMITIVES: u8 = 3;
const COMPOUNDS: u8 = 3;

/// `o0`, the parameter `?x`, or the variable of a Bind block.
#[derive(Debug, Clone, Copy)]
enum Arg {
    Object(u8),
    Param,
    Bound(usize),
}

/// `f0`, `g1(?x)` or `n >= 2`, or its opposite.
#[derive(Debug, Clone, Copy)]
enum Test {
    Plain(u8, bool),
    Of(u8, Arg, bool),
    AtLeast(u8, bool),
}

#[derive(Debug, Clone)]
enum Block {
    Task(u8, Arg),
    Branch(Test),
    Choice(u8),
    Bind(Test),
}

#[derive(Debug, Clone)]
struct Primitive {
    needs: Vec<Test>,
    effects: Vec<Test>,
    adds: i8,
}

/// The blocks follow Begin, which is number 0.
#[derive(Debug, Clone)]
struct Compound {
    needs: Vec<Test>,
    blocks: Vec<Block>,
    wires: Vec<(usize, u8, usize)>,
}

#[derive(Debug, Clone)]
struct Domain {
    primitives: Vec<Primitive>,
    compounds: Vec<Compound>,
    initial: Vec<Test>,
    roots: Vec<(u8, u8)>,
    goal: Option<Test>,
}

/// A task and its object; compound ones come after the primitive ones.
type Call = (u8, u8);

#[derive(Debug, Clone, PartialEq, Default)]
struct State {
    plain: BTreeSet<u8>,
    of: BTreeSet<(u8, u8)>,
    n: i8,
}

/// Tasks by id in the designer's order, and which ids come before which.
#[derive(Debug, Clone, Default)]
struct Net {
    tasks: Vec<(usize, Call)>,
    before: BTreeSet<(usize, usize)>,
    ids: usize,
}

struct TooMuch;

struct Env<'a> {
    param: u8,
    bound: Vec<(usize, u8)>,
    upstream: &'a dyn Fn(usize) -> bool,
}

impl Env<'_> {
    fn object(&self, arg: Arg) -> Option<u8> {
        match arg {
            Arg::Object(object) => Some(object),
            Arg::Param => Some(self.param),
            Arg::Bound(block) => {
                let found = self.bound.iter().find(|(b, _)| *b == block);
                found.filter(|_| (self.upstream)(block)).map(|(_, o)| *o)
            }
        }
    }
}

impl State {
    /// Nothing where a variable has no value.
    fn holds(&self, test: Test, env: &Env) -> Option<bool> {
        Some(match test {
            Test::Plain(fact, is) => self.plain.contains(&fact) == is,
            Test::Of(fact, arg, is) => self.of.contains(&(fact, env.object(arg)?)) == is,
            Test::AtLeast(k, is) => (self.n >= k as i8) == is,
        })
    }

    fn all(&self, tests: &[Test], env: &Env) -> bool {
        tests.iter().all(|t| self.holds(*t, env) == Some(true))
    }

    fn after(&self, task: &Primitive, env: &Env) -> Option<State> {
        let mut next = self.clone();
        for pass in [false, true] {
            for effect in &task.effects {
                match *effect {
                    Test::Plain(fact, is) if is == pass => {
                        next.plain.remove(&fact);
                        next.plain.extend(is.then_some(fact));
                    }
                    Test::Of(fact, arg, is) if is == pass => {
                        let atom = (fact, env.object(arg)?);
                        next.of.remove(&atom);
                        next.of.extend(is.then_some(atom));
                    }
                    _ => {}
                }
            }
        }
        next.n += task.adds;
        (0..=3).contains(&next.n).then_some(next)
    }
}

impl Compound {
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut wires = self.wires.iter();
        wires.any(|(a, _, b)| *a == from && (*b == to || self.leads(*b, to)))
    }

    /// Blocks in the order of resolution.
    fn order(&self) -> Vec<usize> {
        let mut met = vec![0];
        let mut next = 0;
        while next < met.len() {
            for (from, _, to) in &self.wires {
                if *from == met[next] && !met.contains(to) {
                    met.push(*to);
                }
            }
            next += 1;
        }
        let mut order = vec![];
        while let Some(at) = met.iter().position(|block| {
            let mut entering = self.wires.iter().filter(|(_, _, to)| to == block);
            !entering.any(|(from, ..)| met.contains(from))
        }) {
            order.push(met.remove(at));
        }
        order
    }

    /// All resolutions in a state: tasks by block, and the wires present.
    fn resolve(
        &self,
        state: &State,
        order: &[usize],
        env: Env,
        wires: Vec<(usize, usize)>,
        tasks: Vec<(usize, Call)>,
        found: &mut Vec<(Vec<(usize, Call)>, Vec<(usize, usize)>)>,
    ) {
        let Some((block, rest)) = order.split_first() else {
            return found.push((tasks, wires));
        };
        let upstream = |bind: usize| self.leads(bind, *block);
        let env = Env {
            upstream: &upstream,
            ..env
        };
        let mut go = |output: u8, bound: Option<u8>, task: Option<Call>| {
            let leaving = self
                .wires
                .iter()
                .filter(|(a, o, _)| a == block && *o == output);
            let leaving: Vec<(usize, usize)> = leaving.map(|(a, _, b)| (*a, *b)).collect();
            let is_branch = *block > 0 && matches!(self.blocks[block - 1], Block::Branch(_));
            if is_branch && leaving.is_empty() {
                return;
            }
            let mut env = Env {
                bound: env.bound.clone(),
                ..env
            };
            env.bound.extend(bound.map(|object| (*block, object)));
            let (mut wires, mut tasks) = (wires.clone(), tasks.clone());
            wires.extend(leaving);
            tasks.extend(task.map(|task| (*block, task)));
            self.resolve(state, rest, env, wires, tasks, found);
        };
        if *block == 0 {
            return go(0, None, None);
        }
        if !wires.iter().any(|(_, to)| to == block) {
            return self.resolve(state, rest, env, wires, tasks, found);
        }
        match self.blocks[block - 1] {
            Block::Task(task, arg) => {
                if let Some(object) = env.object(arg) {
                    go(0, None, Some((task, object)));
                }
            }
            Block::Branch(test) => {
                if let Some(holds) = state.holds(test, &env) {
                    go(u8::from(!holds), None, None);
                }
            }
            Block::Choice(outputs) => (0..outputs).for_each(|output| go(output, None, None)),
            Block::Bind(test) => {
                let of = |object| match test {
                    Test::Of(fact, Arg::Bound(_), is) => Test::Of(fact, Arg::Object(object), is),
                    other => other,
                };
                for object in 0..OBJECTS {
                    if state.holds(of(object), &env) == Some(true) {
                        go(0, Some(object), None);
                    }
                }
            }
        }
    }
}

impl Net {
    fn without(&self, id: usize) -> Net {
        let mut net = self.clone();
        net.tasks.retain(|(other, _)| *other != id);
        net.before.retain(|(a, _)| *a != id);
        net
    }

    /// A network with children, and the orderings among them, in a task's place.
    fn replaced(&self, at: usize, tasks: &[(usize, Call)], wires: &[(usize, usize)]) -> Net {
        let parent = self.tasks[at].0;
        let mut net = self.without(parent);
        let later = self.before.iter().filter(|(a, _)| *a == parent);
        let later: Vec<usize> = later.map(|(_, b)| *b).collect();
        let id = |block: usize| self.ids + block;
        for (number, (block, call)) in tasks.iter().enumerate() {
            net.tasks.insert(at + number, (id(*block), *call));
            net.before.extend(later.iter().map(|b| (id(*block), *b)));
            for (other, _) in tasks {
                if leads(wires, *block, *other) {
                    net.before.insert((id(*block), id(*other)));
                }
            }
        }
        net.ids += 100;
        net
    }

    /// Whether both are the same but for ids and the designer's order.
    fn is_like(&self, other: &Net) -> bool {
        self.tasks.len() == other.tasks.len() && self.matches(other, &mut vec![])
    }

    fn matches(&self, other: &Net, pairs: &mut Vec<(usize, usize)>) -> bool {
        let Some((id, call)) = self.tasks.get(pairs.len()) else {
            return true;
        };
        other.tasks.iter().any(|(to, as_call)| {
            let fits = |(a, b): &(usize, usize)| {
                b != to
                    && self.before.contains(&(*a, *id)) == other.before.contains(&(*b, *to))
                    && self.before.contains(&(*id, *a)) == other.before.contains(&(*to, *b))
            };
            if call != as_call || !pairs.iter().all(fits) {
                return false;
            }
            pairs.push((*id, *to));
            let found = self.matches(other, pairs);
            pairs.pop();
            found
        })
    }
}

fn leads(wires: &[(usize, usize)], from: usize, to: usize) -> bool {
    let mut leaving = wires.iter().filter(|(a, _)| *a == from);
    leaving.any(|(_, b)| *b == to || leads(wires, *b, to))
}

struct Naive<'a> {
    domain: &'a Domain,
    calls: usize,
}

impl Naive<'_> {
    fn seek(
        &mut self,
        state: &State,
        net: &Net,
        way: &mut Vec<(State, Net)>,
    ) -> Result<Option<Vec<Call>>, TooMuch> {
        let nothing = |_| false;
        if net.tasks.is_empty() {
            let env = Env {
                param: 0,
                bound: vec![],
                upstream: &nothing,
            };
            let goal: Vec<Test> = self.domain.goal.into_iter().collect();
            return Ok(state.all(&goal, &env).then(Vec::new));
        }
        self.calls += 1;
        if self.calls > 500 || way.len() > 40 || net.tasks.len() > 7 {
            return Err(TooMuch);
        }
        if way.iter().any(|(s, n)| s == state && n.is_like(net)) {
            return Ok(None);
        }
        way.push((state.clone(), net.clone()));
        for (at, (id, (task, object))) in net.tasks.iter().enumerate() {
            if net.before.iter().any(|(_, b)| b == id) {
                continue;
            }
            let env = Env {
                param: *object,
                bound: vec![],
                upstream: &nothing,
            };
            if *task < PRIMITIVES {
                let primitive = &self.domain.primitives[*task as usize];
                let applies = state.all(&primitive.needs, &env);
                if let Some(next) = state.after(primitive, &env).filter(|_| applies)
                    && let Some(mut steps) = self.seek(&next, &net.without(*id), way)?
                {
                    steps.insert(0, (*task, *object));
                    return Ok(Some(steps));
                }
                continue;
            }
            let compound = &self.domain.compounds[(*task - PRIMITIVES) as usize];
            if !state.all(&compound.needs, &env) {
                continue;
            }
            let mut found = vec![];
            compound.resolve(state, &compound.order(), env, vec![], vec![], &mut found);
            for (tasks, wires) in found {
                if let Some(steps) = self.seek(state, &net.replaced(at, &tasks, &wires), way)? {
                    return Ok(Some(steps));
                }
            }
        }
        way.pop();
        Ok(None)
    }
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

fn task(task: u8) -> String {
    match task.checked_sub(PRIMITIVES) {
        None => format!("p{task}"),
        Some(compound) => format!("c{compound}"),
    }
}

/// The domain in the words of the test domains.
fn written(domain: &Domain) -> String {
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
                Block::Task(callee, of) => format!("task {}({})", task(*callee), arg(*of)),
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

/// Mostly none: a domain in which little can be done teaches little.
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
    /// An argument may be the variable of any Bind block, bound there or not.
    fn compounds()(
        needs in needs(),
        kinds in prop::collection::vec((0u8..10, tests(), args(), 0..PRIMITIVES + COMPOUNDS, any::<bool>()), 1..7),
        ways in prop::collection::vec((0usize..6, 0u8..3), 6),
        more in prop::collection::vec((0usize..7, 0u8..3, 0usize..7), 0..8),
    ) -> Compound {
        let binds: Vec<usize> = (1..).zip(&kinds).filter(|(_, k)| k.0 == 7).map(|(n, _)| n).collect();
        let block = |(number, (kind, test, of, callee, late)): (usize, (u8, Test, Arg, u8, bool))| {
            let bound = binds.last().filter(|_| late).map(|b| Arg::Bound(*b)).unwrap_or(of);
            match kind {
                0..=4 => Block::Task(callee, bound),
                5 => match test {
                    Test::Of(g, _, is) => Block::Branch(Test::Of(g, bound, is)),
                    other => Block::Branch(other),
                },
                6 => Block::Choice(1 + callee % 3),
                7 => match test {
                    Test::Of(g, _, is) => Block::Bind(Test::Of(g, Arg::Bound(number), is)),
                    other => Block::Bind(other),
                },
                _ => Block::Task(callee % PRIMITIVES, bound),
            }
        };
        let blocks: Vec<Block> = (1..).zip(kinds).map(block).collect();
        let mut kept: Vec<(usize, u8, usize)> = vec![];
        // Every block has a way to it, and some have more.
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
    fn domains()(
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

fn naive(domain: &Domain) -> Result<Option<Vec<Call>>, TooMuch> {
    let mut state = State::default();
    for fact in &domain.initial {
        match fact {
            Test::Plain(fact, _) => state.plain.extend([*fact]),
            Test::Of(fact, Arg::Object(object), _) => state.of.extend([(*fact, *object)]),
            _ => {}
        }
    }
    let mut net = Net {
        ids: 100,
        ..Net::default()
    };
    for (id, root) in domain.roots.iter().enumerate() {
        net.tasks.push((id, *root));
        net.before.extend((0..id).map(|earlier| (earlier, id)));
    }
    Naive { domain, calls: 0 }.seek(&state, &net, &mut vec![])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 100_000,
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_the_first_plan(domain in domains()) {
        let expected = naive(&domain);
        prop_assume!(expected.is_ok());
        let document = domain::document(&written(&domain));
        let scenario = Name::new("s").expect("a name");
        let outcome = plan(&compile(&document, &scenario).problem, Budget::default());
        let found = match &outcome {
            Outcome::Plan(plan) => {
                prop_assert_eq!(validate(&document, &scenario, plan), Ok(()));
                let steps = plan.steps.iter().map(|s| s.task.to_string());
                Some(steps.collect::<Vec<_>>())
            }
            other => {
                prop_assert_eq!(other, &Outcome::NoPlan);
                None
            }
        };
        let expected = expected.ok().flatten().map(|steps| {
            let named = steps.iter().map(|(t, o)| format!("{}(o{o})", task(*t)));
            named.collect::<Vec<_>>()
        });
        prop_assert_eq!(found, expected, "{}", written(&domain));
    }
}

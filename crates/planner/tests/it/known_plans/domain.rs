//! Random domains with everything that a planner has to support, and their text.

use std::fmt::Write;
use testkit::random::Random;

/// An object, a variable, or the value of the fact `at`, which may be undefined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg {
    Object(u8),
    Var(char),
    At,
}

/// A formula: `f0`, `g1(?x)`, `r(?x, ?y)`, `?x = ?y`, `n >= 2`, `c(?x)`, and combinations of these.
/// Quantifiers and counts range over all things or over the red ones.
#[derive(Debug, Clone)]
pub enum Formula {
    Plain(u8),
    Of(u8, Arg),
    Pair(Arg, Arg),
    Same(Arg, Arg),
    AtLeast(u8),
    Condition(Arg),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Every(char, bool, Box<Formula>),
    Some(char, bool, Box<Formula>),
    /// `count ?q: thing. ... >= 2`
    Count(char, bool, Box<Formula>, u8),
}

#[derive(Debug, Clone)]
pub enum Change {
    Plain(u8, bool),
    Of(u8, Arg, bool),
    Pair(Arg, Arg, bool),
    /// `at := ?x`
    At(Arg),
    /// `n += 1`
    Add(i8),
}

/// An effect: one change, or a change for several objects of a variable, with or without a
/// condition.
#[derive(Debug, Clone)]
pub struct Effect {
    pub every: Option<(char, bool)>,
    pub when: Option<Formula>,
    pub change: Change,
}

/// A task with one parameter, `?x`.
#[derive(Debug, Clone)]
pub struct Primitive {
    pub needs: Vec<Formula>,
    pub effects: Vec<Effect>,
    /// `constant + of_n * n`
    pub cost: (i8, i8),
}

/// An output of a compound task's only Choice: a guard, a variable `?b`, red or any, with a
/// condition, and a partially ordered network.
#[derive(Debug, Clone)]
pub struct Method {
    pub needs: Vec<Formula>,
    pub bind: Option<(bool, Formula)>,
    pub tasks: Vec<(u8, Arg)>,
    /// Pairs of tasks: the first comes before the second, which has a greater number.
    pub order: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub struct Compound {
    pub needs: Vec<Formula>,
    pub methods: Vec<Method>,
}

/// A task, by number with the compound ones after the primitive ones, and its object.
pub type Call = (u8, u8);

#[derive(Debug, Clone)]
pub struct Domain {
    pub objects: u8,
    /// The first ones are red.
    pub reds: u8,
    pub counts: bool,
    pub primitives: Vec<Primitive>,
    pub compounds: Vec<Compound>,
    /// The named condition `c(?x)`.
    pub condition: Formula,
    pub initial: super::world::State,
    pub roots: Vec<Call>,
    pub goal: Vec<Formula>,
}

impl Domain {
    /// Returns the objects of a type.
    pub fn of_type(&self, red: bool) -> std::ops::Range<u8> {
        0..if red { self.reds } else { self.objects }
    }

    pub fn task(&self, task: u8) -> String {
        match task.checked_sub(self.primitives.len() as u8) {
            None => format!("p{task}"),
            Some(compound) => format!("k{compound}"),
        }
    }

    /// Returns the domain in the language of the test domains.
    pub fn written(&self) -> String {
        let mut out = String::from("type thing\ntype red: thing\n");
        for object in 0..self.objects {
            let _ = writeln!(out, "object o{object}: {}", of(object < self.reds));
        }
        out += "fact f0\nfact f1\nfact g0(?a: thing)\nfact g1(?a: thing)\n\
                fact r(?a: thing, ?b: thing)\nvalue at: thing\nnumber n integer 0..3\n";
        let _ = writeln!(out, "condition c(?x: thing): {}", text(&self.condition));
        for (number, primitive) in self.primitives.iter().enumerate() {
            let _ = writeln!(out, "primitive p{number}(?x: thing)");
            for need in &primitive.needs {
                let _ = writeln!(out, "  pre {}", text(need));
            }
            for one in &primitive.effects {
                let _ = writeln!(out, "  eff {}", effect(one));
            }
            let (constant, of_n) = primitive.cost;
            let _ = writeln!(out, "  cost {constant} + {of_n} * n");
        }
        for (number, compound) in self.compounds.iter().enumerate() {
            let _ = writeln!(out, "compound k{number}(?x: thing)");
            for need in &compound.needs {
                let _ = writeln!(out, "  pre {}", text(need));
            }
            let outputs = vec!["m"; compound.methods.len()].join(",");
            let _ = writeln!(out, "  block a begin\n  block b choice {outputs}");
            out += "  wire a.out -> b\n";
            for (m, method) in compound.methods.iter().enumerate() {
                for (id, kind) in self.blocks(m, method) {
                    let _ = writeln!(out, "  block {id} {kind}");
                }
                for wire in wires(m, method) {
                    let _ = writeln!(out, "  wire {wire}");
                }
            }
        }
        out += "scenario s\n";
        for value in self.initial.written() {
            let _ = writeln!(out, "  initial {value}");
        }
        for (task, object) in &self.roots {
            let _ = writeln!(out, "  task {}(o{object})", self.task(*task));
        }
        let goal: Vec<String> = self.goal.iter().map(text).collect();
        if !goal.is_empty() {
            let _ = writeln!(out, "  goal {}", goal.join(" and "));
        }
        out
    }

    /// Returns the blocks of a method with their ids, in an order that its wires allow.
    pub fn blocks(&self, m: usize, method: &Method) -> Vec<(String, String)> {
        let mut blocks = vec![];
        if !method.needs.is_empty() {
            let needs: Vec<String> = method.needs.iter().map(text).collect();
            blocks.push((format!("n{m}"), format!("branch {}", needs.join(" and "))));
        }
        if let Some((red, condition)) = &method.bind {
            let kind = format!("bind ?b: {} where {}", of(*red), text(condition));
            blocks.push((format!("v{m}"), kind));
        }
        for (number, (callee, of)) in method.tasks.iter().enumerate() {
            let call = format!("task {}({})", self.task(*callee), arg(*of));
            blocks.push((format!("t{m}x{number}"), call));
        }
        blocks.push((format!("z{m}"), "end".to_owned()));
        blocks
    }
}

/// Writes the wires of a method, starting at the Choice.
pub fn wires(m: usize, method: &Method) -> Vec<String> {
    let mut wires = vec![];
    let mut last = format!("b.{}", m + 1);
    if !method.needs.is_empty() {
        wires.push(format!("{last} -> n{m}"));
        last = format!("n{m}.true");
    }
    if method.bind.is_some() {
        wires.push(format!("{last} -> v{m}"));
        last = format!("v{m}.out");
    }
    if method.tasks.is_empty() {
        wires.push(format!("{last} -> z{m}"));
    }
    for number in 0..method.tasks.len() {
        if method.order.iter().all(|(_, to)| *to != number) {
            wires.push(format!("{last} -> t{m}x{number}"));
        }
        if method.order.iter().all(|(from, _)| *from != number) {
            wires.push(format!("t{m}x{number}.out -> z{m}"));
        }
    }
    let order = method.order.iter();
    wires.extend(order.map(|(from, to)| format!("t{m}x{from}.out -> t{m}x{to}")));
    wires
}

fn of(red: bool) -> &'static str {
    if red { "red" } else { "thing" }
}

fn arg(arg: Arg) -> String {
    match arg {
        Arg::Object(object) => format!("o{object}"),
        Arg::Var(name) => format!("?{name}"),
        Arg::At => "at".to_owned(),
    }
}

fn text(formula: &Formula) -> String {
    let all = |parts: &[Formula], word: &str| {
        let parts: Vec<String> = parts.iter().map(text).collect();
        format!("({})", parts.join(word))
    };
    match formula {
        Formula::Plain(f) => format!("f{f}"),
        Formula::Of(g, a) => format!("g{g}({})", arg(*a)),
        Formula::Pair(a, b) => format!("r({}, {})", arg(*a), arg(*b)),
        Formula::Same(a, b) => format!("{} = {}", arg(*a), arg(*b)),
        Formula::AtLeast(k) => format!("n >= {k}"),
        Formula::Condition(a) => format!("c({})", arg(*a)),
        Formula::Not(inner) => format!("not ({})", text(inner)),
        Formula::And(parts) => all(parts, " and "),
        Formula::Or(parts) => all(parts, " or "),
        Formula::Every(v, red, body) => format!("(forall ?{v}: {}. {})", of(*red), text(body)),
        Formula::Some(v, red, body) => format!("(exists ?{v}: {}. {})", of(*red), text(body)),
        Formula::Count(v, red, body, k) => {
            format!("count ?{v}: {}. ({}) >= {k}", of(*red), text(body))
        }
    }
}

fn effect(effect: &Effect) -> String {
    let sign = |is: &bool| if *is { "" } else { "not " };
    let mut out = String::new();
    if let Some((v, red)) = effect.every {
        let _ = write!(out, "forall ?{v}: {}. ", of(red));
    }
    out += &match &effect.change {
        Change::Plain(f, is) => format!("{}f{f}", sign(is)),
        Change::Of(g, a, is) => format!("{}g{g}({})", sign(is), arg(*a)),
        Change::Pair(a, b, is) => format!("{}r({}, {})", sign(is), arg(*a), arg(*b)),
        Change::At(a) => format!("at := {}", arg(*a)),
        Change::Add(k) => format!("n += {k}"),
    };
    if let Some(when) = &effect.when {
        let _ = write!(out, " when {}", text(when));
    }
    out
}

/// The features of a domain.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// One in this many tasks and methods has a condition.
    pub needs: usize,
    /// `true` if each compound task can call itself, and can also end without doing so.
    pub recursive: bool,
}

/// Generates a random domain, without an initial state, roots and goal.
pub fn random(random: &mut Random, shape: Shape) -> Domain {
    let objects = 2 + random.below(3) as u8;
    let mut make = Maker {
        reds: random.below(objects as usize + 1) as u8,
        objects,
        counts: random.below(3) == 0,
        callees: 0,
        needs: shape.needs,
        random,
    };
    let primitives: Vec<Primitive> = (0..2 + make.random.below(3))
        .map(|_| make.primitive())
        .collect();
    let compounds = 1 + make.random.below(3);
    make.callees = primitives.len() + compounds;
    let compounds = (0..compounds).map(|number| {
        let own = (primitives.len() + number) as u8;
        let mut methods: Vec<Method> = (0..1 + make.random.below(3))
            .map(|_| make.method())
            .collect();
        if shape.recursive {
            let end = make.method_of(primitives.len());
            let at = make.random.below(methods.len() + 1);
            methods.insert(at, end);
            let mut again = make.method_of(primitives.len());
            again.tasks.push((own, Arg::Var('x')));
            let at = make.random.below(methods.len() + 1);
            methods.insert(at, again);
        }
        Compound {
            needs: make.needs(&['x'], 2),
            methods,
        }
    });
    let compounds: Vec<Compound> = compounds.collect();
    let mut condition = make.formula(&['x'], 1);
    if let Formula::Condition(_) = condition {
        condition = Formula::Plain(0);
    }
    Domain {
        objects,
        reds: make.reds,
        counts: make.counts,
        primitives,
        compounds,
        condition: without_condition(condition),
        initial: Default::default(),
        roots: vec![],
        goal: vec![],
    }
}

/// Generates a formula that does not call the condition that it defines.
fn without_condition(formula: Formula) -> Formula {
    let all = |parts: Vec<Formula>| parts.into_iter().map(without_condition).collect();
    match formula {
        Formula::Condition(a) => Formula::Of(0, a),
        Formula::Not(inner) => Formula::Not(Box::new(without_condition(*inner))),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Every(v, red, body) => Formula::Every(v, red, Box::new(without_condition(*body))),
        Formula::Some(v, red, body) => Formula::Some(v, red, Box::new(without_condition(*body))),
        Formula::Count(v, red, body, k) => {
            Formula::Count(v, red, Box::new(without_condition(*body)), k)
        }
        other => other,
    }
}

/// Generates a random formula of a scenario, which has no variables.
pub fn random_goal(random: &mut Random, domain: &Domain) -> Formula {
    let mut make = Maker {
        reds: domain.reds,
        objects: domain.objects,
        counts: domain.counts,
        callees: 0,
        needs: 1,
        random,
    };
    make.formula(&[], 2)
}

struct Maker<'a> {
    objects: u8,
    reds: u8,
    counts: bool,
    callees: usize,
    needs: usize,
    random: &'a mut Random,
}

impl Maker<'_> {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn arg(&mut self, vars: &[char]) -> Arg {
        if self.chance(8) {
            return Arg::At;
        }
        if vars.is_empty() || self.chance(4) {
            return Arg::Object(self.random.below(self.objects as usize) as u8);
        }
        Arg::Var(*self.random.pick(vars))
    }

    fn formula(&mut self, vars: &[char], depth: usize) -> Formula {
        let kind = self.random.below(if depth == 0 { 8 } else { 14 });
        let atom = match kind {
            0 | 1 => Formula::Plain(self.random.below(2) as u8),
            2 | 3 => Formula::Of(self.random.below(2) as u8, self.arg(vars)),
            4 => Formula::Pair(self.arg(vars), self.arg(vars)),
            5 => Formula::Same(Arg::At, self.arg(vars)),
            6 if self.counts => Formula::AtLeast(1 + self.random.below(3) as u8),
            6 => Formula::Same(self.arg(vars), self.arg(vars)),
            7 => Formula::Condition(self.arg(vars)),
            8 | 9 => {
                let parts = vec![self.formula(vars, depth - 1), self.formula(vars, depth - 1)];
                return if kind == 8 {
                    Formula::And(parts)
                } else {
                    Formula::Or(parts)
                };
            }
            10 => return Formula::Not(Box::new(self.formula(vars, depth - 1))),
            _ => {
                let free = ['q', 'w'].into_iter().find(|own| !vars.contains(own));
                let Some(own) = free else {
                    return self.formula(vars, 0);
                };
                let inner: Vec<char> = vars.iter().copied().chain([own, own]).collect();
                let body = Box::new(self.formula(&inner, depth - 1));
                let red = self.chance(3);
                if self.counts && self.chance(4) {
                    return Formula::Count(own, red, body, 1 + self.random.below(2) as u8);
                }
                return if kind == 11 {
                    Formula::Every(own, red, body)
                } else {
                    Formula::Some(own, red, body)
                };
            }
        };
        if self.chance(2) {
            atom
        } else {
            Formula::Not(Box::new(atom))
        }
    }

    fn needs(&mut self, vars: &[char], times: usize) -> Vec<Formula> {
        let needs = self.needs * times;
        let mut formulas = vec![];
        for _ in 0..2 {
            if self.chance(needs) {
                formulas.push(self.formula(vars, 2));
            }
        }
        formulas
    }

    fn primitive(&mut self) -> Primitive {
        let mut effects: Vec<Effect> = (0..self.random.below(3)).map(|_| self.effect()).collect();
        // Two values for one fact would make the result depend on the order.
        if self.chance(4) {
            let value = self.arg(&['x']);
            let when = self.chance(3).then(|| self.formula(&['x'], 1));
            effects.push(Effect {
                every: None,
                when,
                change: Change::At(value),
            });
        }
        if self.counts && self.chance(2) {
            let change = Change::Add(self.random.below(3) as i8 - 1);
            let when = self.chance(4).then(|| self.formula(&['x'], 1));
            effects.push(Effect {
                every: None,
                when,
                change,
            });
        }
        Primitive {
            needs: self.needs(&['x'], 1),
            effects,
            cost: (self.random.below(4) as i8, self.random.below(2) as i8),
        }
    }

    fn effect(&mut self) -> Effect {
        let every = self.chance(4).then(|| ('q', self.chance(3)));
        let vars: &[char] = if every.is_some() {
            &['x', 'q', 'q']
        } else {
            &['x']
        };
        let when = self.chance(3).then(|| self.formula(vars, 1));
        let is = !self.chance(3);
        let change = match self.random.below(5) {
            0 | 1 => Change::Plain(self.random.below(2) as u8, is),
            2 | 3 => Change::Of(self.random.below(2) as u8, self.arg(vars), is),
            _ => Change::Pair(self.arg(vars), self.arg(vars), is),
        };
        Effect {
            every,
            when,
            change,
        }
    }

    fn method(&mut self) -> Method {
        let callees = self.callees;
        self.method_of(callees)
    }

    /// Generates a method whose first tasks have these numbers.
    fn method_of(&mut self, callees: usize) -> Method {
        let needs = self.needs(&['x'], 1);
        let bind = self
            .chance(3)
            .then(|| (self.chance(3), self.formula(&['x', 'b', 'b'], 1)));
        let vars: &[char] = if bind.is_some() { &['x', 'b'] } else { &['x'] };
        let count = self.random.below(4);
        let tasks = (0..count).map(|_| {
            let arg = match self.arg(vars) {
                // A call with an undefined argument is impossible.
                Arg::At if !self.chance(3) => Arg::Var('x'),
                arg => arg,
            };
            (self.random.below(callees) as u8, arg)
        });
        let tasks: Vec<(u8, Arg)> = tasks.collect();
        let mut order: Vec<(usize, usize)> = vec![];
        let total = self.chance(3);
        for to in 1..count {
            for from in 0..to {
                if if total {
                    from + 1 == to
                } else {
                    self.chance(3)
                } {
                    order.push((from, to));
                }
            }
        }
        Method {
            needs,
            bind,
            tasks,
            order,
        }
    }
}

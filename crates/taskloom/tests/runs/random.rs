//! Random domains in which much goes wrong, and their text.

use std::fmt::Write;

use crate::xorshift::Random;

pub const OBJECTS: usize = 2;
pub const FACTS: usize = 3;
pub const MOST: i32 = 3;
pub const PRIMITIVES: usize = 4;
pub const COMPOUNDS: usize = 3;

#[derive(Debug, Clone, Copy)]
pub enum Arg {
    Object(usize),
    Param,
}

/// `f0`, `g(?x)` or `n >= 2`, or its opposite.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    Plain(usize, bool),
    Of(Arg, bool),
    AtLeast(i32, bool),
}

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Plain(usize, bool),
    Of(Arg, bool),
    Add(i32),
}

#[derive(Debug, Clone, Copy)]
pub struct Effect {
    pub change: Change,
    pub when: Option<Test>,
    /// `eff`, `planned` or `executed`.
    pub timing: &'static str,
}

#[derive(Debug, Clone)]
pub struct Primitive {
    pub pre: Vec<Test>,
    pub integrity: Vec<Test>,
    pub done: Vec<Test>,
    pub effects: Vec<Effect>,
    pub duration: u32,
}

/// A task and its argument; compound ones come after the primitive ones.
pub type Call = (usize, Arg);

#[derive(Debug, Clone)]
pub enum Method {
    Sequence(Vec<Call>),
    Unordered(Vec<Call>),
    Choice(Vec<Call>, Vec<Call>),
    Branch(Test, Vec<Call>, Vec<Call>),
}

#[derive(Debug, Clone)]
pub struct Compound {
    pub integrity: Vec<Test>,
    pub method: Method,
}

#[derive(Debug, Clone)]
pub struct Domain {
    pub primitives: Vec<Primitive>,
    pub compounds: Vec<Compound>,
    /// What is true at first.
    pub initial: Vec<Test>,
    pub tasks: Vec<Call>,
    pub goal: Option<Test>,
    pub events: Vec<Event>,
    /// Primitive tasks whose action fails, and which time.
    pub failures: Vec<(usize, u32)>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub at: u32,
    pub every: Option<u32>,
    pub when: Option<Test>,
    pub change: Change,
}

pub fn arg(arg: Arg) -> String {
    match arg {
        Arg::Object(object) => format!("o{object}"),
        Arg::Param => "?x".to_owned(),
    }
}

fn not(is: bool) -> &'static str {
    if is { "" } else { "not " }
}

pub fn test(test: Test) -> String {
    match test {
        Test::Plain(fact, is) => format!("{}f{fact}", not(is)),
        Test::Of(of, is) => format!("{}g({})", not(is), arg(of)),
        Test::AtLeast(k, true) => format!("n >= {k}"),
        Test::AtLeast(k, false) => format!("n < {k}"),
    }
}

fn change(change: Change) -> String {
    match change {
        Change::Plain(fact, is) => test(Test::Plain(fact, is)),
        Change::Of(of, is) => test(Test::Of(of, is)),
        Change::Add(n) if n < 0 => format!("n -= {}", -n),
        Change::Add(n) => format!("n += {n}"),
    }
}

pub fn call((task, of): Call) -> String {
    match task.checked_sub(PRIMITIVES) {
        None => format!("p{task}({})", arg(of)),
        Some(compound) => format!("c{compound}({})", arg(of)),
    }
}

/// Blocks in sequence behind an output, numbered from `id` on.
fn chain(out: &mut String, from: &str, calls: &[Call], id: &mut usize) {
    let mut from = from.to_owned();
    for one in calls {
        *id += 1;
        let _ = writeln!(out, "  block k{id} task {}", call(*one));
        let _ = writeln!(out, "  wire {from} -> k{id}");
        from = format!("k{id}.out");
    }
}

fn method(out: &mut String, method: &Method) {
    let id = &mut 1;
    *out += "  block k0 begin\n";
    match method {
        Method::Sequence(calls) => chain(out, "k0.out", calls, id),
        Method::Unordered(calls) => {
            for one in calls {
                chain(out, "k0.out", &[*one], id);
            }
        }
        Method::Choice(first, second) => {
            *out += "  block k1 choice one, two\n  wire k0.out -> k1\n";
            chain(out, "k1.1", first, id);
            chain(out, "k1.2", second, id);
        }
        Method::Branch(condition, yes, no) => {
            let _ = writeln!(out, "  block k1 branch {}", test(*condition));
            *out += "  wire k0.out -> k1\n";
            chain(out, "k1.true", yes, id);
            chain(out, "k1.false", no, id);
        }
    }
}

/// The domain in the words of the test domains, without its scenario.
pub fn written(domain: &Domain) -> String {
    let mut out = String::from("type thing\nfact g(?x: thing)\n");
    (0..OBJECTS).for_each(|object| out += &format!("object o{object}: thing\n"));
    (0..FACTS).for_each(|fact| out += &format!("fact f{fact}\n"));
    let _ = writeln!(out, "number n integer 0..{MOST}");
    for (number, task) in domain.primitives.iter().enumerate() {
        let _ = writeln!(out, "action A{number} {}", task.duration);
        let _ = writeln!(out, "primitive p{number}(?x: thing) = A{number}");
        let rules = [
            ("pre", &task.pre),
            ("integrity", &task.integrity),
            ("done", &task.done),
        ];
        for (word, tests) in rules {
            tests
                .iter()
                .for_each(|t| out += &format!("  {word} {}\n", test(*t)));
        }
        for effect in &task.effects {
            let when = effect
                .when
                .map_or(String::new(), |t| format!(" when {}", test(t)));
            let _ = writeln!(out, "  {} {}{when}", effect.timing, change(effect.change));
        }
    }
    for (number, task) in domain.compounds.iter().enumerate() {
        let _ = writeln!(out, "compound c{number}(?x: thing)");
        task.integrity
            .iter()
            .for_each(|t| out += &format!("  integrity {}\n", test(*t)));
        method(&mut out, &task.method);
    }
    out
}

/// The scenario, with other initial values and tasks.
pub fn scenario(domain: &Domain, initial: &[String], tasks: &[Call]) -> String {
    let mut out = String::from("scenario s\n");
    initial
        .iter()
        .for_each(|text| out += &format!("  initial {text}\n"));
    tasks
        .iter()
        .for_each(|one| out += &format!("  task {}\n", call(*one)));
    domain
        .goal
        .iter()
        .for_each(|goal| out += &format!("  goal {}\n", test(*goal)));
    for event in &domain.events {
        let every = event
            .every
            .map_or(String::new(), |every| format!("+{every}"));
        let when = event
            .when
            .map_or(String::new(), |when| format!("if {} : ", test(when)));
        let _ = writeln!(
            out,
            "  event {}{every} {when}{}",
            event.at,
            change(event.change)
        );
    }
    for (task, time) in &domain.failures {
        let _ = writeln!(out, "  fail p{task} time {time}");
    }
    out
}

struct Draw(Random);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    /// One of `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn is(&mut self) -> bool {
        self.once_in(2)
    }

    fn object(&mut self) -> Arg {
        Arg::Object(self.below(OBJECTS))
    }

    fn arg(&mut self) -> Arg {
        if self.is() { Arg::Param } else { self.object() }
    }

    fn test(&mut self) -> Test {
        match self.below(4) {
            0 | 1 => Test::Plain(self.below(FACTS), self.is()),
            2 => Test::Of(self.arg(), self.is()),
            _ => Test::AtLeast(1 + self.below(MOST as usize) as i32, self.is()),
        }
    }

    fn tests(&mut self, once_in: usize) -> Vec<Test> {
        let mut tests = vec![];
        while self.once_in(once_in) && tests.len() < 2 {
            tests.push(self.test());
        }
        tests
    }

    fn change(&mut self) -> Change {
        match self.below(4) {
            0 | 1 => Change::Plain(self.below(FACTS), self.is()),
            2 => Change::Of(self.arg(), self.is()),
            _ => Change::Add(if self.once_in(3) { -1 } else { 1 }),
        }
    }

    fn primitive(&mut self) -> Primitive {
        let mut effects: Vec<Effect> = vec![];
        for _ in 0..self.below(4) {
            let change = self.change();
            let adds = |c: &Change| matches!(c, Change::Add(_));
            if adds(&change) && effects.iter().any(|e| adds(&e.change)) {
                continue;
            }
            let when = self.once_in(6).then(|| self.test());
            let timing = *self.0.pick(&["eff", "eff", "planned", "executed"]);
            effects.push(Effect {
                change,
                when,
                timing,
            });
        }
        Primitive {
            pre: self.tests(3),
            integrity: self.tests(7),
            done: self.tests(3),
            effects,
            duration: self.below(6) as u32,
        }
    }

    /// Calls of primitive tasks, and of compound ones from a number on.
    fn calls(&mut self, from: usize) -> Vec<Call> {
        let count = *self.0.pick(&[0, 1, 1, 2, 2, 3]);
        let mut task = || {
            if self.once_in(3) && from < COMPOUNDS {
                (PRIMITIVES + from + self.below(COMPOUNDS - from), self.arg())
            } else {
                (self.below(PRIMITIVES), self.arg())
            }
        };
        (0..count).map(|_| task()).collect()
    }

    fn compound(&mut self, number: usize) -> Compound {
        let from = number + 1;
        let method = match self.below(5) {
            0 => Method::Sequence(self.calls(from)),
            1 => Method::Unordered(self.calls(from)),
            2 | 3 => Method::Choice(self.calls(from), self.calls(from)),
            _ => Method::Branch(self.test(), self.calls(from), self.calls(from)),
        };
        Compound {
            integrity: self.tests(8),
            method,
        }
    }
}

fn of_objects(change: Change) -> Change {
    match change {
        Change::Of(Arg::Param, is) => Change::Of(Arg::Object(0), is),
        other => other,
    }
}

/// The domain of a seed.
pub fn domain(seed: u64) -> Domain {
    let mut draw = Draw(Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    // The first numbers of near seeds are alike.
    (0..8).for_each(|_| _ = draw.below(2));
    let primitives = (0..PRIMITIVES).map(|_| draw.primitive()).collect();
    let compounds = (0..COMPOUNDS).map(|number| draw.compound(number)).collect();
    let mut initial = vec![];
    for fact in 0..FACTS {
        initial.extend(draw.is().then_some(Test::Plain(fact, true)));
    }
    for object in 0..OBJECTS {
        initial.extend(draw.is().then_some(Test::Of(Arg::Object(object), true)));
    }
    let root = |draw: &mut Draw| (1 + draw.below(PRIMITIVES + COMPOUNDS - 1), draw.object());
    let tasks = (0..1 + draw.below(3)).map(|_| root(&mut draw)).collect();
    let goal = draw.once_in(3).then(|| match draw.test() {
        Test::Of(_, is) => Test::Of(draw.object(), is),
        other => other,
    });
    let tick = |draw: &mut Draw| {
        if draw.once_in(5) {
            0
        } else {
            draw.below(14) as u32
        }
    };
    let events = (0..draw.below(9)).map(|_| Event {
        at: tick(&mut draw),
        change: of_objects(draw.change()),
        every: draw.once_in(8).then(|| 1 + draw.below(6) as u32),
        when: draw.once_in(5).then(|| match draw.test() {
            Test::Of(_, is) => Test::Of(draw.object(), is),
            other => other,
        }),
    });
    let events = events.collect();
    let failures = (0..draw.below(3)).map(|_| (draw.below(PRIMITIVES), 1 + draw.below(3) as u32));
    let failures = failures.collect();
    Domain {
        primitives,
        compounds,
        initial,
        tasks,
        goal,
        events,
        failures,
    }
}

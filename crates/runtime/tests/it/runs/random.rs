//! Random domains.

use taskloom_document::{ChoicePolicy, Source};

use super::model::{
    ALL_FACTS, Agent, Alternative, Arg, Atom, COMPOUNDS, Call, Change, Compound, Domain, Effect,
    Event, FACTS, Failure, MOST, Method, Options, PRIMITIVES, Primitive, Score, Sense, THINGS,
    Test,
};
use testkit::random::Random;

mod agents;

struct Draw {
    random: Random,
    /// The size of the cast.
    cast: usize,
    /// `true` if the cast is a crowd, whose actors only texts of the scenario can name.
    is_crowd: bool,
    /// `true` if most agents pursue goals.
    pursues: bool,
    /// `true` if texts read the time.
    timed: bool,
    /// `true` if actions have several executors.
    several: bool,
    /// `true` if most tasks have a cleanup.
    cleans: bool,
}

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    /// One of `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn is(&mut self) -> bool {
        self.once_in(2)
    }

    fn some_object(&mut self) -> usize {
        self.below(THINGS + self.cast)
    }

    fn object(&mut self) -> Arg {
        let named = if self.is_crowd { 0 } else { self.cast };
        Arg::Object(self.below(THINGS + named))
    }

    fn arg(&mut self) -> Arg {
        if self.cast > 0 && self.once_in(3) {
            Arg::Me
        } else if self.is() {
            Arg::Param
        } else {
            self.object()
        }
    }

    /// An argument of a fact; tasks don't allow all of these.
    fn arg_or_held(&mut self) -> Arg {
        if self.once_in(6) {
            Arg::Held
        } else {
            self.arg()
        }
    }

    fn test(&mut self) -> Test {
        if self.timed && self.once_in(6) {
            return Test::Late(self.below(25) as i32, !self.once_in(4));
        }
        match self.below(9) {
            0..=3 => Test::Plain(self.below(FACTS), self.is()),
            4 | 5 => Test::Of(self.arg_or_held(), self.is()),
            6 | 7 => Test::AtLeast(1 + self.below(MOST as usize) as i32, self.is()),
            _ => Test::Holds(self.arg(), self.is()),
        }
    }

    /// Generates a test that names only objects.
    fn ground_test(&mut self) -> Test {
        match self.test() {
            Test::Of(Arg::Held, is) => Test::Of(Arg::Held, is),
            Test::Of(_, is) => Test::Of(self.object(), is),
            Test::Holds(_, is) => Test::Holds(self.object(), is),
            other => other,
        }
    }

    fn tests(&mut self, once_in: usize) -> Vec<Test> {
        let mut tests = vec![];
        while self.once_in(once_in) && tests.len() < 2 {
            tests.push(self.test());
        }
        tests
    }

    fn cooldown(&mut self) -> u32 {
        if self.once_in(6) {
            1 + self.below(8) as u32
        } else {
            0
        }
    }

    fn claims(&mut self) -> Vec<Arg> {
        let mut claims = vec![];
        while self.once_in(4) && claims.len() < 2 {
            claims.push(self.arg_or_held());
        }
        claims
    }

    fn change(&mut self) -> Change {
        match self.below(9) {
            0..=3 => Change::Plain(self.below(FACTS), self.is()),
            4 | 5 => Change::Of(self.arg_or_held(), self.is()),
            6 | 7 => Change::Add(if self.once_in(3) { -1 } else { 1 }),
            _ => Change::Hold(self.arg()),
        }
    }

    fn primitive(&mut self) -> Primitive {
        let mut effects: Vec<Effect> = vec![];
        // Steps of several executors overlap only where they have little to do with each other.
        let (most, once_in) = if self.several { (2, 6) } else { (4, 3) };
        for _ in 0..self.below(most) {
            let change = self.change();
            let adds = |c: &Change| matches!(c, Change::Add(_));
            let holds = |c: &Change| matches!(c, Change::Hold(_));
            if [adds, holds].iter().any(|is: &fn(&Change) -> bool| {
                is(&change) && effects.iter().any(|effect| is(&effect.change))
            }) {
                continue;
            }
            let when = self.once_in(6).then(|| self.test());
            let timing = *self.random.pick(&["eff", "eff", "planned", "executed"]);
            effects.push(Effect {
                change,
                when,
                timing,
            });
        }
        Primitive {
            pre: self.tests(once_in),
            integrity: self.tests(7),
            done: self.tests(once_in),
            effects,
            duration: self.below(6) as u32 + if self.cleans { 2 } else { 0 },
            executor: if self.several { self.below(3) } else { 0 },
            depends: self.once_in(8),
            cost: self.once_in(3).then(|| match self.below(5) {
                4 => Score::Number,
                cost => Score::Is(cost as i32),
            }),
            uninterruptible: self.once_in(4),
            cooldown: self.cooldown(),
            claims: self.claims(),
        }
    }

    /// Calls of primitive tasks, and of compound ones from a number on.
    fn calls(&mut self, from: usize) -> Vec<Call> {
        let counts = if self.several {
            [1, 2, 2, 3, 3, 3]
        } else {
            [0, 1, 1, 2, 2, 3]
        };
        let count = *self.random.pick(&counts);
        (0..count).map(|_| self.call(from)).collect()
    }

    fn call(&mut self, from: usize) -> Call {
        if self.once_in(3) && from < COMPOUNDS {
            (PRIMITIVES + from + self.below(COMPOUNDS - from), self.arg())
        } else {
            (self.below(PRIMITIVES), self.arg())
        }
    }

    fn alternative(&mut self, from: usize) -> Alternative {
        let calls = self.calls(from);
        let scores = [Score::Is(1), Score::Is(2), Score::Number, Score::Count];
        Alternative {
            score: (!self.once_in(6)).then(|| *self.random.pick(&scores)),
            guard: (!calls.is_empty() && self.once_in(3)).then(|| self.test()),
            calls,
        }
    }

    fn method(&mut self, from: usize) -> Method {
        if self.several && self.is() {
            return Method::Unordered(self.calls(from));
        }
        match self.below(7) {
            0 => Method::Sequence(self.calls(from)),
            1 => Method::Unordered(self.calls(from)),
            2..=4 => {
                let policies = [
                    ChoicePolicy::First,
                    ChoicePolicy::First,
                    ChoicePolicy::Highest,
                    ChoicePolicy::Random,
                ];
                let policy = *self.random.pick(&policies);
                let alternatives = (0..2 + self.below(2)).map(|_| self.alternative(from));
                let mut alternatives: Vec<Alternative> = alternatives.collect();
                if !matches!(policy, ChoicePolicy::Highest | ChoicePolicy::Random) {
                    alternatives.iter_mut().for_each(|one| one.score = None);
                }
                Method::Choice(policy, alternatives)
            }
            5 => Method::Branch(self.test(), self.calls(from), self.calls(from)),
            _ => {
                let condition = match self.test() {
                    Test::Of(_, is) => Test::Of(Arg::Found, is),
                    Test::Holds(_, is) => Test::Holds(Arg::Found, is),
                    other => other,
                };
                let mut calls = self.calls(from);
                calls.push((self.below(PRIMITIVES), Arg::Found));
                Method::Bind(vec![condition], calls)
            }
        }
    }

    /// Generates a test for repeating a task about something while it is true. Both are about the same single
    /// variable.
    fn repetition(&mut self, about: Arg) -> Test {
        let is_variable = |arg: Arg| matches!(arg, Arg::Param | Arg::Found);
        let test = self.test();
        if is_variable(about) {
            return test.with_arg(|arg| if is_variable(arg) { about } else { arg });
        }
        match test {
            Test::Of(_, is) => Test::Of(Arg::Param, is),
            other => Test::Holds(Arg::Param, matches!(other, Test::Plain(_, true))),
        }
    }

    /// Generates the options of a call of a task about something. `binds` is `true` if the method has a
    /// Bind.
    fn options(&mut self, about: Arg, binds: bool) -> Options {
        Options {
            repeat_while: self.once_in(8).then(|| self.repetition(about)),
            background: self.once_in(if self.several { 3 } else { 8 }),
            on_abort: (self.once_in(6) || self.cleans && !self.once_in(4)).then(|| {
                let (task, arg) = self.call(0);
                match self.below(6) {
                    0 => (task, Arg::Held),
                    1 if binds => (task, Arg::Found),
                    _ => (task, arg),
                }
            }),
            retry: self.once_in(4).then(|| self.below(3) as u32),
            timeout: self.once_in(4).then(|| 1 + self.below(7) as u32),
            repeat: if self.once_in(6) {
                2 + self.below(2)
            } else {
                1
            },
        }
    }

    fn compound(&mut self, number: usize) -> Compound {
        let goal = match self.once_in(4) {
            true => (0..1 + self.below(2)).map(|_| self.test()).collect(),
            false => vec![],
        };
        let mut method = match !goal.is_empty() && !self.once_in(3) {
            true => Method::Sequence(vec![]),
            false => self.method(number + 1),
        };
        let binds = matches!(method, Method::Bind(..));
        let calls = method.calls_mut().into_iter();
        let options = calls.map(|call| self.options(call.1, binds));
        Compound {
            options: options.collect(),
            pre: self.tests(6),
            goal,
            integrity: self.tests(8),
            cooldown: self.cooldown(),
            method,
        }
    }

    /// Generates a task of a scenario.
    fn root(&mut self) -> Call {
        let task = match self.cleans {
            // A task without a block is never cleaned up.
            true => PRIMITIVES + self.below(COMPOUNDS),
            false => 1 + self.below(PRIMITIVES + COMPOUNDS - 1),
        };
        (task, self.object())
    }

    fn roots(&mut self) -> Vec<Call> {
        (0..1 + self.below(3)).map(|_| self.root()).collect()
    }

    fn value(&mut self, atom: Atom) -> (Atom, i32) {
        let most = match atom {
            Atom::Number => MOST,
            Atom::Plain(_) | Atom::Of(_) => 1,
            // An initial value can't express that it is undefined.
            Atom::Held => return (atom, 1 + self.some_object() as i32),
        };
        (atom, self.below(most as usize + 1) as i32)
    }

    fn sense(&mut self, fact: usize) -> Sense {
        let when = (!self.once_in(3)).then(|| match self.test() {
            // Only `g` has a parameter.
            Test::Of(Arg::Param, is) if fact != FACTS => Test::Of(Arg::Me, is),
            Test::Holds(Arg::Param, is) if fact != FACTS => Test::Holds(Arg::Me, is),
            other => other,
        });
        Sense {
            fact,
            every: 1 + self.below(7) as u32,
            forget: self.once_in(3).then(|| 1 + self.below(8) as u32),
            unknown: self.once_in(4),
            when,
        }
    }

    fn event(&mut self) -> Event {
        let at = if self.once_in(5) {
            0
        } else {
            self.below(14) as u32
        };
        let change = match self.change() {
            Change::Of(_, is) => Change::Of(self.object(), is),
            Change::Hold(_) => Change::Hold(self.object()),
            other => other,
        };
        Event {
            at,
            change,
            every: self.once_in(8).then(|| 1 + self.below(6) as u32),
            when: self.once_in(5).then(|| self.ground_test()),
        }
    }

    fn failure(&mut self) -> Failure {
        let chance = self.once_in(3);
        Failure {
            task: self.below(PRIMITIVES),
            object: self.once_in(3).then(|| self.some_object()),
            time: (!chance || self.once_in(4)).then(|| 1 + self.below(3) as u32),
            chance: chance.then(|| *self.random.pick(&[0.25, 0.5, 0.75])),
        }
    }
}

/// The number of goals in a domain.
const GOALS: usize = 4;

/// The domain of a seed.
pub fn domain(seed: u64) -> Domain {
    let mut draw = Draw {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        cast: 0,
        is_crowd: false,
        pursues: false,
        timed: false,
        several: false,
        cleans: false,
    };
    // The first numbers of similar seeds are similar.
    (0..8).for_each(|_| _ = draw.below(2));
    draw.cast = *draw.random.pick(&[0, 0, 1, 1, 2, 2, 3, 4]);
    draw.is_crowd = draw.cast > 0 && seed % 7 == 3;
    draw.pursues = draw.once_in(2);
    draw.timed = draw.once_in(4);
    draw.several = draw.once_in(3);
    draw.cleans = draw.once_in(3);
    // Actors that pursue goals have no blocks.
    draw.pursues &= !draw.cleans;
    let sources = [
        Source::Sensor,
        Source::Sensor,
        Source::Memory,
        Source::Blackboard,
    ];
    let sources = [(); ALL_FACTS].map(|()| *draw.random.pick(&sources));
    let primitives = (0..PRIMITIVES).map(|_| draw.primitive()).collect();
    let compounds = (0..COMPOUNDS).map(|number| draw.compound(number)).collect();
    let goals = (0..GOALS).map(|_| draw.goal()).collect();
    let agents = draw.cast.min(1 + draw.below(3));
    let agents: Vec<Agent> = (0..agents).map(|_| draw.agent(&sources)).collect();
    let mut domain = Domain {
        sources,
        has_absence: seed % 6 == 5,
        primitives,
        compounds,
        goals,
        agents,
        initial: vec![],
        cast: vec![],
        is_crowd: draw.is_crowd,
        tasks: vec![],
        goal: None,
        events: vec![],
        failures: vec![],
        seed: draw.below(1_000) as u32,
    };
    let cast = draw.cast;
    let plain = (0..FACTS).map(Atom::Plain);
    let atoms: Vec<Atom> = plain.chain((0..THINGS + cast).map(Atom::Of)).collect();
    for atom in &atoms {
        domain.initial.extend(draw.is().then_some((*atom, 1)));
    }
    if draw.is() {
        let held = draw.value(Atom::Held);
        domain.initial.push(held);
    }
    let all: Vec<Atom> = atoms
        .into_iter()
        .chain([Atom::Number, Atom::Held])
        .collect();
    domain.cast = (0..cast)
        .map(|_| {
            let agent = draw.below(domain.agents.len());
            draw.member(agent, &domain.agents[agent], &all)
        })
        .collect();
    let pursues = domain.agents.iter().any(agents::has_goals);
    if cast == 0 || draw.once_in(6) == pursues {
        domain.tasks = draw.roots();
        domain.goal = draw.once_in(3).then(|| draw.ground_test());
        if domain.goal.is_some() && draw.once_in(3) {
            domain.tasks.clear();
        }
    }
    domain.events = (0..draw.below(14)).map(|_| draw.event()).collect();
    domain.failures = (0..draw.below(3)).map(|_| draw.failure()).collect();
    for goal in &mut domain.goals {
        goal.tasks = draw.serving_tasks();
    }
    if domain.is_crowd {
        domain.cast = vec![domain.cast[0].clone(); cast];
    }
    domain
}

/// Lets compound tasks of a domain repeat a primitive task that counts, by calling themselves, and end with any
/// other one.
pub fn recursive(mut domain: Domain, random: &mut Random) -> Domain {
    let counting = random.below(PRIMITIVES);
    let task = &mut domain.primitives[counting];
    task.pre.clear();
    task.effects
        .retain(|one| !matches!(one.change, Change::Add(_)));
    task.effects.push(Effect {
        change: Change::Add(1),
        when: None,
        timing: "eff",
    });
    for (number, compound) in domain.compounds.iter_mut().enumerate() {
        if !compound.goal.is_empty() || random.below(3) == 0 {
            continue;
        }
        let arg = *random.pick(&[Arg::Param, Arg::Param, Arg::Object(0)]);
        let mut yes = vec![(counting, Arg::Param), (PRIMITIVES + number, arg)];
        if random.below(3) == 0 {
            yes.insert(1, (random.below(PRIMITIVES), Arg::Param));
        }
        let no = vec![(random.below(PRIMITIVES), Arg::Param)];
        let options = yes.iter().chain(&no).map(|_| Options {
            timeout: (random.below(12) == 0).then(|| 2 + random.below(9) as u32),
            retry: (random.below(12) == 0).then(|| random.below(3) as u32),
            on_abort: (random.below(12) == 0).then(|| (random.below(PRIMITIVES), Arg::Param)),
            background: random.below(12) == 0,
            ..Options::default()
        });
        compound.options = options.collect();
        let test = Test::AtLeast(MOST - random.below(2) as i32, false);
        compound.method = Method::Branch(test, yes, no);
    }
    domain
}

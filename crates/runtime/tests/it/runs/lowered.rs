//! Random domains as the reference interpreter reads them: what their texts mean, without reading them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use taskloom_document::{BlockId, ChoicePolicy, EffectTiming, Name, Param, Port, Source};
use taskloom_domain::lang::typed::{
    self, Aggregate, Assignment, Comparison, Formula, FormulaKind, Number, Operator, Term,
};

use super::model::{
    self, Alternative, Arg, COMPOUNDS, Call, Change, FACTS, MOST, Method, Options, PRIMITIVES,
    Score, THINGS, Test, is_near,
};
use super::{elaborated, written};
use crate::reference::domain::{
    self, Agent, Compound, Domain, Duration, Effect, Event, Failure, Goal, Member, Planning,
    Primitive, Pursuit, Sense, Task, TaskKind,
};
use crate::reference::method::{self, Block, Content};
use crate::reference::names::{Atom, Fact, Ground, Kind, Names};

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn param(text: &str) -> Param {
    Param {
        name: name(text),
        of: name("thing"),
    }
}

fn formula(kind: FormulaKind) -> Formula {
    let span = taskloom_document::diagnostic::Span::default();
    Formula { kind, span }
}

fn is(kind: FormulaKind, is: bool) -> Formula {
    match is {
        true => formula(kind),
        false => formula(FormulaKind::Not(Box::new(formula(kind)))),
    }
}

fn term(arg: Arg) -> Term {
    match arg {
        Arg::Object(object) => Term::Object(name(&written::object(object))),
        Arg::Param => Term::Variable(name("x")),
        Arg::Found => Term::Variable(name("y")),
        Arg::Me => Term::Me,
        Arg::Held => Term::Fact(name("v"), vec![]),
    }
}

fn test(test: Test) -> Formula {
    let compare = |by, number, k: i32| {
        let k = Number::Constant(f64::from(k));
        formula(FormulaKind::Compare(by, number, k))
    };
    let at_least = |is: bool| match is {
        true => Comparison::GreaterOrEqual,
        false => Comparison::Less,
    };
    match test {
        Test::Plain(fact, holds) => {
            let fact = FormulaKind::Fact(name(&format!("f{fact}")), vec![]);
            is(fact, holds)
        }
        Test::Of(of, holds) => is(FormulaKind::Fact(name("g"), vec![term(of)]), holds),
        Test::AtLeast(k, is) => compare(at_least(is), Number::Fact(name("n"), vec![]), k),
        Test::Late(k, is) => compare(at_least(is), Number::Time, k),
        Test::Holds(of, holds) => is(FormulaKind::Same(term(Arg::Held), term(of)), holds),
        Test::Near(from) => {
            let args = vec![term(from), term(Arg::Found)];
            formula(FormulaKind::Fact(name("near"), args))
        }
    }
}

fn tests(all: &[Test]) -> Vec<Formula> {
    all.iter().copied().map(test).collect()
}

/// Returns the conjunction of tests, if there are any.
fn conjunction(all: &[Test]) -> Option<Formula> {
    let mut all = tests(all);
    match all.len() {
        0 | 1 => all.pop(),
        _ => Some(formula(FormulaKind::And(all))),
    }
}

fn change(change: Change) -> typed::Change {
    let g = name("g");
    match change {
        Change::Plain(fact, true) => typed::Change::Set(name(&format!("f{fact}")), vec![]),
        Change::Plain(fact, false) => typed::Change::Unset(name(&format!("f{fact}")), vec![]),
        Change::Of(of, true) => typed::Change::Set(g, vec![term(of)]),
        Change::Of(of, false) => typed::Change::Unset(g, vec![term(of)]),
        Change::Add(n) => typed::Change::Number(
            Assignment::Increase,
            name("n"),
            vec![],
            Number::Constant(f64::from(n)),
        ),
        Change::Hold(of) => typed::Change::Object(name("v"), vec![], term(of)),
    }
}

fn effect(of: Change, when: Option<Test>) -> typed::Effect {
    typed::Effect {
        forall: vec![],
        change: change(of),
        when: when.map(test),
        span: taskloom_document::diagnostic::Span::default(),
    }
}

fn score(score: Score) -> Number {
    match score {
        Score::Is(k) => Number::Constant(f64::from(k)),
        Score::Number => Number::Fact(name("n"), vec![]),
        Score::Count => {
            let of = FormulaKind::Fact(name("g"), vec![Term::Variable(name("z"))]);
            let one = Box::new(Number::Constant(1.0));
            let of = Some(Box::new(formula(of)));
            Number::Aggregate(Aggregate::Count, vec![param("z")], one, of)
        }
    }
}

fn call((task, arg): Call) -> domain::Call {
    let args = vec![term(arg)];
    domain::Call { task, args }
}

fn ground((task, arg): Call) -> Ground {
    match arg {
        Arg::Object(object) => Ground::new(task, &[object]),
        other => panic!("{other:?} isn't an object"),
    }
}

/// Returns a ground fact by its place among those of a document.
fn atom(names: &Names, of: model::Atom) -> Atom {
    let found = match of {
        model::Atom::Plain(fact) => names.atom(fact, &[]),
        model::Atom::Of(object) => names.atom(FACTS, &[object]),
        model::Atom::Number => names.atom(names.fact(&name("n")), &[]),
        model::Atom::Held => names.atom(names.fact(&name("v")), &[]),
    };
    found.expect("a ground fact")
}

/// Returns the number of a fact of the model.
fn fact(names: &Names, number: usize) -> usize {
    match number.checked_sub(FACTS) {
        Some(1) => names.fact(&name("n")),
        Some(2) => names.fact(&name("v")),
        _ => number,
    }
}

/// Returns a ground fact of the model, with its value; `None` for a fact that never changes.
pub fn value(names: &Names, of: Atom, is: f64) -> Option<(model::Atom, i32)> {
    let (_, args) = &names.atoms[of.0];
    let atom = match names.fact_of(of).name.as_str() {
        "near" => return None,
        "g" => model::Atom::Of(args[0]),
        "n" => model::Atom::Number,
        "v" => model::Atom::Held,
        plain => model::Atom::Plain(plain[1..].parse().expect("a number")),
    };
    Some((atom, is as i32))
}

fn names(domain: &model::Domain) -> Names {
    let objects = (0..domain.objects()).map(|one| name(&written::object(one)));
    let all = (0..domain.objects()).collect();
    let of_types = BTreeMap::from([
        (name("thing"), all),
        (name("guy"), (THINGS..domain.objects()).collect()),
    ]);
    let fact = |text: &str, params: &[&str], kind, source| Fact {
        name: name(text),
        params: params.iter().map(|text| param(text)).collect(),
        kind,
        source,
        is_absence: text == "g" && domain.has_absence,
    };
    let integer = Kind::Number {
        integer: true,
        min: Some(0.0),
        max: Some(f64::from(MOST)),
    };
    let sources = domain.sources;
    let plain = (0..FACTS).map(|n| fact(&format!("f{n}"), &[], Kind::Bool, sources[n]));
    let mut facts: Vec<Fact> = plain.collect();
    facts.push(fact("g", &["x"], Kind::Bool, sources[FACTS]));
    facts.push(fact("n", &[], integer, sources[FACTS + 1]));
    if domain.finds_near() {
        facts.push(fact("near", &["from", "to"], Kind::Bool, Source::Sensor));
    }
    facts.push(fact("v", &[], Kind::Object, sources[FACTS + 2]));
    let tasks = PRIMITIVES + domain.compounds.len();
    Names::new(
        objects.collect(),
        of_types,
        facts,
        (0..tasks).map(written::task_name).collect(),
        (0..domain.goals.len()).map(written::goal_name).collect(),
    )
}

fn primitive(task: &model::Primitive) -> Task {
    let effects = task.effects.iter().map(|one| Effect {
        effect: effect(one.change, one.when),
        timing: match one.timing {
            "planned" => EffectTiming::Planned,
            "executed" => EffectTiming::Executed,
            _ => EffectTiming::PlannedAndExecuted,
        },
    });
    let mut ticks = Number::Constant(f64::from(task.duration));
    if task.depends {
        let n = Box::new(Number::Fact(name("n"), vec![]));
        ticks = Number::Arithmetic(Operator::Add, Box::new(ticks), n);
    }
    Task {
        params: vec![param("x")],
        pre: tests(&task.pre),
        integrity: tests(&task.integrity),
        cooldown: task.cooldown,
        drawn: 0,
        kind: TaskKind::Primitive(Primitive {
            done: tests(&task.done),
            effects: effects.collect(),
            duration: Some(Duration {
                params: vec![],
                args: vec![],
                ticks,
            }),
            executor: task.executor.to_string(),
            cost: task.cost.map(score),
            uninterruptible: task.uninterruptible,
            claims: task.claims.iter().copied().map(term).collect(),
        }),
    }
}

/// Draws flowcharts.
struct Drawing {
    blocks: Vec<Block>,
    /// The options of the remaining calls.
    options: std::vec::IntoIter<Options>,
    /// The number of Task blocks so far.
    calls: usize,
}

impl Drawing {
    fn add(&mut self, id: &str, content: Content) -> usize {
        self.blocks.push(Block {
            id: BlockId::new(id).expect("an id"),
            content,
            wires: vec![],
        });
        self.blocks.len() - 1
    }

    /// Adds Task blocks in sequence after an output.
    fn chain(&mut self, from: (usize, usize), calls: &[Call]) {
        let mut from = from;
        for one in calls {
            let id = written::block_id(self.calls);
            self.calls += 1;
            let options = self.options.next().expect("options of each call");
            let task = self.add(&id, content(*one, &options));
            self.blocks[from.0].wires.push((from.1, task));
            from = (task, 0);
        }
    }
}

fn content(of: Call, options: &Options) -> Content {
    let options = domain::Options {
        repeat: options.repeat,
        timeout: options.timeout,
        retry: options.retry,
        background: options.background,
        on_abort: options.on_abort.map(call),
    };
    Content::Task(call(of), options)
}

fn choice(drawing: &mut Drawing, policy: ChoicePolicy, alternatives: &[Alternative]) {
    let outputs = (1..).zip(alternatives);
    let outputs = outputs.map(|(id, one)| (Port::Alternative(id), one.score.map(score)));
    let k1 = drawing.add("k1", Content::Choice(policy, outputs.collect()));
    drawing.blocks[0].wires.push((0, k1));
    // Breadth first, as far as the order of decisions matters.
    let guards = alternatives.iter().enumerate().map(|(number, one)| {
        let guard = one.guard?;
        let id = format!("k1{}", number + 1);
        let block = drawing.add(&id, Content::Branch(test(guard)));
        drawing.blocks[k1].wires.push((number, block));
        Some(block)
    });
    let guards: Vec<Option<usize>> = guards.collect();
    for (number, (one, guard)) in alternatives.iter().zip(guards).enumerate() {
        let from = guard.map_or((k1, number), |guard| (guard, 0));
        drawing.chain(from, &one.calls);
    }
}

fn method(task: usize, compound: &model::Compound) -> method::Method {
    let mut drawing = Drawing {
        blocks: vec![],
        options: compound.options.clone().into_iter(),
        calls: 0,
    };
    let is_repetition = matches!(compound.method, Method::While(..));
    let k0 = drawing.add(if is_repetition { "begin" } else { "k0" }, Content::Pass);
    let decide = |drawing: &mut Drawing, id: &str, content| {
        let block = drawing.add(id, content);
        drawing.blocks[k0].wires.push((0, block));
        block
    };
    match &compound.method {
        Method::Sequence(calls) => drawing.chain((k0, 0), calls),
        Method::Unordered(calls) => {
            for one in calls {
                drawing.chain((k0, 0), &[*one]);
            }
        }
        Method::Choice(policy, alternatives) => choice(&mut drawing, *policy, alternatives),
        Method::Branch(condition, yes, no) => {
            let k1 = decide(&mut drawing, "k1", Content::Branch(test(*condition)));
            drawing.chain((k1, 0), yes);
            drawing.chain((k1, 1), no);
        }
        Method::Bind(conditions, calls) => {
            let condition = conjunction(conditions);
            let content = Content::Bind(param("y"), condition, None);
            let k1 = decide(&mut drawing, "k1", content);
            drawing.chain((k1, 0), calls);
        }
        Method::While(condition, one) => {
            let branch = decide(&mut drawing, "while", Content::Branch(test(*condition)));
            // The block keeps its id.
            let call = (task - PRIMITIVES - COMPOUNDS) % model::CALLS;
            let own = content(*one, &compound.options[0]);
            let own = drawing.add(&written::block_id(call), own);
            let end = drawing.add("end", Content::Pass);
            drawing.blocks[branch].wires.extend([(0, own), (1, end)]);
        }
    }
    method::Method {
        blocks: drawing.blocks,
    }
}

fn compound(task: usize, of: &model::Compound) -> Task {
    Task {
        params: vec![param("x")],
        pre: tests(&of.pre),
        integrity: tests(&of.integrity),
        cooldown: of.cooldown,
        drawn: 0,
        kind: TaskKind::Compound(Compound {
            goal: conjunction(&of.goal),
            method: method(task, of),
        }),
    }
}

fn goal(goal: &model::Goal) -> Goal {
    Goal {
        subgoals: tests(&goal.subgoals),
        condition: conjunction(&goal.condition).expect("a condition"),
        tasks: goal.tasks.iter().copied().map(call).collect(),
        priority: f64::from(goal.priority),
        relevance: goal.relevance.map(score),
        bias: goal.bias.map(score),
        cooldown: goal.cooldown,
    }
}

fn agent(names: &Names, agent: &model::Agent) -> Agent {
    let senses = agent.senses.iter().map(|sense| Sense {
        fact: fact(names, sense.fact),
        every: sense.every,
        forget: sense.forget,
        unknown: sense.unknown,
        when: sense.when.map(test),
    });
    Agent {
        planning: match &agent.planning {
            model::Planning::Decomposition(policy) => Planning::Decomposition(*policy),
            model::Planning::Reactive => Planning::Reactive,
            model::Planning::Goals(pursuit) => Planning::Goals(Pursuit {
                goals: pursuit.goals.clone(),
                heuristic: pursuit.heuristic,
                is_limited: pursuit.depth.is_some(),
                retry: pursuit.retry,
                commitment: pursuit.commitment,
            }),
        },
        uses: agent.uses.clone(),
        senses: senses.collect(),
        failure: agent.failure,
        again: agent.again,
        perception: agent.perception,
        every: agent.every,
        alternative: agent.alternative,
        margin: agent.margin,
    }
}

/// Returns a random domain, which is elaborated, as the interpreter reads it.
pub fn lowered(of: &model::Domain) -> Domain {
    let names = names(of);
    let primitives = of.primitives.iter().map(primitive);
    let compounds = (PRIMITIVES..).zip(&of.compounds);
    let compounds = compounds.map(|(task, one)| compound(task, one));
    let mut tasks: Vec<Task> = primitives.chain(compounds).collect();
    for (number, task) in tasks.iter_mut().enumerate() {
        task.drawn = elaborated::drawn(number);
    }
    let values = |all: &[(model::Atom, i32)]| {
        let values = all
            .iter()
            .map(|(of, is)| (atom(&names, *of), f64::from(*is)));
        values.collect::<Vec<_>>()
    };
    let mut initial = values(&of.initial);
    for fact in names.facts.iter().filter(|fact| fact.name == name("near")) {
        let number = names.fact(&fact.name);
        let near = names.tuples(&fact.params);
        let near = near.iter().filter(|both| is_near(both[0], both[1]));
        initial.extend(near.map(|both| (names.atom(number, both).expect("both"), 1.0)));
    }
    let member = |number: usize| Member {
        me: of.me(number),
        absences: match of.me(number).filter(|_| of.has_absence) {
            Some(me) => vec![atom(&names, model::Atom::Of(me))],
            None => vec![],
        },
        agent: of.cast.get(number).map(|member| member.agent),
        tasks: of.tasks(number).iter().copied().map(ground).collect(),
        goal: of.goal(number).map(test),
        beliefs: of
            .cast
            .get(number)
            .map_or(vec![], |member| values(&member.beliefs)),
        plans_by_time: false,
    };
    let events = of.events.iter().map(|event| Event {
        at: event.at,
        every: event.every,
        when: event.when.map(test),
        effect: effect(event.change, None),
    });
    let failures = of.failures.iter().map(|failure| Failure {
        task: failure.task,
        args: failure.object.map(|object| vec![object]),
        time: failure.time,
        chance: failure.chance,
    });
    let lowered = Domain {
        conditions: FxHashMap::default(),
        tasks,
        goals: of.goals.iter().map(goal).collect(),
        agents: of.agents.iter().map(|one| agent(&names, one)).collect(),
        initial,
        cast: (0..of.characters()).map(member).collect(),
        events: events.collect(),
        failures: failures.collect(),
        seed: of.seed,
        has_clock: false,
        names,
    };
    lowered.timed()
}

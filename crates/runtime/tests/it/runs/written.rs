//! The domains as text, in the language of the test domains.

use std::fmt::Write;

use taskloom_document::{ChoicePolicy, Direction, Heuristic, Name, Policy, Source};

use super::model::{
    Agent, Alternative, Arg, Atom, CALLS, COMPOUNDS, Call, Change, Compound, Domain, FACTS, Goal,
    MOST, Method, Object, Options, PRIMITIVES, Planning, Score, Sense, THINGS, Test, is_near,
};

pub fn object(object: Object) -> String {
    match object.checked_sub(THINGS) {
        None => format!("o{object}"),
        Some(played) => format!("z-{}", played + 1),
    }
}

pub fn arg(arg: Arg) -> String {
    match arg {
        Arg::Object(number) => object(number),
        Arg::Param => "?x".to_owned(),
        Arg::Found => "?y".to_owned(),
        Arg::Me => "?me".to_owned(),
        Arg::Held => "v".to_owned(),
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
        Test::Late(k, true) => format!("time >= {k}"),
        Test::Late(k, false) => format!("time < {k}"),
        Test::Holds(of, true) => format!("v = {}", arg(of)),
        Test::Holds(of, false) => format!("v != {}", arg(of)),
        Test::Near(from) => format!("near({}, ?y)", arg(from)),
    }
}

pub fn atom(atom: Atom) -> String {
    match atom {
        Atom::Plain(fact) => format!("f{fact}"),
        Atom::Of(of) => format!("g({})", object(of)),
        Atom::Number => "n".to_owned(),
        Atom::Held => "v".to_owned(),
    }
}

/// Returns it as an initial value.
pub fn value((of, is): (Atom, i32)) -> String {
    match of {
        Atom::Number => format!("n = {is}"),
        Atom::Held => format!("v = {}", object(is as usize - 1)),
        _ => format!("{}{}", not(is != 0), atom(of)),
    }
}

fn change(change: Change) -> String {
    match change {
        Change::Plain(fact, is) => test(Test::Plain(fact, is)),
        Change::Of(of, is) => test(Test::Of(of, is)),
        Change::Add(n) if n < 0 => format!("n -= {}", -n),
        Change::Add(n) => format!("n += {n}"),
        Change::Hold(of) => format!("v := {}", arg(of)),
    }
}

fn task(number: usize) -> String {
    if let Some(repetition) = number.checked_sub(PRIMITIVES + COMPOUNDS) {
        let (whole, call) = (repetition / CALLS, block_id(repetition % CALLS));
        return format!("c{whole}-while-{call}");
    }
    match number.checked_sub(PRIMITIVES) {
        None => format!("p{number}"),
        Some(compound) => format!("c{compound}"),
    }
}

pub fn call((number, of): Call) -> String {
    format!("{}({})", task(number), arg(of))
}

/// Returns the id of the Task block of a method's call, by the call's number.
pub fn block_id(call: usize) -> String {
    format!("t{call}")
}

/// Writes blocks in sequence after an output. `id` is the number of the calls written before.
fn chain(out: &mut String, from: &str, calls: &[Call], id: &mut usize, options: &[Options]) {
    let mut from = from.to_owned();
    for one in calls {
        let block = block_id(*id);
        let Options {
            repeat,
            repeat_while,
            timeout,
            retry,
            background,
            on_abort,
        } = options[*id];
        *id += 1;
        let _ = write!(out, "  block {block} task {}", call(*one));
        if repeat > 1 {
            let _ = write!(out, " repeat {repeat}");
        }
        if let Some(ticks) = timeout {
            let _ = write!(out, " timeout {ticks}");
        }
        if let Some(times) = retry {
            let _ = write!(out, " retry {times}");
        }
        if background {
            out.push_str(" background");
        }
        if let Some(cleanup) = on_abort {
            let _ = write!(out, " abort {}", call(cleanup));
        }
        if let Some(is) = repeat_while {
            let _ = write!(out, " while {}", test(is));
        }
        let _ = writeln!(out, "\n  wire {from} -> {block}");
        from = format!("{block}.out");
    }
}

fn score(score: Score) -> String {
    match score {
        Score::Is(k) => k.to_string(),
        Score::Number => "n".to_owned(),
        Score::Count => "count ?z: thing. g(?z)".to_owned(),
    }
}

fn choice(
    out: &mut String,
    policy: ChoicePolicy,
    alternatives: &[Alternative],
    options: &[Options],
) {
    let id = &mut 0;
    let kind = match policy {
        ChoicePolicy::First | ChoicePolicy::Cheapest => "choice",
        ChoicePolicy::Highest => "highest",
        ChoicePolicy::Random => "random",
    };
    let outputs = alternatives.iter().enumerate().map(|(number, one)| {
        let score = one
            .score
            .map_or(String::new(), |s| format!(" @ {}", score(s)));
        format!("way{number}{score}")
    });
    let outputs: Vec<String> = outputs.collect();
    let _ = writeln!(out, "  block k1 {kind} {}", outputs.join(", "));
    *out += "  wire k0.out -> k1\n";
    for (number, one) in (1..).zip(alternatives) {
        let mut from = format!("k1.{number}");
        if let Some(guard) = one.guard {
            let block = format!("k1{number}");
            let _ = writeln!(out, "  block {block} branch {}", test(guard));
            let _ = writeln!(out, "  wire {from} -> {block}");
            from = format!("{block}.true");
        }
        chain(out, &from, &one.calls, id, options);
    }
}

fn method(
    out: &mut String,
    Compound {
        method, options, ..
    }: &Compound,
) {
    let id = &mut 0;
    *out += "  block k0 begin\n";
    match method {
        Method::Sequence(calls) => chain(out, "k0.out", calls, id, options),
        Method::Unordered(calls) => {
            for one in calls {
                chain(out, "k0.out", &[*one], id, options);
            }
        }
        Method::Choice(policy, alternatives) => choice(out, *policy, alternatives, options),
        Method::Branch(condition, yes, no) => {
            let _ = writeln!(out, "  block k1 branch {}", test(*condition));
            *out += "  wire k0.out -> k1\n";
            chain(out, "k1.true", yes, id, options);
            chain(out, "k1.false", no, id, options);
        }
        Method::While(..) => unreachable!("it isn't drawn"),
        Method::Bind(conditions, calls) => {
            let mut all = vec![test(conditions[0])];
            let near = conditions.iter().filter(|one| matches!(one, Test::Near(_)));
            all.extend(near.map(|one| test(*one)));
            let condition = all.join(" and ");
            let _ = writeln!(out, "  block k1 bind ?y: thing where {condition}");
            *out += "  wire k0.out -> k1\n";
            chain(out, "k1.out", calls, id, options);
        }
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Sensor => "sensor",
        Source::Memory => "memory",
        Source::Blackboard => "blackboard",
    }
}

fn lines(out: &mut String, word: &str, tests: &[Test]) {
    for one in tests {
        let _ = writeln!(out, "  {word} {}", test(*one));
    }
}

/// Returns the domain without its scenario, and without the actors of a crowd.
pub fn written(domain: &Domain) -> String {
    let mut out = String::from("type thing\ntype guy: thing\n");
    let objects = if domain.is_crowd {
        THINGS
    } else {
        domain.objects()
    };
    for number in 0..objects {
        let of = if number < THINGS { "thing" } else { "guy" };
        let _ = writeln!(out, "object {}: {of}", object(number));
    }
    for (number, of) in domain.sources.iter().enumerate() {
        let fact = match number.checked_sub(FACTS) {
            None => format!("fact f{number}"),
            Some(0) if domain.has_absence => "fact g(?x: thing) absence".to_owned(),
            Some(0) => "fact g(?x: thing)".to_owned(),
            Some(1) => format!("number n integer 0..{MOST}"),
            Some(_) => "value v: thing".to_owned(),
        };
        let _ = writeln!(out, "{} {fact}", source(*of));
    }
    if domain.finds_near() {
        out += "sensor fact near(?from: thing, ?to: thing)\n";
    }
    for (number, task) in domain.primitives.iter().enumerate() {
        let more = if task.depends { " + n" } else { "" };
        let by = ["", " by legs", " by voice"][task.executor];
        let _ = writeln!(out, "action A{number} {}{more}{by}", task.duration);
        let start = out.len();
        let _ = writeln!(out, "primitive p{number}(?x: thing) = A{number}");
        lines(&mut out, "pre", &task.pre);
        lines(&mut out, "integrity", &task.integrity);
        lines(&mut out, "done", &task.done);
        for effect in &task.effects {
            let when = effect
                .when
                .map_or(String::new(), |t| format!(" when {}", test(t)));
            let _ = writeln!(out, "  {} {}{when}", effect.timing, change(effect.change));
        }
        if let Some(cost) = task.cost {
            let _ = writeln!(out, "  cost {}", score(cost));
        }
        if task.uninterruptible {
            out += "  uninterruptible\n";
        }
        for claim in &task.claims {
            let _ = writeln!(out, "  claims {}", arg(*claim));
        }
        cooldown(&mut out, task.cooldown);
        hide_actor(&mut out, start, number);
    }
    for (number, task) in domain.compounds.iter().enumerate() {
        let start = out.len();
        let _ = writeln!(out, "compound c{number}(?x: thing)");
        lines(&mut out, "pre", &task.pre);
        if !task.goal.is_empty() {
            let _ = writeln!(out, "  goal {}", conjunction(&task.goal));
        }
        lines(&mut out, "integrity", &task.integrity);
        cooldown(&mut out, task.cooldown);
        method(&mut out, task);
        hide_actor(&mut out, start, number);
    }
    for (number, one) in domain.goals.iter().enumerate() {
        goal(&mut out, number, one);
    }
    for (number, one) in domain.agents.iter().enumerate() {
        agent(&mut out, number, one);
    }
    out
}

/// Calls the parameter of every other task `?me` if the task's text, which is the last one, doesn't name the actor.
fn hide_actor(out: &mut String, start: usize, number: usize) {
    if !number.is_multiple_of(2) && !out[start..].contains("?me") {
        let text = out[start..].replace("?x", "?me");
        out.replace_range(start.., &text);
    }
}

fn cooldown(out: &mut String, ticks: u32) {
    if ticks > 0 {
        let _ = writeln!(out, "  cooldown {ticks}");
    }
}

pub fn task_name(number: usize) -> Name {
    Name::new(&task(number)).expect("a name")
}

pub fn goal_name(number: usize) -> Name {
    Name::new(&format!("w{number}")).expect("a name")
}

fn conjunction(tests: &[Test]) -> String {
    let tests: Vec<String> = tests.iter().copied().map(test).collect();
    tests.join(" and ")
}

fn goal(out: &mut String, number: usize, goal: &Goal) {
    let _ = writeln!(out, "goal w{number}: {}", conjunction(&goal.condition));
    let _ = writeln!(out, "  priority {}", goal.priority);
    cooldown(out, goal.cooldown);
    for one in &goal.subgoals {
        let _ = writeln!(out, "  subgoal {}", test(*one));
    }
    for task in &goal.tasks {
        let _ = writeln!(out, "  task {}", call(*task));
    }
    for (word, number) in [("relevance", goal.relevance), ("bias", goal.bias)] {
        if let Some(number) = number {
            let _ = writeln!(out, "  {word} {}", score(number));
        }
    }
}

fn planning(out: &mut String, planning: &Planning) {
    match planning {
        Planning::Decomposition(Policy::First) => {}
        Planning::Decomposition(Policy::Cheapest) => *out += "  cheapest\n",
        Planning::Reactive => *out += "  reactive\n",
        Planning::Goals(pursuit) => {
            for goal in &pursuit.goals {
                let _ = writeln!(out, "  wants w{goal}");
            }
            let _ = writeln!(out, "  retry {}", pursuit.retry);
            let _ = writeln!(out, "  commitment {}", pursuit.commitment);
            if let Some(depth) = pursuit.depth {
                let _ = writeln!(out, "  depth {depth}");
            }
            *out += match pursuit.heuristic {
                Heuristic::Blind => "  heuristic blind\n",
                Heuristic::Unmet => "  heuristic unmet\n",
                Heuristic::Hmax => "",
                Heuristic::Hadd => "  heuristic hadd\n",
                Heuristic::Ff => "  heuristic ff\n",
            };
            *out += match pursuit.direction {
                Direction::Forward => "",
                Direction::Regressive => "  regressive\n",
            };
        }
    }
}

fn agent(out: &mut String, number: usize, agent: &Agent) {
    let _ = writeln!(out, "agent g{number}: guy");
    planning(out, &agent.planning);
    for used in &agent.uses {
        let _ = writeln!(out, "  uses {}", task(*used));
    }
    for one in &agent.tasks {
        let _ = writeln!(out, "  task {}", call(*one));
    }
    for Sense {
        fact,
        every,
        forget,
        unknown,
        when,
    } in &agent.senses
    {
        let fact = ["f0", "f1", "f2", "g", "n", "v"][*fact];
        let forget = forget.map_or(String::new(), |ticks| format!(" forget {ticks}"));
        let when = when.map_or(String::new(), |when| format!(" when {}", test(when)));
        let unknown = if *unknown { " unknown" } else { "" };
        let _ = writeln!(out, "  sense {fact} {every}{unknown}{forget}{when}");
    }
    let failure = agent.failure.map(|ticks| ticks.to_string());
    let _ = writeln!(out, "  failure {}", failure.as_deref().unwrap_or("never"));
    *out += if agent.again { "  again\n" } else { "" };
    *out += if agent.perception {
        "  perception\n"
    } else {
        ""
    };
    if let Some(every) = agent.every {
        let _ = writeln!(out, "  every {every}");
    }
    *out += if agent.alternative {
        "  alternative\n"
    } else {
        ""
    };
    if let Some(margin) = agent.margin {
        let _ = writeln!(out, "  margin {margin}");
    }
}

/// Returns the scenario of the run.
pub fn scenario(domain: &Domain) -> String {
    if domain.is_crowd {
        return with_rest(domain, crowd(domain));
    }
    let mut out = situation(&domain.initial, &domain.tasks, domain.goal);
    for (number, member) in domain.cast.iter().enumerate() {
        let played = object(THINGS + number);
        let _ = writeln!(out, "  cast {played} as g{}", member.agent);
        for one in &member.tasks {
            let _ = writeln!(out, "  does {}", call(*one));
        }
        for belief in &member.beliefs {
            let _ = writeln!(out, "  believes {}", value(*belief));
        }
    }
    with_rest(domain, out)
}

/// Returns the beginning of a scenario whose cast is a crowd. Its actors have the same initial
/// values as the first one, except for those that the scenario sets.
fn crowd(domain: &Domain) -> String {
    let is_set = |actor: usize| {
        let of = Atom::Of(THINGS + actor);
        domain
            .initial
            .iter()
            .any(|(atom, is)| *atom == of && *is != 0)
    };
    let others = domain.initial.iter().filter(|(atom, _)| match atom {
        Atom::Of(object) => *object < THINGS,
        _ => true,
    });
    let mut initial: Vec<(Atom, i32)> = others.copied().collect();
    let exceptions = (1..domain.cast.len()).filter(|actor| is_set(*actor) != is_set(0));
    initial.extend(exceptions.map(|actor| (Atom::Of(THINGS + actor), i32::from(is_set(actor)))));
    let mut out = situation(&initial, &domain.tasks, domain.goal);
    let first = &domain.cast[0];
    let _ = writeln!(out, "  crowd {} z as g{}", domain.cast.len(), first.agent);
    if is_set(0) {
        out += "  starts g(?me)\n";
    }
    for one in &first.tasks {
        let _ = writeln!(out, "  does {}", call(*one));
    }
    for belief in &first.beliefs {
        let _ = writeln!(out, "  believes {}", value(*belief));
    }
    out
}

/// Adds to a scenario which objects are near, if anything depends on it.
fn with_near(domain: &Domain, out: &mut String) {
    let count = if domain.finds_near() {
        domain.objects()
    } else {
        0
    };
    for from in 0..count {
        for to in (0..count).filter(|to| is_near(from, *to)) {
            let _ = writeln!(out, "  initial near({}, {})", object(from), object(to));
        }
    }
}

/// Adds the events, failures and seed to a scenario.
fn with_rest(domain: &Domain, mut out: String) -> String {
    with_near(domain, &mut out);
    for event in &domain.events {
        let every = event
            .every
            .map_or(String::new(), |every| format!("+{every}"));
        let when = event
            .when
            .map_or(String::new(), |when| format!("if {} : ", test(when)));
        let what = change(event.change);
        let _ = writeln!(out, "  event {}{every} {when}{what}", event.at);
    }
    for failure in &domain.failures {
        let of = failure.object.map(|of| format!("({})", object(of)));
        let time = failure.time.map(|time| format!(" time {time}"));
        let chance = failure.chance.map(|chance| format!(" chance {chance}"));
        let parts = [of, time, chance].map(Option::unwrap_or_default);
        let _ = writeln!(out, "  fail p{}{}", failure.task, parts.concat());
    }
    let _ = writeln!(out, "  seed {}", domain.seed);
    out
}

/// Returns a scenario in which one character plans: its beliefs, and its remaining tasks.
pub fn planned(domain: &Domain, character: usize, believed: &[(Atom, i32)]) -> String {
    let mut out = situation(believed, domain.tasks(character), domain.goal(character));
    with_near(domain, &mut out);
    if domain.is_crowd {
        for number in THINGS..domain.objects() {
            let _ = writeln!(out, "  object {}: guy", object(number));
        }
    }
    if let Some(member) = domain.cast.get(character) {
        let played = object(THINGS + character);
        let _ = writeln!(out, "  cast {played} as g{}", member.agent);
        for one in believed {
            let _ = writeln!(out, "  believes {}", value(*one));
        }
    }
    out
}

fn situation(values: &[(Atom, i32)], tasks: &[Call], goal: Option<Test>) -> String {
    let mut out = String::from("scenario s\n");
    for one in values {
        let _ = writeln!(out, "  initial {}", value(*one));
    }
    for one in tasks {
        let _ = writeln!(out, "  task {}", call(*one));
    }
    if let Some(goal) = goal {
        let _ = writeln!(out, "  goal {}", test(goal));
    }
    out
}

//! The naive planner: it knows no text, no compiled form and no memory of
//! failures. It recurses, copies everything, and turns back only where a state
//! and network have come again on the way to them.

use std::collections::BTreeSet;

use super::random::{Arg, Block, Compound, Domain, OBJECTS, PRIMITIVES, Primitive, Test};

/// A task and its object; compound ones come after the primitive ones.
pub type Call = (u8, u8);

/// Tasks by block, and the wires present.
type Resolution = (Vec<(usize, Call)>, Vec<(usize, usize)>);

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

#[derive(Debug)]
pub struct TooMuch;

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
        found: &mut Vec<Resolution>,
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

/// The first plan of a domain, if it has one and the planner's patience lasts.
pub fn naive(domain: &Domain) -> Result<Option<Vec<Call>>, TooMuch> {
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

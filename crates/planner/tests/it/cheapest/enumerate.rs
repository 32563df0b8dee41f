//! Lists every plan of a small domain and keeps the cheapest one, or the first of several. It uses
//! no texts, bounds or caches.

use std::collections::BTreeSet;

use super::random::{Arg, Domain, Method, OBJECTS, PRIMITIVES, Test};

/// A task and its object; compound tasks come after the primitive ones.
pub type Call = (u8, u8);

#[derive(Debug, Clone, PartialEq, Default)]
struct State {
    plain: BTreeSet<u8>,
    of: BTreeSet<(u8, u8)>,
    n: i8,
}

/// Tasks with ids in the designer's order, and the ids that come before each.
#[derive(Debug, Clone, Default)]
struct Net {
    tasks: Vec<(usize, Call)>,
    before: BTreeSet<(usize, usize)>,
    ids: usize,
}

/// The domain has too many plans, or too long ones.
#[derive(Debug)]
pub struct TooMuch;

struct Enumerator<'a> {
    domain: &'a Domain,
    calls: usize,
    steps: Vec<Call>,
    best: Option<(i32, Vec<Call>)>,
}

fn object(arg: Arg, param: u8, bound: u8) -> u8 {
    match arg {
        Arg::Object(object) => object,
        Arg::Param => param,
        Arg::Bound => bound,
    }
}

impl State {
    fn holds(&self, test: &Test, param: u8) -> bool {
        match *test {
            Test::Plain(fact, is) => self.plain.contains(&fact) == is,
            Test::Of(fact, of, is) => self.of.contains(&(fact, object(of, param, 0))) == is,
            Test::AtLeast(k, is) => (self.n >= k as i8) == is,
        }
    }

    fn all(&self, tests: &[Test], param: u8) -> bool {
        tests.iter().all(|test| self.holds(test, param))
    }

    /// Unsetting changes come before setting ones.
    fn change(&mut self, effects: &[Test], param: u8, pass: bool) {
        for effect in effects {
            match *effect {
                Test::Plain(fact, is) if is == pass => {
                    self.plain.remove(&fact);
                    self.plain.extend(is.then_some(fact));
                }
                Test::Of(fact, of, is) if is == pass => {
                    let atom = (fact, object(of, param, 0));
                    self.of.remove(&atom);
                    self.of.extend(is.then_some(atom));
                }
                _ => {}
            }
        }
    }
}

impl Net {
    fn without(&self, id: usize) -> Self {
        let mut net = self.clone();
        net.tasks.retain(|(other, _)| *other != id);
        net.before.retain(|(a, _)| *a != id);
        net
    }

    fn replaced(&self, at: usize, method: &Method, param: u8, bound: u8) -> Self {
        let parent = self.tasks[at].0;
        let mut net = self.without(parent);
        let later = self.before.iter().filter(|(a, _)| *a == parent);
        let later: Vec<usize> = later.map(|(_, b)| *b).collect();
        for (number, task) in designers_order(method).into_iter().enumerate() {
            let (callee, of) = method.tasks[task];
            let call = (callee, object(of, param, bound));
            net.tasks.insert(at + number, (self.ids + task, call));
            let behind = later.iter().map(|b| (self.ids + task, *b));
            net.before.extend(behind);
        }
        let order = method.order.iter();
        net.before
            .extend(order.map(|(a, b)| (self.ids + a, self.ids + b)));
        net.ids += method.tasks.len();
        net
    }

    /// Returns `true` if both are equal except for ids and the designer's order.
    fn is_like(&self, other: &Self) -> bool {
        self.tasks.len() == other.tasks.len() && self.matches(other, &mut vec![])
    }

    fn matches(&self, other: &Self, pairs: &mut Vec<(usize, usize)>) -> bool {
        let Some((id, call)) = self.tasks.get(pairs.len()) else {
            return true;
        };
        other.tasks.iter().any(|(to, as_call)| {
            let fits = |(a, b): &(usize, usize)| {
                b != to
                    && self.leads(*a, *id) == other.leads(*b, *to)
                    && self.leads(*id, *a) == other.leads(*to, *b)
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

    fn leads(&self, from: usize, to: usize) -> bool {
        let mut direct = self.before.iter().filter(|(a, _)| *a == from);
        direct.any(|(_, b)| *b == to || self.leads(*b, to))
    }
}

/// Breadth-first from the tasks that wait for nothing; then no task comes before one that it waits
/// for.
fn designers_order(method: &Method) -> Vec<usize> {
    let waits = |task: usize| method.order.iter().filter(move |(_, b)| *b == task);
    let tasks = 0..method.tasks.len();
    let mut met: Vec<usize> = tasks.filter(|t| waits(*t).next().is_none()).collect();
    let mut next = 0;
    while next < met.len() {
        for (from, to) in &method.order {
            if *from == met[next] && !met.contains(to) {
                met.push(*to);
            }
        }
        next += 1;
    }
    let mut order = vec![];
    while let Some(at) = met
        .iter()
        .position(|t| waits(*t).all(|(a, _)| order.contains(a)))
    {
        order.push(met.remove(at));
    }
    order
}

impl Enumerator<'_> {
    fn seek(
        &mut self,
        state: &State,
        net: &Net,
        paid: i32,
        way: &mut Vec<(State, Net)>,
    ) -> Result<(), TooMuch> {
        self.calls += 1;
        if self.calls > 3000 || way.len() > 25 || net.tasks.len() > 6 {
            return Err(TooMuch);
        }
        if net.tasks.is_empty() {
            let goal: Vec<Test> = self.domain.goal.into_iter().collect();
            let better = self.best.as_ref().is_none_or(|(cost, _)| paid < *cost);
            if better && state.all(&goal, 0) {
                self.best = Some((paid, self.steps.clone()));
            }
            return Ok(());
        }
        // A cycle is never cheaper, unless steps have negative costs.
        let circle = way.iter().any(|(s, n)| s == state && n.is_like(net));
        if circle && !self.domain.is_negative() {
            return Ok(());
        }
        way.push((state.clone(), net.clone()));
        for (at, (id, (task, param))) in net.tasks.iter().enumerate() {
            if net.before.iter().any(|(_, b)| b == id) {
                continue;
            }
            match task.checked_sub(PRIMITIVES) {
                None => self.execute(state, net, (*id, (*task, *param)), paid, way)?,
                Some(compound) => {
                    let domain = self.domain;
                    for method in &domain.compounds[compound as usize] {
                        if !state.all(&method.needs, *param) {
                            continue;
                        }
                        let fits = |o: &u8| method.bind.is_none_or(|g| state.of.contains(&(g, *o)));
                        let most = if method.bind.is_some() { OBJECTS } else { 1 };
                        for bound in (0..most).filter(fits) {
                            let next = net.replaced(at, method, *param, bound);
                            self.seek(state, &next, paid, way)?;
                        }
                    }
                }
            }
        }
        way.pop();
        Ok(())
    }

    fn execute(
        &mut self,
        state: &State,
        net: &Net,
        (id, (task, param)): (usize, Call),
        paid: i32,
        way: &mut Vec<(State, Net)>,
    ) -> Result<(), TooMuch> {
        let primitive = &self.domain.primitives[task as usize];
        let mut next = state.clone();
        next.change(&primitive.effects, param, false);
        next.change(&primitive.effects, param, true);
        next.n += primitive.adds;
        if !state.all(&primitive.needs, param) || !(0..=3).contains(&next.n) {
            return Ok(());
        }
        let cost = primitive.cost;
        let weight = i32::from(self.domain.weights[param as usize]);
        let cost = i32::from(cost.constant)
            + i32::from(cost.of_n) * i32::from(state.n)
            + i32::from(cost.of_w) * weight;
        self.steps.push((task, param));
        self.seek(&next, &net.without(id), paid + cost, way)?;
        self.steps.pop();
        Ok(())
    }
}

/// Returns the cheapest plan and its cost, if there is one and all can be listed.
pub fn cheapest(domain: &Domain) -> Result<Option<(i32, Vec<Call>)>, TooMuch> {
    let mut state = State::default();
    state.change(&domain.initial, 0, true);
    let mut net = Net {
        ids: domain.roots.len(),
        ..Net::default()
    };
    for (id, root) in domain.roots.iter().enumerate() {
        net.tasks.push((id, *root));
        net.before.extend((0..id).map(|earlier| (earlier, id)));
    }
    let mut enumerator = Enumerator {
        domain,
        calls: 0,
        steps: vec![],
        best: None,
    };
    enumerator.seek(&state, &net, 0, &mut vec![])?;
    Ok(enumerator.best)
}

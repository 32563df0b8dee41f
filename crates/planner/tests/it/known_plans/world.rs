//! Evaluates formulas, effects and methods in a state, following docs/semantics.md alone, without
//! any planner's code.

use std::collections::BTreeSet;

use super::domain::{Arg, Call, Change, Domain, Effect, Formula, Method, Primitive};

/// A state, as everything that is not at its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub plain: BTreeSet<u8>,
    pub of: BTreeSet<(u8, u8)>,
    pub pairs: BTreeSet<(u8, u8)>,
    pub at: Option<u8>,
    pub n: i8,
}

/// The objects of variables; the last one of a name counts.
pub type Env = Vec<(char, u8)>;

impl State {
    /// Returns the state as initial values.
    pub fn written(&self) -> Vec<String> {
        let plain = self.plain.iter().map(|f| format!("f{f}"));
        let of = self.of.iter().map(|(g, o)| format!("g{g}(o{o})"));
        let pairs = self.pairs.iter().map(|(a, b)| format!("r(o{a}, o{b})"));
        let at = self.at.iter().map(|o| format!("at = o{o}"));
        let n = (self.n != 0).then(|| format!("n = {}", self.n));
        plain.chain(of).chain(pairs).chain(at).chain(n).collect()
    }

    /// Returns `None` if the argument is undefined.
    pub fn object(&self, arg: Arg, env: &Env) -> Option<u8> {
        match arg {
            Arg::Object(object) => Some(object),
            Arg::At => self.at,
            Arg::Var(name) => {
                let found = env.iter().rev().find(|(own, _)| *own == name);
                Some(found.expect("a variable in scope").1)
            }
        }
    }

    pub fn holds(&self, domain: &Domain, formula: &Formula, env: &Env) -> bool {
        let with = |v: char, object: u8| [env.as_slice(), &[(v, object)]].concat();
        match formula {
            Formula::Plain(f) => self.plain.contains(f),
            Formula::Of(g, a) => self
                .object(*a, env)
                .is_some_and(|o| self.of.contains(&(*g, o))),
            Formula::Pair(a, b) => {
                let pair = self.object(*a, env).zip(self.object(*b, env));
                pair.is_some_and(|pair| self.pairs.contains(&pair))
            }
            Formula::Same(a, b) => {
                let pair = self.object(*a, env).zip(self.object(*b, env));
                pair.is_some_and(|(a, b)| a == b)
            }
            Formula::AtLeast(k) => self.n >= *k as i8,
            Formula::Condition(a) => self
                .object(*a, env)
                .is_some_and(|o| self.holds(domain, &domain.condition, &vec![('x', o)])),
            Formula::Not(inner) => !self.holds(domain, inner, env),
            Formula::And(parts) => parts.iter().all(|p| self.holds(domain, p, env)),
            Formula::Or(parts) => parts.iter().any(|p| self.holds(domain, p, env)),
            Formula::Every(v, red, body) => domain
                .of_type(*red)
                .all(|o| self.holds(domain, body, &with(*v, o))),
            Formula::Some(v, red, body) => domain
                .of_type(*red)
                .any(|o| self.holds(domain, body, &with(*v, o))),
            Formula::Count(v, red, body, k) => {
                let all = domain.of_type(*red);
                let counted = all.filter(|o| self.holds(domain, body, &with(*v, *o)));
                counted.count() >= usize::from(*k)
            }
        }
    }

    pub fn all_hold(&self, domain: &Domain, formulas: &[Formula], env: &Env) -> bool {
        formulas.iter().all(|f| self.holds(domain, f, env))
    }

    /// Returns the state after a primitive task; `None` if it is impossible.
    pub fn after(&self, domain: &Domain, task: &Primitive, object: u8) -> Option<Self> {
        let env = vec![('x', object)];
        if !self.all_hold(domain, &task.needs, &env) {
            return None;
        }
        let mut next = self.clone();
        for pass in [false, true] {
            for effect in &task.effects {
                self.change(domain, effect, &env, pass, &mut next)?;
            }
        }
        (0..=3).contains(&next.n).then_some(next)
    }

    /// Applies the unsetting (`pass` is false) or the setting changes of an effect, evaluated in
    /// this state.
    fn change(
        &self,
        domain: &Domain,
        effect: &Effect,
        env: &Env,
        pass: bool,
        next: &mut Self,
    ) -> Option<()> {
        let envs: Vec<Env> = match effect.every {
            None => vec![env.clone()],
            Some((v, red)) => {
                let objects = domain.of_type(red);
                objects
                    .map(|o| [env.as_slice(), &[(v, o)]].concat())
                    .collect()
            }
        };
        for env in envs {
            let when = effect.when.iter();
            if !when.into_iter().all(|when| self.holds(domain, when, &env)) {
                continue;
            }
            // Every argument must be defined, in either pass.
            match &effect.change {
                Change::Plain(f, is) if *is == pass => put(&mut next.plain, *f, pass),
                Change::Of(g, a, is) => {
                    let atom = (*g, self.object(*a, &env)?);
                    if *is == pass {
                        put(&mut next.of, atom, pass);
                    }
                }
                Change::Pair(a, b, is) => {
                    let atom = (self.object(*a, &env)?, self.object(*b, &env)?);
                    if *is == pass {
                        put(&mut next.pairs, atom, pass);
                    }
                }
                Change::At(a) => {
                    let value = self.object(*a, &env)?;
                    if pass {
                        next.at = Some(value);
                    }
                }
                Change::Add(k) if pass => next.n += k,
                Change::Plain(..) | Change::Add(_) => {}
            }
        }
        Some(())
    }

    /// Returns the decompositions of a compound task: method, object of `?b`, calls.
    pub fn ways(
        &self,
        domain: &Domain,
        (task, object): Call,
    ) -> Vec<(usize, Option<u8>, Vec<Call>)> {
        let compound = &domain.compounds[task as usize - domain.primitives.len()];
        let env = vec![('x', object)];
        if !self.all_hold(domain, &compound.needs, &env) {
            return vec![];
        }
        let mut ways = vec![];
        for (number, method) in compound.methods.iter().enumerate() {
            if !self.all_hold(domain, &method.needs, &env) {
                continue;
            }
            let bound: Vec<Option<u8>> = match &method.bind {
                None => vec![None],
                Some((red, _)) => domain.of_type(*red).map(Some).collect(),
            };
            for bound in bound {
                let own = bound.map(|o| ('b', o));
                let env: Env = env.iter().copied().chain(own).collect();
                let condition = method.bind.iter().map(|(_, condition)| condition);
                if condition.into_iter().all(|c| self.holds(domain, c, &env)) {
                    let calls = self.calls(method, &env);
                    ways.extend(calls.map(|calls| (number, bound, calls)));
                }
            }
        }
        ways
    }

    fn calls(&self, method: &Method, env: &Env) -> Option<Vec<Call>> {
        let calls = method.tasks.iter();
        calls
            .map(|(task, arg)| Some((*task, self.object(*arg, env)?)))
            .collect()
    }
}

fn put<T: Ord>(set: &mut BTreeSet<T>, atom: T, is: bool) {
    if is {
        set.insert(atom);
    } else {
        set.remove(&atom);
    }
}

//! Domains with everything that is only implied: what absence requires, and a compound task for each
//! repetition of a task while a test is true.

use super::model::{
    Arg, CALLS, COMPOUNDS, Change, Compound, Domain, Effect, Method, Options, PRIMITIVES, Test,
};

/// Returns the task of the document that a task is, or is a repetition in.
pub fn drawn(task: usize) -> usize {
    match task.checked_sub(PRIMITIVES + COMPOUNDS) {
        Some(repetition) => PRIMITIVES + repetition / CALLS,
        None => task,
    }
}

impl Domain {
    /// Returns the same domain with everything in its tests that absence implies, and with a compound task
    /// for each call that is repeated while a test is true.
    pub fn elaborated(self) -> Self {
        self.with_absence().with_repetitions()
    }

    fn with_repetitions(mut self) -> Self {
        let unused = Compound {
            pre: vec![],
            goal: vec![],
            integrity: vec![],
            cooldown: 0,
            method: Method::Sequence(vec![]),
            options: vec![],
        };
        let mut repetitions = vec![unused.clone(); COMPOUNDS * CALLS];
        for (number, compound) in self.compounds.iter_mut().enumerate() {
            let calls = compound.method.calls_mut().into_iter().enumerate();
            for ((at, call), options) in calls.zip(&mut compound.options) {
                let Some(test) = options.repeat_while.take() else {
                    continue;
                };
                let whole = *call;
                // Both are about one variable, which is the argument of the task.
                let mut args = [whole.1].into_iter().chain(test.arg());
                let arg = args.find(|arg| matches!(arg, Arg::Param | Arg::Found));
                let of_param = |arg: Arg| if arg == Arg::Found { Arg::Param } else { arg };
                let at = number * CALLS + at;
                *call = (PRIMITIVES + COMPOUNDS + at, arg.expect("a variable"));
                repetitions[at] = Compound {
                    method: Method::While(test.with_arg(of_param), (whole.0, of_param(whole.1))),
                    options: vec![Options::default()],
                    ..unused.clone()
                };
            }
        }
        self.compounds.extend(repetitions);
        self
    }

    fn with_absence(mut self) -> Self {
        let of_whom: &[Arg] = match (self.has_absence, self.agents.is_empty()) {
            (false, _) => return self,
            (true, true) => &[Arg::Param],
            (true, false) => &[Arg::Me, Arg::Param],
        };
        let is_about = |test: &Test, arg: Arg| matches!(test, Test::Of(of, _) if *of == arg);
        for task in &mut self.primitives {
            let typed = task.pre.clone();
            for arg in of_whom {
                let about = |tests: &[Test]| tests.iter().any(|test| is_about(test, *arg));
                let is_in = |effect: &Effect| {
                    matches!(effect.change, Change::Of(of, _) if of == *arg)
                        || effect.when.is_some_and(|when| is_about(&when, *arg))
                };
                if !about(&typed) {
                    task.pre.push(Test::Of(*arg, false));
                    if !about(&task.integrity)
                        && !about(&task.done)
                        && !task.effects.iter().any(is_in)
                    {
                        task.integrity.push(Test::Of(*arg, false));
                    }
                }
            }
        }
        for task in &mut self.compounds {
            if let Method::Bind(tests, _) = &mut task.method
                && !tests.iter().any(|test| is_about(test, Arg::Found))
            {
                tests.push(Test::Of(Arg::Found, false));
            }
        }
        self
    }
}

//! Random agents, casts and goals.

use taskloom_document::{Direction, Heuristic, Policy, Source};

use super::{Draw, GOALS};
use crate::runs::model::{
    Agent, Arg, Atom, COMPOUNDS, Call, Goal, Member, PRIMITIVES, Planning, Pursuit, Score, Test,
    fact,
};

impl Draw {
    pub fn agent(&mut self, sources: &[Source]) -> Agent {
        let sensed = (0..sources.len()).filter(|fact| sources[*fact] == Source::Sensor);
        let sensed: Vec<usize> = sensed.collect();
        let mut senses = vec![];
        if !sensed.is_empty() && !self.once_in(3) {
            for _ in 0..1 + self.below(4) {
                let fact = *self.random.pick(&sensed);
                senses.push(self.sense(fact));
            }
        }
        let mut uses = vec![];
        if self.once_in(4) {
            uses = (0..PRIMITIVES + COMPOUNDS)
                .filter(|_| !self.once_in(4))
                .collect();
        }
        let planning = self.planning();
        let has_goals = matches!(planning, Planning::Goals(_));
        Agent {
            planning,
            uses,
            tasks: if has_goals { vec![] } else { self.roots() },
            senses,
            failure: *self.random.pick(&[Some(1), Some(1), Some(3), None]),
            again: self.once_in(5),
            perception: !self.once_in(3),
            every: self.once_in(4).then(|| 1 + self.below(9) as u32),
            alternative: self.once_in(2),
            margin: (!self.once_in(4)).then(|| *self.random.pick(&[0.0, 0.0, 1.0, 2.5])),
        }
    }

    pub fn member(&mut self, number: usize, agent: &Agent, atoms: &[Atom]) -> Member {
        let mut beliefs = vec![];
        for atom in atoms {
            // Facts that are visible anyway make no difference.
            let is_sensed = agent.senses.iter().any(|sense| sense.fact == fact(*atom));
            if self.once_in(if is_sensed { 2 } else { 4 }) {
                beliefs.push(self.value(*atom));
            }
        }
        let has_own = self.once_in(if has_goals(agent) { 6 } else { 2 });
        Member {
            agent: number,
            tasks: if has_own { self.roots() } else { vec![] },
            beliefs,
        }
    }

    fn planning(&mut self) -> Planning {
        if self.pursues && !self.once_in(4) {
            return Planning::Goals(self.pursuit());
        }
        match self.below(9) {
            0..=4 => Planning::Decomposition(Policy::First),
            5 => Planning::Decomposition(Policy::Cheapest),
            6 | 7 => Planning::Reactive,
            _ => Planning::Goals(self.pursuit()),
        }
    }

    fn pursuit(&mut self) -> Pursuit {
        let mut goals: Vec<usize> = vec![];
        for _ in 0..2 + self.below(GOALS) {
            let goal = self.below(GOALS);
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        let heuristics = [
            Heuristic::Hmax,
            Heuristic::Hmax,
            Heuristic::Blind,
            Heuristic::Unmet,
            Heuristic::Hadd,
            Heuristic::Ff,
        ];
        let directions = [
            Direction::Forward,
            Direction::Forward,
            Direction::Regressive,
        ];
        Pursuit {
            goals,
            heuristic: *self.random.pick(&heuristics),
            direction: *self.random.pick(&directions),
            depth: self.once_in(3).then(|| 1 + self.below(2) as u32),
            retry: 1 + self.below(4) as u32,
            commitment: if self.once_in(3) {
                1 + self.below(9) as u32
            } else {
                0
            },
        }
    }

    pub fn goal(&mut self) -> Goal {
        let number = |draw: &mut Self| match draw.below(6) {
            0 => Some(Score::Number),
            1 => Some(Score::Count),
            2 => Some(Score::Is(draw.below(4) as i32 - 1)),
            _ => None,
        };
        let subgoals = if self.once_in(4) {
            1 + self.below(2)
        } else {
            0
        };
        Goal {
            subgoals: (0..subgoals).map(|_| self.own_test()).collect(),
            condition: (0..1 + self.below(3)).map(|_| self.own_test()).collect(),
            tasks: vec![],
            priority: 1 + self.below(4) as i32,
            relevance: number(self),
            bias: number(self),
            cooldown: if self.is() {
                1 + self.below(8) as u32
            } else {
                0
            },
        }
    }

    /// Generates the tasks that serve a goal.
    pub fn serving_tasks(&mut self) -> Vec<Call> {
        let count = if self.once_in(4) {
            0
        } else {
            1 + self.below(8)
        };
        let call = |draw: &mut Self| {
            let arg = match draw.below(4) {
                0 => Arg::Me,
                1 => Arg::Held,
                _ => draw.object(),
            };
            let task = match draw.once_in(3) {
                true => draw.below(PRIMITIVES),
                false => PRIMITIVES + draw.below(COMPOUNDS),
            };
            (task, arg)
        };
        (0..count).map(|_| call(self)).collect()
    }

    /// Generates a test that names objects and characters.
    fn own_test(&mut self) -> Test {
        match self.test() {
            Test::Of(Arg::Param, is) => Test::Of(Arg::Me, is),
            Test::Holds(Arg::Param, is) => Test::Holds(Arg::Me, is),
            other => other,
        }
    }
}

/// Returns `true` if an agent plans for goals.
pub fn has_goals(agent: &Agent) -> bool {
    matches!(agent.planning, Planning::Goals(_))
}

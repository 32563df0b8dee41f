//! The flowcharts of compound tasks, and their resolutions.

use taskloom_document::{BlockId, ChoicePolicy, Param, Port};
use taskloom_domain::lang::typed::{Formula, Number};
use taskloom_planner::plan::Decomposed;

use super::domain::{Call, Domain, Options};
use super::evaluate::{Env, Evaluation};
use super::names::{Ground, Object};
use super::state::State;

#[derive(Debug)]
pub enum Content {
    /// A Begin or End block.
    Pass,
    Task(Call, Options),
    Branch(Formula),
    /// The ports and scores of the outputs.
    Choice(ChoicePolicy, Vec<(Port, Option<Number>)>),
    /// The variable, its condition, and the order of the objects.
    Bind(Param, Option<Formula>, Option<Number>),
}

/// A wire to a block, from an output by its number.
pub type Wire = (usize, usize);

#[derive(Debug)]
pub struct Block {
    pub id: BlockId,
    pub content: Content,
    pub wires: Vec<Wire>,
}

impl Block {
    /// Returns the condition that it decides by.
    pub fn condition(&self) -> Option<&Formula> {
        match &self.content {
            Content::Branch(condition) => Some(condition),
            Content::Bind(_, condition, _) => condition.as_ref(),
            Content::Pass | Content::Task(..) | Content::Choice(..) => None,
        }
    }

    /// Returns the numbers that it orders its options by.
    pub fn numbers(&self) -> impl Iterator<Item = &Number> {
        let (scores, order) = match &self.content {
            Content::Choice(_, outputs) => (&outputs[..], &None),
            Content::Bind(.., order) => (&[][..], order),
            Content::Pass | Content::Task(..) | Content::Branch(_) => (&[][..], &None),
        };
        scores
            .iter()
            .filter_map(|(_, score)| score.as_ref())
            .chain(order)
    }

    pub fn call(&self) -> Option<&Call> {
        match &self.content {
            Content::Task(call, _) => Some(call),
            _ => None,
        }
    }

    /// Returns the tasks that it calls, also to clean up.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let cleanup = match &self.content {
            Content::Task(_, options) => options.on_abort.as_ref(),
            _ => None,
        };
        self.call().into_iter().chain(cleanup)
    }

    fn is_background(&self) -> bool {
        matches!(&self.content, Content::Task(_, options) if options.background)
    }

    fn has_wire(&self, output: usize) -> bool {
        self.wires.iter().any(|(from, _)| *from == output)
    }

    /// Returns an output; those without a wire are all alike.
    fn output(&self, output: usize) -> Decision {
        let first = || (0..output).find(|other| !self.has_wire(*other));
        let alike = match self.has_wire(output) {
            true => None,
            false => first(),
        };
        Decision::Output(alike.unwrap_or(output))
    }
}

/// A decision at a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Output(usize),
    Object(Object),
}

/// The decisions at blocks, in their order.
pub type Resolution = Vec<(usize, Decision)>;

/// The place of a decomposition in the designer's order: doing nothing for a goal comes first, then the
/// resolutions by their outputs, and finally what was found for the goal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Nothing,
    Drawn(Vec<usize>),
    Found,
}

/// A subtask of a resolution.
#[derive(Debug, Clone)]
pub struct Subtask {
    pub task: Ground,
    /// The earlier ones that it waits for.
    pub after: Vec<usize>,
}

/// A flowchart: its blocks in the order of resolution.
#[derive(Debug)]
pub struct Method {
    pub blocks: Vec<Block>,
}

impl Method {
    /// Creates the method of a task of which only the goal is given.
    pub fn undrawn() -> Self {
        let id = BlockId::new("begin").expect("an id");
        let (content, wires) = (Content::Pass, vec![]);
        let begin = Block { id, content, wires };
        Self {
            blocks: vec![begin],
        }
    }

    /// Returns `true` if any of its blocks calls a task.
    pub fn is_drawn(&self) -> bool {
        self.blocks.iter().any(|block| block.call().is_some())
    }

    /// Returns the variables of its Bind blocks.
    pub fn variables(&self) -> Vec<Param> {
        let variables = self.blocks.iter().filter_map(|block| match &block.content {
            Content::Bind(variable, ..) => Some(variable.clone()),
            _ => None,
        });
        variables.collect()
    }

    /// Returns the options of a Task block.
    pub fn options(&self, id: &BlockId) -> &Options {
        let mut blocks = self.blocks.iter();
        let block = blocks.find(|block| block.id == *id).expect("a block");
        match &block.content {
            Content::Task(_, options) => options,
            other => panic!("{other:?} has no options"),
        }
    }

    /// Returns the resolution that decomposed a task.
    pub fn taken(&self, domain: &Domain, decomposed: &Decomposed) -> Resolution {
        let mut taken = vec![];
        for (place, block) in self.blocks.iter().enumerate() {
            if !decomposed.blocks.contains(&block.id) {
                continue;
            }
            let mut wires = decomposed.wires.iter();
            let port = wires
                .find(|wire| wire.from == block.id)
                .map(|wire| wire.port);
            let decision = match &block.content {
                Content::Branch(_) => Decision::Output(usize::from(port != Some(Port::True))),
                Content::Choice(_, outputs) => {
                    let is_it = |number: &usize| match port {
                        Some(port) => outputs[*number].0 == port,
                        // An output without a wire is complete.
                        None => !block.has_wire(*number),
                    };
                    let mut numbers = 0..outputs.len();
                    Decision::Output(numbers.find(is_it).expect("it was taken"))
                }
                Content::Bind(..) => {
                    let mut bindings = decomposed.bindings.iter();
                    let (.., object) = bindings.find(|one| one.0 == block.id).expect("an object");
                    Decision::Object(domain.names.object(object))
                }
                Content::Pass | Content::Task(..) => continue,
            };
            taken.push((place, decision));
        }
        taken
    }

    /// Returns the place of a drawn resolution: its outputs.
    pub fn place(resolution: &Resolution) -> Place {
        let outputs = resolution
            .iter()
            .filter_map(|(_, decision)| match decision {
                Decision::Output(output) => Some(*output),
                Decision::Object(_) => None,
            });
        Place::Drawn(outputs.collect())
    }

    /// Returns `true` if a resolution takes part in a Choice by one of these policies.
    pub fn chooses_by(&self, resolution: &Resolution, policies: &[ChoicePolicy]) -> bool {
        let mut blocks = resolution
            .iter()
            .map(|(place, _)| &self.blocks[*place].content);
        blocks.any(|content| match content {
            Content::Choice(policy, _) => policies.contains(policy),
            _ => false,
        })
    }

    /// Returns the places of the blocks that decisions lead to, as far as they go.
    fn present(&self, decided: &[(usize, Decision)]) -> Vec<bool> {
        let mut present = vec![false; self.blocks.len()];
        present[0] = true;
        for (place, block) in self.blocks.iter().enumerate() {
            if !present[place] {
                continue;
            }
            let output = match (&block.content, decision(decided, place)) {
                (Content::Branch(_) | Content::Choice(..), Some(Decision::Output(output))) => {
                    output
                }
                (Content::Bind(..), Some(_)) | (Content::Pass | Content::Task(..), _) => 0,
                _ => continue,
            };
            let wires = block.wires.iter().filter(|(from, _)| *from == output);
            wires.for_each(|(_, to)| present[*to] = true);
        }
        present
    }

    /// Returns the bindings at a block: those of the Binds that lead to it.
    pub fn env(&self, place: usize, decided: &[(usize, Decision)], env: &Env) -> Env {
        let mut leads = vec![false; self.blocks.len()];
        leads[place] = true;
        for from in (0..place).rev() {
            leads[from] = self.blocks[from].wires.iter().any(|(_, to)| leads[*to]);
        }
        let mut env = env.clone();
        for (bind, decision) in decided {
            let Decision::Object(object) = decision else {
                continue;
            };
            if let Content::Bind(variable, ..) = &self.blocks[*bind].content
                && leads[*bind]
            {
                env.variables.push((variable.name.clone(), *object));
            }
        }
        env
    }

    /// Returns `true` if the conditions of a resolution are true in a state.
    pub fn is_possible(&self, resolution: &Resolution, state: &State, env: &Env) -> bool {
        resolution.iter().all(|(place, decision)| {
            let block = &self.blocks[*place];
            // A Bind has its own variable, too.
            let env = self.env(*place, resolution, env);
            let holds = block.condition().is_none_or(|one| state.holds(one, &env));
            match (&block.content, decision) {
                (Content::Branch(_), Decision::Output(output)) => holds == (*output == 0),
                _ => holds,
            }
        })
    }

    /// Returns `true` if a resolution has a task that isn't in the background.
    pub fn has_main_branch(&self, resolution: &Resolution) -> bool {
        let present = self.present(resolution).into_iter();
        let mut tasks = present.zip(&self.blocks);
        tasks.any(|(is, block)| is && block.call().is_some() && !block.is_background())
    }

    /// Returns the places of the blocks of a resolution.
    pub fn blocks_of(&self, resolution: &Resolution) -> Vec<usize> {
        let present = self.present(resolution);
        (0..present.len()).filter(|place| present[*place]).collect()
    }

    /// Returns the subtasks of a resolution; `None` if an argument is undefined.
    pub fn subtasks(
        &self,
        resolution: &Resolution,
        state: &State,
        env: &Env,
    ) -> Option<Vec<Subtask>> {
        let present = self.present(resolution);
        let mut subtasks: Vec<Subtask> = vec![];
        // What waits for a block waits for these.
        let mut before: Vec<Vec<usize>> = vec![vec![]; self.blocks.len()];
        for (place, block) in self
            .blocks
            .iter()
            .enumerate()
            .filter(|(place, _)| present[*place])
        {
            let mut after = before[place].clone();
            after.sort_unstable();
            after.dedup();
            let mut last = after.clone();
            if let Content::Task(call, options) = &block.content {
                let args = state.objects(&call.args, &self.env(place, resolution, env))?;
                let task = Ground::new(call.task, &args);
                for _ in 0..options.repeat {
                    let number = subtasks.len();
                    subtasks.push(Subtask { task, after });
                    after = vec![number];
                }
                if !options.background {
                    last = after;
                }
            }
            let output = match decision(resolution, place) {
                Some(Decision::Output(output)) => output,
                _ => 0,
            };
            let wires = block.wires.iter().filter(|(from, _)| *from == output);
            wires.for_each(|(_, to)| before[*to].extend(&last));
        }
        Some(subtasks)
    }

    /// Evaluates the resolutions in the order in which they are tried, up to one, or all.
    pub fn asked(&self, until: Option<&Resolution>, evaluation: &mut Evaluation, env: &Env) {
        let walk = &mut Walk {
            method: self,
            evaluation,
            env,
            until,
            draw: &|_, _| 0.0,
        };
        walk.from(0, &mut vec![], &mut |_| {});
    }

    /// Returns the possible resolutions in the order in which they are tried. `draw` draws for an output of
    /// a block.
    pub fn resolutions(
        &self,
        state: &State,
        env: &Env,
        draw: &dyn Fn(&BlockId, usize) -> f64,
    ) -> Vec<Resolution> {
        let mut all = vec![];
        let walk = &mut Walk {
            method: self,
            evaluation: &mut Evaluation::new(state),
            env,
            until: None,
            draw,
        };
        walk.from(0, &mut vec![], &mut |found| all.push(found.clone()));
        all
    }
}

fn decision(decided: &[(usize, Decision)], place: usize) -> Option<Decision> {
    let mut decided = decided.iter();
    decided
        .find(|(other, _)| *other == place)
        .map(|(_, one)| *one)
}

/// A walk through resolutions.
struct Walk<'w, 's> {
    method: &'w Method,
    evaluation: &'w mut Evaluation<'s>,
    env: &'w Env,
    /// The resolution at which it ends.
    until: Option<&'w Resolution>,
    draw: &'w dyn Fn(&BlockId, usize) -> f64,
}

impl Walk<'_, '_> {
    /// Continues at a block. Returns `true` at the end of the walk.
    fn from(
        &mut self,
        place: usize,
        decided: &mut Resolution,
        found: &mut dyn FnMut(&Resolution),
    ) -> bool {
        let Some(block) = self.method.blocks.get(place) else {
            found(decided);
            return self.until == Some(decided);
        };
        let decides = !matches!(block.content, Content::Pass | Content::Task(..));
        if !decides || !self.method.present(decided)[place] {
            return self.from(place + 1, decided, found);
        }
        // What the resolution at the end decides here, if it is the same so far.
        let until = self.until.and_then(|until| {
            let (own, rest) = until.split_at_checked(decided.len())?;
            let is_same = own == &decided[..];
            rest.first()
                .filter(|_| is_same)
                .map(|(_, decision)| *decision)
        });
        for option in self.options(place, decided, until) {
            decided.push((place, option));
            let ends = self.from(place + 1, decided, found);
            decided.pop();
            if ends {
                return true;
            }
        }
        false
    }

    /// Returns the options at a block, in the order in which they are tried, up to one.
    fn options(
        &mut self,
        place: usize,
        decided: &Resolution,
        until: Option<Decision>,
    ) -> Vec<Decision> {
        let block = &self.method.blocks[place];
        let env = self.method.env(place, decided, self.env);
        let mut options = match &block.content {
            Content::Pass | Content::Task(..) => vec![],
            Content::Branch(condition) => {
                let output = usize::from(!self.evaluation.formula(condition, &env));
                // A side without a wire can't be taken.
                let is_wired = block.has_wire(output);
                is_wired
                    .then_some(Decision::Output(output))
                    .into_iter()
                    .collect()
            }
            Content::Choice(policy, outputs) => {
                let scores = outputs.iter().map(|(_, score)| {
                    let score = score.as_ref();
                    score.map(|score| self.evaluation.number(score, &env))
                });
                let scores: Vec<Option<Option<f64>>> = scores.collect();
                let key = |output: usize| match policy {
                    ChoicePolicy::First => 0.0,
                    ChoicePolicy::Cheapest => scores[output].flatten().unwrap_or(f64::INFINITY),
                    ChoicePolicy::Highest => -scores[output].flatten().unwrap_or(f64::NEG_INFINITY),
                    ChoicePolicy::Random => {
                        let weight = scores[output].unwrap_or(Some(1.0)).unwrap_or(0.0);
                        match weight > 0.0 {
                            true => -((self.draw)(&block.id, output).ln() / weight),
                            false => f64::INFINITY,
                        }
                    }
                };
                let mut numbers: Vec<usize> = (0..outputs.len()).collect();
                numbers.sort_by(|a, b| key(*a).total_cmp(&key(*b)));
                let options = numbers.into_iter().map(|output| block.output(output));
                let mut options: Vec<Decision> = options.collect();
                if let (ChoicePolicy::Random, Some(until)) = (policy, until) {
                    // Any other one may have come before.
                    options.retain(|option| *option != until);
                    options.push(until);
                }
                options
            }
            Content::Bind(variable, condition, order) => {
                let domain = self.evaluation.domain();
                let mut fitting = vec![];
                for object in domain.names.of_type(&variable.of) {
                    let env = env.with(std::slice::from_ref(variable), [*object]);
                    let condition = condition.as_ref();
                    if condition.is_some_and(|one| !self.evaluation.formula(one, &env)) {
                        continue;
                    }
                    let order = order.as_ref();
                    let number = order.map(|order| self.evaluation.number(order, &env));
                    fitting.push((Decision::Object(*object), number.flatten()));
                    if order.is_none() && until == Some(Decision::Object(*object)) {
                        break;
                    }
                }
                let key = |number: &Option<f64>| number.unwrap_or(f64::INFINITY);
                fitting.sort_by(|(_, a), (_, b)| key(a).total_cmp(&key(b)));
                fitting.into_iter().map(|(option, _)| option).collect()
            }
        };
        let last = options.iter().position(|option| Some(*option) == until);
        if let Some(last) = last {
            options.truncate(last + 1);
        }
        options
    }
}

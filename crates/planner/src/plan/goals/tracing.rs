//! A record of the states that searches for goals reached, to be shown.

use taskloom_document::Name;

use super::anytime::{Anytime, Found};
use super::formula::Cond;
use super::regress::Regression;
use super::require::Requirement;
use super::states::States;
use super::task::Task;
use crate::compile::{Flat, Problem};
use crate::plan::evaluate::UNDEFINED;
use crate::plan::{ExploredState, NodeStatus, Trace};

/// The states that the searches reached so far, up to a bound.
#[derive(Debug)]
pub struct Tracing {
    bound: usize,
    /// The conjuncts that have to hold at the end of the current search, with their source text.
    pub parts: Vec<(String, Cond)>,
    /// The states that are kept.
    pub trace: Trace,
}

impl Tracing {
    /// Returns the maximum number of states kept.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Starts without states; at most `bound` of them are kept.
    pub fn new(bound: usize) -> Self {
        Self {
            bound,
            parts: vec![],
            trace: Trace::default(),
        }
    }

    fn room(&mut self, all: usize) -> usize {
        let kept = all.min(self.bound.saturating_sub(self.trace.states.len()));
        self.trace.dropped += (all - kept) as u64;
        kept
    }

    /// Marks the path to a state, among the states from `first` on.
    fn choose(&mut self, first: usize, chosen: Option<u32>, parent: impl Fn(u32) -> Option<u32>) {
        let mut next = chosen;
        while let Some(node) = next {
            next = parent(node);
            if next.is_some()
                && let Some(reached) = self.trace.states.get_mut(first + node as usize)
            {
                reached.status = NodeStatus::Chosen;
            }
        }
    }

    /// Records the states that the searches for a goal reached, starting with the search that found
    /// the plan.
    pub fn search(
        &mut self,
        problem: &Problem,
        goal: Option<&Name>,
        task: &Task,
        search: &Anytime,
        found: Option<Found>,
    ) {
        if let Some(regression) = &search.regression {
            self.backward(problem, goal, task, regression);
        }
        let of_greedy = match found {
            Some(Found::Greedy(node)) => Some(node),
            _ => None,
        };
        let of_astar = match found {
            Some(Found::Astar(node)) => Some(node),
            _ => None,
        };
        let greedy = search
            .greedy
            .as_ref()
            .map(|greedy| (&greedy.states, of_greedy));
        // A run of A* that never started has nothing to show.
        let astar = (search.astar.evaluated > 0).then_some((&search.astar.states, of_astar));
        let both = if of_greedy.is_some() {
            [greedy, astar]
        } else {
            [astar, greedy]
        };
        for (states, chosen) in both.into_iter().flatten() {
            self.forward(problem, goal, task, states, chosen);
        }
    }

    /// Records the states of a forward search that has ended, and marks the path of its plan.
    fn forward(
        &mut self,
        problem: &Problem,
        goal: Option<&Name>,
        task: &Task,
        states: &States,
        chosen: Option<u32>,
    ) {
        let first = self.trace.states.len();
        let kept = self.room(states.nodes.len());
        for (number, node) in (0u32..).zip(&states.nodes[..kept]) {
            let values = task.values(states.state(number));
            let parts = self.parts.iter();
            let differs = parts.filter(|(_, cond)| !cond.holds(values));
            let parent = states.nodes.get(node.parent as usize);
            self.trace.states.push(ExploredState {
                parent: parent.map(|_| first + node.parent as usize),
                task: name(problem.flat(), task, node.action),
                goal: goal.cloned(),
                cost: node.cost,
                remaining_estimate: (node.h >= 0.0).then_some(node.h),
                differs: differs.map(|(text, _)| text.clone()).collect(),
                status: status(node.h, node.is_closed),
            });
        }
        self.choose(first, chosen, |node| {
            Some(states.nodes.get(node as usize)?.parent)
        });
    }

    /// Records the sets of requirements of a regression search that has ended.
    fn backward(
        &mut self,
        problem: &Problem,
        goal: Option<&Name>,
        task: &Task,
        search: &Regression,
    ) {
        let first = self.trace.states.len();
        let kept = self.room(search.nodes.len());
        let start = task.read(problem.initial());
        let start = task.values(&start);
        for node in &search.nodes[..kept] {
            let differs = node
                .set
                .iter()
                .filter(|requirement| !requirement.holds(start));
            let parent = search.nodes.get(node.parent as usize);
            self.trace.states.push(ExploredState {
                parent: parent.map(|_| first + node.parent as usize),
                task: name(problem.flat(), task, node.action),
                goal: goal.cloned(),
                cost: node.cost,
                remaining_estimate: Some(node.h),
                differs: differs
                    .map(|r| requirement_text(problem.flat(), task, *r))
                    .collect(),
                status: status(node.h, node.is_closed),
            });
        }
        let chosen = search.best().map(|(.., node)| *node);
        self.choose(first, chosen, |node| {
            Some(search.nodes.get(node as usize)?.parent)
        });
    }
}

/// Returns the status of a node that isn't on the plan's path.
fn status(h: f64, is_closed: bool) -> NodeStatus {
    if h == f64::INFINITY {
        NodeStatus::Hopeless
    } else if is_closed {
        NodeStatus::Closed
    } else {
        NodeStatus::Open
    }
}

fn name(flat: &Flat, task: &Task, action: u32) -> Option<taskloom_domain::ground::GroundTask> {
    let action = task.actions.get(action as usize)?;
    Some(flat.ground_task(&action.tuple))
}

/// Returns a requirement in the syntax of the expression language.
fn requirement_text(flat: &Flat, task: &Task, requirement: Requirement) -> String {
    let valued = |variable: u32| flat.ground_atom(task.valued.tuple(variable)).to_string();
    let object = |object: u32| match object {
        UNDEFINED => "nothing".to_owned(),
        object => flat.objects[object as usize].to_string(),
    };
    match requirement {
        Requirement::Is(variable, expected) => {
            let atom = flat.ground_atom(task.booleans.tuple(variable));
            let not = if expected { "" } else { "not " };
            format!("{not}{atom}")
        }
        Requirement::Object(variable, value) => format!("{} = {}", valued(variable), object(value)),
        Requirement::Not(variable, value) => format!("{} != {}", valued(variable), object(value)),
        Requirement::AtLeast(variable, number) => {
            format!("{} >= {}", valued(variable), number.number())
        }
        Requirement::AtMost(variable, number) => {
            format!("{} <= {}", valued(variable), number.number())
        }
    }
}

//! Checks that the steps are in an order that the flowcharts allow, and that their stated order is
//! right.

use std::sync::Arc;

use super::Invalid;
use super::method::Methods;
use super::path::Paths;
use super::rows::Rows;
use crate::plan::{NodeKind, Plan, RootOrder};
use taskloom_document::stop::Stop;

/// Maximum size of the orderings, in words. They take the product of the numbers of tasks and
/// steps, in bits; for larger plans the stated orderings are checked for being correct, but not for
/// being complete.
const MAX_WORDS: usize = 1 << 19;

/// The time span of a task and everything below it: no step comes before `start`, and none from
/// `end` on.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// For each node of a plan, the steps below it and those that must come before it.
#[derive(Debug)]
struct Orderings {
    below: Rows,
    before: Rows,
}

/// The order of a plan, as far as it has been checked. Tasks that don't match their flowchart are
/// left for the replay to find.
#[derive(Debug)]
pub struct Order {
    /// The span of each node.
    spans: Vec<Span>,
    orderings: Option<Orderings>,
    /// The required order of the roots; `None` if they are a sequence.
    roots: Option<Arc<RootOrder>>,
    /// The end of the roots so far.
    end: usize,
}

impl Order {
    /// Creates the state before any node is checked, for a plan with this many steps and nodes.
    pub fn new(steps: usize, nodes: usize) -> Self {
        let words = nodes.saturating_mul(steps) / 64;
        Self {
            spans: Vec::with_capacity(nodes),
            orderings: (words <= MAX_WORDS).then(|| Orderings {
                below: Rows::new(nodes, steps),
                before: Rows::new(nodes, steps),
            }),
            roots: None,
            end: 0,
        }
    }

    /// Requires this order of the roots instead of a sequence.
    pub fn require(&mut self, roots: Arc<RootOrder>) {
        self.roots = Some(roots);
    }

    /// Records the span of the next node itself.
    pub fn note(&mut self, plan: &Plan, number: usize) {
        self.spans.push(match &plan.nodes[number].kind {
            NodeKind::Step(step) => Span {
                start: *step,
                end: step + 1,
            },
            NodeKind::Decomposed(decomposed) => Span {
                start: decomposed.at,
                end: decomposed.at,
            },
            NodeKind::Pending => Span {
                start: plan.steps.len(),
                end: plan.steps.len(),
            },
        });
    }

    /// Extends the span of a node's parent by the node's own. The last nodes come first.
    pub fn join_parent(&mut self, plan: &Plan, number: usize) -> Result<(), Invalid> {
        let node = &plan.nodes[number];
        if let (Some(Orderings { below, .. }), NodeKind::Step(step)) =
            (&mut self.orderings, &node.kind)
        {
            below.insert(number, *step);
        }
        let Some(parent) = node.parent else {
            return Ok(());
        };
        let span = self.spans[number];
        if span.start < self.spans[parent].start {
            let parent = &plan.nodes[parent].task;
            let message = format!("'{}' comes before '{parent}' is decomposed", node.task);
            return Err(Invalid::new(message));
        }
        self.spans[parent].end = self.spans[parent].end.max(span.end);
        if let Some(Orderings { below, .. }) = &mut self.orderings {
            below.join_own(parent, number);
        }
        Ok(())
    }

    /// Checks that a root comes after the roots that it waits for: in a sequence, after all before it.
    pub fn check_root(&mut self, plan: &Plan, place: usize) -> Result<(), Invalid> {
        let root = plan.roots[place];
        let too_early = || {
            let message = format!("'{}' comes too early", plan.nodes[root].task);
            Err(Invalid::new(message))
        };
        if let Some(order) = &self.roots {
            let earlier = order.get(place).into_iter().flatten();
            for earlier in earlier.filter_map(|place| plan.roots.get(*place)) {
                if self.spans[root].start < self.spans[*earlier].end {
                    return too_early();
                }
                if let Some(Orderings { below, before }) = &mut self.orderings {
                    before.join(root, below.row(*earlier));
                }
            }
            return Ok(());
        }
        if self.spans[root].start < self.end {
            return too_early();
        }
        self.end = self.end.max(self.spans[root].end);
        let last = place.checked_sub(1).map(|last| plan.roots[last]);
        if let (Some(Orderings { below, before }), Some(last)) = (&mut self.orderings, last) {
            before.join_own(root, last);
            before.join(root, below.row(last));
        }
        Ok(())
    }

    /// Checks that the subtasks of a node are in an order that its flowchart's wires allow.
    pub fn check_wires(
        &mut self,
        methods: &Methods,
        paths: &mut Paths,
        plan: &Plan,
        number: usize,
    ) -> Result<(), Invalid> {
        let node = &plan.nodes[number];
        let Some(decomposed) = node.decomposed() else {
            return Ok(());
        };
        if let Some(Orderings { before, .. }) = &mut self.orderings {
            for child in &decomposed.children {
                before.join_own(*child, number);
            }
        }
        if decomposed.is_by_goal() {
            return self.check_sequence(plan, &decomposed.children);
        }
        let path = match methods.get(&node.task.task) {
            Some(Ok(method)) => {
                let path = paths.get(method, decomposed);
                let wrong = |why| format!("decomposition of '{}': {why}", node.task);
                Some(path.map_err(|why| Invalid::new(wrong(why)))?)
            }
            _ => None,
        };
        let Some(path) = path.filter(|p| p.tasks == decomposed.children.len()) else {
            self.orderings = None;
            return Ok(());
        };
        for (from, first) in decomposed.children.iter().enumerate() {
            if methods.stop.after(decomposed.children.len() / 8 + 1) {
                return Ok(());
            }
            for (to, second) in decomposed.children.iter().enumerate() {
                if !path.after.contains(from, to) {
                    continue;
                }
                if self.spans[*first].end > self.spans[*second].start {
                    let (a, b) = (&plan.nodes[*first].task, &plan.nodes[*second].task);
                    return Err(Invalid::new(format!("'{b}' comes before '{a}' is done")));
                }
                if let Some(Orderings { below, before }) = &mut self.orderings {
                    before.join(*second, below.row(*first));
                }
            }
        }
        Ok(())
    }

    /// Checks that the subtasks of a node come one after the other.
    fn check_sequence(&mut self, plan: &Plan, children: &[usize]) -> Result<(), Invalid> {
        for pair in children.windows(2) {
            let [first, second] = [pair[0], pair[1]];
            if self.spans[first].end > self.spans[second].start {
                let (a, b) = (&plan.nodes[first].task, &plan.nodes[second].task);
                return Err(Invalid::new(format!("'{b}' comes before '{a}' is done")));
            }
            if let Some(Orderings { below, before }) = &mut self.orderings {
                before.join_own(second, first);
                before.join(second, below.row(first));
            }
        }
        Ok(())
    }

    /// Checks that a step waits only for earlier ones, and for all that it must wait for.
    pub fn check_stated(&self, plan: &Plan, number: usize, stop: &Stop) -> Result<(), Invalid> {
        let step = &plan.steps[number];
        if stop.after(plan.steps.len() / 64 + step.after.len()) {
            return Ok(());
        }
        if let Some(before) = step.after.iter().find(|before| **before >= number) {
            let message = format!("it waits for the later step {}", before + 1);
            return Err(Invalid::at(number, message));
        }
        let Some(Orderings { before, .. }) = &self.orderings else {
            return Ok(());
        };
        // The steps that it waits for directly, and those that these wait for.
        let mut stated = Rows::new(1, plan.steps.len());
        for other in &step.after {
            stated.insert(0, *other);
            stated.join(0, before.row(plan.steps[*other].node));
        }
        if stated.row(0) != before.row(step.node) {
            return Err(Invalid::at(
                number,
                "its stated order doesn't match the flowcharts",
            ));
        }
        Ok(())
    }
}

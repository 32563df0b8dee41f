//! Which steps of a plan must come directly before which: the orders of its task
//! networks, through tasks that came to no step.

use taskloom_document::stop::Stop;

/// The tasks of a decomposition tree by number; 0 is nobody's task and stands
/// above the roots.
pub struct Precedence {
    parents: Vec<u32>,
    /// The tasks directly before each.
    before: Vec<Vec<u32>>,
    /// The tasks of each task's network that nothing comes after.
    last: Vec<Vec<u32>>,
    /// The step of each primitive task.
    step: Vec<Option<usize>>,
}

impl Precedence {
    /// Takes each task's parent, which has a smaller number, and its step. Gives
    /// the networks whose order is to be told with [`Self::group`]: a task and
    /// those tasks of its network that came to steps, ascending.
    pub fn new(parents: Vec<u32>, step: Vec<Option<usize>>) -> (Self, Vec<(u32, Vec<u32>)>) {
        let len = parents.len();
        let mut children: Vec<Vec<u32>> = vec![vec![]; len];
        let mut has_steps: Vec<bool> = step.iter().map(Option::is_some).collect();
        for task in (1..len).rev() {
            if has_steps[task] {
                let parent = parents[task] as usize;
                has_steps[parent] = true;
                children[parent].push(task as u32);
            }
        }
        let networks = (0u32..).zip(children).filter(|(_, c)| !c.is_empty());
        let networks = networks.map(|(parent, mut children)| {
            children.reverse();
            (parent, children)
        });
        let networks = networks.collect();
        let precedence = Self {
            parents,
            before: vec![vec![]; len],
            last: vec![vec![]; len],
            step,
        };
        (precedence, networks)
    }

    /// Tells that a network is a sequence.
    pub fn sequence(&mut self, parent: u32, children: &[u32]) {
        for pair in children.windows(2) {
            self.before[pair[1] as usize].push(pair[0]);
        }
        self.last[parent as usize].extend(children.last());
    }

    /// Tells the order of a network; `is_before` is transitive. Means nothing where the
    /// stop was heard.
    pub fn group(
        &mut self,
        parent: u32,
        children: &[u32],
        stop: &Stop,
        is_before: impl Fn(u32, u32) -> bool,
    ) {
        let mut followed = vec![false; children.len()];
        for (number, child) in children.iter().enumerate() {
            if stop.after(1 + number / 8) {
                return;
            }
            let earlier: Vec<usize> = (0..number)
                .filter(|n| is_before(children[*n], *child))
                .collect();
            for (at, first) in earlier.iter().enumerate() {
                followed[*first] = true;
                let mut between = earlier[at + 1..].iter();
                if !between.any(|second| is_before(children[*first], children[*second])) {
                    self.before[*child as usize].push(children[*first]);
                }
            }
        }
        let last = children.iter().zip(followed).filter(|(_, f)| !f);
        self.last[parent as usize] = last.map(|(child, _)| *child).collect();
    }

    /// The steps that must come directly before a primitive task's.
    pub fn directly_before(&self, task: u32) -> Vec<usize> {
        let mut task = task;
        while task != 0 && self.before[task as usize].is_empty() {
            task = self.parents[task as usize];
        }
        let mut open = self.before[task as usize].clone();
        let mut steps = vec![];
        while let Some(task) = open.pop() {
            match self.step[task as usize] {
                Some(step) => steps.push(step),
                None => open.extend(&self.last[task as usize]),
            }
        }
        steps.sort();
        steps
    }
}

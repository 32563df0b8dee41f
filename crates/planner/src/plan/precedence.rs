//! The direct order of a plan's steps, which follows from the orders of its task networks, through
//! tasks without steps.

use smallvec::SmallVec;

use taskloom_document::stop::Stop;

/// A list for each task, all of them in one vector.
#[derive(Debug, Default)]
struct Lists {
    /// The start and the end of each list.
    spans: Vec<(u32, u32)>,
    items: Vec<u32>,
}

impl Lists {
    fn new(len: usize) -> Self {
        Self {
            spans: vec![(0, 0); len],
            items: Vec::with_capacity(len),
        }
    }

    fn get(&self, task: u32) -> &[u32] {
        let (start, end) = self.spans[task as usize];
        &self.items[start as usize..end as usize]
    }

    /// Sets the list of a task that had none.
    fn set(&mut self, task: u32, items: impl Iterator<Item = u32>) {
        let start = self.items.len() as u32;
        self.items.extend(items);
        self.spans[task as usize] = (start, self.items.len() as u32);
    }
}

/// The networks of a decomposition tree: for each task, the tasks of its network that have steps,
/// ascending.
#[derive(Debug)]
pub struct Subnetworks(Lists);

impl Subnetworks {
    /// Returns the tasks with networks that aren't empty, and these networks.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let tasks = 0..self.0.spans.len() as u32;
        tasks
            .map(|task| (task, self.0.get(task)))
            .filter(|(_, network)| !network.is_empty())
    }
}

/// The tasks of a decomposition tree by number. Number 0 is the parent of the roots.
#[derive(Debug)]
pub struct Precedence {
    parents: Vec<u32>,
    /// The tasks directly before each task.
    before: Lists,
    /// For each task, the tasks of its network that have no successors.
    last: Lists,
    /// The step of each primitive task.
    step: Vec<Option<u32>>,
}

impl Precedence {
    /// The bytes for each task of a tree whose networks are sequences, including those of
    /// [`Subnetworks`].
    pub const BYTES_A_TASK: usize = size_of::<u32>() * 4 + size_of::<(u32, u32)>() * 4;

    /// Takes the parent of each task, which has a smaller number, and its step. Returns the
    /// networks whose order has to be set with [`Self::group`] or [`Self::sequence`].
    pub fn new(parents: Vec<u32>, step: Vec<Option<u32>>) -> (Self, Subnetworks) {
        let len = parents.len();
        let mut has_steps: Vec<bool> = step.iter().map(Option::is_some).collect();
        let mut networks = Lists::new(len);
        for task in (1..len).rev() {
            if has_steps[task] {
                let parent = parents[task] as usize;
                has_steps[parent] = true;
                networks.spans[parent].1 += 1;
            }
        }
        let mut end = 0;
        for span in &mut networks.spans {
            let start = end;
            end += span.1;
            *span = (start, start);
        }
        networks.items = vec![0; end as usize];
        for task in (1..len).filter(|task| has_steps[*task]) {
            let (_, end) = &mut networks.spans[parents[task] as usize];
            networks.items[*end as usize] = task as u32;
            *end += 1;
        }
        let precedence = Self {
            parents,
            before: Lists::new(len),
            last: Lists::new(len),
            step,
        };
        (precedence, Subnetworks(networks))
    }

    /// Sets the order of a network that is a sequence.
    pub fn sequence(&mut self, parent: u32, children: &[u32]) {
        for pair in children.windows(2) {
            self.before.set(pair[1], std::iter::once(pair[0]));
        }
        self.last.set(parent, children.last().copied().into_iter());
    }

    /// Sets the order of a network; `is_before` has to be transitive. The result is meaningless if
    /// it is cancelled.
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
            earlier.iter().for_each(|first| followed[*first] = true);
            let directly = earlier.iter().enumerate().filter(|(at, first)| {
                let mut between = earlier[at + 1..].iter();
                !between.any(|second| is_before(children[**first], children[*second]))
            });
            let directly = directly.map(|(_, first)| children[*first]);
            self.before.set(*child, directly);
        }
        let last = children.iter().zip(followed).filter(|(_, f)| !f);
        self.last.set(parent, last.map(|(child, _)| *child));
    }

    /// Returns the steps that have to come directly before that of a primitive task.
    pub fn directly_before(&self, task: u32) -> Vec<usize> {
        let mut task = task;
        while task != 0 && self.before.get(task).is_empty() {
            task = self.parents[task as usize];
        }
        let mut open: SmallVec<[u32; 16]> = self.before.get(task).into();
        let mut steps: SmallVec<[usize; 16]> = SmallVec::new();
        while let Some(task) = open.pop() {
            match self.step[task as usize] {
                Some(step) => steps.push(step as usize),
                None => open.extend_from_slice(self.last.get(task)),
            }
        }
        steps.sort_unstable();
        steps.to_vec()
    }
}

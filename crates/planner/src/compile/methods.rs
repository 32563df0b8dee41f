//! A flowchart as the equivalent ordered list of classical methods.

use std::sync::Arc;

use super::resolve::{Decider, Move, Resolution, Resolutions, TaskOrder};
use taskloom_document::BlockKind;
use taskloom_document::{BlockId, Flowchart, Port, Wire};
use taskloom_domain::flow::Chart;

/// One resolution of a flowchart, whatever its conditions: a method in the classical sense (task,
/// precondition, network).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// The blocks present, in the order of resolution.
    pub blocks: Arc<[BlockId]>,
    /// The wires present, ordered by the block that they leave.
    pub wires: Arc<[Wire]>,
    /// The output chosen for each Branch and Choice present. Those of Branches, with the conditions
    /// of the Bind blocks present, form its precondition.
    pub outputs: Vec<(BlockId, Port)>,
    /// The Task blocks present: its network, in the designer's order. A block that repeats is there
    /// as often.
    pub tasks: Vec<BlockId>,
    /// The orderings of the network as pairs of indices in [`Self::tasks`], transitively reduced.
    pub order: Vec<(usize, usize)>,
}

/// Iterates over the methods of a flowchart in the order in which a search tries them.
#[derive(Debug, Clone)]
pub struct Methods {
    chart: Arc<Chart>,
    ports: Vec<Vec<Port>>,
    resolutions: Resolutions,
    resolution: Resolution,
    order: TaskOrder,
    last: Move,
}

/// Takes both sides of every Branch and every output of a Choice, and one representative binding.
struct EveryOption;

impl Decider for EveryOption {
    fn pass(&mut self, _: u32) -> bool {
        true
    }
    fn next(&mut self, _: u32, kind: BlockKind, before: Option<u32>) -> Option<u32> {
        Some(before.map_or(0, |b| b + 1)).filter(|o| *o < kind.options())
    }
}

/// Lists the methods of a flowchart. Returns `None` if it has no Begin block.
///
/// Their number can be exponential in the number of blocks.
pub fn methods(flowchart: &Flowchart) -> Option<Methods> {
    let chart = Arc::new(Chart::new(flowchart)?).unrolled();
    let mut resolutions = Resolutions::default();
    let resolution = resolutions.start(&chart);
    let ports = chart.blocks.iter().map(|b| {
        let block = flowchart.blocks.get(&b.id);
        block.map(|b| b.ports()).unwrap_or_default()
    });
    Some(Methods {
        ports: ports.collect(),
        chart,
        resolutions,
        resolution,
        order: TaskOrder::default(),
        last: Move::Working,
    })
}

impl Iterator for Methods {
    type Item = Method;

    fn next(&mut self) -> Option<Method> {
        if self.last == Move::Resolved {
            self.last =
                self.resolutions
                    .take_back(&mut self.resolution, &self.chart, &mut EveryOption);
        }
        while self.last == Move::Working {
            self.last =
                self.resolutions
                    .advance(&mut self.resolution, &self.chart, &mut EveryOption);
        }
        (self.last == Move::Resolved).then(|| self.method())
    }
}

impl Methods {
    fn method(&mut self) -> Method {
        let chart = &self.chart;
        let wires = self.resolutions.wires(&self.resolution, None);
        self.order.set(chart, wires);
        let present = |position: &u32| self.resolutions.is_present(&self.resolution, *position);
        let id = |position: u32| chart.blocks[position as usize].id.clone();
        let tasks: Vec<u32> = chart.tasks.iter().copied().filter(present).collect();
        let mut order = vec![];
        for (to, position) in tasks.iter().enumerate() {
            for task in self.order.direct(chart, *position) {
                let from = chart.tasks[task as usize];
                order.extend(tasks.iter().position(|t| *t == from).map(|from| (from, to)));
            }
        }
        let decisions = self.resolutions.decisions(&self.resolution, None);
        let outputs = decisions.iter().filter_map(|decision| {
            let position = decision.position as usize;
            let chosen = chart.blocks[position].kind.chooses_output();
            let port = self.ports[position].get(decision.option as usize);
            port.filter(|_| chosen)
                .map(|port| (id(decision.position), *port))
        });
        let (blocks, wires) = self.resolutions.path(chart, &self.resolution, None);
        Method {
            blocks,
            wires,
            outputs: outputs.collect(),
            tasks: tasks.into_iter().map(id).collect(),
            order,
        }
    }
}

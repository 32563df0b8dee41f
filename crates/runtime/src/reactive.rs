//! Plans of characters that look no further than the next step (Krylov & Abramov 2020): what is
//! left of one when its step is complete, and how the next step is put into it.

use taskloom_planner::plan::{Decomposed, Node, NodeKind, Plan};

/// What is left to be done of a plan whose steps are complete: the tasks that are yet to be
/// decomposed, and those that they are part of. Nothing where there are none.
pub fn rest(plan: &Plan) -> Option<Plan> {
    let mut is_left: Vec<bool> = vec![false; plan.nodes.len()];
    // Children stand after their parents.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        is_left[at] |= node.kind == NodeKind::Pending;
        if let Some(parent) = node.parent.filter(|_| is_left[at]) {
            is_left[parent] = true;
        }
    }
    let mut numbers = vec![None; plan.nodes.len()];
    let mut nodes = vec![];
    for (at, node) in plan.nodes.iter().enumerate().filter(|(at, _)| is_left[*at]) {
        numbers[at] = Some(nodes.len());
        nodes.push(Node {
            parent: node.parent.and_then(|parent| numbers[parent]),
            ..node.clone()
        });
    }
    for node in &mut nodes {
        if let NodeKind::Decomposed(decomposed) = &mut node.kind {
            decomposed.at = 0;
            let children = decomposed.children.iter();
            decomposed.children = children.filter_map(|child| numbers[*child]).collect();
        }
    }
    let roots = plan.roots.iter().filter_map(|root| numbers[*root]);
    let rest = Plan {
        steps: vec![],
        roots: roots.collect(),
        nodes,
        cost: 0.0,
        aim: None,
    };
    (!rest.nodes.is_empty()).then_some(rest)
}

/// The task that comes next: the first that is yet to be done, in the designer's order.
pub fn next(rest: &Plan) -> Option<usize> {
    let mut open: Vec<usize> = rest.roots.iter().rev().copied().collect();
    while let Some(at) = open.pop() {
        let node = rest.nodes.get(at)?;
        match &node.kind {
            NodeKind::Pending => return Some(at),
            NodeKind::Step(_) => {}
            NodeKind::Decomposed(decomposed) => open.extend(decomposed.children.iter().rev()),
        }
    }
    None
}

/// The rest of a plan in which its next task is done as another plan says.
pub fn joined(mut rest: Plan, next: usize, done: &Plan) -> Plan {
    let behind = rest.nodes.len();
    let number = |node: usize| match node {
        0 => next,
        node => behind + node - 1,
    };
    for (at, node) in done.nodes.iter().enumerate() {
        let kind = match &node.kind {
            NodeKind::Decomposed(decomposed) => NodeKind::Decomposed(Decomposed {
                children: decomposed
                    .children
                    .iter()
                    .map(|child| number(*child))
                    .collect(),
                ..decomposed.clone()
            }),
            kind => kind.clone(),
        };
        if at == 0 {
            rest.nodes[next].kind = kind;
        } else {
            rest.nodes.push(Node {
                parent: node.parent.map(number),
                kind,
                ..node.clone()
            });
        }
    }
    rest.steps = done.steps.clone();
    for step in &mut rest.steps {
        step.node = number(step.node);
    }
    rest.cost = done.cost;
    rest
}

//! The bend points of wires. A double click on a wire or a key adds one. On the canvas they are
//! nodes: a drag or an arrow key moves them, and Delete or a double click removes them.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;
use taskloom_document::sort::set_of;
use taskloom_document::{BlockId, Document, Edit, Name, Point, Wire};

use super::chart;
use crate::canvas::colour::Colour;
use crate::canvas::curve::Curve;
use crate::canvas::geometry::{Rect, Vec2};
use crate::canvas::gesture::SNAP;
use crate::canvas::scene::{Node, Shape};
use crate::canvas::surface::Surface;
use crate::session::Session;
use crate::ui::keyed::Keyed;

/// The side of a bend point, in graph units, as in the style sheet.
const SIDE: f64 = 12.0;

/// Returns the bend points as nodes.
pub fn nodes(bends: &BTreeMap<Wire, Vec<Point>>) -> Vec<(Node, Shape)> {
    let of_wire = |(wire, points): (&Wire, &Vec<Point>)| {
        let numbered = points.iter().enumerate();
        let node = numbered.map(|(number, point)| {
            let corner = Vec2::from(*point) - Vec2::new(SIDE, SIDE) * 0.5;
            let shape = Shape {
                rect: Rect::at(corner, SIDE, SIDE),
                sockets: vec![],
                head: SIDE,
                colour: Colour::LineStrong,
            };
            (Node::Bend(wire.clone(), number), shape)
        });
        node.collect::<Vec<_>>()
    };
    bends.iter().flat_map(of_wire).collect()
}

/// Returns the edits that move the bend points among these nodes, or remove them.
pub fn changed(
    document: &Document,
    task: &Name,
    nodes: &BTreeSet<Node>,
    by: Option<Vec2>,
) -> Vec<Edit> {
    let has = |block: &BlockId| nodes.contains(&Node::Block(block.clone()));
    let mut edits = vec![];
    for (wire, points) in &document.layout.drawing(task).bends {
        let is_meant = |number| nodes.contains(&Node::Bend(wire.clone(), number));
        // All points between moving blocks move along.
        let goes_along = by.is_some() && has(&wire.from) && has(&wire.to);
        if goes_along || !(0..points.len()).any(is_meant) {
            continue;
        }
        let changed = points.iter().enumerate().filter_map(|(number, point)| {
            if !is_meant(number) {
                return Some(*point);
            }
            by.map(|by| (Vec2::from(*point) + by).to_point())
        });
        edits.push(Edit::Bend(task.clone(), wire.clone(), changed.collect()));
    }
    edits
}

/// Returns a wire's new bend point, and the edit that adds it.
pub fn bent(document: &Document, task: &Name, wire: Wire, curve: &Curve, at: Vec2) -> (Node, Edit) {
    let known = document.layout.drawing(task).bends.get(&wire);
    let mut points = known.cloned().unwrap_or_default();
    let place = curve.bends_before(at).min(points.len());
    points.insert(place, at.snapped(SNAP).to_point());
    let point = Node::Bend(wire.clone(), place);
    (point, Edit::Bend(task.clone(), wire, points))
}

/// The bend points of all wires of a method.
#[component]
pub fn Bends(surface: Surface, task: Name) -> impl IntoView {
    let session = Session::expect();
    let name = task.clone();
    let all = Memo::new(move |_| {
        let mounted = surface.has_node();
        let document = session.document();
        let nodes = nodes(&document.layout.drawing(&name).bends).into_iter();
        let nodes = nodes.map(|(node, _)| node).filter(mounted);
        set_of(nodes).into_iter().collect::<Vec<Node>>()
    });
    let point = move |node: Node| {
        let element = surface.node_ref(node.clone());
        let Node::Bend(wire, number) = node else {
            return ().into_any();
        };
        let document = session.document_untracked();
        let method = document.compound_tasks.get(&task).map(|t| &t.method);
        let title = |id: &BlockId| {
            let block = method.and_then(|method| method.blocks.get(id));
            block.map_or(String::new(), |b| chart::face(&document, b).title)
        };
        let (from, to) = (title(&wire.from), title(&wire.to));
        let words = format!("Bend point {} of the wire from {from} to {to}", number + 1);
        view! {
            <div class="bend" node_ref=element tabindex="-1" role="group" aria-roledescription="bend point" aria-label=words></div>
        }
        .into_any()
    };
    view! { <Keyed each=move || all.get() key=Node::name children=point/> }
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{document, id, task};
    use super::*;
    use taskloom_document::Block;

    #[test]
    fn bends_move_alone_or_with_their_blocks() {
        let go: Name = "go".parse().unwrap();
        let blocks = [("b", Block::Begin {}, (0, 0)), ("x", task("go"), (400, 0))];
        let wire: Wire = "b.out -> x".parse().unwrap();
        let (near, far) = (Point { x: 100, y: 50 }, Point { x: 300, y: 50 });
        let bend = |points: &[Point]| Edit::Bend(go.clone(), wire.clone(), points.into());
        let before = document(&blocks, &["b.out -> x"]);
        let before = before.apply(&bend(&[near, far])).unwrap();
        let point = Node::Bend(wire.clone(), 1);
        let by = Some(Vec2::new(10.0, 20.0));
        let change = |nodes: &[Node], by| changed(&before, &go, &set_of(nodes.to_vec()), by);
        let moved = bend(&[near, Point { x: 310, y: 70 }]);
        assert_eq!(change(std::slice::from_ref(&point), by), [moved]);
        assert_eq!(change(std::slice::from_ref(&point), None), [bend(&[near])]);
        let both = ["b", "x"].map(|name| Node::Block(id(name)));
        let [from, to] = both;
        assert_eq!(change(&[from, to, point], by), []);
        let curve = chart::scene(&before, &go);
        let curve = curve.curve(&chart::drawn_wire(&wire)).unwrap();
        let at = Vec2::new(203.0, 48.0);
        let between = Point { x: 200, y: 50 };
        let bent = bent(&before, &go, wire.clone(), &curve, at);
        let second = Node::Bend(wire.clone(), 1);
        assert_eq!(bent, (second, bend(&[near, between, far])));
    }
}

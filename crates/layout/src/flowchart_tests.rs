//! Tests of flowcharts in rows, on shipped examples.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::{Block, BlockId, Document, Flowchart, Name, Wire};

use super::*;

const BALL: &str = include_str!("../../../public/examples/ball-in-the-box.taskloom.json");
const EXAMPLES: [&str; 4] = [
    BALL,
    include_str!("../../../public/examples/hunter.taskloom.json"),
    include_str!("../../../public/examples/night-guard.taskloom.json"),
    include_str!("../../../public/examples/office.taskloom.json"),
];

fn document(text: &str) -> Document {
    Document::from_json(text).unwrap()
}

fn method(text: &str, task: &str) -> Flowchart {
    let task: Name = task.parse().unwrap();
    document(text).compound_tasks[&task].method.clone()
}

/// The boxes of a drawing, and its wires between their ports.
fn drawing(graph: &Graph, points: &[Point]) -> (Vec<Area>, Vec<Line>) {
    let boxes = points.iter().zip(&graph.nodes).map(|(p, size)| Area {
        left: p.x,
        top: p.y,
        right: p.x + size.width,
        bottom: p.y + size.height,
    });
    let boxes: Vec<Area> = boxes.collect();
    let lines = graph.edges.iter().map(|edge| Line {
        from: Point {
            x: boxes[edge.from].right,
            y: boxes[edge.from].top + edge.out,
        },
        to: Point {
            x: boxes[edge.to].left,
            y: boxes[edge.to].top + edge.into,
        },
        boxes: [edge.from, edge.to],
    });
    let lines = lines.collect();
    (boxes, lines)
}

/// Returns the number of pairs of boxes that overlap.
fn overlaps(boxes: &[Area]) -> usize {
    let meets = |a: &Area, b: &Area| {
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    };
    let pairs = boxes.iter().enumerate();
    let pairs = pairs.flat_map(|(at, a)| boxes[..at].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| meets(a, b)).count()
}

/// Returns the numbers of parts of wires that are neither horizontal nor vertical, and of those
/// that run through a box.
fn faults(boxes: &[Area], lines: &[Line]) -> (usize, usize) {
    let (mut slanted, mut covered) = (0, 0);
    for (line, corners) in lines.iter().zip(route(boxes, lines)) {
        let mut before = line.from;
        for next in corners.into_iter().chain([line.to]) {
            slanted += usize::from(before.x != next.x && before.y != next.y);
            let [left, right] = [before.x.min(next.x), before.x.max(next.x)];
            let [top, bottom] = [before.y.min(next.y), before.y.max(next.y)];
            let meets = |area: &&Area| {
                left < area.right
                    && area.left < right.max(left + 1)
                    && top < area.bottom
                    && area.top < bottom.max(top + 1)
            };
            covered += boxes.iter().filter(meets).count();
            before = next;
        }
    }
    (slanted, covered)
}

#[test]
fn get_ball_fits_a_canvas_of_900_by_600_at_80_percent() {
    let chart = method(BALL, "get-ball");
    let (_, graph) = graph_of(&chart);
    assert_eq!(graph.nodes.len(), 21);
    let points = flow(&graph, ROOM);
    let size = extent(&graph, &points);
    let margin = 40.0;
    let zoom =
        ((900.0 - margin) / f64::from(size.width)).min((600.0 - margin) / f64::from(size.height));
    assert!(zoom >= 0.8, "{size:?} needs a zoom of {zoom}");
    // In columns, little more than half of that is possible.
    let columns = extent(&graph, &layered(&graph));
    assert!(860.0 / f64::from(columns.width) < 0.46, "{columns:?}");
}

#[test]
fn no_block_of_the_examples_covers_another_or_a_wire() {
    let mut wrapped = 0;
    for text in EXAMPLES {
        for (name, task) in &document(text).compound_tasks {
            let (_, graph) = graph_of(&task.method);
            let points = flow(&graph, ROOM);
            assert_eq!(points, flow(&graph, ROOM), "{name}");
            let (boxes, lines) = drawing(&graph, &points);
            assert_eq!(overlaps(&boxes), 0, "{name}");
            assert_eq!(faults(&boxes, &lines), (0, 0), "{name}");
            let size = extent(&graph, &points);
            let fits = size.width <= ROOM.width && size.height <= ROOM.height;
            assert!(fits || graph.nodes.len() > 15, "{name}: {size:?}");
            wrapped += usize::from(points != layered(&graph));
        }
    }
    assert!(wrapped >= 3, "{wrapped}");
}

#[test]
fn a_row_keeps_the_order_of_its_path_and_of_alternatives() {
    let chart = method(BALL, "get-ball");
    let (ids, graph) = graph_of(&chart);
    let points = flow(&graph, ROOM);
    let at: BTreeMap<&BlockId, Point> = ids.iter().zip(points).collect();
    let place = |id: &str| at[&id.parse::<BlockId>().unwrap()];
    // Begin, at(box), walk-to(box), box_open, take-ball, End.
    let row = [
        "dj7xax4r", "xkn65ny3", "ajj9z3uc", "sjvgiai5", "p7kmphat", "rnhmmzh4",
    ];
    assert!(row.windows(2).all(|pair| {
        let [a, b] = [place(pair[0]), place(pair[1])];
        a.y == b.y && a.x < b.x
    }));
    // The alternatives with the key and with the hammer start below each other.
    let [key, hammer] = [place("k22u3mnn"), place("bjtmv36y")];
    assert_eq!(key.x, hammer.x);
    assert!(key.y < hammer.y);
}

#[test]
fn an_inserted_block_moves_no_other_path() {
    let before = method(BALL, "get-ball");
    let mut after = before.clone();
    // Between smash-box and take-ball, in the last row.
    let block = "new1".parse::<BlockId>().unwrap();
    let cut: Wire = "wwsgcraz.out -> q4sz5e7i".parse().unwrap();
    after.wires.retain(|wire| *wire != cut);
    for wire in ["wwsgcraz.out -> new1", "new1.out -> q4sz5e7i"] {
        after.wires.push(wire.parse().unwrap());
    }
    let call = Block::task("rest");
    after.blocks.insert(block.clone(), call.into());
    let placed = |chart: &Flowchart| -> BTreeMap<BlockId, Point> {
        let (ids, graph) = graph_of(chart);
        let points = flow(&graph, ROOM);
        ids.into_iter().zip(points).collect()
    };
    let (before, after) = (placed(&before), placed(&after));
    let same_row = |(id, point): (&BlockId, &Point)| after[id].y == point.y;
    assert!(before.iter().all(same_row));
    let moved = before.iter().filter(|(id, point)| after[*id] != **point);
    let moved: BTreeSet<String> = moved.map(|(id, _)| id.to_string()).collect();
    let path = ["bjtmv36y", "um6mxhwk", "wwsgcraz", "q4sz5e7i", "k6z7k42m"];
    assert!(moved.is_subset(&path.map(String::from).into()), "{moved:?}");
}

#[test]
fn a_wire_back_runs_between_the_rows() {
    let area = |left, top| Area {
        left,
        top,
        right: left + 100,
        bottom: top + 60,
    };
    let boxes = [
        area(0, 0),
        area(140, 0),
        area(280, 0),
        area(40, 108),
        area(180, 108),
    ];
    let line = Line {
        from: Point { x: 240, y: 40 },
        to: Point { x: 40, y: 126 },
        boxes: [1, 3],
    };
    let corners = route(&boxes, &[line]).remove(0);
    let heights: Vec<i32> = corners.iter().map(|corner| corner.y).collect();
    assert!(
        heights.len() == 4 && (60..108).contains(&heights[1]),
        "{corners:?}"
    );
    assert_eq!(faults(&boxes, &[line]), (0, 0));
}

use super::*;

/// Builds a graph of boxes of 100 by 50 with wires written as `0-1 0-2`: the wires of one box leave
/// it below each other, in this order.
fn graph(nodes: usize, wires: &str) -> Graph {
    let mut graph = Graph {
        nodes: vec![
            Node {
                width: 100,
                height: 50
            };
            nodes
        ],
        ..Graph::default()
    };
    for wire in wires.split_whitespace() {
        let (from, to) = wire.split_once('-').unwrap();
        let from = from.parse().unwrap();
        let before = graph.edges.iter().filter(|e| e.from == from).count();
        graph.edges.push(Edge {
            from,
            to: to.parse().unwrap(),
            out: 10 + 5 * before as i32,
            into: 10,
        });
    }
    graph
}

fn overlaps(graph: &Graph, points: &[Point]) -> usize {
    let boxed = |at: usize| {
        let (p, size) = (points[at], graph.nodes[at]);
        (p.x, p.y, p.x + size.width, p.y + size.height)
    };
    let count = graph.nodes.len();
    (0..count)
        .flat_map(|a| (0..a).map(move |b| (a, b)))
        .filter(|(a, b)| {
            let (a, b) = (boxed(*a), boxed(*b));
            a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
        })
        .count()
}

/// Checks the column and the vertical position of each box.
fn check(graph: &Graph, expected: &[(i32, i32)]) {
    let points = layered(graph);
    let found: Vec<(i32, i32)> = points.iter().map(|p| (p.x / 160, p.y)).collect();
    assert_eq!(found, expected);
    assert_eq!(overlaps(graph, &points), 0);
}

#[test]
fn a_sequence_is_a_straight_line() {
    check(&graph(3, "0-1 1-2"), &[(0, 0), (1, 0), (2, 0)]);
}

#[test]
fn alternatives_are_ordered_from_top_and_the_first_continues_straight() {
    let chart = graph(6, "0-1 0-2 0-3 1-4 3-5");
    let points = layered(&chart);
    assert_eq!(points[1].y, points[0].y);
    assert_eq!(points[4].y, points[1].y);
    assert!(points[1].y < points[2].y && points[2].y < points[3].y);
    assert_eq!(points[5].y, points[3].y);
}

#[test]
fn joins_are_placed_right_of_all_predecessors() {
    let points = layered(&graph(5, "0-1 1-2 2-3 0-4 4-3"));
    assert!(points[3].x > points[2].x && points[2].x > points[4].x - 1);
}

#[test]
fn avoids_unnecessary_crossings() {
    // 1 leads to 4 and 2 to 3, whose numbers are in the opposite order.
    let points = layered(&graph(5, "0-1 0-2 1-4 2-3"));
    assert!(points[1].y < points[2].y && points[4].y < points[3].y);
}

#[test]
fn stacks_components_and_lays_out_cycles() {
    let chart = graph(5, "0-1 1-0 2-3 3-4 4-2");
    let points = layered(&chart);
    assert_eq!(overlaps(&chart, &points), 0);
    assert!(points[2].y > points[1].y);
    assert_eq!(points[4].x, 320);
    assert_eq!(layered(&Graph::default()), []);
    let alone = graph(1, "0-0");
    assert_eq!(layered(&alone), [Point::default()]);
    let nowhere = graph(1, "0-7");
    assert_eq!(layered(&nowhere), [Point::default()]);
}

#[test]
fn the_first_box_stays_where_it_was_when_all_move() {
    let chart = graph(3, "0-1 1-2");
    let at = |x, y| Some(Point { x, y });
    let points = tidy(&chart, &[at(500, 70), at(0, 0), None], &[true; 3]);
    let xs: Vec<i32> = points.iter().map(|p| p.x).collect();
    assert_eq!(xs, [500, 660, 820]);
    assert!(points.iter().all(|p| p.y == 70));
}

#[test]
fn fixed_boxes_stay_and_nothing_overlaps_them() {
    let chart = graph(4, "0-1 1-2 2-3");
    let at = |x, y| Some(Point { x, y });
    let places = [at(0, 0), at(160, 0), None, None];
    let points = tidy(&chart, &places, &[false, false, true, true]);
    assert_eq!(
        (points[0], points[1]),
        (places[0].unwrap(), places[1].unwrap())
    );
    assert_eq!(points[2], Point { x: 320, y: 0 });
    assert_eq!(points[3], Point { x: 480, y: 0 });
    // An obstacle: the free position just below it is used.
    let chart = graph(5, "0-1 1-2 2-3");
    let places = [at(0, 0), at(160, 0), None, None, at(330, 20)];
    let points = tidy(&chart, &places, &[false, false, true, true, false]);
    assert_eq!(overlaps(&chart, &points), 0);
    assert_eq!(points[2].x, 320);
    assert!(points[2].y.abs() <= 100, "{}", points[2].y);
}

#[cfg(not(target_arch = "wasm32"))]
mod random {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn layouts_never_overlap_and_are_deterministic(
            sizes in prop::collection::vec((20..300, 20..200), 1..40),
            wires in prop::collection::vec((0_usize..40, 0_usize..40, 0..60), 0..80),
            movable in prop::collection::vec(any::<bool>(), 40),
        ) {
            let nodes = sizes.iter().map(|(width, height)| Node { width: *width, height: *height });
            let edges = wires.iter().map(|(from, to, out)| Edge { from: *from, to: *to, out: *out, into: 18 });
            let graph = Graph { nodes: nodes.collect(), edges: edges.collect(), ranked: vec![1, 5] };
            for width in [300, 1000] {
                prop_assert_eq!(overlaps(&graph, &rows(&graph, width)), 0);
            }
            let points = layered(&graph);
            prop_assert_eq!(overlaps(&graph, &points), 0);
            prop_assert_eq!(&layered(&graph), &points);
            // Boxes without overlaps still have none after some of them are tidied.
            let at: Vec<Option<Point>> = points.iter().copied().map(Some).collect();
            let tidied = tidy(&graph, &at, &movable);
            prop_assert_eq!(overlaps(&graph, &tidied), 0);
            for (node, point) in points.iter().enumerate().filter(|(node, _)| !movable[*node]) {
                prop_assert_eq!(point, &tidied[node]);
            }
        }
    }
}

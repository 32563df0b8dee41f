//! The layout of imported methods.

use std::fs;
use std::time::{Duration, Instant};

use taskloom_document::{CompoundTask, Document, Name, Point};
use taskloom_hddl::import::read_planning_files;
use taskloom_layout::{Graph, graph_of, layered};

use super::competition;

fn boxed(graph: &Graph, points: &[Point], at: usize) -> [i32; 4] {
    let (p, size) = (points[at], graph.nodes[at]);
    [p.x, p.y, p.x + size.width, p.y + size.height]
}

fn overlaps(graph: &Graph, points: &[Point]) -> usize {
    let mut boxes: Vec<[i32; 4]> = (0..points.len())
        .map(|at| boxed(graph, points, at))
        .collect();
    boxes.sort_unstable();
    let meets = |(at, a): (usize, &[i32; 4])| {
        let near = boxes[at + 1..].iter().take_while(|b| b[0] < a[2]);
        near.filter(|b| a[1] < b[3] && b[1] < a[3]).count()
    };
    boxes.iter().enumerate().map(meets).sum()
}

/// Returns pairs of straight wires that cross, except those that share an end.
fn crossings(graph: &Graph, points: &[Point]) -> usize {
    let line = |edge: &taskloom_layout::Edge| {
        let (a, b) = (points[edge.from], points[edge.to]);
        let width = graph.nodes[edge.from].width;
        let point = |x: i32, y: i32| (f64::from(x), f64::from(y));
        (
            point(a.x + width, a.y + edge.out),
            point(b.x, b.y + edge.into),
        )
    };
    let side = |(a, b): ((f64, f64), (f64, f64)), p: (f64, f64)| {
        ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).signum()
    };
    let mut count = 0;
    for (at, a) in graph.edges.iter().enumerate() {
        for b in &graph.edges[..at] {
            if a.from == b.from || a.to == b.to {
                continue;
            }
            let (one, other) = (line(a), line(b));
            let crosses = side(one, other.0) * side(one, other.1) < 0.0
                && side(other, one.0) * side(other, one.1) < 0.0;
            count += usize::from(crosses);
        }
    }
    count
}

/// Returns the wires that lead back, or stay in their column.
fn backwards(graph: &Graph, points: &[Point]) -> usize {
    let leads_back = |edge: &&taskloom_layout::Edge| {
        points[edge.to].x < points[edge.from].x + graph.nodes[edge.from].width
    };
    graph.edges.iter().filter(leads_back).count()
}

/// Returns outputs of one block whose targets in the next column are in another order.
fn out_of_order(graph: &Graph, points: &[Point]) -> usize {
    let mut edges = graph.edges.clone();
    edges.sort_by_key(|edge| (edge.from, edge.out));
    edges
        .windows(2)
        .filter(|pair| {
            let (a, b) = (pair[0], pair[1]);
            let same = a.from == b.from && a.out < b.out;
            let entered = |to| graph.edges.iter().filter(|e| e.to == to).count();
            let alone = entered(a.to) == 1 && entered(b.to) == 1;
            let (a, b) = (points[a.to], points[b.to]);
            same && alone && a.x == b.x && a.y > b.y
        })
        .count()
}

#[derive(Default, Debug)]
struct Measured {
    methods: usize,
    blocks: usize,
    wires: usize,
    overlaps: usize,
    crossings: usize,
    backwards: usize,
    out_of_order: usize,
    largest: (usize, Duration),
}

impl Measured {
    fn add(&mut self, document: &Document, name: &Name, task: &CompoundTask) {
        let (ids, graph) = graph_of(&task.method);
        let points: Vec<Point> = ids
            .iter()
            .map(|id| document.layout.block(name, id))
            .collect();
        self.methods += 1;
        self.blocks += ids.len();
        self.wires += graph.edges.len();
        self.overlaps += overlaps(&graph, &points);
        self.crossings += crossings(&graph, &points);
        self.backwards += backwards(&graph, &points);
        self.out_of_order += out_of_order(&graph, &points);
        if ids.len() > self.largest.0 {
            let start = Instant::now();
            layered(&graph);
            self.largest = (ids.len(), start.elapsed());
        }
    }
}

fn measure(measured: &mut Measured, domain: &str, problem: Option<&str>) {
    let Ok(imported) = read_planning_files(domain, problem) else {
        return;
    };
    for (name, task) in &imported.document.compound_tasks {
        measured.add(&imported.document, name, task);
    }
}

#[test]
fn imported_blocks_do_not_overlap_and_flow_left_to_right() {
    let mut measured = Measured::default();
    for folder in ["bakery", "canal", "museum", "orchestra"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/hddl");
        let files = fs::read_dir(format!("{root}/{folder}")).expect("a folder");
        for file in files.flatten() {
            let text = fs::read_to_string(file.path()).expect("a file");
            if text.contains("(domain ") && !text.contains("(problem ") {
                measure(&mut measured, &text, None);
            }
        }
    }
    assert!(measured.methods >= 8, "{measured:?}");
    for pair in competition::pairs() {
        let domain = fs::read_to_string(&pair.domain).expect("a domain");
        let problem = fs::read_to_string(&pair.problem).expect("a problem");
        measure(&mut measured, &domain, Some(&problem));
    }
    println!("{measured:?}");
    let faults = (measured.overlaps, measured.backwards, measured.out_of_order);
    assert_eq!(faults, (0, 0, 0), "{measured:?}");
}

/// Several thousand blocks are laid out quickly.
#[test]
fn lays_out_a_thousand_blocks_within_a_second() {
    use taskloom_layout::{Edge, Node};
    let node = Node {
        width: 200,
        height: 100,
    };
    let mut graph = Graph {
        nodes: vec![node; 1000],
        ..Graph::default()
    };
    // A tree of alternatives whose ends join again in some places.
    for to in 1..1000_usize {
        let mut wire = |from: usize, out: usize| {
            graph.edges.push(Edge {
                from,
                to,
                out: 20 * out as i32,
                into: 18,
            });
        };
        wire((to - 1) / 3, (to - 1) % 3);
        if to % 7 == 0 && to > 40 {
            wire(to - 40, 3);
        }
    }
    let start = Instant::now();
    let points = layered(&graph);
    let took = start.elapsed();
    println!(
        "1,000 blocks, {} wires: {took:?}, {} crossings",
        graph.edges.len(),
        crossings(&graph, &points)
    );
    assert_eq!(overlaps(&graph, &points), 0);
    assert!(took < Duration::from_secs(10), "{took:?}");
}

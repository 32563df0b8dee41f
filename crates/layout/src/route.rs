//! Paths of wires: horizontal and vertical lines from an output, which they leave to the right, to
//! an input, which they enter from the left, around the boxes in between.
//!
//! Each wire tries a few shapes, from short to long, and takes the one that crosses the fewest
//! boxes and wires, and coincides with none of the others. Short wires are routed first, so that
//! long ones run around them.

use std::ops::Range;

use taskloom_document::Point;
use taskloom_document::sort::CompactSort;

/// The preferred distance of a vertical line from the port that it leads to, and that of a
/// horizontal line from a box.
const NEAR: i32 = 20;
/// The distance between parallel wires.
const LANE: i32 = 6;
/// The lanes beside a preferred position, in the order in which they are tried.
const LANES: [i32; 5] = [0, -LANE, LANE, -2 * LANE, 2 * LANE];
/// The minimum distance of a wire from boxes that it doesn't lead to.
const CLEAR: i32 = 6;
/// The number of horizontal channels that a wire tries.
const CHANNELS: usize = 12;
/// The costs of a wire, in graph units of its length: of a corner, of crossing a box and another
/// wire, and of coinciding with one.
const CORNER: i64 = 30;
const BOX: i64 = 6000;
const CROSSING: i64 = 60;
const OVERLAP: i64 = 400;

/// A box: its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The left edge.
    pub left: i32,
    /// The upper edge.
    pub top: i32,
    /// The right edge.
    pub right: i32,
    /// The lower edge.
    pub bottom: i32,
}

impl Area {
    fn grown(self, by: i32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }
}

/// A wire: its ends, and the indices of their boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The position of the output.
    pub from: Point,
    /// The position of the input.
    pub to: Point,
    /// The box that it leaves, and the one that it enters.
    pub boxes: [usize; 2],
}

/// Returns the corners of each wire, in order. A wire without corners is straight.
pub fn route(boxes: &[Area], lines: &[Line]) -> Vec<Vec<Point>> {
    let mut router = Router::new(boxes);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let length = |line: &Line| {
        let (across, down) = (line.to.x - line.from.x, line.to.y - line.from.y);
        // A wire back runs around a row.
        let back = if across < 0 { 1000 } else { 0 };
        across.abs() + down.abs() + back
    };
    order.compact_sort_by_key(|at| length(&lines[*at]));
    let mut corners = vec![vec![]; lines.len()];
    for at in order {
        corners[at] = bends(&lines[at], router.find(&lines[at]));
        router.draw(&lines[at], &corners[at]);
    }
    corners
}

/// A horizontal or vertical part of a wire.
#[derive(Debug, Clone, Copy)]
struct Part {
    is_level: bool,
    /// Its vertical position if it is level, otherwise its horizontal position.
    at: i32,
    low: i32,
    high: i32,
}

impl Part {
    fn between(a: Point, b: Point) -> Self {
        let is_level = a.y == b.y;
        let (at, one, other) = match is_level {
            true => (a.y, a.x, b.x),
            false => (a.x, a.y, b.y),
        };
        Self {
            is_level,
            at,
            low: one.min(other),
            high: one.max(other),
        }
    }

    fn crosses_box(&self, area: &Area) -> bool {
        let (across, along) = match self.is_level {
            true => (area.top..area.bottom, area.left..area.right),
            false => (area.left..area.right, area.top..area.bottom),
        };
        let within = |range: Range<i32>| range.start < self.at && self.at < range.end;
        within(across) && self.low < along.end && along.start < self.high
    }

    /// Returns `true` if both are parallel, and less than a lane apart.
    fn coincides(&self, other: &Self) -> bool {
        self.is_level == other.is_level
            && (self.at - other.at).abs() < LANE - 1
            && self.low < other.high
            && other.low < self.high
    }

    fn crosses(&self, other: &Self) -> bool {
        let within = |at: i32, part: &Self| part.low < at && at < part.high;
        self.is_level != other.is_level && within(self.at, other) && within(other.at, self)
    }
}

struct Router<'a> {
    boxes: &'a [Area],
    /// The boxes with the space around them.
    grown: Vec<Area>,
    /// The positions of horizontal lines between the boxes, in order.
    channels: Vec<i32>,
    /// The left and right edge of the drawing.
    sides: [i32; 2],
    /// The parts of wires so far, with the positions of their wires' ends.
    drawn: Vec<(Part, [Point; 2])>,
}

impl<'a> Router<'a> {
    fn new(boxes: &'a [Area]) -> Self {
        let edges = boxes.iter().flat_map(|b| [b.top - NEAR, b.bottom + NEAR]);
        let mut channels: Vec<i32> = edges.collect();
        channels.compact_sort();
        channels.dedup();
        let left = boxes.iter().map(|area| area.left).min();
        let right = boxes.iter().map(|area| area.right).max();
        Self {
            boxes,
            grown: boxes.iter().map(|area| area.grown(CLEAR)).collect(),
            channels,
            sides: [left.unwrap_or(0) - NEAR, right.unwrap_or(0) + NEAR],
            drawn: vec![],
        }
    }

    /// Returns the corners of the cheapest path.
    fn find(&self, line: &Line) -> Vec<Point> {
        let mut best = (i64::MAX, vec![]);
        for shapes in [Self::direct, Self::around, Self::far_around] {
            let mut paths: Vec<(i64, Vec<Point>)> = shapes(self, line)
                .into_iter()
                .map(|corners| (length(line, &corners), corners))
                .collect();
            paths.compact_sort_by_key(|(cost, _)| *cost);
            for (cost, corners) in paths {
                if cost >= best.0 {
                    break;
                }
                let cost = cost + self.conflicts(line, &corners);
                if cost < best.0 {
                    best = (cost, corners);
                }
            }
            // The next shapes are longer.
            if best.0 < length(line, &best.1).saturating_add(CROSSING) {
                break;
            }
        }
        best.1
    }

    /// Returns the paths with at most one vertical part.
    fn direct(&self, line: &Line) -> Vec<Vec<Point>> {
        let (from, to) = (line.from, line.to);
        if to.x < from.x {
            return vec![];
        }
        if from.y == to.y {
            return vec![vec![]];
        }
        let middle = (from.x + to.x) / 2;
        if to.x - from.x <= 2 * NEAR {
            let mut lanes = LANES.map(|lane| middle + lane).to_vec();
            lanes.retain(|x| (from.x..=to.x).contains(x));
            return lanes
                .into_iter()
                .map(|x| vec![at(x, from.y), at(x, to.y)])
                .collect();
        }
        let near = [to.x - NEAR, from.x + NEAR, middle];
        let lanes = near.into_iter().flat_map(|x| LANES.map(|lane| x + lane));
        lanes.map(|x| vec![at(x, from.y), at(x, to.y)]).collect()
    }

    /// Returns the paths with a channel between two vertical parts.
    fn around(&self, line: &Line) -> Vec<Vec<Point>> {
        let mut paths = vec![];
        for channel in self.nearest(&[line.from.y, line.to.y], CHANNELS) {
            for y in LANES.map(|lane| channel + lane) {
                for out in self.lanes(line.from.x, 1) {
                    for into in self.lanes(line.to.x, -1) {
                        paths.push(vec![
                            at(out, line.from.y),
                            at(out, y),
                            at(into, y),
                            at(into, line.to.y),
                        ]);
                    }
                }
            }
        }
        paths
    }

    /// Returns the paths with two channels, and a vertical part at a side of the drawing or of a
    /// box.
    fn far_around(&self, line: &Line) -> Vec<Vec<Point>> {
        let (from, to) = (line.from, line.to);
        let rows = from.y.min(to.y)..from.y.max(to.y);
        let between = |area: &&Area| area.top < rows.end && rows.start < area.bottom;
        let between = self.boxes.iter().filter(between);
        let mut verticals: Vec<i32> = between
            .flat_map(|area| [area.left - NEAR, area.right + NEAR])
            .collect();
        verticals.compact_sort_by_key(|x| ((x - from.x).abs() + (x - to.x).abs(), *x));
        verticals.dedup();
        verticals.truncate(8);
        verticals.extend(self.sides);
        let mut paths = vec![];
        for first in self.nearest(&[from.y], 4) {
            for last in self.nearest(&[to.y], 4) {
                for side in &verticals {
                    for lane in LANES {
                        let (x, first, last) = (side + lane, first + lane, last + lane);
                        for out in self.lanes(from.x, 1) {
                            let into = to.x - NEAR;
                            let [begin, end] = [at(out, from.y), at(into, to.y)];
                            let [a, b] = [at(out, first), at(x, first)];
                            let [c, d] = [at(x, last), at(into, last)];
                            paths.push(vec![begin, a, b, c, d, end]);
                        }
                    }
                }
            }
        }
        paths
    }

    /// Returns the positions for a vertical line beside a port, to the right or, if negative, to
    /// the left.
    fn lanes(&self, port: i32, direction: i32) -> [i32; 5] {
        LANES.map(|lane| port + direction * (NEAR + lane))
    }

    /// Returns the channels nearest to some heights.
    fn nearest(&self, heights: &[i32], count: usize) -> Vec<i32> {
        let mut channels = self.channels.clone();
        let distance = |y: i32| heights.iter().map(|height| (y - height).abs()).sum::<i32>();
        channels.compact_sort_by_key(|y| (distance(*y), *y));
        channels.truncate(count);
        channels
    }

    /// Returns the costs of crossing boxes and other wires.
    fn conflicts(&self, line: &Line, corners: &[Point]) -> i64 {
        let mut cost = 0;
        for part in parts(line, corners) {
            let crossed = |(at, area): &(usize, &Area)| {
                let own = line.boxes.contains(at);
                part.crosses_box(if own { &self.boxes[*at] } else { area })
            };
            cost += BOX * self.grown.iter().enumerate().filter(crossed).count() as i64;
            for (other, [from, to]) in &self.drawn {
                // Wires into the same input may join.
                if *to == line.to || *from == line.from {
                    continue;
                }
                if part.coincides(other) {
                    cost += OVERLAP;
                } else if part.crosses(other) {
                    cost += CROSSING;
                }
            }
        }
        cost
    }

    fn draw(&mut self, line: &Line, corners: &[Point]) {
        let parts = parts(line, corners).map(|part| (part, [line.from, line.to]));
        self.drawn.extend(parts);
    }
}

fn at(x: i32, y: i32) -> Point {
    Point { x, y }
}

/// Returns the corners at which a wire changes its direction.
fn bends(line: &Line, corners: Vec<Point>) -> Vec<Point> {
    let mut kept = vec![line.from];
    let ends = corners.iter().skip(1).chain([&line.to]);
    for (corner, next) in corners.iter().zip(ends) {
        let before = kept.last().copied().unwrap_or(line.from);
        let is_straight = (before.x == corner.x && corner.x == next.x)
            || (before.y == corner.y && corner.y == next.y);
        if !is_straight {
            kept.push(*corner);
        }
    }
    kept.remove(0);
    kept
}

/// Returns the parts of a wire.
fn parts(line: &Line, corners: &[Point]) -> impl Iterator<Item = Part> {
    let starts = std::iter::once(line.from).chain(corners.iter().copied());
    let ends = corners.iter().copied().chain([line.to]);
    starts.zip(ends).map(|(a, b)| Part::between(a, b))
}

/// Returns the length of a wire, with the costs of its corners.
fn length(line: &Line, corners: &[Point]) -> i64 {
    let lengths = parts(line, corners).map(|part| i64::from(part.high - part.low));
    lengths.sum::<i64>() + CORNER * corners.len() as i64
}

//! Wires as cubic Bézier curves: their shape, and hit tests with them. A wire between cards is one
//! curve, and one between blocks has horizontal and vertical parts with round corners.

use std::fmt::Write;

use super::geometry::{Rect, Vec2};

/// A wire from an output, which it leaves to the right, to an input, which it enters from the left.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its first piece: end points and, between them, control points.
    first: Piece,
    /// One more piece for each bend point.
    more: Vec<Piece>,
}

type Piece = [Vec2; 4];

/// The number of straight segments that a piece is divided into for hit tests.
const PARTS: usize = 24;

/// The radius of a corner, in graph units.
const CORNER: f64 = 10.0;
/// The horizontal space for a wire to leave or to enter a block.
const LEVEL: f64 = 20.0;

impl Curve {
    /// Returns the curve between an output and an input. The farther back it has to go, the wider
    /// it swings, so that it does not hide behind the blocks.
    pub fn between(from: Vec2, to: Vec2) -> Self {
        let across = to.x - from.x;
        let down = (to.y - from.y).abs();
        let reach = if across >= 0.0 {
            (across / 2.0)
                .max(down.min(80.0) / 2.0)
                .max(across.min(24.0))
        } else {
            (40.0 - across / 3.0).min(260.0)
        };
        let reach = Vec2::new(reach, 0.0);
        Self {
            first: [from, from + reach, to - reach, to],
            more: vec![],
        }
    }

    /// Returns the curve through these bend points (Catmull & Rom 1974).
    pub fn through(from: Vec2, bends: &[Vec2], to: Vec2) -> Self {
        let mut curve = Self::between(from, to);
        let level = |a: Vec2, b: Vec2| Vec2::new(((b - a).length() / 3.0).clamp(10.0, 60.0), 0.0);
        let (mut before, mut heading) = (from, None);
        for (number, bend) in bends.iter().enumerate() {
            let next = bends.get(number + 1).copied().unwrap_or(to);
            let leave = heading.unwrap_or_else(|| level(from, *bend));
            // The direction at the point, a third as long as the distance.
            let pass = (next - before) * (1.0 / 6.0);
            let piece = [before, before + leave, *bend - pass, *bend];
            match number {
                0 => curve.first = piece,
                _ => curve.more.push(piece),
            }
            (before, heading) = (*bend, Some(pass));
        }
        if let Some(leave) = heading {
            let enter = to - level(before, to);
            curve.more.push([before, before + leave, enter, to]);
        }
        curve
    }

    /// Returns the wire with these corners, which are round, and straight parts between them.
    pub fn along(from: Vec2, corners: &[Vec2], to: Vec2) -> Self {
        let mut pieces = vec![];
        let mut before = from;
        for (number, corner) in corners.iter().enumerate() {
            let next = corners.get(number + 1).copied().unwrap_or(to);
            // Half of a part between two corners is left to each of them.
            let share = |end: Vec2, is_last: bool| {
                let length = (end - *corner).length();
                let reach = if is_last { length } else { length / 2.0 };
                (end - *corner) * (reach.min(CORNER) / length.max(0.1))
            };
            let previous = number.checked_sub(1).map_or(from, |before| corners[before]);
            let enter = *corner + share(previous, number == 0);
            let leave = *corner + share(next, number + 1 == corners.len());
            pieces.push(straight(before, enter));
            let pull = |end: Vec2| end + (*corner - end) * 0.55;
            pieces.push([enter, pull(enter), pull(leave), leave]);
            before = leave;
        }
        pieces.push(straight(before, to));
        let more = pieces.split_off(1);
        Self {
            first: pieces[0],
            more,
        }
    }

    /// Returns the wire with right angles between an output and an input, wherever they are.
    pub fn stepped(from: Vec2, to: Vec2) -> Self {
        let at = Vec2::new;
        let corners = if to.x - from.x >= 2.0 * LEVEL {
            let x = to.x - LEVEL;
            vec![at(x, from.y), at(x, to.y)]
        } else {
            let (x, back, y) = (from.x + LEVEL, to.x - LEVEL, (from.y + to.y) / 2.0);
            vec![at(x, from.y), at(x, y), at(back, y), at(back, to.y)]
        };
        match from.y == to.y && from.x <= to.x {
            true => Self::along(from, &[], to),
            false => Self::along(from, &corners, to),
        }
    }

    /// Returns its pieces, each with its end points and, between them, its control points.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        [&self.first].into_iter().chain(&self.more)
    }

    /// Returns the point where it leaves an output.
    pub fn from(&self) -> Vec2 {
        self.first[0]
    }

    /// Returns the point where it enters an input.
    pub fn to(&self) -> Vec2 {
        self.more.last().unwrap_or(&self.first)[3]
    }

    /// Returns its midpoint, counted in pieces: of these, there is an odd number if it has corners.
    pub fn middle(&self) -> Vec2 {
        match self.more.len() {
            0 => point(&self.first, 0.5),
            count if count % 2 == 0 => point(&self.more[count / 2 - 1], 0.5),
            count => self.more.get(count / 2).map_or(self.to(), |piece| piece[0]),
        }
    }

    /// Returns the midpoint of its longest piece, where there is most room for another bend point.
    pub fn roomiest(&self) -> Vec2 {
        let length = |piece: &Piece| (piece[3] - piece[0]).length();
        let longest = self.pieces().max_by(|a, b| length(a).total_cmp(&length(b)));
        longest.map_or(self.to(), |piece| point(piece, 0.5))
    }

    /// Returns the curve as the `d` of an SVG path.
    pub fn path(&self) -> String {
        let mut path = String::new();
        let mut add = |command: &str, point: &Vec2| {
            let _ = write!(path, "{command}{:.1} {:.1}", point.x, point.y);
        };
        add("M", &self.from());
        for [_, b, c, d] in self.pieces() {
            add("C", b);
            add(" ", c);
            add(" ", d);
        }
        path
    }

    /// Returns a rectangle that contains it.
    pub fn bounds(&self) -> Rect {
        let halves = |[a, b, c, d]: &Piece| [Rect::between(*a, *b), Rect::between(*c, *d)];
        Rect::around(self.pieces().flat_map(halves)).unwrap_or_default()
    }

    /// Returns the number of bend points before the curve's point nearest to this one.
    pub fn bends_before(&self, p: Vec2) -> usize {
        let distance = |piece: &Piece| {
            let alone = Self {
                first: *piece,
                more: vec![],
            };
            alone.distance(p)
        };
        let pieces = self.pieces().map(distance).enumerate();
        let nearest = pieces.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(number, _)| number)
    }

    fn polyline(&self) -> impl Iterator<Item = Vec2> + '_ {
        let parts = |piece| {
            let count = if is_straight(piece) { 1 } else { PARTS };
            (0..=count).map(move |i| point(piece, i as f64 / count as f64))
        };
        self.pieces().flat_map(parts)
    }

    /// Returns the distance of a point from it.
    pub fn distance(&self, p: Vec2) -> f64 {
        let mut least = f64::INFINITY;
        let mut before = self.from();
        for next in self.polyline() {
            least = least.min(distance_to_segment(p, before, next));
            before = next;
        }
        least
    }

    /// Returns `true` if it passes through a rectangle.
    pub fn crosses(&self, rect: &Rect) -> bool {
        self.bounds().meets(rect) && {
            let mut before = self.from();
            self.polyline().any(|next| {
                let crossed = segment_meets(rect, before, next);
                before = next;
                crossed
            })
        }
    }

    /// Returns `true` if a polyline through these points crosses it.
    pub fn is_cut_by(&self, line: &[Vec2]) -> bool {
        let bounds = self.bounds();
        let near = |pair: &[Vec2]| Rect::between(pair[0], pair[1]).meets(&bounds);
        let mut pairs = line.windows(2).filter(|pair| near(pair));
        pairs.any(|pair| {
            let mut before = self.from();
            self.polyline().any(|next| {
                let cut = segments_cross(pair[0], pair[1], before, next);
                before = next;
                cut
            })
        })
    }
}

/// Returns a straight piece.
fn straight(from: Vec2, to: Vec2) -> Piece {
    let third = (to - from) * (1.0 / 3.0);
    [from, from + third, to - third, to]
}

/// Returns `true` if a piece is straight because it is horizontal or vertical.
fn is_straight([a, b, c, d]: &Piece) -> bool {
    let level = [b, c, d].iter().all(|p| (p.y - a.y).abs() < 0.01);
    level || [b, c, d].iter().all(|p| (p.x - a.x).abs() < 0.01)
}

/// Returns the point of a piece at `t` from 0 to 1.
fn point([a, b, c, d]: &Piece, t: f64) -> Vec2 {
    let s = 1.0 - t;
    *a * (s * s * s) + *b * (3.0 * s * s * t) + *c * (3.0 * s * t * t) + *d * (t * t * t)
}

/// Returns `true` if each segment has its ends on two sides of the other.
fn segments_cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    // A vertex that lies on the other line belongs to one of its two segments.
    let apart = |p: f64, q: f64| (p > 0.0) != (q > 0.0);
    apart(side(a, b, c), side(a, b, d)) && apart(side(c, d, a), side(c, d, b))
}

fn distance_to_segment(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let along = b - a;
    let square = along.x * along.x + along.y * along.y;
    let t = if square > 0.0 {
        (((p.x - a.x) * along.x + (p.y - a.y) * along.y) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (p - (a + along * t)).length()
}

/// Clips the segment by the rectangle's sides (Liang & Barsky 1984).
fn segment_meets(rect: &Rect, a: Vec2, b: Vec2) -> bool {
    let d = b - a;
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (p, q) in [
        (-d.x, a.x - rect.x),
        (d.x, rect.right() - a.x),
        (-d.y, a.y - rect.y),
        (d.y, rect.bottom() - a.y),
    ] {
        if p == 0.0 {
            if q < 0.0 {
                return false;
            }
        } else if p < 0.0 {
            enter = enter.max(q / p);
        } else {
            leave = leave.min(q / p);
        }
    }
    enter <= leave
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_between_ports_at_the_same_height_are_straight() {
        let curve = Curve::between(Vec2::new(0.0, 50.0), Vec2::new(100.0, 50.0));
        assert_eq!(curve.path(), "M0.0 50.0C50.0 50.0 50.0 50.0 100.0 50.0");
        assert_eq!(curve.distance(Vec2::new(30.0, 57.0)), 7.0);
        assert_eq!(curve.middle(), Vec2::new(50.0, 50.0));
    }

    #[test]
    fn wires_round_their_corners() {
        let [from, to] = [Vec2::default(), Vec2::new(100.0, 60.0)];
        let corners = [Vec2::new(40.0, 0.0), Vec2::new(40.0, 60.0)];
        let curve = Curve::along(from, &corners, to);
        assert_eq!((curve.from(), curve.to()), (from, to));
        assert_eq!(curve.pieces().count(), 5);
        assert_eq!(curve.distance(Vec2::new(15.0, 0.0)), 0.0);
        assert_eq!(curve.middle(), Vec2::new(40.0, 30.0));
        assert!(curve.distance(corners[0]) > 2.0);
        let ends = [from, Vec2::new(70.0, 0.0), Vec2::new(-50.0, 30.0)];
        for end in ends {
            let curve = Curve::stepped(from, end);
            assert_eq!((curve.from(), curve.to()), (from, end));
        }
    }

    #[test]
    fn wires_pass_through_bends_and_end_horizontally() {
        let (a, b) = (Vec2::new(100.0, 200.0), Vec2::new(200.0, -50.0));
        let (from, to) = (Vec2::default(), Vec2::new(300.0, 0.0));
        let curve = Curve::through(from, &[a, b], to);
        let ends: Vec<Vec2> = curve.pieces().map(|piece| piece[3]).collect();
        assert_eq!((curve.from(), ends), (from, vec![a, b, to]));
        let (leaves, enters) = (curve.first, curve.more[1]);
        assert_eq!((leaves[1].y, enters[2].y), (0.0, 0.0));
        assert!(curve.bounds().contains(a) && curve.bounds().contains(b));
        assert_eq!(curve.bends_before(Vec2::new(150.0, 80.0)), 1);
        assert_eq!(curve.bends_before(Vec2::new(290.0, 0.0)), 2);
        assert_eq!(
            curve.bends_before(curve.roomiest()),
            1,
            "the way from a to b is longest"
        );
        assert_eq!(Curve::through(from, &[], to), Curve::between(from, to));
    }

    #[test]
    fn backward_wires_leave_right_and_enter_left() {
        let curve = Curve::between(Vec2::new(300.0, 0.0), Vec2::new(0.0, 200.0));
        assert!(point(&curve.first, 0.05).x > 300.0);
        assert!(point(&curve.first, 0.95).x < 0.0);
    }

    #[test]
    fn wires_cross_only_blocks_on_their_curve() {
        let curve = Curve::between(Vec2::new(0.0, 0.0), Vec2::new(400.0, 200.0));
        let block = |x, y| Rect::at(Vec2::new(x, y), 100.0, 40.0);
        assert!(curve.crosses(&block(150.0, 80.0)));
        assert!(!curve.crosses(&block(0.0, 150.0)));
        assert!(!curve.crosses(&block(250.0, -20.0)));
        assert!(curve.bounds().contains(curve.middle()));
    }
}

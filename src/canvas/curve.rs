//! Wires as cubic Bézier curves: their shape, and what they pass.

use taskloom_core::number::rounded;

use super::geometry::{Rect, Vec2};

/// A wire from an output, which it leaves to the right, to an input, which it
/// enters from the left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// Its end points and, between them, its control points.
    pub points: [Vec2; 4],
}

/// Into how many straight pieces a curve is taken apart for hit tests.
const PIECES: usize = 24;

impl Curve {
    /// The curve between an output and an input. The farther back it has to
    /// go, the wider it swings, so that it does not hide behind the blocks.
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
        Self {
            points: [
                from,
                Vec2::new(from.x + reach, from.y),
                Vec2::new(to.x - reach, to.y),
                to,
            ],
        }
    }

    /// The point at `t` from 0 to 1.
    pub fn at(&self, t: f64) -> Vec2 {
        let [a, b, c, d] = self.points;
        let s = 1.0 - t;
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    }

    /// As the `d` of an SVG path.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for (point, command) in self.points.iter().zip(["M", "C", " ", " "]) {
            path += command;
            path += &rounded(point.x, 1);
            path += " ";
            path += &rounded(point.y, 1);
        }
        path
    }

    /// A rectangle that holds all of it.
    pub fn bounds(&self) -> Rect {
        let [a, b, c, d] = self.points;
        let left = Rect::between(a, b);
        Rect::around([left, Rect::between(c, d)]).unwrap_or(left)
    }

    fn polyline(&self) -> impl Iterator<Item = Vec2> + '_ {
        (0..=PIECES).map(|i| self.at(i as f64 / PIECES as f64))
    }

    /// How far a point is from it.
    pub fn distance(&self, p: Vec2) -> f64 {
        let mut least = f64::INFINITY;
        let mut before = self.points[0];
        for next in self.polyline() {
            least = least.min(distance_to_segment(p, before, next));
            before = next;
        }
        least
    }

    /// Whether it passes through a rectangle.
    pub fn crosses(&self, rect: &Rect) -> bool {
        self.bounds().meets(rect) && {
            let mut before = self.points[0];
            self.polyline().any(|next| {
                let crossed = segment_meets(rect, before, next);
                before = next;
                crossed
            })
        }
    }

    /// Whether a line through these points crosses it.
    pub fn is_cut_by(&self, line: &[Vec2]) -> bool {
        let bounds = self.bounds();
        let near = |pair: &[Vec2]| Rect::between(pair[0], pair[1]).meets(&bounds);
        let mut pairs = line.windows(2).filter(|pair| near(pair));
        pairs.any(|pair| {
            let mut before = self.points[0];
            self.polyline().any(|next| {
                let cut = segments_cross(pair[0], pair[1], before, next);
                before = next;
                cut
            })
        })
    }
}

/// Whether each segment has its ends on two sides of the other.
fn segments_cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    // A corner of a line that lies on the other belongs to one of its two segments.
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
    fn a_wire_between_ports_of_one_height_is_straight() {
        let curve = Curve::between(Vec2::new(0.0, 50.0), Vec2::new(100.0, 50.0));
        assert_eq!(curve.path(), "M0.0 50.0C50.0 50.0 50.0 50.0 100.0 50.0");
        assert_eq!(curve.distance(Vec2::new(30.0, 57.0)), 7.0);
        assert_eq!(curve.at(0.5), Vec2::new(50.0, 50.0));
    }

    #[test]
    fn a_wire_back_leaves_to_the_right_and_enters_from_the_left() {
        let curve = Curve::between(Vec2::new(300.0, 0.0), Vec2::new(0.0, 200.0));
        assert!(curve.at(0.05).x > 300.0);
        assert!(curve.at(0.95).x < 0.0);
    }

    #[test]
    fn a_wire_crosses_the_block_it_passes_and_not_one_beside_it() {
        let curve = Curve::between(Vec2::new(0.0, 0.0), Vec2::new(400.0, 200.0));
        let block = |x, y| Rect::at(Vec2::new(x, y), 100.0, 40.0);
        assert!(curve.crosses(&block(150.0, 80.0)));
        assert!(!curve.crosses(&block(0.0, 150.0)));
        assert!(!curve.crosses(&block(250.0, -20.0)));
        assert!(curve.bounds().contains(curve.at(0.3)));
    }
}

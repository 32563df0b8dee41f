//! Wires as cubic Bézier curves: their shape, and what they pass.

use super::geometry::{Rect, Vec2};

/// A wire from an output, which it leaves to the right, to an input, which it
/// enters from the left.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its pieces, each its end points and, between them, its control points.
    pieces: Vec<[Vec2; 4]>,
}

/// Into how many straight parts a piece is taken apart for hit tests.
const PARTS: usize = 24;

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
        let (leave, enter) = (Vec2::new(reach, 0.0), Vec2::new(-reach, 0.0));
        Self {
            pieces: vec![[from, from + leave, to + enter, to]],
        }
    }

    /// The curve that goes by these points on its way (Catmull & Rom 1974).
    pub fn through(from: Vec2, bends: &[Vec2], to: Vec2) -> Self {
        if bends.is_empty() {
            return Self::between(from, to);
        }
        let stops: Vec<Vec2> = [from]
            .into_iter()
            .chain(bends.iter().copied())
            .chain([to])
            .collect();
        // The direction in which each stop is passed, as long as a third of the way.
        let heading = |at: usize| {
            let (before, after) = (stops.get(at.wrapping_sub(1)), stops.get(at + 1));
            match (before, stops.get(at), after) {
                (Some(before), _, Some(after)) => (*after - *before) * (1.0 / 6.0),
                (None, Some(here), Some(next)) | (Some(next), Some(here), None) => {
                    let reach = ((*next - *here).length() / 3.0).clamp(10.0, 60.0);
                    Vec2::new(reach, 0.0)
                }
                _ => Vec2::default(),
            }
        };
        let pieces = stops.windows(2).enumerate().map(|(at, pair)| {
            let (a, b) = (pair[0], pair[1]);
            [a, a + heading(at), b - heading(at + 1), b]
        });
        Self {
            pieces: pieces.collect(),
        }
    }

    /// Its pieces, each its end points and, between them, its control points.
    pub fn pieces(&self) -> &[[Vec2; 4]] {
        &self.pieces
    }

    /// Where it leaves an output.
    pub fn from(&self) -> Vec2 {
        self.pieces
            .first()
            .map_or(Vec2::default(), |piece| piece[0])
    }

    /// Where it enters an input.
    pub fn to(&self) -> Vec2 {
        self.pieces.last().map_or(Vec2::default(), |piece| piece[3])
    }

    /// The point at `t` from 0 to 1.
    pub fn at(&self, t: f64) -> Vec2 {
        let count = self.pieces.len();
        let along = t.clamp(0.0, 1.0) * count as f64;
        let number = (along as usize).min(count.saturating_sub(1));
        let Some([a, b, c, d]) = self.pieces.get(number).copied() else {
            return Vec2::default();
        };
        let t = along - number as f64;
        let s = 1.0 - t;
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    }

    /// As the `d` of an SVG path.
    pub fn path(&self) -> String {
        let start = self.from();
        let mut path = format!("M{:.1} {:.1}", start.x, start.y);
        for [_, b, c, d] in &self.pieces {
            path += &format!(
                "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                b.x, b.y, c.x, c.y, d.x, d.y
            );
        }
        path
    }

    /// A rectangle that holds all of it.
    pub fn bounds(&self) -> Rect {
        let rects = self.pieces.iter();
        let rects = rects.flat_map(|[a, b, c, d]| [Rect::between(*a, *b), Rect::between(*c, *d)]);
        Rect::around(rects).unwrap_or_default()
    }

    /// The piece that passes nearest to a point: as many bends come before it.
    pub fn nearest_piece(&self, p: Vec2) -> usize {
        let distance = |piece: &[Vec2; 4]| {
            let pieces = vec![*piece];
            Self { pieces }.distance(p)
        };
        let pieces = self.pieces.iter().map(distance).enumerate();
        let nearest = pieces.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(number, _)| number)
    }

    fn polyline(&self) -> impl Iterator<Item = Vec2> + '_ {
        let parts = self.pieces.len() * PARTS;
        (0..=parts).map(move |i| self.at(i as f64 / parts.max(1) as f64))
    }

    /// How far a point is from it.
    pub fn distance(&self, p: Vec2) -> f64 {
        let mut least = f64::INFINITY;
        let mut before = self.from();
        for next in self.polyline() {
            least = least.min(distance_to_segment(p, before, next));
            before = next;
        }
        least
    }

    /// Whether it passes through a rectangle.
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

    /// Whether a line through these points crosses it.
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
    fn a_wire_goes_by_its_bends_and_leaves_and_enters_level() {
        let (a, b) = (Vec2::new(100.0, 200.0), Vec2::new(200.0, -50.0));
        let curve = Curve::through(Vec2::default(), &[a, b], Vec2::new(300.0, 0.0));
        assert_eq!((curve.at(1.0 / 3.0), curve.at(2.0 / 3.0)), (a, b));
        assert_eq!(
            (curve.from(), curve.to()),
            (Vec2::default(), Vec2::new(300.0, 0.0))
        );
        assert!(curve.at(0.01).y.abs() < 1.0 && curve.at(0.99).y.abs() < 1.0);
        assert!(curve.bounds().contains(a) && curve.bounds().contains(b));
        assert_eq!(curve.nearest_piece(Vec2::new(150.0, 80.0)), 1);
        assert_eq!(curve.nearest_piece(Vec2::new(290.0, 0.0)), 2);
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

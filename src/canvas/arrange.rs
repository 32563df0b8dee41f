//! Aligning and distributing nodes.

use super::geometry::{Rect, Vec2};
use super::gesture::SNAP;
use taskloom_document::sort::CompactSort;

/// A way to arrange several nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// With their left sides at the leftmost one.
    Left,
    /// With their centers below each other.
    Center,
    /// With their right sides at the rightmost one.
    Right,
    /// With their upper sides at the topmost one.
    Top,
    /// With their centers beside each other.
    Middle,
    /// With their lower sides at the lowest one.
    Bottom,
    /// With equal gaps from left to right.
    Across,
    /// With equal gaps from top to bottom.
    Down,
}

impl Arrangement {
    /// Returns its name in the history.
    pub fn label(self) -> &'static str {
        match self {
            Self::Across | Self::Down => "Distribute",
            _ => "Align",
        }
    }

    /// Returns the displacement of each rectangle.
    pub fn displacements(self, rects: &[Rect]) -> Vec<Vec2> {
        let Some(all) = Rect::around(rects.iter().copied()) else {
            return vec![];
        };
        let across = |x: f64| Vec2::new(x, 0.0);
        let down = |y: f64| Vec2::new(0.0, y);
        let moved = |rect: &Rect| match self {
            Self::Left => across(all.x - rect.x),
            Self::Center => across((all.center().x - rect.center().x).round()),
            Self::Right => across(all.right() - rect.right()),
            Self::Top => down(all.y - rect.y),
            Self::Middle => down((all.center().y - rect.center().y).round()),
            Self::Bottom => down(all.bottom() - rect.bottom()),
            Self::Across | Self::Down => Vec2::default(),
        };
        match self {
            Self::Across => {
                let spans = rects.iter().map(|rect| (rect.x, rect.w)).collect();
                distributed(spans).into_iter().map(across).collect()
            }
            Self::Down => {
                let spans = rects.iter().map(|rect| (rect.y, rect.h)).collect();
                distributed(spans).into_iter().map(down).collect()
            }
            _ => rects.iter().map(moved).collect(),
        }
    }
}

/// Returns the displacements that give equal gaps to spans of these starts and lengths. The first
/// one stays, and so does the last one unless there is too little room.
fn distributed(spans: Vec<(f64, f64)>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.compact_sort_by(|a, b| spans[*a].0.total_cmp(&spans[*b].0));
    let (Some(first), Some(last)) = (order.first(), order.last()) else {
        return vec![];
    };
    let length = spans[*last].0 + spans[*last].1 - spans[*first].0;
    let taken: f64 = spans.iter().map(|span| span.1).sum();
    let gaps = (spans.len() as f64 - 1.0).max(1.0);
    let gap = ((length - taken) / gaps).max(2.0 * SNAP);
    let mut moved = vec![0.0; spans.len()];
    let mut next = spans[*first].0;
    for at in order {
        moved[at] = (next - spans[at].0).round();
        next += spans[at].1 + gap;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rects() -> [Rect; 3] {
        [(0.0, 10.0, 100.0), (300.0, 0.0, 60.0), (110.0, 40.0, 80.0)]
            .map(|(x, y, w)| Rect::at(Vec2::new(x, y), w, 40.0))
    }

    #[test]
    fn nodes_are_aligned_at_the_outermost_one() {
        let moved = |how: Arrangement| {
            let moved = how.displacements(&rects()).into_iter();
            Vec::from_iter(moved.map(|by| (by.x, by.y)))
        };
        let left = [(0.0, 0.0), (-300.0, 0.0), (-110.0, 0.0)];
        assert_eq!(moved(Arrangement::Left), left);
        let right = [(260.0, 0.0), (0.0, 0.0), (170.0, 0.0)];
        assert_eq!(moved(Arrangement::Right), right);
        let top = [(0.0, -10.0), (0.0, 0.0), (0.0, -40.0)];
        assert_eq!(moved(Arrangement::Top), top);
        let middle = [(0.0, 10.0), (0.0, 20.0), (0.0, -20.0)];
        assert_eq!(moved(Arrangement::Middle), middle);
    }

    #[test]
    fn distributed_nodes_have_equal_gaps_and_never_overlap() {
        let moved = Arrangement::Across.displacements(&rects());
        let moved: Vec<f64> = moved.into_iter().map(|by| by.x).collect();
        assert_eq!(moved, [0.0, 0.0, 50.0], "60 on both sides");
        let moved = Arrangement::Down.displacements(&rects());
        let tops: Vec<f64> = rects()
            .iter()
            .zip(moved)
            .map(|(r, by)| r.y + by.y)
            .collect();
        assert_eq!(tops, [60.0, 0.0, 120.0]);
    }
}

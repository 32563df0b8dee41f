//! A spatial index of rectangles that answers which of them intersect a given one.

use super::geometry::Rect;

/// The number of boxes in a box.
const FANOUT: usize = 12;

/// Rectangles in a packed R-tree (Leutenegger, Edgington & Lopez 1997, "STR"): sorted into strips
/// from left to right, and in each strip from top to bottom, so that neighbours share a box. Wires
/// as long as the graph cost no more than small blocks do.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// The indices of the rectangles, in the tree's order.
    items: Vec<usize>,
    /// The rectangles themselves, then the boxes around each [`FANOUT`] of them, and so on up to
    /// one.
    levels: Vec<Vec<Rect>>,
}

impl Index {
    /// Creates an index of these rectangles, which are numbered in their order.
    pub fn new(rects: &[Rect]) -> Self {
        let mut items: Vec<usize> = (0..rects.len()).collect();
        let middle = |item: &usize| rects.get(*item).map_or(Default::default(), Rect::center);
        items.sort_by(|a, b| middle(a).x.total_cmp(&middle(b).x));
        let strips = (rects.len() as f64 / FANOUT as f64).sqrt().ceil() as usize;
        for strip in items.chunks_mut((strips * FANOUT).max(1)) {
            strip.sort_by(|a, b| middle(a).y.total_cmp(&middle(b).y));
        }
        let mut level: Vec<Rect> = items
            .iter()
            .filter_map(|i| rects.get(*i).copied())
            .collect();
        let mut levels = vec![];
        while level.len() > 1 {
            let above = level.chunks(FANOUT);
            let above = above.filter_map(|part| Rect::around(part.iter().copied()));
            let above = above.collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { items, levels }
    }

    /// Returns the indices of the rectangles that share a point with `window`, ascending.
    pub fn meeting(&self, window: &Rect) -> Vec<usize> {
        let mut found = vec![];
        let Some(top) = self.levels.len().checked_sub(1) else {
            return found;
        };
        let mut open = vec![(top, 0)];
        while let Some((level, at)) = open.pop() {
            let rect = self.levels.get(level).and_then(|rects| rects.get(at));
            if !rect.is_some_and(|rect| rect.meets(window)) {
                continue;
            }
            match level.checked_sub(1) {
                None => found.extend(self.items.get(at)),
                Some(below) => open.extend((at * FANOUT..(at + 1) * FANOUT).map(|at| (below, at))),
            }
        }
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Vec2;
    use super::*;

    /// Returns scattered rectangles, some of them long, from a linear congruential generator.
    fn scattered(count: usize) -> Vec<Rect> {
        let mut state = 1u64;
        let mut next = |limit: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % limit) as f64
        };
        (0..count)
            .map(|n| {
                let corner = Vec2::new(next(20_000) - 4_000.0, next(9_000));
                let w = if n % 50 == 0 { 15_000.0 } else { 200.0 };
                Rect::at(corner, w, 20.0 + next(100))
            })
            .collect()
    }

    #[test]
    fn index_matches_a_linear_search() {
        let (mut windows, mut found, mut empty) = (0, 0, 0);
        for count in [0, 1, 11, 12, 13, 145, 3000] {
            let rects = scattered(count);
            let index = Index::new(&rects);
            for window in scattered(60) {
                let window = window.grown(150.0);
                let each = rects.iter().enumerate();
                let met: Vec<usize> = each
                    .filter(|(_, rect)| rect.meets(&window))
                    .map(|(n, _)| n)
                    .collect();
                assert_eq!(index.meeting(&window), met, "{count} {window:?}");
                windows += 1;
                found += met.len();
                empty += usize::from(met.is_empty());
            }
        }
        assert_eq!(windows, 7 * 60);
        assert!(found > 500 && empty > 100, "{found} found, {empty} empty");
    }
}

//! Folding makes columns narrower, and what is to the right of them moves to the left: positions on
//! the canvas and positions in the document differ by these shifts.

use crate::canvas::geometry::{Rect, Vec2};

/// The shifts of a Board, from left to right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shifts(Vec<Shift>);

/// Everything from this position to the right is shown farther left.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shift {
    from: f64,
    by: f64,
}

impl Shifts {
    /// Adds a shift to the right of all others.
    pub fn push(&mut self, from: f64, by: f64) {
        if by > 0.0 {
            self.0.push(Shift { from, by });
        }
    }

    /// Returns the canvas's position of a point of the document.
    pub fn shown(&self, at: Vec2) -> Vec2 {
        let left = self.0.iter().filter(|shift| shift.from <= at.x);
        let by: f64 = left.map(|shift| shift.by).sum();
        Vec2::new(at.x - by, at.y)
    }

    /// Returns the place on the canvas of a rectangle of the document.
    pub fn shown_rect(&self, rect: Rect) -> Rect {
        Rect::at(self.shown(rect.corner()), rect.w, rect.h)
    }

    /// Returns the document's position of a point of the canvas.
    pub fn stored(&self, at: Vec2) -> Vec2 {
        let passed = |x: f64, shift: &Shift| match x + shift.by >= shift.from {
            true => x + shift.by,
            false => x,
        };
        Vec2::new(self.0.iter().fold(at.x, passed), at.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_of_folded_columns_is_stored_where_it_was() {
        let mut shifts = Shifts::default();
        shifts.push(400.0, 150.0);
        shifts.push(600.0, 0.0);
        shifts.push(800.0, 150.0);
        for (stored, shown) in [(-90.0, -90.0), (0.0, 0.0), (400.0, 250.0), (900.0, 600.0)] {
            let (stored, shown) = (Vec2::new(stored, 7.0), Vec2::new(shown, 7.0));
            assert_eq!(shifts.shown(stored), shown);
            assert_eq!(shifts.stored(shown), stored);
        }
    }
}

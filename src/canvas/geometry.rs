//! Points and rectangles in graph units: one unit is one CSS pixel at zoom 1.

use std::ops::{Add, Mul, Sub};

use taskloom_document::Point;

/// A position or a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vec2 {
    /// The horizontal part, to the right.
    pub x: f64,
    /// The vertical part, downwards.
    pub y: f64,
}

impl Vec2 {
    /// Creates the vector with these parts.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns its length.
    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// Returns the nearest point of a grid with this step.
    pub fn snapped(self, step: f64) -> Self {
        Self::new(
            (self.x / step).round() * step,
            (self.y / step).round() * step,
        )
    }

    /// Converts it into a position of the document, which has whole units.
    pub fn to_point(self) -> Point {
        // `as` saturates, and converts NaN to 0, so every position is representable.
        Point {
            x: self.x.round() as i32,
            y: self.y.round() as i32,
        }
    }
}
impl From<Point> for Vec2 {
    fn from(point: Point) -> Self {
        Self::new(f64::from(point.x), f64::from(point.y))
    }
}
impl Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}
impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}
impl Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// An axis-aligned rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// The width, not negative.
    pub w: f64,
    /// The height, not negative.
    pub h: f64,
}

impl Rect {
    /// Creates the rectangle with `corner` as its upper left corner and this size.
    pub const fn at(corner: Vec2, w: f64, h: f64) -> Self {
        Self {
            x: corner.x,
            y: corner.y,
            w,
            h,
        }
    }

    /// Creates the rectangle between two corners, in any order.
    pub fn between(a: Vec2, b: Vec2) -> Self {
        Self {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
            w: (a.x - b.x).abs(),
            h: (a.y - b.y).abs(),
        }
    }

    /// Returns the smallest rectangle around all of these; `None` if there are none.
    pub fn around(rects: impl IntoIterator<Item = Self>) -> Option<Self> {
        rects.into_iter().reduce(|a, b| {
            let corner = Vec2::new(a.x.min(b.x), a.y.min(b.y));
            let right = a.right().max(b.right());
            let bottom = a.bottom().max(b.bottom());
            Self::at(corner, right - corner.x, bottom - corner.y)
        })
    }

    /// Returns the right side.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Returns the lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// Returns the upper left corner.
    pub fn corner(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// Returns the center.
    pub fn center(&self) -> Vec2 {
        Vec2::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Returns the rectangle moved by a displacement.
    pub fn moved(&self, by: Vec2) -> Self {
        Self::at(self.corner() + by, self.w, self.h)
    }

    /// Returns the rectangle grown by a margin on every side.
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            x: self.x - margin,
            y: self.y - margin,
            w: (self.w + 2.0 * margin).max(0.0),
            h: (self.h + 2.0 * margin).max(0.0),
        }
    }

    /// Returns `true` if a point is inside or on a side.
    pub fn contains(&self, p: Vec2) -> bool {
        p.x >= self.x && p.x <= self.right() && p.y >= self.y && p.y <= self.bottom()
    }

    /// Returns `true` if another rectangle is inside.
    pub fn encloses(&self, other: &Self) -> bool {
        let far = Vec2::new(other.right(), other.bottom());
        self.contains(other.corner()) && self.contains(far)
    }

    /// Returns `true` if two rectangles share a point.
    pub fn meets(&self, other: &Self) -> bool {
        self.x <= other.right()
            && other.x <= self.right()
            && self.y <= other.bottom()
            && other.y <= self.bottom()
    }
}

/// Formats a length for a style sheet.
pub fn pixels(length: f64) -> String {
    format!("{length:.2}px")
}

/// Formats a translation for a style sheet's `transform`.
pub fn translation(x: f64, y: f64) -> String {
    format!("translate({},{})", pixels(x), pixels(y))
}

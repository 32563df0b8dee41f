//! Points and rectangles in graph units: one unit is one CSS pixel at zoom 1.

use std::ops::{Add, Mul, Sub};

use taskloom::document::Point;

/// A place or a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vec2 {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Vec2 {
    /// The vector with these parts.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Its length.
    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The nearest point of a grid of this step.
    pub fn snapped(self, step: f64) -> Self {
        Self::new(
            (self.x / step).round() * step,
            (self.y / step).round() * step,
        )
    }

    /// As a position of the document, which is in whole units.
    pub fn to_point(self) -> Point {
        // `as` saturates, and takes NaN to 0: no position is unrepresentable.
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

/// A rectangle with sides along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left side.
    pub x: f64,
    /// Upper side.
    pub y: f64,
    /// Width, not negative.
    pub w: f64,
    /// Height, not negative.
    pub h: f64,
}

impl Rect {
    /// The rectangle at `corner` (upper left) of this size.
    pub const fn at(corner: Vec2, w: f64, h: f64) -> Self {
        Self {
            x: corner.x,
            y: corner.y,
            w,
            h,
        }
    }

    /// The rectangle between two corners, in whichever order.
    pub fn between(a: Vec2, b: Vec2) -> Self {
        Self {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
            w: (a.x - b.x).abs(),
            h: (a.y - b.y).abs(),
        }
    }

    /// The least rectangle around all of these; none around nothing.
    pub fn around(rects: impl IntoIterator<Item = Self>) -> Option<Self> {
        rects.into_iter().reduce(|a, b| {
            let corner = Vec2::new(a.x.min(b.x), a.y.min(b.y));
            let right = a.right().max(b.right());
            let bottom = a.bottom().max(b.bottom());
            Self::at(corner, right - corner.x, bottom - corner.y)
        })
    }

    /// Right side.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// Upper left corner.
    pub fn corner(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// Middle.
    pub fn center(&self) -> Vec2 {
        Vec2::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The same rectangle elsewhere.
    pub fn moved(&self, by: Vec2) -> Self {
        Self::at(self.corner() + by, self.w, self.h)
    }

    /// Grown by a margin on every side.
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            x: self.x - margin,
            y: self.y - margin,
            w: (self.w + 2.0 * margin).max(0.0),
            h: (self.h + 2.0 * margin).max(0.0),
        }
    }

    /// Whether a point is inside or on a side.
    pub fn contains(&self, p: Vec2) -> bool {
        p.x >= self.x && p.x <= self.right() && p.y >= self.y && p.y <= self.bottom()
    }

    /// Whether another rectangle is inside.
    pub fn encloses(&self, other: &Self) -> bool {
        let far = Vec2::new(other.right(), other.bottom());
        self.contains(other.corner()) && self.contains(far)
    }

    /// Whether two rectangles share a point.
    pub fn meets(&self, other: &Self) -> bool {
        self.x <= other.right()
            && other.x <= self.right()
            && self.y <= other.bottom()
            && other.y <= self.bottom()
    }
}

/// A length for a style sheet.
pub fn pixels(length: f64) -> String {
    format!("{length:.2}px")
}

/// A way for a style sheet's `transform`.
pub fn translation(x: f64, y: f64) -> String {
    format!("translate({},{})", pixels(x), pixels(y))
}

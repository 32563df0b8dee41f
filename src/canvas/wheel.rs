//! The meaning of a turn of the mouse wheel, on every view that can be panned and zoomed.

use leptos::ev::WheelEvent;

use super::geometry::Vec2;
use super::presets::Wheel;

/// The height of a line, in pixels.
const LINE: f64 = 16.0;
/// The smallest step of a mouse wheel, in pixels. A notch is 100 or 120 pixels, divided by the scale of the display and
/// the zoom of the page, so that it may be a fraction; two fingers on a trackpad move by less at a time.
const NOTCH: f64 = 30.0;
/// The zoom per pixel of a wheel: a notch of 100 pixels is a factor of 1.2.
const BY_WHEEL: f64 = 0.0018;
/// The zoom per pixel of a pinch on a trackpad, which has its own units.
const BY_PINCH: f64 = 0.01;

/// A turn of the wheel, or a movement of two fingers on a trackpad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The distance, in pixels.
    pub delta: Vec2,
    /// `true` if the browser reported pixels, not lines or pages, which only a mouse causes.
    pub is_in_pixels: bool,
    /// `true` with Shift.
    pub is_sideways: bool,
    /// `true` with Ctrl or Cmd, which browsers also report for a pinch.
    pub is_pinch: bool,
}

/// The effect on the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Pans by a number of pixels.
    Pan(Vec2),
    /// Zooms by a factor, about the pointer.
    Zoom(f64),
}

impl Turn {
    /// Reads an event of a view of this height.
    pub fn of(event: &WheelEvent, height: f64) -> Self {
        let unit = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => 1.0,
            WheelEvent::DOM_DELTA_LINE => LINE,
            _ => height,
        };
        Self {
            delta: Vec2::new(event.delta_x(), event.delta_y()) * unit,
            is_in_pixels: event.delta_mode() == WheelEvent::DOM_DELTA_PIXEL,
            is_sideways: event.shift_key(),
            is_pinch: event.ctrl_key() || event.meta_key(),
        }
    }

    /// Returns `true` if it seems to come from a trackpad: by small steps or diagonally.
    fn is_of_trackpad(self) -> bool {
        self.is_in_pixels && (self.delta.x != 0.0 || self.delta.y.abs() < NOTCH)
    }

    /// Returns its effect, by the user's setting.
    pub fn motion(self, setting: Wheel) -> Motion {
        let Vec2 { x, y } = self.delta;
        let pans = match setting {
            Wheel::ByDevice => self.is_of_trackpad(),
            Wheel::Zooms => false,
            Wheel::Pans => true,
        };
        if self.is_pinch {
            let rate = if self.is_of_trackpad() {
                BY_PINCH
            } else {
                BY_WHEEL
            };
            Motion::Zoom((-y * rate).exp())
        } else if self.is_sideways {
            let along = if x == 0.0 { y } else { x };
            Motion::Pan(Vec2::new(-along, 0.0))
        } else if pans {
            Motion::Pan(Vec2::new(-x, -y))
        } else {
            Motion::Zoom((-y * BY_WHEEL).exp())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(x: f64, y: f64) -> Turn {
        Turn {
            delta: Vec2::new(x, y),
            is_in_pixels: true,
            is_sideways: false,
            is_pinch: false,
        }
    }

    fn zooms(turn: Turn, setting: Wheel) -> bool {
        matches!(turn.motion(setting), Motion::Zoom(_))
    }

    #[test]
    fn notches_zoom_at_every_scale_of_the_display() {
        for notch in [
            100.0, 120.0, 80.0, 66.67, 90.91, 133.33, 50.0, 57.142_86, 33.333_33,
        ] {
            for y in [notch, -notch, 3.0 * notch] {
                assert!(zooms(turn(0.0, y), Wheel::ByDevice), "{y}");
            }
        }
        let line = Turn {
            is_in_pixels: false,
            ..turn(0.0, 16.0)
        };
        assert!(zooms(line, Wheel::ByDevice), "a mouse in Firefox");
        assert_eq!(
            turn(0.0, 100.0).motion(Wheel::ByDevice),
            Motion::Zoom((-0.18_f64).exp())
        );
    }

    #[test]
    fn small_and_diagonal_steps_pan() {
        for (x, y) in [
            (0.0, 1.0),
            (0.0, -4.5),
            (0.0, 20.0),
            (3.0, 66.67),
            (-120.0, 0.0),
        ] {
            let motion = turn(x, y).motion(Wheel::ByDevice);
            assert_eq!(motion, Motion::Pan(Vec2::new(-x, -y)), "{x}, {y}");
        }
    }

    #[test]
    fn the_setting_wins_over_the_device() {
        for y in [4.0, 66.67, 100.0] {
            assert!(zooms(turn(0.0, y), Wheel::Zooms));
            assert!(!zooms(turn(0.0, y), Wheel::Pans));
        }
    }

    #[test]
    fn pinches_zoom_and_shift_pans_sideways_whatever_the_setting() {
        for setting in [Wheel::ByDevice, Wheel::Zooms, Wheel::Pans] {
            let pinch = |y| Turn {
                is_pinch: true,
                ..turn(0.0, y)
            };
            assert_eq!(pinch(-2.0).motion(setting), Motion::Zoom((0.02_f64).exp()));
            assert_eq!(
                pinch(66.67).motion(setting),
                Motion::Zoom((-66.67 * BY_WHEEL).exp())
            );
            let sideways = Turn {
                is_sideways: true,
                ..turn(0.0, 100.0)
            };
            assert_eq!(
                sideways.motion(setting),
                Motion::Pan(Vec2::new(-100.0, 0.0))
            );
        }
    }
}

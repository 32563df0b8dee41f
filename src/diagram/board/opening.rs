//! The initial view of the Board.

use super::columns::HEADING;
use crate::canvas::camera::{Camera, TOP};
use crate::canvas::geometry::{Rect, Vec2};

/// The minimum zoom: names are then 11 pixels high.
const READABLE: f64 = 11.0 / 13.0;
/// The height of the controls below the cards, in pixels.
const CONTROLS: f64 = 56.0;
/// The distance from the canvas's edge, in pixels, within which a card looks cut.
const EDGE: f64 = 4.0;
/// The number of zoom factors that are compared.
const STEPS: u32 = 32;

/// Returns the camera of a canvas of this size that shows as many whole columns as possible, of
/// those cameras one that shows as many whole cards as possible, with legible names. If all columns
/// are whole, it is as near as possible, otherwise as far as possible, so that the next column can
/// be seen. `None` without headings.
pub fn opening(heads: &[Rect], cards: &[Rect], size: Vec2) -> Option<Camera> {
    // The space above the content is also meant for the headings.
    let below = heads.iter().map(|head| {
        let corner = Vec2::new(head.x, head.y + HEADING);
        Rect::at(corner, head.w, (head.h - HEADING).max(0.0))
    });
    let content = Rect::around(below.chain(cards.iter().copied()))?;
    let camera = |zoom: f64| {
        let camera = Camera::beginning(content, size, zoom);
        let is_filled = !cards.is_empty();
        // Columns are filled from the top.
        let y = TOP - content.y * zoom;
        let top = Vec2::new(camera.offset.x, y);
        let offset = if is_filled { camera.offset } else { top };
        Camera { offset, ..camera }
    };
    let count = |rects: &[Rect], camera: Camera, bottom: f64| {
        let is_whole = |rect: &&Rect| {
            let corner = camera.to_screen(rect.corner());
            let end = camera.to_screen(Vec2::new(rect.right(), rect.bottom()));
            corner.x >= EDGE && corner.y >= 0.0 && end.x <= size.x - EDGE && end.y <= bottom
        };
        rects.iter().filter(is_whole).count()
    };
    let zooms = (0..=STEPS).map(|step| {
        let part = f64::from(step) / f64::from(STEPS);
        1.0 - (1.0 - READABLE) * part
    });
    let best = zooms.map(camera).max_by(|one, other| {
        let [one, other] = [one, other].map(|camera| {
            let columns = count(heads, *camera, f64::INFINITY);
            let whole = count(cards, *camera, size.y - CONTROLS);
            let nearness = match columns == heads.len() {
                true => camera.zoom,
                false => -camera.zoom,
            };
            (columns, whole, nearness)
        });
        one.partial_cmp(&other).unwrap_or(std::cmp::Ordering::Equal)
    });
    best.filter(|_| !heads.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headings of columns, and this many cards below each.
    fn board(columns: u32, cards: u32) -> (Vec<Rect>, Vec<Rect>) {
        let x = |column: u32| f64::from(column) * 214.0;
        let heads = (0..columns).map(|at| Rect::at(Vec2::new(x(at), 0.0), 190.0, HEADING));
        let cards = (0..columns).flat_map(|at| {
            (0..cards).map(move |row| {
                let y = HEADING + f64::from(row) * 80.0;
                Rect::at(Vec2::new(x(at), y), 190.0, 66.0)
            })
        });
        (heads.collect(), cards.collect())
    }

    fn opened((heads, cards): &(Vec<Rect>, Vec<Rect>), width: f64, height: f64) -> Camera {
        opening(heads, cards, Vec2::new(width, height)).unwrap()
    }

    fn sides(camera: Camera, rect: &Rect) -> [f64; 2] {
        [rect.x, rect.right()].map(|x| camera.to_screen(Vec2::new(x, 0.0)).x)
    }

    #[test]
    fn all_columns_are_shown_if_names_stay_legible() {
        for board in [board(5, 0), board(5, 2)] {
            // A window of 1440 px.
            let camera = opened(&board, 904.0, 520.0);
            assert!(camera.zoom >= READABLE);
            for head in &board.0 {
                let [left, right] = sides(camera, head);
                assert!(left >= 0.0 && right <= 904.0, "{left} {right}");
            }
        }
        assert_eq!(opened(&board(5, 2), 1400.0, 800.0).zoom, 1.0);
    }

    #[test]
    fn a_narrow_canvas_shows_whole_columns_and_the_beginning_of_the_next() {
        let board = board(5, 2);
        let camera = opened(&board, 816.0, 400.0);
        assert!((camera.zoom - READABLE).abs() < 1e-9);
        assert!(sides(camera, &board.0[3])[1] <= 816.0);
        assert!(sides(camera, &board.0[4])[0] < 816.0);
    }

    #[test]
    fn a_smaller_zoom_shows_a_row_that_would_be_cut() {
        let board = board(2, 5);
        let bottom = |camera: Camera| {
            camera
                .to_screen(Vec2::new(0.0, HEADING + 4.0 * 80.0 + 66.0))
                .y
        };
        let camera = opened(&board, 1200.0, 480.0);
        assert!(camera.zoom < 1.0 && camera.zoom >= READABLE, "{camera:?}");
        assert!(bottom(camera) <= 480.0 - CONTROLS, "{}", bottom(camera));
        // Without that it is as near as possible.
        assert_eq!(opened(&board, 1200.0, 900.0).zoom, 1.0);
    }

    #[test]
    fn an_empty_board_begins_at_the_top() {
        let camera = opened(&board(4, 0), 904.0, 520.0);
        assert_eq!(camera.to_screen(Vec2::new(0.0, HEADING)).y, TOP);
        assert_eq!(opening(&[], &[], Vec2::new(904.0, 520.0)), None);
    }
}

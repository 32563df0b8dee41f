//! The timeline of a number in a run: in words, and as a drawing.

use taskloom_planner::plan::Atom;

/// The width of the screen in the drawing's units; more values than twice that can't be told apart.
pub const WIDTH: f64 = 1_000.0;
/// The height of the drawing.
pub const HEIGHT: f64 = 40.0;
/// The maximum number of changes described in words.
const MAX_DESCRIBED: usize = 24;

/// A number's timeline in a run: its values from certain ticks on, the first from tick 0.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTimeline {
    /// The ground fact.
    pub atom: Atom,
    /// Its value before the run.
    pub before: f64,
    /// The ticks at whose ends it changes, with the new values.
    pub values: Vec<(u32, f64)>,
}

impl NumberTimeline {
    /// Returns its value at the end of a tick.
    pub fn at(&self, tick: u32) -> f64 {
        let count = self.values.partition_point(|(from, _)| *from <= tick);
        let value = self.values.get(count.saturating_sub(1));
        value.map_or(0.0, |(_, value)| *value)
    }

    /// Returns the minimum and the maximum.
    pub fn range(&self) -> (f64, f64) {
        let values = self.values.iter().map(|(_, value)| *value);
        values.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        )
    }

    /// Describes it in words: `gold: 50 at tick 0, 30 at tick 12`.
    pub fn words(&self) -> String {
        let changes = self.values.iter().take(MAX_DESCRIBED);
        let changes = changes.map(|(tick, value)| format!("{value} at tick {tick}"));
        let changes: Vec<String> = changes.collect();
        let (least, most) = self.range();
        let more = match self.values.len().saturating_sub(MAX_DESCRIBED) {
            0 => String::new(),
            more => format!(", and {more} more changes; minimum {least}, maximum {most}"),
        };
        format!("{}: {}{more}", self.atom, changes.join(", "))
    }

    /// Returns the line in steps, for a number of ticks and a width.
    pub fn path(&self, last: u32, width: f64) -> String {
        let (least, most) = self.range();
        let height = most - least;
        let x = |tick: u32| f64::from(tick.min(last)) / f64::from(last.max(1)) * width;
        // A constant runs through the middle.
        let y = |value: f64| {
            let part = if height > 0.0 {
                (value - least) / height
            } else {
                0.5
            };
            (1.0 - part) * HEIGHT
        };
        let mut path = String::new();
        let mut drawn: Option<f64> = None;
        let mut values = self.values.iter().peekable();
        while let Some((tick, value)) = values.next() {
            let from = x(*tick).round();
            // Changes within one unit are drawn as one stroke over their range.
            let (mut low, mut high, mut latest) = (*value, *value, *value);
            while let Some((_, value)) = values.next_if(|(tick, _)| x(*tick).round() == from) {
                (low, high, latest) = (low.min(*value), high.max(*value), *value);
            }
            if drawn.is_none() {
                path = format!("M{from} {:.1}", y(low));
            } else {
                path.push_str(&format!("H{from}V{:.1}", y(low)));
            }
            if low != high {
                path.push_str(&format!("V{:.1}V{:.1}", y(high), y(latest)));
            }
            drawn = Some(latest);
        }
        path.push_str(&format!("H{width}"));
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(values: &[(u32, f64)]) -> NumberTimeline {
        NumberTimeline {
            atom: Atom {
                fact: "gold".parse().unwrap(),
                args: vec![],
            },
            before: 50.0,
            values: values.to_vec(),
        }
    }

    #[test]
    fn describes_the_steps_of_a_number() {
        let gold = gold(&[(0, 50.0), (12, 30.0), (16, 40.0)]);
        assert_eq!(
            gold.words(),
            "gold: 50 at tick 0, 30 at tick 12, 40 at tick 16"
        );
        assert_eq!(gold.path(20, WIDTH), "M0 0.0H600V40.0H800V20.0H1000");
        let at = [0, 11, 12, 15, 16, 99].map(|tick| gold.at(tick));
        assert_eq!(at, [50.0, 50.0, 30.0, 30.0, 40.0, 40.0]);
    }

    #[test]
    fn dense_value_histories_draw_only_visible_detail() {
        let values: Vec<(u32, f64)> = (0..10_000)
            .map(|tick| (tick, f64::from(tick % 7)))
            .collect();
        let gold = gold(&values);
        assert!(
            gold.path(10_000, WIDTH).len() < 40_000,
            "{}",
            gold.path(10_000, WIDTH).len()
        );
        assert!(
            gold.words()
                .ends_with("and 9976 more changes; minimum 0, maximum 6"),
            "{}",
            gold.words()
        );
    }
}

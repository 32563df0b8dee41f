//! Prints the results and the targets met.

use goal_benchmark::Problem;

use crate::Row;
use crate::planners::{Answer, End};

/// The required part of the problems that Fast Downward solves.
const COVERAGE: f64 = 0.95;
/// The maximum median ratio to Fast Downward's CPU time.
const TIME: f64 = 5.0;
/// The maximum median ratio to Fast Downward's plan length.
const LENGTH: f64 = 1.2;
/// The maximum ratio of a plan's cost to the optimal cost, where known.
const COST: f64 = 1.5;

/// Prints the names of the columns.
pub fn print_head() {
    println!(
        "{:<20} {:>9} {:>9} {:>9} | {:>9} {:>9} | {:>7} {:>7} {:>7}",
        "problem", "steps", "cost", "seconds", "lama", "seconds", "time", "length", "optimal"
    );
}

fn steps(answer: &Answer) -> String {
    match answer.end {
        End::Plan { steps, .. } => steps.to_string(),
        End::Partial => "partial".to_owned(),
        End::GaveUp => "gave up".to_owned(),
        End::Broken => "BROKEN".to_owned(),
    }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"))
}

impl Row {
    /// Returns the ratio of our CPU time to the peer's, if both have a plan. The peer doesn't
    /// measure less than 10 ms.
    fn time_ratio(&self) -> Option<f64> {
        let peer = self.peer.filter(|peer| peer.plan().is_some())?;
        self.ours.plan()?;
        Some(self.ours.seconds / peer.seconds.max(0.01))
    }

    fn length_ratio(&self) -> Option<f64> {
        let (theirs, _) = self.peer?.plan()?;
        let (ours, _) = self.ours.plan()?;
        Some(ours as f64 / theirs.max(1) as f64)
    }

    fn cost_ratio(&self) -> Option<f64> {
        Some(self.ours.plan()?.1 / self.problem.optimal?)
    }
}

/// Returns the line of a problem.
pub fn line(row: &Row) -> String {
    let cost = row.ours.plan().map(|(_, cost)| cost.to_string());
    let peer = row
        .peer
        .map(|peer| (steps(&peer), format!("{:.3}", peer.seconds)));
    let (theirs, seconds) = peer.unwrap_or_default();
    format!(
        "{:<20} {:>9} {:>9} {:>9.3} | {theirs:>9} {seconds:>9} | {:>7} {:>7} {:>7}",
        row.problem.name,
        steps(&row.ours),
        cost.unwrap_or_default(),
        row.ours.seconds,
        ratio(row.time_ratio()),
        ratio(row.length_ratio()),
        ratio(row.cost_ratio()),
    )
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// Prints the summary; returns `true` if every target is met.
pub fn print_summary(rows: &[Row]) -> bool {
    let mut is_met = true;
    let mut target = |met: bool, text: String| {
        is_met &= met;
        println!("{} {text}", if met { "ok    " } else { "MISSED" });
    };
    let ours = rows.iter().filter(|row| row.ours.plan().is_some()).count();
    println!("\nsolved {ours} of {}", rows.len());
    let compared: Vec<&Row> = rows.iter().filter(|row| row.peer.is_some()).collect();
    if !compared.is_empty() {
        let of_ours = compared.iter().filter(|row| row.ours.plan().is_some());
        let of_ours = of_ours.count();
        let of_peer = compared.iter().filter_map(|row| row.peer?.plan()).count();
        target(
            of_ours as f64 >= COVERAGE * of_peer as f64,
            format!(
                "coverage: {of_ours} of {}, Fast Downward {of_peer}",
                compared.len()
            ),
        );
    }
    let medians = [
        (
            "CPU time",
            TIME,
            rows.iter().filter_map(Row::time_ratio).collect(),
        ),
        (
            "plan length",
            LENGTH,
            rows.iter().filter_map(Row::length_ratio).collect(),
        ),
    ];
    for (what, most, ratios) in medians {
        if let Some(median) = median(ratios) {
            target(
                median <= most,
                format!("{what}: {median:.2} times Fast Downward's in the median"),
            );
        }
    }
    for row in rows {
        let name = &row.problem.name;
        if let Some(ratio) = row.cost_ratio() {
            if ratio < 1.0 {
                target(false, format!("{name}: costs less than the optimal cost"));
            } else if ratio > COST {
                target(
                    false,
                    format!("{name}: costs {ratio:.2} times the optimal cost"),
                );
            }
        }
        if let Problem {
            target: Some(most), ..
        } = row.problem
        {
            let is_soon = row.ours.plan().is_some() && row.ours.seconds <= most;
            target(
                is_soon,
                format!("{name}: {:.3} of {most} s", row.ours.seconds),
            );
        }
    }
    is_met
}

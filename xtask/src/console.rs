//! What the reader sees while the work goes on: lines that stay and, below them, one live row per running program.
//!
//! On a terminal the live rows are redrawn in place; in a log each running program shows a sign of life every
//! [`HEARTBEAT`].

use std::{
    io::{IsTerminal, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

const HEARTBEAT: Duration = Duration::from_secs(15);
const REDRAW: Duration = Duration::from_millis(250);
/// Narrow enough for any terminal: a row that wraps could not be redrawn in place.
const WIDTH: usize = 78;

static CONSOLE: Mutex<Console> = Mutex::new(Console {
    rows: Vec::new(),
    drawn: 0,
    last_draw: None,
});

struct Console {
    rows: Vec<LiveRow>,
    /// How many rows are on the terminal now.
    drawn: usize,
    last_draw: Option<Instant>,
}

struct LiveRow {
    id: u64,
    title: String,
    latest: String,
    began: Instant,
    last_shown: Instant,
}

/// A running program's row; it disappears when dropped.
pub struct Row(u64);

/// Prints a line that stays.
pub fn line(text: &str) {
    let mut console = lock();
    console.erase();
    println!("{text}");
    console.note_sign_of_life();
    console.draw();
}

/// Starts a live row for a program that runs.
pub fn row(title: &str) -> Row {
    let mut console = lock();
    let id = console.rows.last().map_or(0, |row| row.id + 1);
    let now = Instant::now();
    console.rows.push(LiveRow {
        id,
        title: title.into(),
        latest: String::new(),
        began: now,
        last_shown: now,
    });
    Row(id)
}

impl Row {
    /// Sets the program's latest line of output.
    pub fn says(&self, latest: &str) {
        let mut console = lock();
        if let Some(row) = console.rows.iter_mut().find(|row| row.id == self.0) {
            latest.clone_into(&mut row.latest);
        }
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        let mut console = lock();
        console.erase();
        console.rows.retain(|row| row.id != self.0);
        console.draw();
    }
}

/// Called a few times a second by whoever waits for a program.
pub fn tick() {
    let mut console = lock();
    if on_terminal() {
        if console
            .last_draw
            .is_none_or(|last| last.elapsed() >= REDRAW)
        {
            console.erase();
            console.draw();
        }
        return;
    }
    for row in &mut console.rows {
        if row.last_shown.elapsed() >= HEARTBEAT {
            row.last_shown = Instant::now();
            println!("{}", row.text());
        }
    }
}

/// `75 s` is `1 min 15 s`; below ten seconds tenths are shown.
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// Whether a person watches.
pub fn on_terminal() -> bool {
    std::io::stdout().is_terminal()
}

impl Console {
    fn erase(&mut self) {
        if self.drawn > 0 {
            print!("\x1b[{}A\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }

    fn draw(&mut self) {
        if on_terminal() {
            for row in &self.rows {
                println!("{}", row.text());
            }
            self.drawn = self.rows.len();
            self.last_draw = Some(Instant::now());
        }
        // A closed pipe is no reason to stop the work.
        let _ = std::io::stdout().flush();
    }

    fn note_sign_of_life(&mut self) {
        let now = Instant::now();
        for row in &mut self.rows {
            row.last_shown = now;
        }
    }
}

impl LiveRow {
    fn text(&self) -> String {
        let mut text = format!("      … {}, {}", self.title, elapsed(self.began.elapsed()));
        if !self.latest.trim().is_empty() {
            text.push_str(": ");
            text.push_str(self.latest.trim());
        }
        match text.char_indices().nth(WIDTH) {
            Some((end, _)) => text[..end].to_owned(),
            None => text,
        }
    }
}

fn lock() -> MutexGuard<'static, Console> {
    CONSOLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_a_person_says_them() {
        assert_eq!(elapsed(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(elapsed(Duration::from_secs(42)), "42 s");
        assert_eq!(elapsed(Duration::from_secs(61)), "1 min 01 s");
    }
}

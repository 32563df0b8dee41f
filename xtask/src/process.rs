//! Runs a program, keeps its output, and shows that it lives.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    time::{Duration, Instant},
};

use crate::{
    children, console,
    counts::without_colours,
    failure::{Failure, Result},
};

/// How much of a failed program's output is repeated.
const TAIL: usize = 20;
const MOST: usize = 100;

/// What is shown of a program's output while it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// The latest line; the last ones if it fails.
    Latest,
    /// Every line.
    All,
}

/// What a program left behind.
pub struct Outcome {
    pub succeeded: bool,
    /// Output and errors, in the order in which they came.
    pub lines: Vec<String>,
    pub elapsed: Duration,
    pub timed_out: bool,
}

impl Outcome {
    /// What tells why it failed: from the first error on, at most [`MOST`] lines, and always the last [`TAIL`].
    fn reason(&self) -> String {
        let last = self.lines.len().saturating_sub(TAIL);
        let first = self
            .lines
            .iter()
            .position(|line| without_colours(line).starts_with("error"))
            .unwrap_or(last);
        let errors = self.lines.iter().take(last).skip(first).take(MOST);
        let tail = self.lines.iter().skip(last);
        errors.chain(tail).fold(String::new(), |mut text, line| {
            text.push_str("      | ");
            text.push_str(line);
            text.push('\n');
            text
        })
    }
}

/// Runs `command` to its end, at most for `limit`. A failing program is an [`Outcome`]; only one that cannot be
/// started is an error.
pub fn run(
    title: &str,
    command: &mut Command,
    show: Show,
    limit: Option<Duration>,
) -> Result<Outcome> {
    let began = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running =
        children::spawn(command).map_err(|error| cannot_start(command.get_program(), &error))?;
    let child = &mut running.child;
    let (sender, receiver) = mpsc::channel();
    read_lines(child.stdout.take(), sender.clone());
    read_lines(child.stderr.take(), sender);

    let row = console::row(title);
    let mut lines = Vec::new();
    let mut timed_out = false;
    loop {
        match receiver.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                match show {
                    Show::All => console::line(&line),
                    Show::Latest => row.says(&line),
                }
                lines.push(line);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        console::tick();
        if limit.is_some_and(|limit| began.elapsed() > limit) && !timed_out {
            timed_out = true;
            running.stop();
        }
    }
    let status = running
        .child
        .wait()
        .map_err(|error| cannot_start(command.get_program(), &error))?;
    Ok(Outcome {
        succeeded: status.success() && !timed_out,
        lines,
        elapsed: began.elapsed(),
        timed_out,
    })
}

/// Runs `command` and demands success; `advice` tells what to do when it fails.
pub fn require(title: &str, command: &mut Command, advice: &str) -> Result<Outcome> {
    let outcome = run(title, command, Show::Latest, None)?;
    if outcome.succeeded {
        return Ok(outcome);
    }
    console::line(&outcome.reason());
    Err(Failure::new(
        format!(
            "{title} (`{}`) did not succeed; its last lines are above.",
            shown(command)
        ),
        advice,
    ))
}

/// What a quick program prints to its standard output, or nothing if it fails.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

fn read_lines(stream: Option<impl Read + Send + 'static>, sender: Sender<String>) {
    let Some(stream) = stream else { return };
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        // Progress bars end their lines with a carriage return: split there as well.
        while reader
            .read_until(b'\n', &mut bytes)
            .is_ok_and(|count| count > 0)
        {
            let text = String::from_utf8_lossy(&bytes);
            let line = text.trim_end().rsplit('\r').next().unwrap_or_default();
            if sender.send(line.to_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    });
}

fn cannot_start(program: &OsStr, error: &std::io::Error) -> Failure {
    let name = program.to_string_lossy();
    Failure::new(
        format!("could not start `{name}`: {error}."),
        format!(
            "check that `{name}` is installed and may be run, then run the same command again."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failures_reason_begins_at_its_first_error() {
        let mut lines: Vec<String> = (0..200).map(|number| format!("warning {number}")).collect();
        lines[30] = "error: no such thing".into();
        let outcome = Outcome {
            succeeded: false,
            lines,
            elapsed: Duration::ZERO,
            timed_out: false,
        };
        let reason = outcome.reason();
        assert!(
            reason.starts_with("      | error: no such thing\n"),
            "{reason}"
        );
        assert!(reason.ends_with("| warning 199\n"), "{reason}");
        assert_eq!(reason.lines().count(), MOST + TAIL);
    }
}

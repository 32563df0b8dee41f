//! Finds and runs programs. Children inherit the terminal, so their progress is visible.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader},
    panic::resume_unwind,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    failure::{Failure, Result},
    report::spoken,
};

/// The time between two lines about programs in the background.
const INTERVAL: Duration = Duration::from_secs(30);

/// Returns the first program of this name on the PATH; an absolute path is found as is.
pub fn find(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// Returns the program of this name in a folder.
pub fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    which::which_in(name, Some(folder), folder).ok()
}

/// Returns `true` if `program --version` prints an accepted version.
pub fn has_version(program: &Path, is_right: impl Fn(&str) -> bool) -> bool {
    let output = answer(Command::new(program).arg("--version")).unwrap_or_default();
    let mut words = output.split_whitespace();
    words.any(|word| is_right(word.trim_start_matches('v')))
}

/// Runs a program to its end; returns `true` if it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status().map_err(|error| {
        let name = command.get_program().to_string_lossy();
        Failure::new(
            format!("could not start `{name}`: {error}."),
            format!("check that `{name}` is installed, then run the same command again."),
        )
    })?;
    Ok(status.success())
}

/// Runs a program that must succeed; `advice` is for the user if it fails.
pub fn run(command: &mut Command, advice: &str) -> Result<()> {
    if succeeds(command)? {
        return Ok(());
    }
    let what = format!("`{}` failed; see its output above.", shown(command));
    Err(Failure::new(what, advice))
}

/// Returns a program's standard output, or `None` if it fails.
pub fn answer(command: &mut Command) -> Option<String> {
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Returns the command as typed in a shell.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

/// A command of cargo that runs while this program goes on.
pub struct InBackground {
    title: &'static str,
    thread: thread::JoinHandle<Result<()>>,
}

impl InBackground {
    /// Starts a command of cargo. Its progress is printed twice a minute, and its errors at the end.
    pub fn start(title: &'static str, command: Command) -> Self {
        let thread = thread::spawn(move || Progress::new(title).follow(command));
        Self { title, thread }
    }

    /// Waits for the end.
    pub fn wait(self) -> Result<()> {
        if !self.thread.is_finished() {
            println!("   waiting for {}", self.title);
        }
        let ended = self.thread.join();
        ended.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// The progress of a command of cargo in the background.
struct Progress {
    title: &'static str,
    began: Instant,
    compiled: usize,
    /// The time of the last line that was printed.
    printed: Instant,
}

impl Progress {
    fn new(title: &'static str) -> Self {
        Self {
            title,
            began: Instant::now(),
            compiled: 0,
            printed: Instant::now(),
        }
    }

    /// Runs the command to its end.
    fn follow(mut self, mut command: Command) -> Result<()> {
        let advice =
            "if the lines above show an error in the sources, fix it; otherwise try again.";
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::new(format!("could not start cargo: {error}."), advice))?;
        let mut lines = vec![];
        if let Some(errors) = child.stderr.take() {
            for line in BufReader::new(errors)
                .lines()
                .map_while(std::io::Result::ok)
            {
                self.read(&line);
                lines.push(line);
            }
        }
        if child.wait().is_ok_and(|status| status.success()) {
            return Ok(());
        }
        let is_news = |line: &&String| !line.trim_start().starts_with("Compiling");
        lines
            .iter()
            .filter(is_news)
            .for_each(|line| eprintln!("{line}"));
        let what = format!("`{}` failed; see its output above.", shown(&command));
        Err(Failure::new(what, advice))
    }

    fn read(&mut self, line: &str) {
        let Some(package) = line.trim_start().strip_prefix("Compiling ") else {
            return;
        };
        self.compiled += 1;
        if self.printed.elapsed() >= INTERVAL {
            self.printed = Instant::now();
            let package = package.split(' ').next().unwrap_or_default();
            let (title, time) = (self.title, spoken(self.began.elapsed()));
            println!(
                "   {title}: {} packages after {time}, now {package}",
                self.compiled
            );
        }
    }
}

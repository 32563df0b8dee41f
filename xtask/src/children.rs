//! The programs that we started end with us, and so do theirs: no browser or server is left behind when a command is
//! stopped.
//!
//! On Unix each runs in a process group of its own. Elsewhere the system's console does this for Ctrl+C.

use std::{
    io,
    process::{Child, Command},
};

#[cfg(not(unix))]
mod groups {
    use super::*;

    pub fn end_with_us() {}

    pub fn spawn(command: &mut Command) -> io::Result<Running> {
        command.spawn().map(|child| Running { child })
    }

    impl Running {
        pub fn stop(&mut self) {
            // It may have ended just now.
            let _ = self.child.kill();
        }
    }
}

#[cfg(unix)]
mod groups {
    use std::{
        os::unix::process::CommandExt,
        sync::{Mutex, MutexGuard, PoisonError},
        thread,
        time::{Duration, Instant},
    };

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };

    use super::*;

    /// How long programs have to put their things in order.
    const PATIENCE: Duration = Duration::from_secs(5);

    static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    fn groups() -> MutexGuard<'static, Vec<Pid>> {
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on a signal that ends this program ends what it has started, too.
    pub fn end_with_us() {
        let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
            return;
        };
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // Held to the end: nothing is started any more, and nobody else ends this program.
                let groups = groups();
                let is_gone = |group: &Pid| test_kill_process_group(*group).is_err();
                end(&groups, || groups.iter().all(is_gone));
                std::process::exit(128 + signal);
            }
        });
    }

    /// Asks the groups to end, and makes those that are not gone in time.
    fn end(groups: &[Pid], mut gone: impl FnMut() -> bool) {
        tell(groups, Signal::TERM);
        let began = Instant::now();
        while !gone() && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(20));
        }
        tell(groups, Signal::KILL);
    }

    fn tell(groups: &[Pid], signal: Signal) {
        for group in groups {
            // It may have ended just now.
            let _ = kill_process_group(*group, signal);
        }
    }

    pub fn spawn(command: &mut Command) -> io::Result<Running> {
        let mut groups = groups();
        let child = command.process_group(0).spawn()?;
        groups.push(Pid::from_child(&child));
        Ok(Running { child })
    }

    impl Running {
        pub fn stop(&mut self) {
            let group = Pid::from_child(&self.child);
            let child = &mut self.child;
            end(&[group], || !matches!(child.try_wait(), Ok(None)));
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            let group = Pid::from_child(&self.child);
            groups().retain(|other| *other != group);
        }
    }
}

pub use groups::{end_with_us, spawn};

/// A program that runs.
pub struct Running {
    pub child: Child,
}

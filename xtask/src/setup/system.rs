//! Packages of the system, where apt is there and allowed.

use std::{
    process::Command,
    sync::{Mutex, OnceLock, PoisonError},
};

use super::Step;
use crate::{failure::Result, process, programs};

/// How this user becomes root.
#[derive(Clone, Copy)]
enum Root {
    Already,
    BySudo,
}

/// One apt at a time: it locks its lists. Holds whether they have been renewed.
static LISTS_ARE_NEW: Mutex<bool> = Mutex::new(false);

/// Installs packages by apt. False where there is no apt, no right to use it, or it did not work; the caller knows
/// whether that matters.
pub fn install(step: &Step, packages: &[&str]) -> Result<bool> {
    if !can_install() {
        return Ok(false);
    }
    let names = packages.join(" ");
    let mut lists_are_new = LISTS_ARE_NEW.lock().unwrap_or_else(PoisonError::into_inner);
    if !*lists_are_new {
        step.note("renewing the package lists of apt");
        let mut update = apt(&["update"]);
        // Old lists are often good enough: go on with them.
        *lists_are_new =
            process::run("apt-get update", &mut update, process::Show::Latest, None)?.succeeded;
    }
    step.note(&format!("installing {names} by apt"));
    let mut command = apt(&["install", "-y", "--no-install-recommends", "--no-remove"]);
    command.args(packages);
    let outcome = process::run(
        &format!("apt-get install {names}"),
        &mut command,
        process::Show::Latest,
        None,
    )?;
    if !outcome.succeeded {
        for line in outcome.lines.iter().rev().take(5).rev() {
            step.note(line);
        }
    }
    Ok(outcome.succeeded)
}

/// Whether [`install`] could work at all.
pub fn can_install() -> bool {
    cfg!(target_os = "linux") && programs::find("apt-get").is_some() && root().is_some()
}

/// Whether a package can be installed.
pub fn offers(package: &str) -> bool {
    can_install() && process::answer(Command::new("apt-cache").args(["show", package])).is_some()
}

/// A command run as root; only where [`can_install`].
pub fn as_root(program: &str) -> Command {
    match root() {
        Some(Root::BySudo) => {
            let mut command = Command::new("sudo");
            command.args(["-n", program]);
            command
        }
        Some(Root::Already) | None => Command::new(program),
    }
}

fn apt(arguments: &[&str]) -> Command {
    let mut command = as_root("env");
    command
        .args([
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-o",
            "DPkg::Lock::Timeout=300",
        ])
        .args(arguments);
    command
}

fn root() -> Option<Root> {
    static ROOT: OnceLock<Option<Root>> = OnceLock::new();
    *ROOT.get_or_init(|| {
        if process::answer(Command::new("id").arg("-u"))? == "0" {
            return Some(Root::Already);
        }
        programs::find("sudo")?;
        process::answer(Command::new("sudo").args(["-n", "true"])).map(|_| Root::BySudo)
    })
}

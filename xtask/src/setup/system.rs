//! System programs and packages, if apt is available and permitted.

use std::{
    env,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use super::tools::{Tool, Tools};
use crate::{failure::Result, process};

/// Chromium-based browsers. An absolute path is found with any PATH.
pub const CHROMIUM: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome",
];

/// A program that tests use as is.
pub struct Program {
    /// The variable in which the user may set its path, and the tests look for it.
    pub variable: &'static str,
    /// Its names on the PATH.
    pub names: Vec<&'static str>,
    /// Its Debian package.
    pub package: &'static str,
    /// Looks for it elsewhere if it isn't on the PATH.
    pub elsewhere: fn(&Tools) -> Option<PathBuf>,
    pub is_needed: bool,
}

impl Program {
    pub fn new(variable: &'static str, names: &[&'static str], package: &'static str) -> Self {
        Self {
            variable,
            names: names.to_vec(),
            package,
            elsewhere: |_| None,
            is_needed: true,
        }
    }
}

impl Tool for Program {
    fn find(&self, tools: &mut Tools) -> Result<Option<String>> {
        let named = env::var_os(self.variable).map(PathBuf::from);
        let named = named.filter(|file| file.is_file());
        let on_path = || self.names.iter().find_map(|name| process::find(name));
        let elsewhere = || (self.elsewhere)(tools).filter(|file| file.is_file());
        Ok(named.or_else(on_path).or_else(elsewhere).map(|file| {
            let found = file.display().to_string();
            tools.programs.push((self.variable, file));
            found
        }))
    }

    fn install(&self, tools: &Tools) -> Result<()> {
        install(tools, &[self.package])
    }

    fn advice(&self) -> Option<String> {
        let advice = format!(
            "install {}, or set its path in {}.",
            self.names[0], self.variable
        );
        self.is_needed.then_some(advice)
    }
}

/// Installs packages with apt. Does nothing if apt is missing, not permitted or fails: the caller
/// checks whether the program is there.
pub fn install(tools: &Tools, packages: &[&str]) -> Result<()> {
    static LISTS_ARE_NEW: AtomicBool = AtomicBool::new(false);
    let (Some(mut update), Some(mut install)) = (apt_get(tools), apt_get(tools)) else {
        return Ok(());
    };
    if !LISTS_ARE_NEW.swap(true, Ordering::Relaxed) {
        println!("      updating apt's package lists");
        // Old lists are often good enough.
        process::succeeds(update.arg("update"))?;
    }
    println!("      installing {} with apt", packages.join(" "));
    install.args(["install", "-y", "--no-install-recommends", "--no-remove"]);
    process::succeeds(install.args(packages))?;
    Ok(())
}

/// Returns apt-get, if it is available and this user can become root without a password.
fn apt_get(tools: &Tools) -> Option<Command> {
    process::find("apt-get")?;
    let mut command = if process::answer(Command::new("id").arg("-u"))? == "0" {
        tools.cache.installer("env")
    } else {
        process::answer(Command::new("sudo").args(["-n", "true"]))?;
        let mut sudo = tools.cache.installer("sudo");
        sudo.args(["-n", "env"]);
        sudo
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    command.args(["-o", "DPkg::Lock::Timeout=300"]);
    Some(command)
}

//! Chromium, or a browser of its family, and its driver.

use std::{env, fs, path::PathBuf};

use super::{Step, system};
use crate::{failure::Result, programs};

pub struct Browser {
    pub chromium: PathBuf,
    /// The same engine without a browser's own windows, which takes a third less time for journeys.
    pub headless_shell: Option<PathBuf>,
    /// Needed by tests inside the page; journeys do without.
    pub driver: Option<PathBuf>,
}

pub fn find_or_install(step: &Step) -> Result<Option<Browser>> {
    if chromium().is_none() || driver().is_none() {
        system::install(step, &["chromium", "chromium-driver"])?;
    }
    if headless_shell().is_none() && system::offers(HEADLESS_SHELL) {
        system::install(step, &[HEADLESS_SHELL])?;
    }
    let found = chromium().map(|chromium| Browser {
        chromium,
        headless_shell: headless_shell(),
        driver: driver(),
    });
    step.note(&found.as_ref().map_or("not found".into(), Browser::words));
    Ok(found)
}

impl Browser {
    fn words(&self) -> String {
        let driver = match &self.driver {
            Some(driver) => format!("with {}", driver.display()),
            None => "without a driver".into(),
        };
        let shell = match &self.headless_shell {
            Some(shell) => format!(" and {}", shell.display()),
            None => String::new(),
        };
        format!("{} {driver}{shell}", self.chromium.display())
    }
}

/// Debian's package, and the program in it.
const HEADLESS_SHELL: &str = "chromium-headless-shell";

fn chromium() -> Option<PathBuf> {
    const NAMES: [&str; 5] = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    ];
    named_in("TASKLOOM_CHROMIUM")
        .or_else(|| NAMES.iter().find_map(|name| programs::find(name)))
        .or_else(|| {
            let usual = [
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
                "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
            ];
            usual.iter().map(PathBuf::from).find(|file| file.is_file())
        })
        .or_else(|| {
            let programs = [
                "chrome-linux/chrome",
                "chrome-linux64/chrome",
                "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
                "chrome-win/chrome.exe",
            ];
            playwrights_own("chromium-", &programs)
        })
}

fn headless_shell() -> Option<PathBuf> {
    named_in("TASKLOOM_HEADLESS_SHELL")
        .or_else(|| programs::find(HEADLESS_SHELL))
        .or_else(|| programs::find("chrome-headless-shell"))
        .or_else(|| {
            let programs = [
                "chrome-linux/headless_shell",
                "chrome-headless-shell-linux64/chrome-headless-shell",
                "chrome-mac/headless_shell",
                "chrome-win/headless_shell.exe",
            ];
            playwrights_own("chromium_headless_shell-", &programs)
        })
}

fn driver() -> Option<PathBuf> {
    named_in("CHROMEDRIVER").or_else(|| programs::find("chromedriver"))
}

fn named_in(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|file| file.is_file())
}

/// The newest of the programs that `playwright install chromium` has downloaded to folders named so.
fn playwrights_own(name: &str, programs: &[&str]) -> Option<PathBuf> {
    let home = PathBuf::from(env::var_os(if cfg!(windows) {
        "LOCALAPPDATA"
    } else {
        "HOME"
    })?);
    let folder = if cfg!(windows) {
        home.join("ms-playwright")
    } else if cfg!(target_os = "macos") {
        home.join("Library").join("Caches").join("ms-playwright")
    } else {
        home.join(".cache").join("ms-playwright")
    };
    let mut versions: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(name))
        .map(|entry| entry.path())
        .collect();
    versions.sort();
    versions
        .iter()
        .rev()
        .flat_map(|version| programs.iter().map(|program| version.join(program)))
        .find(|file| file.is_file())
}

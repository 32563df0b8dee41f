//! Chromium, or a browser of its family, and its driver.

use std::{env, fs, path::PathBuf};

use super::{Step, system};
use crate::{failure::Result, programs};

pub struct Browser {
    pub chromium: PathBuf,
    /// Needed by tests inside the page; journeys do without.
    pub driver: Option<PathBuf>,
}

pub fn find_or_install(step: &Step) -> Result<Option<Browser>> {
    if chromium().is_none() || driver().is_none() {
        system::install(step, &["chromium", "chromium-driver"])?;
    }
    let found = chromium().map(|chromium| Browser {
        chromium,
        driver: driver(),
    });
    step.note(&match &found {
        None => "not found".into(),
        Some(Browser {
            chromium,
            driver: None,
        }) => format!("{}, without a driver", chromium.display()),
        Some(Browser {
            chromium,
            driver: Some(driver),
        }) => format!("{} with {}", chromium.display(), driver.display()),
    });
    Ok(found)
}

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
        .or_else(playwrights_own)
}

fn driver() -> Option<PathBuf> {
    named_in("CHROMEDRIVER").or_else(|| programs::find("chromedriver"))
}

fn named_in(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|file| file.is_file())
}

/// The newest browser that `playwright install chromium` has downloaded.
fn playwrights_own() -> Option<PathBuf> {
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
    let programs = [
        "chrome-linux/chrome",
        "chrome-linux64/chrome",
        "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
        "chrome-win/chrome.exe",
    ];
    let mut versions: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("chromium-"))
        .map(|entry| entry.path())
        .collect();
    versions.sort();
    versions
        .iter()
        .rev()
        .flat_map(|version| programs.iter().map(|program| version.join(program)))
        .find(|file| file.is_file())
}

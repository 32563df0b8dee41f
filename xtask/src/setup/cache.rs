//! The user's folder of tools.

use std::{
    env,
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use crate::{
    console,
    failure::{Failure, OnPath, Result},
};

pub struct Cache(PathBuf);

impl Cache {
    pub fn open() -> Result<Self> {
        let folder = folder_from(|name| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        })
        .ok_or_else(|| {
            Failure::new(
                "found no folder to keep tools in: HOME is not set.",
                "set TASKLOOM_CACHE to a folder of yours.",
            )
        })?;
        fs::create_dir_all(&folder).on("create", &folder)?;
        Ok(Self(folder))
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The folder of a tool, which may not exist yet.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A folder for work in progress. It keeps its content over an interruption, so that the next run goes on there.
    pub fn work(&self, name: &str) -> Result<PathBuf> {
        let folder = self.0.join("tmp").join(name);
        fs::create_dir_all(&folder).on("create", &folder)?;
        Ok(folder)
    }

    /// Makes a finished folder a tool's, in one move: nobody ever sees half a tool.
    pub fn adopt(&self, finished: &Path, name: &str) -> Result<PathBuf> {
        let tool = self.tool(name);
        if tool.exists() {
            fs::remove_dir_all(&tool).on("replace", &tool)?;
        }
        fs::rename(finished, &tool).on("move a finished tool to", &tool)?;
        Ok(tool)
    }

    /// Waits until no other set-up works in this cache; the lock ends with the returned file or the program.
    pub fn lock(&self) -> Result<File> {
        let path = self.0.join("setup.lock");
        let file = File::create(&path).on("create", &path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                console::line("Another set-up is at work in the same cache; waiting for it…");
                file.lock().on("lock", &path)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).on("lock", &path),
        }
        Ok(file)
    }
}

fn folder_from(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(chosen) = variable("TASKLOOM_CACHE") {
        // Children run in other folders.
        return std::path::absolute(chosen).ok();
    }
    if let Some(folder) = variable("XDG_CACHE_HOME") {
        return Some(folder.join("taskloom"));
    }
    if cfg!(windows) {
        return Some(variable("LOCALAPPDATA")?.join("taskloom"));
    }
    let home = variable("HOME")?;
    Some(if cfg!(target_os = "macos") {
        home.join("Library").join("Caches").join("taskloom")
    } else {
        home.join(".cache").join("taskloom")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_choice_comes_first() {
        let all = |name: &str| match name {
            "TASKLOOM_CACHE" => Some(PathBuf::from("/chosen")),
            "XDG_CACHE_HOME" => Some(PathBuf::from("/xdg")),
            _ => None,
        };
        assert_eq!(folder_from(all), Some(PathBuf::from("/chosen")));
        assert_eq!(
            folder_from(|name| all(name).filter(|_| name != "TASKLOOM_CACHE")),
            Some(PathBuf::from("/xdg/taskloom"))
        );
        assert_eq!(folder_from(|_| None), None);
    }
}

//! The user's cache folder of tools.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::failure::{Failure, OnPath, Result};

pub struct Cache {
    pub folder: PathBuf,
    /// Locked while setup runs.
    lock: Option<File>,
}

impl Cache {
    /// Waits until no other setup uses it.
    pub fn open() -> Result<Self> {
        let chosen = env::var_os("TASKLOOM_CACHE").filter(|value| !value.is_empty());
        // Children run in other folders.
        let chosen = chosen.and_then(|folder| std::path::absolute(folder).ok());
        let folder = chosen.or_else(|| Some(dirs::cache_dir()?.join("taskloom")));
        let folder = folder.ok_or_else(|| {
            Failure::new(
                "there is no folder for tools: HOME is not set.",
                "set TASKLOOM_CACHE to a folder of your own.",
            )
        })?;
        fs::create_dir_all(&folder).on("create", &folder)?;
        let mut cache = Self { folder, lock: None };
        cache.lock()?;
        Ok(cache)
    }

    /// Waits until no other setup uses it.
    pub fn lock(&mut self) -> Result<()> {
        let path = self.folder.join("setup.lock");
        let file = File::create(&path).on("create", &path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                println!("Another setup is using the same cache; waiting for it…");
                file.lock().on("lock", &path)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).on("lock", &path),
        }
        self.lock = Some(file);
        Ok(())
    }

    /// Lets other setups run.
    pub fn release(&mut self) {
        self.lock = None;
    }

    /// Returns an installer command. It inherits the lock as its (empty) input: if this program is
    /// killed first, the next setup waits for the installer.
    pub fn installer(&self, program: impl AsRef<OsStr>) -> Command {
        let lock = self.lock.as_ref().and_then(|lock| lock.try_clone().ok());
        let mut command = Command::new(program);
        command.stdin(lock.map_or(Stdio::null(), Stdio::from));
        // Another toolchain's cargo must not use the CARGO variable of ours.
        command.env_remove("CARGO");
        command
    }

    /// Returns the folder of a tool, which may not exist yet.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns a folder for work in progress. Its content survives an interruption, so that the
    /// next run continues there.
    pub fn work(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join("tmp").join(name);
        fs::create_dir_all(&folder).on("create", &folder)?;
        Ok(folder)
    }

    /// Moves a finished folder into place atomically: a tool is never partially visible.
    pub fn adopt(&self, finished: &Path, name: &str) -> Result<()> {
        let tool = self.tool(name);
        if tool.exists() {
            fs::remove_dir_all(&tool).on("replace", &tool)?;
        }
        fs::rename(finished, &tool).on("move a finished tool to", &tool)
    }
}

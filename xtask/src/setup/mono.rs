//! mono, which compiles and runs exported C# in the tests.

use std::path::PathBuf;

use super::{Step, system};
use crate::{failure::Result, programs};

pub struct Mono {
    pub compiler: PathBuf,
    pub runtime: PathBuf,
}

pub fn find_or_install(step: &Step) -> Result<Option<Mono>> {
    if find().is_none() {
        system::install(step, &["mono-mcs", "mono-runtime"])?;
    }
    let found = find();
    step.note(&found.as_ref().map_or_else(
        || "not found".into(),
        |mono| format!("{} and {}", mono.compiler.display(), mono.runtime.display()),
    ));
    Ok(found)
}

fn find() -> Option<Mono> {
    Some(Mono {
        compiler: programs::find("mcs")?,
        runtime: programs::find("mono")?,
    })
}

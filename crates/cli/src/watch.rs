//! `taskloom watch`.

mod log;
mod server;

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use taskloom_planner::plan::Outcome;

use crate::args::WatchArgs;
use crate::input::Files;
use crate::search::Limits;
use crate::{Exit, Failure, print};
use server::Site;

/// The folders into which `cargo xtask build` and `cargo xtask serve` build the editor.
const FOLDERS: [&str; 2] = ["dist", "target/page"];
/// The time between two checks whether Ctrl+C was pressed.
const LOOK: Duration = Duration::from_millis(50);

pub fn run(args: &WatchArgs) -> Result<Exit, Failure> {
    let limits = Limits::new(&args.limits);
    let log = Path::new(&args.log);
    if log.is_dir() {
        let name = log.display();
        return Err(Failure::Input(format!("error: {name}: this is a folder")));
    }
    let files = Files::read(&args.input, &limits)?;
    let document = files.open(&limits)?.document.to_json();
    let editor = editor(args.editor.as_deref())?;
    let name = log.file_name().unwrap_or(log.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let listener = listen(args.port)?;
    let port = listener.local_addr().map_err(|error| refused(&error))?;
    print(&format!(
        "Following {} at http://{port}/?watch (Ctrl+C stops it)\n",
        args.log
    ))?;
    let site = Site {
        editor,
        log: log.to_owned(),
        name,
        document,
        port: port.port(),
    };
    let server = thread::spawn(move || server::serve(listener, site));
    let stop = limits.stop();
    while !stop.poll() {
        if server.is_finished() {
            return match server.join() {
                Ok(Err(error)) => Err(refused(&error)),
                _ => Err(refused(&"the server has ended")),
            };
        }
        thread::sleep(LOOK);
    }
    match limits.why() {
        Outcome::Stopped => Ok(Exit::Success),
        _ => Err(limits.failure()),
    }
}

fn listen(port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::Input(format!(
            "error: port {port} is in use: choose another one with --port, or leave it out"
        )),
        _ => refused(&error),
    })
}

fn refused(error: &dyn std::fmt::Display) -> Failure {
    Failure::Internal(format!("couldn't listen on this computer: {error}"))
}

/// Returns the folder of the built editor, with all symbolic links followed: the chosen one, or one of
/// [`FOLDERS`] in the current folder, beside the program, or in a folder above the program.
///
/// # Errors
/// Says how to build it if it isn't there.
fn editor(chosen: Option<&str>) -> Result<PathBuf, Failure> {
    let built = |folder: &Path| {
        let has_page = folder.join("index.html").is_file();
        has_page.then(|| fs::canonicalize(folder).ok()).flatten()
    };
    let how = "`cargo xtask serve` in Taskloom's sources builds it into their folder 'target/page'";
    if let Some(folder) = chosen {
        return built(Path::new(folder))
            .ok_or_else(|| Failure::Input(format!("error: {folder} has no built editor: {how}")));
    }
    let program = env::current_exe().ok();
    let above = program
        .as_deref()
        .map(Path::ancestors)
        .into_iter()
        .flatten();
    let folders = [Path::new("")].into_iter().chain(above.skip(1));
    let mut built_ones = folders.flat_map(|folder| FOLDERS.map(|name| folder.join(name)));
    built_ones.find_map(|folder| built(&folder)).ok_or_else(|| {
        Failure::Input(format!(
            "error: found no built editor: {how}; name that folder with --editor"
        ))
    })
}

//! Runs the README's program in an empty crate that depends on this one by its path. The doctests
//! run it too, but with this crate's own dependencies available.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const README: &str = include_str!("../README.md");

#[test]
fn the_program_of_the_readme_runs_in_an_empty_crate() {
    let (_, program) = README.split_once("```rust\n").expect("a program");
    let (program, _) = program.split_once("```\n").expect("its end");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).expect("a file");
    // The empty table keeps it out of any workspace around its folder.
    let manifest = format!(
        "[package]\nname = 'readme'\nedition = '2024'\n\n[workspace]\n\n[dependencies]\ntaskloom = {{ path = '{}' }}\n",
        here.display()
    );
    write("Cargo.toml", &manifest);
    write("src/main.rs", program);
    // The versions that are already available.
    fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .expect("cargo runs");
    let report = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}{wrong}");
    // The number of frames that planning takes depends on the machine.
    let ended = report.lines().filter(|line| !line.ends_with(" goes on"));
    let ended: Vec<&str> = ended
        .filter_map(|line| Some(line.split_once(": ")?.1))
        .collect();
    let expected = [
        "open-door is complete",
        "take-ball has failed: integrity rule of take-ball: door_open",
        "open-door is complete",
        "take-ball is complete",
        "the robot has the ball",
    ];
    assert_eq!(ended, expected, "{report}");
}

//! Output: written atomically, with exit status 4 if it can't be written.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use expect_test::{Expect, expect};

use super::fixture::{check, delivery, folder, said, shown, taskloom};

const IMPORT: &str = "import domain.hddl problem.hddl --output";

/// Returns the names of the files in a folder, in order.
fn listed(folder: &PathBuf) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> = entries
        .map(|e| name(e).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn replaces_the_whole_document() {
    let folder = delivery("replaced");
    fs::write(folder.join("out.json"), "before").expect("a file");
    let forced = format!("{IMPORT} out.json --force");
    check(&folder, &forced, expect!["exit 0"]);
    let written = fs::read_to_string(folder.join("out.json")).expect("the document");
    // Nothing is lost by the same text.
    check(&folder, &format!("{IMPORT} out.json"), expect!["exit 0"]);
    let again = fs::read_to_string(folder.join("out.json")).expect("the document");
    assert_eq!(written, again);
    assert_eq!(listed(&folder), ["domain.hddl", "out.json", "problem.hddl"]);
}

/// Runs it, and checks that all files are as before.
fn refuses(folder: &PathBuf, line: &str, expected: Expect) {
    let texts = || -> Vec<String> {
        let files = listed(folder).into_iter();
        let files = files.filter(|name| folder.join(name).is_file());
        let text = |name: String| fs::read_to_string(folder.join(&name)).expect("a file");
        files
            .map(|name| format!("{name}: {}", text(name.clone())))
            .collect()
    };
    let before = texts();
    check(folder, line, expected);
    assert_eq!(texts(), before);
}

#[test]
fn neither_an_input_nor_a_file_of_somebody_else_is_replaced() {
    let folder = delivery("kept");
    let export = "export domain.hddl problem.hddl --to hddl";
    refuses(
        &folder,
        export,
        expect![[r#"
            ! error: ./domain.hddl is being read, so it can't be written; choose another file
            exit 2"#]],
    );
    refuses(
        &folder,
        &format!("{export} --force"),
        expect![[r#"
        ! error: ./domain.hddl is being read, so it can't be written; choose another file
        exit 2"#]],
    );
    for input in ["domain.hddl", "problem.hddl"] {
        let said = said(&folder, &format!("{IMPORT} {input} --force"));
        assert!(said.contains("is being read"), "{said}");
    }
    fs::write(folder.join("notes.json"), "mine").expect("a file");
    refuses(
        &folder,
        &format!("{IMPORT} notes.json"),
        expect![[r#"
            ! error: notes.json exists, and Taskloom may not have generated it; use --force to replace it, or choose another
            exit 2"#]],
    );
}

#[test]
fn what_taskloom_has_exported_may_be_exported_again() {
    let folder = delivery("again");
    said(&folder, &format!("{IMPORT} out.json"));
    for target in ["hddl", "full-hddl", "csharp"] {
        let export = |from: &str| format!("export {from} --to {target} --output {target}");
        let first = said(&folder, &export("out.json"));
        assert!(first.ends_with("exit 0"), "{first}");
        // Another document, so that all texts differ.
        let text = fs::read_to_string(folder.join("out.json")).expect("the document");
        let other = text.replace("farm", "barn").replace("deliver", "bring");
        fs::write(folder.join("other.json"), other).expect("a file");
        let again = said(&folder, &export("other.json"));
        assert!(again.ends_with("exit 0"), "{again}");
    }
}

#[test]
fn missing_output_folder_is_not_an_input_error() {
    let folder = delivery("nowhere");
    check(
        &folder,
        &format!("{IMPORT} nowhere/out.json"),
        expect![[r#"
            ! error: couldn't write nowhere/out.json: No such file or directory (os error 2)
            exit 4"#]],
    );
    fs::write(folder.join("file"), "").expect("a file");
    check(
        &folder,
        "export domain.hddl problem.hddl --to hddl --output file",
        expect![[r#"
            ! error: couldn't write file: File exists (os error 17)
            exit 4"#]],
    );
    check(
        &folder,
        "generate --blocks 10 --output .",
        expect![[r#"
            ! error: couldn't write .: Is a directory (os error 21)
            exit 4"#]],
    );
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use std::path::Path;

    use super::*;

    fn mode(folder: &Path, file: &str) -> u32 {
        let metadata = fs::metadata(folder.join(file)).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn replaced_files_keep_their_permissions() {
        let folder = delivery("permissions");
        fs::write(folder.join("old.json"), "before").expect("a file");
        fs::set_permissions(folder.join("old.json"), fs::Permissions::from_mode(0o640))
            .expect("set");
        fs::write(folder.join("ordinary"), "").expect("a file");
        said(&folder, &format!("{IMPORT} old.json"));
        said(&folder, &format!("{IMPORT} new.json"));
        assert_eq!(mode(&folder, "old.json"), 0o640);
        assert_eq!(mode(&folder, "new.json"), mode(&folder, "ordinary"));
    }

    #[test]
    fn writing_to_a_link_replaces_its_target() {
        let folder = delivery("links");
        fs::create_dir(folder.join("kept")).expect("a folder");
        symlink("second.json", folder.join("first.json")).expect("a link");
        symlink("kept/out.json", folder.join("second.json")).expect("a link");
        for _ in 0..2 {
            check(&folder, &format!("{IMPORT} first.json"), expect!["exit 0"]);
            assert!(
                folder.join("first.json").is_symlink() && folder.join("second.json").is_symlink()
            );
            assert_eq!(listed(&folder.join("kept")), ["out.json"]);
            assert!(!folder.join("kept/out.json").is_symlink());
        }
        symlink("round.json", folder.join("round.json")).expect("a link");
        check(
            &folder,
            &format!("{IMPORT} round.json"),
            expect![[r#"
                ! error: couldn't write round.json: too many symbolic links
                exit 4"#]],
        );
    }

    /// Runs the program with a file size limit of one kilobyte, which acts like a full disk.
    fn on_a_full_disk(folder: &PathBuf, signal: &str, line: &str, expected: Expect) {
        let taskloom = env!("CARGO_BIN_EXE_taskloom");
        let script = format!("{signal} ulimit -f 1; exec {taskloom} {line}");
        let mut shell = Command::new("sh");
        let output = shell.current_dir(folder).args(["-c", &script]).output();
        expected.assert_eq(&shown(&output.expect("a shell")));
    }

    #[test]
    fn full_disk_leaves_the_old_file_intact() {
        let folder = delivery("disk");
        said(&folder, &format!("{IMPORT} out.json"));
        let before = fs::read(folder.join("out.json")).expect("the document");
        on_a_full_disk(
            &folder,
            "trap '' XFSZ;",
            &format!("{IMPORT} out.json"),
            expect![[r#"
                ! error: couldn't write out.json: File too large (os error 27)
                exit 4"#]],
        );
        assert_eq!(listed(&folder), ["domain.hddl", "out.json", "problem.hddl"]);
        // The system kills the program while it writes.
        on_a_full_disk(
            &folder,
            "",
            &format!("{IMPORT} out.json"),
            expect!["ended by a signal"],
        );
        assert_eq!(
            fs::read(folder.join("out.json")).expect("the document"),
            before
        );
    }

    #[test]
    fn writes_all_files_or_none() {
        let folder = delivery("several");
        fs::create_dir(folder.join("out")).expect("a folder");
        fs::write(folder.join("out/problem.hddl"), "before").expect("a file");
        on_a_full_disk(
            &folder,
            "trap '' XFSZ;",
            "export domain.hddl problem.hddl --to hddl --output out --force",
            expect![[r#"
                ! error: couldn't write out/domain.hddl: File too large (os error 27)
                exit 4"#]],
        );
        assert_eq!(listed(&folder.join("out")), ["problem.hddl"]);
        let problem = fs::read_to_string(folder.join("out/problem.hddl"));
        assert_eq!(problem.expect("a file"), "before");
    }

    #[test]
    fn pipes_and_devices_are_written_directly() {
        let folder = delivery("devices");
        said(&folder, &format!("{IMPORT} out.json"));
        let document = fs::read_to_string(folder.join("out.json")).expect("the document");
        let expected = format!("{document}exit 0");
        assert_eq!(said(&folder, &format!("{IMPORT} /dev/stdout")), expected);
        let into_file = fs::File::create(folder.join("redirected.json")).expect("a file");
        let line = format!("{IMPORT} /dev/stdout");
        let status = taskloom(&folder, &line).stdout(into_file).status();
        assert!(status.expect("the program runs").success());
        let redirected = fs::read_to_string(folder.join("redirected.json"));
        assert_eq!(redirected.expect("a file"), document);

        let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
        assert!(made.expect("mkfifo").success());
        let mut reader = Command::new("cat");
        let reader = reader
            .arg(folder.join("pipe"))
            .stdout(std::process::Stdio::piped());
        let reader = reader.spawn().expect("a reader");
        check(&folder, &format!("{IMPORT} pipe"), expect!["exit 0"]);
        let read = reader.wait_with_output().expect("what was read");
        assert_eq!(String::from_utf8_lossy(&read.stdout), document);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn full_device_is_not_an_input_error() {
        let folder = delivery("full-device");
        check(
            &folder,
            &format!("{IMPORT} /dev/full"),
            expect![[r#"
                ! error: couldn't write /dev/full: No space left on device (os error 28)
                exit 4"#]],
        );
        assert!(PathBuf::from("/dev/full").exists());
        for stream in ["/dev/full", "/dev/stdout"] {
            let full = fs::File::create("/dev/full").expect("a device that is always full");
            let mut command = taskloom(&folder, "plan domain.hddl problem.hddl --statistics");
            // A message that can't be written is dropped; it doesn't end the program.
            let output = match stream {
                "/dev/full" => command.stderr(full).output(),
                _ => command.stdout(full).output(),
            };
            let status = output.expect("the program runs").status;
            assert_eq!(
                status.code(),
                Some(if stream == "/dev/full" { 0 } else { 4 })
            );
        }
    }
}

/// A chain of types, each the parent of the next, is exported in linear time.
#[test]
fn exports_long_type_chains_quickly() {
    let parent = |n: usize| match n {
        0 => "object".to_owned(),
        n => format!("t{}", n - 1),
    };
    let types = (0..20_000).map(|n| format!(r#""t{n}": {{ "parent": "{}" }}"#, parent(n)));
    let types = types.collect::<Vec<_>>().join(", ");
    let text = format!(
        r#"{{ "taskloom": 4, "types": {{ {types} }}, "facts": {{ "done": {{ "source": "memory" }} }},
        "scenarios": {{ "s": {{ "goal": "done" }} }} }}"#
    );
    let folder = folder("chain", &[("chain.json", &*text)]);
    for target in ["csharp", "hddl", "full-hddl", "pddl"] {
        let line = format!("export chain.json --to {target} --output {target} --time-limit 10");
        let said = said(&folder, &line);
        assert!(said.ends_with("exit 0"), "{said}");
    }
}

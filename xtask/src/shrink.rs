//! Makes the release page's program small, and writes program and script so that they compress well.

use std::{collections::HashMap, fs, path::Path, process::Command};

use crate::{
    failure::{Failure, OnPath, Result},
    likeness,
    module::Module,
};

/// What wasm-opt is asked for. Rust has nothing at the first addresses. A program without inlined functions compresses
/// smaller, and so does one without values of blocks and with constants where they are used. That loads never trap must
/// not be assumed: they then move before their checks.
const OPTIMISATIONS: &str = "-O2 -g --low-memory-unused -aimfs 0 -fimfs 0 -ocimfs 0 \
    --skip-pass=simplify-locals --simplify-locals-nostructure --reorder-locals --vacuum \
    --skip-pass=precompute --skip-pass=precompute-propagate";

/// Streams of a server's answers: Leptos exports them whether there is a server or not.
const STREAMS: [&str; 2] = ["intounderlying", "__wbg_intounderlying"];

/// The list of the program's functions by their numbers, to read the traces that a browser shows.
const FUNCTIONS: &str = "page-functions.txt";

/// Rewrites the program and the script that wasm-bindgen made.
pub fn program(root: &Path, program_file: &Path, script_file: &Path) -> Result<()> {
    optimise(program_file)?;
    let program = fs::read(program_file).on("read", program_file)?;
    let script = fs::read_to_string(script_file).on("read", script_file)?;
    let module = Module::read(&program)?;
    let names: Vec<&str> = module.import_names().collect();
    let script = with_short_names(&without_streams(&script), &names)?;
    let bodies: Vec<&[u8]> = module.bodies.iter().map(|body| &**body).collect();
    let order = likeness::order(&bodies);
    let list_file = root.join("target").join(FUNCTIONS);
    let list = list(&module.names(), module.imported_functions(), &order);
    fs::write(&list_file, list).on("write", &list_file)?;
    let program = module.write(&order, |name| short_name(&names, name))?;
    fs::write(program_file, program).on("write", program_file)?;
    fs::write(script_file, script).on("write", script_file)
}

/// Has wasm-opt take out what nobody needs.
fn optimise(program_file: &Path) -> Result<()> {
    let program = fs::read(program_file).on("read", program_file)?;
    let mut module = Module::read(&program)?;
    let is_stream = |name: &[u8]| STREAMS.iter().any(|s| name.starts_with(s.as_bytes()));
    module.exports.retain(|export| !is_stream(export.name));
    let order: Vec<usize> = (0..module.bodies.len()).collect();
    let program = module.write(&order, str::to_owned)?;
    fs::write(program_file, program).on("write", program_file)?;
    let mut command = Command::new("wasm-opt");
    command
        .args(OPTIMISATIONS.split_whitespace())
        .arg(program_file)
        .arg("-o")
        .arg(program_file);
    let advice = "build the page with `cargo xtask serve`, which brings wasm-opt along.";
    let output = command
        .output()
        .map_err(|error| Failure::new(format!("wasm-opt cannot be started: {error}."), advice))?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Failure::new(format!("wasm-opt failed: {reason}"), advice))
}

/// A line for each function in its new place: its number, and its name before the places changed.
fn list(names: &HashMap<usize, &str>, imported: usize, order: &[usize]) -> String {
    let name = |function: &usize| names.get(&(imported + function)).copied();
    let lines = order.iter().enumerate().map(|(place, function)| {
        let name = name(function).unwrap_or_default();
        format!("{} {name}\n", imported + place)
    });
    lines.collect()
}

/// The name that stands for `name`: `$` and where it is among all names.
fn short_name(names: &[&str], name: &str) -> String {
    let position = names.iter().position(|other| *other == name);
    format!("${}", position.unwrap_or(names.len()))
}

/// The script without the classes of [`STREAMS`].
fn without_streams(script: &str) -> String {
    let (mut kept, mut end) = (String::new(), None);
    for line in script.lines() {
        end = end.or(match line {
            line if line.starts_with("export class IntoUnderlying") => Some("if (Symbol.dispose)"),
            line if line.starts_with("const IntoUnderlying") => Some("    : new"),
            _ => None,
        });
        match end {
            None => kept.extend([line, "\n"]),
            Some(last) if line.starts_with(last) => end = None,
            Some(_) => {}
        }
    }
    kept
}

/// The script with short names in the object of what it lends the program, and without its indentation.
fn with_short_names(script: &str, names: &[&str]) -> Result<String> {
    let mut lent = 0;
    let lines = script.lines().map(|line| {
        let line = line.trim_start();
        match line.split_once(": function(") {
            Some((name, rest)) if names.contains(&name) => {
                lent += 1;
                format!("{}: function({rest}\n", short_name(names, name))
            }
            _ => format!("{line}\n"),
        }
    });
    let script = lines.collect();
    if lent == names.len() {
        return Ok(script);
    }
    Err(Failure::new(
        format!(
            "the page's script lends {lent} of {} functions to the program.",
            names.len()
        ),
        "if wasm-bindgen writes its script in another way now, teach xtask/src/seal.rs that way.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_program_share_short_names() {
        let script = "const import0 = {\n    __wbg_a_12ab: function(arg0) {\n        a(arg0);\n    },\n    \
            __wbg_b_34cd: function() { return b(function (arg0) {\n    }, arguments); },\n};\n";
        let short =
            with_short_names(script, &["__wbg_b_34cd", "__wbg_a_12ab"]).expect("both are there");
        let expected = "const import0 = {\n$1: function(arg0) {\na(arg0);\n},\n\
            $0: function() { return b(function (arg0) {\n}, arguments); },\n};\n";
        assert_eq!(short, expected);
        assert!(with_short_names(script, &["__wbg_c_56ef"]).is_err());
    }

    #[test]
    fn streams_are_left_out_of_the_script() {
        let script = "export class IntoUnderlyingSink {\n    free() {\n    }\n}\n\
            if (Symbol.dispose) IntoUnderlyingSink.prototype[Symbol.dispose] = free;\nlet a;\n\
            const IntoUnderlyingSinkFinalization = (typeof FinalizationRegistry === 'undefined')\n    \
            ? { register: () => {} }\n    : new FinalizationRegistry(ptr => free(ptr));\nlet b;\n";
        assert_eq!(without_streams(script), "let a;\nlet b;\n");
    }

    #[test]
    fn functions_are_listed_where_they_are_then() {
        let names = HashMap::from([(3, "f"), (4, "g")]);
        assert_eq!(list(&names, 3, &[1, 0, 2]), "3 g\n4 f\n5 \n");
    }
}

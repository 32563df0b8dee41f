//! C# programs that test exports: a host and the exported files, compiled and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use taskloom_document::{Document, Name};
use taskloom_export::{Target, export};
use taskloom_planner::plan::{Atom, Value};

use super::tools::{folder, mono, output};

/// The scenario of all domains.
pub fn scenario() -> Name {
    Name::new("s").expect("a name")
}

/// Returns the C# name: `WalkTo` for `walk-to`, if nothing else has this name.
pub fn pascal(name: &str) -> String {
    name.split(['-', '_'])
        .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
        .collect()
}

/// Returns a C# call in a namespace, of a name with the suffix `class`, with objects of that
/// namespace.
pub fn call(space: &str, name: &str, args: &[Name], class: &str) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| format!("{space}.Objects.{}", pascal(arg.as_str())))
        .collect();
    format!("{}{class}({})", pascal(name), args.join(", "))
}

/// Returns `new Space.GoTask(Space.Objects.X1)` for `go(x1)`.
pub fn task(space: &str, text: &str) -> String {
    let (name, args) = text.split_once('(').unwrap_or((text, ""));
    let args = args.trim_end_matches(')').split(", ");
    let args = args.filter(|arg| !arg.is_empty());
    let args: Vec<Name> = args.map(|arg| Name::new(arg).expect("a name")).collect();
    format!("new {space}.{}", call(space, name, &args, "Task"))
}

/// Returns the statement that writes a value into an agent's memory.
pub fn remember(space: &str, (atom, value): (&Atom, &Value)) -> String {
    let value = match value {
        Value::Object(Some(object)) => format!("{space}.Objects.{}", pascal(object.as_str())),
        Value::Object(None) => "default(Value)".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => format!("{value:?}"),
    };
    let atom = call(space, atom.fact.as_str(), &atom.args, "");
    format!("Memory[{space}.Facts.{atom}] = {value};")
}

/// Returns the beginning of an agent's class in which each action takes its duration.
pub fn class(space: &str, document: &Document, action: impl Fn(&str) -> String) -> String {
    let mut text = format!("    class {space}Self : {space}.{space}Agent\n    {{\n");
    for (name, record) in &document.actions {
        let (name, action) = (pascal(name.as_str()), action(&record.duration));
        text += &format!(
            "        public override ActionStatus {name}({space}.Thing2 t, int tick) {{ {action} }}\n"
        );
    }
    text
}

/// Returns the tasks of a domain's scenario as arguments, and its goal, if any.
pub fn wanted(space: &str, document: &Document) -> (String, Option<String>) {
    let record = &document.scenarios[&scenario()];
    let tasks: Vec<String> = record.tasks.iter().map(|text| task(space, text)).collect();
    let goal = (!record.goal.is_empty()).then(|| format!("{space}.Goals.S"));
    (tasks.join(", "), goal)
}

/// Compares a host's output for each document, followed by an empty line, with the expected text.
pub fn check(test: &str, host: &str, cases: &[(&Document, &str)]) {
    check_changed(test, host, cases, |_, text| text);
}

/// Compares like [`check`], after changing the exported files, by their paths.
pub fn check_changed(
    test: &str,
    host: &str,
    cases: &[(&Document, &str)],
    change: impl Fn(&str, String) -> String,
) {
    let documents: Vec<&Document> = cases.iter().map(|(document, _)| *document).collect();
    let Some(answers) = answers(test, host, &documents, change) else {
        return;
    };
    for (at, (document, expected)) in cases.iter().enumerate() {
        let answer = answers.get(at).map_or("", String::as_str);
        let title = &document.info.title;
        assert_eq!(answer, *expected, "{title}\n{}", document.to_json());
    }
}

/// Returns a host's output, split at empty lines; `None` without mono.
pub fn answers(
    test: &str,
    host: &str,
    documents: &[&Document],
    change: impl Fn(&str, String) -> String,
) -> Option<Vec<String>> {
    let (mono, program) = compiled(test, documents, &[("Host.cs", host)], change)?;
    let printed = output(Command::new(mono).arg(program));
    Some(printed.split("\n\n").map(str::to_owned).collect())
}

/// Compiles the exports of documents, after changing them, together with other files. Returns mono
/// and the program; `None` without mono.
pub fn compiled(
    test: &str,
    documents: &[&Document],
    extra_files: &[(&str, &str)],
    change: impl Fn(&str, String) -> String,
) -> Option<(PathBuf, PathBuf)> {
    let (compiler, mono) = mono(test)?;
    let extra_files = extra_files.iter().copied();
    let extra_files = extra_files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let mut files: BTreeMap<String, String> = extra_files.collect();
    for document in documents {
        let export = export(document, None, Target::CSharp).unwrap_or_else(|errors| {
            panic!("{}: {}", document.info.title, errors[0]);
        });
        for file in export.files {
            // Titles that C# would not distinguish belong to different games.
            let name = file.path.replace('/', ".");
            let text = || change(&file.path, file.text);
            files.entry(name).or_insert_with(text);
        }
    }
    let folder = folder(test);
    let write = |(name, text): (&String, &String)| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    };
    let program = folder.join("host.exe");
    output(
        Command::new(compiler)
            .args(["-langversion:7", "-warnaserror", "-nologo"])
            .arg(format!("-out:{}", program.display()))
            .args(files.iter().map(write)),
    );
    Some((mono, program))
}

//! No name hides another: neither a designer's from exported C#, nor one of the game that it
//! becomes part of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;
use std::sync::Arc;

use taskloom_document::{Document, Info, Source};
use taskloom_domain::lang::is_keyword;
use taskloom_export::{Target, export};

use super::host::compiled;
use super::tools::output;
use testkit::domain::document;
use testkit::domain::example;

/// Words that are reserved in C#, everywhere or in some places.
const KEYWORDS: &str = "abstract as base bool break byte case catch char checked class const \
    continue decimal default delegate do double else enum event explicit extern finally fixed \
    float for foreach goto if implicit in int interface internal is lock long namespace new null \
    object operator out override params private protected public readonly ref return sbyte sealed \
    short sizeof stackalloc static string struct switch this throw try typeof uint ulong unchecked \
    unsafe ushort using virtual void volatile while \
    add alias args ascending async await by descending dynamic equals field file from get global \
    group init into join let managed nameof nint notnull nuint on orderby partial record remove \
    required scoped select set unmanaged value var where with yield";

/// Returns every word in the code of the runtime library and of exports, and the reserved words.
fn words() -> Vec<String> {
    let files = export(&example("night-guard"), None, Target::CSharp);
    let files = files.expect("an export").files;
    let lines = files.iter().flat_map(|file| file.text.lines());
    let words: BTreeSet<&str> = lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .chain([KEYWORDS])
        .flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .collect();
    words.into_iter().map(str::to_owned).collect()
}

/// Returns the words that documents can use as names. Documents ignore case but C# doesn't, so
/// words that differ only in case go into different lists.
fn lists(words: &[String]) -> Vec<Vec<&str>> {
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for word in words.iter().filter(|word| !is_keyword(word)) {
        alike.entry(word.to_lowercase()).or_default().push(word);
    }
    let most = alike.values().map(Vec::len).max().unwrap_or_default();
    let nth = |n| {
        alike
            .values()
            .filter_map(move |words| words.get(n).copied())
    };
    (0..most).map(|n| nth(n).collect()).collect()
}

fn titled(title: &str, text: &str) -> Document {
    let mut document = document(text);
    document.info = Arc::new(Info {
        title: title.to_owned(),
        note: String::new(),
    });
    document
}

fn with_sensors(mut document: Document) -> Document {
    for fact in document.facts.values_mut() {
        Arc::make_mut(fact).source = Source::Sensor;
    }
    document
}

/// Returns a domain whose names are these words, and in which each thing uses others.
fn domain(words: &[&str], record: fn(&mut String, &str, &str)) -> String {
    let mut text = String::new();
    for (n, own) in words.iter().enumerate() {
        let other = words[(n + 1) % words.len()];
        let of = of(own);
        if of != "object" {
            let _ = writeln!(text, "type {own}");
        }
        let _ = writeln!(text, "object {own}: {of}\naction {own}(?{own}: {of}) 1");
        record(&mut text, own, other);
    }
    text
}

/// Returns the type named by a word, if there can be one.
fn of(word: &str) -> &str {
    if word.eq_ignore_ascii_case("object") {
        "object"
    } else {
        word
    }
}

fn facts(text: &mut String, own: &str, other: &str) {
    let (of, other_of) = (of(own), of(other));
    let _ = writeln!(
        text,
        "fact {own}(?{own}: {of})
primitive {own}(?{own}: {of}) = {own}(?{own})
  pre {own}(?{own}) and ?{own} != {own}
  integrity exists ?{other}: {other_of}. {other}(?{other}) and not {other}({other})
  done forall ?{other}: {other_of}. {other}(?{other})
  eff forall ?{other}: {other_of}. not {other}(?{other}) when {own}(?{own})
  eff {own}({own})
scenario {own}
  goal {own}({own}) and exists ?{own}: {of}. {own}(?{own})"
    );
}

fn objects(text: &mut String, own: &str, other: &str) {
    let (of, other_of) = (of(own), of(other));
    let _ = writeln!(
        text,
        "value {own}(?{own}: {of}): {of}
primitive {own}(?{own}: {of}) = {own}({own}(?{own}))
  pre {own}(?{own}) != {own} and {own}(?{own}) = {own}({own})
  eff {own}(?{own}) := {own}
  eff forall ?{other}: {other_of}. {other}(?{other}) := {other}({other})"
    );
}

fn numbers(text: &mut String, own: &str, other: &str) {
    let of = of(own);
    let _ = writeln!(
        text,
        "number {own}(?{own}: {of})
primitive {own}(?{own}: {of}) = {own}(?{own})
  pre {own}(?{own}) / 2 > 1 and {other}({other}) * 2 < {own}({own}) + 1
  eff {own}(?{own}) += {other}({other}) / 3
  cost {own}(?{own})"
    );
}

fn conditions(text: &mut String, own: &str, other: &str) {
    let (of, other_of) = (of(own), of(other));
    if !text.contains("x-lit") {
        *text += "fact x-lit(?x-x: object)\nnumber x-size\nprimitive x-do(?x-x: object)\n";
    }
    let _ = writeln!(
        text,
        "condition {own}(?{own}: {of}): x-size / 2 = 1 or x-lit({own}) and \
         exists ?{other}: {other_of}. ?{other} = {other} and x-lit(?{other})
compound {own}(?{own}: {of})
  pre {own}(?{own})
  integrity {own}({own})
  block a begin
  block b bind ?{other}:{other_of} where {other}(?{other}) by x-size
  block c task x-do(?{other})
  block d task x-do({own})
  block e task {own}(?{own})
  block f branch forall ?{other}x: {other_of}. {other}(?{other}x)
  block g bind ?{other}:{other_of}
  block h task {other}(?{other})
  wire a.out -> b
  wire b.out -> c
  wire b.out -> d
  wire c.out -> e
  wire d.out -> e
  wire a.out -> f
  wire f.true -> g
  wire f.false -> g
  wire g.out -> h"
    );
}

/// All names that exported classes look up in the state are their own, not the runtime library's,
/// and none of their types has the name of one of the library's.
const HOST: &str = r#"
public static class XHost
{
    public static void Main()
    {
        const global::System.Reflection.BindingFlags All = global::System.Reflection.BindingFlags.Instance
            | global::System.Reflection.BindingFlags.Static | global::System.Reflection.BindingFlags.Public
            | global::System.Reflection.BindingFlags.NonPublic;
        var asked = 0;
        foreach (var type in typeof(XHost).Assembly.GetTypes())
        {
            if (type.Namespace == "Taskloom" || type.Namespace == "XTypes" || type.Namespace == null)
            {
                continue;
            }
            if (!type.IsNested && typeof(global::Taskloom.State).Assembly.GetType("Taskloom." + type.Name) != null)
            {
                global::System.Console.WriteLine("type " + type);
            }
            if (type.Name == "Questions")
            {
                foreach (var method in type.GetMethods(All))
                {
                    asked++;
                    if (method.DeclaringType != type)
                    {
                        continue;
                    }
                    foreach (var member in typeof(global::Taskloom.State).GetMember(method.Name, All))
                    {
                        var own = member as global::System.Reflection.MethodBase;
                        if (own == null || !own.IsPrivate)
                        {
                            global::System.Console.WriteLine("hidden " + type + "." + method.Name);
                        }
                    }
                }
            }
        }
        global::System.Console.WriteLine(asked > 1000 ? "enough" : "hardly any");
    }
}
"#;

/// A game's own classes, in no namespace, and more of them in a domain's namespace.
fn game(words: &[String]) -> String {
    let mut text = String::from("#pragma warning disable\n");
    let is_free = |word: &&String| {
        !["System", "Taskloom", "TheNightGuard"].contains(&word.as_str())
            && !KEYWORDS.split_whitespace().any(|keyword| keyword == **word)
            && !is_keyword(word)
    };
    for word in words.iter().filter(is_free) {
        let _ = writeln!(text, "public class {word} {{ }}");
        let _ = writeln!(text, "public class {word}<XA> {{ }}");
        let _ = writeln!(text, "public class {word}<XA, XB> {{ }}");
    }
    text += "namespace Beside\n{\n";
    let own = [
        "Agent",
        "Atom",
        "CompoundTask",
        "Fact",
        "Network",
        "State",
        "Task",
        "Thing",
    ];
    for word in own
        .iter()
        .chain(&["Array", "IEnumerable", "PrimitiveTask", "ActionStatus"])
    {
        let _ = writeln!(text, "    public class {word} {{ }}");
    }
    text + "}\n"
}

/// Compiles the exports of documents together with other files. Returns the program's output.
fn run(test: &str, documents: &[Document], beside: &[(&str, &str)]) -> Option<String> {
    println!("{} documents", documents.len());
    let documents: Vec<&Document> = documents.iter().collect();
    let (mono, program) = compiled(test, &documents, beside, |_, text| text)?;
    Some(output(Command::new(mono).arg(program)))
}

#[test]
fn designer_names_shadow_nothing_in_csharp() {
    let words = words();
    println!("{} words", words.len());
    assert!(words.len() > 300, "hardly any words");
    let mut documents = vec![];
    for (n, list) in lists(&words).iter().enumerate() {
        let title = |kind: &str| format!("x {kind} {n}");
        documents.push(with_sensors(titled(&title("facts"), &domain(list, facts))));
        documents.push(titled(&title("memory"), &domain(list, facts)));
        documents.push(with_sensors(titled(
            &title("values"),
            &domain(list, objects),
        )));
        documents.push(with_sensors(titled(
            &title("numbers"),
            &domain(list, numbers),
        )));
        documents.push(titled(&title("conditions"), &domain(list, conditions)));
    }
    for word in &words {
        documents.push(with_sensors(titled(
            word,
            &domain(&["place", "key"], objects),
        )));
    }
    let test = "designer_names_shadow_nothing_in_csharp";
    if let Some(printed) = run(test, &documents, &[("XHost.cs", HOST)]) {
        assert_eq!(printed, "enough\n");
    }
}

#[test]
fn game_classes_shadow_nothing_in_csharp() {
    let documents = [
        example("night-guard"),
        titled("Beside", &domain(&["place", "key"], facts)),
        titled("Conditions beside", &domain(&["place", "key"], conditions)),
    ];
    let game = game(&words());
    assert!(game.lines().count() > 1000, "hardly any classes");
    let main = "public static class XHost { public static void Main() { } }";
    let test = "game_classes_shadow_nothing_in_csharp";
    run(test, &documents, &[("XGame.cs", &game), ("XHost.cs", main)]);
}

#[test]
fn no_file_has_a_reserved_windows_name() {
    for (title, expected) in [
        ("Con", "ConDomain.cs"),
        ("lpt1", "Lpt1Domain.cs"),
        ("Context", "Context.cs"),
    ] {
        let document = Document {
            info: Arc::new(Info {
                title: title.to_owned(),
                note: String::new(),
            }),
            ..Document::default()
        };
        let written = export(&document, None, Target::CSharp).expect("an export");
        assert_eq!(written.files[0].path, expected);
        let json = export(&document, None, Target::Json).expect("an export");
        let stem = json.files[0].path.split('.').next();
        assert!(!stem.is_some_and(taskloom_document::is_device), "{title}");
    }
}

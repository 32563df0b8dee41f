//! C# identifiers for a document's names: `walk-to` is `WalkTo`, `?place` is `place`. Names that
//! would collide in C# get a number.

use std::collections::{BTreeMap, BTreeSet};

use taskloom_document::sort::set_of;
use taskloom_document::{Document, Kind, Name, is_device};

/// C# keywords that can be a camel-case name. Of the contextual keywords, Mono rejects `await`
/// alone.
const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "await",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "yield",
];

/// Names in the templates and the run-time part that local names could hide.
const LOCALS: &[&str] = &[
    "after", "agent", "args", "before", "network", "s", "tasks", "tick",
];

/// Members of every C# object.
const OF_OBJECT: &[&str] = &[
    "Equals",
    "Finalize",
    "GetHashCode",
    "GetType",
    "MemberwiseClone",
    "ReferenceEquals",
    "ToString",
];

/// The namespace of the run-time part, qualified so that nothing can hide it.
pub const RUNTIME: &str = "global::Taskloom.";

/// The classes of every exported file and the types of the run-time part: the game's own code uses
/// both namespaces.
const OF_NAMESPACE: &[&str] = &[
    "ActionStatus",
    "Agent",
    "AgentState",
    "Atom",
    "CompoundTask",
    "Fact",
    "Facts",
    "Goals",
    "Memory",
    "Network",
    "Objects",
    "Plan",
    "PlanState",
    "PlanTask",
    "Planner",
    "PrimitiveTask",
    "Questions",
    "SearchEnd",
    "State",
    "System",
    "Task",
    "TaskState",
    "Taskloom",
    "Text",
    "Thing",
    "Things",
    "Value",
];

/// Members of the run-time part's Agent, and names used inside an agent.
const OF_AGENT: &[&str] = &[
    "Attempts",
    "Budget",
    "Cheapest",
    "Facts",
    "Goal",
    "Goals",
    "Me",
    "Memory",
    "Now",
    "Objects",
    "Observe",
    "Plan",
    "Planned",
    "Pursue",
    "Questions",
    "State",
    "StepChanged",
    "Stop",
    "Things",
    "Tick",
    "Time",
];

/// Members of the run-time part's State, which take precedence over queries.
const OF_STATE: &[&str] = &[
    "Add",
    "All",
    "ChangeHash",
    "Changes",
    "Copy",
    "Divide",
    "Exists",
    "Finite",
    "Fold",
    "ForAll",
    "Is",
    "IsImpossible",
    "Me",
    "MeAs",
    "Now",
    "Number",
    "Rounded",
    "Same",
    "SameAs",
    "Settle",
    "Thing",
    "Write",
];

/// The names in use in one scope.
#[derive(Debug, Clone, Default)]
pub struct Given(BTreeSet<String>);

impl Given {
    fn with(reserved: &[&[&str]]) -> Self {
        Self(set_of(reserved.concat().into_iter().map(str::to_owned)))
    }

    /// Returns the preferred name, or that name followed by a number.
    pub fn unique(&mut self, preferred: &str) -> String {
        let mut name = preferred.to_owned();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{preferred}{number}");
            number += 1;
        }
        name
    }
}

/// The C# names of a document's records.
#[derive(Debug)]
pub struct Names {
    /// The namespace.
    pub namespace: String,
    /// The agent class.
    pub agent: String,
    /// Types, objects and tasks.
    pub records: BTreeMap<(Kind, Name), String>,
    /// The query methods of facts and conditions.
    pub asked: BTreeMap<Name, String>,
    /// The methods that create ground facts.
    pub atoms: BTreeMap<Name, String>,
    /// The fields of facts.
    pub facts: BTreeMap<Name, String>,
    /// The agent's methods for sensors and actions.
    pub sensors: BTreeMap<Name, String>,
    /// See [`Self::sensors`].
    pub actions: BTreeMap<Name, String>,
}

impl Names {
    /// Assigns a name to each record of a document.
    pub fn new(document: &Document) -> Self {
        let title = pascal(&document.info.title);
        let title = match title.chars().next() {
            _ if is_device(&title) => format!("{title}Domain"),
            Some(first) if first.is_ascii_alphabetic() => title,
            Some(_) => format!("Domain{title}"),
            None => "Domain".to_owned(),
        };
        let mut space = Given::with(&[OF_NAMESPACE]);
        let namespace = space.unique(&title);
        let agent = space.unique(&format!("{title}Agent"));
        let mut records = BTreeMap::new();
        for name in document.types.keys() {
            let class = space.unique(&pascal(name.as_str()));
            records.insert((Kind::Type, name.clone()), class);
        }
        for kind in [Kind::PrimitiveTask, Kind::CompoundTask] {
            for name in document.names(kind) {
                let class = space.unique(&format!("{}Task", pascal(name.as_str())));
                records.insert((kind, name.clone()), class);
            }
        }
        let mut objects = Given::with(&[OF_OBJECT, &["All", "Objects"]]);
        for name in document.objects.keys() {
            let field = objects.unique(&pascal(name.as_str()));
            records.insert((Kind::Object, name.clone()), field);
        }
        let mut asked = Given::with(&[OF_OBJECT, OF_STATE, &["Questions"]]);
        let mut of_facts = Given::with(&[OF_OBJECT, &["Facts"]]);
        let mut of_agent = Given::with(&[OF_OBJECT, OF_AGENT, &[&agent]]);
        let mut names = Self {
            namespace,
            records,
            asked: BTreeMap::new(),
            atoms: BTreeMap::new(),
            facts: BTreeMap::new(),
            sensors: BTreeMap::new(),
            actions: BTreeMap::new(),
            agent: agent.clone(),
        };
        for (name, fact) in &document.facts {
            let own = pascal(name.as_str());
            names.asked.insert(name.clone(), asked.unique(&own));
            names.atoms.insert(name.clone(), of_facts.unique(&own));
            let field = of_facts.unique(&format!("{own}Fact"));
            names.facts.insert(name.clone(), field);
            if fact.source == taskloom_document::Source::Sensor {
                names.sensors.insert(name.clone(), of_agent.unique(&own));
            }
        }
        for name in document.conditions.keys() {
            // A fact hides a condition of the same name in every text.
            let method = asked.unique(&pascal(name.as_str()));
            names.asked.entry(name.clone()).or_insert(method);
        }
        for name in document.actions.keys() {
            let method = of_agent.unique(&pascal(name.as_str()));
            names.actions.insert(name.clone(), method);
        }
        names
    }

    /// Returns the prefix of the file's classes, for scopes where something could hide them.
    pub fn home(&self) -> String {
        format!("global::{}.", self.namespace)
    }

    /// Returns the scope of goal names.
    pub fn goals() -> Given {
        Given::with(&[OF_OBJECT, &["Goals"]])
    }

    /// Returns the class of a type.
    pub fn of(&self, of: &Name) -> String {
        if *of == "object" {
            return format!("{RUNTIME}Thing");
        }
        self.record(Kind::Type, of)
    }

    /// Returns the class or field of a record.
    pub fn record(&self, kind: Kind, name: &Name) -> String {
        let own = self.records.get(&(kind, name.clone()));
        own.cloned().unwrap_or_else(|| pascal(name.as_str()))
    }
}

/// The names of variables in one scope.
#[derive(Debug, Clone)]
pub struct Locals(Given);

impl Default for Locals {
    fn default() -> Self {
        Self(Given::with(&[LOCALS]))
    }
}

impl Locals {
    /// Returns a name for a variable.
    pub fn variable(&mut self, name: &str) -> String {
        let preferred = camel(name);
        let own = self.0.unique(&preferred);
        if KEYWORDS.contains(&own.as_str()) {
            format!("@{own}")
        } else {
            own
        }
    }
}

/// Converts `walk-to` to `WalkTo`; any character but letters and digits starts a word.
pub fn pascal(text: &str) -> String {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| match word.chars().next() {
            Some(first) => format!(
                "{}{}",
                first.to_ascii_uppercase(),
                &word[first.len_utf8()..]
            ),
            None => String::new(),
        })
        .collect()
}

fn camel(text: &str) -> String {
    let pascal = pascal(text);
    match pascal.chars().next() {
        Some(first) => format!(
            "{}{}",
            first.to_ascii_lowercase(),
            &pascal[first.len_utf8()..]
        ),
        None => pascal,
    }
}

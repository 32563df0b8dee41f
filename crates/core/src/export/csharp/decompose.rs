//! Flowcharts as functions that yield one network after the other.
//!
//! The blocks are written in the order of resolution: a Branch is an `if`, a Bind
//! a `foreach`, the outputs of a Choice follow one another. What several ways
//! lead to, and what would be nested too deeply, is a function of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use super::expression::Scope;
use super::names::{Given, Locals, Names, pascal};
use super::places::{Place, Places};
use crate::document::Kind;
use crate::export::model::{BlockText, Compound, Model};
use crate::lang::typed::Callee;

/// Code is nested so deeply, and then goes on in a function of its own.
const DEEPEST: usize = 8;

/// A line of a function.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Blanks before it.
    pub indent: String,
    /// What it is: `comment`, `if`, `else`, `foreach`, `open`, `close`, `set`,
    /// `yield` (with `more` lines behind it) or `go`.
    pub kind: &'static str,
    /// Its text: a condition, an expression.
    pub text: String,
    /// Of a `foreach` the variable, of a `set` the variable, of a `go` the function.
    pub name: String,
}

/// A function of a decomposition.
#[derive(Debug, Clone, Serialize)]
pub struct Function {
    /// Its name; empty: the method itself.
    pub name: String,
    /// What it goes on from, for readers.
    pub doc: String,
    /// Parameters beside the state.
    pub params: String,
    /// Its body.
    pub lines: Vec<Line>,
    /// Whether the body yields nothing at all.
    pub is_empty: bool,
}

impl Function {
    fn new(name: String, doc: String, params: String, lines: Vec<Line>) -> Self {
        Self {
            name,
            doc,
            params,
            is_empty: !lines.iter().any(|l| matches!(l.kind, "yield" | "go")),
            lines,
        }
    }
}

/// What code at a place has in variables.
#[derive(Debug, Clone)]
struct Held {
    /// An expression of the network so far, as a chain of calls.
    network: Vec<String>,
    /// What comes before each pending block, as expressions.
    before: BTreeMap<u32, Vec<String>>,
    /// Variables of Bind blocks.
    variables: BTreeMap<u32, String>,
}

/// Writes a method's functions, the method itself first. None where the chart has
/// too many places.
pub fn functions(model: &Model, names: &Names, compound: &Compound) -> Option<Vec<Function>> {
    let places = Places::new(compound);
    let start = places.settled(BTreeSet::from([0]), BTreeSet::new());
    let mut writer = Writer {
        model,
        names,
        compound,
        is_sequence: places.is_sequence(),
        shared: places.shared(&start)?,
        places,
        parts: BTreeMap::new(),
        part_names: Given::default(),
        waiting: VecDeque::new(),
        lines: vec![],
        locals: Locals::default(),
    };
    let mut functions = vec![];
    let given = Held {
        network: vec!["Network.Empty".to_owned()],
        before: BTreeMap::from([(0, vec!["Network.Start".to_owned()])]),
        variables: BTreeMap::new(),
    };
    let given = writer.through(&start, given);
    writer.locals = writer.parameters();
    writer.place(&start, given, 0);
    let lines = std::mem::take(&mut writer.lines);
    functions.push(Function::new(
        String::new(),
        String::new(),
        String::new(),
        lines,
    ));
    while let Some(place) = writer.waiting.pop_front() {
        functions.push(writer.part(&place));
    }
    Some(functions)
}

struct Writer<'m> {
    model: &'m Model<'m>,
    names: &'m Names,
    compound: &'m Compound<'m>,
    places: Places<'m>,
    is_sequence: bool,
    /// Places that several ways lead to.
    shared: BTreeSet<Place>,
    /// Names of the functions that go on from a place.
    parts: BTreeMap<Place, String>,
    part_names: Given,
    /// Places whose functions are yet to be written.
    waiting: VecDeque<Place>,
    lines: Vec<Line>,
    locals: Locals,
}

impl<'m> Writer<'m> {
    /// What the parameters of the task are called, and what else is taken.
    fn parameters(&self) -> Locals {
        let mut locals = Locals::default();
        for param in &self.compound.record.params {
            locals.variable(param.name.as_str());
        }
        locals
    }

    /// What code at a place has once Begin and End blocks have been passed.
    fn through(&self, place: &Place, mut given: Held) -> Held {
        loop {
            let passed = given
                .before
                .keys()
                .copied()
                .find(|position| !place.pending.contains(position));
            let Some(position) = passed else {
                return given;
            };
            let before = given.before.remove(&position).unwrap_or_default();
            for target in self.places.targets(position, 0) {
                extend(given.before.entry(target).or_default(), &before);
            }
        }
    }

    /// The variables and names that a block's texts see.
    fn scope(&self, position: u32, given: &Held) -> Option<Scope<'m>> {
        let mut scope = Scope {
            model: self.model,
            names: self.names,
            variables: BTreeMap::new(),
            locals: Locals::default(),
            state: "s",
        };
        for param in &self.compound.record.params {
            scope.bind(&param.name);
        }
        scope.locals = self.locals.clone();
        for above in self.places.chart.upstream(position) {
            if let (Some(name), Some(own)) =
                (self.places.variable(above), given.variables.get(&above))
            {
                scope.variables.insert(name.clone(), own.clone());
            }
        }
        let used = self.places.uses.get(position as usize);
        let all_bound = used.is_none_or(|u| u.iter().all(|n| scope.variables.contains_key(n)));
        all_bound.then_some(scope)
    }

    fn line(&mut self, depth: usize, kind: &'static str, text: impl Into<String>) {
        self.named(depth, kind, text, "");
    }

    fn named(&mut self, depth: usize, kind: &'static str, text: impl Into<String>, name: &str) {
        self.lines.push(Line {
            indent: "    ".repeat(depth),
            kind,
            text: text.into(),
            name: name.to_owned(),
        });
    }

    /// Writes what goes on from a place: here, or by a call.
    fn go_on(&mut self, place: &Place, given: Held, depth: usize) {
        if place.next.is_none() || (depth < DEEPEST && !self.shared.contains(place)) {
            self.place(place, given, depth);
            return;
        }
        let name = match self.parts.get(place) {
            Some(name) => name.clone(),
            None => {
                let what = place
                    .next
                    .map(|next| self.described(next))
                    .unwrap_or_default();
                let name = self.part_names.unique(&format!("From{}", pascal(&what)));
                self.parts.insert(place.clone(), name.clone());
                self.waiting.push_back(place.clone());
                name
            }
        };
        let mut args = vec!["s".to_owned(), given.network.concat()];
        if !self.is_sequence {
            for position in &place.pending {
                let before = given.before.get(position).map(Vec::as_slice);
                args.push(match before.unwrap_or_default() {
                    [one] => one.clone(),
                    several => format!("Network.Join({})", several.join(", ")),
                });
            }
        }
        for position in &place.bound {
            args.extend(given.variables.get(position).cloned());
        }
        self.named(depth, "go", args.join(", "), &name);
    }

    /// Writes the function that goes on from a place.
    fn part(&mut self, place: &Place) -> Function {
        self.locals = self.parameters();
        let mut params = vec!["Network tasks".to_owned()];
        let mut given = Held {
            network: vec!["tasks".to_owned()],
            before: BTreeMap::new(),
            variables: BTreeMap::new(),
        };
        for position in &place.pending {
            let mut before = vec![];
            if !self.is_sequence {
                let name = self
                    .locals
                    .variable(&format!("before-{}", self.described(*position)));
                params.push(format!("int[] {name}"));
                before.push(name);
            }
            given.before.insert(*position, before);
        }
        for position in &place.bound {
            if let BlockText::Bind { variable, .. } = self.places.text(*position) {
                let name = self.locals.variable(variable.name.as_str());
                params.push(format!("{} {name}", self.names.of(&variable.of)));
                given.variables.insert(*position, name);
            }
        }
        self.place(place, given, 0);
        let name = self.parts.get(place).cloned().unwrap_or_default();
        let doc = place
            .next
            .map(|next| self.described(next))
            .unwrap_or_default();
        Function::new(
            name,
            doc,
            params.join(", "),
            std::mem::take(&mut self.lines),
        )
    }

    /// A block in words.
    fn described(&self, position: u32) -> String {
        match self.places.text(position) {
            BlockText::Pass => "end".to_owned(),
            BlockText::Task(call) => call.name.to_string(),
            BlockText::Branch { text, .. } => one_line(text),
            BlockText::Choice(_) => "choice".to_owned(),
            BlockText::Bind { variable, .. } => format!("some {}", variable.name),
        }
    }

    fn place(&mut self, place: &Place, mut given: Held, depth: usize) {
        let Some(next) = place.next else {
            let mut calls = given.network;
            let last = calls.last_mut().map(|call| call.push(';'));
            let short = last.is_none() || calls.len() < 3;
            let first = if short { calls.len() } else { 2 };
            let rest = calls.split_off(first);
            self.line(depth, "yield", calls.concat());
            for call in rest {
                self.line(depth + 1, "more", call);
            }
            return;
        };
        let before = given.before.remove(&next).unwrap_or_default();
        let options = self.places.options(place);
        let onto = |writer: &Self, option: usize, mut given: Held, before: &[String]| {
            let leads_to = options.get(option).cloned().flatten()?;
            for target in writer.places.targets(next, option as u32) {
                extend(given.before.entry(target).or_default(), before);
            }
            let given = writer.through(&leads_to, given);
            Some((leads_to, given))
        };
        let Some(mut scope) = self.scope(next, &given) else {
            self.line(depth, "comment", "A variable has no value here.");
            return;
        };
        match self.places.text(next) {
            BlockText::Pass => {}
            BlockText::Task(call) => {
                let kind = match call.callee {
                    Callee::CompoundTask => Kind::CompoundTask,
                    _ => Kind::PrimitiveTask,
                };
                let class = self.names.record(kind, &call.name);
                let task = format!("new {class}({})", scope.terms(&call.args));
                let mut after = before.clone();
                if self.is_sequence {
                    given.network.push(format!(".Then({task})"));
                } else {
                    let network = given.network.concat();
                    let wanted = format!("with-{}", call.name);
                    let own = self.locals.variable(&wanted);
                    let added = format!("{network}.Add({task}, {})", before.join(", "));
                    self.named(depth, "set", added, &own);
                    after = vec![format!("{own}.Last")];
                    given.network = vec![own];
                }
                if let Some((leads_to, given)) = onto(self, 0, given, &after) {
                    self.go_on(&leads_to, given, depth);
                }
            }
            BlockText::Branch { text, formula } => {
                let text = format!("{}?", one_line(text));
                let sides = [0, 1].map(|side| onto(self, side, given.clone(), &before));
                let [holds, fails] = sides;
                let taken = self.locals.clone();
                self.line(depth, "comment", text);
                match (holds, fails) {
                    (Some((holds, given)), fails) => {
                        self.line(depth, "if", scope.formula(formula));
                        self.line(depth, "open", "");
                        self.go_on(&holds, given, depth + 1);
                        self.line(depth, "close", "");
                        self.locals = taken;
                        if let Some((fails, given)) = fails {
                            self.line(depth, "else", "");
                            self.line(depth, "open", "");
                            self.go_on(&fails, given, depth + 1);
                            self.line(depth, "close", "");
                        }
                    }
                    (None, Some((fails, given))) => {
                        self.line(depth, "if", scope.negated(formula));
                        self.line(depth, "open", "");
                        self.go_on(&fails, given, depth + 1);
                        self.line(depth, "close", "");
                    }
                    (None, None) => {}
                }
            }
            BlockText::Choice(labels) => {
                for (number, label) in labels.iter().enumerate() {
                    let Some((leads_to, given)) = onto(self, number, given.clone(), &before) else {
                        continue;
                    };
                    let taken = self.locals.clone();
                    let text = one_line(&format!("Alternative {}: {label}", number + 1));
                    self.line(depth, "comment", text.trim_end_matches(':').to_owned());
                    let braces = !self.is_sequence;
                    if braces {
                        self.line(depth, "open", "");
                    }
                    self.go_on(&leads_to, given, depth + usize::from(braces));
                    if braces {
                        self.line(depth, "close", "");
                    }
                    self.locals = taken;
                }
            }
            BlockText::Bind {
                variable,
                condition,
                order_by,
                text,
            } => {
                let of = self.names.of(&variable.of);
                let taken = self.locals.clone();
                let own = self.locals.variable(variable.name.as_str());
                if !text.trim().is_empty() {
                    let text = format!("?{} such that {}", variable.name, one_line(text));
                    self.line(depth, "comment", text);
                }
                let mut inner = depth + 1;
                let things = match order_by {
                    None => format!("s.All<{of}>()"),
                    Some(order) => {
                        let mut scope = scope.clone();
                        let each = self.locals.variable(&format!("each-{}", variable.name));
                        scope.locals = self.locals.clone();
                        scope.variables.insert(variable.name.clone(), each.clone());
                        let condition = condition.as_ref().map(|f| scope.formula(f));
                        let condition = condition.unwrap_or_else(|| "true".to_owned());
                        let order = scope.number(order);
                        format!("s.All<{of}>({each} => {condition}, {each} => {order})")
                    }
                };
                self.named(depth, "foreach", things, &own);
                self.line(depth, "open", "");
                scope.variables.insert(variable.name.clone(), own.clone());
                scope.locals = self.locals.clone();
                if let (Some(formula), None) = (condition, order_by) {
                    self.line(inner, "if", scope.formula(formula));
                    self.line(inner, "open", "");
                    inner += 1;
                }
                given.variables.insert(next, own);
                if let Some((leads_to, given)) = onto(self, 0, given, &before) {
                    self.go_on(&leads_to, given, inner);
                }
                while inner > depth {
                    inner -= 1;
                    self.line(inner, "close", "");
                }
                self.locals = taken;
            }
        }
    }
}

/// Adds what is not there yet.
fn extend(all: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

/// A text without its line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! Flowcharts as functions that yield one network after another.
//!
//! The blocks are written in the order of resolution: a Branch becomes an `if`, a Bind a `foreach`,
//! and the outputs of a Choice follow one another. Places that several paths lead to, or that would
//! be nested too deeply, become separate functions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::expression::Scope;
use super::names::{Given, Locals, Names, RUNTIME, pascal};
use super::places::{Place, Places};
use super::statements::{Function, Line, Statement, one_line};
use taskloom_document::Document;
use taskloom_document::stop::Stop;
use taskloom_domain::Domain;
use taskloom_domain::method::Content;
use taskloom_domain::records::Compound;
use taskloom_domain::text::values;

mod blocks;

/// The maximum nesting depth; deeper code continues in a separate function.
const DEEPEST: usize = 8;

/// The maximum recursion depth of the writer; more blocks go into a separate function, as the
/// writer's stack is small.
const MAX_NESTED: usize = 60;

/// The variables of the code at a place.
#[derive(Debug, Clone)]
struct Context {
    /// The network so far, as a chain of calls.
    network: Vec<String>,
    /// The predecessors of each pending block, as expressions.
    before: BTreeMap<u32, Vec<String>>,
    /// Variables of Bind blocks.
    variables: BTreeMap<u32, String>,
}

/// Writes a method's functions, the method itself first. `goal` is true if there is nothing to do.
/// `None` if the chart has too many places, or the stop was requested.
pub fn functions(
    domain: &Domain,
    names: &Names,
    compound: &Compound,
    goal: Option<String>,
    stop: &Stop,
) -> Option<Vec<Function>> {
    let named = |lines| Function::new(String::new(), String::new(), String::new(), lines);
    let nothing = goal.map(nothing_if).unwrap_or_default();
    let ways = domain.ways(compound);
    if ways.is_none() && compound.goal.is_some() {
        return Some(vec![named(nothing)]);
    }
    let places = Places::new(domain, ways?, stop);
    let start = places.settled(BTreeSet::from([0]), BTreeSet::new());
    let mut writer = Writer {
        document: domain.document(),
        names,
        compound,
        stop,
        is_sequence: places.is_sequence(),
        shared: places.shared(&start)?,
        places,
        parts: BTreeMap::new(),
        part_names: Given::default(),
        waiting: VecDeque::new(),
        lines: nothing,
        locals: Locals::default(),
        nested: 0,
    };
    let mut functions = vec![];
    let context = Context {
        network: vec!["Empty".to_owned()],
        before: BTreeMap::from([(0, vec!["Start".to_owned()])]),
        variables: BTreeMap::new(),
    };
    let context = writer.through(&start, context);
    writer.locals = writer.parameters();
    writer.place(&start, context, 0);
    let lines = std::mem::take(&mut writer.lines);
    functions.push(named(lines));
    while let Some(place) = writer.waiting.pop_front() {
        functions.push(writer.part(&place));
    }
    Some(functions)
}

/// Returns the lines that yield only the empty network if a goal is true.
fn nothing_if(goal: String) -> Vec<Line> {
    let line = |depth: usize, statement, text: String| Line {
        indent: "    ".repeat(depth),
        statement,
        text,
        name: String::new(),
    };
    vec![
        line(0, Statement::Comment, "The goal".to_owned()),
        line(0, Statement::If, goal),
        line(0, Statement::Open, String::new()),
        line(1, Statement::Yield, "Empty;".to_owned()),
        line(1, Statement::Plain, "yield break;".to_owned()),
        line(0, Statement::Close, String::new()),
    ]
}

/// The next block at a place.
struct Ahead<'m> {
    next: u32,
    /// The places that its options lead to.
    options: Vec<Option<Place>>,
    /// Its predecessors, as expressions.
    before: Vec<String>,
    context: Context,
    scope: Scope<'m>,
}

struct Writer<'m> {
    document: &'m Document,
    names: &'m Names,
    compound: &'m Compound,
    stop: &'m Stop,
    places: Places<'m>,
    is_sequence: bool,
    /// Places that several paths lead to.
    shared: BTreeSet<Place>,
    /// The names of the functions that continue from a place.
    parts: BTreeMap<Place, String>,
    part_names: Given,
    /// Places whose functions aren't written yet.
    waiting: VecDeque<Place>,
    lines: Vec<Line>,
    locals: Locals,
    /// See [`MAX_NESTED`].
    nested: usize,
}

impl<'m> Writer<'m> {
    /// Returns the names of the task's parameters, and others in use.
    fn parameters(&self) -> Locals {
        let mut locals = Locals::default();
        for param in &self.compound.record.params {
            locals.variable(param.name.as_str());
        }
        locals
    }

    /// Returns the context at a place after passing Begin and End blocks.
    fn through(&self, place: &Place, mut context: Context) -> Context {
        loop {
            let passed = context
                .before
                .keys()
                .copied()
                .find(|position| !place.pending.contains(position));
            let Some(position) = passed else {
                return context;
            };
            let before = context.before.remove(&position).unwrap_or_default();
            for target in self.places.targets(position, 0) {
                extend(context.before.entry(target).or_default(), &before);
            }
        }
    }

    /// Returns the variables and names that are visible to a block's texts.
    fn scope(&self, position: u32, context: &Context) -> Option<Scope<'m>> {
        let mut scope = Scope {
            document: self.document,
            names: self.names,
            variables: BTreeMap::new(),
            locals: Locals::default(),
            me: self.compound.type_of_me(),
            state: "s",
            home: String::new(),
        };
        for param in &self.compound.record.params {
            scope.bind(param);
        }
        scope.locals = self.locals.clone();
        for above in self.places.method.binds_above(position) {
            let variable = self.places.method.variable(above);
            if let (Some(variable), Some(own)) = (variable, context.variables.get(&above)) {
                scope.call(variable, own.clone());
            }
        }
        let used = self.places.uses.get(position as usize);
        let all_bound = used.is_none_or(|u| u.iter().all(|n| scope.variables.contains_key(n)));
        all_bound.then_some(scope)
    }

    fn line(&mut self, depth: usize, statement: Statement, text: impl Into<String>) {
        self.named(depth, statement, text, "");
    }

    fn named(&mut self, depth: usize, statement: Statement, text: impl Into<String>, name: &str) {
        self.lines.push(Line {
            indent: "    ".repeat(depth),
            statement,
            text: text.into(),
            name: name.to_owned(),
        });
    }

    /// Writes the continuation from a place: inline, or as a call.
    fn continue_at(&mut self, place: &Place, context: Context, depth: usize) {
        let is_short = depth < DEEPEST && self.nested < MAX_NESTED;
        if place.next.is_none() || (is_short && !self.shared.contains(place)) {
            self.nested += 1;
            self.place(place, context, depth);
            self.nested -= 1;
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
        let mut args = vec!["s".to_owned(), context.network.concat()];
        if !self.is_sequence {
            for position in &place.pending {
                let before = context.before.get(position).map(Vec::as_slice);
                args.push(match before.unwrap_or_default() {
                    [one] => one.clone(),
                    several => format!("Join({})", several.join(", ")),
                });
            }
        }
        for position in &place.bound {
            args.extend(context.variables.get(position).cloned());
        }
        self.named(depth, Statement::Go, args.join(", "), &name);
    }

    /// Writes the function that continues from a place.
    fn part(&mut self, place: &Place) -> Function {
        self.locals = self.parameters();
        let mut params = vec![format!("{RUNTIME}Network tasks")];
        let mut context = Context {
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
            context.before.insert(*position, before);
        }
        for position in &place.bound {
            if let Some(variable) = self.places.method.variable(*position) {
                let name = self.locals.variable(variable.name.as_str());
                params.push(format!("{} {name}", self.names.of(&variable.of)));
                context.variables.insert(*position, name);
            }
        }
        self.place(place, context, 0);
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

    /// Describes a block in words.
    fn described(&self, position: u32) -> String {
        match self.places.content(position) {
            Content::Pass => "end".to_owned(),
            Content::Task { call, .. } => {
                values([call]).map(|call| call.name.to_string()).collect()
            }
            Content::Branch(formula) => one_line(&formula.text),
            Content::Choice { .. } => "choice".to_owned(),
            Content::Bind { variable, .. } => format!("some {}", variable.name),
        }
    }

    /// Writes a place's next block and its continuation.
    fn place(&mut self, place: &Place, mut context: Context, depth: usize) {
        if self.stop.after(self.places.method.chart.wires.len()) {
            return;
        }
        let Some(next) = place.next else {
            self.network(context.network, depth);
            return;
        };
        let Some(scope) = self.scope(next, &context) else {
            // A variable is unbound on this path: it leads nowhere.
            return;
        };
        let before = context.before.remove(&next).unwrap_or_default();
        let block = Ahead {
            next,
            options: self.places.options(place),
            before,
            context,
            scope,
        };
        match self.places.content(next) {
            Content::Pass => {}
            Content::Task { call, .. } => self.task(block, call, depth),
            Content::Branch(formula) => self.branch(block, formula, depth),
            Content::Choice { alternatives, .. } => self.choice(block, alternatives, depth),
            Content::Bind {
                variable,
                condition,
                order_by,
                ..
            } => self.bind(block, variable, condition, order_by, depth),
        }
    }

    /// Writes a `yield` of a network.
    fn network(&mut self, mut calls: Vec<String>, depth: usize) {
        if let Some(last) = calls.last_mut() {
            last.push(';');
        }
        let short = calls.len() < 3;
        let rest = calls.split_off(if short { calls.len() } else { 2 });
        self.line(depth, Statement::Yield, calls.concat());
        for call in rest {
            self.line(depth + 1, Statement::More, call);
        }
    }
}

/// Adds the missing items.
fn extend(all: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

//! The plan format of the planning competition's HTN track (2020): steps in order, and the
//! decomposition of every compound task.
//!
//! ```text
//! ==>
//! 3 pick-up b1                               id, action, arguments
//! 4 stack b1 b2
//! root 0                                     ids of the initial tasks
//! 0 do-put-on b1 b2 -> m1-do-put-on 3 4      id, task, arguments, method, subtasks
//! <==
//! ```

use super::SyntaxError;
use super::ast::Ident;
use super::read::without_mark;
use super::step_list::{is_step_list, read_step_list};
use taskloom_document::diagnostic::Span;
use taskloom_document::stop::{Stop, Stopped};

/// An action of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedAction {
    /// Its unique id within the plan.
    pub id: u64,
    /// Its name, followed by its arguments.
    pub task: Vec<Ident>,
}

/// The decomposition of a compound task in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMethod {
    /// The task's unique id within the plan.
    pub id: u64,
    /// Its name, followed by its arguments.
    pub task: Vec<Ident>,
    /// The method.
    pub method: Ident,
    /// The subtasks, in any order.
    pub subtasks: Vec<u64>,
}

/// The contents of a plan file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanFile {
    /// The steps, in order of execution.
    pub steps: Vec<PlannedAction>,
    /// The initial tasks, in any order.
    pub roots: Vec<u64>,
    /// The compound tasks.
    pub decompositions: Vec<PlannedMethod>,
}

/// The result of reading a plan: the readable parts, and the errors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadPlan {
    /// The readable lines.
    pub plan: PlanFile,
    /// The errors, in text order.
    pub errors: Vec<SyntaxError>,
    /// `true` if it was a list of steps without decompositions, which are all initial tasks.
    pub is_step_list: bool,
}

/// Reads a plan. Ignores text before `==>` and after `<==`, where planners report their progress.
/// Plans of classical planners, one action in parentheses per line, are also read.
pub fn read_plan(text: &str) -> ReadPlan {
    read_all(text, &Stop::default())
}

/// Like [`read_plan`], but can be stopped.
///
/// # Errors
/// If it was stopped.
pub fn read_plan_cancellable(text: &str, stop: &Stop) -> Result<ReadPlan, Stopped> {
    stop.unless_cancelled(read_all(text, stop))
}

/// Returns a meaningless result if stopped.
fn read_all(text: &str, stop: &Stop) -> ReadPlan {
    let mut read = ReadPlan::default();
    let all = text.len();
    let text = without_mark(text);
    let is_line = |line: &str, mark: &str| line.trim() == mark;
    // Old files end lines with a carriage return alone.
    let mut lines = text.split(['\n', '\r']);
    let is_marked = lines.any(|line| stop.after(1) || is_line(line, "==>"));
    let mut is_inside = !is_marked;
    if !is_marked && is_step_list(text, stop) {
        let mut read = read_step_list(text, stop);
        read.shift((all - text.len()) as u32);
        return read;
    }
    let mut has_root = false;
    let mut at = all - text.len();
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at;
        at += line.len();
        if is_line(line, "==>") {
            is_inside = true;
            continue;
        }
        if is_line(line, "<==") {
            is_inside = false;
            break;
        }
        if stop.after(1) {
            break;
        }
        if !is_inside {
            continue;
        }
        let code = line.split(';').next().unwrap_or_default();
        let words = words(code, start, stop);
        match words.as_slice() {
            [] => {}
            [first, roots @ ..] if first.eq_ignore_ascii_case("root") => {
                if has_root {
                    read.error(first.span, "duplicate line 'root'");
                }
                has_root = true;
                read.plan.roots = roots.iter().filter_map(|word| read.id(word)).collect();
            }
            [id, task @ ..] => {
                if let Some(id) = read.id(id) {
                    read.task(id, task, first_span(&words));
                }
            }
        }
    }
    if !has_root {
        let end = Span::new(at, at);
        read.error(
            end,
            "expected a line 'root' with the ids of the initial tasks",
        );
    }
    if is_marked && is_inside {
        read.error(
            Span::new(at, at),
            "expected a line '<==' at the end of the plan",
        );
    }
    read
}

fn first_span(words: &[Ident]) -> Span {
    let first = words.first().map(|w| w.span).unwrap_or_default();
    let last = words.last().map(|w| w.span).unwrap_or_default();
    first.to(last)
}

/// Returns the words of a line. Some planners write parentheses around a task.
fn words(line: &str, start: usize, stop: &Stop) -> Vec<Ident> {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    let mut words = vec![];
    let mut from = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (from, is_blank(c)) {
            (None, false) => from = Some(at),
            (Some(first), true) => {
                if stop.after(1) {
                    break;
                }
                let text = line.get(first..at).unwrap_or_default();
                let span = Span::new(start + first, start + at);
                words.push(Ident::new(text.into(), span));
                from = None;
            }
            _ => {}
        }
    }
    words
}

impl ReadPlan {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        let message = message.into();
        self.errors.push(SyntaxError { span, message });
    }

    /// Moves all spans.
    fn shift(&mut self, by: u32) {
        let words = self.plan.steps.iter_mut().flat_map(|step| &mut step.task);
        let spans = words.map(|word| &mut word.span);
        for span in spans.chain(self.errors.iter_mut().map(|error| &mut error.span)) {
            span.start += by;
            span.end += by;
        }
    }

    fn id(&mut self, word: &Ident) -> Option<u64> {
        let id = word.parse().ok();
        if id.is_none() {
            self.error(
                word.span,
                format!("expected the id of a task, found '{word}'"),
            );
        }
        id
    }

    fn task(&mut self, id: u64, words: &[Ident], line: Span) {
        let arrow = words.iter().position(|word| *word == "->");
        let task = words
            .get(..arrow.unwrap_or(words.len()))
            .unwrap_or_default();
        if task.is_empty() {
            return self.error(line, "expected a task after the id");
        }
        let Some(arrow) = arrow else {
            self.plan.steps.push(PlannedAction {
                id,
                task: task.to_vec(),
            });
            return;
        };
        let Some((method, subtasks)) = words.get(arrow + 1..).and_then(<[Ident]>::split_first)
        else {
            return self.error(line, "expected a method after '->'");
        };
        let subtasks = subtasks.iter().filter_map(|word| self.id(word)).collect();
        self.plan.decompositions.push(PlannedMethod {
            id,
            task: task.to_vec(),
            method: method.clone(),
            subtasks,
        });
    }
}

/// Returns the text of a plan.
pub fn write_plan(plan: &PlanFile) -> String {
    let listed = |out: &mut String, words: &mut dyn Iterator<Item = String>| {
        for word in words {
            out.push(' ');
            out.push_str(&word);
        }
    };
    let mut out = String::from("==>\n");
    for step in &plan.steps {
        out += &step.id.to_string();
        listed(&mut out, &mut step.task.iter().map(Ident::to_string));
        out.push('\n');
    }
    out += "root";
    listed(&mut out, &mut plan.roots.iter().map(u64::to_string));
    out.push('\n');
    for decomposition in &plan.decompositions {
        out += &decomposition.id.to_string();
        listed(
            &mut out,
            &mut decomposition.task.iter().map(Ident::to_string),
        );
        out += &format!(" -> {}", decomposition.method);
        let mut subtasks = decomposition.subtasks.iter().map(u64::to_string);
        listed(&mut out, &mut subtasks);
        out.push('\n');
    }
    out + "<==\n"
}

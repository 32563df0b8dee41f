//! Completions at the caret. Works on tokens, so the text may be incomplete.

use taskloom_document::diagnostic::Span;
use taskloom_document::sort::CompactSort;
use taskloom_document::{Kind, Name, Param, ValueKind};

use super::TextRole;
use super::typing::Scope;
use taskloom_document::syntax::ast::{Aggregate, Function};
use taskloom_document::syntax::{TokenClass, TokenKind, lex};

mod arguments;
mod context;

#[cfg(test)]
mod tests;

pub use arguments::Arguments;
use context::{Context, Expected};

/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 100;

/// A completion at the caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The label in the list.
    pub label: String,
    /// The replacement for `replace`, with proposed arguments: `at(?place)`
    pub insert: String,
    /// The part of `insert` that is selected afterwards, in bytes: the first argument to choose. If
    /// it is empty, the caret is there.
    pub selected: Span,
    /// The kind of the candidate.
    pub kind: CandidateKind,
    /// The parameters and type, shown next to the label.
    pub detail: String,
    /// The word at the caret; empty if there is none.
    pub replace: Span,
}

/// The kinds of [`Candidate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CandidateKind {
    /// A fact.
    Fact,
    /// A named condition.
    Condition,
    /// A variable of the record or of a quantifier around the caret.
    Variable,
    /// An object.
    Object,
    /// A primitive or compound task.
    Task,
    /// An action.
    Action,
    /// A type.
    Type,
    /// A keyword of the language.
    Keyword,
}

/// Returns the completions at a byte offset of a text, the most likely first: matches of the
/// beginning before matches of single letters, and candidates that fit the position before those
/// that don't.
pub fn complete(text: &str, offset: usize, role: TextRole, scope: &Scope) -> Vec<Candidate> {
    let offset = text.floor_char_boundary(offset);
    let mut tokens = lex(text);
    tokens.retain(|token| (token.span.start as usize) < offset);
    let at_caret = tokens.last().filter(|t| t.span.end as usize >= offset);
    let word = at_caret.filter(|token| {
        let class = token.kind.class();
        let is_word = matches!(
            class,
            TokenClass::Name | TokenClass::Variable | TokenClass::Keyword
        );
        let ascii = text.get(token.span.range()).is_some_and(str::is_ascii);
        let starts = text
            .get(token.span.range())
            .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '?'));
        (is_word || token.kind == TokenKind::Unknown) && ascii && starts
    });
    let replace = match (word, at_caret) {
        (Some(word), _) => word.span,
        (None, Some(token)) if token.kind == TokenKind::Number => return vec![],
        _ => Span::new(offset, offset),
    };
    if word.is_some() {
        tokens.pop();
    }
    let typed = text.get(replace.start as usize..offset).unwrap_or("");
    let followed_by_args = text
        .get(replace.end as usize..)
        .is_some_and(|rest| rest.trim_start().starts_with('('));

    let context = Context::new(text, &tokens, role, scope);
    let mut candidates = Candidates {
        scope,
        typed,
        found: vec![],
    };
    candidates.add_all(&context);
    candidates.found.compact_sort_by(|a, b| {
        let key = |ranked_candidate: &RankedCandidate| {
            (
                ranked_candidate.rank == Rank::Unfit,
                ranked_candidate.matched,
                ranked_candidate.rank,
            )
        };
        // The acting object comes first among the variables.
        let order = |label: &str| (label != "?me", label.to_owned());
        let by_label = || order(&a.candidate.label).cmp(&order(&b.candidate.label));
        key(a).cmp(&key(b)).then_with(by_label)
    });
    let ranked = candidates.found.into_iter().take(MAX_CANDIDATES);
    ranked
        .map(|ranked_candidate| {
            let mut candidate = ranked_candidate.candidate;
            candidate.replace = replace;
            let mut selected = candidate.insert.len()..candidate.insert.len();
            if ranked_candidate.takes_args && !followed_by_args {
                let params = &ranked_candidate.params;
                let Arguments { text, open } = Arguments::propose(params, scope, &context.bound);
                let start = candidate.insert.len() + 1;
                candidate.insert.push_str(&format!("({text})"));
                let end = candidate.insert.len();
                selected = match open {
                    Some(open) => start + open.start..start + open.end,
                    None if params.is_empty() => start..start,
                    None => end..end,
                };
            }
            candidate.selected = Span::new(selected.start, selected.end);
            candidate
        })
        .collect()
}

/// The fit of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Exactly what is expected.
    Fits,
    /// The start of what is expected.
    Begins,
    /// Possible, but rarely meant.
    Possible,
    /// Wrong; offered only because its name begins with the typed word.
    Unfit,
}

struct RankedCandidate {
    candidate: Candidate,
    /// 0: the label begins with the typed word; 1: a part of it does; 2: it contains its letters.
    matched: u8,
    rank: Rank,
    takes_args: bool,
    /// The parameters for which arguments are proposed.
    params: Vec<Param>,
}

struct Candidates<'a> {
    scope: &'a Scope<'a>,
    /// The word up to the caret.
    typed: &'a str,
    found: Vec<RankedCandidate>,
}

impl Candidates<'_> {
    fn add_all(&mut self, context: &Context) {
        match &context.expected {
            Expected::Nothing => {}
            Expected::Keywords(words) => self.keywords(words, Rank::Fits),
            Expected::Of(words) => {
                self.keywords(&["of"], Rank::Fits);
                self.keywords(words, Rank::Fits);
            }
            Expected::Type => self.types(),
            Expected::Formula => {
                self.facts(&|value| match value {
                    ValueKind::Boolean => Rank::Fits,
                    _ => Rank::Begins,
                });
                self.conditions(Rank::Fits);
                self.keywords(&["not", "exists", "forall"], Rank::Begins);
                self.keywords(&["true", "false"], Rank::Possible);
                if !self.typed.is_empty() {
                    self.aggregates();
                    self.time(Rank::Begins);
                }
                self.variables(context, &|_| Rank::Possible);
                self.objects(&|_| Rank::Possible);
            }
            Expected::Number => {
                self.facts(&|value| match value {
                    ValueKind::Number { .. } => Rank::Fits,
                    _ => Rank::Unfit,
                });
                self.aggregates();
                self.time(Rank::Possible);
            }
            Expected::Object(of) => {
                let fits = |is: &Name| match of {
                    Some(of) if !self.scope.fits(is, of) => Rank::Unfit,
                    _ => Rank::Fits,
                };
                self.terms(context, &fits, Rank::Unfit);
            }
            Expected::NumberOrObject => {
                self.terms(context, &|_| Rank::Fits, Rank::Fits);
                self.aggregates();
                self.time(Rank::Possible);
            }
            Expected::Fact(words) => {
                self.facts(&|_| Rank::Fits);
                self.keywords(words, Rank::Begins);
            }
            Expected::BooleanFact => self.facts(&|value| match value {
                ValueKind::Boolean => Rank::Fits,
                _ => Rank::Unfit,
            }),
            Expected::Task => self.tasks(),
            Expected::Action => self.actions(),
        }
    }

    /// Adds a candidate if it matches the word at the caret.
    fn add(
        &mut self,
        kind: CandidateKind,
        label: String,
        detail: String,
        rank: Rank,
        takes_args: bool,
    ) {
        let Some(matched) = matches(self.typed, &label) else {
            return;
        };
        if rank == Rank::Unfit && (self.typed.is_empty() || matched > 0) {
            return;
        }
        self.found.push(RankedCandidate {
            candidate: Candidate {
                insert: label.clone(),
                label,
                selected: Span::default(),
                kind,
                detail,
                replace: Span::default(),
            },
            matched,
            rank,
            takes_args,
            params: vec![],
        });
    }

    fn add_with_params(
        &mut self,
        kind: CandidateKind,
        name: &Name,
        params: &[Param],
        of: &str,
        rank: Rank,
    ) {
        let list: Vec<String> = params.iter().map(Param::to_string).collect();
        let list = match list.is_empty() {
            true => String::new(),
            false => format!("({})", list.join(", ")),
        };
        let detail = match (list.is_empty(), of.is_empty()) {
            (false, false) => format!("{list}: {of}"),
            _ => format!("{list}{of}"),
        };
        let count = self.found.len();
        self.add(kind, name.to_string(), detail, rank, !params.is_empty());
        for added in self.found.iter_mut().skip(count) {
            added.params = params.to_vec();
        }
    }

    fn keywords(&mut self, words: &[&str], rank: Rank) {
        for word in words {
            let (label, detail) = ((*word).to_owned(), String::new());
            self.add(CandidateKind::Keyword, label, detail, rank, false);
        }
    }

    /// Adds the words of aggregates, and of the functions that no fact or condition hides.
    fn aggregates(&mut self) {
        for aggregate in Aggregate::ALL {
            let (label, detail) = (aggregate.word().to_owned(), "?x: type. ...".to_owned());
            self.add(CandidateKind::Keyword, label, detail, Rank::Possible, false);
        }
        for function in Function::ALL {
            if self.scope.function(&function.name()).is_some() {
                let detail = match function.arity() {
                    1 => "(number)",
                    _ => "(number, number)",
                };
                let (label, detail) = (function.word().to_owned(), detail.to_owned());
                self.add(CandidateKind::Keyword, label, detail, Rank::Possible, true);
            }
        }
    }

    /// Adds `time`, the word for the current tick.
    fn time(&mut self, rank: Rank) {
        if self.scope.is_time(&Name::time()) {
            let (label, detail) = ("time".to_owned(), "number: the current tick".to_owned());
            self.add(CandidateKind::Keyword, label, detail, rank, false);
        }
    }

    fn facts(&mut self, rank: &dyn Fn(&ValueKind) -> Rank) {
        for (name, fact) in &self.scope.document.facts {
            let of = match &fact.value {
                ValueKind::Boolean => "",
                ValueKind::Number { .. } => "number",
                ValueKind::Object(of) => of.as_str(),
            };
            let rank = rank(&fact.value);
            self.add_with_params(CandidateKind::Fact, name, &fact.params, of, rank);
        }
    }

    fn conditions(&mut self, rank: Rank) {
        for (name, condition) in &self.scope.document.conditions {
            self.add_with_params(CandidateKind::Condition, name, &condition.params, "", rank);
        }
    }

    fn variables(&mut self, context: &Context, rank: &dyn Fn(&Name) -> Rank) {
        if let Some(me) = &self.scope.me {
            let (label, detail) = ("?me".to_owned(), me.of.to_string());
            self.add(CandidateKind::Variable, label, detail, rank(&me.of), false);
        }
        for Param { name, of } in self.scope.variables.iter().chain(&context.bound) {
            let label = format!("?{name}");
            self.add(
                CandidateKind::Variable,
                label,
                of.to_string(),
                rank(of),
                false,
            );
        }
    }

    fn objects(&mut self, rank: &dyn Fn(&Name) -> Rank) {
        for (name, object) in self.scope.objects() {
            let (label, detail) = (name.to_string(), object.of.to_string());
            self.add(
                CandidateKind::Object,
                label,
                detail,
                rank(&object.of),
                false,
            );
        }
    }

    /// Adds variables, objects, object facts and number facts.
    fn terms(&mut self, context: &Context, rank: &dyn Fn(&Name) -> Rank, number: Rank) {
        self.variables(context, rank);
        self.objects(rank);
        self.facts(&|value| match value {
            ValueKind::Boolean => Rank::Unfit,
            ValueKind::Number { .. } => number,
            ValueKind::Object(of) => rank(of).max(Rank::Begins),
        });
    }

    fn types(&mut self) {
        for (name, of) in &self.scope.document.types {
            let (label, detail) = (name.to_string(), of.parent.to_string());
            self.add(CandidateKind::Type, label, detail, Rank::Fits, false);
        }
        let detail = String::new();
        self.add(
            CandidateKind::Type,
            "object".into(),
            detail,
            Rank::Begins,
            false,
        );
    }

    fn tasks(&mut self) {
        let document = self.scope.document;
        let of = |kind: Kind| kind.label();
        for (name, task) in &document.primitive_tasks {
            let of = of(Kind::PrimitiveTask);
            self.add_with_params(CandidateKind::Task, name, &task.params, of, Rank::Fits);
        }
        for (name, task) in &document.compound_tasks {
            let of = of(Kind::CompoundTask);
            self.add_with_params(CandidateKind::Task, name, &task.params, of, Rank::Fits);
        }
    }

    fn actions(&mut self) {
        for (name, action) in &self.scope.document.actions {
            self.add_with_params(CandidateKind::Action, name, &action.params, "", Rank::Fits);
        }
    }
}

/// Matches a word against a label: 0 if the label begins with it, 1 if a part of the label after
/// `-`, `_` or `?` does, 2 if the label contains its letters in order.
fn matches(typed: &str, label: &str) -> Option<u8> {
    let begins = |label: &str| {
        let start = label.get(..typed.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    if begins(label) {
        return Some(0);
    }
    if typed.starts_with('?') && !label.starts_with('?') {
        return None;
    }
    let mut parts = label.match_indices(['-', '_', '?']);
    if parts.any(|(at, _)| label.get(at + 1..).is_some_and(begins)) {
        return Some(1);
    }
    let mut letters = label.bytes();
    let mut typed = typed.bytes();
    typed
        .all(|t| letters.any(|l| l.eq_ignore_ascii_case(&t)))
        .then_some(2)
}

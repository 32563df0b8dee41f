//! `(define ...)` and its sections.

use super::Read;
use super::cursor::{Cursor, Item, Words};
use super::network::NetworkDraft;
use crate::syntax::ast::{Action, Domain, Effect, Formula, Method, Problem, Signature, Typed};
use taskloom_document::diagnostic::Span;

use keywords::{ACTION, DOMAIN, Keywords, METHOD, PROBLEM, TASK, not_allowed};

mod keywords;
mod problem;

impl Words<'_> {
    /// Reads one `(define (domain ...` or `(define (problem ...`.
    pub fn definition(&mut self, mut list: Cursor, read: &mut Read) {
        const WHAT: &str = "'(domain NAME)' or '(problem NAME)'";
        if !self.is_next(&list, "define") {
            return self.expected(&list, "'define'");
        }
        self.next(&mut list);
        let Some(mut head) = self.list(&mut list, WHAT) else {
            return;
        };
        let is_domain = self.is_next(&head, "domain");
        if !is_domain && !self.is_next(&head, "problem") {
            return self.expected(&head, WHAT);
        }
        self.next(&mut head);
        let name = self.name(&mut head, "a name").unwrap_or_default();
        self.expect_end(&head, "the name");
        let twice = match is_domain {
            true => read.domain.is_some(),
            false => read.problem.is_some(),
        };
        if twice {
            let what = if is_domain { "domain" } else { "problem" };
            self.error(head.span, format!("this file has a second {what}"));
            return;
        }
        match is_domain {
            true => {
                let mut domain = Domain {
                    name,
                    ..Domain::default()
                };
                self.sections(list, DOMAIN, |words, keyword, span, section| {
                    words.domain_section(keyword, span, section, &mut domain)
                });
                read.domain = Some(domain);
            }
            false => {
                let mut problem = Problem {
                    name,
                    ..Problem::default()
                };
                self.sections(list, PROBLEM, |words, keyword, span, section| {
                    words.problem_section(keyword, span, section, &mut problem)
                });
                read.problem = Some(problem);
            }
        }
    }

    fn sections(
        &mut self,
        mut list: Cursor,
        known: Keywords,
        mut each: impl FnMut(&mut Self, &str, Span, Cursor) -> bool,
    ) {
        while let Some(item) = self.next(&mut list) {
            let span = item.span();
            let Item::List(mut section) = item else {
                let found = self.shown(span);
                self.error(span, format!("expected a section, found {found}"));
                continue;
            };
            let Some(keyword) = self.next_word(&mut section) else {
                self.expected(&section, "a section such as ':predicates'");
                continue;
            };
            let word = self.text(keyword).to_ascii_lowercase();
            if !each(self, &word, keyword, section) {
                let what = match word.as_str() {
                    ":durative-action" => "durative actions are not supported",
                    ":durative-method" => "durative methods are not supported",
                    ":derived" | ":axiom" => "derived predicates are not supported",
                    ":process" => "processes are not supported",
                    ":event" => "events are not supported",
                    ":constraints" => "trajectory constraints are not supported",
                    _ => "",
                };
                let message = match what {
                    "" => not_allowed(&word, "this section isn't allowed here", known),
                    what => format!("'{word}': {what}"),
                };
                self.error(keyword, message);
            }
        }
    }

    fn domain_section(
        &mut self,
        keyword: &str,
        _: Span,
        mut section: Cursor,
        domain: &mut Domain,
    ) -> bool {
        match keyword {
            ":requirements" => {
                while let Some(item) = self.next(&mut section) {
                    match item {
                        Item::Word(span) => domain.requirements.push(self.ident(span)),
                        Item::List(list) => {
                            let found = self.shown(list.span);
                            self.error(list.span, format!("expected a word, found {found}"));
                        }
                    }
                }
            }
            ":types" => domain.types.extend(self.typed(section, false)),
            ":constants" => domain.constants.extend(self.typed(section, false)),
            ":predicates" => {
                while !section.is_empty() {
                    match self.list(&mut section, "a predicate such as '(at ?x - place)'") {
                        Some(predicate) => {
                            domain
                                .predicates
                                .extend(self.signature(predicate, "a predicate"));
                        }
                        None => {
                            self.next(&mut section);
                        }
                    }
                }
            }
            ":functions" => self.functions(section, &mut domain.functions),
            ":task" => domain.tasks.extend(self.task(section)),
            ":method" => domain.methods.extend(self.method(section)),
            ":action" => domain.actions.extend(self.action(section)),
            _ => return false,
        }
        true
    }

    /// Reads `(name ?a - t)`.
    fn signature(&mut self, mut list: Cursor, what: &str) -> Option<Signature> {
        let name = self.name(&mut list, what)?;
        let params = self.typed(list, true);
        Some(Signature { name, params })
    }

    /// Reads functions, whose values may be declared as numbers: `(f ?x) - number`.
    fn functions(&mut self, mut section: Cursor, functions: &mut Vec<Signature>) {
        while !section.is_empty() {
            if let Some(Item::Word(dash)) = self.peek(&section)
                && self.text(dash).starts_with('-')
            {
                for of in self.kind_of(&mut section) {
                    if of != *"number" {
                        let why = "functions whose values are objects are not supported";
                        self.error(of.span, format!("expected 'number', found '{of}': {why}"));
                    }
                }
                continue;
            }
            match self.list(&mut section, "a function such as '(fuel ?x - truck)'") {
                Some(function) => functions.extend(self.signature(function, "a function")),
                None => {
                    self.next(&mut section);
                }
            }
        }
    }

    /// Reads the keywords of a section and their values.
    fn keywords(
        &mut self,
        mut list: Cursor,
        known: Keywords,
        mut each: impl FnMut(&mut Self, &str, &mut Cursor) -> bool,
    ) {
        let mut seen: Vec<String> = vec![];
        while let Some(item) = self.peek(&list) {
            let span = item.span();
            let word = match item {
                Item::Word(span) if self.text(span).starts_with(':') => {
                    self.text(span).to_ascii_lowercase()
                }
                _ => {
                    self.expected(&list, "a keyword such as ':parameters'");
                    self.next(&mut list);
                    continue;
                }
            };
            self.next(&mut list);
            // A keyword directly before the next one has no value.
            let has_value = match self.peek(&list) {
                Some(Item::Word(next)) => !self.text(next).starts_with(':'),
                Some(Item::List(_)) => true,
                None => false,
            };
            if !has_value {
                self.error(span, format!("expected a value after '{word}'"));
                continue;
            }
            if seen.contains(&word) {
                self.error(span, format!("duplicate '{word}'"));
                self.next(&mut list);
                continue;
            }
            if !each(self, &word, &mut list) {
                let what = match word.as_str() {
                    ":duration" | ":condition" | ":time-constraints" | ":timing" => {
                        "durations are not supported"
                    }
                    ":observe" | ":sensing" => "uncertain facts and effects are not supported",
                    ":effect" | ":effects" if known == METHOD => {
                        "effects of methods are not supported"
                    }
                    _ => "",
                };
                let message = match what {
                    "" => not_allowed(&word, "this isn't allowed here", known),
                    what => format!("'{word}': {what}"),
                };
                self.error(span, message);
                self.next(&mut list);
            }
            seen.push(word);
        }
    }

    fn parameters(&mut self, list: &mut Cursor) -> Vec<Typed> {
        match self.list(list, "the list of parameters") {
            Some(params) => self.typed(params, true),
            None => {
                self.next(list);
                vec![]
            }
        }
    }

    fn task(&mut self, mut section: Cursor) -> Option<Signature> {
        let name = self.name(&mut section, "the name of the task")?;
        let mut params = vec![];
        self.keywords(section, TASK, |words, keyword, list| match keyword {
            ":parameters" => {
                params = words.parameters(list);
                true
            }
            // Some files state a task's preconditions and effects, which planners ignore.
            ":precondition" | ":effect" => {
                words.next(list);
                true
            }
            _ => false,
        });
        Some(Signature { name, params })
    }

    fn method(&mut self, mut section: Cursor) -> Option<Method> {
        let name = self.name(&mut section, "the name of the method")?;
        let mut params = vec![];
        let mut task = None;
        let mut precondition = Formula::TRUE;
        let mut draft = NetworkDraft::default();
        self.keywords(section, METHOD, |words, keyword, list| match keyword {
            ":parameters" => {
                params = words.parameters(list);
                true
            }
            ":task" => {
                task = words.atom(list, "a task such as '(deliver ?p)'");
                true
            }
            ":precondition" => {
                precondition = words.formula(list, "a formula");
                true
            }
            _ => words.network_part(keyword, list, &mut draft),
        });
        let network = self.network(draft);
        let Some(task) = task else {
            let message = format!("the method '{name}' has no ':task'");
            self.error(name.span, message);
            return None;
        };
        Some(Method {
            comment: String::new(),
            signature: Signature { name, params },
            task,
            precondition,
            network,
        })
    }

    fn action(&mut self, mut section: Cursor) -> Option<Action> {
        let name = self.name(&mut section, "the name of the action")?;
        let mut params = vec![];
        let mut precondition = Formula::TRUE;
        let mut effects: Vec<Effect> = vec![];
        self.keywords(section, ACTION, |words, keyword, list| match keyword {
            ":parameters" => {
                params = words.parameters(list);
                true
            }
            ":precondition" => {
                precondition = words.formula(list, "a formula");
                true
            }
            ":effect" => {
                words.effect(list, &mut effects);
                true
            }
            _ => false,
        });
        Some(Action {
            comment: String::new(),
            signature: Signature { name, params },
            precondition,
            effects,
        })
    }
}

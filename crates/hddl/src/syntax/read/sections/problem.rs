//! The sections of a problem.

use super::super::cursor::{Cursor, Item, Words};
use super::super::formula::FUNCTION;
use super::super::network::NetworkDraft;
use super::keywords::NETWORK;
use crate::syntax::ast::{Atom, Metric, Number, Problem};
use taskloom_document::diagnostic::Span;

impl Words<'_> {
    pub(super) fn problem_section(
        &mut self,
        keyword: &str,
        at: Span,
        mut section: Cursor,
        problem: &mut Problem,
    ) -> bool {
        match keyword {
            ":domain" => problem.domain = self.name(&mut section, "a name").unwrap_or_default(),
            ":requirements" => {}
            ":objects" => problem.objects.extend(self.typed(section, false)),
            ":init" => self.initial(section, problem),
            ":goal" => {
                if !problem.goal.is_true() {
                    self.error(at, "duplicate ':goal'");
                }
                if !section.is_empty() {
                    problem.goal = self.formula(&mut section, "a formula");
                    self.expect_end(&section, "the goal");
                }
            }
            ":htn" | ":htn-ti" | ":htnti" => {
                if problem.network.is_some() {
                    self.error(at, "duplicate ':htn'");
                }
                let mut params = vec![];
                let mut draft = NetworkDraft::default();
                self.keywords(section, NETWORK, |words, keyword, list| match keyword {
                    ":parameters" => {
                        params = words.parameters(list);
                        true
                    }
                    _ => words.network_part(keyword, list, &mut draft),
                });
                let mut network = self.network(draft);
                network.params = params;
                problem.network = Some(network);
            }
            ":metric" => self.metric(section, problem),
            _ => return false,
        }
        true
    }

    fn metric(&mut self, mut section: Cursor, problem: &mut Problem) {
        let direction = match self.peek(&section) {
            Some(Item::Word(span)) if self.is(span, "minimize") || self.is(span, "maximize") => {
                self.next(&mut section);
                self.ident(span)
            }
            _ => return self.expected(&section, "'minimize'"),
        };
        // Files have it with and without parentheses.
        let value = match self.peek(&section) {
            Some(Item::Word(span)) if self.is(span, "total-time") => {
                self.next(&mut section);
                let name = self.ident(span);
                Some(Number::Function(Atom { name, args: vec![] }))
            }
            _ => self.number(&mut section),
        };
        self.expect_end(&section, "the metric");
        problem
            .metrics
            .extend(value.map(|value| Metric { direction, value }));
    }

    /// Returns `true` if a list in `:init` begins an unsupported feature.
    fn is_unsupported_fact(&mut self, list: &Cursor) -> bool {
        let mut rest = *list;
        match self.next_word(&mut rest) {
            Some(head) => self.is_unsupported(head, &rest),
            None => false,
        }
    }

    fn initial(&mut self, mut section: Cursor, problem: &mut Problem) {
        while !section.is_empty() {
            let Some(list) = self.list(&mut section, "a fact such as '(at box shed)'") else {
                self.next(&mut section);
                continue;
            };
            let mut value = list;
            if self.is_next(&list, "=") {
                self.next(&mut value);
                let function = self.atom(&mut value, FUNCTION);
                let number = self.value(&mut value);
                self.expect_end(&value, "'='");
                if let (Some(function), Some(number)) = (function, number) {
                    problem.numbers.push((function, number));
                }
            } else if self.is_next(&list, "and") {
                self.next(&mut value);
                self.initial(value, problem);
            } else if self.is_next(&list, "not") {
                // Facts are false by default.
                self.next(&mut value);
                problem.denied.extend(self.atom(&mut value, "a fact"));
            } else if self.is_unsupported_fact(&list) {
                // Already reported.
            } else if let Some(fact) = self.atom_in(list, "a fact") {
                problem.facts.push(fact);
            }
        }
    }
}

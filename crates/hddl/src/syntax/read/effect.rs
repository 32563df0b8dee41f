//! Effects, flattened into single changes, each with its quantified variables and its condition.
//!
//! A single change has all its variables before its condition. So an inner variable is renamed if
//! an outer condition or an outer `forall` uses its name.

use rustc_hash::FxHashSet;

use super::cursor::{Cursor, Words};
use super::formula::FUNCTION;
use crate::syntax::ast::{Change, Effect, Formula};
use crate::syntax::variables::{free, rename_quantified};

impl Words<'_> {
    /// Reads the next item as an effect; `()` changes nothing.
    pub fn effect(&mut self, list: &mut Cursor, found: &mut Vec<Effect>) {
        match self.list(list, "an effect") {
            Some(inner) => self.effect_in(inner, found),
            None => {
                self.next(list);
            }
        }
    }

    fn effect_in(&mut self, mut list: Cursor, found: &mut Vec<Effect>) {
        if list.is_empty() {
            return;
        }
        let start = list;
        let Some(head) = self.next_word(&mut list) else {
            self.expected(&list, "a predicate, 'and', 'not', 'when' or 'forall'");
            return;
        };
        let word = self.text(head).to_ascii_lowercase();
        let change = match word.as_str() {
            "and" => {
                while !list.is_empty() {
                    match self.list(&mut list, "an effect") {
                        Some(inner) => self.effect_in(inner, found),
                        None => {
                            self.next(&mut list);
                        }
                    }
                }
                return;
            }
            "forall" => {
                let variables = self.list(&mut list, "the list of variables");
                let variables = variables.map(|v| self.typed(v, true)).unwrap_or_default();
                let names = variables.iter().map(|typed| typed.name.to_string());
                let names: FxHashSet<String> = names.collect();
                let first = found.len();
                if let Some(inner) = self.list(&mut list, "an effect") {
                    self.effect_in(inner, found);
                }
                for effect in found.iter_mut().skip(first) {
                    rename_quantified(effect, &names);
                    effect.forall.splice(0..0, variables.iter().cloned());
                }
                return self.expect_end(&list, "'forall'");
            }
            "when" => {
                let condition = self.formula(&mut list, "the condition of 'when'");
                let names = free(&condition);
                let first = found.len();
                if let Some(inner) = self.list(&mut list, "an effect") {
                    self.effect_in(inner, found);
                }
                for effect in found.iter_mut().skip(first) {
                    rename_quantified(effect, &names);
                    let inner = std::mem::take(&mut effect.when);
                    effect.when = match inner.is_true() {
                        true => condition.clone(),
                        false => Formula::And(vec![condition.clone(), inner]),
                    };
                }
                return self.expect_end(&list, "'when'");
            }
            "not" => {
                let atom = self.atom(&mut list, "a predicate");
                self.expect_end(&list, "'not'");
                atom.map(Change::Delete)
            }
            "assign" | "increase" | "decrease" => {
                let function = self.atom(&mut list, FUNCTION);
                let number = self.number(&mut list);
                self.expect_end(&list, &format!("'{word}'"));
                match (function, number) {
                    (Some(function), Some(number)) => Some(match word.as_str() {
                        "assign" => Change::Assign(function, number),
                        "increase" => Change::Increase(function, number),
                        _ => Change::Decrease(function, number),
                    }),
                    _ => None,
                }
            }
            _ if self.is_unsupported(head, &list) => None,
            _ => self.atom_in(start, "a predicate").map(Change::Add),
        };
        found.extend(change.map(|change| Effect {
            forall: vec![],
            when: Formula::TRUE,
            change,
        }));
    }
}

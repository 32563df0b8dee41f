//! Queries of Bind blocks: questions that a game answers with objects while it plans.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::flat::Flat;
use super::problem::Problem;
use crate::plan::AtomKey;
use taskloom_document::Name;

/// A query with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundQuery {
    /// Its name.
    pub name: Name,
    /// Its arguments, objects by their names.
    pub args: Vec<Name>,
}

impl fmt::Display for GroundQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<&str> = self.args.iter().map(Name::as_str).collect();
        write!(f, "{}({})", self.name, args.join(", "))
    }
}

/// A query with the game's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAnswer {
    /// The query.
    pub query: GroundQuery,
    /// The objects, in the order in which they are tried; `None` if the game doesn't answer the query.
    pub objects: Option<Vec<Name>>,
}

impl fmt::Display for QueryAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { query, objects } = self;
        let Some(objects) = objects else {
            return write!(f, "the game didn't answer {query}");
        };
        let names: Vec<&str> = objects.iter().map(Name::as_str).collect();
        match &names[..] {
            [] => write!(f, "the game answered {query} with no object"),
            names => write!(f, "the game answered {query} with {}", names.join(", ")),
        }
    }
}

/// The answers that a search may use. What it asks in addition is noted.
#[derive(Debug, Default)]
pub struct Answers {
    /// The objects, by the query's number and arguments; `None` if the game doesn't answer the query.
    known: FxHashMap<AtomKey, Option<Arc<[u32]>>>,
    /// The queries that have an answer, in the order in which they were asked.
    order: Vec<AtomKey>,
    /// The queries without an answer so far, in the order in which they were met.
    asked: Mutex<Vec<AtomKey>>,
    /// `true` if there are any.
    is_open: AtomicBool,
}

impl Answers {
    /// Returns the answer to a query: `Some(None)` if the game doesn't answer it. Without one so far, notes
    /// the query and returns `None`; nothing that the search finds then counts.
    pub fn to(&self, query: &AtomKey) -> Option<Option<&Arc<[u32]>>> {
        let known = self.known.get(query);
        if known.is_none() {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            if !asked.contains(query) {
                asked.push(query.clone());
            }
            self.is_open.store(true, Ordering::Relaxed);
        }
        known.map(Option::as_ref)
    }
}

impl Flat {
    /// Returns a query by its number and arguments.
    pub fn query(&self, key: &AtomKey) -> Option<GroundQuery> {
        let (number, args) = key.split_first()?;
        let args = args.iter().map(|object| self.objects.get(*object as usize));
        Some(GroundQuery {
            name: self.queries.get(*number as usize)?.clone(),
            args: args.map(|object| object.cloned()).collect::<Option<_>>()?,
        })
    }

    /// Returns the number and arguments of a query, if they belong to this domain.
    fn query_key(&self, query: &GroundQuery) -> Option<AtomKey> {
        let number = self.queries.iter().position(|name| *name == query.name)?;
        let args = query.args.iter().map(|arg| self.object(arg));
        std::iter::once(Some(number as u32)).chain(args).collect()
    }
}

impl Problem {
    /// Returns the problem for a search whose Bind blocks use the answers of a game to their queries. It has
    /// none yet. Otherwise queries don't count, and the conditions of the blocks decide.
    #[must_use]
    pub fn with_queries(mut self) -> Self {
        if !self.flat.queries.is_empty() {
            Arc::make_mut(&mut self.start).answers = Some(Arc::default());
        }
        self
    }

    /// Returns the same problem for searches elsewhere: what these ask is noted apart.
    #[must_use]
    pub fn apart(mut self) -> Self {
        if let Some(before) = self.start.answers.clone() {
            let answers = Answers {
                known: before.known.clone(),
                order: before.order.clone(),
                ..Answers::default()
            };
            Arc::make_mut(&mut self.start).answers = Some(Arc::new(answers));
        }
        self
    }

    /// Returns `true` if a search has met a query without an answer: it then ends as if it was stopped.
    pub fn has_open_queries(&self) -> bool {
        self.answers()
            .is_some_and(|answers| answers.is_open.load(Ordering::Relaxed))
    }

    /// Returns the queries that searches for a plan have met and that have no answer yet. While there are any,
    /// what they find doesn't count: [answer](Self::answered) them, and search again.
    pub fn open_queries(&self) -> Vec<GroundQuery> {
        let Some(answers) = self.answers() else {
            return vec![];
        };
        let asked = answers.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked
            .iter()
            .filter_map(|key| self.flat.query(key))
            .collect()
    }

    /// Returns the problem with answers to its [open queries](Self::open_queries), in the same order: `None`
    /// for a query that isn't answered. Objects that don't exist are left out.
    #[must_use]
    pub fn answered(mut self, answers: &[Option<Vec<Name>>]) -> Self {
        let Some(before) = self.start.answers.clone() else {
            return self;
        };
        let mut asked = before.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = std::mem::take(&mut *asked);
        let (mut known, mut order) = (before.known.clone(), before.order.clone());
        let objects = |names: &Vec<Name>| {
            names
                .iter()
                .filter_map(|name| self.flat.object(name))
                .collect()
        };
        let answers = answers.iter().map(|answer| answer.as_ref().map(objects));
        order.extend(asked.iter().cloned());
        known.extend(asked.into_iter().zip(answers));
        let answers = Answers {
            known,
            order,
            ..Answers::default()
        };
        Arc::make_mut(&mut self.start).answers = Some(Arc::new(answers));
        self
    }

    /// Returns the game's answers, in the order in which its queries were asked.
    pub fn query_answers(&self) -> Vec<QueryAnswer> {
        let answer = |key: &AtomKey| {
            let objects = self.answers()?.known.get(key)?;
            let name = |object: &u32| self.flat.objects.get(*object as usize).cloned();
            Some(QueryAnswer {
                query: self.flat.query(key)?,
                objects: objects
                    .as_ref()
                    .map(|objects| objects.iter().filter_map(name).collect()),
            })
        };
        let order = self.answers().map_or(&[][..], |answers| &answers.order);
        order.iter().filter_map(answer).collect()
    }

    /// Returns the problem for a search that uses these answers and gets no others. Without any, queries don't
    /// count.
    #[must_use]
    pub fn with_query_answers(self, answers: &[QueryAnswer]) -> Self {
        if answers.is_empty() {
            return self;
        }
        let problem = self.with_queries();
        let known = answers.iter().filter_map(|answer| {
            let key = problem.flat.query_key(&answer.query)?;
            Some((key, answer.objects.clone()))
        });
        let (keys, answers): (Vec<AtomKey>, Vec<_>) = known.unzip();
        if let Some(open) = problem.answers() {
            keys.iter().for_each(|key| _ = open.to(key));
        }
        problem.answered(&answers)
    }

    /// Returns the answers that a search may use; `None` if queries don't count.
    pub(crate) fn answers(&self) -> Option<&Answers> {
        self.start.answers.as_deref()
    }
}

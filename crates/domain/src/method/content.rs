//! The content of a block: its texts, each read in a scope of the variables bound there.

use std::slice;

use super::Method;
use crate::lang::absence::{both, mentions, present};
use crate::lang::typed::{Call, Formula, Number, Query};
use crate::lang::{
    FreeVariable, Me, Mistake, Suggestion, free_variables, read_formula, read_number, read_query,
    read_task_call, sort_by_place,
};
use crate::text::{Read, TextReader, TypedText};
use taskloom_document::diagnostic::Severity;
use taskloom_document::{Alternative, Block, ChoicePolicy, Name, Param, Port};

/// The content of a block.
#[derive(Debug)]
pub enum Content {
    /// A Begin or End block.
    Pass,
    /// A Task block.
    Task {
        /// The call.
        call: TypedText<Call>,
        /// The *while* formula; `None` if there is none.
        repeat_while: Option<TypedText<Formula>>,
        /// The call of the task that cleans up after it; `None` if there is none.
        on_abort: Option<TypedText<Call>>,
    },
    /// The condition of a Branch block.
    Branch(TypedText<Formula>),
    /// The outputs of a Choice block.
    Choice {
        /// The outputs, in the order drawn.
        alternatives: Vec<Alternative>,
        /// The order in which they are tried.
        policy: ChoicePolicy,
        /// The score of each output, in the same order, if the policy uses scores.
        scores: Vec<Option<TypedText<Number>>>,
    },
    /// The variable of a Bind block.
    Bind {
        /// The variable.
        variable: Param,
        /// The condition; `None` means every object of the type.
        condition: Option<TypedText<Formula>>,
        /// The sort key; `None` means object order.
        order_by: Option<TypedText<Number>>,
        /// The query that a game answers with the objects to choose from; `None` if there is none.
        query: Option<TypedText<Query>>,
    },
}

impl Content {
    /// Returns the task call.
    pub fn call(&self) -> Option<&TypedText<Call>> {
        match self {
            Self::Task { call, .. } => Some(call),
            Self::Pass | Self::Branch(_) | Self::Choice { .. } | Self::Bind { .. } => None,
        }
    }

    /// Returns the call of the task that cleans up after a Task block.
    pub fn on_abort(&self) -> Option<&TypedText<Call>> {
        match self {
            Self::Task { on_abort, .. } => on_abort.as_ref(),
            Self::Pass | Self::Branch(_) | Self::Choice { .. } | Self::Bind { .. } => None,
        }
    }

    /// Returns the condition; for a Branch, that of the yes side.
    pub fn condition(&self) -> Option<&TypedText<Formula>> {
        match self {
            Self::Branch(condition) => Some(condition),
            Self::Bind { condition, .. } => condition.as_ref(),
            Self::Pass | Self::Task { .. } | Self::Choice { .. } => None,
        }
    }

    /// Returns the query of a Bind.
    pub fn query(&self) -> Option<&TypedText<Query>> {
        match self {
            Self::Bind { query, .. } => query.as_ref(),
            Self::Pass | Self::Task { .. } | Self::Branch(_) | Self::Choice { .. } => None,
        }
    }

    /// Returns the numbers that decide the order of its options.
    pub fn numbers(&self) -> Vec<&TypedText<Number>> {
        match self {
            Self::Choice { scores, .. } => scores.iter().flatten().collect(),
            Self::Bind { order_by, .. } => order_by.iter().collect(),
            Self::Pass | Self::Task { .. } | Self::Branch(_) => vec![],
        }
    }
}

/// The variables of the Binds that lead to a block, and its own.
pub(crate) trait Binds {
    /// Returns the variable of this name; if there are several, the last in the order of
    /// resolution.
    fn named(&self, name: &Name) -> Option<&Param>;

    /// Returns an upper bound on the number of Binds that [`all`](Self::all) visits.
    fn count(&self) -> usize;

    /// Returns all variables in the order of resolution; of several with the same name, only the
    /// last.
    fn all(&self) -> Vec<&Param>;
}

/// A reader of the texts of a block.
pub(crate) struct Reader<'r> {
    pub texts: &'r TextReader,
    /// The parameters of the task.
    pub params: &'r [Param],
    /// The Binds before the block.
    pub binds: &'r dyn Binds,
    /// The meaning of `?me`.
    pub me: &'r Option<Me>,
    /// The method; `None` if the block is unreachable.
    pub method: Option<&'r Method>,
}

impl Reader<'_> {
    pub fn content(&self, block: &Block) -> Content {
        let is_given = |text: &String| !text.trim().is_empty();
        match block {
            Block::Begin {} | Block::End {} => Content::Pass,
            Block::Task {
                call,
                repeat_while,
                on_abort,
                ..
            } => Content::Task {
                call: self.read(call, read_task_call),
                repeat_while: is_given(repeat_while).then(|| self.read(repeat_while, read_formula)),
                on_abort: is_given(on_abort).then(|| self.read(on_abort, read_task_call)),
            },
            Block::Branch { condition } => Content::Branch(self.read(condition, read_formula)),
            Block::Choice {
                policy,
                alternatives,
                scores,
            } => {
                let score = |output: &Alternative| {
                    let score = scores.get(&Port::Alternative(output.id));
                    let score = score.filter(|text| policy.is_scored() && is_given(text));
                    score.map(|text| self.read(text, read_number))
                };
                Content::Choice {
                    alternatives: alternatives.clone(),
                    policy: *policy,
                    scores: alternatives.iter().map(score).collect(),
                }
            }
            Block::Bind {
                variable,
                condition,
                order_by,
                query,
            } => Content::Bind {
                variable: variable.clone(),
                condition: self.selected(
                    variable,
                    is_given(condition).then(|| self.read(condition, read_formula)),
                ),
                order_by: is_given(order_by).then(|| self.read(order_by, read_number)),
                query: is_given(query).then(|| self.asked(variable, query)),
            },
        }
    }

    /// Returns the condition of a Bind for those objects only that are present.
    fn selected(
        &self,
        variable: &Param,
        condition: Option<TypedText<Formula>>,
    ) -> Option<TypedText<Formula>> {
        let typed = condition.as_ref().and_then(|text| text.value.as_ref());
        let present = present(
            self.texts.document(),
            slice::from_ref(variable),
            |fact, object| {
                typed.is_some_and(|typed| mentions(self.texts.document(), typed, fact, object))
            },
        );
        match (present, condition) {
            (Some(present), None) => Some(TypedText::implied(present)),
            (Some(present), Some(text)) => Some(TypedText {
                value: text.value.map(|typed| both(typed, present)),
                ..text
            }),
            (None, condition) => condition,
        }
    }

    /// Reads the query that finds a variable.
    fn asked(&self, variable: &Param, text: &str) -> TypedText<Query> {
        let mut read = self.read(text, read_query);
        let own = free_variables(text).into_iter();
        for used in own.filter(|used| used.name == variable.name) {
            let message = format!(
                "'?{}' is what the query finds, so it can't be an argument",
                used.name
            );
            read.mistakes.push(Mistake {
                severity: Severity::Error,
                code: "unbound-variable",
                span: used.span(),
                message,
                suggestions: vec![],
            });
            read.value = None;
        }
        read
    }

    /// Reads a text in a scope of only those variables that it names: there may be thousands.
    fn read<T>(&self, text: &str, read: Read<T>) -> TypedText<T> {
        let (mut binds, mut missing) = (vec![], vec![]);
        for name in variables_in(text) {
            if let Some(bind) = self.binds.named(&name) {
                binds.push(bind);
            } else if self.params.iter().all(|param| param.name != name)
                && let Some(bind) = self.method.and_then(|method| method.elsewhere(&name))
            {
                missing.push(bind);
            }
        }
        // Variables bound by a quantifier of the text are its own.
        let mut free = vec![];
        if !missing.is_empty() {
            free = free_variables(text);
            missing.retain(|(first, _)| free.iter().any(|used| used.name == first.name));
        }
        // A variable that is unbound here still has a type.
        let typed = |binds: &[&Param]| {
            let missing = missing.iter().map(|(_, last)| *last);
            let variables = missing.chain(binds.iter().copied());
            let variables = self.params.iter().chain(variables).cloned().collect();
            let scope = self.texts.scope_with(self.me, variables);
            self.texts.read(text, &scope, read)
        };
        let mut read = typed(&binds);
        if !read.mistakes.is_empty()
            && let Some(all) = self.all()
        {
            // Any known variable may have been meant instead.
            read = typed(&all);
        }
        if !missing.is_empty() {
            for used in free {
                let mut missing = missing.iter();
                if let Some((first, _)) = missing.find(|(first, _)| first.name == used.name) {
                    read.mistakes.push(self.unbound(&used, first));
                    read.value = None;
                }
            }
            sort_by_place(&mut read.mistakes);
        }
        read
    }

    /// Returns the variables of all Binds above, if the limit on comparing names isn't used up.
    fn all(&self) -> Option<Vec<&Param>> {
        let near = self.texts.near();
        near.may_compare(self.binds.count())
            .then(|| self.binds.all())
    }

    /// Returns the mistake of using a variable that only Binds elsewhere bind.
    fn unbound(&self, used: &FreeVariable, bind: &Param) -> Mistake {
        let name = &used.name;
        let all = self.all().unwrap_or_default();
        let names = self.params.iter().chain(all).map(|param| &param.name);
        let meant = self.texts.near().among(name, names);
        let advice = match meant.first() {
            Some(meant) => format!("Did you mean '?{meant}'?"),
            None => "Draw a wire from it to this block".to_owned(),
        };
        let suggestions = meant.iter().map(|meant| Suggestion {
            label: format!("Change to '?{meant}'"),
            text: format!("?{meant}"),
        });
        Mistake {
            severity: Severity::Error,
            code: "unbound-variable",
            span: used.span(),
            message: format!(
                "'?{name}' is unbound here: Bind '{bind}' doesn't come before this block. {advice}"
            ),
            suggestions: suggestions.collect(),
        }
    }
}

/// Returns the names in a text that follow a question mark.
pub(super) fn variables_in(text: &str) -> impl Iterator<Item = Name> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let marks = text.match_indices('?');
    let names = marks.filter_map(move |(at, _)| text.get(at + 1..)?.split(ends).next());
    names.filter_map(|name| Name::new(name).ok())
}

//! Proposals for the arguments of a completed call.
//!
//! ```text
//! walk-to(box)       the only object of the type
//! has(?me, ?item)    variables of the types come first
//! near(, )           nothing is proposed among several objects
//! ```

use std::ops::Range;

use taskloom_document::Param;

use crate::lang::typing::Scope;

/// The arguments proposed for a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arguments {
    /// The text between the parentheses; an argument without a proposal is empty.
    pub text: String,
    /// The first argument that could also be another one; `None` if there is no such argument.
    pub open: Option<Range<usize>>,
}

impl Arguments {
    /// Proposes arguments for parameters: variables in scope and `bound` ones first, then the only
    /// object of the type.
    pub fn propose(params: &[Param], scope: &Scope, bound: &[Param]) -> Self {
        let mut all = Self::default();
        let mut used: Vec<String> = vec![];
        for (at, param) in params.iter().enumerate() {
            if at > 0 {
                all.text.push_str(", ");
            }
            let start = all.text.len();
            let (proposal, is_certain) = proposal(param, scope, bound, &used);
            all.text.push_str(&proposal);
            if !is_certain && all.open.is_none() {
                all.open = Some(start..all.text.len());
            }
            used.push(proposal);
        }
        all
    }
}

/// Returns the proposal for a parameter, which may be empty, and `true` if nothing else fits.
fn proposal(param: &Param, scope: &Scope, bound: &[Param], used: &[String]) -> (String, bool) {
    let variables = scope.variables.iter().chain(bound);
    let variables = variables.filter(|variable| scope.fits(&variable.of, &param.of));
    let same = |variable: &&Param| variable.name == param.name;
    let me = scope.me.as_ref().filter(|me| scope.fits(&me.of, &param.of));
    let written = |variable: &Param| format!("?{}", variable.name);
    let mut fitting: Vec<String> = variables.clone().filter(same).map(written).collect();
    fitting.extend(me.map(|_| "?me".to_owned()));
    fitting.extend(variables.filter(|variable| !same(variable)).map(written));
    let objects = scope.objects().into_iter();
    let mut objects = objects.filter(|(_, object)| scope.fits(&object.of, &param.of));
    let (object, is_only) = (objects.next(), objects.next().is_none());
    let is_certain = match (fitting.len(), &object) {
        (1, None) => true,
        (0, Some(_)) => is_only,
        _ => false,
    };
    if fitting.is_empty() {
        let only = object.filter(|_| is_only).map(|(name, _)| name.to_string());
        return (only.unwrap_or_default(), is_certain);
    }
    // The same variable twice is rarely meant.
    let free = fitting
        .into_iter()
        .find(|variable| !used.contains(variable));
    (free.unwrap_or_default(), is_certain)
}

//! The order in which a method's variables are bound, and the placement of conditions.

use taskloom_document::Param;
use taskloom_document::stop::Stop;
use taskloom_document::syntax::ast::Expr;

/// The selectivity of conditions on a variable: an equation leaves one object, a fact few.
pub const EQUAL: u32 = 16;
pub const ATOM: u32 = 4;
pub const OTHER: u32 = 1;

/// A condition of a method, and the variables it mentions that have to be bound.
pub struct Conjunct {
    pub condition: Expr,
    pub binds: Vec<usize>,
    /// Its selectivity for the last of them to be bound.
    pub weight: u32,
}

/// Returns the order in which to bind variables: always the one most constrained by the bound ones;
/// ties in declaration order. If stopped, any order.
pub fn ordered(
    binds: Vec<Param>,
    conjuncts: Vec<Conjunct>,
    stop: &Stop,
) -> Vec<(Param, Vec<Expr>)> {
    let mut written = vec![];
    // The conditions on each variable, and the number of unbound variables of each condition.
    let mut about: Vec<Vec<usize>> = vec![vec![]; binds.len()];
    for (number, conjunct) in conjuncts.iter().enumerate() {
        for bind in &conjunct.binds {
            if let Some(own) = about.get_mut(*bind) {
                own.push(number);
            }
        }
    }
    let mut conditions: Vec<(usize, Conjunct)> = conjuncts
        .into_iter()
        .map(|conjunct| (conjunct.binds.len(), conjunct))
        .collect();
    let mut left: Vec<usize> = (0..binds.len()).collect();
    while !left.is_empty() {
        let mut best: Option<(usize, u32)> = None;
        for (at, bind) in left.iter().enumerate() {
            let own = about.get(*bind).map_or(&[][..], Vec::as_slice);
            if stop.after(1 + own.len()) {
                return written;
            }
            let says = own.iter().filter_map(|number| conditions.get(*number));
            let score = says.map(|(open, conjunct)| match *open {
                1 => 8 * conjunct.weight,
                open if open < conjunct.binds.len() => conjunct.weight,
                _ => 0,
            });
            let score = score.sum::<u32>();
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((at, score));
            }
        }
        let Some((at, _)) = best else { break };
        let bind = left.remove(at);
        let mut decided = vec![];
        for number in about.get(bind).into_iter().flatten() {
            if let Some((open, conjunct)) = conditions.get_mut(*number) {
                *open -= 1;
                if *open == 0 {
                    decided.push(conjunct.condition.clone());
                }
            }
        }
        written.extend(binds.get(bind).cloned().map(|param| (param, decided)));
    }
    written
}

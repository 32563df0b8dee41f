//! The C# of each kind of block, around the code of its options.

use super::super::statements::{Line, Statement, one_line, yields};
use super::{Ahead, Writer, extend};
use taskloom_document::{Alternative, Param};
use taskloom_domain::lang::typed::{Call, Formula, Number};
use taskloom_domain::text::{TypedText, values};

impl<'m> Writer<'m> {
    /// Returns the code of one option; empty if it leads nowhere.
    fn option(&mut self, block: &Ahead, option: usize, depth: usize) -> Vec<Line> {
        let Some(leads_to) = block.options.get(option).cloned().flatten() else {
            return vec![];
        };
        let mut context = block.context.clone();
        for target in self.places.targets(block.next, option as u32) {
            extend(context.before.entry(target).or_default(), &block.before);
        }
        let context = self.through(&leads_to, context);
        let outer = std::mem::take(&mut self.lines);
        let taken = self.locals.clone();
        self.continue_at(&leads_to, context, depth);
        self.locals = taken;
        let body = std::mem::replace(&mut self.lines, outer);
        if yields(&body) { body } else { vec![] }
    }

    /// Adds a body in braces.
    fn braced(&mut self, body: Vec<Line>, depth: usize) {
        self.line(depth, Statement::Open, "");
        self.lines.extend(body);
        self.line(depth, Statement::Close, "");
    }

    pub(super) fn task(&mut self, mut block: Ahead<'m>, call: &TypedText<Call>, depth: usize) {
        let Some(call) = &call.value else { return };
        let kind = call.callee.kind();
        let class = self.names.record(kind, &call.name);
        let task = format!("new {class}({})", block.scope.terms(&call.args));
        let times = self.places.method.block(block.next).repetitions() as usize;
        if self.is_sequence {
            let then = format!(".Then({task})");
            block
                .context
                .network
                .extend(std::iter::repeat_n(then, times));
            let body = self.option(&block, 0, depth);
            self.lines.extend(body);
            return;
        }
        let network = block.context.network.concat();
        let own = self.locals.variable(&format!("with-{}", call.name));
        let mut added = format!("{network}.Add({task}, {})", block.before.join(", "));
        added.push_str(&format!(".Then({task})").repeat(times - 1));
        // Nothing waits for a task in the background.
        if !self.places.method.block(block.next).is_background() {
            block.before = vec![format!("{own}.Last")];
        }
        block.context.network = vec![own.clone()];
        let body = self.option(&block, 0, depth);
        if !body.is_empty() {
            self.named(depth, Statement::Set, added, &own);
            self.lines.extend(body);
        }
    }

    pub(super) fn branch(
        &mut self,
        block: Ahead<'m>,
        condition: &TypedText<Formula>,
        depth: usize,
    ) {
        let Some(formula) = &condition.value else {
            return;
        };
        let question = format!("{}?", one_line(&condition.text));
        let holds = self.option(&block, 0, depth + 1);
        let fails = self.option(&block, 1, depth + 1);
        let (condition, first, second) = match (holds.is_empty(), fails.is_empty()) {
            (true, true) => return,
            (true, false) => (block.scope.negated(formula), fails, vec![]),
            (false, _) => (block.scope.formula(formula), holds, fails),
        };
        self.line(depth, Statement::Comment, question);
        self.line(depth, Statement::If, condition);
        self.braced(first, depth);
        if !second.is_empty() {
            self.line(depth, Statement::Else, "");
            self.braced(second, depth);
        }
    }

    pub(super) fn choice(&mut self, block: Ahead<'m>, alternatives: &[Alternative], depth: usize) {
        // Braces separate the variables of the alternatives.
        let braces = !self.is_sequence;
        for (number, Alternative { label, .. }) in alternatives.iter().enumerate() {
            let body = self.option(&block, number, depth + usize::from(braces));
            if body.is_empty() {
                continue;
            }
            let text = one_line(&format!("Alternative {}: {label}", number + 1));
            self.line(depth, Statement::Comment, text.trim_end_matches(':'));
            if braces {
                self.braced(body, depth);
            } else {
                self.lines.extend(body);
            }
        }
    }

    pub(super) fn bind(
        &mut self,
        mut block: Ahead<'m>,
        variable: &Param,
        text: &Option<TypedText<Formula>>,
        order_by: &Option<TypedText<Number>>,
        depth: usize,
    ) {
        let condition = values(text).next();
        let of = self.names.of(&variable.of);
        let taken = self.locals.clone();
        let own = self.locals.variable(variable.name.as_str());
        let mut scope = block.scope.clone();
        scope.locals = self.locals.clone();
        scope.call(variable, own.clone());
        let mut guard = condition.map(|formula| scope.formula(formula));
        let things = match values(order_by).next() {
            None => format!("s.All<{of}>()"),
            Some(order) => {
                let each = self.locals.variable(&format!("each-{}", variable.name));
                scope.locals = self.locals.clone();
                scope.call(variable, each.clone());
                let condition = condition.map(|formula| scope.formula(formula));
                let condition = condition.unwrap_or_else(|| "true".to_owned());
                let order = scope.number(order);
                guard = None;
                format!("s.All<{of}>({each} => {condition}, {each} => {order})")
            }
        };
        block.context.variables.insert(block.next, own.clone());
        let body = self.option(&block, 0, depth + 1 + usize::from(guard.is_some()));
        self.locals = taken;
        if body.is_empty() {
            return;
        }
        if let Some(text) = text {
            let text = format!("?{} such that {}", variable.name, one_line(&text.text));
            self.line(depth, Statement::Comment, text);
        }
        self.named(depth, Statement::Foreach, things, &own);
        match guard {
            None => self.braced(body, depth),
            Some(guard) => {
                self.line(depth, Statement::Open, "");
                self.line(depth + 1, Statement::If, guard);
                self.braced(body, depth + 1);
                self.line(depth, Statement::Close, "");
            }
        }
    }
}

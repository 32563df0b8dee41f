//! The time in a plan: a hidden number that starts at the tick of planning and that each primitive
//! task increases by its duration.

use super::code::{AggregateCode, Formula, List, Number, NumberId, Read, Term};
use super::flat::{FlatChange, FlatEffect};
use super::lower::{Lowering, Variables};
use taskloom_domain::lang::ast::{Aggregate, Comparison, Function};
use taskloom_domain::records::Primitive;

impl Lowering {
    /// Returns the fact that holds the time.
    pub fn time(&self) -> Option<Read> {
        let no_args = List { start: 0, len: 0 };
        let fact = self.time?;
        Some(Read {
            fact,
            args: no_args,
        })
    }

    /// Returns a primitive task's effect on the time, or `None` if nothing reads the time or the
    /// task has no duration.
    pub fn passing(&mut self, task: &Primitive, variables: &mut Variables) -> Option<FlatEffect> {
        let target = self.time()?;
        let ticks = self.duration(task, variables)?;
        Some(FlatEffect {
            forall: vec![],
            when: None,
            target,
            change: FlatChange::Increase(ticks),
        })
    }

    /// Returns the duration of a task in ticks: that of its action, with the call's arguments
    /// substituted for the action's parameters.
    fn duration(&mut self, task: &Primitive, variables: &mut Variables) -> Option<NumberId> {
        let domain = self.domain().clone();
        let call = domain
            .execution_rules(task)
            .action
            .as_ref()?
            .value
            .as_ref()?;
        let record = domain.document().actions.get(&call.name)?;
        let duration = domain.duration(&call.name)?.value.as_ref()?;
        let args = self.terms(&call.args, variables)?;
        let terms = self.code.terms[args.range()].to_vec();
        let params = record.params.iter().map(|param| param.name.clone());
        let mut own = Variables {
            slots: variables.slots,
            given: params.zip(terms.iter().copied()).collect(),
            ..Variables::default()
        };
        let ticks = self.number(duration, &mut own);
        variables.slots = own.slots;
        Some(self.whole(ticks?, &terms))
    }

    /// Rounds a number up. The result is 0 if the number is negative, or if it or an argument is
    /// undefined: it is compiled to a sum over the number itself, filtered by everything being
    /// defined.
    fn whole(&mut self, number: NumberId, args: &[Term]) -> NumberId {
        if let Number::Constant(ticks) = self.code.numbers[number.0 as usize]
            && !args.iter().any(|arg| matches!(arg, Term::Fact(_)))
        {
            return self.constant(f64::from(ticks.ceil() as u32));
        }
        let mut defined = vec![self.add(Formula::Compare(Comparison::Equal, number, number))];
        for arg in args.iter().filter(|arg| matches!(arg, Term::Fact(_))) {
            let same = self.code.terms([*arg, *arg]);
            defined.push(self.add(Formula::Same(same)));
        }
        let of = self.code.list(defined);
        let of = Some(self.add(Formula::All(of)));
        let (least, most) = (self.constant(0.0), self.constant(f64::from(u32::MAX)));
        let mut value = self.add_number(Number::Function(Function::Ceil, number, number));
        for (function, bound) in [(Function::Max, least), (Function::Min, most)] {
            value = self.add_number(Number::Function(function, value, bound));
        }
        self.code.aggregates.push(AggregateCode {
            aggregate: Aggregate::Sum,
            binders: Box::default(),
            value,
            of,
        });
        self.add_number(Number::Aggregate(self.code.aggregates.len() as u32 - 1))
    }
}

//! The time in a plan: a hidden number that starts at the tick of planning, and that each primitive
//! task increases by its duration.

use super::code::{AggregateCode, Formula, List, Number, NumberId, Read, Term};
use super::lower::{Lowering, Variables};
use super::problem::{FlatChange, FlatEffect};
use taskloom_domain::elaborate::Primitive;
use taskloom_domain::lang::ast::{Aggregate, Comparison, Function};

impl Lowering<'_> {
    /// Reads the time.
    pub fn time(&self) -> Option<Read> {
        let nothing = List { start: 0, len: 0 };
        let fact = self.time?;
        Some(Read {
            fact,
            args: nothing,
        })
    }

    /// What a primitive task does to the time; nothing where nobody asks for it, or it takes none.
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

    /// How many ticks a task takes: its action's duration, whose parameters stand for the call's
    /// arguments.
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

    /// A number rounded up, and 0 where it is less, or it or an argument has no value: the sum of
    /// itself, if they have.
    fn whole(&mut self, number: NumberId, args: &[Term]) -> NumberId {
        if let Number::Constant(ticks) = self.code.numbers[number.0 as usize]
            && !args.iter().any(|arg| matches!(arg, Term::Fact(_)))
        {
            return self.constant(f64::from(ticks.ceil() as u32));
        }
        let mut have_values = vec![self.add(Formula::Compare(Comparison::Equal, number, number))];
        for arg in args.iter().filter(|arg| matches!(arg, Term::Fact(_))) {
            let same = self.code.terms([*arg, *arg]);
            have_values.push(self.add(Formula::Same(same)));
        }
        let of = self.code.list(have_values);
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

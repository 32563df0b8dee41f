//! Processes the chosen task: executes a primitive one, or decomposes a compound one by the next
//! resolution of its flowchart.

use super::super::effects::Inapplicable;
use super::super::evaluate::{Evaluation, UNDEFINED};
use super::super::network::Child;
use super::super::options::BlockOptions;
use super::super::tracer::{explain, parent};
use super::{Decomposer, Doing, Phase};
use crate::compile::{
    Chart, Conjunct, Flat, FlatBlock, FlatEffect, FlatKind, FlatValue, Move, NumberId, Resolution,
};
use crate::explain::cooling_down;
use crate::plan::{Pruned, TraceEvent, TraceKind};
use taskloom_domain::lang::decimal::rounded;

impl Decomposer {
    /// Processes the task that the top frame chose.
    pub(super) fn try_task(&mut self) -> Phase {
        let Some(task) = self.stack.last().map(|f| f.task) else {
            return Phase::Done;
        };
        self.statistics.nodes += 1;
        let event = self.note_task(task);
        if let Some(frame) = self.stack.last_mut() {
            frame.event = event;
        }
        let problem = self.problem.clone();
        let flat = problem.flat();
        let base = self.frames.slots.len();
        let tuple = self.ground.tuple(self.network.task(task).ground);
        if problem.excludes(tuple) {
            let ticks = problem.cooldown(tuple[0]);
            if ticks > 0 {
                self.note_choice(TraceKind::Inapplicable {
                    why: cooling_down(ticks),
                    saw: vec![],
                });
            }
            return self.next_task();
        }
        let code = &flat.tasks[tuple[0] as usize];
        self.frames.slots.extend_from_slice(&tuple[1..]);
        self.frames
            .slots
            .resize(base + code.frame as usize, UNDEFINED);
        let failing = Evaluation::new(flat, &self.state, &mut self.frames, base)
            .first_failing(&code.preconditions);
        if self.frames.is_spent() {
            // Evaluation was cut short, and the search ends.
            self.frames.slots.truncate(base);
            return Phase::Try;
        }
        if let Some(conjunct) = failing {
            if self.tracer.is_on() {
                let kind = self.explain_failing(flat, conjunct, base);
                self.note_choice(kind);
            }
            self.frames.slots.truncate(base);
            return self.next_task();
        }
        match &code.kind {
            FlatKind::Primitive { effects, cost } => {
                let is_first = self.steps == 0 || !self.cleans_up(task);
                let begins = flat.has_rules && is_first && !self.has_begun();
                if begins && self.would_fail_at_once(flat, task) {
                    self.frames.slots.truncate(base);
                    return match self.frames.is_spent() {
                        true => Phase::Try,
                        false => self.next_task(),
                    };
                }
                self.execute(flat, task, effects, *cost, base)
            }
            FlatKind::Compound { chart, goal, .. } => {
                self.decompose(task, (chart.as_deref(), goal.as_deref()), base)
            }
        }
    }

    /// Returns `true` if an integrity rule of a task, or of one above it, is false: as the first step of a plan, it
    /// would fail at once.
    fn would_fail_at_once(&mut self, flat: &Flat, task: u32) -> bool {
        let base = self.frames.slots.len();
        let mut above = task;
        while above != 0 {
            let tuple = self.ground.tuple(self.network.task(above).ground);
            let code = &flat.tasks[tuple[0] as usize];
            if !code.rules.is_empty() {
                self.frames.slots.extend_from_slice(&tuple[1..]);
                let frame = base + code.frame as usize;
                self.frames.slots.resize(frame, UNDEFINED);
                let mut evaluation = Evaluation::new(flat, &self.state, &mut self.frames, base);
                let broken = evaluation.first_failing(&code.rules);
                if let Some(rule) = broken
                    && self.tracer.is_on()
                {
                    let kind = self.explain_failing(flat, rule, base);
                    self.note_choice(kind);
                }
                self.frames.slots.truncate(base);
                if broken.is_some() {
                    self.bar();
                    return true;
                }
            }
            above = self.network.task(above).parent;
        }
        false
    }

    /// Notes that the top frame's task would be possible after a step.
    fn bar(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            frame.barred = true;
        }
    }

    /// Explains why a task, whose variables start at `base`, fails by this precondition, claim or integrity rule.
    fn explain_failing(&mut self, flat: &Flat, conjunct: &Conjunct, base: usize) -> TraceKind {
        let claim = flat.claim(conjunct).and_then(|object| {
            let mut evaluation = Evaluation::new(flat, &self.state, &mut self.frames, base);
            self.problem.claimed_by(evaluation.term(object))
        });
        match claim {
            Some(why) => TraceKind::Inapplicable { why, saw: vec![] },
            None => explain(flat, &self.state, &mut self.frames, base, conjunct, None),
        }
    }

    /// Executes a primitive task, whose variables start at `base`.
    #[inline]
    fn execute(
        &mut self,
        flat: &Flat,
        task: u32,
        effects: &[FlatEffect],
        cost: Option<NumberId>,
        base: usize,
    ) -> Phase {
        let mut evaluation = Evaluation::new(flat, &self.state, &mut self.frames, base);
        let cost = cost.map_or(1.0, |cost| evaluation.number(cost));
        let read = self.writes.read(&mut evaluation, effects);
        self.frames.slots.truncate(base);
        if self.frames.is_spent() {
            return Phase::Try;
        }
        let mark = self.state.mark();
        let applied = read.and_then(|()| self.writes.apply(flat, &mut self.state));
        if let Err(why) = applied {
            if self.tracer.is_on() {
                let kind = self.explain_effects(&why, mark);
                self.note_choice(kind);
            }
            self.state.undo(mark);
            return self.next_task();
        }
        self.steps += 1;
        self.own_steps += usize::from(!self.cleans_up(task));
        self.network.remove(task);
        let cost = if cost.is_finite() { cost } else { 1.0 };
        // A sum that overflows does not make the task impossible.
        self.paid = rounded(self.paid + cost).clamp(f64::MIN, f64::MAX);
        if let Some(frame) = self.stack.last_mut() {
            frame.done = Doing::Step { cost };
        }
        Phase::Enter
    }

    /// Starts to decompose a compound task, whose variables start at `base`.
    #[inline]
    fn decompose(
        &mut self,
        task: u32,
        (chart, goal): (Option<&Chart>, Option<&[Conjunct]>),
        base: usize,
    ) -> Phase {
        let depth = self.network.task(task).depth + 1;
        if chart.is_none() && goal.is_none() {
            self.note_choice(TraceKind::Backtrack);
            self.frames.slots.truncate(base);
            return self.next_task();
        }
        if depth > self.budget.depth {
            self.note_choice(TraceKind::Pruned {
                why: Pruned::TooDeep,
                block: None,
            });
            self.frames.slots.truncate(base);
            if let Some(frame) = self.stack.last_mut() {
                frame.cut = true;
            }
            return self.next_task();
        }
        self.statistics.depth = self.statistics.depth.max(depth);
        if let Some(goal) = goal {
            let problem = self.problem.clone();
            let mut evaluation =
                Evaluation::new(problem.flat(), &self.state, &mut self.frames, base);
            let is_true = evaluation.first_failing(goal).is_none();
            if self.frames.is_spent() {
                self.frames.slots.truncate(base);
                return Phase::Try;
            }
            if is_true {
                self.frames.slots.truncate(base);
                return self.expand_by_goal(task, &[], "the goal is true");
            }
        }
        let Some(chart) = chart else {
            self.frames.slots.truncate(base);
            return self.begin_to_achieve(task);
        };
        let resolution = self.resolutions.start(chart);
        if let Some(frame) = self.stack.last_mut() {
            frame.done = Doing::Method {
                resolution,
                slots: base,
                first_child: 0,
            };
        }
        Phase::Resolve
    }

    fn explain_effects(&mut self, why: &Inapplicable, mark: usize) -> TraceKind {
        let flat = self.problem.flat();
        match why {
            Inapplicable::Range(atom, number) => {
                let fact = &flat.facts[atom[0] as usize];
                let name = flat.ground_atom(atom);
                let why = match fact.value {
                    FlatValue::Number { integer: true, .. } if number.fract() != 0.0 => {
                        format!("{name} would be {number}, but must be a whole number")
                    }
                    FlatValue::Number { min, max, .. } => {
                        format!("{name} would be {number}, outside its range {min} to {max}")
                    }
                    FlatValue::Boolean | FlatValue::Object => name.to_string(),
                };
                self.state.undo(mark);
                TraceKind::Inapplicable {
                    why,
                    saw: vec![flat.seen(&self.state, atom)],
                }
            }
            Inapplicable::NoValue(atom) => TraceKind::Inapplicable {
                why: format!("{} would be undefined", flat.ground_atom(atom)),
                saw: vec![],
            },
            Inapplicable::NoAtom(fact) => TraceKind::Inapplicable {
                why: format!(
                    "an argument of {} is undefined",
                    flat.facts[*fact as usize].name
                ),
                saw: vec![],
            },
        }
    }

    /// Continues to resolve the flowchart of the top frame's task by one decision.
    pub(super) fn resolve(&mut self) -> Phase {
        let problem = self.problem.clone();
        let flat = problem.flat();
        let Some(frame) = self.stack.last_mut() else {
            return Phase::Done;
        };
        let Doing::Method {
            mut resolution,
            slots,
            first_child,
        } = frame.done
        else {
            return Phase::Back;
        };
        let (task, event) = (frame.task, frame.event);
        let tuple = self.ground.tuple(self.network.task(task).ground);
        let FlatKind::Compound {
            chart: Some(chart),
            blocks,
            goal,
        } = &flat.tasks[tuple[0] as usize].kind
        else {
            return Phase::Back;
        };
        let step = self.steps;
        let failure = |kind| TraceEvent {
            parent: parent(event),
            task: flat.ground_task(tuple),
            step,
            kind,
        };
        let mut options = BlockOptions {
            flat,
            chart,
            blocks,
            state: &self.state,
            frames: &mut self.frames,
            base: slots,
            task: tuple,
            step: problem.steps_before() + step,
            seed: problem.seed(),
            answers: problem.answers(),
            orderings: &mut self.orderings,
            tried: &mut self.statistics.nodes,
            tracer: &mut self.tracer,
            event: &failure,
        };
        let resolutions = &mut self.resolutions;
        let next = match first_child > 0 {
            true => resolutions.take_back(&mut resolution, chart, &mut options),
            false => resolutions.advance(&mut resolution, chart, &mut options),
        };
        frame.done = Doing::Method {
            resolution,
            slots,
            first_child: 0,
        };
        if self.frames.is_spent() {
            return Phase::Resolve;
        }
        match next {
            Move::Working => Phase::Resolve,
            Move::Exhausted => {
                self.resolutions.end(&resolution);
                self.frames.slots.truncate(slots);
                if goal.is_some() {
                    return self.begin_to_achieve(task);
                }
                self.note_choice(TraceKind::Backtrack);
                self.next_task()
            }
            Move::Resolved => {
                frame.done = Doing::Method {
                    resolution,
                    slots,
                    first_child: self.network.len(),
                };
                self.expand(&resolution, slots, task, chart, blocks);
                Phase::Enter
            }
        }
    }

    /// Replaces the parent with the tasks of the newest resolution.
    fn expand(
        &mut self,
        resolution: &Resolution,
        slots: usize,
        task: u32,
        chart: &Chart,
        blocks: &[FlatBlock],
    ) {
        self.statistics.nodes += 1;
        if self.tracer.is_on() {
            let kind = self.alternative(resolution, slots, task);
            let alternative = self.note_choice(kind);
            self.network.set_event(task, alternative);
        }
        let problem = self.problem.clone();
        let flat = problem.flat();
        self.order
            .set(chart, self.resolutions.wires(resolution, None));
        self.children.clear();
        self.child_order.clear();
        for position in &chart.tasks {
            if !self.resolutions.is_present(resolution, *position) {
                continue;
            }
            let Some((callee, args)) = blocks[*position as usize].code.call() else {
                continue;
            };
            self.tuple.clear();
            self.tuple.push(callee);
            let mut evaluation = Evaluation::new(flat, &self.state, &mut self.frames, slots);
            for term in &flat.code.terms[args.range()] {
                self.tuple.push(evaluation.term(*term));
            }
            let to = self.children.len() as u32;
            for before in self.order.direct(chart, *position) {
                let before = chart.tasks[before as usize];
                let from = self.children.iter().position(|c| c.position == before);
                self.child_order.extend(from.map(|from| (from as u32, to)));
            }
            self.children.push(Child {
                ground: self.ground.intern(&self.tuple),
                position: *position,
            });
        }
        self.child_order.sort();
        self.network.expand(task, &self.children, &self.child_order);
    }

    /// Returns the trace event that describes the choices of a resolution.
    fn alternative(&self, resolution: &Resolution, slots: usize, task: u32) -> TraceKind {
        let flat = self.problem.flat();
        let code = &flat.tasks[self.ground.tuple(self.network.task(task).ground)[0] as usize];
        let FlatKind::Compound {
            chart: Some(chart),
            blocks,
            ..
        } = &code.kind
        else {
            return TraceKind::Task { block: None };
        };
        let decisions = self.resolutions.decisions(resolution, None);
        let chosen = decisions.iter().map(|decision| {
            let code = &blocks[decision.position as usize].code;
            let Some((variable, slot)) = code.binds() else {
                return code.option_label(decision.option).to_owned();
            };
            let object = self.frames.slots[slots + slot as usize];
            match flat.objects.get(object as usize) {
                Some(object) => format!("?{variable} = {object}"),
                None => format!("?{variable}"),
            }
        });
        let present = |p: &u32| self.resolutions.is_present(resolution, *p);
        TraceKind::Alternative {
            label: chosen.collect::<Vec<_>>().join(", "),
            blocks: (0..chart.blocks.len() as u32)
                .filter(present)
                .map(|p| &chart.blocks[p as usize])
                .filter(|block| block.repetition == 0)
                .map(|block| block.id.clone())
                .collect(),
        }
    }
}

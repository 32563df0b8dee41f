//! The domain of an edited document: only the records that an edit concerns are read again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Domain, Inner, shared};
use crate::lazy_table::LazyTable;
use crate::method::Content;
use crate::records::{Agent, Compound, ExecutionRules, Goal, Primitive};
use crate::text::{TextReader, TypedText};
use taskloom_document::{Document, Fact, Kind, Name, Param, RecordRef, Table, ValueKind};

/// The maximum number of changed names for which the texts are searched. After larger changes,
/// everything is read again.
const MAX_NAMES: usize = 16;

/// The parts of a document whose meaning an edit changes, in addition to the edited records.
enum Reach {
    /// Every text may have another meaning.
    Everything,
    /// The texts that use these names, or have mistakes: they may name a new record.
    Names(BTreeSet<Name>),
}

impl Domain {
    /// Returns the domain of an edited version of its document. It shares the meaning of the records
    /// that are the same, as far as they have been read, unless they use a name that the edit has
    /// given another meaning.
    #[must_use]
    pub fn edited(&self, document: Arc<Document>) -> Self {
        let old = &self.0;
        let document = document.shared_without_muted();
        let texts = TextReader::new(document, old.texts.me().clone(), self.stop().clone());
        let Reach::Names(names) = &reach(&old.texts, &texts) else {
            return Self::of_texts(texts);
        };
        let (before, document) = (self.document(), texts.document());
        let renewal = Renewal { document, names };
        let has_same_conditions =
            names.is_empty() && are_same(&before.conditions, &document.conditions);
        let conditions = || document.conditions.keys().map(|name| (name, ()));
        let recursive = &old.recursive;
        let readable = &old.readable;
        Self(Arc::new(Inner {
            clock: Default::default(),
            memory: Default::default(),
            executable: Default::default(),
            executable_before: self.executable_so_far().cloned(),
            call_cycles: Default::default(),
            recursive: recursive.renewed(conditions(), |_, (), (), _| has_same_conditions),
            readable: readable.renewed(conditions(), |_, (), (), _| has_same_conditions),
            conditions: renewal.table(Kind::Condition, &old.conditions, &document.conditions),
            durations: renewal.table(Kind::Action, &old.durations, &document.actions),
            primitives: renewal.table(
                Kind::PrimitiveTask,
                &old.primitives,
                &document.primitive_tasks,
            ),
            compounds: renewal.table(Kind::CompoundTask, &old.compounds, &document.compound_tasks),
            goals: renewal.table(Kind::Goal, &old.goals, &document.goals),
            agents: renewal.table(Kind::Agent, &old.agents, &document.agents),
            // A scene refers to agents, and numbers facts and objects.
            scenes: if names.is_empty() && are_same(&before.agents, &document.agents) {
                let scenarios = shared(&document.scenarios);
                let scenes = &old.scenes;
                scenes.renewed(scenarios, |_, old, new, _| Arc::ptr_eq(old, new))
            } else {
                LazyTable::new(shared(&document.scenarios))
            },
            texts,
        }))
    }
}

/// The renewal of the tables of typed records after an edit.
struct Renewal<'e> {
    /// The edited document.
    document: &'e Document,
    /// The names that the edit has given another meaning.
    names: &'e BTreeSet<Name>,
}

impl Renewal<'_> {
    /// Returns the table of the edited document, with the old meaning of records that keep it.
    fn table<R, T: Checked>(
        &self,
        kind: Kind,
        old: &LazyTable<Arc<R>, T>,
        records: &Table<R>,
    ) -> LazyTable<Arc<R>, T> {
        old.renewed(shared(records), |name, old, new, typed| {
            Arc::ptr_eq(old, new)
                && (self.names.is_empty()
                    || !typed.has_mistakes() && !uses(self.document, kind, name, self.names))
        })
    }
}

/// The result of reading texts.
trait Checked {
    /// Returns `true` if a text that has been read has mistakes.
    fn has_mistakes(&self) -> bool;
}

impl<T> Checked for TypedText<T> {
    fn has_mistakes(&self) -> bool {
        !self.mistakes.is_empty()
    }
}

impl<T: Checked> Checked for Option<T> {
    fn has_mistakes(&self) -> bool {
        self.as_ref().is_some_and(T::has_mistakes)
    }
}

impl<T: Checked> Checked for [T] {
    fn has_mistakes(&self) -> bool {
        self.iter().any(T::has_mistakes)
    }
}

impl Checked for ExecutionRules {
    fn has_mistakes(&self) -> bool {
        self.action.has_mistakes()
            || self.integrity.has_mistakes()
            || self.completion.has_mistakes()
    }
}

impl Checked for Primitive {
    fn has_mistakes(&self) -> bool {
        let mut effects = self.effects.iter();
        self.preconditions.has_mistakes()
            || self.claims.has_mistakes()
            || effects.any(|(_, effect)| effect.has_mistakes())
            || self.cost.has_mistakes()
            || self.rules_if_read().is_some_and(Checked::has_mistakes)
    }
}

impl Checked for Compound {
    fn has_mistakes(&self) -> bool {
        let method = self.method_if_read();
        self.preconditions.has_mistakes()
            || self.goal.has_mistakes()
            || self.integrity_if_read().is_some_and(Checked::has_mistakes)
            || method.is_some_and(|method| method.contents_read().any(Checked::has_mistakes))
    }
}

impl Checked for Content {
    fn has_mistakes(&self) -> bool {
        match self {
            Self::Pass => false,
            Self::Task {
                call,
                repeat_while,
                on_abort,
            } => call.has_mistakes() || repeat_while.has_mistakes() || on_abort.has_mistakes(),
            Self::Branch(condition) => condition.has_mistakes(),
            Self::Choice { scores, .. } => scores.has_mistakes(),
            Self::Bind {
                condition,
                order_by,
                query,
                ..
            } => condition.has_mistakes() || order_by.has_mistakes() || query.has_mistakes(),
        }
    }
}

impl Checked for Goal {
    fn has_mistakes(&self) -> bool {
        self.condition.has_mistakes()
            || self.subgoals.has_mistakes()
            || self.tasks.has_mistakes()
            || self.relevance.has_mistakes()
            || self.bias.has_mistakes()
    }
}

impl Checked for Agent {
    fn has_mistakes(&self) -> bool {
        self.tasks.has_mistakes() || self.senses.has_mistakes()
    }
}

/// Returns `true` if two tables have the same names and records.
fn are_same<R>(old: &Table<R>, new: &Table<R>) -> bool {
    let mut pairs = old.iter().zip(new);
    old.len() == new.len()
        && pairs
            .all(|((name, old), (other, new))| name.same_spelling(other) && Arc::ptr_eq(old, new))
}

/// Returns `true` if parameters have the same names and types, spelled the same: messages name them.
fn have_same_params(old: &[Param], new: &[Param]) -> bool {
    let mut pairs = old.iter().zip(new);
    old.len() == new.len()
        && pairs
            .all(|(old, new)| old.name.same_spelling(&new.name) && old.of.same_spelling(&new.of))
}

/// Returns `true` if facts have the same values and parameters.
fn have_same_values(old: &Fact, new: &Fact) -> bool {
    let is_same = match (&old.value, &new.value) {
        (ValueKind::Object(old), ValueKind::Object(new)) => old.same_spelling(new),
        (old, new) => old == new,
    };
    is_same && have_same_params(&old.params, &new.params)
}

/// Returns the texts whose meaning depends on the difference between two versions, apart from those
/// of the records that differ.
fn reach(old: &TextReader, new: &TextReader) -> Reach {
    let (before, after) = (&**old.document(), &**new.document());
    let mut names = BTreeSet::new();
    let (a, b) = (&before.types, &after.types);
    changed(&mut names, a, b, |a, b| a.parent.same_spelling(&b.parent));
    // Every text depends on which objects are absent.
    if !names.is_empty() || !before.absences().eq(after.absences()) {
        return Reach::Everything;
    }
    let (a, b) = (&before.objects, &after.objects);
    changed(&mut names, a, b, |a, b| a.of.same_spelling(&b.of));
    changed(&mut names, &before.facts, &after.facts, have_same_values);
    let (a, b) = (&before.conditions, &after.conditions);
    // Which absences a condition names matters to the texts that call it, also through others.
    let has_absences = after.absences().next().is_some();
    changed(&mut names, a, b, |a, b| {
        have_same_params(&a.params, &b.params) && (!has_absences || a.formula == b.formula)
    });
    if has_absences {
        add_callers(&mut names, after);
    }
    let (a, b) = (&before.actions, &after.actions);
    changed(&mut names, a, b, |a, b| {
        have_same_params(&a.params, &b.params)
    });
    let (a, b) = (&before.primitive_tasks, &after.primitive_tasks);
    changed(&mut names, a, b, |a, b| {
        have_same_params(&a.params, &b.params)
    });
    let (a, b) = (&before.compound_tasks, &after.compound_tasks);
    changed(&mut names, a, b, |a, b| {
        have_same_params(&a.params, &b.params)
    });
    // The type of `?me` in a text depends on the agents that may use it.
    let may_differ = !names.is_empty() || !are_same(&before.agents, &after.agents);
    if names.len() > MAX_NAMES || may_differ && old.types_of_me() != new.types_of_me() {
        return Reach::Everything;
    }
    Reach::Names(names)
}

/// Adds the conditions that call these, directly or through others.
fn add_callers(names: &mut BTreeSet<Name>, document: &Document) {
    let mut count = 0;
    while names.len() > count && names.len() <= MAX_NAMES {
        count = names.len();
        let conditions = document.conditions.keys();
        let callers = conditions.filter(|name| uses(document, Kind::Condition, name, names));
        let callers: Vec<Name> = callers.cloned().collect();
        names.extend(callers);
    }
}

/// Adds the names of the records that only one of two tables has, or whose meaning for other
/// records' texts differs.
fn changed<R>(
    names: &mut BTreeSet<Name>,
    old: &Table<R>,
    new: &Table<R>,
    has_same_meaning: impl Fn(&R, &R) -> bool,
) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let name = match (old.peek(), new.peek()) {
            (None, None) => return,
            (Some((name, a)), Some((other, b))) if name == other => {
                let is_kept = Arc::ptr_eq(a, b) || has_same_meaning(a, b);
                let name = (!is_kept || !name.same_spelling(other)).then_some(*name);
                old.next();
                new.next();
                name
            }
            (Some((name, _)), Some((other, _))) if other < name => new.next().map(|(name, _)| name),
            (Some(_), _) => old.next().map(|(name, _)| name),
            (None, Some(_)) => new.next().map(|(name, _)| name),
        };
        names.extend(name.cloned());
    }
}

/// Returns `true` if a text of a record, or a sense of an agent, uses one of these names.
fn uses(document: &Document, kind: Kind, name: &Name, names: &BTreeSet<Name>) -> bool {
    let record = RecordRef::new(kind, name.clone());
    let Some(view) = document.view(&record) else {
        return true;
    };
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let is_changed = |word: &str| names.iter().any(|name| name == word);
    let fields = view.text_fields();
    let mut texts = fields.iter().filter_map(|(field, _)| view.text(field));
    let senses = document.agents.get(name).filter(|_| kind == Kind::Agent);
    let senses = senses.into_iter().flat_map(|agent| &agent.senses);
    texts.any(|text| text.split(ends).any(is_changed))
        || senses.into_iter().any(|sense| names.contains(&sense.fact))
}

//! Objects, ground facts and ground tasks as numbers, in the order of their names.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use taskloom_document::{Name, Param, Source};
use taskloom_planner::plan::{Atom as GroundFact, GroundTask, Value};

/// An object, by its place among all of the scenario.
pub type Object = usize;

/// The greatest number of arguments of a task.
const MAX_ARGS: usize = 6;

/// A ground fact, by its place among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub usize);

/// A task with its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ground {
    pub task: usize,
    count: u8,
    objects: [u8; MAX_ARGS],
}

impl Ground {
    pub fn new(task: usize, args: &[Object]) -> Self {
        let mut objects = [0; MAX_ARGS];
        for (own, object) in objects.iter_mut().zip(args) {
            *own = u8::try_from(*object).expect("few objects");
        }
        assert!(args.len() <= MAX_ARGS, "few arguments");
        Self {
            task,
            count: args.len() as u8,
            objects,
        }
    }

    pub fn args(self) -> impl Iterator<Item = Object> {
        let count = usize::from(self.count);
        self.objects.into_iter().map(usize::from).take(count)
    }
}

/// The kinds of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Bool,
    Number {
        integer: bool,
        min: Option<f64>,
        max: Option<f64>,
    },
    Object,
}

#[derive(Debug, Clone)]
pub struct Fact {
    pub name: Name,
    pub params: Vec<Param>,
    pub kind: Kind,
    pub source: Source,
    /// `true` if objects for which it is true are absent.
    pub is_absence: bool,
}

/// A number of objects, and the places of all objects among them.
type Places = (usize, Vec<Option<usize>>);

/// All names, in the order of names.
#[derive(Debug)]
pub struct Names {
    pub objects: Vec<Name>,
    /// The objects of each type and its subtypes.
    of_types: BTreeMap<Name, Vec<Object>>,
    pub facts: Vec<Fact>,
    /// The ground facts: the fact, and its objects.
    pub atoms: Vec<(usize, Vec<Object>)>,
    /// The first ground fact of each fact; and for each of its parameters, the number of objects of the type,
    /// and the places of all objects among them.
    places: Vec<(usize, Vec<Places>)>,
    fact_numbers: FxHashMap<Name, usize>,
    object_numbers: FxHashMap<Name, Object>,
    /// The names of tasks: the primitive ones first.
    tasks: Vec<Name>,
    task_numbers: FxHashMap<Name, usize>,
    pub goals: Vec<Name>,
}

impl Names {
    pub fn new(
        objects: Vec<Name>,
        of_types: BTreeMap<Name, Vec<Object>>,
        facts: Vec<Fact>,
        tasks: Vec<Name>,
        goals: Vec<Name>,
    ) -> Self {
        let mut names = Self {
            object_numbers: objects.iter().cloned().zip(0..).collect(),
            objects,
            of_types,
            fact_numbers: FxHashMap::default(),
            facts,
            atoms: vec![],
            places: vec![],
            task_numbers: tasks.iter().cloned().zip(0..).collect(),
            tasks,
            goals,
        };
        for (number, fact) in names.facts.iter().enumerate() {
            let place_of = |object: usize, param: &Param| {
                let mut objects = names.of_type(&param.of).iter();
                objects.position(|other| *other == object)
            };
            let all = 0..names.objects.len();
            let params = fact.params.iter();
            let places = params.map(|param| {
                let places = all.clone().map(|one| place_of(one, param));
                (names.of_type(&param.of).len(), places.collect())
            });
            names.places.push((names.atoms.len(), places.collect()));
            names.fact_numbers.insert(fact.name.clone(), number);
            let tuples = names.tuples(&fact.params).into_iter();
            names.atoms.extend(tuples.map(|args| (number, args)));
        }
        names
    }

    /// Returns the objects of a type and its subtypes.
    pub fn of_type(&self, of: &Name) -> &[Object] {
        self.of_types.get(of).map_or(&[], Vec::as_slice)
    }

    /// Returns all objects for parameters, the last parameter changing fastest.
    pub fn tuples(&self, params: &[Param]) -> Vec<Vec<Object>> {
        let first: Vec<Vec<Object>> = vec![vec![]];
        params.iter().fold(first, |tuples, param| {
            let with = |tuple: &Vec<Object>| {
                let objects = self.of_type(&param.of).iter();
                let all = objects.map(|object| [&tuple[..], &[*object]].concat());
                all.collect::<Vec<_>>()
            };
            tuples.iter().flat_map(with).collect()
        })
    }

    /// Returns a ground fact; `None` if the objects aren't of its types.
    pub fn atom(&self, fact: usize, args: &[Object]) -> Option<Atom> {
        let (first, params) = &self.places[fact];
        let mut place = 0;
        // The last one changes fastest.
        for (places, object) in params.iter().zip(args) {
            let (count, places) = places;
            place = place * count + places[*object]?;
        }
        Some(Atom(first + place))
    }

    pub fn fact_of(&self, atom: Atom) -> &Fact {
        &self.facts[self.atoms[atom.0].0]
    }

    pub fn fact(&self, name: &Name) -> usize {
        self.fact_numbers[name]
    }

    pub fn object(&self, name: &Name) -> Object {
        self.object_numbers[name]
    }

    pub fn task(&self, name: &Name) -> usize {
        self.task_numbers[name]
    }

    pub fn task_name(&self, task: usize) -> &Name {
        &self.tasks[task]
    }

    pub fn goal(&self, name: &Name) -> usize {
        self.goals.binary_search(name).expect("a goal")
    }

    /// Returns a ground task of a plan.
    pub fn ground(&self, task: &GroundTask) -> Ground {
        let args = task.args.iter().map(|arg| self.object(arg));
        Ground::new(self.task(&task.task), &Vec::from_iter(args))
    }

    /// Returns a ground task as in plans.
    pub fn planned(&self, task: Ground) -> GroundTask {
        GroundTask {
            task: self.tasks[task.task].clone(),
            args: self.names_of(task.args()),
        }
    }

    fn names_of(&self, objects: impl Iterator<Item = Object>) -> Vec<Name> {
        objects.map(|object| self.objects[object].clone()).collect()
    }

    /// Returns a ground fact of a record.
    pub fn recorded(&self, atom: &GroundFact) -> Atom {
        let args = atom.args.iter().map(|arg| self.object(arg));
        let found = self.atom(self.fact(&atom.fact), &Vec::from_iter(args));
        found.expect("a ground fact")
    }

    /// Returns the number of a value.
    pub fn value(&self, value: &Value) -> f64 {
        match value {
            Value::Bool(is) => f64::from(*is),
            Value::Number(number) => *number,
            Value::Object(None) => 0.0,
            Value::Object(Some(object)) => self.object(object) as f64 + 1.0,
        }
    }

    /// Returns a value of a ground fact as in records.
    pub fn value_of(&self, atom: Atom, value: f64) -> Value {
        match self.fact_of(atom).kind {
            Kind::Bool => Value::Bool(value == 1.0),
            Kind::Number { .. } => Value::Number(value),
            Kind::Object => {
                let object = (value as usize).checked_sub(1);
                Value::Object(object.map(|object| self.objects[object].clone()))
            }
        }
    }

    /// Returns a ground fact as in records.
    pub fn written(&self, atom: Atom) -> GroundFact {
        let (fact, args) = &self.atoms[atom.0];
        GroundFact {
            fact: self.facts[*fact].name.clone(),
            args: self.names_of(args.iter().copied()),
        }
    }
}

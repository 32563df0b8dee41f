//! A part of a formula means the same if it is moved into a named condition, also in a domain in
//! which objects may be absent (semantics, section 1).

use taskloom_document::Name;
use taskloom_domain::Domain;
use taskloom_domain::lang::{Env, eval_formula, read_formula};
use taskloom_domain::world::World;
use testkit::domain::document;
use testkit::random::Random;

const DOMAIN: &str = "
type unit
type soldier: unit
object ann: soldier
object ben: soldier
object flag: unit
sensor fact dead(?u: unit) absence
sensor fact lost(?s: soldier) absence
fact tired(?u: unit)
fact near(?u: unit, ?v: unit)
";

const TYPES: [&str; 2] = ["unit", "soldier"];

/// A variable, and its type.
type Variable = (String, &'static str);

/// Moves random parts of formulas into conditions.
struct Extraction {
    random: Random,
    /// The lines of the conditions.
    conditions: String,
    count: usize,
    /// `true` if parts stay where they are.
    is_plain: bool,
}

impl Extraction {
    fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn variable(&mut self, scope: &[Variable], of: &str) -> String {
        let fits = |(_, own): &&Variable| of == "unit" || *own == "soldier";
        let fitting: Vec<&Variable> = scope.iter().filter(fits).collect();
        match fitting.len() {
            0 => "ann".to_owned(),
            count => {
                let chosen = self.below(count);
                fitting[chosen].0.clone()
            }
        }
    }

    fn binder(&mut self, scope: &[Variable]) -> Variable {
        (format!("?x{}", scope.len()), TYPES[self.below(2)])
    }

    fn within(&mut self, scope: &[Variable], variable: &Variable, depth: u32) -> String {
        let inner = [scope, std::slice::from_ref(variable)].concat();
        self.formula(&inner, depth - 1)
    }

    /// Returns a random formula over the variables in scope, or a call of a condition that is it.
    fn formula(&mut self, scope: &[Variable], depth: u32) -> String {
        let kind = if depth == 0 {
            self.below(4)
        } else {
            self.below(9)
        };
        let text = match kind {
            0 => format!("dead({})", self.variable(scope, "unit")),
            1 => format!("lost({})", self.variable(scope, "soldier")),
            2 => format!("tired({})", self.variable(scope, "unit")),
            3 => {
                let of = self.variable(scope, "unit");
                format!("near({of}, {})", self.variable(scope, "unit"))
            }
            4 => format!("not ({})", self.formula(scope, depth - 1)),
            5 => {
                let sign = ["and", "or", "imply"][self.below(3)];
                let left = self.formula(scope, depth - 1);
                format!("({left}) {sign} ({})", self.formula(scope, depth - 1))
            }
            6 => {
                let word = ["exists", "forall"][self.below(2)];
                let variable = self.binder(scope);
                let body = self.within(scope, &variable, depth);
                format!("{word} {}: {}. ({body})", variable.0, variable.1)
            }
            7 => {
                let variable = self.binder(scope);
                let body = self.within(scope, &variable, depth);
                format!("count {}: {}. ({body}) >= 2", variable.0, variable.1)
            }
            _ => {
                let variable = self.binder(scope);
                let body = self.within(scope, &variable, depth);
                format!("sum {}: {}. 2 of ({body}) >= 4", variable.0, variable.1)
            }
        };
        let is_moved = self.below(3) == 0;
        if !is_moved || self.is_plain {
            return text;
        }
        let name = format!("c{}", self.count);
        self.count += 1;
        let params: Vec<String> = scope
            .iter()
            .map(|(name, of)| format!("{name}: {of}"))
            .collect();
        let args: Vec<&str> = scope.iter().map(|(name, _)| &**name).collect();
        let (params, call) = match params.len() {
            0 => (String::new(), name.clone()),
            _ => (
                format!("({})", params.join(", ")),
                format!("{name}({})", args.join(", ")),
            ),
        };
        self.conditions += &format!("condition {name}{params}: {text}\n");
        call
    }
}

fn extraction(seed: u64, is_plain: bool) -> (String, String) {
    let mut extraction = Extraction {
        random: Random::seeded(seed),
        conditions: String::new(),
        count: 0,
        is_plain,
    };
    let formula = extraction.formula(&[], 4);
    (extraction.conditions, formula)
}

fn holds(conditions: &str, formula: &str, initial: &str) -> bool {
    let document = document(&format!("{DOMAIN}{conditions}scenario s\n{initial}"));
    let domain = Domain::from(&document);
    let scene = domain
        .scene(&Name::new("s").expect("a name"))
        .expect("a scenario");
    let world = World::initial(&domain, scene);
    let read = read_formula(formula, &world.scenario_scope());
    let formula = read
        .value
        .unwrap_or_else(|| panic!("{formula}: {:?}", read.mistakes));
    eval_formula(&formula, &world, &Env::default()).expect("a value")
}

#[test]
fn formula_means_the_same_if_parts_of_it_are_named() {
    let atoms = [
        "dead(ann)",
        "dead(flag)",
        "lost(ben)",
        "tired(ann)",
        "tired(ben)",
        "near(ann, ben)",
    ];
    let (mut moved, mut held) = (0, 0);
    for seed in 0..1_000 {
        let mut random = Random::seeded(seed);
        let mut initial = String::new();
        for atom in atoms {
            if random.below(2) == 0 {
                initial += &format!("  initial {atom}\n");
            }
        }
        let (_, plain) = extraction(seed, true);
        let (conditions, named) = extraction(seed, false);
        let expected = holds("", &plain, &initial);
        let result = holds(&conditions, &named, &initial);
        assert_eq!(result, expected, "{plain}\n{conditions}{named}\n{initial}");
        moved += usize::from(!conditions.is_empty());
        held += usize::from(expected);
    }
    assert!(moved > 500, "{moved} formulas call conditions");
    assert!((200..800).contains(&held), "{held} formulas are true");
}

#[test]
fn edited_condition_changes_the_texts_that_call_it() {
    let text = |dead: &str| {
        format!(
            "{DOMAIN}condition gone(?u: unit): {dead}
condition away(?u: unit): gone(?u)
primitive go
  pre count ?u: unit. away(?u) >= 1
scenario s
"
        )
    };
    let (before, after) = (document(&text("tired(?u)")), document(&text("dead(?u)")));
    let go = Name::new("go").expect("a name");
    let meaning = |domain: &Domain| {
        let task = domain.primitive(&go).expect("a task");
        task.preconditions[0].value.clone()
    };
    let domain = Domain::from(&before);
    let counted = meaning(&domain);
    // The other records are those of the version before.
    let mut edited = before.clone();
    edited.conditions = after.conditions.clone();
    let edited = domain.edited(edited.into());
    assert_eq!(meaning(&edited), meaning(&Domain::from(&after)));
    assert_ne!(meaning(&edited), counted);
}

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use super::super::typed::Effect;
use super::*;
use crate::Domain;
use crate::lang::fixture::{document, name, params};
use crate::lang::{Scope, read_effect, read_formula, read_initial, read_number};
use taskloom_document::{Document, ValueKind};

/// A state of the fixture's document.
struct State {
    document: Document,
    values: BTreeMap<Atom, Value>,
    conditions: BTreeMap<Name, (Vec<Param>, Formula)>,
}

impl World for State {
    fn value(&self, atom: &Atom) -> Value {
        let default = match self.document.facts[&atom.fact].value {
            ValueKind::Boolean => Value::Bool(false),
            ValueKind::Number { .. } => Value::Number(0.0),
            ValueKind::Object(_) => Value::Object(None),
        };
        self.values.get(atom).cloned().unwrap_or(default)
    }
    fn objects(&self, of: &Name) -> Vec<Name> {
        let objects = self.document.objects.iter();
        let fitting = objects.filter(|(_, o)| self.document.is_kind_of(&o.of, of));
        fitting.map(|(name, _)| name.clone()).collect()
    }
    fn condition(&self, name: &Name) -> Option<(&[Param], &Formula)> {
        let (params, formula) = self.conditions.get(name)?;
        Some((params, formula))
    }
}

/// Returns a state with these initial values, separated by semicolons.
fn state(initial: &str) -> State {
    let document = document();
    let scope = Scope::of_domain(&document, vec![]);
    let texts = initial.split(';').filter(|text| !text.trim().is_empty());
    let values = texts
        .map(|text| read_initial(text, &scope).value.expect(text))
        .map(|initial| (initial.atom, initial.value))
        .collect();
    let domain = Domain::from(&document);
    let conditions = document.conditions.iter().filter_map(|(name, condition)| {
        let formula = domain.condition(name)?.value.clone()?;
        Some((name.clone(), (condition.params.clone(), formula)))
    });
    State {
        values,
        conditions: conditions.collect(),
        document: document.clone(),
    }
}

fn formula(state: &State, text: &str) -> Formula {
    let scope = Scope::of_domain(&state.document, params("?place: place"));
    let typed = read_formula(text, &scope);
    typed
        .value
        .unwrap_or_else(|| panic!("{text}: {:?}", typed.mistakes))
}

/// `?place` is the box in all texts.
fn env() -> Env {
    Env::bound(&params("?place: place"), &[name("box")])
}

#[track_caller]
fn holds(initial: &str, texts: &[&str]) {
    let state = state(initial);
    for text in texts {
        let formula = formula(&state, text);
        assert_eq!(eval_formula(&formula, &state, &env()), Ok(true), "{text}");
        assert_eq!(explain(&formula, &state, &env()), Ok(vec![]), "{text}");
        repeats(&formula, &state, text);
    }
}

/// Checks that a formula has the same value for each place as if it were evaluated for that only.
#[track_caller]
fn repeats(formula: &Formula, state: &State, text: &str) {
    let params = params("?place: place");
    let mut repeated = Repeated::new(formula, &params, state);
    let places = state.objects(&name("place"));
    for place in places.iter().chain(&places) {
        let place = std::slice::from_ref(place);
        let once = eval_formula(formula, state, &Env::bound(&params, place));
        assert_eq!(repeated.holds(place), once, "{text}: {place:?}");
    }
}

#[test]
fn terms_without_variables_are_the_same_for_all_arguments() {
    let state = state("place_of(guard) = shed; at(shed)");
    for text in [
        "place_of(guard) = ?place",
        "?place = place_of(guard) and at(place_of(guard))",
        "exists ?other: place. ?other = place_of(guard) and ?other != ?place",
    ] {
        repeats(&formula(&state, text), &state, text);
    }
}

#[test]
fn terms_with_variables_are_evaluated_for_each_argument() {
    let mut state = state("place_of(guard) = shed");
    let mut place = |who: &str, place: &str| {
        let (fact, args) = (name("place_of"), vec![name(who)]);
        let at = Value::Object(Some(name(place)));
        state.values.insert(Atom { fact, args }, at);
        let agent = state.document.objects[&name("guard")].clone();
        state.document.objects.insert(name(who), agent);
    };
    place("cook", "box");
    place("smith", "shed");
    let params = params("?who: agent");
    let scope = Scope::of_domain(&state.document, params.clone());
    let text = "place_of(?who) = place_of(guard)";
    let formula = read_formula(text, &scope).value.expect(text);
    let mut repeated = Repeated::new(&formula, &params, &state);
    let found = ["guard", "cook", "smith"].map(|who| repeated.holds(&[name(who)]));
    assert_eq!(found, [Ok(true), Ok(false), Ok(true)]);
}

#[test]
fn evaluates_formulas() {
    holds(
        "at(box); has(key); ammo = 3; place_of(guard) = shed",
        &[
            "at(?place) and not at(shed) and not box_open",
            "box_open or has(key)",
            "box_open imply false",
            "can_open(box) and not can_open(shed)",
            "ammo = 3 and ammo != 2 and ammo > 2 and ammo >= 3 and ammo < 3.5 and ammo <= 3",
            "place_of(guard) = shed and ?place != shed",
            "exists ?p: place. at(?p) and ?p != place_of(guard)",
            "forall ?p: place, ?q: place. at(?p) and at(?q) imply ?p = ?q",
            "not forall ?o. ?o = box",
            "-ammo + 2 * 3 / 4 - 1 = -2.5",
        ],
    );
}

#[test]
fn evaluates_aggregates_and_functions() {
    holds(
        "at(box); at(shed); distance(box, shed) = 3; distance(shed, box) = 4; ammo = 2",
        &[
            "count ?p: place. at(?p) = 2 and count ?p. (?p = ?place) = 1",
            "count ?p: place, ?q: place. (near(?p, ?q) or ?p = ?q) = 2",
            "count ?i: item. not has(?i) = 1 and count ?i: item. has(?i) = 0",
            "sum ?p: place, ?q: place. distance(?p, ?q) * 2 = 14",
            "sum ?p: place. (max ?q: place. distance(?p, ?q)) of (?p = box) = 3",
            "sum ?p: place. distance(?p, ?place) of has(key) = 0",
            "max ?p: place. distance(?p, box) = 4 and min ?p: place. distance(?p, box) = 0",
            "min ?p: place. distance(?place, ?p) of not (?p = ?place) = 3",
            "-sum ?p: place. ammo = -4 and 2 * count ?p: place. can_open(?p) = 0",
            "min(ammo, 3) = 2 and max(ammo, -ammo) = 2 and abs(1 - ammo) = 1",
            "sqrt(ammo * 8) = 4 and floor(-1 / ammo) = -1 and ceil(1 / ammo) = 1",
            "floor(sqrt(ammo)) + max(count ?p: place. at(?p), min(7, 5)) = 6",
        ],
    );
}

#[test]
fn aggregates_over_nothing_or_undefined_numbers_are_undefined() {
    let state = state("");
    let scope = Scope::of_domain(&state.document, vec![]);
    let number = |text| {
        let number = read_number(text, &scope).value.unwrap();
        eval_number(&number, &state, &Env::new())
    };
    assert_eq!(
        number("min ?p: place. ammo of at(?p)"),
        Err(EvalError::NoObject)
    );
    assert_eq!(
        number("max ?p: place. (1 / ammo)"),
        Err(EvalError::DivisionByZero)
    );
    assert_eq!(number("sum ?p: place. (1 / ammo) of at(?p)"), Ok(0.0));
    assert_eq!(number("sqrt(ammo - 1)"), Err(EvalError::RootOfNegative));
    holds(
        "",
        &[
            "not max ?p: place. ammo of at(?p) >= 0 and max ?p: place. ammo of at(?p) != 0",
            "not sqrt(-1 - ammo) < 1 and min(1 / ammo, 2) != 2",
        ],
    );
}

#[test]
fn comparisons_with_undefined_values_are_false() {
    holds(
        "",
        &[
            "place_of(guard) != shed",
            "not place_of(guard) = shed",
            "not place_of(guard) = place_of(guard)",
            "not at(place_of(guard)) and not can_open(place_of(guard))",
            "not distance(box, place_of(guard)) < 1",
            "not distance(box, place_of(guard)) >= 1",
            "distance(box, place_of(guard)) != 1",
            "not 1 / ammo > 0 and not 1 / ammo <= 0 and not 0 / ammo = 0",
        ],
    );
    let state = state("");
    let scope = Scope::of_domain(&state.document, vec![]);
    let number = |text| {
        let number = read_number(text, &scope).value.unwrap();
        eval_number(&number, &state, &Env::new())
    };
    assert_eq!(number("ammo + 2"), Ok(2.0));
    assert_eq!(number("1 / ammo"), Err(EvalError::DivisionByZero));
    assert_eq!(
        number("distance(box, place_of(guard))"),
        Err(EvalError::NoValue(name("distance")))
    );
}

#[test]
fn large_evaluations_terminate() {
    let state = state("");
    let nested: String = (0..40).map(|i| format!("sum ?v{i}. ")).collect();
    let scope = Scope::of_domain(&state.document, vec![]);
    let number = read_number(&(nested + "1"), &scope).value.unwrap();
    assert_eq!(
        eval_number(&number, &state, &Env::new()),
        Err(EvalError::TooLong)
    );
    let many: Vec<String> = (0..40).map(|i| format!("?v{i}")).collect();
    let formula = formula(&state, &format!("forall {}. not box_open", many.join(", ")));
    assert_eq!(
        eval_formula(&formula, &state, &Env::new()),
        Err(EvalError::TooLong)
    );
}

fn effects(initial: &str, texts: &[&str], expected: Expect) {
    let state = state(initial);
    let scope = Scope::of_domain(&state.document, params("?place: place"));
    let effects: Vec<Effect> = texts
        .iter()
        .map(|text| read_effect(text, &scope).value.expect(text))
        .collect();
    let shown = match eval_effects(&effects, &state, &env()) {
        Ok(after) => after
            .iter()
            .map(|(atom, value)| format!("{atom} = {value}"))
            .collect(),
        Err(error) => vec![error.to_string()],
    };
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn deletes_precede_adds_and_number_changes_accumulate() {
    effects(
        "at(box)",
        &["at(?place)", "forall ?p: place. not at(?p)"],
        expect![[r#"
            at(box) = true
            at(shed) = false"#]],
    );
    effects(
        "ammo = 3",
        &["ammo -= 1", "ammo += ammo", "ammo := 5"],
        expect!["ammo = 7"],
    );
    effects(
        "place_of(guard) = shed",
        &[
            "place_of(guard) := ?place when place_of(guard) = shed",
            "has(key) when box_open",
        ],
        expect!["place_of(guard) = box"],
    );
    effects("", &["ammo := 1 / ammo"], expect!["division by zero"]);
    effects(
        "",
        &["at(place_of(guard))"],
        expect!["'at' or one of its arguments is undefined"],
    );
}

fn why_not(initial: &str, text: &str, expected: Expect) {
    let state = state(initial);
    let explained = explain(&formula(&state, text), &state, &env()).expect("a value");
    let lines: Vec<String> = explained
        .iter()
        .map(|part| {
            let saw = part
                .saw
                .iter()
                .map(|(atom, value)| format!("{atom} is {value}"));
            let saw: Vec<String> = saw.collect();
            let within: String = part
                .within
                .iter()
                .map(|call| format!(" in {call}"))
                .collect();
            let place = &text[part.span.range()];
            format!("[{place}] {}{within}: {}", part.text, saw.join(", "))
        })
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn explains_why_a_formula_does_not_hold() {
    why_not(
        "at(box)",
        "at(?place) and has(key) and ammo >= 2",
        expect![[r#"
            [has(key)] has(key): has(key) is false
            [ammo >= 2] ammo >= 2: ammo is 0"#]],
    );
    why_not(
        "box_open; at(shed)",
        "not (box_open or at(shed)) and true",
        expect![[r#"
            [box_open] not box_open: box_open is true
            [at(shed)] not at(shed): at(shed) is true"#]],
    );
    why_not(
        "at(box)",
        "can_open(?place)",
        expect!["[can_open(?place)] has(key) in can_open(box): has(key) is false"],
    );
    why_not(
        "at(box)",
        "forall ?p: place. at(?p) or ?p = place_of(guard)",
        expect![
            "[at(?p) or ?p = place_of(guard)] at(shed) or shed = place_of(guard): at(shed) is false, place_of(guard) is none"
        ],
    );
    why_not(
        "at(shed)",
        "not exists ?p: place. at(?p)",
        expect!["[at(?p)] not at(shed): at(shed) is true"],
    );
    why_not(
        "",
        "exists ?p: place. at(?p)",
        expect![
            "[exists ?p: place. at(?p)] exists ?p: place. at(?p): at(box) is false, at(shed) is false"
        ],
    );
    why_not(
        "box_open",
        "box_open imply 1 / ammo > distance(?place, shed)",
        expect![
            "[box_open imply 1 / ammo > distance(?place, shed)] box_open imply 1 / ammo > distance(box, shed): box_open is true, ammo is 0"
        ],
    );
}

#[test]
fn reports_endless_recursion_of_conditions_as_too_deep() {
    let mut state = state("");
    let variables: Vec<String> = (0..90).map(|i| format!("forall ?v{i}: agent. ")).collect();
    let body = formula(&state, &format!("{} self", variables.concat()));
    state
        .conditions
        .insert(name("self"), (vec![], body.clone()));
    let env = Env::new();
    assert_eq!(eval_formula(&body, &state, &env), Err(EvalError::TooDeep));

    // As deep as possible, and false at the bottom.
    let names: Vec<Name> = (0..3).map(|i| name(&format!("level{i}"))).collect();
    for (i, level) in names.iter().enumerate() {
        let mut document = state.document.clone();
        let condition = document.conditions[&name("self")].clone();
        document.conditions.insert(level.clone(), condition);
        state.document = document;
        let inner = match i {
            0 => "box_open".to_owned(),
            _ => names[i - 1].to_string(),
        };
        let body = formula(&state, &format!("{} {inner}", variables.concat()));
        state.conditions.insert(level.clone(), (vec![], body));
    }
    let deep = formula(&state, "level2");
    assert_eq!(eval_formula(&deep, &state, &env), Ok(false));
    let explained = explain(&deep, &state, &env).unwrap();
    assert_eq!(explained[0].text, "box_open");
    assert_eq!(explained[0].within.len(), 3);
}

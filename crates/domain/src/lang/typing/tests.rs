use expect_test::{Expect, expect};

use super::*;
use crate::Domain;
use crate::lang::fixture::{document, name, object_of, params};
use crate::lang::typed::Change;

/// Compares the mistakes of a text in which `?place` and `?who` are bound.
fn check(role: TextRole, text: &str, expected: Expect) {
    let document = document();
    let scenario = Scenario {
        objects: [(name("gate"), object_of("place"))].into(),
        ..Scenario::default()
    };
    let scope = Scope {
        document: &document,
        scenario: Some(&scenario),
        variables: params("?place: place, ?who: agent"),
        me: None,
        near: None,
    };
    let mut out = vec![];
    for mistake in mistakes(text, role, &scope) {
        let part = &text[mistake.span.range()];
        let mut line = format!("{} [{part}] {}", mistake.code, mistake.message);
        for suggestion in &mistake.suggestions {
            line += &format!(" ({})", suggestion.label);
        }
        out.push(line);
    }
    expected.assert_eq(&out.join("\n"));
}

#[test]
fn checks_aggregates() {
    let mistakes = |role, text: &str| check(role, text, expect![""]);
    mistakes(
        TextRole::Formula,
        "count ?p: place. (near(?p, ?place) and at(?p)) > 1",
    );
    mistakes(
        TextRole::Number,
        "Sum ?p: place. distance(?p, ?place) of at(?p) / 2",
    );
    mistakes(
        TextRole::Effect,
        "ammo := max ?p: place. distance(?p, ?place)",
    );
    mistakes(
        TextRole::Number,
        "min(ammo, 3) + MAX(2, abs(-ammo)) * sqrt(floor(ceil(2.5)))",
    );
    check(
        TextRole::Formula,
        "count ?p: place. at(?p)",
        expect![
            "not-a-formula [count ?p: place. at(?p)] this is a number, but a formula is expected: compare it, as in 'count ?p: place. at(?p) > 0' (Change to 'count ?p: place. at(?p) > 0')"
        ],
    );
    check(
        TextRole::Formula,
        "at(box) and min(ammo, 3)",
        expect![
            "not-a-formula [min(ammo, 3)] 'min' is a number, but a formula is expected: compare it, as in 'min(ammo, 3) > 0' (Change to 'min(ammo, 3) > 0')"
        ],
    );
    check(
        TextRole::Formula,
        "count ?p: place. distance(?p, ?place) > 1",
        expect![
            "not-a-formula [count ?p: place. distance(?p, ?place)] 'count' counts objects that satisfy a formula, but this is a number; did you mean 'sum ?p: place. distance(?p, ?place)'? (Change to 'sum ?p: place. distance(?p, ?place)')"
        ],
    );
    check(
        TextRole::Number,
        "sum ?p: place. at(?p)",
        expect![
            "not-a-number [sum ?p: place. at(?p)] 'sum' takes a number for each object, but this is true or false; did you mean 'count ?p: place. at(?p)'? (Change to 'count ?p: place. at(?p)')"
        ],
    );
    check(
        TextRole::Number,
        "sum ?p: place. ammo of not ammo",
        expect![
            "not-a-formula [ammo] 'ammo' is a number, but a formula is expected: compare it, as in 'ammo > 0' (Change to '(ammo > 0)')"
        ],
    );
    check(
        TextRole::Number,
        "max ?place: plce. ammo",
        expect![[r#"
        duplicate-variable [?place] '?place' is already bound: choose another name
        unknown-type [plce] there is no type 'plce'; did you mean 'place'? (Change to 'place')"#]],
    );
    check(
        TextRole::Number,
        "max ?p: place. ammo + distance(?p, box)",
        expect!["unknown-variable [?p] variable '?p' isn't bound here"],
    );
    check(
        TextRole::Number,
        "count + min(3) + abs + sum(ammo)",
        expect![[r#"
            unknown-name [count] 'count' must be followed by a variable, as in 'count ?x: object. ...'
            wrong-arity [min(3)] 'min' takes 2 numbers, but 1 is given; over objects, write 'min ?x: object. ...'
            wrong-arity [abs] 'abs' takes 1 number, but none is given
            unknown-name [sum] 'sum' must be followed by a variable, as in 'sum ?x: object. ...'
            not-an-object [ammo] 'ammo' is a number, but an object is expected"#]],
    );
    check(
        TextRole::Number,
        "min(at(box), key) + sqrt(-2) + max(1 / 0, 2)",
        expect![[r#"
            not-a-number [at(box)] 'at' is true or false, but a number is expected
            unknown-name [key] 'key' is an object, not a number fact
            no-value [sqrt(-2)] 'sqrt(-2)' is always undefined: square root of a negative number
            no-value [1 / 0] '1 / 0' is always undefined: division by 0"#]],
    );
    check(
        TextRole::Formula,
        "at(count ?p. at(?p)) and has(min(1, ammo))",
        expect![[r#"
            not-an-object [count ?p. at(?p)] this is a number, but an object is expected
            not-an-object [min(1, ammo)] 'min' is a number, but an object is expected"#]],
    );
    check(
        TextRole::Effect,
        "place_of(guard) := count ?p: place. at(?p)",
        expect![
            "not-an-object [count ?p: place. at(?p)] this is a number, but an object is expected"
        ],
    );
    check(
        TextRole::Initial,
        "ammo = count ?p: place. at(?p)",
        expect![
            "not-constant [count ?p: place. at(?p)] an initial value must be a finite number that reads no facts"
        ],
    );
    check(TextRole::Initial, "ammo = min(3, 4)", expect![""]);
}

#[test]
fn facts_and_conditions_shadow_functions() {
    let mut document = document();
    let at = document.facts[&name("at")].clone();
    document.facts.insert(name("min"), at);
    let ammo = document.facts[&name("ammo")].clone();
    document.facts.insert(name("count"), ammo.clone());
    document.facts.insert(name("of"), ammo);
    let scope = Scope::of_domain(&document, vec![]);
    let read = |text: &str| read_formula(text, &scope).mistakes;
    assert_eq!(
        read("min(box) and count + of > sum ?p: place. of of min(?p)"),
        []
    );
    assert_eq!(read("min ?p: place. count of min(?p) > 2"), []);
    assert_ne!(read("min(1, 2) > 1"), []);
}

#[test]
fn accepts_valid_texts() {
    check(
        TextRole::Formula,
        "at(box) and not has(key) or can_open(gate)",
        expect![""],
    );
    check(
        TextRole::Formula,
        "exists ?p: place. near(?p, place_of(?who)) and ?p != ?place",
        expect![""],
    );
    check(
        TextRole::Formula,
        "place_of(guard) = gate and Ammo >= 2 * distance(box, ?place) + 1",
        expect![""],
    );
    check(TextRole::Number, "-ammo / 2", expect![""]);
    check(
        TextRole::Effect,
        "forall ?p: place. not at(?p) when ?p != ?place",
        expect![""],
    );
    check(TextRole::Effect, "place_of(?who) := ?place", expect![""]);
    check(TextRole::TaskCall, "walk-to(place_of(?who))", expect![""]);
    check(TextRole::TaskCall, "get(key)", expect![""]);
    check(TextRole::ActionCall, "WalkTo(?place)", expect![""]);
    check(TextRole::Initial, "not at(gate)", expect![""]);
    check(TextRole::Initial, "place_of(guard) = gate", expect![""]);
}

#[test]
fn reports_arithmetic_that_is_always_undefined() {
    check(
        TextRole::Number,
        "ammo / (2 - 2) + 1 / 0",
        expect![[r#"
            no-value [ammo / (2 - 2)] 'ammo / (2 - 2)' is always undefined: division by 0
            no-value [1 / 0] '1 / 0' is always undefined: division by 0"#]],
    );
    check(
        TextRole::Formula,
        "-1 * 0 / (0 * 7) = 0",
        expect![
            "no-value [-1 * 0 / (0 * 7)] '-1 * 0 / (0 * 7)' is always undefined: division by 0"
        ],
    );
    check(TextRole::Number, "0 / 1 + ammo / ammo", expect![""]);
}

#[test]
fn reports_unknown_names() {
    check(
        TextRole::Formula,
        "box_opn and has(kye) and near(bx, ?plase)",
        expect![[r#"
            unknown-name [box_opn] there is no fact or condition 'box_opn'; did you mean 'box_open'? (Change to 'box_open')
            unknown-name [kye] there is no object 'kye'; did you mean 'key'? (Change to 'key')
            unknown-name [bx] there is no object 'bx'; did you mean 'box'? (Change to 'box')
            unknown-variable [?plase] variable '?plase' isn't bound here; did you mean '?place'? (Change to '?place')"#]],
    );
    check(
        TextRole::Formula,
        "at(place) and walk-to and key",
        expect![[r#"
        unknown-name [place] 'place' is a type, not an object; did you mean '?place'? (Change to '?place')
        unknown-name [walk-to] 'walk-to' is a primitive task, not a fact or condition
        unknown-name [key] 'key' is an object, not a fact or condition"#]],
    );
    check(
        TextRole::Formula,
        "at(?box) and canopen(gaet)",
        expect![[r#"
        unknown-variable [?box] variable '?box' isn't bound here; did you mean 'box'? (Change to 'box')
        unknown-name [canopen] there is no fact or condition 'canopen'; did you mean 'can_open'? (Change to 'can_open')
        unknown-name [gaet] there is no object 'gaet'; did you mean 'gate'? (Change to 'gate')"#]],
    );
    check(
        TextRole::Formula,
        "exists ?p: plcae. at(?p)",
        expect![
            "unknown-type [plcae] there is no type 'plcae'; did you mean 'place'? (Change to 'place')"
        ],
    );
    check(
        TextRole::Number,
        "ammo-1",
        expect![
            "unknown-name [ammo-1] there is no number fact 'ammo-1'; did you mean 'ammo - 1'? (Change to 'ammo - 1') (Change to 'ammo')"
        ],
    );
    check(
        TextRole::TaskCall,
        "walkto(box)",
        expect![
            "unknown-name [walkto] 'walkto' is an action, not a task; did you mean 'walk-to'? (Change to 'walk-to')"
        ],
    );
    check(
        TextRole::ActionCall,
        "walk-to(box)",
        expect![
            "unknown-name [walk-to] 'walk-to' is a primitive task, not an action; did you mean 'WalkTo'? (Change to 'WalkTo')"
        ],
    );
    check(
        TextRole::Effect,
        "nonsense(nothing)",
        expect![[r#"
        unknown-name [nonsense] there is no fact 'nonsense'
        unknown-name [nothing] there is no object 'nothing'"#]],
    );
}

#[test]
fn checks_arguments() {
    check(
        TextRole::Formula,
        "at and at(box, gate) and box_open(box)",
        expect![[r#"
            wrong-arity [at] 'at' takes 1 argument (?place: place), but none is given
            wrong-arity [at(box, gate)] 'at' takes 1 argument (?place: place), but 2 are given
            wrong-arity [box_open(box)] 'box_open' takes no arguments, but 1 is given"#]],
    );
    check(
        TextRole::Formula,
        "at(key) and has(?place) and at(place_of(key))",
        expect![[r#"
            wrong-type [key] 'key' is of type 'item', but 'place' is expected (Change to '?place') (Change to 'box') (Change to 'gate')
            wrong-type [?place] '?place' is of type 'place', but 'item' is expected (Change to 'key')
            wrong-type [key] 'key' is of type 'item', but 'agent' is expected (Change to '?who') (Change to 'guard')"#]],
    );
    check(
        TextRole::Formula,
        "at(ammo) and at(can_open(box)) and at(3) and at(not box_open) and at(box(gate))",
        expect![[r#"
            not-an-object [ammo] 'ammo' is a number, but an object is expected
            not-an-object [can_open(box)] 'can_open' is true or false, but an object is expected
            not-an-object [3] this is a number, but an object is expected
            not-an-object [not box_open] this is true or false, but an object is expected
            wrong-arity [box(gate)] 'box' is an object and takes no arguments"#]],
    );
}

#[test]
fn checks_numbers_formulas_and_objects() {
    check(
        TextRole::Formula,
        "ammo and 3 and ?place and place_of(guard)",
        expect![[r#"
            not-a-formula [ammo] 'ammo' is a number, but a formula is expected: compare it, as in 'ammo > 0' (Change to 'ammo > 0')
            not-a-formula [3] this is a number, but a formula is expected: compare it, as in 'ammo > 0'
            not-a-formula [?place] '?place' is an object, but a formula is expected: compare it with '=', or pass it to a fact
            not-a-formula [place_of(guard)] 'place_of' is an object (place), but a formula is expected: compare it with '=', as in 'place_of(guard) = ...'"#]],
    );
    check(
        TextRole::Formula,
        "box < 3 and ?place < ammo and box_open > 1",
        expect![[r#"
            unknown-name [box] 'box' is an object, not a number fact
            not-a-number [?place] '?place' is an object, but a number is expected
            compared-formula [box_open > 1] '>' compares numbers, but one side is true or false"#]],
    );
    check(
        TextRole::Formula,
        "box_open = true and at(box) != true and box_open = at(box)",
        expect![[r#"
            compared-formula [box_open = true] '=' compares numbers or objects, but both sides are true or false (Change to 'box_open')
            compared-formula [at(box) != true] '!=' compares numbers or objects, but both sides are true or false (Change to 'not at(box)')
            compared-formula [box_open = at(box)] '=' compares numbers or objects, but both sides are true or false"#]],
    );
    check(
        TextRole::Formula,
        "box = key and place_of(guard) != key",
        expect![[r#"
            unrelated-types [box = key] no object has both type 'place' and type 'item': this is always false
            unrelated-types [place_of(guard) != key] no object has both type 'place' and type 'item': this is always true"#]],
    );
    check(
        TextRole::Number,
        "box_open + 1 and ammo",
        expect![
            "not-a-number [box_open + 1 and ammo] this is true or false, but a number is expected"
        ],
    );
    check(
        TextRole::Number,
        "can_open(box) * place_of(guard)",
        expect![[r#"
        not-a-number [can_open(box)] 'can_open' is true or false, but a number is expected
        not-a-number [place_of(guard)] 'place_of' is an object (place), but a number is expected"#]],
    );
}

#[test]
fn checks_variables() {
    check(
        TextRole::Formula,
        "exists ?p: place, ?p: item. at(?p)",
        expect![[r#"
            duplicate-variable [?p] '?p' is already bound: choose another name
            wrong-type [?p] '?p' is of type 'item', but 'place' is expected (Change to '?place') (Change to '?p') (Change to 'box')"#]],
    );
    check(
        TextRole::Formula,
        "forall ?place: item. has(?place)",
        expect!["duplicate-variable [?place] '?place' is already bound: choose another name"],
    );
    check(
        TextRole::Formula,
        "(exists ?p: place. at(?p)) and at(?p)",
        expect!["unknown-variable [?p] variable '?p' isn't bound here"],
    );
}

#[test]
fn checks_effects_and_initial_values() {
    check(
        TextRole::Effect,
        "can_open(box)",
        expect![
            "condition-changed [can_open(box)] 'can_open' is a condition, which is derived from facts: change a fact instead"
        ],
    );
    check(
        TextRole::Effect,
        "ammo",
        expect!["wrong-value [ammo] 'ammo' is a number: assign a value, as in 'ammo := ...'"],
    );
    check(
        TextRole::Effect,
        "not place_of(guard)",
        expect![
            "wrong-value [place_of(guard)] 'place_of' is an object (place): 'not' works only with facts that are true or false"
        ],
    );
    check(
        TextRole::Effect,
        "box_open := false",
        expect![
            "wrong-value [box_open := false] 'box_open' is true or false: write 'box_open' or 'not box_open' as an effect (Change to 'not box_open')"
        ],
    );
    check(
        TextRole::Effect,
        "place_of(guard) += key",
        expect![[r#"
            wrong-value [place_of(guard)] 'place_of' is an object (place): assign it with ':='
            wrong-type [key] 'key' is of type 'item', but 'place' is expected (Change to '?place') (Change to 'box') (Change to 'gate')"#]],
    );
    check(
        TextRole::Effect,
        "ammo := box when ammo",
        expect![[r#"
        unknown-name [box] 'box' is an object, not a number fact
        not-a-formula [ammo] 'ammo' is a number, but a formula is expected: compare it, as in 'ammo > 0' (Change to 'ammo > 0')"#]],
    );
    check(
        TextRole::Effect,
        "ammo := 11",
        expect!["out-of-range [11] 'ammo' can't be more than 10"],
    );
    check(
        TextRole::Initial,
        "ammo = 2.5",
        expect!["out-of-range [2.5] 'ammo' only takes whole numbers"],
    );
    check(
        TextRole::Initial,
        "ammo = -1",
        expect!["out-of-range [-1] 'ammo' can't be less than 0"],
    );
    check(
        TextRole::Initial,
        "ammo = 12 / 0",
        expect![[r#"
            no-value [12 / 0] '12 / 0' is always undefined: division by 0
            not-constant [12 / 0] an initial value must be a finite number that reads no facts"#]],
    );
    check(
        TextRole::Initial,
        "box_open = true",
        expect![
            "wrong-value [box_open = true] 'box_open' is true or false: write 'box_open' or 'not box_open' as an initial value (Change to 'box_open')"
        ],
    );
    check(
        TextRole::Initial,
        "at(place_of(guard))",
        expect![
            "not-constant [at(place_of(guard))] the arguments of an initial value must be names of objects"
        ],
    );
    check(TextRole::Initial, "", expect!["empty [] the text is empty"]);
}

#[test]
fn syntax_and_types_are_reported_together() {
    check(
        TextRole::Formula,
        "has(kye) and",
        expect![[r#"
        unknown-name [kye] there is no object 'kye'; did you mean 'key'? (Change to 'key')
        syntax [] expected a formula after 'and', found the end"#]],
    );
}

#[test]
fn reports_recursive_conditions() {
    let document = document();
    let domain = Domain::from(&document);
    let shown = |condition: &str| {
        let typed = domain.condition(&name(condition)).expect("a condition");
        let messages: Vec<_> = typed.mistakes.iter().map(|m| &*m.message).collect();
        format!("{} {}", typed.value.is_some(), messages.join("; "))
    };
    assert_eq!(shown("can_open"), "true ");
    assert_eq!(shown("self"), "false 'self' calls itself");
    assert_eq!(
        shown("loops"),
        "false 'loops' calls itself: loops, round, loops"
    );
}

#[test]
fn names_are_spelled_as_declared() {
    let document = document();
    let scope = Scope::of_domain(&document, vec![]);
    let typed = read_effect("HAS(Key)", &scope);
    let Some(Change::Set(fact, args)) = typed.value.map(|effect| effect.change) else {
        panic!("an effect that sets a fact");
    };
    assert_eq!(format!("{fact} {args:?}"), "has [Object(\"key\")]");
}

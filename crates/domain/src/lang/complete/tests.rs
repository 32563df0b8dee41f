use expect_test::{Expect, expect};

use super::*;
use crate::lang::fixture::{document, params};

/// Compares the first candidates at `|`, and the resulting texts with what is selected in them.
fn check(role: TextRole, text: &str, expected: Expect) {
    let offset = text.find('|').expect("a caret");
    let text = text.replacen('|', "", 1);
    let document = document();
    let scope = Scope::of_domain(&document, params("?place: place, ?who: agent"));
    let lines: Vec<String> = complete(&text, offset, role, &scope)
        .iter()
        .map(|candidate| {
            let mut after = text.clone();
            let (mut insert, selected) = (candidate.insert.clone(), candidate.selected.range());
            insert.insert(selected.end, '|');
            if !selected.is_empty() {
                insert.insert(selected.start, '|');
            }
            after.replace_range(candidate.replace.range(), &insert);
            let (kind, detail) = (candidate.kind, &candidate.detail);
            format!("{after}   {kind:?} {detail}").trim_end().to_owned()
        })
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn completes_formulas() {
    check(
        TextRole::Formula,
        "|",
        expect![[r#"
            at(|?place|)   Fact (?place: place)
            box_open|   Fact
            can_open(|?place|)   Condition (?p: place)
            has(key)|   Fact (?item: item)
            loops|   Condition
            near(|?place|, )   Fact (?a: place, ?b: place)
            round|   Condition
            self|   Condition
            ammo|   Fact number
            distance(|?place|, )   Fact (?a: place, ?b: place): number
            exists|   Keyword
            forall|   Keyword
            not|   Keyword
            place_of(|?who|)   Fact (?agent: agent): place
            ?place|   Variable place
            ?who|   Variable agent
            box|   Object place
            false|   Keyword
            guard|   Object agent
            key|   Object item
            shed|   Object place
            true|   Keyword"#]],
    );
    check(
        TextRole::Formula,
        "at(box) |",
        expect![[r#"
        at(box) and|   Keyword
        at(box) imply|   Keyword
        at(box) or|   Keyword"#]],
    );
    check(
        TextRole::Formula,
        "at(box) and no|",
        expect![[r#"
            at(box) and not|   Keyword
            at(box) and can_open(|?place|)   Condition (?p: place)"#]],
    );
    check(
        TextRole::Formula,
        "not (bo|",
        expect![[r#"
        not (box_open|   Fact
        not (box|   Object place"#]],
    );
    check(
        TextRole::Formula,
        "OP|x and at(box)",
        expect![[r#"
            box_open| and at(box)   Fact
            can_open(|?place|) and at(box)   Condition (?p: place)
            loops| and at(box)   Condition"#]],
    );
}

#[test]
fn completes_objects() {
    check(
        TextRole::Object,
        "|",
        expect![[r#"
        ?place|   Variable place
        ?who|   Variable agent
        box|   Object place
        guard|   Object agent
        key|   Object item
        shed|   Object place
        place_of(|?who|)   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Object,
        "place_of(|",
        expect![[r#"
        place_of(?who|   Variable agent
        place_of(guard|   Object agent"#]],
    );
    check(TextRole::Object, "key |", expect![""]);
}

#[test]
fn completes_arguments_of_the_expected_type() {
    check(
        TextRole::TaskCall,
        "walk-to(|",
        expect![[r#"
            walk-to(?place|   Variable place
            walk-to(box|   Object place
            walk-to(shed|   Object place
            walk-to(place_of(|?who|)   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Formula,
        "near(box, |)",
        expect![[r#"
            near(box, ?place|)   Variable place
            near(box, box|)   Object place
            near(box, shed|)   Object place
            near(box, place_of(|?who|))   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Formula,
        "near(place_of(|",
        expect![[r#"
        near(place_of(?who|   Variable agent
        near(place_of(guard|   Object agent"#]],
    );
    check(TextRole::Formula, "at(k|", expect!["at(key|   Object item"]);
    check(TextRole::Formula, "at(box, |", expect![""]);
    check(
        TextRole::Formula,
        "nonsense(s|",
        expect!["nonsense(shed|   Object place"],
    );
}

#[test]
fn completes_values() {
    check(
        TextRole::Formula,
        "place_of(guard) = |",
        expect![[r#"
            place_of(guard) = ?place|   Variable place
            place_of(guard) = box|   Object place
            place_of(guard) = shed|   Object place
            place_of(guard) = place_of(|?who|)   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Formula,
        "ammo > a|",
        expect![[r#"
            ammo > ammo|   Fact number
            ammo > abs(|)   Keyword (number)
            ammo > distance(|?place|, )   Fact (?a: place, ?b: place): number
            ammo > max|   Keyword ?x: type. ...
            ammo > max(|)   Keyword (number, number)
            ammo > at(|?place|)   Fact (?place: place)"#]],
    );
    check(
        TextRole::Formula,
        "?who != |",
        expect![[r#"
        ?who != ?who|   Variable agent
        ?who != guard|   Object agent"#]],
    );
    check(
        TextRole::Effect,
        "ammo := |",
        expect![[r#"
            ammo := ammo|   Fact number
            ammo := distance(|?place|, )   Fact (?a: place, ?b: place): number
            ammo := abs(|)   Keyword (number)
            ammo := ceil(|)   Keyword (number)
            ammo := count|   Keyword ?x: type. ...
            ammo := floor(|)   Keyword (number)
            ammo := max|   Keyword ?x: type. ...
            ammo := max(|)   Keyword (number, number)
            ammo := min|   Keyword ?x: type. ...
            ammo := min(|)   Keyword (number, number)
            ammo := sqrt(|)   Keyword (number)
            ammo := sum|   Keyword ?x: type. ...
            ammo := time|   Keyword number: the current tick"#]],
    );
    check(
        TextRole::Number,
        "2 * (|",
        expect![[r#"
            2 * (ammo|   Fact number
            2 * (distance(|?place|, )   Fact (?a: place, ?b: place): number
            2 * (abs(|)   Keyword (number)
            2 * (ceil(|)   Keyword (number)
            2 * (count|   Keyword ?x: type. ...
            2 * (floor(|)   Keyword (number)
            2 * (max|   Keyword ?x: type. ...
            2 * (max(|)   Keyword (number, number)
            2 * (min|   Keyword ?x: type. ...
            2 * (min(|)   Keyword (number, number)
            2 * (sqrt(|)   Keyword (number)
            2 * (sum|   Keyword ?x: type. ...
            2 * (time|   Keyword number: the current tick"#]],
    );
    check(TextRole::Number, "2|", expect![""]);
}

#[test]
fn completes_quantifiers() {
    check(
        TextRole::Formula,
        "exists ?p: |",
        expect![[r#"
        exists ?p: agent|   Type object
        exists ?p: item|   Type object
        exists ?p: place|   Type object
        exists ?p: object|   Type"#]],
    );
    check(
        TextRole::Formula,
        "exists ?p: pl|. at(?p)",
        expect!["exists ?p: place|. at(?p)   Type object"],
    );
    check(
        TextRole::Formula,
        "exists ?p: place. at(?|",
        expect![[r#"
        exists ?p: place. at(?p|   Variable place
        exists ?p: place. at(?place|   Variable place
        exists ?p: place. at(?who|   Variable agent"#]],
    );
    check(
        TextRole::Formula,
        "(exists ?p: place. at(?p)) and at(?|)",
        expect![[r#"
            (exists ?p: place. at(?p)) and at(?place|)   Variable place
            (exists ?p: place. at(?p)) and at(?who|)   Variable agent"#]],
    );
    check(TextRole::Formula, "exists |", expect![""]);
}

#[test]
fn completes_aggregates() {
    check(
        TextRole::Number,
        "2 * co|",
        expect!["2 * count|   Keyword ?x: type. ..."],
    );
    check(
        TextRole::Number,
        "m|",
        expect![[r#"
            max|   Keyword ?x: type. ...
            max(|)   Keyword (number, number)
            min|   Keyword ?x: type. ...
            min(|)   Keyword (number, number)
            ammo|   Fact number
            sum|   Keyword ?x: type. ...
            time|   Keyword number: the current tick"#]],
    );
    check(
        TextRole::Number,
        "count ?p: pl|",
        expect!["count ?p: place|   Type object"],
    );
    check(
        TextRole::Number,
        "count ?p: place. at(?|",
        expect![[r#"
        count ?p: place. at(?p|   Variable place
        count ?p: place. at(?place|   Variable place
        count ?p: place. at(?who|   Variable agent"#]],
    );
    check(
        TextRole::Number,
        "count ?p: place. not |",
        expect![[r#"
            count ?p: place. not at(|?place|)   Fact (?place: place)
            count ?p: place. not box_open|   Fact
            count ?p: place. not can_open(|?p|)   Condition (?p: place)
            count ?p: place. not has(key)|   Fact (?item: item)
            count ?p: place. not loops|   Condition
            count ?p: place. not near(|?place|, ?p)   Fact (?a: place, ?b: place)
            count ?p: place. not round|   Condition
            count ?p: place. not self|   Condition
            count ?p: place. not ammo|   Fact number
            count ?p: place. not distance(|?place|, ?p)   Fact (?a: place, ?b: place): number
            count ?p: place. not exists|   Keyword
            count ?p: place. not forall|   Keyword
            count ?p: place. not not|   Keyword
            count ?p: place. not place_of(|?who|)   Fact (?agent: agent): place
            count ?p: place. not ?p|   Variable place
            count ?p: place. not ?place|   Variable place
            count ?p: place. not ?who|   Variable agent
            count ?p: place. not box|   Object place
            count ?p: place. not false|   Keyword
            count ?p: place. not guard|   Object agent
            count ?p: place. not key|   Object item
            count ?p: place. not shed|   Object place
            count ?p: place. not true|   Keyword"#]],
    );
    check(
        TextRole::Number,
        "sum ?p: place. |",
        expect![[r#"
            sum ?p: place. ammo|   Fact number
            sum ?p: place. distance(|?place|, ?p)   Fact (?a: place, ?b: place): number
            sum ?p: place. abs(|)   Keyword (number)
            sum ?p: place. ceil(|)   Keyword (number)
            sum ?p: place. count|   Keyword ?x: type. ...
            sum ?p: place. floor(|)   Keyword (number)
            sum ?p: place. max|   Keyword ?x: type. ...
            sum ?p: place. max(|)   Keyword (number, number)
            sum ?p: place. min|   Keyword ?x: type. ...
            sum ?p: place. min(|)   Keyword (number, number)
            sum ?p: place. sqrt(|)   Keyword (number)
            sum ?p: place. sum|   Keyword ?x: type. ...
            sum ?p: place. time|   Keyword number: the current tick"#]],
    );
    check(
        TextRole::Number,
        "sum ?p: place. distance(?p, box) |",
        expect!["sum ?p: place. distance(?p, box) of|   Keyword"],
    );
    check(
        TextRole::Number,
        "sum ?p: place. ammo of at(?|",
        expect![[r#"
        sum ?p: place. ammo of at(?p|   Variable place
        sum ?p: place. ammo of at(?place|   Variable place
        sum ?p: place. ammo of at(?who|   Variable agent"#]],
    );
    check(
        TextRole::Number,
        "sum ?p: place. ammo of at(?p) |",
        expect![""],
    );
    check(
        TextRole::Formula,
        "sum ?p: place. ammo o|",
        expect![[r#"
        sum ?p: place. ammo of|   Keyword
        sum ?p: place. ammo or|   Keyword"#]],
    );
    check(
        TextRole::Formula,
        "sum ?p: place. ammo + distance(?|",
        expect![[r#"
            sum ?p: place. ammo + distance(?place|   Variable place
            sum ?p: place. ammo + distance(?who|   Variable agent"#]],
    );
    check(
        TextRole::Formula,
        "count ?p: place. at(?p) = a|",
        expect![[r#"
            count ?p: place. at(?p) = ammo|   Fact number
            count ?p: place. at(?p) = abs(|)   Keyword (number)
            count ?p: place. at(?p) = distance(|?place|, )   Fact (?a: place, ?b: place): number
            count ?p: place. at(?p) = max|   Keyword ?x: type. ...
            count ?p: place. at(?p) = max(|)   Keyword (number, number)
            count ?p: place. at(?p) = at(|?place|)   Fact (?place: place)"#]],
    );
    check(
        TextRole::Formula,
        "min(|",
        expect![[r#"
            min(ammo|   Fact number
            min(distance(|?place|, )   Fact (?a: place, ?b: place): number
            min(abs(|)   Keyword (number)
            min(ceil(|)   Keyword (number)
            min(count|   Keyword ?x: type. ...
            min(floor(|)   Keyword (number)
            min(max|   Keyword ?x: type. ...
            min(max(|)   Keyword (number, number)
            min(min|   Keyword ?x: type. ...
            min(min(|)   Keyword (number, number)
            min(sqrt(|)   Keyword (number)
            min(sum|   Keyword ?x: type. ...
            min(time|   Keyword number: the current tick"#]],
    );
    check(TextRole::Formula, "min(1, 2, |", expect![""]);
    check(
        TextRole::Formula,
        "at(box) and co|",
        expect![[r#"
            at(box) and count|   Keyword ?x: type. ...
            at(box) and can_open(|?place|)   Condition (?p: place)
            at(box) and place_of(|?who|)   Fact (?agent: agent): place"#]],
    );
}

#[test]
fn completes_effects_calls_and_initial_values() {
    check(
        TextRole::Effect,
        "|",
        expect![[r#"
            ammo|   Fact number
            at(|?place|)   Fact (?place: place)
            box_open|   Fact
            distance(|?place|, )   Fact (?a: place, ?b: place): number
            has(key)|   Fact (?item: item)
            near(|?place|, )   Fact (?a: place, ?b: place)
            place_of(|?who|)   Fact (?agent: agent): place
            forall|   Keyword
            not|   Keyword"#]],
    );
    check(TextRole::Effect, "not b|", expect!["not box_open|   Fact"]);
    check(
        TextRole::Effect,
        "at(box) w|",
        expect!["at(box) when|   Keyword"],
    );
    check(
        TextRole::Effect,
        "at(box) when can|",
        expect!["at(box) when can_open(|?place|)   Condition (?p: place)"],
    );
    check(
        TextRole::TaskCall,
        "|",
        expect![[r#"
            get(key)|   Task (?item: item): compound task
            walk-to(|?place|)   Task (?to: place): primitive task"#]],
    );
    check(
        TextRole::TaskCall,
        "wt|(box)",
        expect!["walk-to|(box)   Task (?to: place): primitive task"],
    );
    check(
        TextRole::ActionCall,
        "|",
        expect!["WalkTo(|?place|)   Action (?to: place)"],
    );
    check(
        TextRole::Initial,
        "not |",
        expect![[r#"
            not at(|?place|)   Fact (?place: place)
            not box_open|   Fact
            not has(key)|   Fact (?item: item)
            not near(|?place|, )   Fact (?a: place, ?b: place)"#]],
    );
}

#[test]
fn completes_me_for_the_acting_character() {
    let document = document();
    let scope = Scope::of_domain(&document, vec![]).played_by("agent".parse().unwrap());
    let offered = |text: &str| -> Vec<String> {
        let found = complete(text, text.len(), TextRole::Formula, &scope).into_iter();
        let found = found.take_while(|candidate| candidate.kind == CandidateKind::Variable);
        found
            .map(|candidate| format!("{} {}", candidate.label, candidate.detail))
            .collect()
    };
    assert_eq!(offered("place_of("), ["?me agent"]);
    assert_eq!(offered("?"), ["?me agent"]);
    assert!(
        complete(
            "?m",
            2,
            TextRole::Formula,
            &Scope::of_domain(&document, vec![])
        )
        .is_empty()
    );
}

use expect_test::{Expect, expect};

use super::*;
use crate::lang::fixture::{document, params};

/// The candidates at `|`, each with what the text becomes, the first few.
fn check(role: TextRole, text: &str, expected: Expect) {
    let offset = text.find('|').expect("a caret");
    let text = text.replacen('|', "", 1);
    let document = document();
    let scope = Scope::of_domain(&document, params("?place: place, ?who: agent"));
    let lines: Vec<String> = complete(&text, offset, role, &scope)
        .iter()
        .map(|candidate| {
            let mut after = text.clone();
            let (before, behind) = candidate.insert.split_at(candidate.caret as usize);
            after.replace_range(candidate.replace.range(), &format!("{before}|{behind}"));
            let (kind, detail) = (candidate.kind, &candidate.detail);
            format!("{after}   {kind:?} {detail}").trim_end().to_owned()
        })
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn formulas() {
    check(
        TextRole::Formula,
        "|",
        expect![[r#"
        at(|)   Fact (?place: place)
        box_open|   Fact
        can_open(|)   Condition (?p: place)
        has(|)   Fact (?item: item)
        loops|   Condition
        near(|)   Fact (?a: place, ?b: place)
        round|   Condition
        self|   Condition
        ammo|   Fact number
        distance(|)   Fact (?a: place, ?b: place): number
        exists|   Keyword
        forall|   Keyword
        not|   Keyword
        place_of(|)   Fact (?agent: agent): place
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
        at(box) and can_open(|)   Condition (?p: place)"#]],
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
        can_open(|) and at(box)   Condition (?p: place)
        loops| and at(box)   Condition"#]],
    );
}

#[test]
fn arguments_are_of_the_type_wanted() {
    check(
        TextRole::TaskCall,
        "walk-to(|",
        expect![[r#"
        walk-to(?place|   Variable place
        walk-to(box|   Object place
        walk-to(shed|   Object place
        walk-to(place_of(|)   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Formula,
        "near(box, |)",
        expect![[r#"
        near(box, ?place|)   Variable place
        near(box, box|)   Object place
        near(box, shed|)   Object place
        near(box, place_of(|))   Fact (?agent: agent): place"#]],
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
fn values() {
    check(
        TextRole::Formula,
        "place_of(guard) = |",
        expect![[r#"
        place_of(guard) = ?place|   Variable place
        place_of(guard) = box|   Object place
        place_of(guard) = shed|   Object place
        place_of(guard) = place_of(|)   Fact (?agent: agent): place"#]],
    );
    check(
        TextRole::Formula,
        "ammo > a|",
        expect![[r#"
        ammo > ammo|   Fact number
        ammo > distance(|)   Fact (?a: place, ?b: place): number
        ammo > at(|)   Fact (?place: place)"#]],
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
        ammo := distance(|)   Fact (?a: place, ?b: place): number"#]],
    );
    check(
        TextRole::Number,
        "2 * (|",
        expect![[r#"
        2 * (ammo|   Fact number
        2 * (distance(|)   Fact (?a: place, ?b: place): number"#]],
    );
    check(TextRole::Number, "2|", expect![""]);
}

#[test]
fn quantifiers() {
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
fn effects_calls_and_initial_values() {
    check(
        TextRole::Effect,
        "|",
        expect![[r#"
        ammo|   Fact number
        at(|)   Fact (?place: place)
        box_open|   Fact
        distance(|)   Fact (?a: place, ?b: place): number
        has(|)   Fact (?item: item)
        near(|)   Fact (?a: place, ?b: place)
        place_of(|)   Fact (?agent: agent): place
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
        expect!["at(box) when can_open(|)   Condition (?p: place)"],
    );
    check(
        TextRole::TaskCall,
        "|",
        expect![[r#"
        get(|)   Task (?item: item): compound task
        walk-to(|)   Task (?to: place): primitive task"#]],
    );
    check(
        TextRole::TaskCall,
        "wt|(box)",
        expect!["walk-to|(box)   Task (?to: place): primitive task"],
    );
    check(
        TextRole::ActionCall,
        "|",
        expect!["WalkTo(|)   Action (?to: place)"],
    );
    check(
        TextRole::Initial,
        "not |",
        expect![[r#"
            not at(|)   Fact (?place: place)
            not box_open|   Fact
            not has(|)   Fact (?item: item)
            not near(|)   Fact (?a: place, ?b: place)"#]],
    );
}

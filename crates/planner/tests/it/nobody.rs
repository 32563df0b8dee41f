//! `?me` of an actor without an object, which is undefined (semantics, section 4).

use crate::absence::check_text;

#[test]
fn facts_of_nobody_are_undefined() {
    let text = |line: &str| {
        format!(
            "
type person
type place
object ann: person
object hall: place
fact tired(?p: person)
number age(?p: person)
value place_of(?p: person): place
primitive go
  {line}
agent walker: person
scenario s
  task go
"
        )
    };
    for holds in [
        "pre not tired(?me)",
        "pre place_of(?me) != hall",
        "pre ann != ?me",
        "pre age(?me) != 0",
        "pre not age(?me) + 1 > 0",
        "pre forall ?p: person. not ?p = ?me",
        "claims ?me",
        "cost age(?me)",
    ] {
        check_text(&text(holds), "go");
    }
    for fails in [
        "pre tired(?me)",
        "pre place_of(?me) = hall",
        "pre age(?me) = 0",
        "pre exists ?p: person. ?p = ?me",
    ] {
        check_text(&text(fails), "NoPlan");
    }
}

//! Checks of crowds: their agents, sizes, names and texts. Each mistake is reported once for all
//! actors of a crowd.
//!
//! ```text
//! 0 clerk as worker         has no actors
//! 2,000 clerk as worker     too many actors
//! 12 clerk, and an object clerk-3
//! ```

use rustc_hash::FxHashSet;

use crate::scene::Scene;
use taskloom_document::{Crowd, Field, MAX_IN_CROWDS, Name};

use super::findings::Findings;
use super::scenarios::check_beliefs;
use super::texts;
use super::unknown::{self, UnknownName};

pub(super) fn check(findings: &mut Findings, scene: &Scene) {
    let typed = scene.crowds(findings.domain.texts());
    let mut in_crowds = FxHashSet::default();
    let crowds = scene.written.crowds.iter().zip(scene.crowd_sizes());
    for (at, ((crowd, size), typed)) in crowds.zip(typed).enumerate() {
        if findings.document.agents.contains_key(&crowd.agent) {
            check_size(findings, at, crowd, *size);
            check_names(findings, scene, (at, crowd, *size), &mut in_crowds);
        } else {
            let sought = UnknownName {
                code: "unknown-agent",
                what: "agent",
                field: Field::Crowd(at),
                name: &crowd.agent,
            };
            unknown::report(findings, sought, findings.document.agents.keys());
        }
        texts::list(findings, |n| Field::CrowdInitial(at, n), &typed.initial);
        texts::list(findings, |n| Field::CrowdTask(at, n), &typed.tasks);
        let belief = |n| Field::CrowdBelief(at, n);
        texts::list(findings, belief, &typed.beliefs);
        if let Some(agent) = findings.document.agents.get(&crowd.agent) {
            check_beliefs(findings, belief, (&crowd.agent, agent), &typed.beliefs);
        }
    }
}

fn check_size(findings: &mut Findings, at: usize, crowd: &Crowd, size: u32) {
    let (name, count) = (&crowd.name, crowd.count);
    if count == 0 {
        let message = format!("The crowd '{name}' has no actors. Use a count of at least 1.");
        findings.error("empty-crowd", Field::Crowd(at), message);
    } else if size < count {
        let in_play = match size {
            0 => "None".to_owned(),
            size => format!("Only {size}"),
        };
        let message = format!(
            "{in_play} of the {count} actors of '{name}' are in play: the crowds of a scenario can \
             have up to {MAX_IN_CROWDS}, fewer with long texts. Use a smaller count."
        );
        findings.error("crowd-too-large", Field::Crowd(at), message);
    }
}

/// Reports the actors of a crowd whose names are taken by other objects, and adds the others to
/// those known from crowds.
fn check_names(
    findings: &mut Findings,
    scene: &Scene,
    (at, crowd, size): (usize, &Crowd, u32),
    in_crowds: &mut FxHashSet<Name>,
) {
    let document = findings.document;
    let names = (1..=size).map(|number| crowd.actor(number));
    let is_taken = |name: &Name| {
        let is_object =
            scene.written.objects.contains_key(name) || document.objects.contains_key(name);
        is_object || !in_crowds.insert(name.clone())
    };
    let taken: Vec<Name> = names.filter(is_taken).collect();
    let message = match taken.as_slice() {
        [] => return,
        [one] => format!("There is another object '{one}'. Rename it or the crowd."),
        [first, .., last] => format!(
            "There are {} other objects with the names of its actors, from '{first}' to '{last}'. \
             Rename them or the crowd.",
            taken.len()
        ),
    };
    findings.error("crowd-name-taken", Field::Crowd(at), message);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::check::fixture;

    const WORLD: &str = r#"
        "types": { "place": { "parent": "object" }, "person": { "parent": "object" } },
        "objects": { "desk": { "type": "place" }, "hall": { "type": "place" }, "clerk-2": { "type": "place" } },
        "facts": { "place_of": { "params": ["?p: person"], "value": { "object": "place" } },
                   "tired": { "params": ["?p: person"], "source": "memory" } },
        "primitive_tasks": { "walk": { "params": ["?to: place"] } },
        "agents": { "worker": { "type": "person", "planning": { "decomposition": { "tasks": ["walk(desk)"] } } },
                    "lost": { "type": "nowhere", "planning": { "decomposition": { "tasks": ["walk(desk)"] } } } }
    "#;

    #[track_caller]
    fn check_scenario(scenario: &str, expect: expect_test::Expect) {
        fixture::check_scenario(WORLD, scenario, expect);
    }

    #[test]
    fn accepts_crowds_and_texts_about_their_actors() {
        check_scenario(
            r#"{ "crowds": [{ "count": 12, "name": "porter", "agent": "worker",
                    "initial": ["place_of(?me) = desk"], "tasks": ["walk(hall)"], "beliefs": ["tired(?me)"] }],
                "events": [{ "at": 3, "effect": "place_of(porter-12) := hall" }],
                "failures": [{ "task": "walk(desk)" }],
                "expect": [{ "finally": "forall ?p: person. place_of(?p) = place_of(porter-1)" }] }"#,
            expect![[r#"
                error[unknown-type] agent:lost type: There is no type 'nowhere'.
                    Add a type 'nowhere'
            "#]],
        );
    }

    #[test]
    fn checks_agents_sizes_and_names() {
        check_scenario(
            r#"{ "objects": { "porter-1": { "type": "person" } }, "cast": [{ "agent": "worker" }],
                "crowds": [
                    { "count": 3, "name": "clerk", "agent": "wroker" },
                    { "count": 0, "name": "clerk", "agent": "worker" },
                    { "count": 3, "name": "clerk", "agent": "worker" },
                    { "count": 3, "name": "Clerk", "agent": "worker" },
                    { "count": 2, "name": "porter", "agent": "worker" },
                    { "count": 2000, "name": "guard", "agent": "worker" },
                    { "count": 2, "name": "thief", "agent": "lost" }
                ] }"#,
            expect![[r#"
                error[unknown-type] agent:lost type: There is no type 'nowhere'.
                    Add a type 'nowhere'
                error[character-without-object] scenario:s whole: With several actors, each needs an object. Choose one for those without.
                error[unknown-agent] scenario:s crowd 0: There is no agent 'wroker'; did you mean 'worker'?
                    Change to 'worker'
                error[empty-crowd] scenario:s crowd 1: The crowd 'clerk' has no actors. Use a count of at least 1.
                error[crowd-name-taken] scenario:s crowd 2: There is another object 'clerk-2'. Rename it or the crowd.
                error[crowd-name-taken] scenario:s crowd 3: There are 3 other objects with the names of its actors, from 'Clerk-1' to 'Clerk-3'. Rename them or the crowd.
                error[crowd-name-taken] scenario:s crowd 4: There is another object 'porter-1'. Rename it or the crowd.
                error[crowd-too-large] scenario:s crowd 5: Only 992 of the 2000 actors of 'guard' are in play: the crowds of a scenario can have up to 1000, fewer with long texts. Use a smaller count.
                error[crowd-too-large] scenario:s crowd 6: None of the 2 actors of 'thief' are in play: the crowds of a scenario can have up to 1000, fewer with long texts. Use a smaller count.
            "#]],
        );
    }

    #[test]
    fn reports_mistakes_in_texts_once_for_all_actors() {
        check_scenario(
            r#"{ "initial": ["place_of(porter-3) = hall"],
                "crowds": [{ "count": 12, "name": "porter", "agent": "worker",
                    "initial": ["place_of(?me) = dsek", "place_of(?me) = ?me", "place_of(?mercy) = desk", "place_of(?me) = desk",
                        "place_of(porter-12) = hall", "place_of(porter-13) = desk", ""],
                    "tasks": ["walk(?me)", "walk(attic)"], "beliefs": ["tired(hall)", "tired(?me) = 2"] }] }"#,
            expect![[r#"
                error[unknown-type] agent:lost type: There is no type 'nowhere'.
                    Add a type 'nowhere'
                error[unknown-name] scenario:s crowd_initial [0,0] 16..20: There is no object 'dsek'; did you mean 'desk'?
                    Change to 'desk'
                error[wrong-type] scenario:s crowd_initial [0,1] 16..19: '?me' is of type 'person', but 'place' is expected.
                    Change to 'clerk-2'
                    Change to 'desk'
                    Change to 'hall'
                error[unknown-variable] scenario:s crowd_initial [0,2] 9..15: Variable '?mercy' isn't bound here.
                error[contradiction] scenario:s crowd_initial [0,3]: Conflicts with 'place_of(porter-12) = hall'. A fact has only one value.
                error[unknown-name] scenario:s crowd_initial [0,5] 9..18: There is no object 'porter-13'; did you mean 'porter-1'?
                    Change to 'porter-1'
                    Change to 'porter-10'
                    Change to 'porter-11'
                error[empty] scenario:s crowd_initial [0,6]: This entry is empty.
                    Remove the entry
                error[wrong-type] scenario:s crowd_task [0,0] 5..8: '?me' is of type 'person', but 'place' is expected.
                    Change to 'clerk-2'
                    Change to 'desk'
                    Change to 'hall'
                error[unknown-name] scenario:s crowd_task [0,1] 5..10: There is no object 'attic'.
                error[wrong-type] scenario:s crowd_belief [0,0] 6..10: 'hall' is of type 'place', but 'person' is expected.
                error[wrong-value] scenario:s crowd_belief [0,1] 0..14: 'tired' is true or false: write 'tired(?me)' or 'not tired(?me)' as an initial value.
                    Change to 'tired(?me)'
            "#]],
        );
    }
}

//! The value of a goal to the shown actor, at the cursor.

use leptos::prelude::*;
use taskloom_document::Name;
use taskloom_planner::explain::cooling_down;
use taskloom_planner::plan::GoalValue;
use taskloom_runtime::{Planning, Run};

use crate::page::Linked;
use crate::session::{LinkTarget, LinkedText, Session};
use crate::ui::live::live;

/// Returns the newest planning of an actor until a tick that evaluated its goals; without a
/// tick, its first one.
fn newest(run: &Run, character: usize, until: Option<u32>) -> Option<&Planning> {
    let looked =
        |planning: &&Planning| planning.character == character && !planning.goal_values.is_empty();
    let first = || run.plans.iter().find(looked);
    let Some(until) = until else {
        return first();
    };
    let mut plans = run.plans.iter().rev().filter(looked);
    plans.find(|planning| planning.tick <= until).or_else(first)
}

/// Describes the value, rounded to three decimals: `value 7 for anna at tick 4`.
fn describe(goal_value: &GoalValue, planning: &Planning, whose: Option<&str>) -> LinkedText {
    let value = match goal_value.value {
        Some(value) => format!("value {}", (value * 1000.0).round() / 1000.0),
        None => "value undefined".to_owned(),
    };
    let state = match goal_value.cooldown {
        _ if goal_value.holds => " (already satisfied)".to_owned(),
        0 => String::new(),
        ticks => format!(" ({})", cooling_down(ticks)),
    };
    let text = match whose {
        Some(name) => {
            let target = LinkTarget::Character(planning.character);
            LinkedText::from(value).text(" for ").link(name, target)
        }
        None => value.into(),
    };
    text.text(" at tick ").tick(planning.tick).text(state)
}

/// Shows the value if the actor has that goal and has planned for it.
#[component]
pub fn CurrentValue(#[prop(into)] goal: Signal<Option<Name>>) -> impl IntoView {
    let session = Session::expect();
    let text = Memo::new(move |_| {
        let (goal, until) = (goal.get()?, session.tick());
        if session.plan.is_old() {
            return None;
        }
        let (character, name) = (session.desk.character.get(), session.desk.character_name());
        session.plan.answer.with(|answer| {
            let run = answer.as_ref()?.run.as_ref()?;
            let planning = newest(run, character, until)?;
            let goal_value = planning
                .goal_values
                .iter()
                .find(|goal_value| goal_value.goal == goal)?;
            Some(describe(goal_value, planning, name.as_deref()))
        })
    });
    live(move || {
        text.get().map(|text| {
            view! { <p class="hint worth" title="When it last evaluated its goals"><Linked text/></p> }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::plan::Budget;
    use taskloom_runtime::simulate;

    /// Food is wanted as long as there is none; the fire, once it is out.
    const CAMP: &str = r#"{
      "taskloom": 4,
      "types": { "person": { "parent": "object" } },
      "objects": { "anna": { "type": "person" }, "ben": { "type": "person" } },
      "facts": { "fed": { "source": "memory" }, "warm": { "source": "memory" } },
      "actions": { "Do": { "duration": "2" } },
      "primitive_tasks": {
        "eat": { "action": "Do()", "effects": [{ "text": "fed" }] },
        "light": { "action": "Do()", "effects": [{ "text": "warm" }] }
      },
      "goals": { "food": { "condition": "fed", "priority": 3 }, "fire": { "condition": "warm", "priority": 2 } },
      "agents": {
        "idler": { "type": "person" },
        "camper": { "type": "person", "planning": { "goals": { "goals": ["food", "fire"] } } }
      },
      "scenarios": { "night": { "cast": [
        { "object": "anna", "agent": "idler", "tasks": ["eat"] }, { "object": "ben", "agent": "camper" }
      ] } }
    }"#;

    #[test]
    fn goals_show_the_value_of_their_last_evaluation() {
        let document = Document::from_json(CAMP).unwrap();
        let scenario = "night".parse().unwrap();
        let run = simulate(&Domain::from(&document), &scenario, Budget::default(), 20);
        let text = |goal: &str, until| {
            let planning = newest(&run, 1, until)?;
            let goal_value = planning
                .goal_values
                .iter()
                .find(|goal_value| goal_value.goal == goal)?;
            Some(describe(goal_value, planning, Some("ben")).to_string())
        };
        let begins = Some("value 3 for ben at tick 0".to_owned());
        assert_eq!(text("food", None), begins);
        assert_eq!(text("food", Some(1)), begins);
        let fed = Some("value 3 for ben at tick 3 (already satisfied)".to_owned());
        assert_eq!(text("food", Some(3)), fed);
        assert!(newest(&run, 0, None).is_none(), "she has no goals");
        let planning = newest(&run, 1, None).unwrap();
        let two_thirds = GoalValue {
            value: Some(2.0 / 3.0),
            holds: false,
            ..planning.goal_values[0].clone()
        };
        let text = describe(&two_thirds, planning, None);
        assert_eq!(text.to_string(), "value 0.667 at tick 0");
        let cooling = GoalValue {
            cooldown: 4,
            ..two_thirds
        };
        assert_eq!(
            describe(&cooling, planning, None).to_string(),
            "value 0.667 at tick 0 (cooling down for 4 more ticks)"
        );
    }
}

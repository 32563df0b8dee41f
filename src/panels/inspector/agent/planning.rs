//! How an agent plans, and for what.

use leptos::prelude::*;
use taskloom::document::{Agent, Direction, Field, GoalSearch, Heuristic, Name, Planning, Policy};

use super::goals::Goals;
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::{Labelled, NumberField};
use crate::panels::inspector::texts::TextList;

/// A kind of planning: its word, what it is called, and what it does.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "first",
        "tasks: the first plan",
        "It decomposes its tasks, and follows the first plan in the order of the blocks and their alternatives.",
    ),
    (
        "cheapest",
        "tasks: the cheapest plan",
        "It decomposes its tasks, and follows the plan of least total cost.",
    ),
    (
        "reactive",
        "tasks: react, step by step",
        "It decomposes its tasks no further than to the next step, which it chooses when its turn comes.",
    ),
    (
        "goals",
        "goals",
        "It pursues the goal that is worth most of those that do not hold.",
    ),
];

fn word(planning: &Planning) -> &'static str {
    match planning {
        Planning::Decomposition { policy, .. } => match policy {
            Policy::First => "first",
            Policy::Cheapest => "cheapest",
        },
        Planning::Reactive { .. } => "reactive",
        Planning::Goals { .. } => "goals",
    }
}

/// What an agent plans for, in each kind of planning.
#[derive(Debug, Clone, Default)]
struct Purposes {
    tasks: Vec<String>,
    goals: Vec<Name>,
    search: GoalSearch,
}

impl Purposes {
    /// Takes in what a planning is for; what it says nothing of stays.
    fn note(&mut self, planning: &Planning) {
        match planning {
            Planning::Decomposition { tasks, .. } | Planning::Reactive { tasks } => {
                self.tasks.clone_from(tasks);
            }
            Planning::Goals { goals, search } => {
                self.goals.clone_from(goals);
                self.search = search.clone();
            }
        }
    }

    /// Planning of another kind, for what it was for when it was last of that kind.
    fn planning(&self, kind: &str) -> Planning {
        let tasks = self.tasks.clone();
        match kind {
            "reactive" => Planning::Reactive { tasks },
            "goals" => Planning::Goals {
                goals: self.goals.clone(),
                search: self.search.clone(),
            },
            kind => Planning::Decomposition {
                tasks,
                policy: if kind == "cheapest" {
                    Policy::Cheapest
                } else {
                    Policy::First
                },
            },
        }
    }
}

/// The kind of planning, with its tasks or its goals.
#[component]
pub fn PlanningFields(agent: Edited<Agent>) -> impl IntoView {
    let kind = agent.memo(|agent| word(&agent.planning));
    // Who tries another kind and comes back finds what there was.
    let purposes = StoredValue::new(Purposes::default());
    let set = move |kind: String| {
        agent.change("Change how it plans:", |agent| {
            purposes.update_value(|purposes| purposes.note(&agent.planning));
            agent.planning = purposes.with_value(|purposes| purposes.planning(&kind));
        });
    };
    let sentence = move || {
        let kind = KINDS.iter().find(|(word, ..)| *word == kind.get());
        kind.map(|(_, _, sentence)| *sentence)
    };
    let has_goals = Memo::new(move |_| kind.get() == "goals");
    let tasks = agent.memo(|agent| agent.planning.tasks().len());
    view! {
        <Labelled label="Plans for">
            <select aria-label="Plans for" on:change=move |event| set(event_target_value(&event))>
                {KINDS
                    .iter()
                    .map(|(word, text, _)| view! { <option value=*word prop:selected=move || kind.get() == *word>{*text}</option> })
                    .collect_view()}
            </select>
        </Labelled>
        <p class="hint">{sentence}</p>
        <Show
            when=move || has_goals.get()
            fallback=move || view! {
                <TextList record=agent.record() title="Tasks" one="task" field=Field::Task count=tasks
                    placeholder="what it does, in this order…" ordered=true/>
            }
        >
            <Goals agent/>
            <SearchFields agent/>
        </Show>
    }
}

const DIRECTIONS: [(Direction, &str, &str); 2] = [
    (Direction::Forward, "from what is so, forward", "forward"),
    (Direction::Regressive, "from the goal, back", "regressive"),
];

const HEURISTICS: [(Heuristic, &str, &str); 5] = [
    (Heuristic::Hmax, "hmax: the dearest condition", "hmax"),
    (Heuristic::Hadd, "hadd: all conditions together", "hadd"),
    (Heuristic::Ff, "ff: a relaxed plan", "ff"),
    (Heuristic::Unmet, "unmet: how many do not hold", "unmet"),
    (Heuristic::Blind, "blind: nothing", "blind"),
];

/// How plans for goals are looked for.
#[component]
fn SearchFields(agent: Edited<Agent>) -> impl IntoView {
    let search = agent.memo(|agent| match &agent.planning {
        Planning::Goals { search, .. } => search.clone(),
        _ => GoalSearch::default(),
    });
    let change = move |field: &'static str, change: &dyn Fn(&mut GoalSearch)| {
        agent.typed("Change the search of", field, |agent| {
            if let Planning::Goals { search, .. } = &mut agent.planning {
                change(search);
            }
        });
    };
    let limit = move |field: &'static str, of: fn(&mut GoalSearch) -> &mut Option<u32>| {
        let value = Signal::derive(move || {
            let mut search = search.get();
            of(&mut search).map(f64::from)
        });
        let set = Callback::new(move |to: Option<f64>| {
            change(field, &|search| *of(search) = to.map(|to| to as u32));
        });
        (value, set)
    };
    let (nodes, set_nodes) = limit("nodes", |search| &mut search.nodes);
    let (depth, set_depth) = limit("depth", |search| &mut search.depth);
    let retry = Signal::derive(move || Some(f64::from(search.get().retry)));
    let set_retry = Callback::new(move |to: Option<f64>| {
        change("retry", &|search| search.retry = to.unwrap_or(1.0) as u32);
    });
    view! {
        <section class="section" aria-label="Search for goals">
            <h3>"Search"</h3>
            <Labelled label="Looks">
                <select
                    aria-label="Looks"
                    on:change=move |event| {
                        let to = event_target_value(&event);
                        if let Some((to, ..)) = DIRECTIONS.iter().find(|(_, _, word)| *word == to) {
                            change("direction", &|search| search.direction = *to);
                        }
                    }
                >
                    {DIRECTIONS
                        .iter()
                        .map(|(direction, text, word)| view! { <option value=*word prop:selected=move || search.get().direction == *direction>{*text}</option> })
                        .collect_view()}
                </select>
            </Labelled>
            <Labelled label="Estimates the way left by">
                <select
                    aria-label="Estimates the way left by"
                    on:change=move |event| {
                        let to = event_target_value(&event);
                        if let Some((to, ..)) = HEURISTICS.iter().find(|(_, _, word)| *word == to) {
                            change("heuristic", &|search| search.heuristic = *to);
                        }
                    }
                >
                    {HEURISTICS
                        .iter()
                        .map(|(heuristic, text, word)| view! { <option value=*word prop:selected=move || search.get().heuristic == *heuristic>{*text}</option> })
                        .collect_view()}
                </select>
            </Labelled>
            <div class="row">
                <Labelled label="States at most" short=true>
                    <NumberField label="States at most" placeholder="no limit" optional=true natural=true value=nodes set=set_nodes/>
                </Labelled>
                <Labelled label="Steps at most" short=true>
                    <NumberField label="Steps at most" placeholder="no limit" optional=true natural=true value=depth set=set_depth/>
                </Labelled>
                <Labelled label="Tries again after" short=true>
                    <NumberField label="Tries again after, in ticks" natural=true value=retry set=set_retry/>
                </Labelled>
            </div>
            <p class="hint">"Where a limit is hit, it follows the part of a plan that comes nearest to the goal."</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_kind_of_planning_was_for_is_there_again_afterwards() {
        let mut purposes = Purposes::default();
        let tasks = Planning::Reactive {
            tasks: vec!["patrol".into()],
        };
        let goals = Planning::Goals {
            goals: vec!["fed".parse().unwrap()],
            search: GoalSearch {
                retry: 5,
                ..GoalSearch::default()
            },
        };
        purposes.note(&tasks);
        purposes.note(&goals);
        assert_eq!(purposes.planning("reactive"), tasks);
        assert_eq!(purposes.planning("goals"), goals);
        assert_eq!(purposes.planning("cheapest").tasks(), ["patrol"]);
        for (kind, ..) in KINDS {
            assert_eq!(word(&purposes.planning(kind)), kind);
        }
    }
}

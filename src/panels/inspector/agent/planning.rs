//! The planning of an agent: its mode, and its tasks or goals.

use leptos::prelude::*;
use taskloom_document::{Agent, Direction, Field, GoalSearch, Heuristic, Name, Planning, Policy};

use super::goals::Goals;
use crate::panels::inspector::edited::Edited;
use crate::panels::inspector::fields::{Labelled, NumberField};
use crate::panels::inspector::heading::Heading;
use crate::panels::inspector::texts::TextList;
use crate::ui::select::{Choice, Select};

/// The planning modes: word, name and description.
const KINDS: [(&str, &str, &str); 4] = [
    (
        "first",
        "tasks: first plan",
        "Decomposes its tasks and executes the first plan in the order of the blocks and their alternatives.",
    ),
    (
        "cheapest",
        "tasks: cheapest plan",
        "Decomposes its tasks and executes the plan with the lowest total cost.",
    ),
    (
        "reactive",
        "tasks: reactive, step by step",
        "Decomposes its tasks only down to the next step, which it chooses when it is reached.",
    ),
    (
        "goals",
        "goals",
        "Pursues the unmet goal with the highest value.",
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

/// The tasks, goals and search of an agent, kept while the planning mode changes.
#[derive(Debug, Clone, Default)]
struct Purposes {
    tasks: Vec<String>,
    goals: Vec<Name>,
    search: GoalSearch,
}

impl Purposes {
    /// Stores the tasks or goals of a planning; the others stay.
    fn absorb(&mut self, planning: &Planning) {
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

    /// Returns planning in a mode, with what was stored for it last.
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

/// The planning mode, with its tasks or its goals.
#[component]
pub fn PlanningFields(agent: Edited<Agent>) -> impl IntoView {
    let kind = agent.memo(|agent| word(&agent.planning));
    // Switching to another mode and back restores the tasks or goals.
    let purposes = StoredValue::new(Purposes::default());
    let set = move |kind: String| {
        agent.change("Change the planning mode of", |agent| {
            purposes.update_value(|purposes| purposes.absorb(&agent.planning));
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
        <Labelled label="Planning mode">
            <select aria-label="Planning mode" on:change=move |event| set(event_target_value(&event))>
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
                     ordered=true/>
            }
        >
            <Goals agent/>
            <SearchFields agent/>
        </Show>
    }
}

static DIRECTIONS: [Choice<Direction>; 2] = [
    (
        Direction::Forward,
        "forward",
        "forward from the current state",
    ),
    (
        Direction::Regressive,
        "regressive",
        "backward from the goal",
    ),
];

static HEURISTICS: [Choice<Heuristic>; 5] = [
    (Heuristic::Hmax, "hmax", "hmax: costliest condition"),
    (Heuristic::Hadd, "hadd", "hadd: sum of all conditions"),
    (Heuristic::Ff, "ff", "ff: relaxed plan"),
    (
        Heuristic::Unmet,
        "unmet",
        "unmet: number of unmet conditions",
    ),
    (Heuristic::Blind, "blind", "blind: no estimate"),
];

/// The settings of the search for goals.
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
    let direction = Signal::derive(move || search.get().direction);
    let set_direction =
        Callback::new(move |to| change("direction", &|search| search.direction = to));
    let heuristic = Signal::derive(move || search.get().heuristic);
    let set_heuristic =
        Callback::new(move |to| change("heuristic", &|search| search.heuristic = to));
    let (nodes, set_nodes) = limit("nodes", |search| &mut search.nodes);
    let (depth, set_depth) = limit("depth", |search| &mut search.depth);
    let retry = Signal::derive(move || Some(f64::from(search.get().retry)));
    let set_retry = Callback::new(move |to: Option<f64>| {
        change("retry", &|search| search.retry = to.unwrap_or(1.0) as u32);
    });
    let commitment = Signal::derive(move || Some(f64::from(search.get().commitment)));
    let set_commitment = Callback::new(move |to: Option<f64>| {
        change("commitment", &|search| {
            search.commitment = to.unwrap_or_default() as u32;
        });
    });
    view! {
        <section class="section" aria-label="Goal search">
            <Heading title="Search"/>
            <Labelled label="Direction">
                <Select label="Direction" choices=&DIRECTIONS chosen=direction set=set_direction/>
            </Labelled>
            <Labelled label="Heuristic">
                <Select label="Heuristic" choices=&HEURISTICS chosen=heuristic set=set_heuristic/>
            </Labelled>
            <div class="row">
                <Labelled label="Max states" short=true>
                    <NumberField label="Max states" placeholder="no limit" optional=true natural=true value=nodes set=set_nodes/>
                </Labelled>
                <Labelled label="Max steps" short=true>
                    <NumberField label="Max steps" placeholder="no limit" optional=true natural=true value=depth set=set_depth/>
                </Labelled>
                <Labelled label="Retry after" short=true>
                    <NumberField label="Retry after, in ticks" natural=true value=retry set=set_retry/>
                </Labelled>
            </div>
            <Labelled label="Keep a goal for">
                <NumberField label="Keep a goal for, in ticks" natural=true value=commitment set=set_commitment/>
            </Labelled>
            <p class="hint">"If a limit is hit, it executes the partial plan that comes closest to the goal."</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switching_the_planning_mode_back_restores_its_content() {
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
        purposes.absorb(&tasks);
        purposes.absorb(&goals);
        assert_eq!(purposes.planning("reactive"), tasks);
        assert_eq!(purposes.planning("goals"), goals);
        assert_eq!(purposes.planning("cheapest").tasks(), ["patrol"]);
        for (kind, ..) in KINDS {
            assert_eq!(word(&purposes.planning(kind)), kind);
        }
    }
}

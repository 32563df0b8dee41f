//! The facts that characters learned and noticed at a moment of a run.

use leptos::prelude::*;
use taskloom_runtime::{Entry, Planning, Run, StepExecution};

use crate::page::Linked;
use crate::session::{Happened, LinkTarget, LinkedText, Session, names, task_of};
use crate::ui::live::live;

/// A fact that a character learned or noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The index of the character in the cast.
    pub character: usize,
    /// `learned ball_in_box = false from take-ball`.
    pub text: LinkedText,
}

/// Returns what all characters learned and noticed at a tick or an entry of the run.
pub fn discoveries(run: &Run, happened: Happened) -> Vec<Item> {
    let learned = |step: &StepExecution| {
        if step.learned.is_empty() {
            return None;
        }
        let text = LinkedText::from("learned ").then(LinkedText::changes(&step.learned));
        Some(Item {
            character: run.plans.get(step.plan)?.character,
            text: match task_of(run, step) {
                Some(task) => text.text(" from ").task(task),
                None => text,
            },
        })
    };
    let noticed = |planning: &Planning| {
        let atom = planning.noticed.as_ref()?;
        Some(Item {
            character: planning.character,
            text: LinkedText::from("noticed ")
                .atom(atom)
                .text(", which the plan depends on"),
        })
    };
    match happened {
        Happened::Tick(tick) => {
            let steps = run.executed.iter().filter(|step| step.end == Some(tick));
            let plans = run.plans.iter().filter(|planning| planning.tick == tick);
            let learned = steps.filter_map(learned);
            learned.chain(plans.filter_map(noticed)).collect()
        }
        Happened::Line(Entry::Step(at)) => {
            let step = run.executed.get(at);
            step.and_then(learned).into_iter().collect()
        }
        Happened::Line(Entry::Planning(at)) => {
            let planning = run.plans.get(at);
            planning.and_then(noticed).into_iter().collect()
        }
        Happened::Line(Entry::Event(_) | Entry::Perception(_)) => vec![],
    }
}

/// Shows the discoveries at the cursor; nothing if there are none.
#[component]
pub fn Discoveries() -> impl IntoView {
    let session = Session::expect();
    let described = Memo::new(move |_| {
        let happened = session.desk.cursor.get().happened?;
        session.plan.answer.with(|answer| {
            let answer = answer.as_ref()?;
            let found = discoveries(answer.run.as_ref()?, happened);
            let names = names(&session.domain_untracked(), &answer.scenario);
            let described = found.into_iter().map(|item| {
                let who = match names.get(item.character) {
                    Some(name) => {
                        LinkedText::default().link(name, LinkTarget::Character(item.character))
                    }
                    None => LinkedText::from("The actor"),
                };
                who.text(" ").then(item.text)
            });
            Some(described.collect::<Vec<LinkedText>>())
        })
    });
    live(move || {
        let described = described.get().filter(|described| !described.is_empty())?;
        let items = described
            .into_iter()
            .map(|text| view! { <li><Linked text/></li> });
        Some(
            view! { <ul class="news" aria-label="Learned and noticed">{items.collect_view()}</ul> },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::words::{changed, describe_planning, describe_step, end};
    use super::*;
    use taskloom_document::Document;
    use taskloom_domain::Domain;
    use taskloom_planner::compile::{GroundQuery, QueryAnswer};
    use taskloom_planner::plan::{Budget, Limit, Outcome};
    use taskloom_runtime::{MAX_TICKS, default_planner, simulate_by};

    /// Ann sees the gem but never the ammunition, and believes in ammunition that isn't there.
    const DIG: &str = r#"{
      "taskloom": 4,
      "facts": {
        "ammo": { "value": { "number": { "min": 0, "max": 9 } }, "source": "sensor" },
        "gem": { "source": "sensor" }, "shut": { "source": "sensor" }, "rich": { "source": "memory" }
      },
      "actions": { "Act": { "duration": "2" } },
      "primitive_tasks": {
        "shoot": { "action": "Act", "preconditions": ["ammo > 0"], "effects": [{ "text": "ammo -= 1" }, { "text": "rich" }] },
        "club": { "action": "Act", "cost": "9", "effects": [{ "text": "rich" }] }
      },
      "goals": { "wealth": { "condition": "rich", "priority": 1 } },
      "agents": { "digger": {
        "senses": [{ "fact": "gem", "every": 1 }, { "fact": "ammo", "every": 1, "when": "false" }],
        "planning": { "goals": { "goals": ["wealth"] } }
      } },
      "scenarios": { "s": {
        "initial": ["ammo = 0", "gem"],
        "cast": [{ "agent": "digger", "beliefs": ["ammo = 5"] }]
      } }
    }"#;

    fn run(limit: Option<Limit>) -> Run {
        let document = Document::from_json(DIG).unwrap();
        let mut policy = default_planner(Budget::default());
        let mut plan = |problem: &_| match limit {
            Some(limit) => Outcome::GaveUp(limit),
            None => policy(problem),
        };
        simulate_by(
            &Domain::from(&document),
            &"s".parse().unwrap(),
            None,
            &mut plan,
            MAX_TICKS,
        )
    }

    #[test]
    fn failed_steps_report_learned_facts() {
        let run = run(None);
        let at = run
            .executed
            .iter()
            .position(|step| !step.learned.is_empty());
        let at = at.expect("it finds that there is no ammunition");
        let step = &run.executed[at];
        let learned = changed(&step.learned);
        assert!(learned.starts_with("ammo"), "{learned}");
        let row = describe_step(step);
        assert!(row.ends_with(&format!("learned: {learned}")), "{row}");
        let line = discoveries(&run, Happened::Line(Entry::Step(at)));
        let [item] = &line[..] else {
            panic!("{line:?}");
        };
        assert_eq!(item.character, 0);
        assert_eq!(
            item.text.to_string(),
            format!("learned {learned} from shoot")
        );
        let tick = step.end.expect("it failed");
        assert!(discoveries(&run, Happened::Tick(tick)).contains(item));
    }

    #[test]
    fn plannings_name_their_goal() {
        let run = run(None);
        let described = describe_planning(&run, &run.plans[0]);
        assert_eq!(
            described,
            ("plans: 1 step".to_owned(), "for the goal wealth".to_owned())
        );
        let last = run.plans.last().expect("it plans");
        if last.plan().is_some_and(|plan| plan.steps.is_empty()) {
            let (text, detail) = describe_planning(&run, last);
            assert_eq!(text, "continues: nothing to do");
            assert_eq!(detail, "every goal already holds or has no value now");
        }
    }

    #[test]
    fn game_answers_are_listed_or_counted() {
        let mut run = run(None);
        let described = |run: &Run| describe_planning(run, &run.plans[0]).1;
        let answer = QueryAnswer {
            query: GroundQuery {
                name: "near".parse().unwrap(),
                args: vec!["gem".parse().unwrap()],
            },
            objects: None,
        };
        run.plans[0].answers = vec![answer.clone()];
        let one = "for the goal wealth, the game didn't answer near(gem)";
        assert_eq!(described(&run), one);
        run.plans[0].answers = vec![answer; 7];
        let all = "for the goal wealth, the game answered 7 queries";
        assert_eq!(described(&run), all);
    }

    #[test]
    fn giving_up_is_not_reported_as_proof() {
        let run = run(Some(Limit::Time));
        let (class, text) = end(&run);
        assert_eq!(class, "no");
        let why = "the search for a plan gave up (out of time), and no upcoming event";
        assert!(text.to_string().contains(why), "{text}");
        let (text, detail) = describe_planning(&run, &run.plans[0]);
        assert!(text.starts_with("plans: gave up, out of time"), "{text}");
        assert_eq!(detail, "for the goal wealth");
    }

    #[test]
    fn replans_name_the_noticed_fact() {
        use taskloom_planner::plan::Atom;
        use taskloom_runtime::Cause;
        let mut run = run(None);
        let planning = &mut run.plans[0];
        planning.cause = Cause::Perception;
        planning.noticed = Some(Atom {
            fact: "gem".parse().unwrap(),
            args: vec![],
        });
        let tick = planning.tick;
        let (_, detail) = describe_planning(&run, &run.plans[0]);
        assert_eq!(
            detail,
            "for the goal wealth, because it noticed gem, which the plan depends on"
        );
        let described = discoveries(&run, Happened::Tick(tick));
        let noticed =
            |item: &Item| item.text.to_string() == "noticed gem, which the plan depends on";
        assert!(described.iter().any(noticed), "{described:?}");
    }
}

//! What page and worker say to each other.

use serde::{Deserialize, Serialize};
use taskloom::document::{Name, Point};
use taskloom::layout::Graph;
use taskloom::planner::plan::{Atom, Outcome, Statistics, Strategy, Trace, Value};
use taskloom::runtime::{Run, Verdict};

use super::checking::Checks;
use super::experiment::Experiment;

/// What the page asks of the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Plan and simulate a scenario. Replaces a planning that still runs.
    Plan(Wanted),
    /// End the planning that runs. Heard between two stages and two slices of one.
    Stop,
    /// Write files for another program.
    Export {
        /// The text of the document's file: records leave fields out, and postcard's bytes have no names to tell that by.
        document: String,
        /// The scenario that a problem file states.
        scenario: Option<Name>,
        /// What to write.
        format: Format,
    },
    /// Check scenarios.
    Check {
        /// The text of the document's file: records leave fields out, and postcard's bytes have no names to tell that by.
        document: String,
        /// Which.
        scenarios: Vec<Name>,
    },
    /// Lay out a flowchart.
    Layout {
        /// Its blocks and wires.
        graph: Graph,
        /// Where each block stands; none: it was never placed.
        at: Vec<Option<Point>>,
        /// Which blocks may move.
        movable: Vec<bool>,
    },
    /// Read planning files.
    Import {
        /// The domain, alone or with a problem.
        domain: TextFile,
        /// The problem.
        problem: Option<TextFile>,
    },
    /// Send [`Event::Alive`] with this number.
    Ping(u32),
}

impl Request {
    /// Roughly how many bytes there are to read.
    pub fn size(&self) -> usize {
        match self {
            Self::Plan(wanted) => wanted.document.len(),
            Self::Export { document, .. } | Self::Check { document, .. } => document.len(),
            // A wire takes a layout about as long as a line takes a reader.
            Self::Layout { graph, .. } => 100 * graph.edges.len(),
            Self::Import { domain, problem } => {
                domain.text.len() + problem.as_ref().map_or(0, |problem| problem.text.len())
            }
            Self::Stop | Self::Ping(_) => 0,
        }
    }
}

/// A planning that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// Which revision of the document this is.
    pub revision: u64,
    /// The text of the document's file: records leave fields out, and postcard's bytes have no names to tell that by.
    pub document: String,
    /// The scenario.
    pub scenario: Name,
    /// Whose plan is looked for: one of its cast, by the number.
    pub character: usize,
    /// Which plan is wanted.
    pub strategy: Strategy,
    /// Whether all plan so in the run, whatever their agents say.
    pub is_for_all: bool,
    /// What is tried besides.
    pub experiment: Experiment,
    /// Time for the search, in milliseconds.
    pub millis: u32,
    /// Events of the search to keep.
    pub trace_bound: usize,
}

/// A file's name and text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What planning files became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The text of a document's file.
    pub document: String,
    /// What is doubtful in them.
    pub doubts: Findings,
}

/// What is wrong or doubtful in files, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The first ones.
    pub rows: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
}

/// Something wrong or doubtful in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// File, line and column, from 1: `domain.hddl:3:14`. Empty where no place is to blame.
    pub place: String,
    /// What it is, in a sentence.
    pub message: String,
    /// That line of the file, as far as it helps.
    pub snippet: String,
    /// The place in the snippet, in characters.
    pub caret: usize,
}

impl From<Vec<String>> for Findings {
    fn from(messages: Vec<String>) -> Self {
        let rows = messages.into_iter().map(|message| Finding {
            place: String::new(),
            message,
            snippet: String::new(),
            caret: 0,
        });
        Self {
            rows: rows.collect(),
            more: 0,
        }
    }
}

impl From<String> for Findings {
    fn from(message: String) -> Self {
        vec![message].into()
    }
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Taskloom's own file.
    Json,
    /// HDDL: a domain file and a problem file.
    Hddl,
    /// PDDL: the same, without tasks.
    Pddl,
    /// C# in the paper's manner.
    CSharp,
}

/// What the worker tells the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The worker has started.
    Ready,
    /// A planning goes on.
    Progress {
        /// The revision that is planned.
        revision: u64,
        /// How far it is.
        stage: Stage,
    },
    /// A planning has ended, or has a plan and goes on.
    Answer(Box<Answer>),
    /// An export has ended.
    Exported(Result<Exported, String>),
    /// Scenarios have been checked.
    Checked(Result<Checks, String>),
    /// Where the blocks of a flowchart stand now.
    LaidOut(Vec<Point>),
    /// Planning files were read, or what is wrong in them.
    Imported(Result<Imported, Findings>),
    /// The answer to a ping.
    Alive {
        /// The ping's number.
        ping: u32,
        /// Whether a planning goes on.
        is_busy: bool,
    },
    /// A sign of life from within a long slice.
    Working,
}

/// How far a planning is. In slices of compiling, searching and carrying out it hears what
/// the page says meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The document is read.
    Reading,
    /// Its records become a problem.
    Compiling,
    /// The search looks at the problem.
    Preparing,
    /// The search runs; decisions taken so far.
    Searching(u64),
    /// The plan is validated.
    Validating,
    /// The plan is carried out by the simulator.
    Simulating,
}

/// Files for another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    /// Name and content of each file to be downloaded.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the other language cannot say, in sentences.
    pub warnings: Vec<String>,
}

/// Ground facts that an answer lists at most: a view of more would be of no use, and
/// take the page long to make.
pub const MOST_FACTS: usize = 4_000;

/// What the worker found for one revision of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The revision that was asked about.
    pub revision: u64,
    /// The scenario that was planned.
    pub scenario: Name,
    /// Whose plan it is: one of its cast, by the number. The run is everybody's.
    pub character: usize,
    /// Which plan was wanted.
    pub strategy: Strategy,
    /// What was tried besides: the run is that of a scenario in which interventions are the last
    /// events.
    pub experiment: Experiment,
    /// Whether planning has ended. Otherwise there is a plan, and a better one or its
    /// run may follow.
    pub ended: bool,
    /// The plan, or why there is none.
    pub outcome: Outcome,
    /// Whether no plan is cheaper. Only where the cheapest was wanted.
    pub proved: bool,
    /// What every plan costs at least, as far as that is known.
    pub bound: Option<f64>,
    /// Why the validator refuses the plan: a fault of the planner's, told so.
    pub invalid: Option<String>,
    /// The ground facts before the first step, at most [`MOST_FACTS`].
    pub initial: Vec<(Atom, Value)>,
    /// How many ground facts more there are.
    pub unlisted: usize,
    /// What the search used.
    pub statistics: Statistics,
    /// What the search did.
    pub trace: Trace,
    /// What the simulator did with the scenario; none where there is nothing to run.
    pub run: Option<Run>,
    /// The run in which all plan in the other manner (see [`taskloom::runtime::in_other_manner`]),
    /// where it was to be compared and there is another.
    pub compared: Option<Run>,
    /// What became of the scenario's expectations, in their order.
    pub verdicts: Vec<Verdict>,
    /// How long it took to find, from the request on, in microseconds.
    pub micros: u64,
}

impl Answer {
    /// That there is no plan, and why, of a planning that left nothing else.
    pub fn without_plan(
        revision: u64,
        (scenario, character): (Name, usize),
        strategy: Strategy,
        outcome: Outcome,
    ) -> Self {
        Self {
            revision,
            scenario,
            character,
            strategy,
            experiment: Experiment::default(),
            ended: true,
            outcome,
            proved: false,
            bound: None,
            invalid: None,
            initial: vec![],
            unlisted: 0,
            statistics: Statistics::default(),
            trace: Trace::default(),
            run: None,
            compared: None,
            verdicts: vec![],
            micros: 0,
        }
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::worker::experiment::Intervention;
    use crate::worker::port::Port;
    use js_sys::Promise;
    use serde::de::DeserializeOwned;
    use std::cell::RefCell;
    use std::rc::Rc;
    use taskloom::planner::compile::compile;
    use taskloom::planner::plan::{Budget, Progress, Search, initial_state};
    use taskloom::runtime::simulate;
    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::JsFuture;
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{MessageChannel, MessagePort};

    /// What arrives at the other end of a real channel, as page and worker have one.
    async fn posted<T: Serialize + DeserializeOwned + 'static>(message: &T) -> T {
        let channel = MessageChannel::new().unwrap();
        let heard = Rc::new(RefCell::new(None));
        let hearer = heard.clone();
        let mut ended = None;
        let arrived = Promise::new(&mut |resolve, _| ended = Some(resolve));
        let far: Port<MessagePort, T, T> = Port::new(channel.port2(), move |message| {
            *hearer.borrow_mut() = Some(message);
            ended.as_ref().map(|ended| ended.call0(&JsValue::NULL));
        });
        let near: Port<MessagePort, T, T> = Port::new(channel.port1(), |_| {});
        near.post(message);
        JsFuture::from(arrived).await.unwrap();
        far.channel.close();
        heard.take().unwrap()
    }

    #[wasm_bindgen_test]
    async fn requests_arrive_as_they_were_sent() {
        let document = crate::examples::first();
        let scenario = document.scenarios.keys().next().cloned();
        for request in [
            Request::Stop,
            Request::Plan(Wanted {
                revision: u64::MAX,
                document: document.to_json(),
                scenario: scenario.clone().unwrap(),
                character: 3,
                strategy: Strategy::Cheapest,
                is_for_all: true,
                experiment: Experiment {
                    interventions: vec![Intervention {
                        at: 3,
                        atom: Atom {
                            fact: "gold".parse().unwrap(),
                            args: vec!["hall".parse().unwrap()],
                        },
                        value: Value::Number(0.5),
                    }],
                    compares: true,
                },
                millis: 2_000,
                trace_bound: 4_000,
            }),
            Request::Export {
                document: document.to_json(),
                scenario,
                format: Format::Hddl,
            },
        ] {
            assert_eq!(posted(&request).await, request);
        }
    }

    #[wasm_bindgen_test]
    async fn the_answer_to_every_shipped_scenario_arrives_as_it_was_found() {
        let mut answers = 0;
        for example in crate::examples::ALL {
            let document = taskloom::document::Document::from_json(example.text).unwrap();
            for scenario in document.scenarios.keys() {
                let problem = compile(&document, scenario);
                let budget = Budget::default();
                let mut search = Search::new(&problem, budget, 4_000);
                while search.step(1_000) == Progress::Running {}
                let answer = Event::Answer(Box::new(Answer {
                    proved: true,
                    bound: Some(f64::NEG_INFINITY),
                    invalid: Some("because".into()),
                    initial: initial_state(&document, scenario),
                    statistics: search.statistics(),
                    trace: search.trace().clone(),
                    run: Some(simulate(&document, scenario, budget, 1_000)),
                    ..Answer::without_plan(
                        7,
                        (scenario.clone(), 1),
                        Strategy::Any,
                        search.outcome().unwrap(),
                    )
                }));
                assert_eq!(posted(&answer).await, answer, "{scenario}");
                answers += 1;
            }
        }
        assert!(answers >= 17, "{answers} answers");
    }
}

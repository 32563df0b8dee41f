//! The messages between page and worker.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use taskloom_document::{Difference, Document, Name, Point};
use taskloom_layout::Graph;
use taskloom_planner::plan::Strategy;

use crate::answer::{Answer, SearchReport};
use crate::checking::Checks;
use crate::experiment::Experiment;
use crate::logs::LoggedRun;

/// The name of the worker that plans.
pub const PLANNER: &str = "planner";

/// The number of search events that an answer keeps.
pub const TRACE_BOUND: usize = 2_000;

/// A request from the page to the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Plan and simulate a scenario. Replaces a request still in progress.
    Plan(Wanted),
    /// Stop planning. Processed between two phases or slices.
    Stop,
    /// Export files for another program.
    Export {
        /// The text of the document's file, since records omit fields and the postcard format has
        /// no field names to detect that.
        document: String,
        /// The scenario for the problem file.
        scenario: Option<Name>,
        /// The target format.
        format: Format,
    },
    /// Check scenarios.
    Check {
        /// The text of the document's file, since records omit fields and the postcard format has
        /// no field names to detect that.
        document: String,
        /// The scenarios.
        scenarios: Vec<Name>,
        /// If `true`, their runs are returned, too.
        with_runs: bool,
    },
    /// Repeat the search for a plan of a run, with a trace.
    Trace {
        /// The request whose answer contains the run.
        wanted: Wanted,
        /// The index of the planning in the run.
        planning: usize,
    },
    /// Lay out a flowchart.
    Layout {
        /// Its blocks and wires.
        graph: Graph,
        /// The position of each block; `None` if it was never placed.
        at: Vec<Option<Point>>,
        /// `true` for each block that may move.
        movable: Vec<bool>,
    },
    /// Read planning files.
    Import {
        /// The domain, alone or with a problem.
        domain: TextFile,
        /// The problem.
        problem: Option<TextFile>,
    },
    /// Read the log of a run.
    ReadLog {
        /// The text of the document's file.
        document: String,
        /// The log.
        log: TextFile,
    },
    /// Send [`Event::Alive`] with this number.
    Ping(u32),
}

/// The programs that a worker can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Program {
    /// Plans, simulates, and checks scenarios. The page loads it first, so it has nothing else.
    Planner,
    /// Does everything: also imports, exports, layouts, logs, and the fastest search for any plan.
    Jobs,
}

impl Wanted {
    /// Returns the smallest program that can plan this.
    pub fn program(&self) -> Program {
        program_of(self.strategy)
    }
}

/// Returns the smallest program that has a strategy.
pub fn program_of(strategy: Strategy) -> Program {
    match strategy {
        Strategy::First | Strategy::Cheapest => Program::Planner,
        Strategy::Fastest => Program::Jobs,
    }
}

impl Request {
    /// Returns the smallest program that can do this.
    pub fn program(&self) -> Program {
        match self {
            Self::Plan(wanted) | Self::Trace { wanted, .. } => wanted.program(),
            Self::Stop | Self::Ping(_) | Self::Check { .. } => Program::Planner,
            Self::Export { .. } | Self::Layout { .. } => Program::Jobs,
            Self::Import { .. } | Self::ReadLog { .. } => Program::Jobs,
        }
    }

    /// Returns the name of a worker that is started for this request.
    pub fn worker_name(&self) -> &'static str {
        match self {
            Self::Plan(_) | Self::Stop | Self::Ping(_) => PLANNER,
            Self::Export { .. } => "export",
            Self::Check { .. } => "check",
            Self::Trace { .. } => "trace",
            Self::Layout { .. } => "layout",
            Self::Import { .. } => "import",
            Self::ReadLog { .. } => "log",
        }
    }

    /// Returns the approximate number of bytes to read.
    pub fn size(&self) -> usize {
        match self {
            Self::Plan(wanted) | Self::Trace { wanted, .. } => wanted.document.size(),
            Self::Export { document, .. } | Self::Check { document, .. } => document.len(),
            // Laying out a wire takes about as long as reading a line.
            Self::Layout { graph, .. } => 100 * graph.edges.len(),
            Self::Import { domain, problem } => {
                domain.text.len() + problem.as_ref().map_or(0, |problem| problem.text.len())
            }
            Self::ReadLog { document, log } => document.len() + log.text.len(),
            Self::Stop | Self::Ping(_) => 0,
        }
    }
}

/// A planning request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// The document's revision.
    pub revision: u64,
    /// The document.
    pub document: SentDocument,
    /// The scenario.
    pub scenario: Name,
    /// The character to plan for, by its index in the cast.
    pub character: usize,
    /// The search strategy.
    pub strategy: Strategy,
    /// If `true`, all characters use this strategy in the run, overriding their agents' settings.
    pub is_for_all: bool,
    /// Experiments beyond the scenario.
    pub experiment: Experiment,
    /// The time for the search, in milliseconds.
    pub millis: u32,
    /// The number of search events to keep.
    pub trace_bound: usize,
}

/// A document as texts of files, since records omit fields and the postcard format has no field
/// names to detect that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SentDocument {
    /// The text of its file.
    Whole(String),
    /// The difference from the document of the last request to the same worker.
    Changed {
        /// The revision of that request.
        since: u64,
        /// The difference.
        difference: Difference,
    },
}

/// A document that a worker has read, and the revision of its request.
pub type KnownDocument = (u64, Arc<Document>);

impl SentDocument {
    /// Returns the approximate number of bytes to read.
    pub fn size(&self) -> usize {
        match self {
            Self::Whole(text) => text.len(),
            Self::Changed { difference, .. } => difference.size(),
        }
    }

    /// Returns the approximate size of the whole document, if that of the last one is `before`.
    pub fn whole_size(&self, before: usize) -> usize {
        match self {
            Self::Whole(text) => text.len(),
            Self::Changed { difference, .. } => difference.size().max(before),
        }
    }

    /// Reads the document; `None` if it can't be read, or if it isn't based on the known one.
    pub fn read(&self, known: Option<&KnownDocument>) -> Option<Document> {
        match self {
            Self::Whole(text) => Document::from_json(text).ok(),
            Self::Changed { since, difference } => {
                let (_, earlier) = known.filter(|(revision, _)| revision == since)?;
                earlier.with_difference(difference).ok()
            }
        }
    }
}

/// A file's name and text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The result of importing planning files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The text of a document file.
    pub document: String,
    /// The warnings.
    pub doubts: Findings,
}

/// The errors or warnings in files, in file order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The first ones.
    pub rows: Vec<Finding>,
    /// The number of further findings.
    pub more: usize,
}

/// An error or a warning in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// File, line and column, starting at 1: `domain.hddl:3:14`. Empty if it has no location.
    pub place: String,
    /// The message, as a sentence.
    pub message: String,
    /// The text of that line, or the relevant part of it.
    pub snippet: String,
    /// The location in the snippet, in characters.
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

/// The export formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Taskloom's own format.
    Json,
    /// HDDL: a domain file and a problem file.
    Hddl,
    /// PDDL: the same, without tasks.
    Pddl,
    /// C# in the style of the paper.
    CSharp,
}

/// A message from the worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The worker has started.
    Ready,
    /// Planning is in progress.
    Progress {
        /// The revision being planned.
        revision: u64,
        /// The current phase.
        phase: Phase,
    },
    /// The worker doesn't have the document from which the request of this revision states the
    /// difference: the request has to be sent again, with the whole document.
    UnknownBase(u64),
    /// Planning has ended, or has found a plan and continues.
    Answer(Box<Answer>),
    /// An export has ended.
    Exported(Result<Exported, String>),
    /// Scenarios have been checked.
    Checked(Result<Checks, String>),
    /// A search was repeated; `None` if the planning needed none.
    Traced(Result<Option<SearchReport>, String>),
    /// The new positions of a flowchart's blocks.
    LaidOut(Vec<Point>),
    /// Planning files were imported, or contain these errors.
    Imported(Result<Imported, Findings>),
    /// A log was read, or can't be read for this reason.
    LogRead(Result<Box<LoggedRun>, String>),
    /// The answer to a ping.
    Alive {
        /// The ping's number.
        ping: u32,
        /// `true` while planning is in progress.
        is_busy: bool,
    },
    /// A sign of life from within a long slice.
    Working,
}

/// The phase of planning. The worker receives the page's messages between slices of compiling,
/// searching and simulating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The document is being read.
    Reading,
    /// Its records are being compiled into a problem.
    Compiling,
    /// The search is analyzing the problem.
    Preparing,
    /// The search is running; the number of decisions so far.
    Searching(u64),
    /// The plan is being validated.
    Validating,
    /// The simulator is executing the plan.
    Simulating,
}

/// Exported files for another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    /// The name and content of each file to download.
    pub files: Vec<(String, Vec<u8>)>,
    /// The features that the other language doesn't support, as sentences.
    pub warnings: Vec<String>,
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::{Intervention, Port, SearchReport};
    use js_sys::Promise;
    use serde::de::DeserializeOwned;
    use std::cell::RefCell;
    use std::rc::Rc;
    use taskloom_domain::Domain;
    use taskloom_planner::compile::compile;
    use taskloom_planner::plan::{Atom, Budget, Engine, Progress, Search, Value, initial_state};
    use taskloom_runtime::simulate;
    use wasm_bindgen::prelude::*;
    use wasm_bindgen_futures::JsFuture;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
    use web_sys::{MessageChannel, MessagePort};

    wasm_bindgen_test_configure!(run_in_browser);

    const EXAMPLES: [&str; 7] = [
        include_str!("../../../public/examples/ball-in-the-box.taskloom.json"),
        include_str!("../../../public/examples/night-guard.taskloom.json"),
        include_str!("../../../public/examples/office.taskloom.json"),
        include_str!("../../../public/examples/hunter.taskloom.json"),
        include_str!("../../../public/examples/rts.taskloom.json"),
        include_str!("../../../public/examples/sentry.taskloom.json"),
        include_str!("../../../public/examples/opening.taskloom.json"),
    ];

    /// Sends a message through a real channel, like that between page and worker, and returns what
    /// arrives.
    async fn posted<T: Serialize + DeserializeOwned + 'static>(message: &T) -> T {
        let channel = MessageChannel::new().unwrap();
        let received = Rc::new(RefCell::new(None));
        let receiver = received.clone();
        let mut ended = None;
        let arrived = Promise::new(&mut |resolve, _| ended = Some(resolve));
        let far: Port<MessagePort, T, T> = Port::new(channel.port2(), move |message| {
            *receiver.borrow_mut() = Some(message);
            ended.as_ref().map(|ended| ended.call0(&JsValue::NULL));
        });
        let near: Port<MessagePort, T, T> = Port::new(channel.port1(), |_| {});
        near.post(message);
        JsFuture::from(arrived).await.unwrap();
        far.channel.close();
        received.take().unwrap()
    }

    #[wasm_bindgen_test]
    async fn requests_round_trip() {
        let document = Document::from_json(EXAMPLES[0]).unwrap();
        let scenario = document.scenarios.keys().next().cloned();
        for request in [
            Request::Stop,
            Request::Plan(Wanted {
                revision: u64::MAX,
                document: SentDocument::Changed {
                    since: 7,
                    difference: document.difference_from(&Document::default()),
                },
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
    async fn answers_of_shipped_scenarios_round_trip() {
        let mut answers = 0;
        for example in EXAMPLES {
            let document = Document::from_json(example).unwrap();
            let domain = Domain::from(Arc::new(document));
            for scenario in domain.document().scenarios.keys() {
                let problem = compile(&domain, scenario);
                let budget = Budget::default();
                let mut search = Search::new(&problem, budget, 4_000);
                while search.step(1_000) == Progress::Running {}
                let answer = Event::Answer(Box::new(Answer {
                    invalid: Some("because".into()),
                    initial: initial_state(&domain, scenario),
                    search: SearchReport {
                        proved: true,
                        bound: Some(f64::NEG_INFINITY),
                        statistics: search.statistics(),
                        trace: search.trace().cloned().unwrap_or_default(),
                        micros: 0,
                    },
                    run: Some(simulate(&domain, scenario, budget, 1_000)),
                    ..Answer::without_plan(
                        7,
                        (scenario.clone(), 1),
                        Strategy::Fastest,
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

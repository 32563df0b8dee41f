//! Creates, opens, saves and exports files; opens planning files as documents.

mod saving;

use leptos::ev::DragEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use taskloom_document::Document;
use taskloom_planner::plan::Strategy;

use crate::examples::Example;
use crate::session::{Ending, FileBasis, OpenFile, Opening, Session};
use crate::web::files;
use crate::web::platform::{Opened, Platform};
use crate::worker::{
    Findings, Format, JobHandle, TextFile, is_log, is_planning_file, states_problem,
};

/// The maximum length of a document's title, in characters.
pub const LONGEST_TITLE: usize = 1_000;
/// The search strategy for imported planning files: their order expresses no designer's preference.
const FOR_PLANNING_FILES: Option<Strategy> = Some(Strategy::Fastest);
/// The time limit for fetching an example, in milliseconds.
const PATIENCE: u32 = 30_000;

/// A report on opening or writing files.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The headline: what happened.
    pub title: String,
    /// The errors or warnings.
    pub findings: Findings,
    /// `true` if nothing was opened or written.
    pub failed: bool,
}

/// The state of opening, saving and exporting files.
#[derive(Clone, Copy)]
pub struct FileState {
    platform: StoredValue<Platform, LocalStorage>,
    import: StoredValue<Option<JobHandle>, LocalStorage>,
    /// The newest save. A later one writes after it.
    saving: StoredValue<Option<Ending>, LocalStorage>,
    /// The name of the planning file that is being read.
    pub reading: RwSignal<Option<String>>,
    /// The report on the last file operation, if there is something to do about it.
    pub report: RwSignal<Option<Report>>,
}

impl FileState {
    /// Creates the state with nothing being opened, and provides it as context.
    pub fn provide(platform: Platform) -> Self {
        let files = Self::new(platform);
        provide_context(files);
        files
    }

    /// Creates the state with nothing being opened.
    pub fn new(platform: Platform) -> Self {
        Self {
            platform: StoredValue::new_local(platform),
            import: StoredValue::new_local(None),
            saving: StoredValue::new_local(None),
            reading: RwSignal::new(None),
            report: RwSignal::new(None),
        }
    }

    /// Returns the state that an ancestor provided.
    pub fn expect() -> Self {
        use_context().expect("the page provides it")
    }

    /// Opens an empty document.
    pub fn new_document(self, session: Session) {
        self.show(session, Document::default());
    }

    /// Shows a document that has no file yet.
    fn show(self, session: Session, document: Document) {
        self.report.set(None);
        session.open_document(document);
    }

    /// Shows what is wrong until it is dismissed or something else is opened.
    pub fn refuse(self, title: impl Into<String>, findings: impl Into<Findings>) {
        self.report.set(Some(Report {
            title: title.into(),
            findings: findings.into(),
            failed: true,
        }));
    }

    /// Lets the designer pick a file, or a planning domain and its problem, and opens it.
    pub fn open(self, session: Session) {
        let opening = session.begin_opening();
        // Called within the very click or key event: browsers open no picker long after one.
        let picked = self.platform.with_value(|platform| platform.files.open());
        spawn_local(async move {
            match picked.await {
                Ok(Some(files)) => self.opened(session, Ok(files), opening),
                Ok(None) => session.cancel_opening(opening),
                Err(reason) => {
                    session.cancel_opening(opening);
                    self.opened(session, Err(reason), opening);
                }
            }
        });
    }

    /// Opens the files dropped on the page.
    pub fn drop(self, session: Session, event: &DragEvent) {
        let data = event.data_transfer();
        if let Some(dropped) = data.as_ref().and_then(files::dropped) {
            event.prevent_default();
            let opening = session.begin_opening();
            spawn_local(async move {
                self.opened(session, dropped.await, opening);
            });
        }
    }

    /// Fetches an example, and opens it as a new document, in the view that shows it best.
    pub fn open_example(self, session: Session, example: &'static Example) {
        let title = example.title;
        let opening = session.begin_opening();
        let fetched = example.fetch(PATIENCE);
        spawn_local(async move {
            if let Some((document, answers)) = fetched.await {
                if self.is_wanted(session, title, opening) {
                    self.report.set(None);
                    session.open_example(document, answers);
                    session.present(example);
                }
            } else if session.is_wanted(opening) {
                session.cancel_opening(opening);
                let reason = "Check the connection to the server, then try again.".to_owned();
                self.refuse(format!("Couldn't load the example {title}"), reason);
            }
        });
    }

    fn opened(self, session: Session, opened: Result<Vec<Opened>, String>, opening: Opening) {
        let opened = match opened {
            Ok(opened) => opened,
            Err(reason) => return self.refuse("Couldn't open the file", reason),
        };
        let mut file = None;
        let mut texts = vec![];
        for Opened {
            name,
            text,
            stamp,
            handle,
        } in opened
        {
            file = handle.map(|handle| (handle, FileBasis::of(&text, stamp)));
            texts.push(TextFile { name, text });
        }
        let planning = texts.iter().filter(|file| is_planning_file(file)).count();
        let mut texts = texts.into_iter();
        match (texts.next(), texts.next(), texts.next()) {
            (Some(one), None, _) if planning == 1 => self.import_one(session, one, opening),
            (Some(one), None, _) if is_log(&one) => self.open_log(session, one, opening),
            (Some(one), None, _) => {
                let is_open = self.open_text(session, &one.name, &one.text, opening);
                if let Some((handle, basis)) = file.filter(|_| is_open) {
                    session.set_file(OpenFile::new(handle, session.entry().id, basis));
                }
            }
            (Some(one), Some(other), None) if planning == 2 => {
                if states_problem(&one.text) {
                    self.import(session, other, Some(one), opening);
                } else {
                    self.import(session, one, Some(other), opening);
                }
            }
            (None, ..) => {}
            _ => self.refuse(
                "Couldn't open the files",
                "Open one document, or a planning domain with one problem.".to_owned(),
            ),
        }
    }

    /// Opens a domain, or a problem together with the domain that is open.
    fn import_one(self, session: Session, file: TextFile, opening: Opening) {
        if !states_problem(&file.text) {
            return self.import(session, file, None, opening);
        }
        match session.planning_domain() {
            Some(domain) => self.import(session, domain, Some(file), opening),
            None => self.refuse(
                format!("Couldn't open {}", file.name),
                "This is a problem file. Open it together with its domain, or after it.".to_owned(),
            ),
        }
    }

    /// Reads planning files in a worker, and opens the document that they become.
    fn import(
        self,
        session: Session,
        domain: TextFile,
        problem: Option<TextFile>,
        opening: Opening,
    ) {
        let name = problem
            .as_ref()
            .map_or(&domain.name, |problem| &problem.name);
        let name = name.clone();
        self.reading.set(Some(name.clone()));
        let kept = domain.clone();
        let import = session
            .plan
            .client()
            .import(domain, problem, move |result| {
                self.stop_reading();
                match result {
                    Ok(imported) => {
                        if self.open_text(session, &name, &imported.document, opening) {
                            session.set_planning_domain(kept.clone());
                            session.plan.set_strategy(FOR_PLANNING_FILES);
                            if !imported.doubts.rows.is_empty() {
                                self.report.set(Some(Report {
                                    title: format!("Opened {name} with warnings"),
                                    findings: imported.doubts,
                                    failed: false,
                                }));
                            }
                        }
                    }
                    Err(mistakes) => self.refuse(format!("Couldn't open {name}"), mistakes),
                }
            });
        self.import.set_value(Some(import));
    }

    /// Reads a log in a worker, and shows its run in place of the simulator's.
    fn open_log(self, session: Session, log: TextFile, opening: Opening) {
        let name = log.name.clone();
        self.reading.set(Some(name.clone()));
        let document = session.file_text();
        let client = session.plan.client();
        let reading = client.read_log(document, log, move |result| {
            self.stop_reading();
            if !session.is_wanted(opening) {
                return session.complain(format!("Didn't open {name}: you opened something else."));
            }
            session.cancel_opening(opening);
            match result {
                Ok(logged) => {
                    self.report.set(None);
                    session.show_log(name, *logged);
                }
                Err(reason) => self.refuse(format!("Couldn't open {name}"), reason),
            }
        });
        self.import.set_value(Some(reading));
    }

    /// Stops reading planning files or a log; the open document stays.
    pub fn stop_reading(self) {
        self.reading.set(None);
        self.import.set_value(None);
    }

    /// Returns `true` if nothing else was opened since, and otherwise says so.
    fn is_wanted(self, session: Session, name: &str, opening: Opening) -> bool {
        let is_wanted = session.is_wanted(opening);
        if !is_wanted {
            session.complain(format!("Didn't open {name}: you opened something else."));
        }
        is_wanted
    }

    /// Opens a text. If it isn't a document, says why and leaves the open one alone.
    pub fn open_text(self, session: Session, name: &str, text: &str, opening: Opening) -> bool {
        if !self.is_wanted(session, name, opening) {
            return false;
        }
        match document_of(text) {
            Ok(document) => {
                self.show(session, document);
                true
            }
            Err(reason) => {
                self.refuse(format!("Couldn't open {name}"), reason);
                false
            }
        }
    }

    /// Exports the document in a worker, and offers the files as downloads.
    pub fn export(self, session: Session, format: Format) {
        let document = session.document_untracked();
        let scenario = session.plan.scenario.get_untracked();
        session
            .plan
            .client()
            .export(&document, scenario, format, move |result| match result {
                Ok(exported) => {
                    for (name, bytes) in &exported.files {
                        if let Err(reason) = files::download_bytes(name, bytes) {
                            self.refuse(format!("Couldn't download {name}"), reason);
                        }
                    }
                    if !exported.warnings.is_empty() {
                        self.report.set(Some(Report {
                            title: "Export warnings".to_owned(),
                            findings: exported.warnings.into(),
                            failed: false,
                        }));
                    }
                }
                Err(reason) => self.refuse("Export failed", reason),
            });
    }
}

/// Parses a file's text as a document, and rejects a title longer than the page can show.
fn document_of(text: &str) -> Result<Document, String> {
    let document = Document::from_json(text).map_err(|error| error.to_string())?;
    match document.info.title.chars().count() {
        0..=LONGEST_TITLE => Ok(document),
        length => Err(format!(
            "The title has {length} characters. Shorten it to {LONGEST_TITLE}."
        )),
    }
}

/// Returns the open document's title as the name of a file.
pub fn file_stem(session: &Session) -> String {
    stem(&session.document_untracked().info.title)
}

/// Returns a text as the name of a file, or as a part of one.
pub fn stem(text: &str) -> String {
    let stem = text
        .to_lowercase()
        .replace(|c: char| !c.is_alphanumeric(), "-");
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "untitled" } else { stem }.to_owned()
}

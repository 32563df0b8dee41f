use std::cell::Cell;

use taskloom_document::{Edit, Info, Kind, Point, Record, RecordRef, Scenario};
use taskloom_planner::plan::Strategy;
use testkit::counts::{is_sample, on_all_cores, seeds};

use super::*;
use crate::worker::fake::{FakeHost, World};
use taskloom_worker::Experiment;

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

/// A page with one open document.
struct Page {
    world: Rc<World>,
    client: Client<FakeHost>,
    shown: Shown,
    document: Arc<Document>,
    /// Its earlier versions.
    earlier: Vec<Arc<Document>>,
    has_scenario: bool,
    strategy: Strategy,
    /// The number of documents and edits so far.
    count: u32,
    /// The time at which the answer became outdated without being marked.
    unmarked: Rc<Cell<Option<u64>>>,
    /// The jobs, with the number of results each has received.
    jobs: Vec<Rc<Cell<u32>>>,
    imports: Vec<(Rc<Cell<u32>>, JobHandle<FakeHost>)>,
}

impl Page {
    fn new(seed: u64) -> Self {
        let world = World::new(seed);
        let shown = Shown::new();
        let client = Client::new(Rc::new(FakeHost(world.clone())), shown);
        let mut page = Self {
            world,
            client,
            shown,
            document: Arc::default(),
            earlier: vec![],
            has_scenario: true,
            strategy: Strategy::First,
            count: 0,
            unmarked: Rc::default(),
            jobs: vec![],
            imports: vec![],
        };
        page.open();
        page
    }

    /// Returns a text that distinguishes this document from all others.
    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("n{}", self.count)
    }

    fn wants(&self) {
        self.client.want(self.has_scenario.then(|| PlanRequest {
            revision: 0,
            document: self.document.clone(),
            scenario: name("s"),
            character: 0,
            strategy: self.strategy,
            is_for_all: false,
            experiment: Experiment::default(),
        }));
    }

    fn edit(&mut self, edit: &Edit) {
        self.earlier.push(self.document.clone());
        self.document = Arc::new(self.document.apply(edit).unwrap());
        self.wants();
    }

    fn undo(&mut self) {
        if let Some(earlier) = self.earlier.pop() {
            self.document = earlier;
            self.wants();
        }
    }

    /// Adds, renames or removes a fact.
    fn changes_facts(&mut self) {
        let facts: Vec<Name> = self.document.facts.keys().cloned().collect();
        let chosen = self.world.random.below(2 * facts.len() as u64 + 1) as usize;
        let new = name(&self.fresh());
        let old = facts.get(chosen % facts.len().max(1));
        let old = old.map(|fact| RecordRef::new(Kind::Fact, fact.clone()));
        let edit = match old {
            Some(fact) if chosen < facts.len() => Edit::RemoveWithUses(fact),
            Some(fact) if self.world.random.one_in(3) => Edit::Rename(fact, new),
            _ => Edit::Add(new, Record::Fact(Arc::default())),
        };
        self.edit(&edit);
    }

    /// Makes an edit that changes what is planned.
    fn types(&mut self) {
        let goal = self.fresh();
        let scenario = Scenario {
            goal,
            ..Scenario::default()
        };
        self.edit(&Edit::Replace(name("s"), Record::Scenario(scenario.into())));
    }

    fn open(&mut self) {
        let scenario = Record::Scenario(Scenario::default().into());
        let title = self.fresh();
        let note = String::new();
        let document = Document::default()
            .apply(&Edit::Add(name("s"), scenario))
            .and_then(|document| document.apply(&Edit::SetInfo(Info { title, note })));
        self.document = Arc::new(document.unwrap());
        self.earlier.clear();
        self.client.close();
        assert!(self.shown.answer.get_untracked().is_none());
        self.wants();
    }

    /// Returns a job's counter, and the callback that increments it.
    fn job<T>(
        &mut self,
        is_right: impl Fn(&T) -> bool + 'static,
    ) -> Box<dyn FnOnce(Result<T, String>)> {
        let results = Rc::new(Cell::new(0));
        self.jobs.push(results.clone());
        Box::new(move |result| {
            results.set(results.get() + 1);
            match result {
                Ok(result) => assert!(is_right(&result), "the result of another job"),
                Err(reason) => assert!(!reason.is_empty()),
            }
        })
    }

    fn export(&mut self) {
        let text = self.document.to_json();
        let done = self.job(move |exported: &Exported| exported.files[0].0 == text);
        let document = self.document.clone();
        self.client.export(&document, None, Format::Hddl, done);
    }

    fn tidy(&mut self) {
        let at = Point {
            x: self.count as i32,
            y: 7,
        };
        let done = self.job(move |points: &Vec<Point>| points == &[at]);
        self.client
            .layout(Graph::default(), vec![Some(at)], vec![true], done);
    }

    fn import(&mut self) {
        let text = self.fresh();
        let file = TextFile {
            name: "d.hddl".to_owned(),
            text: text.clone(),
        };
        let results = Rc::new(Cell::new(0));
        let counted = results.clone();
        let import = self.client.import(file, None, move |result| {
            counted.set(counted.get() + 1);
            if let Ok(imported) = result {
                assert_eq!(imported.document, text);
            }
        });
        self.imports.push((results, import));
    }

    fn acts(&mut self) {
        let random = &self.world.random;
        match random.below(20) {
            0..4 => self.types(),
            4 => self.changes_facts(),
            5 => self.undo(),
            6 => {
                let title = self.fresh();
                let note = String::new();
                self.edit(&Edit::SetInfo(Info { title, note }));
            }
            7 => self.client.stop(),
            8 => self.client.search_again(),
            9 => self.open(),
            10 => {
                self.strategy = match self.strategy {
                    Strategy::First => Strategy::Cheapest,
                    Strategy::Cheapest => Strategy::Fastest,
                    Strategy::Fastest => Strategy::First,
                };
                self.wants();
            }
            11 => {
                self.has_scenario = !self.has_scenario;
                self.wants();
            }
            12 | 13 => self.export(),
            14 | 15 => self.tidy(),
            16 => self.import(),
            17 if !self.imports.is_empty() => {
                let at = random.below(self.imports.len() as u64);
                let (results, import) = self.imports.swap_remove(at as usize);
                drop(import);
                let before = results.get();
                self.jobs.push(results);
                // A dropped import gets no result any more.
                self.passes(random_millis(&self.world));
                let last = self.jobs.pop().unwrap();
                assert_eq!(last.get(), before);
            }
            _ => {
                if let Some(worker) = self.world.any_worker() {
                    self.world.kill(worker, self.world.random.one_in(2));
                }
            }
        }
        self.check();
    }

    fn passes(&mut self, millis: u64) {
        let world = self.world.clone();
        world.pass(millis, || self.check());
    }

    /// Checks the invariants.
    fn check(&self) {
        let (shown, now) = (self.shown, self.world.now());
        let revision = shown.revision.get_untracked();
        let status = shown.status.get_untracked();
        let answer = shown.answer.get_untracked();
        let differs = answer.as_ref().filter(|answer| answer.revision != revision);
        if differs.is_some_and(|answer| !status.is_old(answer, revision)) {
            let since = self.unmarked.get().unwrap_or(now);
            assert!(
                now - since <= 110,
                "unmarked for {} ms: {status:?}",
                now - since
            );
            self.unmarked.set(Some(since));
        } else {
            self.unmarked.set(None);
        }
        if differs.is_some() {
            assert_ne!(status, Planning::Idle, "an old answer stands as the newest");
        }
        if let Some((of, read)) = &*self.world.planned.borrow()
            && *of == revision
            && self.has_scenario
        {
            self.check_document(read);
        }
        if let Some(answer) = &answer {
            assert!(answer.revision <= revision);
            assert!(self.has_scenario);
        }
        let mut results = self.jobs.iter().chain(self.imports.iter().map(|(r, _)| r));
        assert!(results.all(|results| results.get() <= 1), "two results");
    }

    /// Checks a document that a worker has read for the newest request. What a planner doesn't read
    /// may be older.
    fn check_document(&self, read: &Document) {
        assert!(self.document.same_meaning(read, &name("s")));
        assert!(read.same_meaning(&self.document, &name("s")));
    }

    /// Checks the invariants once nothing happens any more.
    fn check_at_rest(&self) {
        let shown = self.shown;
        let revision = shown.revision.get_untracked();
        let status = shown.status.get_untracked();
        let answer = shown.answer.get_untracked();
        let newest = answer.filter(|answer| answer.revision == revision);
        match (&status, newest) {
            (Planning::Idle, Some(answer)) => assert!(answer.ended),
            (Planning::Idle, None) => assert!(!self.has_scenario, "it was never planned"),
            (Planning::Stopped | Planning::Broken(_), newest) => {
                assert!(newest.is_none_or(|answer| answer.ended));
            }
            (status, _) => panic!("it never comes to rest: {status:?}"),
        }
        let mut results = self.jobs.iter().chain(self.imports.iter().map(|(r, _)| r));
        assert!(results.all(|results| results.get() == 1), "a job is lost");
        // A repeated request is answered now.
        let inner = self.client.0.borrow();
        assert!(inner.jobs.is_idle());
    }
}

fn random_millis(world: &World) -> u64 {
    match world.random.below(10) {
        0..6 => world.random.below(40),
        6..9 => world.random.below(400),
        _ => world.random.below(15_000),
    }
}

/// Runs a random sequence. Returns the planner's final state and the world.
fn sequence(seed: u64) -> (Planning, Rc<World>) {
    let mut page = Page::new(seed);
    page.passes(random_millis(&page.world));
    page.client.load(Program::Planner);
    for _ in 0..page.world.random.below(30) {
        page.acts();
        page.passes(random_millis(&page.world));
    }
    page.world.is_peaceful.set(true);
    page.passes(400_000);
    page.check_at_rest();
    // No manual repair is needed: the next request is answered.
    let status = page.shown.status.get_untracked();
    let is_loaded = page.client.0.borrow().loaded == [Some(Ok(())); 2];
    if is_loaded {
        page.has_scenario = true;
        page.types();
        page.passes(400_000);
        assert_eq!(page.shown.status.get_untracked(), Planning::Idle);
        page.check_at_rest();
    }
    (status, page.world.clone())
}

#[test]
fn random_sequences_show_no_stale_answer_and_lose_no_request() {
    let sequences = seeds(10_000);
    let results = on_all_cores(sequences.clone(), |seed| {
        let owner = Owner::new();
        let (status, world) = owner.with(|| sequence(seed));
        let received = world.received.borrow().clone();
        (status, received)
    });
    let (mut idle, mut stopped, mut broken) = (0, 0, 0);
    let mut received = std::collections::BTreeMap::<&str, u32>::new();
    for (status, requests) in results {
        match status {
            Planning::Idle => idle += 1,
            Planning::Stopped => stopped += 1,
            _ => broken += 1,
        }
        for (kind, count) in requests {
            *received.entry(kind).or_default() += count;
        }
    }
    if is_sample() {
        return;
    }
    let (all, count) = ([idle, stopped, broken], sequences.len());
    assert!(all.iter().all(|n| *n > count / 200), "{all:?} of {count}");
    for kind in ["plan", "changed", "stop", "export", "layout", "import"] {
        let number = received.get(kind).copied().unwrap_or_default();
        assert!(number as usize > count / 2, "{kind}: {received:?}");
    }
    assert!(
        received["unknown base"] as usize > count / 100,
        "{received:?}"
    );
}

//! Saving a document while it is edited at random: only what has changed is written again, but the
//! text is that of the whole document, and the stored history leads to the same documents.

use taskloom_document::{
    Block, BlockId, Document, Edit, Frame, History, Info, Kind, Layout, Name, Point, RecordRef,
};
use testkit::counts::{is_sample, on_all_cores, seeds};
use testkit::domain::example;
use testkit::random::Random;

const EVERY_KIND: &str = include_str!("../../../../tests/files/v4/every-kind.taskloom.json");

/// The number of edits, undos and redos in a case.
const ACTS: usize = 30;

fn name(random: &mut Random) -> Name {
    let names = ["a", "A", "hall", "Hall", "lit", "b-2", "zz"];
    Name::new(random.pick::<&str>(&names)).expect("a name")
}

fn text(random: &mut Random) -> String {
    let texts = [
        "",
        "lit(hall)",
        "not \"ä\"\n  and \\n",
        "a = 1e-5",
        "},\n    \"a\": {",
    ];
    (*random.pick(&texts)).to_owned()
}

fn point(random: &mut Random) -> Point {
    let [x, y] = [(); 2].map(|()| random.below(2_000) as i32 - 1_000);
    Point { x, y }
}

fn block_id(random: &mut Random) -> BlockId {
    BlockId::new(random.pick::<&str>(&["p", "q", "r"])).expect("a block id")
}

/// Returns a record of the document.
fn record(document: &Document, random: &mut Random) -> Option<RecordRef> {
    let records: Vec<RecordRef> = document.records().collect();
    (!records.is_empty()).then(|| random.pick(&records).clone())
}

/// Returns an edit of a record, or of the document as a whole; none if the document has nothing of the kind.
fn edit(document: &Document, random: &mut Random) -> Option<Edit> {
    Some(match random.below(13) {
        0 => Edit::SetInfo(Info {
            title: text(random),
            note: text(random),
        }),
        1 | 2 => {
            let texts = document.texts();
            let known = texts.get(random.below(texts.len()))?.clone();
            Edit::SetText(known.record, known.field, text(random))
        }
        3 => Edit::Rename(record(document, random)?, name(random)),
        4 => Edit::Remove(record(document, random)?),
        5 => Edit::RemoveWithUses(record(document, random)?),
        // Two names then share a record.
        6 => Edit::Add(name(random), document.get(&record(document, random)?)?),
        7 => {
            let value = document.get(&record(document, random)?)?;
            let names = document.names(value.kind());
            Edit::Replace((*random.pick(&names)).clone(), value)
        }
        8 => {
            let at = (random.below(3) > 0).then(|| point(random));
            Edit::MoveCards(vec![(record(document, random)?, at)])
        }
        9 => Edit::CollapseCards(vec![record(document, random)?], random.below(2) == 0),
        10 => Edit::ChooseMap(document.facts.keys().next().cloned()),
        11 => {
            let place = document.objects.keys().next()?.clone();
            let at = (random.below(3) > 0).then(|| point(random));
            Edit::MovePlaces(vec![(place, at)])
        }
        _ => edit_of_method(document, random)?,
    })
}

/// Returns an edit of a method or its drawing.
fn edit_of_method(document: &Document, random: &mut Random) -> Option<Edit> {
    let tasks = document.names(Kind::CompoundTask);
    let task = (*tasks.get(random.below(tasks.len()))?).clone();
    let method = &document.compound_tasks.get(&task)?.method;
    let blocks: Vec<BlockId> = method.blocks.keys().cloned().collect();
    let block = blocks.get(random.below(blocks.len())).cloned();
    let on = random.below(2) == 0;
    Some(match random.below(8) {
        0 => Edit::AddBlock {
            task,
            id: block_id(random),
            block: Block::Branch {
                condition: text(random),
            },
            at: point(random),
        },
        1 => Edit::RemoveBlocks(task, vec![block?]),
        2 => Edit::MoveBlocks(task, vec![(block?, point(random))]),
        3 => Edit::Collapse(task, vec![block?], on),
        4 => Edit::Mute(task, vec![block?], on),
        5 => {
            let wires = &method.wires;
            let wire = wires.get(random.below(wires.len()))?.clone();
            Edit::Bend(task, wire, vec![point(random)])
        }
        _ => {
            let frame = Frame {
                at: point(random),
                title: text(random),
                ..Frame::default()
            };
            let frame = (random.below(3) > 0).then_some(frame);
            Edit::SetFrame(on.then_some(task), block_id(random), frame)
        }
    })
}

/// Stores a history and reads it again. Both have the same snapshots.
fn reloaded(history: &mut History) -> Option<History> {
    let (text, stored) = history.store();
    assert_eq!(text, history.current().to_json());
    let document = Document::from_json(&text).expect("what was written");
    let read = History::restored(&stored?, document).expect("it belongs to the text");
    let (mut known, mut made) = (history.clone(), read.clone());
    let skipped = history.position() - read.position();
    for at in 0..read.labels().count() {
        assert!(made.go_to(at) && known.go_to(at + skipped), "snapshot {at}");
        assert_eq!(made.current().to_json(), known.current().to_json());
    }
    Some(read)
}

/// Edits a document and saves it again and again. Returns the number of edits.
fn run(start: Document, seed: u64) -> usize {
    let mut random = Random::seeded(seed);
    let mut history = History::new("Open", start);
    let mut made = 0;
    for _ in 0..ACTS {
        match random.below(12) {
            0 | 1 => drop(history.undo().map(str::to_owned)),
            2 => drop(history.redo().map(str::to_owned)),
            3 => history.seal(),
            act => {
                let before = history.current().clone();
                let edits = [(); 3].map(|()| edit(&before, &mut random));
                let edits = edits.into_iter().flatten().take(1 + random.below(2));
                if let Ok(after) = before.apply(&Edit::Batch(edits.collect())) {
                    made += 1;
                    match act {
                        4 => history.commit("edit", after),
                        _ => history.commit_merging("type", ["x", "y"][act % 2], after),
                    }
                }
            }
        }
        match random.below(10) {
            0 => {
                if let Some(read) = reloaded(&mut history) {
                    history = read;
                }
            }
            1 => drop(reloaded(&mut history)),
            2..6 => assert_eq!(history.text(), history.current().to_json()),
            _ => {}
        }
    }
    made
}

#[test]
fn saved_texts_and_histories_are_those_of_whole_documents() {
    let every_kind = Document::from_json(EVERY_KIND).expect("the file opens");
    let ball = example("ball-in-the-box");
    let made = on_all_cores(seeds(500), |seed| {
        let start = match seed % 3 {
            0 => every_kind.clone(),
            1 => ball.clone(),
            _ => Document {
                layout: Layout::default(),
                ..ball.clone()
            },
        };
        run(start, seed)
    });
    let acts = made.len() * ACTS;
    let made = made.into_iter().sum::<usize>();
    assert!(is_sample() || made > acts / 10, "{made} edits of {acts}");
}

//! Links of a text that is older than the document.

use taskloom_document::{Block, CompoundTask, Edit, Fact, Kind, Name, Record, RecordRef};

use super::super::{LinkTarget, View};
use super::*;

#[test]
fn a_link_shows_its_record_or_says_that_it_is_gone() {
    let world = World::new(1);
    let tab = Tab::open(&world, 1, 1);
    let lit: Name = "lit".parse().unwrap();
    let record = RecordRef::new(Kind::Fact, lit.clone());
    let link = LinkTarget::Record(record.clone());
    tab.does(|session, _| {
        let fact = Record::Fact(Fact::default().into());
        assert!(session.commit("Add lit", Edit::Add(lit, fact)));
        session.visit(link.clone());
    });
    let selected = |session: Session| session.open.selection.get_untracked().records;
    assert!(selected(tab.session).contains(&record));
    tab.does(|session, _| {
        session.delete([record.clone()], vec![]);
        session.visit(link.clone());
    });
    assert!(selected(tab.session).is_empty());
    let gone = "The fact lit no longer exists.".to_owned();
    assert!(tab.messages().contains(&gone), "{:?}", tab.messages());
}

#[test]
fn a_link_to_a_repetition_shows_its_block() {
    let world = World::new(1);
    let tab = Tab::open(&world, 1, 1);
    let go: Name = "go".parse().unwrap();
    let blocks = [
        ("a", Block::Begin {}),
        ("b", Block::task("rest").with_repeat_while("lit")),
    ];
    let mut task = CompoundTask::default();
    for (id, block) in blocks {
        task.method.blocks.insert(id.parse().unwrap(), block.into());
    }
    task.method.wires.push("a.out -> b".parse().unwrap());
    for target in [
        LinkTarget::Task("go-while-b".parse().unwrap()),
        LinkTarget::Block("go-while-b".parse().unwrap(), "while".parse().unwrap()),
    ] {
        tab.does(|session, _| {
            let task = Record::CompoundTask(task.clone().into());
            session.commit("Add go", Edit::Add(go.clone(), task));
            session.open.show_view(View::Board);
            session.visit(target.clone());
        });
        let open = tab.session.open;
        assert_eq!(open.view.get_untracked(), View::Method(go.clone()));
        let selected = open.selection.get_untracked().blocks;
        let selected: Vec<String> = selected.iter().map(ToString::to_string).collect();
        assert_eq!(selected, ["b"]);
    }
}

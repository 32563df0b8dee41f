//! Links of a text that is older than the document.

use taskloom::document::{Edit, Fact, Kind, Name, Record, RecordRef};

use super::super::LinkTarget;
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

//! The Board as it was last drawn. Most edits, such as those of a formula, leave all cards in their places: then at most
//! its wires are drawn again, and if they are the same, too, the scene is the same object in memory.

use std::collections::BTreeSet;
use std::sync::Arc;

use taskloom_document::{Document, Kind, Name, RecordRef};
use taskloom_domain::dependencies::Link;

use super::HAIRBALL;
use super::cards::face;
use super::columns::{Head, Layout, columns, wires};
use super::folds::Folds;
use super::groups::is_use;
use super::ports;
use super::shifts::Shifts;
use crate::canvas::geometry::Vec2;
use crate::canvas::scene::{Node, Scene, Shape, Wire};
use crate::diagram::face::{CHANGES, Look};

/// The Board with its cards in their places, and what it was drawn from.
#[derive(Debug)]
pub struct Drawn {
    document: Arc<Document>,
    links: Arc<BTreeSet<Link>>,
    changes: Arc<BTreeSet<(Name, Name)>>,
    folds: Folds,
    /// Cards, frames, and the wires of links and changes.
    pub scene: Arc<Scene>,
    /// The headings.
    pub heads: Vec<Head>,
    /// The difference between positions on the canvas and in the document.
    pub shifts: Shifts,
}

impl Drawn {
    /// Draws the Board. Its scene is the last one's if that looks the same except for texts.
    pub fn after(
        last: Option<&Arc<Self>>,
        document: Arc<Document>,
        links: Arc<BTreeSet<Link>>,
        changes: Arc<BTreeSet<(Name, Name)>>,
        folds: &Folds,
    ) -> Arc<Self> {
        let alike = last.filter(|last| {
            last.folds == *folds
                && has_same_uses(&last.links, &links)
                && has_same_shapes(&last.document, &document)
        });
        if let Some(last) = alike
            && last.links == links
            && last.changes == changes
        {
            return Arc::new(Self {
                document,
                links,
                changes,
                folds: folds.clone(),
                scene: last.scene.clone(),
                heads: last.heads.clone(),
                shifts: last.shifts.clone(),
            });
        }
        let layout = match alike {
            Some(last) => {
                let mut scene = Scene::clone(&last.scene);
                scene.wires = wires(&links, &scene.folded);
                let (heads, shifts) = (last.heads.clone(), last.shifts.clone());
                Layout {
                    scene,
                    heads,
                    shifts,
                }
            }
            None => columns(&document, &links, folds),
        };
        let Layout {
            mut scene,
            heads,
            shifts,
        } = layout;
        let drawn = changes.iter();
        let drawn = drawn.map(|(task, fact)| ports::drawn_change(task, fact));
        let is_open = |node: &Node| !scene.folded.contains_key(node);
        let drawn = drawn.filter(|wire| is_open(&wire.from.node) || is_open(&wire.to.node));
        let drawn: Vec<Wire> = drawn.collect();
        let coloured = drawn.into_iter().map(|wire| (wire, CHANGES.colour));
        scene.wires.extend(coloured);
        scene.hides_wires = links.len() > HAIRBALL;
        let scene = match last {
            Some(last) if *last.scene == scene => last.scene.clone(),
            _ => Arc::new(scene),
        };
        Arc::new(Self {
            document,
            links,
            changes,
            folds: folds.clone(),
            scene,
            heads,
            shifts,
        })
    }
}

/// Returns `true` if the same tasks and goals are used by the same records.
fn has_same_uses(one: &Arc<BTreeSet<Link>>, other: &Arc<BTreeSet<Link>>) -> bool {
    let [a, b] = [one, other].map(|links| links.iter().filter(|link| is_use(link)));
    Arc::ptr_eq(one, other) || a.eq(b)
}

/// Returns `true` if two documents with the same uses have cards of the same shapes in the same places.
fn has_same_shapes(one: &Document, other: &Document) -> bool {
    let [a, b] = [one, other].map(|document| &document.layout);
    let is_placed_alike = a.board == b.board
        && a.collapsed_cards == b.collapsed_cards
        && a.board_frames == b.board_frames;
    let shape = |document: &Document, record: &RecordRef| -> Option<(Option<Look>, Shape)> {
        let face = face(document, record)?;
        Some((Look::of_card(document, record), face.shape(Vec2::default())))
    };
    // An agent's tasks are grouped by what it may use, which isn't always a link.
    let is_alike = |record: &RecordRef| {
        record.kind != Kind::Agent && shape(one, record) == shape(other, record)
    };
    is_placed_alike
        && other
            .changed_since(one)
            .is_some_and(|changed| changed.iter().all(is_alike))
}

#[cfg(test)]
mod tests {
    use taskloom_document::Edit;
    use taskloom_domain::dependencies::Reader;

    use super::*;
    use crate::examples;

    /// Draws the Board with the same changes of facts each time.
    fn drawn(reader: &mut Reader, last: Option<&Arc<Drawn>>, document: &Document) -> Arc<Drawn> {
        let links = reader.links(document);
        Drawn::after(
            last,
            Arc::new(document.clone()),
            links,
            Arc::default(),
            &Folds::default(),
        )
    }

    #[test]
    fn board_after_any_edit_is_drawn_like_a_new_one() {
        let (mut kept, mut all) = (0, 0);
        for example in &examples::ALL {
            let document = example.document();
            let mut reader = Reader::default();
            let mut last = drawn(&mut reader, None, &document);
            for (record, view) in document.views() {
                let texts = view.text_fields().into_iter().flat_map(|(field, _)| {
                    ["", "not x", "x and y and z and w"]
                        .map(|text| Edit::SetText(record.clone(), field.clone(), text.to_owned()))
                });
                let upper = record.name.as_str().to_ascii_uppercase().parse().unwrap();
                let others = [
                    Edit::RemoveWithUses(record.clone()),
                    Edit::Rename(record.clone(), upper),
                    Edit::CollapseCards(vec![record.clone()], true),
                ];
                for edit in texts.chain(others) {
                    let Ok(edited) = document.apply(&edit) else {
                        continue;
                    };
                    // Forwards and back again.
                    for document in [&edited, &document] {
                        let links = reader.links(document);
                        assert_eq!(links, Reader::default().links(document), "{edit:?}");
                        let next = drawn(&mut reader, Some(&last), document);
                        let fresh = drawn(&mut Reader::default(), None, document);
                        assert_eq!(next.scene, fresh.scene, "{edit:?}");
                        assert_eq!(next.heads, fresh.heads, "{edit:?}");
                        kept += usize::from(Arc::ptr_eq(&last.scene, &next.scene));
                        all += 1;
                        last = next;
                    }
                }
            }
        }
        assert!(kept * 4 > all, "{kept} of {all}");
    }
}

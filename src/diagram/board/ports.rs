//! The ports of the Board's cards, and the wires between them.

use std::collections::BTreeSet;

use taskloom_document::{Kind, Name, RecordRef};
use taskloom_domain::dependencies::{Link, Role, is_possible};

use crate::canvas::scene::{End, Node, Scene, Slot, Wire};

/// Returns a link's wire on the canvas.
pub fn drawn_link(link: &Link) -> Wire {
    Wire {
        from: offer(&link.from),
        to: need(&link.to, link.role),
    }
}

/// Returns the wire between a fact and a primitive task that changes it.
pub fn drawn_change(task: &Name, fact: &Name) -> Wire {
    Wire {
        from: offer(&RecordRef::new(Kind::Fact, fact.clone())),
        to: End {
            node: Node::Card(RecordRef::new(Kind::PrimitiveTask, task.clone())),
            port: Slot::Changes,
        },
    }
}

/// Returns the link that the canvas shows as this wire.
pub fn link(drawn: &Wire) -> Option<Link> {
    let Slot::Need(role) = drawn.to.port else {
        return None;
    };
    Some(Link {
        from: drawn.from.node.card()?.clone(),
        to: drawn.to.node.card()?.clone(),
        role,
    })
}

/// Returns the port of a record itself.
pub fn offer(record: &RecordRef) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Offer,
    }
}

/// Returns the port of a need.
pub fn need(record: &RecordRef, role: Role) -> End {
    End {
        node: Node::Card(record.clone()),
        port: Slot::Need(role),
    }
}

/// Returns the ports that can take a wire from this one if the Board has these links, ignoring
/// `without`.
pub fn targets(
    scene: &Scene,
    links: &BTreeSet<Link>,
    from: &End,
    without: Option<&Link>,
) -> BTreeSet<End> {
    let mut ends = BTreeSet::new();
    let Some(own) = from.node.card() else {
        return ends;
    };
    let mut add = |from: &RecordRef, to: &RecordRef, role: Role, end: &dyn Fn() -> End| {
        let link = Link {
            from: from.clone(),
            to: to.clone(),
            role,
        };
        let end = end();
        // An agent that plans for tasks has no port for goals.
        if is_possible(links, &link, without) && scene.socket(&end).is_some() {
            ends.insert(end);
        }
    };
    let nodes = scene.nodes.keys().chain(scene.folded.keys());
    for record in nodes.filter_map(Node::card) {
        match from.port {
            // An effect is written in the inspector: a wire doesn't tell the new value.
            Slot::Changes => {}
            Slot::Need(role) => add(record, own, role, &|| offer(record)),
            _ => {
                for role in Role::of(record.kind) {
                    add(own, record, *role, &|| need(record, *role));
                }
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::super::columns::columns;
    use super::super::folds::Folds;
    use super::*;
    use taskloom_document::sort::set_of;
    use taskloom_domain::dependencies::Reader;

    #[test]
    fn records_connect_only_to_compatible_ports() {
        let document = crate::examples::first();
        let links = Reader::default().links(&document);
        let scene = columns(&document, &links, &Folds::default()).scene;
        let roles = |record: &str| {
            let from = offer(&record.parse().unwrap());
            let ends = targets(&scene, &links, &from, None);
            let roles = set_of(ends.iter().map(|e| e.port.key()));
            roles.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            roles("fact:box_open"),
            "completion formula integrity precondition sense"
        );
        assert_eq!(roles("action:OpenBox"), "action");
        assert_eq!(roles("primitive:open-box"), "repertoire subtasks task");
        let task = need(&"primitive:open-box".parse().unwrap(), Role::Action);
        let offers = targets(&scene, &links, &task, None);
        assert!(!offers.is_empty() && offers.iter().all(|end| end.port == Slot::Offer));
    }
}

//! A method for a picture of it.

use taskloom::document::{Document, Name, Port};

use super::chart::{self, Look};
use crate::canvas::scene::Node;
use crate::views::picture::{Drawn, Line, Picture, Row};

/// All of a task's method.
pub fn picture(document: &Document, task: &Name) -> Picture {
    let scene = chart::scene(document, task);
    let mut picture = Picture::default();
    let record = document.compound_tasks.get(task);
    for (id, block) in record.iter().flat_map(|record| &record.method.blocks) {
        let Some(shape) = scene.nodes.get(&Node::Block(id.clone())) else {
            continue;
        };
        let face = chart::face(document, block);
        let (colour, mark) = match face.look {
            Look::Primitive => ("prim", ""),
            Look::Compound => ("comp", ""),
            Look::Unknown => ("no", ""),
            Look::Branch => ("cond", "◇"),
            Look::Choice => ("cond", "⋔"),
            Look::Bind => ("cond", "∃"),
            Look::Begin | Look::End => ("dim", ""),
        };
        let rows = face.rows.into_iter().map(|(port, label)| Row {
            texts: [label, String::new()],
            colour: match port {
                Port::True => "ok",
                Port::False => "no",
                _ => "dim",
            },
            height: 24.0,
            right: matches!(port, Port::True | Port::False),
        });
        picture.boxes.push(Drawn {
            rect: shape.rect,
            colour,
            head: [mark.to_owned(), face.title, String::new()],
            card: false,
            pill: matches!(face.look, Look::Begin | Look::End),
            lines: face.lines,
            rows: rows.collect(),
            ports: shape.sockets.iter().map(|socket| socket.at).collect(),
        });
    }
    let curves = scene.wires.keys().filter_map(|wire| scene.curve(wire));
    picture.lines = curves
        .map(|curve| Line {
            path: curve.path(),
            colour: "line-strong",
            dashes: "none",
        })
        .collect();
    picture
}

//! The Board for a picture of it.

use taskloom::document::Document;

use super::columns;
use super::links::Reader;
use crate::canvas::role::Role;
use crate::views::picture::{Drawn, Line, Picture, Row};

fn colour(role: Role) -> &'static str {
    match role {
        Role::Precondition => "accent",
        Role::Integrity => "warn",
        Role::Completion => "sensor",
        Role::Formula => "cond",
        Role::Action => "action",
        Role::Subtask => "comp",
    }
}

/// All cards, and the wires between them.
pub fn picture(document: &Document) -> Picture {
    let (scene, headings) = columns::columns(document, &Reader::default().links(document));
    let boxes = scene.nodes.iter().filter_map(|(node, shape)| {
        let face = columns::face(document, node.card()?)?;
        let kind = match face.class {
            "memory" => "fact",
            "condition" => "cond",
            "primitive" => "prim",
            "compound" => "comp",
            class => class,
        };
        let rows = face.rows.into_iter().map(|(role, text)| Row {
            texts: [role.short().to_owned(), text],
            colour: colour(role),
            height: 20.0,
            right: false,
        });
        Some(Drawn {
            rect: shape.rect,
            colour: kind,
            head: [String::new(), face.title, face.aside],
            card: true,
            pill: false,
            lines: face.lines,
            rows: rows.collect(),
            ports: shape.sockets.iter().map(|socket| socket.at).collect(),
        })
    });
    let lines = scene.wires.keys().filter_map(|wire| {
        let role = columns::link(wire)?.role;
        Some(Line {
            path: scene.curve(wire)?.path(),
            colour: colour(role),
            dashes: match role {
                Role::Integrity => "8 4",
                Role::Completion => "2 5",
                _ => "none",
            },
        })
    });
    Picture {
        frames: vec![],
        lines: lines.collect(),
        boxes: boxes.collect(),
        captions: headings.iter().map(|h| (h.at, h.title)).collect(),
    }
}

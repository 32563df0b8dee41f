//! The Board: the paper's columns of sensors, conditions, actions and tasks.

mod actions;
mod arrange;
mod card;
pub mod columns;
mod drawn;
mod edits;
mod links;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use taskloom::document::RecordRef;
use taskloom::document::diagnostic::Severity;

use crate::canvas::camera::{Camera, LEGIBLE, MARGIN};
use crate::canvas::far::Tints;
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::role::Role;
use crate::canvas::scene::{Node, Selected, Shape, Wire};
use crate::canvas::search::SearchBox;
use crate::canvas::surface::{Rules, Surface};
use crate::canvas::{Canvas, WireLook};
use crate::commands::{self, Page};
use crate::session::{OpenCanvas, Session};
use crate::views::frames::Frames;
pub use actions::Actions;
use card::{CardModel, CardView};
use columns::Heading;
pub use drawn::picture;
use links::{Link, Reader};

/// The Board canvas.
#[component]
pub fn BoardView() -> impl IntoView {
    let session = Session::expect();
    let reader = StoredValue::new(Reader::default());
    let links = Memo::new(move |_| {
        let document = session.document();
        let links = reader.try_update_value(|reader| reader.links(&document));
        Arc::new(links.unwrap_or_default())
    });
    let all = Memo::new(move |_| {
        let (scene, headings) = columns::columns(&session.document(), &links.get());
        (Arc::new(scene), headings)
    });
    let scene = Memo::new(move |_| all.with(|(scene, _)| scene.clone()));
    let headings = Memo::new(move |_| all.with(|(_, headings)| headings.clone()));
    let actions = Actions::new(session, scene);
    let selected = Memo::new(move |_| Selected {
        nodes: session.selection.with(|s| {
            let frames = s.frames.iter().cloned().map(Node::Frame);
            BTreeSet::from_iter(frames.chain(s.records.iter().cloned().map(Node::Card)))
        }),
        wires: actions.wires.get(),
    });
    let surface = Surface::new(Rules {
        scene,
        selected,
        targets: Box::new(move |end, without| {
            columns::targets(&scene.get_untracked(), end, without)
        }),
        inserts: Box::new(|_, _| false),
        // As the style sheet's calm ones are.
        tints: Box::new(|| Tints {
            strength: 0.38,
            ..Tints::default()
        }),
        order: Box::new(move || columns::reading_order(&scene.get_untracked())),
        // All columns where they stay legible, the first of them otherwise; what is below comes by panning.
        opening: |content, size| {
            let width = (size.x - 2.0 * MARGIN) / content.w.max(1.0);
            Camera::opening(content, size, width.clamp(LEGIBLE, 1.0))
        },
        takes_focus: false,
        perform: Box::new(move |command| actions.perform(command)),
    });
    actions.attach(surface);
    Page::expect().opened(commands::Canvas::Board(actions));
    session.looks_at(OpenCanvas {
        pointed: Box::new(move || surface.pointed()),
        whole: Box::new(move || session.selection.get_untracked()),
    });
    let cards = Mirror::of(move || {
        let mounted = surface.has_node();
        let scene = scene.get();
        let document = session.document();
        let findings = findings(session);
        let model = |(node, shape): (&Node, &Shape)| {
            let record = node.card()?;
            let face = columns::face(&document, record)?;
            let model = CardModel::new(face, shape, findings.get(record).cloned());
            Some((record.clone(), model))
        };
        let nodes = scene.nodes.iter().filter(|(node, _)| mounted(node));
        nodes.filter_map(model).collect()
    });
    let wires = wire_looks(links, selected, surface);
    let empty = Memo::new(move |_| scene.with(|scene| scene.nodes.is_empty()));
    let over = view! {
        <Legend/>
        <button type="button" class="tidy" title="Order the cards in their columns" on:click=move |_| { actions.tidy(); }>"Tidy"</button>
        {move || empty.get().then(|| view! {
            <div class="canvas-hint low">
                <p>"Start with what the world is like: press + at Sensors to add a fact that the game tells. Then add actions, and the tasks that use them."</p>
            </div>
        })}
        {move || actions.searching.get().map(|search| {
            let close = UnsyncCallback::new(move |(pick,)| actions.picked(pick));
            view! { <SearchBox search size=surface.size() close/> }
        })}
    };
    view! {
        <Canvas surface label="Board" wires over>
            <Frames surface sheet=None/>
            <For each=move || headings.get() key=|h: &Heading| format!("{} {}", h.title, h.at.to_point().y) let:heading>
                <HeadingView heading actions/>
            </For>
            <For each=move || cards.keys.get() key=|record| record.clone() let:record>
                <CardView surface cards record/>
            </For>
        </Canvas>
    }
}

#[component]
fn HeadingView(heading: Heading, actions: Actions) -> impl IntoView {
    let Heading {
        title,
        kind,
        source,
        at,
    } = heading;
    let add = format!("Add to {}", title.to_ascii_lowercase());
    let hint = add.clone();
    view! {
        <div class="column-head" style:left=pixels(at.x) style:top=pixels(at.y)
            style:width=pixels(columns::WIDTH) style:height=pixels(columns::HEADING)
        >
            <span>{title}</span>
            <button type="button" aria-label=add title=hint on:click=move |_| actions.add(kind, source)>"+"</button>
        </div>
    }
}

/// What the wires mean.
#[component]
fn Legend() -> impl IntoView {
    let entries = Role::ALL.map(|role| {
        view! {
            <li class=role.class()>
                <svg width="26" height="8" aria-hidden="true"><path class="wire" d="M1 4H25"></path></svg>
                {role.label()}
            </li>
        }
    });
    view! {
        <details class="legend" data-inner="">
            <summary>"What the wires mean"</summary>
            <ul>{entries.into_iter().collect_view()}</ul>
        </details>
    }
}

/// Messages about each record, the worst first.
fn findings(session: Session) -> BTreeMap<RecordRef, (Severity, String)> {
    let mut found: BTreeMap<RecordRef, (Severity, String)> = BTreeMap::new();
    for diagnostic in session.diagnostics.get().iter() {
        let severity = diagnostic.severity;
        match found.get_mut(&diagnostic.place.record) {
            None => {
                let finding = (severity, diagnostic.message.clone());
                found.insert(diagnostic.place.record.clone(), finding);
            }
            Some((worst, messages)) => {
                *worst = (*worst).min(severity);
                messages.push('\n');
                messages.push_str(&diagnostic.message);
            }
        }
    }
    found
}

/// The wires of what is looked at come forward, all others step back.
fn wire_looks(
    links: Memo<Arc<BTreeSet<Link>>>,
    selected: Memo<Selected>,
    surface: Surface,
) -> Mirror<Wire, WireLook> {
    Mirror::of(move || {
        let selected = selected.get();
        let hovered = surface.hovered.get();
        let looked_at = |node: &Node| match &hovered {
            Some(hovered) => hovered == node,
            None => selected.nodes.contains(node),
        };
        let any = hovered.is_some() || selected.nodes.iter().any(Node::is_solid);
        let look = |(wire, link): (Wire, &Link)| {
            let near = looked_at(&wire.from.node) || looked_at(&wire.to.node);
            let state = match (any, near) {
                (false, _) => "calm",
                (true, true) => "near",
                (true, false) => "far",
            };
            let Link { from, to, role } = link;
            let title = format!("{} is {} of {}", from.name, role.label(), to.name);
            let class = format!("{} {state}", role.class());
            (wire, WireLook { class, title })
        };
        let mounted = surface.has_wire();
        let links = links.get();
        let wires = links.iter().map(|link| (columns::drawn_link(link), link));
        let wires = wires.filter(|(wire, _)| mounted(wire));
        wires.map(look).collect()
    })
}

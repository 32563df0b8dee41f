//! The view of a diagram.

use std::rc::Rc;

use leptos::prelude::*;
use taskloom_document::Name;

use super::board::Board;
use super::frames::Frames;
use super::menu::Menu;
use super::method::Method;
use super::model::{Diagram, OpenDiagram};
use super::node::NodeView;
use super::rules;
use crate::canvas::Canvas;
use crate::canvas::cameras::Cameras;
use crate::canvas::mirror::Mirror;
use crate::canvas::scene::Node;
use crate::canvas::search::SearchBox;
use crate::session::{OpenCanvas, Session};
use crate::ui::keyed::Keyed;

/// The canvas of the Board, or of a compound task's method.
#[component]
pub fn DiagramView(
    /// The task whose method is shown; `None` for the Board.
    task: Option<Name>,
    /// Opens the menu of what was right-clicked.
    menu: Menu,
    /// Called when it is open.
    opened: UnsyncCallback<(OpenDiagram,)>,
) -> impl IntoView {
    let session = Session::expect();
    let sheet = task.clone();
    let canvas = move |id: &str| format!("{id} {sheet:?}");
    let diagram: Rc<dyn Diagram> = match task {
        None => Rc::new(Board::new(session)),
        Some(task) => Rc::new(Method::new(session, task)),
    };
    let open = rules::open(session, diagram.clone(), menu);
    let surface = open.surface;
    let cameras = Cameras::expect();
    cameras.keep(surface, canvas(&session.entry().id));
    // The Board stays mounted when another document opens.
    Effect::new(move |before: Option<(u32, String)>| {
        let opened = session.storage.opened.get();
        session.storage.hold.track();
        let id = session.entry().id;
        let name = canvas(&id);
        match before {
            Some((last, _)) if last != opened => {
                // By then the scene has been updated.
                request_animation_frame(move || cameras.replace(surface, name));
            }
            Some((_, last)) if last != id => cameras.rename(name),
            _ => {}
        }
        (opened, id)
    });
    opened.run((open,));
    let of_points = diagram.clone();
    session.desk.opened_canvas(OpenCanvas {
        pointed: Box::new(move || of_points.stored(surface.pointed().into()).to_point()),
        whole: Box::new(move || open.whole()),
    });
    let (of_nodes, of_wires) = (diagram.clone(), diagram.clone());
    let nodes = Mirror::of(move || of_nodes.nodes(surface));
    let wires = Mirror::of(move || of_wires.wires(surface));
    let over = view! {
        {diagram.over(open)}
        {move || open.searching.get().map(|search| {
            let close = UnsyncCallback::new(move |()| open.close_search());
            view! { <SearchBox search corner=surface.corner() close/> }
        })}
    };
    let (label, sheet, inside) = (diagram.label(), diagram.sheet(), diagram.inside(open));
    view! {
        <Canvas surface label wires over>
            <Frames surface sheet/>
            <Keyed each=move || nodes.keys.get() key=Node::name let:node>
                <NodeView surface nodes node/>
            </Keyed>
            {inside}
        </Canvas>
    }
}

//! Mounting and unmounting the elements of nodes and wires.

use std::sync::Arc;

use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlElement, SvgElement};

use super::elements::set_class;
use super::geometry::Rect;
use super::mount::{Mounted, is_small};
use super::scene::{Node, Wire};
use super::surface::Surface;

impl Surface {
    /// Registers the element of a node, which is placed at once.
    fn mount_node(&self, node: Node, element: HtmlElement) {
        let Some(state) = self.state() else { return };
        let (scene, selected) = (state.scene(), state.selected().nodes.contains(&node));
        let wanted = state.focus.borrow_mut().wanted.take_if(|w| *w == node);
        let mut placed = state.placed.borrow_mut();
        placed.mount_node(node, element.clone(), &scene, selected);
        drop(placed);
        state.painter.borrow_mut().forget_places();
        if wanted.is_some() {
            let _ = element.focus();
        }
    }

    /// Marks the wire on which something would be inserted, and no other one.
    pub fn mark_receiving(&self, wire: Option<&Wire>) {
        let Some(state) = self.state() else { return };
        for (each, paths) in &state.placed.borrow().wires {
            for path in paths {
                set_class(path, "receiving", wire == Some(each));
            }
        }
    }

    /// Returns a reference for the element of a node, which is placed when it is mounted and
    /// unregistered when its component is disposed.
    pub fn node_ref(&self, node: Node) -> NodeRef<Div> {
        let surface = *self;
        let element = NodeRef::<Div>::new();
        let key = node.clone();
        Effect::new(move || {
            if let Some(element) = element.get() {
                surface.mount_node(key.clone(), element.unchecked_into());
            }
        });
        on_cleanup(move || {
            let mounted = element.try_get_untracked().flatten();
            let mounted = mounted.map(|e| e.unchecked_into::<HtmlElement>());
            if let Some(state) = surface.state() {
                let mut placed = state.placed.borrow_mut();
                placed.unmount_node(&node, mounted.as_ref());
            }
        });
        element
    }

    /// Registers the paths of a wire.
    pub fn mount_wire(&self, wire: Wire, paths: Vec<SvgElement>) {
        let Some(state) = self.state() else { return };
        let (scene, selected) = (state.scene(), state.selected().wires.contains(&wire));
        let mut placed = state.placed.borrow_mut();
        placed.mount_wire(wire, paths, &scene, selected);
        state.painter.borrow_mut().forget_places();
    }

    /// Unregisters a wire's paths.
    pub fn unmount_wire(&self, wire: &Wire) {
        if let Some(state) = self.state() {
            state.placed.borrow_mut().unmount_wire(wire);
        }
    }

    /// Returns a function that is `true` for nodes with an element. Tracked in effects.
    pub fn has_node(&self) -> impl Fn(&Node) -> bool + use<> {
        let (mounted, all) = self.mounted_items();
        move |node| mounted.as_ref().map_or(all, |m| m.nodes.contains(node))
    }

    /// Returns a function that is `true` for wires with an element. Tracked in effects.
    pub fn has_wire(&self) -> impl Fn(&Wire) -> bool + use<> {
        let (mounted, all) = self.mounted_items();
        move |wire| mounted.as_ref().map_or(all, |m| m.wires.contains(wire))
    }

    /// Returns a function that is `true` for boxes in the part of the graph whose nodes have elements.
    /// Tracked in effects.
    pub fn covers(&self) -> impl Fn(&Rect) -> bool + use<> {
        let (mounted, all) = self.mounted_items();
        move |rect| match &mounted {
            Some(mounted) => mounted.region.is_some_and(|region| region.meets(rect)),
            None => all,
        }
    }

    /// Returns the mounted nodes and wires, and, if nothing has been chosen, whether everything is
    /// mounted: before the first frame, nothing of a large graph is.
    fn mounted_items(&self) -> (Option<Arc<Mounted>>, bool) {
        let small = self.state().is_some_and(|s| is_small(&s.scene()));
        (self.mounted.get(), small)
    }
}

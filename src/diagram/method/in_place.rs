//! Editing a block's text in place.

use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Node;
use taskloom_document::{Alternative, Block, BlockId, Edit, Field, Kind, Param, RecordRef};
use taskloom_domain::candidates::unnamed;

use super::flow::Method;
use crate::canvas::geometry::{Rect, pixels};
use crate::canvas::scene;
use crate::canvas::surface::Surface;
use crate::expression::ExpressionField;
use crate::session::Session;
use crate::ui::entry::Entry;
use crate::ui::icon::{Icon, Lucide};
use crate::ui::typed_key::TypedKey;

/// Ends the editing in place.
#[derive(Clone, Copy)]
struct Done {
    method: Method,
    surface: Surface,
}

impl Done {
    fn edited(self, by_key: bool) {
        self.method.edited(self.surface, by_key);
    }
}

/// The fields of a block, on top of it.
#[component]
pub fn InPlace(
    /// The method.
    method: Method,
    /// The canvas.
    surface: Surface,
    /// The block.
    id: BlockId,
) -> impl IntoView {
    let Some(block) = method.block(&id) else {
        return ().into_any();
    };
    let node = scene::Node::Block(id.clone());
    let corner = move || {
        let scene = method.scene.get();
        scene.nodes.get(&node).map(|shape| shape.rect.corner())
    };
    // Fields grow so that they stay legible from afar.
    let enlargement = move || (100.0 / f64::from(surface.percent.get().max(10))).max(1.0);
    let done = Done { method, surface };
    let element = NodeRef::<Div>::new();
    let place = corner.clone();
    Effect::new(move || {
        let (Some(element), Some(place)) = (element.get(), untrack(&place)) else {
            return;
        };
        let (wide, high) = (element.offset_width(), element.offset_height());
        let scale = untrack(enlargement);
        let rect = Rect::at(place, f64::from(wide) * scale, f64::from(high) * scale);
        // By then a new block has been revealed.
        request_animation_frame(move || surface.reveal_rect(rect));
    });
    let top = corner.clone();
    let fields = match &*block {
        Block::Task { .. } => view! {
            <TextField done id=id.clone() label="Task"/>
        }
        .into_any(),
        Block::Branch { .. } => view! {
            <TextField done id=id.clone() label="Condition"/>
        }
        .into_any(),
        Block::Bind { variable, .. } => view! {
            <Variable done id=id.clone() variable=variable.clone()/>
            <TextField done id=id.clone() label="Condition"/>
        }
        .into_any(),
        Block::Choice { alternatives, .. } => view! {
            <Labels done id=id.clone() alternatives=alternatives.clone()/>
        }
        .into_any(),
        Block::Begin {} | Block::End {} => ().into_any(),
    };
    let left_it = move |event: ev::FocusEvent| {
        let inside = event
            .current_target()
            .and_then(|t| t.dyn_into::<Node>().ok());
        let next = event
            .related_target()
            .and_then(|t| t.dyn_into::<Node>().ok());
        if !inside.is_some_and(|inside| inside.contains(next.as_ref())) {
            done.edited(false);
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if matches!(event.typed_key().as_str(), "Escape" | "F2") {
            event.prevent_default();
            event.stop_propagation();
            done.edited(true);
        }
    };
    view! {
        <div
            class="in-place" data-inner="" node_ref=element
            style:left=move || corner().map(|c| pixels(c.x))
            style:top=move || top().map(|c| pixels(c.y))
            style:transform=move || format!("scale({:.3})", enlargement())
            on:focusout=left_it on:keydown=on_key on:pointerdown=|e| e.stop_propagation()
            on:dblclick=|e| e.stop_propagation()
        >
            {fields}
        </div>
    }
    .into_any()
}

/// A field below its label.
fn labelled(
    done: Done,
    text: String,
    label: String,
    autofocus: bool,
    commit: impl Fn(String) + 'static,
) -> AnyView {
    let take = move |typed: String| {
        commit(typed);
        Ok(())
    };
    let done = UnsyncCallback::new(move |()| done.edited(true));
    view! {
        <label class="in-place-field"><span>{label.clone()}</span>
            <Entry label text=Signal::stored(text) take autofocus done/>
        </label>
    }
    .into_any()
}

/// The call or the condition of a block.
#[component]
fn TextField(done: Done, id: BlockId, #[prop(into)] label: String) -> impl IntoView {
    let record = RecordRef::new(Kind::CompoundTask, done.method.task());
    let on_done = Callback::new(move |by_key| {
        if by_key {
            done.edited(true);
        }
    });
    view! { <ExpressionField record field=Field::BlockText(id) label autofocus=true on_done/> }
}

/// The variable of a Bind block: `?place: place`.
#[component]
fn Variable(done: Done, id: BlockId, variable: Param) -> impl IntoView {
    let session = Session::expect();
    let text = variable.to_string();
    let commit = move |typed: String| {
        let typed = typed.trim();
        let marked = if typed.starts_with('?') {
            typed.to_owned()
        } else {
            format!("?{typed}")
        };
        let Ok(next) = marked.parse::<Param>() else {
            return;
        };
        let (task, record) = (
            done.method.task(),
            RecordRef::new(Kind::CompoundTask, done.method.task()),
        );
        let mut all = vec![];
        if next.name != variable.name {
            all.push(Edit::RenameVariable(
                record,
                variable.name.clone(),
                next.name.clone(),
            ));
        }
        if next.of != variable.of
            && let Some(block) = done.method.block(&id)
            && let Block::Bind {
                condition,
                order_by,
                query,
                ..
            } = &*block
        {
            // Its texts change with the name, so the type goes first.
            let block = Block::Bind {
                variable: Param {
                    name: variable.name.clone(),
                    of: next.of,
                },
                condition: condition.clone(),
                order_by: order_by.clone(),
                query: query.clone(),
            };
            all.insert(0, Edit::SetBlock(task, id.clone(), block));
        }
        session.commit("Edit variable", Edit::Batch(all));
    };
    labelled(done, text, "Variable".to_owned(), false, commit)
}

/// The alternatives of a Choice block.
#[component]
fn Labels(done: Done, id: BlockId, alternatives: Vec<Alternative>) -> impl IntoView {
    let session = Session::expect();
    let fields = alternatives.iter().enumerate().map(|(index, alternative)| {
        let (id, number) = (id.clone(), alternative.id);
        let commit = move |typed: String| {
            let Some(block) = done.method.block(&id) else {
                return;
            };
            let mut block = Block::clone(&block);
            if let Block::Choice { alternatives, .. } = &mut block
                && let Some(found) = alternatives.iter_mut().find(|a| a.id == number)
            {
                found.label = typed;
            }
            let edit = Edit::SetBlock(done.method.task(), id.clone(), block);
            session.commit("Name alternative", edit);
        };
        let (text, label) = (alternative.label.clone(), format!("{}", index + 1));
        labelled(done, text, label, index == 0, commit)
    });
    let fields = fields.collect_view();
    let change = move |act: &dyn Fn(&mut Vec<Alternative>), label: &str| {
        let Some(block) = done.method.block(&id) else {
            return;
        };
        let mut block = Block::clone(&block);
        if let Block::Choice { alternatives, .. } = &mut block {
            act(alternatives);
        }
        session.commit(label, Edit::SetBlock(done.method.task(), id.clone(), block));
        done.edited(true);
    };
    let change = StoredValue::new_local(change);
    let add = move |_| {
        change.with_value(|change| {
            change(
                &|all| {
                    let next = all.iter().map(|a| a.id).max().unwrap_or(0);
                    if let Some(next) = next.checked_add(1) {
                        all.push(unnamed(next));
                    }
                },
                "Add alternative",
            );
        });
    };
    view! {
        {fields}
        <div class="in-place-buttons">
            <button type="button" class="with-icon" aria-label="Add alternative" on:click=add><Icon name=Lucide::Plus size=14/>"Alternative"</button>
        </div>
    }
}

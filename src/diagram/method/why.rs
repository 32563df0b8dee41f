//! Why a block is in the plan: a button at the selected block, and the question that it asks.

use std::collections::BTreeSet;

use leptos::prelude::*;
use taskloom_document::{Block, BlockId};
use taskloom_planner::explain::Mark;
use taskloom_planner::plan::NodeKind;

use super::flow::Method;
use crate::canvas::geometry::{Vec2, pixels};
use crate::canvas::scene::Node;
use crate::canvas::surface::Surface;
use crate::session::{Anchor, Question, Subject};
use crate::ui::live::live;

/// The size of the button, and the distance between it and its block, in graph units.
const BUTTON: Vec2 = Vec2::new(52.0, 24.0);
const ABOVE: f64 = 5.0;

impl Method {
    /// Returns the only block among nodes, if it is in the plan, and the task of the plan that it
    /// calls, or that it decides about. Tracked.
    fn planned_now(&self, nodes: &BTreeSet<Node>) -> Option<(BlockId, Subject)> {
        let mut nodes = nodes.iter();
        let id = nodes.next()?.block()?.clone();
        let highlight = self.highlight.get()?;
        let is_taken = matches!(highlight.blocks.get(&id), Some(Mark::Taken(_)));
        let block = self.block(&id)?;
        let is_end = matches!(*block, Block::Begin {} | Block::End {});
        if nodes.next().is_some() || !is_taken || is_end {
            return None;
        }
        let parent = highlight.node?;
        let answer = self.session.plan.answer.get()?;
        let plan = self.session.desk.cursor.get().plan;
        let nodes = &answer.plan_at_or_own(plan)?.nodes;
        let NodeKind::Decomposed(decomposed) = &nodes.get(parent)?.kind else {
            return None;
        };
        let called = |child: &usize| {
            nodes
                .get(*child)
                .is_some_and(|n| n.block.as_ref() == Some(&id))
        };
        let called = decomposed.children.iter().copied().find(called);
        let node = called.unwrap_or(parent);
        Some((id, Subject::Task { plan, node }))
    }

    /// Returns the same as `planned_now`, not tracked.
    pub(super) fn planned(&self, nodes: &BTreeSet<Node>) -> Option<(BlockId, Subject)> {
        untrack(|| self.planned_now(nodes))
    }

    /// Explains why the selected block is in the plan. Returns `true` if it is.
    pub(super) fn explain(&self, surface: Surface) -> bool {
        let planned = self.planned(&self.selected.get_untracked().nodes);
        let question = planned.and_then(|(id, subject)| {
            let scene = self.scene.get_untracked();
            let rect = scene.nodes.get(&Node::Block(id))?.rect;
            let corner = surface.corner();
            let near = corner + surface.on_screen(rect.corner());
            let far = corner + surface.on_screen(Vec2::new(rect.right(), rect.bottom()));
            let anchor = Anchor {
                left: near.x,
                top: near.y,
                right: far.x,
                bottom: far.y,
            };
            Some(Question { subject, anchor })
        });
        let is_planned = question.is_some();
        if let Some(question) = question {
            let desk = self.session.desk;
            // The press that asked would close the answer.
            request_animation_frame(move || desk.ask(question));
        }
        is_planned
    }
}

/// Returns the button at the selected block, if that is in the plan.
pub(super) fn button(method: Method, surface: Surface) -> impl IntoView {
    let place = Memo::new(move |_| {
        let selected = method.selected.get();
        let (id, _) = method.planned_now(&selected.nodes)?;
        let scene = method.scene.get();
        let rect = scene.nodes.get(&Node::Block(id))?.rect;
        Some((rect.right() - BUTTON.x, rect.y - BUTTON.y - ABOVE))
    });
    live(move || {
        place.get().map(|(left, top)| {
            view! {
                <button
                    type="button" class="block-why" title="Why is it in the plan? (Y)"
                    style:left=pixels(left) style:top=pixels(top)
                    style:width=pixels(BUTTON.x) style:height=pixels(BUTTON.y)
                    on:click=move |_| { method.explain(surface); }
                >
                    "Why?"
                </button>
            }
        })
    })
}

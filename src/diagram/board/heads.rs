//! The headings of the Board: each folds its cards, and that of a kind adds one.

use leptos::prelude::*;

use super::columns::{Head, HeadForm};
use super::content::Board;
use crate::canvas::geometry::pixels;
use crate::canvas::mirror::Mirror;
use crate::canvas::surface::Surface;
use crate::ui::icon::{Icon, Lucide, Tile};
use crate::ui::keyed::Keyed;

/// Returns the headings. Each keeps its element, and so the focus, when it is folded. Of the groups of
/// a large Board, only those near the view have one.
pub fn heads(board: Board, surface: Surface) -> AnyView {
    let heads = Mirror::of(move || {
        let covered = surface.covers();
        let heads = board.heads.get().into_iter();
        let heads = heads.filter(|head| head.form != HeadForm::Group || covered(&head.rect));
        heads.map(|head| (head.key.clone(), head)).collect()
    });
    view! {
        <Keyed each=move || heads.keys.get() key=String::clone children=move |key| {
            let head = heads.model(&key);
            head.map(|head| view! { <HeadView board surface key head/> })
        }/>
    }
    .into_any()
}

#[component]
fn HeadView(board: Board, surface: Surface, key: String, head: ArcRwSignal<Head>) -> impl IntoView {
    let head = Memo::new(move |_| head.get());
    let look = head.with_untracked(|head| head.look);
    let is = move |form: HeadForm| head.with(|head| head.form == form);
    let is_folded = move || head.with(|head| head.folded);
    let title = move || head.with(|head| head.title.clone());
    let side = move |of: fn(&Head) -> f64| move || head.with(|head| pixels(of(head)));
    let fold_label = move || {
        let verb = if is_folded() { "Unfold" } else { "Fold" };
        format!("{verb} {}", title().to_lowercase())
    };
    let add_label = move || format!("Add to {}", title().to_lowercase());
    let cards = move || match head.with(|head| head.count) {
        1 => "1 card".to_owned(),
        count => format!("{count} cards"),
    };
    let toggle = move |_| board.fold(&key, !is_folded());
    // Only a kind's heading has a button that adds; a group's doesn't determine a name.
    let add = move || {
        is(HeadForm::Kind).then(|| {
            view! {
                <button
                    type="button" class="head-add" aria-label=add_label title=add_label
                    on:click=move |_| board.add(surface, look)
                >
                    <Icon name=Lucide::Plus size=14/>
                </button>
            }
        })
    };
    view! {
        <div
            class="column-head"
            class:head-group=move || is(HeadForm::Group)
            class:head-strip=move || is(HeadForm::Strip)
            class:head-folded=is_folded
            style:left=side(|head| head.rect.x)
            style:top=side(|head| head.rect.y)
            style:width=side(|head| head.rect.w)
            style:height=side(|head| head.rect.h)
        >
            <button
                type="button" class="head-fold" aria-label=fold_label
                title=move || format!("{}: {}", fold_label(), cards()) on:click=toggle
            >
                <Tile icon=look.icon() class=look.class()/>
                <span class="head-title">{title}</span>
                <Icon name=Lucide::ChevronDown size=14/>
            </button>
            <span class="head-count">{move || head.with(|head| head.count)}</span>
            {add}
        </div>
    }
}

//! The examples: picture, description and source of each. A click opens one.

use leptos::prelude::*;

use crate::examples::{self, Example};
use crate::page::{Page, Sheet};
use crate::ui::icon::{Icon, Lucide};

/// Opens the gallery.
pub fn open(page: &Page) -> bool {
    page.sheet.set(Some(Sheet::Gallery));
    true
}

/// Builds the content of its dialog.
pub fn inside(page: Page) -> AnyView {
    let cards = examples::ALL.iter().enumerate();
    let cards = cards.map(|(at, example)| card(page, at, example));
    view! {
        <header class="sheet-head">
            <h2>"Examples"</h2>
            <span class="dim">"An example opens as a new document."</span>
            <span class="grow"></span>
            <button type="button" class="bare" aria-label="Close" on:click=move |_| page.close_sheet()><Icon name=Lucide::X size=14/></button>
        </header>
        <ul class="gallery-cards">{cards.collect_view()}</ul>
    }
    .into_any()
}

fn card(page: Page, at: usize, example: &'static Example) -> impl IntoView {
    let title = example.title;
    let open = move |_| {
        page.close_sheet();
        page.files.open_example(page.session, example);
    };
    let about = format!("example-{at}");
    let described_by = about.clone();
    // Only the picture for the current theme is ever fetched.
    let picture = |scheme: &'static str| {
        let address = example.picture(scheme);
        view! { <img class=scheme src=address alt="" width="480" height="150" loading="lazy"/> }
    };
    view! {
        <li class="gallery-card">
            {picture("light")}
            {picture("dark")}
            <button type="button" class="bare" autofocus=at == 0 aria-describedby=described_by on:click=open>{title}</button>
            <p id=about>
                {example.sentence}
                {(!example.source.is_empty()).then(|| view! { " " <i>{format!("{}.", example.source)}</i> })}
            </p>
        </li>
    }
}

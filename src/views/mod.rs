//! What is on the screen: one folder a view.

mod board;
mod method;

use leptos::prelude::*;
use taskloom_core::document::Document;

use crate::session::{Session, View};
use board::BoardView;
use method::MethodView;

/// The whole editor.
#[component]
pub fn App() -> impl IntoView {
    let session = Session::provide(Document::default());
    view! {
        <div class="app">
            <header class="toolbar"><b>"Taskloom"</b></header>
            <nav class="outline"></nav>
            <main class="stage">
                {move || match session.view.get() {
                    View::Board => view! { <BoardView/> }.into_any(),
                    View::Method(task) => view! { <MethodView task/> }.into_any(),
                }}
            </main>
            <aside class="inspector"></aside>
            <footer class="panel"></footer>
        </div>
    }
}

//! The panels around the diagrams: one folder each.

mod changed_file;
mod deletion;
mod documents;
mod drawer;
pub mod find;
pub mod frame;
mod history;
mod inspector;
mod outline;
pub mod plan;
mod problems;
pub mod results;
pub mod run;
mod scenarios;
mod search;
mod simulation;
mod stage;
pub mod start;
mod toasts;
pub mod toolbar;
pub mod tour;
mod uses;
pub mod why;
mod world;

pub use changed_file::ChangedFileDialog;
pub use deletion::DeletionDialog;
pub use documents::Notices;
pub use drawer::DrawerView;
pub use find::Find;
pub use inspector::Inspector;
pub use outline::Outline;
pub use scenarios::ScenariosView;
pub use simulation::Panel;
pub use stage::export::{save_picture, video};
pub use stage::{StageCamera, StageView};
pub use toasts::Toasts;
pub use uses::UsesDialog;

use leptos::prelude::*;

use crate::session::Tab;

/// Returns the content of a tab of the simulation panel.
fn tab_content(tab: Tab) -> AnyView {
    match tab {
        Tab::Plan => view! { <plan::PlanTab/> }.into_any(),
        Tab::Decomposition => view! { <plan::Decomposition/> }.into_any(),
        Tab::Run => view! { <run::RunTab/> }.into_any(),
        Tab::Search => view! { <search::SearchTab/> }.into_any(),
        Tab::Problems => view! { <problems::Problems/> }.into_any(),
    }
}

//! Taskloom's page: one Leptos application over one open document.

mod canvas;
mod job;
mod session;
mod views;
mod web;

fn main() {
    web::panic::install();
    leptos::mount::mount_to_body(views::App);
}

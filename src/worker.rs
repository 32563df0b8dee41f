//! The planning worker: a program without a page that serves jobs.

mod job {
    mod export;
    pub mod message;
    pub mod serve;
    mod verdict;
}

fn main() {
    if job::serve::start().is_err() {
        // Without a message channel there is nothing to serve with; the page's
        // watchdog will say so.
    }
}

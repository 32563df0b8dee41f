//! The planning worker: a program without a page that serves jobs.

fn main() {}

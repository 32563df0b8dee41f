//! Numbers in texts: floats read and written as the standard library does it. That is much
//! faster, and brings twenty kilobytes of tables and algorithms that do not compress; here
//! numbers are few and short.

mod natural;
mod read;
mod write;

pub use read::read;
pub use write::{Decimal, rounded};

//! Documents as JSON: parsing and writing texts, reading records, and locating them in the text.

pub use fault::{Fault, Step, found, twins};
pub use places::{Places, Spot};
pub use read::read;
pub use text::{parse, write};
pub use unique::unique;

mod fault;
mod places;
mod read;
mod text;
mod unique;

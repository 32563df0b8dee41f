//! Documents as JSON: their texts, the records in them, and where those stand.

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

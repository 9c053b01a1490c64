//! What is wrong with a course file, gathered while it is read.

mod diagnostic;
mod edit;
mod picture;
mod place;
mod report;
mod rule;

pub use diagnostic::{Diagnostic, Fix, Severity};
pub use edit::{Edit, corrected};
pub use place::Point;
pub(crate) use report::{Hint, few};
pub use report::{Report, nearest};
pub use rule::Rule;

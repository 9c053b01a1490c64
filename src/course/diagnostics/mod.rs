//! What is wrong with a course file, gathered while it is read.

mod diagnostic;
mod picture;
mod place;
mod report;

pub use diagnostic::{Diagnostic, Severity};
pub(crate) use report::{Hint, Report, nearest};

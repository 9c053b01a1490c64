//! What can be said only when all files are read: links, required lessons, predictions and their labs.

mod cross;
mod draft;
mod links;

pub(crate) use cross::check;
pub(crate) use draft::{Draft, Order, QuizFile, require};

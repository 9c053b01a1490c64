//! What can be said only when all files are read: links, required lessons, predictions and their labs.

mod cross;
mod links;

pub(crate) use cross::{Draft, check};

//! The pages of a lesson, with its labs among the text.

mod clicks;
mod folds;
mod labs;
mod links;
mod looked_up;
mod marks;
mod open_folds;
mod outline;
mod page_view;
mod pauses;
mod reload;
mod screen;
mod state;
mod text;
mod ways_on;

pub(crate) use state::Reader;

//! The terminal app.
//!
//! Events go into `App::update`, effects come out, and `view` draws the state; all of that is
//! pure and tested with events in and screens out. Only `shell` waits, reads the clock and touches the
//! terminal. Only `styled` turns strings into what the terminal draws.

mod app;
mod consent;
mod editor;
mod effect;
mod field;
mod form;
mod frame;
mod fuzzy;
mod glossary;
mod hit_list;
mod hyperlink;
mod keymap;
mod letter;
mod overlay;
mod page;
mod palette;
pub mod picture;
mod screen;
mod scroll;
mod search;
mod search_line;
mod session;
mod shell;
mod stack;
mod styled;
mod text_entry;
mod theme;
mod tour;

#[cfg(test)]
mod tests;

pub use keymap::{Keys, Mistake, with_settings};
pub use session::PreviewStatus;
pub use shell::{
    CourseFolder, CourseNow, DeferredStart, FolderWatch, Machine, Preview, ProgramFile, StartState,
    TraceSource, run,
};

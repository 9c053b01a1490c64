//! A quiz that is being taken: one question a screen.

mod drawing;
mod screen;

pub(crate) use screen::Quiz;

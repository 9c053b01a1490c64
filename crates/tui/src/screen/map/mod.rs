//! The course map, the home of the app: the lessons with what is done of them, and what to do next.

mod cards;
mod details;
mod home;
mod next;
mod paragraphs;
mod picture;
mod row;
mod screen;

pub(crate) use next::next_step;
pub(crate) use screen::Map;

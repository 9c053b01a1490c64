//! The stack of open screens: who gets a key, and going from one screen to another.

mod drawing;
mod leaving;
mod letters;
mod mouse;
mod paste;
mod reload;
mod screens;
mod travel;

pub(crate) use mouse::Wheel;
pub(super) use screens::Stack;

//! warpup: a terminal course and lab for CUDA intuition.
//!
//! The modules in reading order. Pure ones take text and values and give values back; they touch no
//! file, clock, thread or terminal. `ARCHITECTURE.md` holds the table of who may import whom.

pub mod shown;
pub mod utc;

pub mod class;
pub mod course;
pub mod grade;
pub mod progress;
pub mod protocol;
pub mod quiz;

pub mod exchange;

pub mod doctor;
pub mod handoff;
pub mod kineto;
pub mod lab;
pub mod store;
pub mod worker;

pub mod cli;
pub mod commands;
pub mod tui;

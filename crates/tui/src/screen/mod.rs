//! The screens: one file each, and what opens them.

mod areas;
mod behaviour;
mod doctor;
mod explain;
mod finding_list;
mod lab;
mod lane_signs;
mod map;
mod open_screen;
mod problems;
mod quiz;
mod reader;
mod results;
mod review;
mod settings;
mod trace;

pub(super) use behaviour::{ClickCount, Route, Screen, Start, Step, Target};
pub(super) use lab::Lab;
pub(super) use map::{Map, next_step};
pub(super) use open_screen::OpenScreen;
pub(super) use reader::Reader;

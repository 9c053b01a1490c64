//! A lab: the program, its output and checks, and each line's cost.
//!
//! Holds one run at a time and folds the worker's replies into it. The sentence about a run is in
//! [`verdict`], the content of the panes in [`panes`], the prediction before a run in
//! [`predict`].

mod actions;
mod budget;
mod clicks;
mod device_list;
mod diff;
mod findings;
mod lanes;
mod origin;
mod own_program;
mod panes;
mod plots;
mod predict;
mod prediction_form;
mod run;
mod runs;
mod screen;
mod shares;
mod state;
mod summary;
mod task;
mod tour;
mod verdict;
mod ways;

pub(crate) use state::Lab;

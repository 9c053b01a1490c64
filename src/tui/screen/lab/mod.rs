//! A lab: the program, what it printed, what was checked and what each line cost.
//!
//! Holds one run at a time and folds the worker's replies into it; what a run means in words is in
//! [`verdict`], what the panes show in [`panes`]. The prediction that may come before a run is in
//! [`predict`].

mod areas;
mod lanes;
mod memory;
mod pane;
mod panes;
mod plots;
mod predict;
mod predicting;
mod run;
mod screen;
mod state;
mod verdict;

pub(super) use state::Lab;

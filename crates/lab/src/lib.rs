//! The app's side of a lab: the worker process, and what can be said of a run.
//!
//! [`engine`] owns the child process; [`run`] folds replies into what screens and commands show and is
//! pure, as is everything else here.

pub mod batch;
pub mod changes;
pub mod check_names;
pub mod chrome_trace;
pub mod device_choice;
pub mod device_table;
pub mod ending;
pub mod engine;
pub mod findings;
pub mod first_use;
pub mod host_range;
pub mod host_work;
pub mod interruptions;
pub mod line_diff;
pub mod line_times;
pub mod line_weight;
pub mod memory;
pub mod memory_floor;
pub mod memory_limit;
pub mod metrics;
pub mod missing_values;
pub mod out_of_memory;
pub mod own_program;
pub mod past_runs;
pub mod plan;
pub mod plot;
pub mod prediction;
pub mod request;
pub mod run;
pub mod text;
pub mod timed;
pub mod timeline;
pub mod units;
pub mod unread_metrics;
pub mod waits;

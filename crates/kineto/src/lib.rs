//! Reads the traces of PyTorch's profiler (Kineto) and says what they show, in the course's terms.
//!
//! Pure, but for [`load`]: text becomes events ([`Trace`]), and events become figures and findings
//! ([`Analysis`](analysis::Analysis)). What a trace does not record is not guessed.

pub mod analysis;
mod batch;
mod builder;
mod card_peaks;
mod comparison;
pub mod curves;
mod event;
mod event_fields;
mod event_tree;
mod exchange_kernels;
mod file_relation;
pub mod findings;
mod functions;
mod index;
mod intervals;
mod json_delimiters;
mod json_scanner;
mod library_files;
pub mod load;
mod names;
mod operator_cost;
mod other_category;
mod overflow_guard;
pub mod plan_comparison;
mod read_error;
mod runtime_calls;
mod source_lines;
mod split;
mod step_window;
pub mod timeline;
mod timeline_point;
mod trace;
mod trace_metadata;

pub use builder::{MAX_EVENTS, TraceBuilder};
pub use comparison::{Comparison, Difference, FindingChange, OperatorChange, Unit};
pub use event::{Event, EventDetails, EventKind, LaneId};
pub use event_tree::EventTree;
pub use file_relation::{FileRelation, Rank, names as names_together};
pub use index::{DeviceWork, TraceIndex};
pub use intervals::{Interval, IntervalSet};
pub use names::{NameId, NameTable};
pub use other_category::OtherCategory;
pub use read_error::ReadError;
pub use runtime_calls::RuntimeCall;
pub use source_lines::{Precision, SourceLines};
pub use split::MAX_EVENT_BYTES;
pub use step_window::StepWindow;
pub use timeline_point::{DevicePoint, HostPoint, IdlePoint, TimelinePoint};
pub use trace::{Lane, LaneKind, Trace};
pub use trace_metadata::TraceMetadata;

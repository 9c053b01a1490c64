//! Reads the traces of PyTorch's profiler (Kineto) and says what they show, in the course's terms.
//!
//! Pure, but for [`load`]: text becomes events ([`Trace`]), and events become figures and findings
//! ([`Analysis`](analysis::Analysis)). What a trace does not record is not guessed.

mod about;
pub mod analysis;
mod batch;
pub mod beside;
mod builder;
mod calls;
mod compare;
pub mod curves;
mod event;
mod fields;
pub mod findings;
mod foreign;
mod functions;
mod index;
mod intervals;
pub mod load;
mod marks;
mod names;
mod nest;
pub mod picture;
mod read_error;
mod runs;
mod scan;
mod shapes;
mod sources;
mod split;
mod totals;
mod trace;
mod window;

pub use about::About;
pub use builder::{Builder, MAX_EVENTS};
pub use calls::Call;
pub use compare::{Change, Comparison, FindingChange, OperatorChange, Unit};
pub use event::{Details, Event, Kind, LaneId};
pub use index::{Index, Work};
pub use intervals::{Interval, Union};
pub use names::{NameId, Names};
pub use nest::Nest;
pub use read_error::ReadError;
pub use runs::{Rank, Relation, names as names_together};
pub use sources::{Precision, Sources};
pub use split::MAX_EVENT_BYTES;
pub use trace::{Lane, LaneKind, Trace};
pub use window::Window;

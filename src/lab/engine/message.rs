//! What the supervisor's thread receives, and where it sends replies.

use super::process::WorkerEvent;
use crate::protocol::{Reply, RunId, RunRequest};
use std::sync::mpsc::SyncSender;

/// Receives the replies, on a thread of the engine. It may block, which holds the worker back.
pub type Sink = Box<dyn Fn(Reply) + Send>;

/// A message to the supervisor.
#[derive(Debug)]
pub(super) enum Message {
    Run(RunRequest),
    Cancel(RunId),
    ReleaseCard,
    KillCardWorker(SyncSender<()>),
    /// From the worker with this number; events of replaced workers are dropped.
    FromWorker(u64, WorkerEvent),
    End,
}

//! One thread reads and cuts, some parse, and the caller's puts the pieces together in their order.

use super::blocks::{Blocks, Count};
use super::load_error::LoadError;
use crate::kineto::batch::{self, Batch};
use crate::kineto::builder::Builder;
use crate::kineto::read_error::ReadError;
use crate::kineto::split::{Piece, Splitter};
use crate::kineto::trace::Trace;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Pieces that wait for a thread, or for the caller: a bound on memory.
const WAITING: usize = 4;

/// How far the reading is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Bytes of the file that were read.
    pub read_bytes: u64,
    /// Bytes of the file; 0 if nobody knows.
    pub file_bytes: u64,
    /// What there is of the trace; [`Builder::so_far`] makes a trace of it.
    pub builder: &'a Builder,
}

/// Reads a file, and calls `on_progress` after each piece; `Break` ends the reading.
pub fn file(
    path: &Path,
    on_progress: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Trace, LoadError> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let unreadable = |why| LoadError::File {
        file: name.clone(),
        why,
    };
    let file_bytes = fs::metadata(path).map_err(unreadable)?.len();
    let count = Count::default();
    let blocks = Blocks::open(path, count.clone()).map_err(unreadable)?;
    let mut progress = |builder: &Builder| {
        on_progress(Progress {
            read_bytes: count.get(),
            file_bytes,
            builder,
        })
    };
    read(&name, blocks, &mut progress)
}

/// A trace of a text that is in memory, compressed or not.
pub fn text(name: &str, text: &[u8]) -> Result<Trace, LoadError> {
    let source = io::Cursor::new(text.to_vec());
    let blocks = Blocks::of(source, Count::default()).map_err(|why| LoadError::File {
        file: name.to_owned(),
        why,
    })?;
    read(name, blocks, &mut |_| ControlFlow::Continue(()))
}

/// A piece with its place in the order.
type Numbered<T> = (u64, T);

/// What a thread made of a piece, or why there are no more.
enum Made {
    Batch(Result<Batch, ReadError>),
    Entry { key: String, value: Vec<u8> },
    Unreadable { at: u64, why: io::Error },
    Broken(ReadError),
}

fn read(
    name: &str,
    mut blocks: Blocks,
    progress: &mut dyn FnMut(&Builder) -> ControlFlow<()>,
) -> Result<Trace, LoadError> {
    let parsers = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(8);
    let is_compressed = blocks.is_compressed;
    let merged = thread::scope(|scope| {
        let (to_parse, pieces) = sync_channel::<Numbered<Piece>>(WAITING);
        let (to_merge, made) = sync_channel::<Numbered<Made>>(WAITING);
        let pieces = Arc::new(Mutex::new(pieces));
        let reader = to_merge.clone();
        scope.spawn(move || cut(&mut blocks, &to_parse, &reader));
        for _ in 0..parsers {
            let (pieces, to_merge) = (Arc::clone(&pieces), to_merge.clone());
            scope.spawn(move || parse(&pieces, &to_merge));
        }
        drop((pieces, to_merge));
        merge(&made, progress)
    });
    match merged {
        Ok(builder) => {
            let trace = builder.finish(name);
            if trace.events.is_empty() {
                let file = name.to_owned();
                return Err(LoadError::Empty { file });
            }
            Ok(trace)
        }
        Err(End::Stopped) => Err(LoadError::Stopped {
            file: name.to_owned(),
        }),
        Err(End::Broken(why)) => Err(LoadError::Text {
            file: name.to_owned(),
            why,
        }),
        Err(End::Unreadable { at, why }) if is_compressed => Err(LoadError::Compressed {
            file: name.to_owned(),
            at,
            why,
        }),
        Err(End::Unreadable { why, .. }) => Err(LoadError::File {
            file: name.to_owned(),
            why,
        }),
    }
}

/// Reads and cuts until the end, until something is wrong, or until nobody listens.
fn cut(
    blocks: &mut Blocks,
    to_parse: &SyncSender<Numbered<Piece>>,
    to_merge: &SyncSender<Numbered<Made>>,
) {
    let mut splitter = Splitter::new();
    let mut number = 0;
    let mut at = 0;
    let end = loop {
        let block = match blocks.next() {
            Ok(block) => block,
            Err(why) => break Some(Made::Unreadable { at, why }),
        };
        at += block.len() as u64;
        if block.is_empty() {
            break None;
        }
        let pieces = match splitter.push(block) {
            Ok(pieces) => pieces,
            Err(error) => break Some(Made::Broken(error)),
        };
        for piece in pieces {
            if to_parse.send((number, piece)).is_err() {
                return;
            }
            number += 1;
        }
    };
    let end = match end {
        Some(end) => Err(end),
        None => splitter.finish().map_err(Made::Broken),
    };
    match end {
        Ok(pieces) => {
            for piece in pieces {
                if to_parse.send((number, piece)).is_err() {
                    return;
                }
                number += 1;
            }
        }
        // Where nobody listens, another error came first.
        Err(end) => drop(to_merge.send((number, end))),
    }
}

/// Parses pieces until there are none, or until nobody listens.
fn parse(pieces: &Mutex<Receiver<Numbered<Piece>>>, to_merge: &SyncSender<Numbered<Made>>) {
    loop {
        let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, piece)) = next else {
            return;
        };
        let made = match piece {
            Piece::Events { at, text } => Made::Batch(batch::read(at, &text)),
            Piece::Entry { key, value } => Made::Entry { key, value },
        };
        if to_merge.send((number, made)).is_err() {
            return;
        }
    }
}

/// Why there is no trace.
enum End {
    Stopped,
    Broken(ReadError),
    Unreadable { at: u64, why: io::Error },
}

/// Puts together what the threads made, in the order of the text: the first thing that is wrong is the one reported.
fn merge(
    made: &Receiver<Numbered<Made>>,
    progress: &mut dyn FnMut(&Builder) -> ControlFlow<()>,
) -> Result<Builder, End> {
    let mut builder = Builder::default();
    let mut early = BTreeMap::new();
    let mut next = 0;
    while let Ok((number, it)) = made.recv() {
        early.insert(number, it);
        while let Some(it) = early.remove(&next) {
            next += 1;
            match it {
                Made::Batch(batch) => {
                    let taken = batch.and_then(|it| builder.take(it));
                    taken.map_err(End::Broken)?;
                    if progress(&builder).is_break() {
                        return Err(End::Stopped);
                    }
                }
                Made::Entry { key, value } => builder.take_entry(&key, &value),
                Made::Unreadable { at, why } => return Err(End::Unreadable { at, why }),
                Made::Broken(error) => return Err(End::Broken(error)),
            }
        }
    }
    Ok(builder)
}

#[cfg(test)]
mod tests;

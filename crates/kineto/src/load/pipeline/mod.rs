//! One thread reads and cuts, some parse, and the caller's puts the pieces together in their order.

use super::blocks::{BlockReader, BytesRead};
use super::load_error::LoadError;
use crate::batch::{self, Batch};
use crate::builder::TraceBuilder;
use crate::read_error::ReadError;
use crate::split::{FastSplitter, Piece};
use crate::trace::Trace;
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
pub struct LoadProgress<'a> {
    /// Bytes of the file that were read.
    pub read_bytes: u64,
    /// Bytes of the file; 0 if nobody knows.
    pub file_bytes: u64,
    /// What there is of the trace; [`TraceBuilder::so_far`] makes a trace of it.
    pub builder: &'a TraceBuilder,
}

/// Reads a file, and calls `on_progress` after each piece; `Break` ends the reading.
pub fn file(
    path: &Path,
    on_progress: &mut dyn FnMut(LoadProgress<'_>) -> ControlFlow<()>,
) -> Result<Trace, LoadError> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let unreadable = |why| LoadError::File {
        file: name.clone(),
        why,
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    let file_bytes = metadata.len();
    let mut progress = |builder: &TraceBuilder, count: &BytesRead| {
        on_progress(LoadProgress {
            read_bytes: count.get(),
            file_bytes,
            builder,
        })
    };
    let open = |count| BlockReader::open(path, count);
    // What comes through a pipe can be read once.
    read(&name, &open, metadata.is_file(), &mut progress)
}

/// A trace of a text that is in memory, compressed or not.
pub fn text(name: &str, text: &[u8]) -> Result<Trace, LoadError> {
    let open = |count| BlockReader::of(io::Cursor::new(text.to_vec()), count);
    read(name, &open, true, &mut |_, _| ControlFlow::Continue(()))
}

/// A piece with its place in the order.
type NumberedPiece<T> = (u64, T);

/// What a thread made of a piece, or why there are no more.
enum ParsedPiece {
    Batch(Result<Batch, ReadError>),
    /// A guess was wrong, or something in an event is.
    Misled,
    Entry {
        key: String,
        value: Vec<u8>,
    },
    Unreadable {
        at: u64,
        why: io::Error,
    },
    Broken(ReadError),
}

/// Reads it; by guesses where events end, if it can be opened again: it is read once more without them if one was wrong.
fn read(
    name: &str,
    open: &dyn Fn(BytesRead) -> io::Result<BlockReader>,
    can_reopen: bool,
    progress: &mut dyn FnMut(&TraceBuilder, &BytesRead) -> ControlFlow<()>,
) -> Result<Trace, LoadError> {
    let mut is_compressed = false;
    let mut attempt = |may_leap| {
        let count = BytesRead::default();
        let blocks = open(count.clone()).map_err(|why| End::Unreadable { at: 0, why })?;
        is_compressed = blocks.is_compressed;
        on_threads(blocks, may_leap, &mut |builder| progress(builder, &count))
    };
    let guessed = if can_reopen { attempt(true) } else { Ok(None) };
    let merged = match guessed {
        // Without guesses, none is wrong.
        Ok(None) => attempt(false).map(Option::unwrap_or_default),
        Ok(Some(builder)) => Ok(builder),
        Err(end) => Err(end),
    };
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

/// Reads, parses and puts together at the same time. None if a guess was wrong.
fn on_threads(
    mut blocks: BlockReader,
    may_leap: bool,
    progress: &mut dyn FnMut(&TraceBuilder) -> ControlFlow<()>,
) -> Result<Option<TraceBuilder>, End> {
    let parsers = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(8);
    thread::scope(|scope| {
        let (to_parse, pieces) = sync_channel::<NumberedPiece<Piece>>(WAITING);
        let (to_merge, made) = sync_channel::<NumberedPiece<ParsedPiece>>(WAITING);
        let pieces = Arc::new(Mutex::new(pieces));
        let reader = to_merge.clone();
        scope.spawn(move || cut(&mut blocks, FastSplitter::new(may_leap), &to_parse, &reader));
        for _ in 0..parsers {
            let (pieces, to_merge) = (Arc::clone(&pieces), to_merge.clone());
            scope.spawn(move || parse(&pieces, &to_merge));
        }
        drop((pieces, to_merge));
        merge(&made, progress)
    })
}

/// Reads and cuts until the end, until something is wrong, or until nobody listens.
fn cut(
    blocks: &mut BlockReader,
    mut leaps: FastSplitter,
    to_parse: &SyncSender<NumberedPiece<Piece>>,
    to_merge: &SyncSender<NumberedPiece<ParsedPiece>>,
) {
    let mut number = 0;
    let mut at = 0;
    loop {
        let mut pieces = Vec::new();
        let (is_over, end) = match blocks.next() {
            Ok([]) => (
                true,
                leaps.finish(&mut pieces).err().map(ParsedPiece::Broken),
            ),
            Ok(block) => {
                at += block.len() as u64;
                let pushed = leaps.push(block, &mut pieces);
                (false, pushed.err().map(ParsedPiece::Broken))
            }
            Err(why) => {
                let earlier = leaps.stop(&mut pieces).err();
                let end = earlier.map_or(ParsedPiece::Unreadable { at, why }, ParsedPiece::Broken);
                (true, Some(end))
            }
        };
        for piece in pieces {
            if to_parse.send((number, piece)).is_err() {
                return;
            }
            number += 1;
        }
        if let Some(end) = end {
            // Where nobody listens, another error came first.
            drop(to_merge.send((number, end)));
            return;
        }
        if is_over {
            return;
        }
    }
}

/// Parses pieces until there are none, or until nobody listens.
fn parse(
    pieces: &Mutex<Receiver<NumberedPiece<Piece>>>,
    to_merge: &SyncSender<NumberedPiece<ParsedPiece>>,
) {
    loop {
        let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, piece)) = next else {
            return;
        };
        let made = match piece {
            Piece::Events { at, text, is_guess } => match batch::read(at, &text) {
                Err(_) if is_guess => ParsedPiece::Misled,
                read => ParsedPiece::Batch(read),
            },
            Piece::Entry { key, value } => ParsedPiece::Entry { key, value },
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
/// None if a guess was wrong.
fn merge(
    made: &Receiver<NumberedPiece<ParsedPiece>>,
    progress: &mut dyn FnMut(&TraceBuilder) -> ControlFlow<()>,
) -> Result<Option<TraceBuilder>, End> {
    let mut builder = TraceBuilder::default();
    let mut early = BTreeMap::new();
    let mut next = 0;
    while let Ok((number, it)) = made.recv() {
        early.insert(number, it);
        while let Some(it) = early.remove(&next) {
            next += 1;
            match it {
                ParsedPiece::Batch(batch) => {
                    let taken = batch.and_then(|it| builder.take(it));
                    taken.map_err(End::Broken)?;
                    if progress(&builder).is_break() {
                        return Err(End::Stopped);
                    }
                }
                ParsedPiece::Entry { key, value } => builder.take_entry(&key, &value),
                ParsedPiece::Misled => return Ok(None),
                ParsedPiece::Unreadable { at, why } => return Err(End::Unreadable { at, why }),
                ParsedPiece::Broken(error) => return Err(End::Broken(error)),
            }
        }
    }
    Ok(Some(builder))
}

#[cfg(test)]
mod tests;

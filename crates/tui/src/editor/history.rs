//! What undo and redo return to.
//!
//! Whole texts, not single changes: a program is small, and one step can then be what a person thinks of as one change, such as
//! a typed word or the indentation of ten lines.

use ratatui_textarea::DataCursor;

/// Bytes of texts that are kept; the oldest go first. A program of 4 KiB has 16,000 steps.
const MAX_BYTES: usize = 64 << 20;

/// A text with its cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) lines: Vec<String>,
    pub(super) cursor: DataCursor,
}

impl State {
    fn bytes(&self) -> usize {
        self.lines.iter().map(|it| it.len() + 1).sum()
    }
}

/// The kind of a change: those of a kind that follow each other are one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A letter typed. A step ends before a space.
    Letter,
    /// A letter deleted.
    Deleted,
    /// Anything else: a step of its own.
    Other,
}

/// The texts before and after the current one.
#[derive(Debug, Default)]
pub(super) struct History {
    past: Vec<State>,
    future: Vec<State>,
    newest: Option<Change>,
    bytes: usize,
}

impl History {
    /// Keeps the state before a change.
    pub(super) fn keep(&mut self, before: State, change: Change) {
        self.future.clear();
        let goes_on = self.newest == Some(change) && change != Change::Other;
        self.newest = Some(change);
        if goes_on {
            return;
        }
        self.bytes += before.bytes();
        self.past.push(before);
        let mut dropped = 0;
        while self.bytes > MAX_BYTES
            && let Some(oldest) = self.past.get(dropped)
        {
            self.bytes -= oldest.bytes();
            dropped += 1;
        }
        self.past.drain(..dropped);
    }

    /// Ends the current step: what follows is another one.
    pub(super) fn pause(&mut self) {
        self.newest = None;
    }

    /// The state before the last step.
    pub(super) fn undo(&mut self, now: State) -> Option<State> {
        let before = self.past.pop()?;
        self.bytes -= before.bytes();
        self.future.push(now);
        self.newest = None;
        Some(before)
    }

    /// The state after the step that was undone last.
    pub(super) fn redo(&mut self, now: State) -> Option<State> {
        let after = self.future.pop()?;
        self.bytes += now.bytes();
        self.past.push(now);
        self.newest = None;
        Some(after)
    }
}

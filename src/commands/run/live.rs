//! What is printed while a program runs: the heading, once the device is known, and what the program prints.
//!
//! A program of the learner's own has stdout to itself, as under Python: the heading is a remark. A lab prints all on
//! stdout, since its checks and numbers are what was asked for.

use super::program::Program;
use crate::commands::console::{Console, Format};
use crate::commands::failure::Result;
use warpup_protocol::{Reply, Standard};

/// The printed part of a run.
pub(super) struct LiveOutput<'a> {
    program: &'a Program,
    how: ResultStyle,
    is_headed: bool,
    /// Whether the program printed nothing yet, or has ended its last line.
    last: OutputEnd,
}

/// What a run prints besides the program's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultStyle {
    /// Times, memory, checks and plots.
    Reported,
    /// Nothing.
    Quiet,
    /// All of it in one JSON object.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputEnd {
    Nothing,
    Line,
    PartOfLine,
}

impl ResultStyle {
    /// What the arguments ask for.
    pub(super) fn new(format: Format, is_quiet: bool) -> Self {
        match format {
            Format::Json => Self::Json,
            Format::Text if is_quiet => Self::Quiet,
            Format::Text => Self::Reported,
        }
    }
}

impl<'a> LiveOutput<'a> {
    pub(super) fn new(program: &'a Program, how: ResultStyle) -> Self {
        Self {
            program,
            how,
            is_headed: false,
            last: OutputEnd::Nothing,
        }
    }

    /// Prints what a reply says, and gives back what belongs to the report.
    pub(super) fn hear(
        &mut self,
        reply: Reply,
        console: &mut Console<'_>,
    ) -> Result<Option<Reply>> {
        match reply {
            Reply::Output { text, to, .. } if self.how != ResultStyle::Json => {
                self.print(&text, to, console)?;
                Ok(None)
            }
            Reply::Started { run, device } => {
                self.head(&device.title, console)?;
                Ok(Some(Reply::Started { run, device }))
            }
            Reply::Waiting { why, .. } => {
                if self.how != ResultStyle::Quiet {
                    console.remark(&why)?;
                }
                Ok(None)
            }
            Reply::Hello { .. }
            | Reply::Output { .. }
            | Reply::Check { .. }
            | Reply::Metric { .. }
            | Reply::Plot { .. }
            | Reply::Spans { .. }
            | Reply::Finished { .. }
            | Reply::Refused { .. } => Ok(Some(reply)),
        }
    }

    /// Prints what runs, and on what.
    pub(super) fn head(&mut self, device: &str, console: &mut Console<'_>) -> Result<()> {
        if self.is_headed || self.how != ResultStyle::Reported {
            return Ok(());
        }
        self.is_headed = true;
        let heading = format!("{} on {device}", self.program.title);
        if self.program.is_file() {
            console.remark(&heading)
        } else {
            console.line(&heading)
        }
    }

    /// Prints a text of the program.
    pub(super) fn print(
        &mut self,
        text: &str,
        to: Standard,
        console: &mut Console<'_>,
    ) -> Result<()> {
        if self.program.is_file() {
            console.program(text, to)?;
        } else {
            if self.last == OutputEnd::Nothing && self.how == ResultStyle::Reported {
                console.line("")?;
            }
            console.safely(text)?;
        }
        self.last = if text.ends_with('\n') {
            OutputEnd::Line
        } else {
            OutputEnd::PartOfLine
        };
        Ok(())
    }

    /// Ends the line that the program left open, so that the report begins a new one.
    pub(super) fn end(&self, console: &mut Console<'_>) -> Result<()> {
        match (self.last, self.program.is_file(), self.how) {
            (OutputEnd::PartOfLine, false, _) => console.line(""),
            // Only where the line is seen above the report.
            (OutputEnd::PartOfLine, true, ResultStyle::Reported)
                if console.draws.out && console.draws.err =>
            {
                console.remark("")
            }
            (OutputEnd::Nothing | OutputEnd::Line | OutputEnd::PartOfLine, _, _) => Ok(()),
        }
    }
}

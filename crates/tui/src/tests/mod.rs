//! Events in, picture out.
//!
//! [`Play`] is the shell's stand-in: it feeds events to an app and shows what a terminal would.

mod any_size;
mod devices;
mod dialogs;
mod doctor;
mod feedback;
mod folds;
mod fuzz;
mod home;
mod lab;
mod links;
mod map;
mod mouse;
mod own_program;
mod own_words;
mod palette;
mod pauses;
mod plots;
mod quiz;
mod reader;
mod reload;
pub(super) mod sample;
mod screens;
mod search;
mod settings;
mod start;
mod terminal;
mod tour;
mod trace;
mod walk;
mod words;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use super::app::{App, Event};
use super::effect::Effect;
use super::session::{DiskState, Receipt, SaveReport, Session};
use super::theme::{Colours, Letters, Theme};
use warpup_course::Course;
use warpup_progress::{Event as Done, Progress, Record};
use warpup_protocol::{Reply, RunRequest};

/// An app that is played with.
struct Play {
    app: App,
    size: Size,
    now_ms: u64,
    effects: Vec<Effect>,
    /// Whether the disk takes records.
    saves: bool,
}

impl Play {
    /// The sample course in a terminal of this size, with nothing done yet.
    fn new(width: u16, height: u16) -> Self {
        Self::with(width, height, sample::course(), Vec::new())
    }

    /// A course of which something was done already.
    fn with(width: u16, height: u16, course: Course, done: Vec<Done>) -> Self {
        let records = done.into_iter().enumerate().map(|(at, event)| Record {
            id: format!("{at:026}"),
            at_ms: at as u64,
            course: course.id.to_string(),
            event,
        });
        let progress = Progress::from_records(records, &course.id);
        let theme = Theme {
            colours: Colours::Sixteen,
            letters: Letters::Unicode,
        };
        let session = Session::new(course, progress, theme, 7);
        let size = Size::new(width, height);
        let mut play = Self {
            app: App::new(session, size),
            size,
            now_ms: 1_000_000,
            effects: Vec::new(),
            saves: true,
        };
        let effects = play.app.resume(play.now_ms);
        play.effects.extend(effects);
        play.report(0);
        play
    }

    fn send(&mut self, event: Event) -> &mut Self {
        if let Event::Resize(width, height) = event {
            self.size = Size::new(width, height);
        }
        self.now_ms += 1000;
        let before = self.saved().len();
        self.effects.extend(self.app.update(event, self.now_ms));
        self.report(before);
        self
    }

    /// Reports new records as saved, if the disk takes them.
    fn report(&mut self, before: usize) {
        let saved = self.saved().len();
        if self.saves && saved > before {
            let upto = Receipt::at(saved as u64);
            let disk = DiskState::Fine;
            let report = Event::Saved(SaveReport { upto, disk });
            self.effects.extend(self.app.update(report, self.now_ms));
        }
        self.app.settle();
    }

    fn press(&mut self, code: KeyCode) -> &mut Self {
        self.send(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn ctrl(&mut self, letter: char) -> &mut Self {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        self.send(Event::Key(key))
    }

    /// Presses letters; `\n` is Enter.
    fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.chars() {
            self.press(match key {
                '\n' => KeyCode::Enter,
                letter => KeyCode::Char(letter),
            });
        }
        self
    }

    fn reply(&mut self, reply: Reply) -> &mut Self {
        self.send(Event::Lab(reply))
    }

    /// The run that was asked for last.
    fn asked(&self) -> &RunRequest {
        let asked = self.effects.iter().rev().find_map(|it| match it {
            Effect::Run(request) => Some(request),
            Effect::Cancel(_)
            | Effect::ReleaseCard
            | Effect::RunDoctor
            | Effect::AskCards
            | Effect::KeepConsent
            | Effect::KeepSeen(_)
            | Effect::AskBackground
            | Effect::Set(_)
            | Effect::Copy(_)
            | Effect::SaveScreen(_)
            | Effect::EditOutside { .. }
            | Effect::Save(_)
            | Effect::SaveElsewhere
            | Effect::SaveProgram(_)
            | Effect::Suspend
            | Effect::Quit => None,
        });
        asked.expect("a run was asked for")
    }

    /// What was saved, oldest first.
    fn saved(&self) -> Vec<&Done> {
        let saved = self.effects.iter().filter_map(|it| match it {
            Effect::Save(record) => Some(&record.event),
            Effect::Run(_)
            | Effect::Cancel(_)
            | Effect::ReleaseCard
            | Effect::RunDoctor
            | Effect::AskCards
            | Effect::KeepConsent
            | Effect::KeepSeen(_)
            | Effect::AskBackground
            | Effect::Set(_)
            | Effect::Copy(_)
            | Effect::SaveScreen(_)
            | Effect::EditOutside { .. }
            | Effect::SaveElsewhere
            | Effect::SaveProgram(_)
            | Effect::Suspend
            | Effect::Quit => None,
        });
        saved.collect()
    }

    /// What the terminal shows.
    fn buffer(&self) -> Buffer {
        let backend = TestBackend::new(self.size.width, self.size.height);
        let mut terminal = Terminal::new(backend).unwrap();
        terminal.draw(|frame| self.app.view(frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    fn screen(&self) -> String {
        let buffer = self.buffer();
        let rows = buffer.content.chunks(usize::from(self.size.width.max(1)));
        let rows = rows.map(|row| {
            let text: String = row.iter().map(Cell::symbol).collect();
            text.trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n")
    }
}

//! The loop of the app: takes messages in, performs effects, then draws once.
//!
//! Effects come before the frame. A record is saved on another thread, and the app shows it as saved when that thread
//! reports so. What the loop acts on is
//! behind [`Platform`]: a test records the calls instead of touching a terminal or a disk.

use std::ops::ControlFlow;
use std::time::Duration;

use ratatui::layout::Size;

use super::inbox::Inbox;
use super::message::Message;
use crate::app::{App, Event};
use crate::effect::Effect;
use warpup_lab::engine::test_panic::panic_for_test;

/// The longest wait for a time that the app asked for: its clock may be set back meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The terminal, the disk, the lab workers, the doctor and the clock.
pub(super) trait Platform {
    /// Performs an effect. Gives the events that report its result; breaks when the app is to end.
    fn perform(&mut self, effect: Effect) -> anyhow::Result<ControlFlow<(), Vec<Event>>>;

    /// Draws the app.
    fn draw(&mut self, app: &mut App) -> anyhow::Result<()>;

    /// Adapts to the size that the terminal has now, and gives it.
    fn resize(&mut self) -> anyhow::Result<Size>;

    /// Sets the terminal up again, and makes the next frame redraw every cell.
    fn repaint(&mut self) -> anyhow::Result<()>;

    /// Saves the records among the last effects and ends the process at once.
    fn die(&mut self, last: Vec<Effect>, signal: i32);

    /// Milliseconds since 1970 UTC.
    fn now_ms(&self) -> u64;
}

/// Handles messages until the app ends.
pub(super) fn serve(
    app: &mut App,
    platform: &mut impl Platform,
    inbox: &mut Inbox,
) -> anyhow::Result<()> {
    let mut batch = Vec::new();
    loop {
        let asked = app.wake_at();
        let wait = asked.map(|at| {
            let time = Duration::from_millis(at.saturating_sub(platform.now_ms()));
            time.min(LONGEST_WAIT)
        });
        inbox.take(wait, &mut batch)?;
        if batch.is_empty() {
            if asked.is_none() {
                continue;
            }
            batch.push(Message::App(Box::new(Event::Tick)));
        }
        panic_for_test();
        let mut effects = Vec::new();
        for message in batch.drain(..) {
            match message {
                Message::App(event) => effects.extend(app.update(*event, platform.now_ms())),
                Message::Resize => {
                    let Size { width, height } = platform.resize()?;
                    effects.extend(app.update(Event::Resize(width, height), platform.now_ms()));
                }
                Message::Suspend => effects.push(Effect::Suspend),
                Message::Repaint => platform.repaint()?,
                Message::Die(signal) => {
                    effects.extend(app.update(Event::Terminate, platform.now_ms()));
                    platform.die(std::mem::take(&mut effects), signal);
                }
            }
        }
        if perform_and_draw(app, platform, effects)?.is_break() {
            return Ok(());
        }
    }
}

/// Performs effects, reports their results to the app, then draws once.
pub(super) fn perform_and_draw(
    app: &mut App,
    platform: &mut impl Platform,
    mut effects: Vec<Effect>,
) -> anyhow::Result<ControlFlow<()>> {
    if effects.iter().any(|it| matches!(it, Effect::SaveScreen(_))) {
        // What is kept is the screen after its key, which has ended the notices.
        platform.draw(app)?;
    }
    // A report makes the app ask for saving at most, so this ends.
    while !effects.is_empty() {
        let mut reports = Vec::new();
        for effect in std::mem::take(&mut effects) {
            match platform.perform(effect)? {
                ControlFlow::Continue(events) => reports.extend(events),
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
        }
        for event in reports {
            effects.extend(app.update(event, platform.now_ms()));
        }
    }
    platform.draw(app)?;
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;
    use crate::session::{DiskState, Receipt, SaveReport, Session};
    use crate::tests::sample;
    use crate::theme::Theme;
    use warpup_progress::{self as progress, Progress};
    use warpup_store::settings::ThemeSetting;

    /// Writes down what the loop asks for, in order.
    #[derive(Default)]
    struct Recorder {
        calls: Vec<String>,
        /// What is on the screen.
        screen: String,
    }

    impl Platform for Recorder {
        fn perform(&mut self, effect: Effect) -> anyhow::Result<ControlFlow<(), Vec<Event>>> {
            match effect {
                Effect::Save(record) => {
                    let is_answer = matches!(record.event, progress::Event::Answered { .. });
                    let what = if is_answer { "answer" } else { "other record" };
                    self.calls.push(format!("save {what}"));
                }
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::SaveScreen(_) => self.calls.push(format!("keep{}", self.screen)),
                Effect::Run(_)
                | Effect::Cancel(_)
                | Effect::ReleaseCard
                | Effect::RunDoctor
                | Effect::AskCards
                | Effect::Copy(_)
                | Effect::EditOutside { .. }
                | Effect::KeepConsent
                | Effect::KeepSeen(_)
                | Effect::AskBackground
                | Effect::Set(_)
                | Effect::SaveElsewhere
                | Effect::SaveProgram(_)
                | Effect::Suspend => {}
            }
            Ok(ControlFlow::Continue(Vec::new()))
        }

        fn draw(&mut self, app: &mut App) -> anyhow::Result<()> {
            app.settle();
            let mut terminal = Terminal::new(TestBackend::new(80, 24))?;
            terminal.draw(|frame| app.view(frame))?;
            self.screen = terminal.backend().to_string();
            for words in ["✓ right", "saving…", "still saving", "NOT SAVED"] {
                if self.screen.contains(words) {
                    self.calls.push(format!("draw {words}"));
                }
            }
            Ok(())
        }

        fn resize(&mut self) -> anyhow::Result<Size> {
            Ok(Size::new(80, 24))
        }

        fn repaint(&mut self) -> anyhow::Result<()> {
            Ok(())
        }

        fn die(&mut self, last: Vec<Effect>, _signal: i32) {
            for effect in last {
                assert!(self.perform(effect).is_ok());
            }
            self.calls.push("end".to_owned());
        }

        fn now_ms(&self) -> u64 {
            1
        }
    }

    /// The keys that answer the first question of the quiz.
    fn answer() -> Vec<Message> {
        ['z', '2', '\n'].map(press).into_iter().collect()
    }

    /// What the loop asks for when the first question of a quiz is answered, and then this comes.
    fn calls_for_an_answer(then: Vec<Message>) -> Vec<String> {
        let then = then.into_iter().map(|it| vec![it]);
        calls(std::iter::once(answer()).chain(then).collect())
    }

    /// What the loop asks for in each batch, until the app ends.
    fn calls(batches: Vec<Vec<Message>>) -> Vec<String> {
        let course = sample::course();
        let progress = Progress::from_records(Vec::new(), &course.id);
        let theme = Theme::of_environment(ThemeSetting::None, |_| Some("C.UTF-8".to_owned()));
        let session = Session::new(course, progress, theme, 7);
        let mut app = App::new(session, Size::new(80, 24));
        let mut recorder = Recorder::default();
        for batch in batches {
            let (sender, mut inbox) = Inbox::new().unwrap();
            for message in batch {
                sender.send(message).unwrap();
            }
            drop(sender);
            // Without a sender the loop ends with an error; at the end of the app, without one.
            if serve(&mut app, &mut recorder, &mut inbox).is_ok() {
                break;
            }
        }
        recorder.calls
    }

    fn press(key: char) -> Message {
        let code = if key == '\n' {
            KeyCode::Enter
        } else {
            KeyCode::Char(key)
        };
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        Message::App(Box::new(event))
    }

    fn reported(upto: u64, disk: DiskState) -> Message {
        let upto = Receipt::at(upto);
        Message::App(Box::new(Event::Saved(SaveReport { upto, disk })))
    }

    #[test]
    fn a_verdict_has_no_mark_before_its_record_is_on_disk() {
        let calls = calls_for_an_answer(vec![reported(1, DiskState::Fine)]);
        assert_eq!(calls, ["save answer", "draw saving…", "draw ✓ right"]);
    }

    #[test]
    fn a_record_that_cannot_be_saved_is_reported_beside_its_verdict() {
        let full = DiskState::Failing("disk full".to_owned());
        let calls = calls_for_an_answer(vec![reported(0, full)]);
        assert_eq!(calls, ["save answer", "draw saving…", "draw NOT SAVED"]);
    }

    #[test]
    fn leaving_waits_for_the_disk_until_it_has_all() {
        let calls = calls_for_an_answer(vec![press('Q'), reported(1, DiskState::Fine)]);
        let drawn = ["draw saving…", "draw saving…", "draw still saving"];
        assert_eq!(calls[1..], drawn);
    }

    #[test]
    fn leaving_twice_does_not_wait() {
        let calls = calls_for_an_answer(vec![press('Q'), press('q'), press('?')]);
        assert_eq!(
            calls[1..],
            ["draw saving…", "draw saving…", "draw still saving"]
        );
    }

    #[test]
    fn the_screen_that_is_kept_has_no_notice() {
        let said = Event::ScreenSaved(Ok("saved a-1.svg".to_owned()));
        let said = Message::App(Box::new(said));
        let calls = calls(vec![
            ['\n', 'n', '\n'].map(press).into_iter().collect(),
            vec![said],
            vec![press('S')],
        ]);
        let kept = calls.iter().find(|it| it.starts_with("keep")).unwrap();
        assert!(kept.contains("r runs this on CPU"), "{kept}");
        assert!(!kept.contains("saved a-1.svg"), "{kept}");
    }

    #[test]
    fn an_answer_that_arrives_with_the_signal_to_end_is_saved() {
        let mut all_at_once = answer();
        all_at_once.push(Message::Die(15));
        assert_eq!(calls(vec![all_at_once])[..2], ["save answer", "end"]);
    }
}

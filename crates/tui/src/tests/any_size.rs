//! No size and no sequence of events makes the app panic.

use super::Play;
use crate::app::Event;
use crate::session::{DiskState, DoctorState, Receipt, SaveReport};
use crate::stack::Wheel;
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;
use warpup_doctor::{Evidence, Node, Nvml, NvmlFault, climb};
use warpup_protocol::{Outcome, Reply, Report, RunId};

fn key() -> impl Strategy<Value = Event> {
    let code = prop_oneof![
        8 => prop::char::range(' ', '~').prop_map(KeyCode::Char),
        3 => Just(KeyCode::Enter),
        2 => Just(KeyCode::Tab),
        2 => Just(KeyCode::Down),
        1 => Just(KeyCode::Up),
        1 => Just(KeyCode::Left),
        1 => Just(KeyCode::Right),
        1 => Just(KeyCode::Esc),
        1 => Just(KeyCode::PageDown),
        1 => Just(KeyCode::Backspace),
        1 => Just(KeyCode::Char('漢')),
    ];
    let modifiers = prop_oneof![
        8 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::SHIFT),
    ];
    (code, modifiers).prop_map(|(code, modifiers)| Event::Key(KeyEvent::new(code, modifiers)))
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        20 => key(),
        2 => (0u16..=120, 0u16..=40).prop_map(|(width, height)| Event::Resize(width, height)),
        3 => (0u16..=120, 0u16..=40).prop_map(|(x, y)| Event::Click(Position::new(x, y))),
        2 => (0u16..=120, 0u16..=40).prop_map(|(x, y)| Event::Drag(Position::new(x, y))),
        1 => Just(Event::Wheel(Wheel::Down)),
        1 => "[a-z\\r\\t漢\u{202e}]{0,20}".prop_map(Event::Paste),
        1 => (1u64..4, "[a-z\\n漢]{0,90}").prop_map(|(run, text)| Event::Lab(Reply::Output {
            run: RunId(run),
            text,
            to: warpup_protocol::Standard::Output,
        })),
        1 => (1u64..4).prop_map(|run| Event::Lab(Reply::Finished {
            run: RunId(run),
            report: Report {
                outcome: Outcome::Done,
                ..Report::broken("")
            },
        })),
        1 => "[a-z\\n漢\u{202e}]{0,90}".prop_map(|why| looked(&why)),
        1 => Just(Event::Saved(SaveReport {
            upto: Receipt::default(),
            disk: DiskState::Failing("disk\u{202e} full".to_owned()),
        })),
    ]
}

/// What the doctor finds where a driver says this.
fn looked(why: &str) -> Event {
    let mut evidence = Evidence::default();
    "linux".clone_into(&mut evidence.host.os);
    evidence.driver.version_line = Some(why.to_owned());
    evidence.driver.nodes = vec![Node {
        path: "/dev/nvidia0".to_owned(),
        can_use: true,
    }];
    evidence.nvml = Nvml::Failed {
        fault: NvmlFault::Other,
        why: why.to_owned(),
    };
    Event::Doctor(DoctorState::Done(climb(&evidence)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_events_at_any_size_are_drawn(
        width in 0u16..=120,
        height in 0u16..=40,
        events in proptest::collection::vec(event(), 0..60),
    ) {
        let mut play = Play::new(width, height);
        for event in events {
            play.send(event);
            let screen = play.screen();
            let hidden = screen.contains('\u{202e}');
            prop_assert!(!hidden);
        }
    }

    #[test]
    fn every_screen_is_drawn_at_every_size(width in 0u16..=120, height in 0u16..=40) {
        for keys in ["", "/it", ":a", "i", "i\n\n", "\n/it\n", "\n/it\n\n", "\n/it\n\nn:lab", "?", "?run", ":zz", "p", "d", "\n", "\nn", "\nn\n", "\nn\nr", "\nn\ne", "\nn\nh", "z", "zx", "zxy"] {
            let mut play = Play::new(width, height);
            play.keys(keys);
            play.send(looked("no answer\u{202e}"));
            play.screen();
        }
    }
}

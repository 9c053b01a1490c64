//! The screens: one file each, and what opens them.

mod behaviour;
mod doctor;
mod explain;
mod lab;
mod map;
mod problems;
mod quiz;
mod reader;
mod results;

use super::session::UpdateContext;

pub(super) use behaviour::{Route, ScreenBehaviour, Step};
pub(super) use map::Map;

/// Opens a screen; `None` if the course lacks what the route names.
pub(super) fn open(route: Route, turn: &mut UpdateContext<'_>) -> Option<Box<dyn ScreenBehaviour>> {
    Some(match route {
        Route::Lesson(lesson, page) => {
            Box::new(reader::Reader::open(&lesson, page.as_ref(), turn)?)
        }
        Route::Lab(lesson, lab, start) => Box::new(lab::Lab::open(&lesson, &lab, start, turn)?),
        Route::Quiz(lesson) => Box::new(quiz::Quiz::open(&lesson, turn)?),
        Route::Missed(lesson, attempt) => Box::new(quiz::Quiz::again(&lesson, &attempt, turn)?),
        Route::Results(lesson, attempt) => {
            Box::new(results::Results::open(&lesson, *attempt, turn.session)?)
        }
        Route::Explain(lesson) => Box::new(explain::Explain::open(&lesson, turn.session)?),
        Route::Problems => Box::new(problems::Problems::default()),
        Route::Doctor => Box::new(doctor::Doctor::open(turn)),
    })
}

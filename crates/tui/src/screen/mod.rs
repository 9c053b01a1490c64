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
mod review;
mod settings;
mod trace;

use super::session::UpdateContext;
use warpup_quiz::Begin;

pub(super) use behaviour::{Route, ScreenBehaviour, Start, Step};
pub(super) use map::{Map, next_step};

/// Opens a screen; `None` if the course lacks what the route names.
pub(super) fn open(route: Route, ctx: &mut UpdateContext<'_>) -> Option<Box<dyn ScreenBehaviour>> {
    Some(match route {
        Route::Lesson(lesson, page) => Box::new(reader::Reader::open(&lesson, page.as_ref(), ctx)?),
        Route::ReadOn(lesson, page) => Box::new(reader::Reader::read_on_at(&lesson, &page, ctx)?),
        Route::Lab(lesson, lab, start) => Box::new(lab::Lab::open(&lesson, &lab, start, ctx)?),
        Route::Quiz(lesson) => Box::new(quiz::Quiz::open(&lesson, Begin::ResumeOrNew, ctx)?),
        Route::Missed(lesson, attempt) => {
            Box::new(quiz::Quiz::open(&lesson, Begin::Retry(&attempt), ctx)?)
        }
        Route::Results(lesson, attempt) => {
            Box::new(results::Results::open(&lesson, *attempt, ctx.session)?)
        }
        Route::Explain(lesson) => Box::new(explain::Explain::open(&lesson, ctx.session)?),
        Route::Problems => Box::new(problems::Problems::default()),
        Route::Trace => Box::new(trace::Trace::default()),
        Route::Doctor => Box::new(doctor::Doctor::open(ctx)),
        Route::Settings => Box::new(settings::Settings::default()),
    })
}

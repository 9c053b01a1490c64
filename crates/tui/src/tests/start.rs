//! What happens before the first screen is drawn.

use super::*;
use warpup_course::{LessonId, PageId};

/// The lessons whose files were read beyond the head.
fn read(play: &Play) -> Vec<&str> {
    let lessons = play.app.session.course.lessons.iter();
    let read = lessons.filter(|it| it.content.is_read());
    read.map(|it| it.id.as_str()).collect()
}

#[test]
fn the_first_screen_reads_only_the_lesson_that_it_shows() {
    let page = PageId::new("the-bus");
    let lesson = LessonId::new("copies");
    let done = vec![Done::Read { lesson, page }];
    let play = Play::with(80, 24, sample::course(), done);
    assert!(play.screen().contains("The bus"));
    assert_eq!(read(&play), ["copies"]);
}

//! What happens before the first screen is drawn.

use super::*;
use warpup_course::{Index, LessonId, PageId};

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

#[test]
fn the_map_reads_no_lesson_of_a_course_that_has_an_index() {
    let sources = warpup_course::sample::sources();
    let course = warpup_course::open_indexed(&sources, Index::of(&sources));
    for (width, height) in [(40, 12), (80, 24), (160, 50)] {
        let mut play = Play::with(width, height, course.clone(), Vec::new());
        play.keys("j,q");
        assert!(
            play.screen().contains("What a copy costs"),
            "{}",
            play.screen()
        );
        assert_eq!(read(&play), [] as [&str; 0]);
        // What is known of it is the same as without the index.
        let whole = Play::with(width, height, sample::course(), Vec::new())
            .keys("j,q")
            .screen();
        assert_eq!(play.screen(), whole);
    }
}

/// The same learner after a restart.
fn restarted(play: &Play) -> Play {
    let done = play.saved().into_iter().cloned().collect();
    Play::with(80, 24, sample::course(), done)
}

#[test]
fn a_quiz_that_was_left_open_is_there_again_over_its_page() {
    let mut play = Play::new(80, 24);
    play.keys("\nnz");
    // Nothing is answered yet: it was only looked at.
    assert!(
        restarted(&play).screen().contains("page 2 of 2"),
        "{}",
        play.screen()
    );
    play.keys("2\n\n");
    let before = play.screen();
    assert!(before.contains("2 of 5"), "{before}");
    let mut again = restarted(&play);
    assert_eq!(again.screen(), before);
    again.press(KeyCode::Esc);
    assert!(again.screen().contains("page 2 of 2"), "{}", again.screen());
    // Who went back to read goes on reading, and answers the rest from there.
    play.press(KeyCode::Esc).keys("p");
    assert!(
        restarted(&play).screen().contains("page 1 of 2"),
        "{}",
        play.screen()
    );
    play.keys("z24\n\n");
    let before = play.screen();
    assert!(before.contains("3 of 5"), "{before}");
    assert_eq!(restarted(&play).screen(), before);
}

//! The screens of a quiz on a usual, a small and a large terminal.

use super::Play;
use crate::tests::sample;
use ratatui::crossterm::event::KeyCode;
use warpup_course::{BlockKind, Text};

/// The sizes of a usual, a small and a large terminal.
const SIZES: [(u16, u16); 3] = [(80, 24), (40, 12), (160, 50)];

/// What each terminal shows after these keys; three and more empty rows are one `⋮`.
fn at_sizes(play: impl Fn(u16, u16) -> Play) -> String {
    let screens = SIZES.map(|(width, height)| {
        let screen = play(width, height).screen();
        let mut rows: Vec<String> = Vec::new();
        for row in screen.lines() {
            rows.push(row.to_owned());
            let empty = rows.iter().rev().take_while(|it| it.is_empty()).count();
            let is_cut = rows.len() > empty && rows[rows.len() - empty - 1] == "⋮";
            if empty >= 3 || (is_cut && empty > 0) {
                rows.truncate(rows.len() - empty);
                if !is_cut {
                    rows.push("⋮".to_owned());
                }
            }
        }
        format!("{width}×{height}\n{}", rows.join("\n"))
    });
    screens.join("\n\n")
}

fn keys(keys: &'static str) -> impl Fn(u16, u16) -> Play {
    move |width, height| {
        let mut play = Play::new(width, height);
        play.keys(keys);
        play
    }
}

#[test]
fn a_question_at_all_sizes() {
    insta::assert_snapshot!(at_sizes(keys("z2\n\n24\n\nj s")), @"
    80×24
      Where a tensor lives · 3 of 5 · 2 right                  needs 4 of 5 points

      What uses the bus or the card?

        1 [ ] a copy
      ▸ 2 [x] a kernel
        3 [ ] a print

      You are sure.
    ⋮
      Enter answer  Space choose  h hint  x hand in quiz  s sure?  q back  ? help

    40×12
    3 of 5 · 2 right                 needs 4
    What uses the bus or the card?

      1 [ ] a copy
    ▸ 2 [x] a kernel
      3 [ ] a print

    You are sure.
    ⋮
    Enter answer  h hint  q back  ? help

    160×50
                                          Where a tensor lives · 3 of 5 · 2 right                          needs 4 of 5 points

                                          What uses the bus or the card?

                                            1 [ ] a copy
                                          ▸ 2 [x] a kernel
                                            3 [ ] a print

                                          You are sure.
    ⋮
                                          Enter answer   Space choose   h hint   x hand in quiz   s sure?   q back   ? help
    ");
}

#[test]
fn a_verdict_at_all_sizes() {
    insta::assert_snapshot!(at_sizes(keys("z2\n\n24\n\n13\n")), @"
    80×24
      Where a tensor lives · 3 of 5 · 2 right                  needs 4 of 5 points

      ✗ not right

      What uses the bus or the card?

      ✓ yours                   1 a copy
      ✓ right, you left it out  2 a kernel
      ✗ yours, wrong            3 a print
                                  Not c.

      Because it is so.
      l  read again: Put it there
    ⋮
      Enter next   l read again   q back   ? help

    40×12
    3 of 5 · 2 right                 needs 4
    ✗ not right

    What uses the bus or the card?

    ✓ yours     1 a copy
    ✓ left out  2 a kernel
    ✗ wrong     3 a print
                  Not c.

    Because it is so.
    Enter more  q back  ? help           ↓ 1

    160×50
                                          Where a tensor lives · 3 of 5 · 2 right                          needs 4 of 5 points

                                          ✗ not right

                                          What uses the bus or the card?

                                          ✓ yours                   1 a copy
                                          ✓ right, you left it out  2 a kernel
                                          ✗ yours, wrong            3 a print
                                                                      Not c.

                                          Because it is so.
                                          l  read again: Put it there
    ⋮
                                          Enter next   l read again   q back   ? help
    ");
}

#[test]
fn after_a_wrong_answer_the_question_is_on_screen_with_the_verdict() {
    let prompt = "Where does y live? ".repeat(12);
    let mut course = sample::course();
    for quiz in course.lessons.iter_mut().filter_map(|it| it.quiz.as_mut()) {
        for question in &mut quiz.questions {
            for block in &mut question.prompt {
                block.kind = BlockKind::Paragraph(Text::of(&prompt));
            }
        }
    }
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("z1\n");
    insta::assert_snapshot!(play.screen(), @"
    1 of 5 · 0 right                 needs 4
    ✗ not right

    Where does y live? Where does y live?
    Where does y live? Where does y live?
    Where does y live? Where does y live?
    Where does y live? Where does y live?
    Where does y live? Where does y live?
    Where does y live? Where does y live?

    ✗ yours  1 the host
    Enter more  q back  ? help           ↓ 5
    ");
    play.press(KeyCode::PageDown);
    insta::assert_snapshot!(play.screen(), @"
    1 of 5 · 0 right                 needs 4
    Where does y live? Where does y live?
    Where does y live? Where does y live?
    Where does y live? Where does y live?

    ✗ yours  1 the host
               Not host.
    ✓ right  2 the card

    Because it is so.
    l  read again: Put it there
    Enter next  l read again  q back  ? help
    ");
}

#[test]
fn results_at_all_sizes() {
    insta::assert_snapshot!(at_sizes(keys("z1s\n\n24\n\nxy")), @"
    80×24
      Where a tensor lives · quiz                                    1 of 5 points

      ✗ not passed yet
      1 of 5 points. You need 4: three more.

      r  only the missed questions again · a  all again

      You were sure, and it was not right:
      ▸ 1  ✗ not right · you were sure
          Where does y live?

          ✗ yours  1 the host
                     Not host.
          ✓ right  2 the card

          Because it is so.
          l  read again: Put it there

      Also not right:
        3  ○ open
          What uses the bus or the card?

                                                                              ↓ 23
      Enter read again  r missed again  Tab next missed  q back  ? help

    40×12
    Where a tensor lives · q…  1 of 5 points
    ✗ not passed yet
    1 of 5 points. You need 4: three more.

    r  only the missed questions again · a
    all again

    You were sure, and it was not right:
    ▸ 1  ✗ not right · you were sure
        Where does y live?

    Enter read again  q back  ? help    ↓ 34

    160×50
                                          Where a tensor lives · quiz                                            1 of 5 points

                                          ✗ not passed yet
                                          1 of 5 points. You need 4: three more.

                                          r  only the missed questions again · a  all again

                                          You were sure, and it was not right:
                                          ▸ 1  ✗ not right · you were sure
                                              Where does y live?

                                              ✗ yours  1 the host
                                                         Not host.
                                              ✓ right  2 the card

                                              Because it is so.
                                              l  read again: Put it there

                                          Also not right:
                                            3  ○ open
                                              What uses the bus or the card?

                                              Because it is so.
                                              read again: Put it there

                                            4  ○ open
                                              What comes first?

                                              Because it is so.
                                              read again: Put it there

                                            5  ○ open
                                              Which belongs to which?

                                              Because it is so.
                                              read again: Put it there

                                          Right:
                                            2  ✓ right
                                              How many bytes are six float32?

                                              your answer: 24 B

                                              Because it is so.
                                              read again: Put it there
    ⋮
                                          Enter read again   r missed again   Tab next missed   a all again   q back   ? help
    ");
}

#[test]
fn own_words_at_all_sizes() {
    insta::assert_snapshot!(at_sizes(|width, height| {
        let mut play = Play::with(width, height, sample::with_words(), Vec::new());
        play.keys("wThe host only queues the kernel, and the card works later.");
        play.ctrl('s').press(KeyCode::Char('1'));
        play
    }), @"
    80×24
      in your own words 1 of 2                                          not graded

      Why does the call return before the card is done?

      your words
      st only queues the kernel, and the card works later.

      one way to say it
      The host only queues the kernel and goes on; the card runs it later.

      Tick what your words say, too:
      ▸ 1 [x] The call only puts the kernel into the stream's queue.
        2 [ ] The card runs it later.
        3 [ ] Reading a value waits for it.
    ⋮
      Space tick   Enter next   q back   ? help

    40×12
    in your own words 1 of 2      not graded

    one way to say it
    The host only queues the kernel and goes
    on; the card runs it later.

    Tick what your words say, too:
    ▸ 1 [x] The call only puts the kernel
            into the stream's queue.
      2 [ ] The card runs it later.
      3 [ ] Reading a value waits for it.
    Space tick  Enter next  q back  ? help

    160×50
                                          in your own words 1 of 2                                                  not graded

                                          Why does the call return before the card is done?

                                          your words
                                          st only queues the kernel, and the card works later.

                                          one way to say it
                                          The host only queues the kernel and goes on; the card runs it later.

                                          Tick what your words say, too:
                                          ▸ 1 [x] The call only puts the kernel into the stream's queue.
                                            2 [ ] The card runs it later.
                                            3 [ ] Reading a value waits for it.
    ⋮
                                          Space tick   Enter next   q back   ? help
    ");
}

#[test]
fn the_title_cuts_the_name_of_the_lesson_and_keeps_the_score() {
    let title = |width| {
        let mut course = sample::course();
        course.lessons[0].title = "What nvidia-smi cannot tell you about it".to_owned();
        let mut play = Play::with(width, 24, course, Vec::new());
        play.keys("\nnz");
        let screen = play.screen();
        screen.lines().next().unwrap_or_default().trim().to_owned()
    };
    let titles = [80, 72, 64].map(title);
    insta::assert_snapshot!(titles.join("\n"), @"
    What nvidia-smi cannot tell you abo… · 1 of 5 · 0 right  needs 4 of 5 points
    What nvidia-smi cannot tell… · 1 of 5 · 0 right  needs 4 of 5 points
    What nvidia-smi can… · 1 of 5 · 0 right  needs 4 of 5 points
    ");
}

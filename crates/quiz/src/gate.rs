//! A score against the gate, in a sentence that every front end says.

use warpup_grade::Attempt;

/// What an attempt has earned, what passes, and what is missing. Of one that an instructor grades, how much was answered.
pub fn gate(attempt: &Attempt) -> String {
    if attempt.is_graded_elsewhere() {
        let all = attempt.asked().len();
        let answered = attempt.asked().iter().filter(|it| it.given.is_some());
        return format!(
            "Answered {} of {all}. Your instructor grades it.",
            answered.count()
        );
    }
    let score = attempt.score();
    let rule = attempt.rule().above_percent;
    let needs = attempt.needs();
    let got = format!("{score} points");
    if attempt.passed() {
        return format!("{got}. You needed {needs}.");
    }
    if 100 * score.earned == u64::from(rule) * score.max {
        return format!("{got} is exactly {rule} %, and does not pass. You need {needs}.");
    }
    match needs.missing(score.earned) {
        Some(missing) => format!("{got}. You need {needs}: {missing} more."),
        None => format!("{got}. You need {needs}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_course::{Answer, ChoiceId, Question, sample};
    use warpup_grade::Draw;

    /// An attempt at a multiple choice of so many points, of which an answer may earn a part, with one of two ticked.
    fn half_of(points: u32, is_partial: bool) -> Attempt {
        let question: Question = sample::question(&format!(
            "id = \"q-half\"\ntype = \"multi\"\npartial = {is_partial}\npoints = {points}\noptions = [\n\
             {{ id = \"a\", text = \"A\", correct = true }},\n\
             {{ id = \"b\", text = \"B\", correct = true }},\n\
             {{ id = \"c\", text = \"C\", feedback = \"No.\" }},\n]"
        ));
        let course = sample::course();
        let mut quiz = course.lessons[0].quiz.clone().unwrap();
        quiz.questions = vec![question];
        let mut attempt = Attempt::start(&quiz, 1, Draw::New { last: &[] });
        let ticked = Answer::Multi([ChoiceId::new("a")].into());
        attempt.submit(0, ticked, None).unwrap();
        attempt
    }

    #[test]
    fn the_gate_is_a_bound_only_where_parts_of_points_could_make_a_score_just_above_it() {
        insta::assert_snapshot!(gate(&half_of(3, true)), @"1.5 of 3 points. You need more than 2.25.");
        // 3.5 of 5 does not pass and 4 does, so nobody has to think of 3.75.
        insta::assert_snapshot!(gate(&half_of(5, true)), @"2.5 of 5 points. You need 4: two more.");
        insta::assert_snapshot!(gate(&half_of(9, false)), @"0 of 9 points. You need 7: seven more.");
        insta::assert_snapshot!(gate(&half_of(40, false)), @"0 of 40 points. You need 31: 31 more.");
    }
}

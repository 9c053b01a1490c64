//! The attempts at quizzes without keys, graded: what goes back to their learners.

use super::fold::handed_in;
use super::learner_records::LearnerRecords;
use super::regrade::graded;
use std::collections::BTreeMap;
use warpup_progress::{Event, GradedQuiz};

impl LearnerRecords<'_> {
    /// The newest attempt at each quiz without keys, with the points that the keys of the course give its answers.
    pub fn results(self) -> Vec<GradedQuiz> {
        let handed_in = handed_in(&self.kept);
        let mut records = graded(self.course, self.kept).records;
        records.sort_by(|left, right| (left.at_ms, &left.id).cmp(&(right.at_ms, &right.id)));
        let mut answers = BTreeMap::<_, BTreeMap<_, _>>::new();
        let mut newest = BTreeMap::new();
        for record in records {
            if let Event::Answered {
                attempt,
                question,
                score: Some(score),
                ..
            } = record.event
            {
                let own = answers.entry(attempt).or_default();
                own.entry(question).or_insert(score);
            } else if let Event::Attempted {
                lesson,
                attempt,
                score,
                passed,
                ..
            } = record.event
                && handed_in.contains(&attempt)
            {
                newest.insert(lesson, (attempt, score, passed));
            }
        }
        let results = newest.into_iter();
        let results = results.map(|(lesson, (attempt, score, passed))| GradedQuiz {
            questions: answers.remove(&attempt).unwrap_or_default(),
            lesson,
            attempt,
            score,
            passed,
        });
        results.collect()
    }
}

//! `warpup class return`: comments, and the points of quizzes without keys, beside what learners handed in.

use super::collect::{FileRow, HandInStatus, OwnerRows, files, folders, newest_of_each};
use super::users;
use crate::cli::ClassReturnArgs;
use crate::commands::console::Console;
use crate::commands::failure::{Exit, Failure, Result};
use crate::commands::file_failure::unreadable;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use warpup_class::{LearnerRecords, comments};
use warpup_course::Course;
use warpup_lab::units::count;
use warpup_progress::{Comment, Feedback, GradedQuiz};
use warpup_store::log::records_in;
use warpup_store::returned::HandIn;
use warpup_store::text_file;

/// The most bytes of a file of comments.
const MAX_COMMENTS: u64 = 4 << 20;

/// The newest good file of a learner.
struct TakenFile {
    user: String,
    hand_in: HandIn,
    graded: Vec<GradedQuiz>,
}

/// What becomes of what is sent to a learner.
enum Delivery {
    /// It is written, or would be, also in the place of words of these other users.
    Sent(BTreeSet<u32>),
    /// The learner has it already.
    There,
    Failed(String),
}

/// Sends back. `inbox` is the drop folder of the machine's policy, or of the course's.
pub(super) fn give_back(
    args: &ClassReturnArgs,
    inbox: Option<PathBuf>,
    course: &Course,
    now_ms: u64,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let hint = "name the drop folder: `warpup class return FILE --from FOLDER`";
    let from = folders(&args.from, inbox, hint)?;
    from.iter().try_for_each(|it| refuse_open(it))?;
    let found = files(&from)?;
    let taken = newest_of_each(found.files, course, now_ms, |rows, bytes| {
        taken_file(rows, &bytes?, course, now_ms)
    });
    let mut taken: Vec<_> = taken.into_iter().flatten().collect();
    taken.sort_by(|left, right| left.user.cmp(&right.user));
    let mut written = match &args.comments {
        Some(path) => comments_in(path, course, &taken, console)?,
        None => BTreeMap::new(),
    };
    let learners = count(taken.len(), "learner", "learners");
    console.line(&format!("{}: {learners} handed in", course.title))?;
    let (mut sent, mut failed) = (0, 0);
    for learner in taken {
        let feedback = Feedback {
            comments: written.remove(&learner.user).unwrap_or_default(),
            graded: learner.graded,
            ..Feedback::default()
        };
        if feedback.is_empty() {
            continue;
        }
        let said = in_words(&feedback);
        let at_ms = (!args.dry_run).then_some(now_ms);
        let delivery = deliver(&learner.hand_in, &feedback, at_ms);
        let said = match delivery {
            Delivery::Sent(others) => {
                sent += 1;
                format!("{said}{}", in_place_of(&others))
            }
            Delivery::There => format!("{said}: has it already"),
            Delivery::Failed(why) => {
                failed += 1;
                format!("{said}: NOT WRITTEN: {why}")
            }
        };
        console.wrapped("", "  ", &format!("{}: {said}", learner.user))?;
    }
    for it in &found.not_read {
        console.wrapped("problem: ", "         ", &it.words())?;
    }
    console.wrapped("", "", &summary(sent, failed, args.dry_run))?;
    if args.comments.is_none() && sent + failed == 0 {
        let said = "Points go to those whose course has no keys; a file of comments goes to all who handed in.";
        console.wrapped("", "", said)?;
    }
    Ok(Exit::of(Some(failed == 0 && found.not_read.is_empty())))
}

/// What became of all of it, in words.
fn summary(sent: usize, failed: usize, is_dry: bool) -> String {
    let learners = |some| count(some, "learner", "learners");
    let failed = (failed > 0).then(|| format!("Not sent to {}.", learners(failed)));
    let sent = match (sent, is_dry) {
        (0, _) if failed.is_some() => None,
        (0, _) => Some("There is nothing new to send.".to_owned()),
        (_, true) => Some(format!(
            "Nothing was written. It would be sent to {}.",
            learners(sent)
        )),
        (_, false) => Some(format!(
            "Sent to {}, who see it when they start warpup.",
            learners(sent)
        )),
    };
    let all: Vec<_> = sent.into_iter().chain(failed).collect();
    all.join(" ")
}

/// Whose words others will not read any more.
fn in_place_of(others: &BTreeSet<u32>) -> String {
    if others.is_empty() {
        return String::new();
    }
    let names = users::names(others);
    let others: Vec<_> = others.iter().map(|it| users::name(&names, *it)).collect();
    format!("; in place of words of {}", others.join(", "))
}

/// Refuses a folder that everybody lists: what is sent back can be read by all who know its name.
fn refuse_open(folder: &Path) -> Result<()> {
    let found = fs::metadata(folder).map_err(|error| unreadable(folder, &error))?;
    if found.is_dir() && found.mode() & 0o4 != 0 {
        return Err(Failure::arguments_but(
            format!(
                "everybody can list {}, and so read what you would write to a learner",
                folder.display()
            ),
            format!("close it first: `chmod o-r {}`", folder.display()),
        ));
    }
    Ok(())
}

fn taken_file(rows: OwnerRows, bytes: &[u8], course: &Course, now_ms: u64) -> Option<TakenFile> {
    let is_taken = |it: &&FileRow| it.fate == HandInStatus::Taken;
    let path = rows.files.iter().find(is_taken)?.path.clone();
    let mut learner = LearnerRecords::new(course, now_ms);
    records_in(bytes, &mut |it| learner.take(it));
    Some(TakenFile {
        hand_in: HandIn::new(&course.id, &path, bytes),
        user: rows.user,
        graded: learner.results(),
    })
}

/// Reads the file of the instructor. What is wrong with it is printed with its places.
fn comments_in(
    path: &Path,
    course: &Course,
    taken: &[TakenFile],
    console: &mut Console<'_>,
) -> Result<BTreeMap<String, Vec<Comment>>> {
    let name = path.display().to_string();
    let text = text_file::read(path, MAX_COMMENTS).map_err(|error| unreadable(path, &error))?;
    let learners: Vec<_> = taken.iter().map(|it| it.user.as_str()).collect();
    match comments(&text, &name, course, &learners) {
        Ok(all) => Ok(all),
        Err(wrong) => {
            for it in &wrong {
                console.with_remarks(|console| console.diagnostic(it, &text))?;
            }
            Err(Failure::arguments_but(
                format!("nothing was sent: {name} has mistakes"),
                "correct them, and send again",
            ))
        }
    }
}

/// Sends now, or says what would be sent.
fn deliver(hand_in: &HandIn, feedback: &Feedback, now_ms: Option<u64>) -> Delivery {
    let returned = hand_in.returned();
    // What was said with a clock that was ahead is older, too.
    let newest = returned.last().map_or(0, |it| it.at_ms);
    let me = rustix::process::geteuid().as_raw();
    let others = feedback.comments.iter().filter_map(|new| {
        let is_same = |it: &&Comment| it.subject() == new.subject();
        let mut said = returned.iter().rev();
        let (owner, old) =
            said.find_map(|it| Some((it.owner, it.feedback.comments.iter().rfind(is_same)?)))?;
        (owner != me && old.text != new.text).then_some(owner)
    });
    let others = others.collect();
    let mut before = Feedback::default();
    for it in returned {
        before.add(it.feedback);
    }
    let mut comments = feedback.comments.iter();
    let mut graded = feedback.graded.iter();
    if comments.all(|it| before.comments.contains(it))
        && graded.all(|it| before.graded.contains(it))
    {
        return Delivery::There;
    }
    let Some(now_ms) = now_ms else {
        return Delivery::Sent(others);
    };
    let at_ms = now_ms.max(newest.saturating_add(1));
    match hand_in.give_back(feedback, at_ms) {
        Ok(_) => Delivery::Sent(others),
        Err(error) => Delivery::Failed(error.to_string()),
    }
}

/// What is sent, in a few words.
fn in_words(feedback: &Feedback) -> String {
    let comments = match feedback.comments.len() {
        0 => None,
        some => Some(count(some, "comment", "comments")),
    };
    let graded = feedback.graded.iter();
    let graded = graded.map(|it| format!("{} {}", it.lesson, it.words()));
    let all: Vec<_> = comments.into_iter().chain(graded).collect();
    all.join("; ")
}

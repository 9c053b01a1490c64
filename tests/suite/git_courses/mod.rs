//! Courses in git repositories: `--course file://…`, with repositories that the tests make.
//!
//! Where git is missing, the tests say so and pass. `.ci/run` needs it anyway.

mod passwords;

use crate::support::temp_home::TempHome;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

/// A repository in a home, with the sample course in it.
struct Repository {
    home: TempHome,
}

impl Repository {
    /// The sample course, committed and tagged `v1.0`; nothing where there is no git.
    #[expect(clippy::print_stdout, reason = "who runs the tests should know")]
    fn new() -> Option<Self> {
        let home = TempHome::new();
        home.sample_course();
        let repository = Self { home };
        if !repository.git(&["init", "--quiet", "--initial-branch=main"]) {
            println!("git is missing: no course was fetched");
            return None;
        }
        repository.commit();
        assert!(repository.git(&["tag", "-a", "-m", "One", "v1.0"]));
        Some(repository)
    }

    /// git in it.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"]);
        command.arg(self.home.path().join("course")).args(words);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        command
    }

    /// Runs git in it. Whether that went well.
    fn git(&self, words: &[&str]) -> bool {
        let output = self.command(words).output();
        output.is_ok_and(|it| it.status.success())
    }

    /// What git prints that reads this.
    fn printed(&self, words: &[&str], input: &str) -> String {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let printed = child.wait_with_output().unwrap().stdout;
        String::from_utf8(printed).unwrap().trim().to_owned()
    }

    fn commit(&self) {
        assert!(self.git(&["add", "-A"]));
        assert!(self.git(&["commit", "--quiet", "-m", "More"]));
    }

    /// Its address, with this behind it.
    fn address(&self, rest: &str) -> String {
        format!("file://{}/course{rest}", self.home.path().display())
    }

    /// What `warpup --course ADDRESS` prints, and its exit status. Commits have other digits in each run.
    fn warpup(&self, rest: &str, words: &[&str]) -> (String, String, Option<i32>) {
        let address = self.address(rest);
        let output = self.home.run(&[&["--course", &address], words].concat());
        let text = |bytes| {
            let text = self.home.normalised(&String::from_utf8(bytes).unwrap());
            let is_commit =
                |it: &&str| it.len() == 10 && it.bytes().all(|it| it.is_ascii_hexdigit());
            let words = text.split([' ', ',', '.', '\n']).filter(is_commit);
            words.fold(text.clone(), |text, it| text.replace(it, "COMMIT"))
        };
        let said = text(output.stderr);
        // What a first fetch says while it takes its time.
        let said = match said.split_once('\n') {
            Some((first, rest)) if first.starts_with("Fetching file://") => rest.to_owned(),
            Some(_) | None => said,
        };
        (text(output.stdout), said, output.status.code())
    }

    /// Changes the title of the first lesson.
    fn rename(&self, title: &str) {
        let file = self.home.path().join("course/lessons/places.md");
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once("title = \"").unwrap();
        let (_, rest) = rest.split_once('"').unwrap();
        fs::write(&file, format!("{head}title = \"{title}\"{rest}")).unwrap();
        self.commit();
    }

    /// As without a network.
    fn go_away(&self) {
        let course = self.home.path().join("course");
        fs::rename(course, self.home.path().join("gone")).unwrap();
    }
}

#[test]
fn translations_are_fetched_and_compared_with_older_editions() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let course = repository.home.path().join("course");
    let original = fs::read_to_string(course.join("lessons/places.md")).unwrap();
    fs::create_dir(course.join("lessons/de")).unwrap();
    let german = original.replace("\ntitle = \"", "\ntitle = \"Orte: ");
    fs::write(course.join("lessons/de/places.md"), german).unwrap();
    repository.commit();
    let (said, _, _) = repository.warpup("#main", &["--language", "de", "read", "places"]);
    assert!(said.starts_with("Orte: "), "{said}");
    let course = course.to_str().unwrap();
    let output = repository.home.run(&["check", course, "--against", "main"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!said.contains("removed-id"), "{said}");
}

#[test]
fn a_tag_is_fetched_once_and_then_needs_no_network() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let (first, said, exit) = repository.warpup("#v1.0", &[]);
    assert_eq!(exit, Some(0), "{said}");
    insta::assert_snapshot!(said.lines().next().unwrap(), @"Fetched v1.0 of file://DIR/course, commit COMMIT.");
    repository.rename("Another title");
    repository.go_away();
    let (second, said, exit) = repository.warpup("#v1.0", &[]);
    assert_eq!((second, exit), (first, Some(0)), "{said}");
    assert!(!said.contains("etched"), "{said}");
}

#[test]
fn a_branch_is_fetched_again_and_kept_for_when_there_is_no_network() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let (first, said, _) = repository.warpup("", &[]);
    insta::assert_snapshot!(said.lines().next().unwrap(), @"No tag is given: this is the default branch `main` of file://DIR/course, commit COMMIT, and a later start may bring another. `#TAG` behind the address stays at one edition.");
    assert!(!first.contains("Another title"));
    repository.rename("Another title");
    let (second, _, _) = repository.warpup("", &[]);
    assert!(second.contains("Another title"), "{second}");
    let (_, said, _) = repository.warpup("#main", &[]);
    insta::assert_snapshot!(said.lines().next().unwrap(), @"This is the branch `main` of file://DIR/course, commit COMMIT.");
    repository.go_away();
    let (third, said, exit) = repository.warpup("", &[]);
    assert_eq!((third, exit), (second, Some(0)));
    let said: Vec<_> = said.lines().take(2).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    warning: whether file://DIR/course has a newer edition is not known: git cannot fetch file://DIR/course
    The copy of commit COMMIT is used, which was fetched before.
    ");
}

#[test]
fn what_is_not_there_says_what_is() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let said = |rest: &str| {
        let (_, said, exit) = repository.warpup(rest, &["progress"]);
        assert_eq!(exit, Some(2), "{said}");
        said
    };
    insta::assert_snapshot!(said("#v1.1"), @"
    error: file://DIR/course has no tag or branch `v1.1`
    hint: did you mean `v1.0`? its last tags are `v1.0`
    ");
    insta::assert_snapshot!(said("#v1.0:talks"), @"
    error: the folder `talks` of file://DIR/course is not a course: it has no lessons/course.toml
    hint: the repository itself is a course: leave the folder out
    ");
    let course = repository.home.path().join("course");
    fs::create_dir(course.join("talks")).unwrap();
    fs::rename(course.join("lessons"), course.join("talks/lessons")).unwrap();
    fs::rename(course.join("quizzes"), course.join("talks/quizzes")).unwrap();
    repository.commit();
    insta::assert_snapshot!(said(""), @"
    error: file://DIR/course is not a course: it has no lessons/course.toml
    hint: there is one behind the address with `#:talks`
    ");
    let (text, said, exit) = repository.warpup("#:talks", &[]);
    assert_eq!(exit, Some(0), "{said}");
    assert!(text.contains("What a copy costs"), "{text}");
    repository.go_away();
    let (_, said, exit) = repository.warpup("#other", &[]);
    assert_eq!(exit, Some(2));
    insta::assert_snapshot!(said.lines().next().unwrap(), @"error: git cannot fetch file://DIR/course");
    assert!(said.contains("a clone of your own works, too"), "{said}");
}

#[test]
fn only_the_files_of_the_course_are_taken_and_nothing_in_it_is_run() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let course = repository.home.path().join("course");
    let secret = repository.home.write("secret.md", "secret");
    symlink(&secret, course.join("lessons/linked.md")).unwrap();
    fs::write(course.join(".gitattributes"), "*.md filter=evil\n").unwrap();
    fs::write(course.join("lessons/run.sh"), "touch /tmp/x\n").unwrap();
    repository.commit();
    assert_eq!(repository.warpup("#main", &[]).2, Some(0));
    let kept = repository.home.data().join("cache/git");
    let of_url = fs::read_dir(kept).unwrap().next().unwrap().unwrap().path();
    let mut found = Vec::new();
    for folder in fs::read_dir(of_url).unwrap().map(|it| it.unwrap().path()) {
        let parts = fs::read_dir(folder).into_iter().flatten();
        for part in parts.map(|it| it.unwrap().path()) {
            let files = fs::read_dir(&part)
                .unwrap()
                .map(|it| it.unwrap().file_name());
            let part = part.file_name().unwrap().to_string_lossy().into_owned();
            found.extend(files.map(|it| format!("{part}/{}", it.to_string_lossy())));
        }
    }
    found.sort();
    insta::assert_snapshot!(found.join("\n"), @"
    lessons/copies.md
    lessons/course.toml
    lessons/places.md
    quizzes/copies.toml
    quizzes/places.toml
    ");
}

#[test]
fn trees_without_end_beside_the_course_are_not_listed() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let blob = repository.printed(&["hash-object", "-w", "--stdin"], "x");
    let mut tree = repository.printed(&["mktree"], &format!("100644 blob {blob}\tx\n"));
    // 10 folders with 10 folders each, and so on: 10^40 files in 40 trees.
    for _ in 0..40 {
        let entries = (0..10).map(|it| format!("040000 tree {tree}\t{it}\n"));
        tree = repository.printed(&["mktree"], &entries.collect::<String>());
    }
    let course = repository.printed(&["ls-tree", "HEAD"], "");
    let all = format!("{course}\n040000 tree {tree}\tdata\n");
    let all = repository.printed(&["mktree"], &all);
    let commit = repository.printed(&["commit-tree", &all, "-m", "All"], "");
    assert!(repository.git(&["branch", "endless", &commit]));
    let (_, said, exit) = repository.warpup("#endless", &["progress"]);
    assert_eq!(exit, Some(0), "{said}");
}

#[test]
fn its_labs_ask_before_they_run_and_it_is_not_changed() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let (_, said, exit) = repository.warpup("#v1.0", &["run", "copies/bus"]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("you have not agreed"), "{said}");
    let (_, said, exit) = repository.warpup("#v1.0", &["new", "lesson", "more"]);
    assert_eq!(exit, Some(2));
    insta::assert_snapshot!(said, @"
    error: a course in a git repository is not changed
    hint: clone it yourself, and give the folder
    ");
}

#[test]
fn without_git_it_says_what_else_works() {
    let home = TempHome::new();
    let mut command = home.warpup(&["--course", "https://host.invalid/o/r", "progress"]);
    let output = command.env("PATH", home.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    insta::assert_snapshot!(said, @"
    Fetching https://host.invalid/o/r …
    error: git is not installed, and https://host.invalid/o/r is a git repository
    hint: install git, or give a folder, or a file of `warpup pack`
    ");
}

//! What is no ordinary file: pipes, sockets, devices, folders, links.

use super::{Case, MANIFEST, ONE, QUIZ, case};
use crate::support::fifo;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // A lesson that cannot be read leaves the course without it; so do the others in their place.
    for (file, misses) in [
        (MANIFEST, "--> lessons/course.toml:1:1"),
        (ONE, "--> lessons/one.md:1:1"),
        (QUIZ, "--> quizzes/one.toml:1:1"),
    ] {
        let named = |what: &str| format!("{file} is {what}");
        let no_file = &[misses, ": this file is left out: it is not a file"];
        let out = &[
            misses,
            ": this file is left out: it leads out of the course folder",
        ];
        cases.extend([
            case(named("a named pipe"), 1, no_file, move |it| {
                it.remove(file);
                fifo::make(&it.file(file));
            }),
            case(named("a socket"), 1, &[misses], move |it| {
                it.remove(file);
                // It stays when the listener closes.
                drop(UnixListener::bind(it.file(file)).unwrap());
            }),
            case(named("a folder"), 1, no_file, move |it| {
                it.remove(file);
                fs::create_dir(it.file(file)).unwrap();
            }),
            case(named("a link to /dev/zero"), 1, out, move |it| {
                it.link(file, "/dev/zero");
            }),
            case(named("a link to /etc/passwd"), 1, out, move |it| {
                it.link(file, "/etc/passwd");
            }),
            case(named("a link to the secret"), 1, out, move |it| {
                it.link(file, it.outside("secret.md"));
            }),
            case(named("a link upwards"), 1, out, move |it| {
                it.link(file, "../../outside/secret.md");
            }),
            case(
                named("a link to itself"),
                1,
                &[misses, "symbolic links"],
                move |it| {
                    it.link(file, it.file(file));
                },
            ),
            case(
                named("a link to nothing"),
                1,
                &[misses, "No such file"],
                move |it| {
                    it.link(file, "nowhere");
                },
            ),
        ]);
    }
    cases.extend(folders_and_chains());
    cases
}

fn folders_and_chains() -> Vec<Case> {
    vec![
        case(
            "lessons is a link out",
            2,
            &["/course/lessons", "it leads out of the course folder"],
            |it| {
                it.link("lessons", it.outside("lessons"));
            },
        ),
        case("quizzes is a link out", 1, &["quizzes"], |it| {
            it.link("quizzes", it.outside("quizzes"));
        }),
        case("quizzes is a file", 1, &["quizzes"], |it| {
            it.remove("quizzes");
            it.write("quizzes", "no folder");
        }),
        case("lessons is a file", 2, &["no folder `lessons`"], |it| {
            it.remove("lessons");
            it.write("lessons", "no folder");
        }),
        case(
            "two links in a circle",
            1,
            &["--> lessons/a.md:1:1", ": this file is left out: "],
            |it| {
                symlink("b.md", it.file("lessons/a.md")).unwrap();
                symlink("a.md", it.file("lessons/b.md")).unwrap();
            },
        ),
        case(
            "a chain of links that leads out",
            1,
            &["it leads out of the course folder"],
            |it| {
                symlink(it.outside(""), it.file("away")).unwrap();
                it.link(ONE, "../away/secret.md");
            },
        ),
        case("a link to all of the course", 0, &[], |it| {
            symlink("..", it.file("lessons/up")).unwrap();
        }),
        case(
            "a lesson that nobody may read",
            1,
            &["lessons/one.md:"],
            |it| {
                if rustix::process::geteuid().is_root() {
                    // Who may read everything finds a folder instead.
                    it.remove(ONE);
                    fs::create_dir(it.file(ONE)).unwrap();
                } else {
                    fs::set_permissions(it.file(ONE), Permissions::from_mode(0o0)).unwrap();
                }
            },
        ),
    ]
}

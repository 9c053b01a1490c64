//! The folder of a course that has no mistakes, and a folder outside of it with a secret.

use crate::support::temp_home::TempHome;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// What no command may print: it is in files outside of the course only.
pub(super) const SECRET: &str = "SECRET-7f3a91";

/// A course without mistakes.
const COURSE: [(&str, &str); 3] = [
    (
        "lessons/course.toml",
        r#"format = 1
id = "stranger"
title = "From a stranger"
summary = "One lesson."
lessons = ["one.md"]
"#,
    ),
    (
        "lessons/one.md",
        r#"+++
format = 1
id = "one"
title = "The first"
summary = "A lesson."
minutes = 3
requires = []
objectives = ["Print a number."]
quiz = "one.toml"
+++

Read this.

```python lab id=print title="Print it" predict=q-guess
print(1)
```

```python check=print
lab.check("printed", lab.output == "1\n")
lab.metric("ms", 1.0, "ms")
```

## The second page {#second}

Read that.
"#,
    ),
    (
        "quizzes/one.toml",
        r##"format = 1
id = "one"
title = "The first"

[[question]]
id = "q-guess"
type = "predict"
prompt = "How long?"
lab = "print"
metric = "ms"
unit = "ms"
explain = "A print is quick."

[[question]]
id = "q-single"
type = "single"
prompt = "Which?"
points = 1
options = [
  { id = "a", text = "one", correct = true },
  { id = "b", text = "two", feedback = "No." },
]
explain = "Because."
see = "#second"

[[question]]
id = "q-bytes"
type = "numeric"
prompt = "How many bytes?"
answer = 24
unit = "B"
explain = "Six numbers."
"##,
    ),
];

/// A course folder in a home of its own.
pub(super) struct Folder(pub(super) TempHome);

impl Folder {
    /// The course without mistakes, and the secret beside it.
    pub(super) fn new() -> Self {
        let home = TempHome::new();
        let lesson = COURSE[1].1.replace("The first", SECRET);
        home.write("outside/secret.md", &lesson.replace("Read", SECRET));
        home.write("outside/lessons/secret.md", &lesson);
        home.write("outside/quizzes/secret.toml", SECRET);
        home.write("outside/secret.toml", &format!("{SECRET} = 1\n"));
        let folder = Self(home);
        for (file, text) in COURSE {
            folder.write(file, text);
        }
        folder
    }

    /// The folder of the course.
    pub(super) fn path(&self) -> PathBuf {
        self.0.path().join("course")
    }

    /// A file of the course.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A file outside of the course.
    pub(super) fn outside(&self, name: &str) -> PathBuf {
        self.0.path().join("outside").join(name)
    }

    /// Writes a file of the course.
    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Changes a text of a file, which must be there.
    pub(super) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.file(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        self.write(name, text.replacen(from, to, 1));
    }

    /// Adds bytes to the end of a file.
    pub(super) fn append(&self, name: &str, more: impl AsRef<[u8]>) {
        let mut bytes = fs::read(self.file(name)).unwrap();
        bytes.extend_from_slice(more.as_ref());
        self.write(name, bytes);
    }

    /// Puts a link in the place of a file or folder of the course.
    pub(super) fn link(&self, name: &str, target: impl AsRef<Path>) {
        self.remove(name);
        symlink(target, self.file(name)).unwrap();
    }

    /// Removes a file or folder of the course, if it is there.
    pub(super) fn remove(&self, name: &str) {
        let path = self.file(name);
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap();
        } else if path.exists() {
            fs::remove_file(path).unwrap();
        }
    }
}

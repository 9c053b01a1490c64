//! The learner's own editor, for the program of a lab.
//!
//! `$VISUAL` or `$EDITOR` edits a copy, as with git. Meanwhile warpup neither draws nor reads keys.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::process::Command;

use super::sources;
use super::terminal::Screen;

/// The most bytes that a program may have.
const MAX: u64 = 1 << 20;

/// Opens a program in the editor. Gives its new text, or why it stays as it was.
pub(super) fn edit(
    name: &str,
    text: &str,
    screen: &mut Screen,
) -> io::Result<Result<String, String>> {
    let Some(editor) = editor(|name| std::env::var_os(name)) else {
        let said = "No editor is set. Quit, and set one, such as: export EDITOR=nano";
        return Ok(Err(said.to_owned()));
    };
    let outside = sources::TerminalHandover::enter();
    screen.leave();
    let edited = edited(&editor, name, text);
    drop(outside);
    screen.come_back()?;
    Ok(edited)
}

/// The command of the editor, as a shell reads it.
fn editor(variable: impl Fn(&str) -> Option<OsString>) -> Option<OsString> {
    let names = ["VISUAL", "EDITOR"].into_iter();
    names.filter_map(variable).find(|it| !it.is_empty())
}

fn edited(editor: &OsString, name: &str, text: &str) -> Result<String, String> {
    let shown = editor.to_string_lossy();
    let folder = tempfile::TempDir::new().map_err(|it| format!("No copy could be made: {it}"))?;
    let file = folder.path().join(name);
    fs::write(&file, text).map_err(|it| format!("No copy could be made: {it}"))?;
    let mut script = editor.clone();
    script.push(" \"$@\"");
    let mut command = Command::new("/bin/sh");
    let command = command.arg("-c").arg(&script).arg("editor").arg(&file);
    let ended = command.status();
    let status = ended.map_err(|it| format!("{shown} did not start: {it}"))?;
    if !status.success() {
        return Err(format!(
            "{shown} ended with {status}, so the program stays as it was."
        ));
    }
    let length = fs::metadata(&file).map(|it| it.len());
    if length.is_ok_and(|it| it > MAX) {
        return Err(format!(
            "The program has more than {MAX} bytes, so it stays as it was."
        ));
    }
    fs::read_to_string(&file).map_err(|it| format!("What {shown} wrote cannot be read: {it}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(editor: &str) -> Result<String, String> {
        edited(&OsString::from(editor), "lab.py", "a = 1\n")
    }

    #[test]
    fn what_the_editor_wrote_comes_back() {
        assert_eq!(with("printf 'a = 2\\n' >").as_deref(), Ok("a = 2\n"));
        assert_eq!(with("true").as_deref(), Ok("a = 1\n"));
    }

    #[test]
    fn an_editor_that_fails_changes_nothing() {
        let said = with("false").unwrap_err();
        assert_eq!(
            said,
            "false ended with exit status: 1, so the program stays as it was."
        );
        assert!(with("no-such-editor").unwrap_err().contains("127"));
        assert!(with("rm").unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn visual_comes_before_editor_and_an_empty_one_is_none() {
        let of = |pairs: &[(&str, &str)]| {
            let found = editor(|name| {
                pairs
                    .iter()
                    .find(|it| it.0 == name)
                    .map(|it| OsString::from(it.1))
            });
            found.map(|it| it.into_string().unwrap())
        };
        assert_eq!(
            of(&[("EDITOR", "vi"), ("VISUAL", "code -w")]).as_deref(),
            Some("code -w")
        );
        assert_eq!(
            of(&[("EDITOR", "vi"), ("VISUAL", "")]).as_deref(),
            Some("vi")
        );
        assert_eq!(of(&[]), None);
    }
}

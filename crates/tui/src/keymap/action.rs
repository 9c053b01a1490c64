//! What keys ask for, in groups, so that a screen's `match` names the groups that it ignores.

use warpup_lab::timeline::Zoom;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// For the app and its dialogs; screens never get it.
    App(AppAction),
    Back,
    /// Open what is chosen, or go on.
    Open,
    /// Move the window or the choice.
    Scroll(Motion),
    /// Open a screen that has a key of its own.
    Go(Destination),
    Page(PageAction),
    Lab(LabAction),
    Form(FormAction),
    Doctor(DoctorAction),
}

/// What works on every screen, and the answers in a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AppAction {
    Help,
    Quit,
    /// Stop what runs; otherwise ask, and quit when it is asked for again.
    Interrupt,
    SaveElsewhere,
    Suspend,
    /// Go on with the next step of the course.
    NextStep,
    /// Lead through the first runs.
    Tour,
    /// Open the palette.
    Palette,
    /// Open the settings.
    Settings,
    /// Show what the words on the screen mean.
    Words,
    /// Ask for words to search for.
    Search,
    NextHit,
    PreviousHit,
    EndSearch,
    Yes,
    No,
}

/// Where a window or a choice moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Up,
    Down,
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// Screens that have a key of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Quiz,
    /// The quiz again, only its missed questions.
    RetryMissed,
    /// The quiz again, all questions.
    RetryAll,
    /// The questions to explain in the learner's own words.
    Explain,
    NextLesson,
    /// The page that a question points to.
    ReadAgain,
    /// The lesson that introduces a word of the glossary.
    WordLesson,
    Problems,
    Doctor,
    /// The learner's own program that the app was opened with.
    Program,
}

/// What the pages of a lesson can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageAction {
    Next,
    Previous,
    NextLab,
    PreviousLab,
    RunLab,
    EditLab,
    /// Open the next folded part on the screen, or close the one that was opened last.
    Fold,
    /// A digit of a link's number.
    Digit(usize),
    /// Open the link with this number.
    OpenLink(usize),
    /// Go back to where a link, the palette or a search was followed.
    Return,
}

/// What a lab can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabAction {
    Run,
    Cancel,
    Edit,
    /// Edit the program in the learner's own editor.
    EditOutside,
    /// Change the program while editing.
    Type(EditAction),
    /// Keep the program as it is, and go on editing.
    Save,
    /// Choose the device from a list.
    Devices,
    PreviousDevice,
    NextPane,
    PreviousPane,
    /// Give the pane the rows of the program, or give them back.
    FullPane,
    /// Show the program against the starter.
    Diff,
    Hint,
    Solution,
    Restore,
    /// Show another part of the timeline.
    Zoom(Zoom),
    /// Move the cursor in the timeline by a column.
    Moment(Sideways),
    /// Scroll the program; plain motions scroll the pane.
    Program(Motion),
    ProgramLeft,
    ProgramRight,
}

/// Where a cursor moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sideways {
    Left,
    Right,
}

/// What can be done with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormAction {
    Submit,
    /// Hand the quiz in with open questions.
    GiveUp,
    Hint,
    /// Say how sure one is: sure, not sure, or nothing.
    Confidence,
    Toggle,
    MoveUp,
    MoveDown,
    /// The previous right side of a pair.
    Left,
    /// The next right side of a pair.
    Right,
    /// Move or cut in what is typed.
    Text(TextAction),
    /// The next question that was missed.
    NextMissed,
}

/// What moves the cursor in what is typed, or cuts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextAction {
    LineStart,
    LineEnd,
    WordLeft,
    WordRight,
    /// Delete the word in front of the cursor.
    CutWord,
    /// Delete to the start of the line.
    CutToStart,
    /// Delete to the end of the line.
    CutToEnd,
}

/// What the doctor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoctorAction {
    LookAgain,
    /// Show details, or hide them.
    Details,
}

/// What can be done while a program is edited, beside typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditAction {
    Undo,
    Redo,
    /// Cut what is selected, or else the line.
    Cut,
    /// Put in what was cut or copied last.
    Paste,
    SelectAll,
    /// Delete what is selected, or the letter behind the cursor.
    DeleteNext,
    /// Delete the word in front of the cursor.
    DeleteWord,
    /// Delete the word behind the cursor.
    DeleteNextWord,
    /// Move lines up by one.
    MoveUp,
    /// Move lines down by one.
    MoveDown,
    /// Put a copy of lines below them.
    Double,
    /// Delete from the cursor to the end of the line.
    CutLine,
    /// Delete from the start of the line to the cursor.
    CutToStart,
    Indent,
    Dedent,
    /// Make lines comments, or comments lines.
    Comment,
    Find,
    FindNext,
    FindPrevious,
    /// Close the line below the program in which something is typed.
    LeaveFind,
    /// Ask for what is put in place of what is found, or go back to what is searched.
    AskForReplacement,
    /// Replace what is found at the cursor.
    Replace,
    /// Replace all that is found.
    ReplaceAll,
    /// Ask for the number of a line.
    AskForLine,
    /// Go to the line whose number is typed.
    GoToLine,
}

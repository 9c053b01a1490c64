//! What a quiz file says of a question beside what all kinds have, for who writes such a file.

use super::choices::Choice;
use crate::model::ChoiceId;

/// A value in a quiz file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileValue {
    /// A flag.
    Flag(bool),
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// The text of a choice, or of the right side of a pair; the file that it was read from has it as Markdown.
    Choice(ChoiceId),
    /// The text of the left side of a pair.
    Left(ChoiceId),
    /// A list of tables, one a line.
    Tables(Vec<Vec<(&'static str, Self)>>),
}

impl FileValue {
    /// Options, and whether they are shuffled.
    pub(crate) fn of_options(options: &[Choice], shuffle: bool) -> Vec<(&'static str, Self)> {
        let mut values = vec![("options", Self::of_choices(options))];
        if !shuffle {
            values.push(("shuffle", Self::Flag(false)));
        }
        values
    }

    /// A list of options or items.
    pub(crate) fn of_choices(choices: &[Choice]) -> Self {
        let tables = choices.iter().map(|it| {
            let mut table = vec![
                ("id", Self::Text(it.id.to_string())),
                ("text", Self::Choice(it.id.clone())),
            ];
            if it.pin_last {
                table.push(("pin", Self::Text("last".to_owned())));
            }
            table
        });
        Self::Tables(tables.collect())
    }
}

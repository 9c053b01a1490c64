//! The questions of an XML file, one at a time, as small trees.
//!
//! Nothing in a file makes it larger: entities that it declares are errors, and no file that it names is opened. Pictures, which may
//! be most of a file, are skipped.

use crate::remark::Remark;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// A file may have this many bytes.
pub const MAX_BYTES: u64 = 64 << 20;
/// Elements deeper than this are an error: Moodle's have a depth of six.
const MAX_DEPTH: usize = 32;
/// More elements in one question are an error.
const MAX_ELEMENTS: usize = 10_000;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    /// The text directly in it.
    pub(super) text: String,
    pub(super) children: Vec<Self>,
    /// The line of the file on which it begins, from 1; of questions only.
    pub(super) line: usize,
}

impl Element {
    /// The first child of this name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|it| it.name == name)
    }

    /// The children of this name.
    pub(super) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |it| it.name == name)
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Gives each `<question>` of a `<quiz>`.
pub(super) fn for_each_question(text: &str, mut give: impl FnMut(Element)) -> Result<(), Remark> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    let mut lines = Lines::of(text);
    let mut walk = DocumentTree::default();
    loop {
        let start = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|why| lines.wrong(reader.error_position(), &why.to_string()))?;
        let done = match event {
            Event::Eof => break,
            Event::DocType(_) => Err(
                "it has a document type, which Moodle never writes: remove `<!DOCTYPE …>`"
                    .to_owned(),
            ),
            Event::Start(tag) => walk.begin(&tag, || lines.at(start)),
            Event::Empty(tag) => {
                let begun = walk.begin(&tag, || lines.at(start));
                begun.map(|()| walk.end(&mut give))
            }
            Event::End(_) => {
                walk.end(&mut give);
                Ok(())
            }
            Event::Text(text) => {
                walk.add(&text.xml_content(quick_xml::XmlVersion::Implicit1_0));
                Ok(())
            }
            Event::CData(text) => {
                walk.add(&text);
                Ok(())
            }
            Event::GeneralRef(named) => walk.add_named(&named),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Ok(()),
        };
        done.map_err(|why| lines.wrong(start, &why))?;
    }
    if !walk.open.is_empty() {
        let what = "it ends inside of a question: the file is cut off";
        return Err(lines.wrong(text.len() as u64, what));
    }
    if walk.has_quiz {
        return Ok(());
    }
    Err(lines.wrong(0, &format!("it is not XML: {EXPORT}")))
}

/// What to do with a file that is none.
const EXPORT: &str = "export the questions from Moodle as *Moodle XML format*";

/// The elements that are open, and what was counted.
#[derive(Default)]
struct DocumentTree {
    open: Vec<Element>,
    /// Elements since the question began.
    elements: usize,
    has_quiz: bool,
}

impl DocumentTree {
    /// An element begins; `line` says where.
    fn begin(&mut self, tag: &BytesStart<'_>, line: impl FnOnce() -> usize) -> Result<(), String> {
        let mut element = element(tag)?;
        if !self.has_quiz && element.name != "quiz" {
            return Err(format!(
                "its root is `<{}>`, not `<quiz>`: {EXPORT}",
                element.name
            ));
        }
        self.has_quiz = true;
        self.elements += 1;
        if self.open.len() >= MAX_DEPTH || self.elements > MAX_ELEMENTS {
            return Err("it has more elements in one question than Moodle writes".to_owned());
        }
        if element.name == "question" {
            self.elements = 0;
            element.line = line();
        }
        self.open.push(element);
        Ok(())
    }

    /// The innermost element ends. Of what is directly in the quiz, only questions are kept.
    fn end(&mut self, give: &mut impl FnMut(Element)) {
        let Some(element) = self.open.pop() else {
            return;
        };
        match self.open.as_mut_slice() {
            [_] if element.name == "question" => give(element),
            [] | [_] => {}
            [.., parent] => parent.children.push(element),
        }
    }

    /// Text in the innermost element. That of pictures is not kept.
    fn add(&mut self, text: &str) {
        if let [_, .., element] = self.open.as_mut_slice()
            && element.name != "file"
        {
            element.text.push_str(text);
        }
    }

    /// A character that is named.
    fn add_named(&mut self, named: &BytesRef<'_>) -> Result<(), String> {
        let character = character(named)
            .ok_or("it has an entity that XML does not know: write the character itself")?;
        self.add(character.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}

fn element(tag: &BytesStart<'_>) -> Result<Element, String> {
    let name = tag.name().into_inner().to_owned();
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|why| why.to_string())?;
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .map_err(|why| why.to_string())?;
        let key = attribute.key.into_inner().to_owned();
        attributes.push((key, value.into_owned()));
    }
    Ok(Element {
        name,
        attributes,
        ..Element::default()
    })
}

/// The character of one of XML's five entities, or of a number.
fn character(named: &BytesRef<'_>) -> Option<char> {
    if let Ok(Some(character)) = named.resolve_char_ref() {
        return Some(character);
    }
    match &**named {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

/// Turns bytes into lines, going through the text once.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            line: 1,
        }
    }

    fn at(&mut self, byte: u64) -> usize {
        let byte = usize::try_from(byte)
            .unwrap_or(usize::MAX)
            .min(self.text.len());
        if byte < self.byte {
            (self.byte, self.line) = (0, 1);
        }
        let passed = self
            .text
            .as_bytes()
            .get(self.byte..byte)
            .unwrap_or_default();
        self.line += passed.split(|it| *it == b'\n').count() - 1;
        self.byte = byte;
        self.line
    }

    fn wrong(&mut self, byte: u64, what: &str) -> Remark {
        Remark {
            place: format!("line {}", self.at(byte)),
            what: what.to_owned(),
        }
    }
}

//! Questions as QTI 2.1 items in a package, which learning platforms import.
//!
//! Not with maud, as the pages: it writes HTML, so that an element without a body gets no end, and the compiler takes that for right.

mod interaction;
mod item;
mod parts;
mod scoring;

use super::archive;
use super::markup::escaped;
use super::remark::Remarks;
use parts::identifier;
use std::fmt::Write as _;
use std::io;
use warpup_course::{Course, Quiz};

/// A package (ZIP) with a manifest and an item for each question.
pub fn write(course: &Course, quizzes: &[&Quiz], remarks: &mut Remarks) -> io::Result<Vec<u8>> {
    archive::of(&files(course, quizzes, remarks))
}

/// The files of the package, the manifest first.
fn files(course: &Course, quizzes: &[&Quiz], remarks: &mut Remarks) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut resources = String::new();
    for quiz in quizzes {
        for question in &quiz.questions {
            let Some(item) = item::item(quiz, question, remarks) else {
                continue;
            };
            let name = format!(
                "items/{}/{}.xml",
                escaped(&quiz.id),
                escaped(question.id.as_str())
            );
            let id = identifier(&format!("{}.{}", quiz.id, question.id));
            let _ = writeln!(
                resources,
                "    <resource identifier=\"{id}\" type=\"imsqti_item_xmlv2p1\" href=\"{name}\">\n      <file href=\"{name}\"/>\n    </resource>"
            );
            files.push((name, item));
        }
    }
    let id = identifier(course.id.as_str());
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<manifest xmlns=\"http://www.imsglobal.org/xsd/imscp_v1p1\" identifier=\"{id}\">\n  \
<metadata>\n    <schema>QTIv2.1 Package</schema>\n    <schemaversion>1.0.0</schemaversion>\n  </metadata>\n  \
<organizations/>\n  <resources>\n{resources}  </resources>\n</manifest>\n"
    );
    files.insert(0, ("imsmanifest.xml".to_owned(), manifest));
    files
}

#[cfg(test)]
mod tests;

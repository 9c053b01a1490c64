//! HTML as tags and text.

use pulldown_cmark::{Event, Parser};

/// A part of a text in HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Text, without entities.
    Text(String),
    /// `<name …>`, the name in lower case.
    Open(Tag),
    /// `</name>`
    Close(String),
}

/// A tag with the attributes that matter here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) href: Option<String>,
    pub(super) alt: Option<String>,
    pub(super) class: Option<String>,
}

/// Longer names of entities are text.
const MAX_ENTITY: usize = 33;
/// Elements whose content is no text.
const SILENT: [&str; 4] = ["script", "style", "head", "title"];

/// The tags and texts of HTML, in order.
pub(super) fn tokens(html: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let start = rest.find('<').unwrap_or(rest.len());
        let (text, after) = rest.split_at(start);
        if !text.is_empty() {
            tokens.push(Token::Text(without_entities(text)));
        }
        rest = after;
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, it)| it);
        } else if let Some(declared) = rest.strip_prefix("<!") {
            rest = declared.split_once('>').map_or("", |(_, it)| it);
        } else if let Some((token, after)) = tag(rest) {
            rest = after;
            if let Token::Open(tag) = &token
                && SILENT.contains(&tag.name.as_str())
            {
                rest = behind_end(rest, &tag.name);
                continue;
            }
            tokens.push(token);
        } else if let Some(after) = rest.strip_prefix('<') {
            tokens.push(Token::Text("<".to_owned()));
            rest = after;
        }
    }
    tokens
}

/// What follows `</name>`; nothing where it never ends.
fn behind_end<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("</") {
        let is_it = after
            .get(..name.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(name));
        if is_it {
            return after.split_once('>').map_or("", |(_, it)| it);
        }
        rest = after;
    }
    ""
}

/// The tag at the start of a text, and what follows it.
fn tag(text: &str) -> Option<(Token, &str)> {
    let inside = text.strip_prefix('<')?;
    let (is_end, inside) = match inside.strip_prefix('/') {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    let length = inside.len()
        - inside
            .trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == ':')
            .len();
    let name = inside.get(..length)?.to_ascii_lowercase();
    if !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
        return None;
    }
    let mut rest = inside.get(length..)?;
    let mut tag = Tag {
        name,
        ..Tag::default()
    };
    loop {
        rest = rest.trim_start_matches(|it: char| it.is_whitespace() || it == '/');
        if let Some(after) = rest.strip_prefix('>') {
            let token = if is_end {
                Token::Close(tag.name)
            } else {
                Token::Open(tag)
            };
            return Some((token, after));
        }
        let (key, value, after) = attribute(rest)?;
        match key.to_ascii_lowercase().as_str() {
            "href" => tag.href = Some(value),
            "alt" => tag.alt = Some(value),
            "class" => tag.class = Some(value),
            _ => {}
        }
        rest = after;
    }
}

/// An attribute at the start of a text, its value without entities, and what follows it.
fn attribute(text: &str) -> Option<(&str, String, &str)> {
    let end = text.find(|it: char| it.is_whitespace() || "=>/".contains(it))?;
    // A stray sign that is no name is skipped.
    let end = end.max(text.chars().next()?.len_utf8());
    let (key, rest) = text.split_at_checked(end)?;
    let Some(value) = rest.trim_start().strip_prefix('=') else {
        return Some((key, String::new(), rest));
    };
    let value = value.trim_start();
    for quote in ['"', '\''] {
        if let Some(quoted) = value.strip_prefix(quote) {
            let (value, rest) = quoted.split_once(quote)?;
            return Some((key, without_entities(value), rest));
        }
    }
    let end = value.find(|it: char| it.is_whitespace() || it == '>')?;
    let (value, rest) = value.split_at_checked(end)?;
    Some((key, without_entities(value), rest))
}

/// Text with the characters that its entities name. Unknown ones stay as written.
pub(super) fn without_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after.bytes().take(MAX_ENTITY).position(|it| it == b';');
        let named = end.and_then(|end| {
            let name = after.get(..end)?;
            Some((named(name)?, after.get(end + 1..)?))
        });
        if let Some((character, behind)) = named {
            out.push_str(&character);
            rest = behind;
        } else {
            out.push('&');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// The characters of an entity. Markdown has those of HTML, so its parser knows them.
fn named(name: &str) -> Option<String> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '#';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let entity = format!("&{name};");
    let mut text = String::new();
    for event in Parser::new(&format!(".{entity}")) {
        if let Event::Text(part) = event {
            text.push_str(&part);
        }
    }
    let character = text.strip_prefix('.')?;
    (character != entity).then(|| character.to_owned())
}

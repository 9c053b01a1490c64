//! Where the links of a page lead.

use crate::search::TextSection;
use crate::session::Session;
use warpup_course::Lesson;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a page of the course.
    Page(TextSection),
    /// To an address outside of it, or to nothing that the course has.
    Outside,
}

/// Where an address in a lesson leads: `#page`, `lesson.md` and `lesson.md#page` are in the course.
pub(super) fn target(address: &str, from: &Lesson, session: &Session) -> Target {
    let found = session.page_of(address, Some(from));
    found.map_or(Target::Outside, |(lesson, page)| {
        Target::Page(TextSection {
            lesson,
            page,
            block: 0,
        })
    })
}

/// What to do with a number that is typed digit by digit, on a page with so many links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkNumber {
    /// The number is complete.
    Open(usize),
    /// Another digit could follow, or Enter.
    Wait(usize),
    /// There is no such link.
    Nothing,
}

/// Adds a digit to what was typed before; 0 is nothing.
pub(super) fn typed(before: usize, digit: usize, links: usize) -> LinkNumber {
    let number = before * 10 + digit;
    if number == 0 || number > links {
        LinkNumber::Nothing
    } else if number * 10 > links {
        LinkNumber::Open(number)
    } else {
        LinkNumber::Wait(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_opens_a_link_at_once_unless_another_could_follow() {
        assert_eq!(typed(0, 3, 9), LinkNumber::Open(3));
        assert_eq!(typed(0, 1, 12), LinkNumber::Wait(1));
        assert_eq!(typed(0, 2, 12), LinkNumber::Open(2));
        assert_eq!(typed(1, 2, 12), LinkNumber::Open(12));
        assert_eq!(typed(1, 3, 12), LinkNumber::Nothing);
        assert_eq!(typed(0, 0, 12), LinkNumber::Nothing);
    }
}

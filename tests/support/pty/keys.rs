//! Keys as people write them, to the bytes that a terminal sends.

/// The bytes of keys such as `jj<Enter>`. Arrows differ in application mode.
pub(super) fn bytes_of(keys: &str, is_application: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        assert!(
            bytes.last() != Some(&b'\x1b'),
            "<Esc> has to end a press, or it reads as Alt: {keys}"
        );
        if let Some(inside) = rest.strip_prefix('<') {
            let (name, after) = inside.split_once('>').unwrap_or_else(|| {
                panic!("`<` begins a name of a key, `<lt>` is the character: {keys}")
            });
            bytes.extend(named(name, is_application));
            rest = after;
        } else {
            let (key, after) = rest.split_at(first.len_utf8());
            bytes.extend(key.as_bytes());
            rest = after;
        }
    }
    bytes
}

fn named(name: &str, is_application: bool) -> Vec<u8> {
    let arrow = if is_application { "\x1bO" } else { "\x1b[" };
    let sent = match name {
        "Enter" => "\r",
        "Esc" => "\x1b",
        "Tab" => "\t",
        "S-Tab" => "\x1b[Z",
        "BS" => "\x7f",
        "Del" => "\x1b[3~",
        "Space" => " ",
        "lt" => "<",
        "PageUp" => "\x1b[5~",
        "PageDown" => "\x1b[6~",
        "Up" => return [arrow, "A"].concat().into_bytes(),
        "Down" => return [arrow, "B"].concat().into_bytes(),
        "Right" => return [arrow, "C"].concat().into_bytes(),
        "Left" => return [arrow, "D"].concat().into_bytes(),
        "S-Left" => "\x1b[1;2D",
        "C-Home" => "\x1b[1;5H",
        "End" => return [arrow, "F"].concat().into_bytes(),
        "F1" => return b"\x1bOP".to_vec(),
        "Home" => return [arrow, "H"].concat().into_bytes(),
        _ => return with_modifier(name),
    };
    sent.as_bytes().to_vec()
}

/// `C-r` and `A-x`.
fn with_modifier(name: &str) -> Vec<u8> {
    match name.as_bytes() {
        [b'C', b'-', key @ b'a'..=b'z'] => vec![key & 0x1f],
        [b'A', b'-', key] => vec![b'\x1b', *key],
        _ => panic!("no key is called <{name}>"),
    }
}

#[test]
fn keys_become_what_a_terminal_sends() {
    assert_eq!(
        bytes_of("jé<Enter><C-r><lt><A-x><Up><Esc>", false),
        "jé\r\x12<\x1bx\x1b[A\x1b".as_bytes()
    );
    assert_eq!(bytes_of("<Left><Home>", true), b"\x1bOD\x1bOH");
}

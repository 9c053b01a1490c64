//! The solution of a lab, and the other ways behind it.

use super::*;

#[test]
fn other_ways_follow_the_solution_as_what_they_have_in_its_place() {
    let mut sources = warpup_course::sample::sources();
    let ways = "\
```python right=placement title=\"Two lines\"
word = 'solved'
print(word)
```

```python wrong=placement stops=\"y is on the card\" title=\"Says nothing\"
pass
```

```python right=placement title=\"And once more\"
print('solved')
print('solved')
```
";
    let file = "repairs/places.md".to_owned();
    sources.files.insert(file, std::borrow::Cow::Borrowed(ways));
    let course = warpup_course::open(&sources);
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn\nsy");
    let pane = |play: &Play| {
        let screen = play.screen();
        let (_, pane) = screen.split_once("[hints]").unwrap();
        let lines = pane.lines().skip(1).take(5);
        lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(pane(&play), @"
    solution
    s shows other way 1 of 2: Two lines
    print('solved')
    h shows hint 1 of 1
    ");
    play.keys("s");
    insta::assert_snapshot!(pane(&play), @"
    other way 1 of 2: Two lines
    s shows other way 2 of 2: And once more
    - the solution   + this way
    -   1  print('solved')
    +   1  word = 'solved'
    ");
    // What was left open is shown first when the pane is looked at again.
    play.keys("os");
    assert!(
        pane(&play).trim_start().starts_with("other way 1 of 2"),
        "{}",
        pane(&play)
    );
    play.keys("s");
    insta::assert_snapshot!(pane(&play), @"
    other way 2 of 2: And once more
    s shows the solution again
    - the solution   + this way
        1  print('solved')
    +   2  print('solved')
    ");
    play.keys("s");
    assert!(
        pane(&play).trim_start().starts_with("solution\n"),
        "{}",
        pane(&play)
    );
}

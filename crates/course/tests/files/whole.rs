//! A whole lesson with every kind of question.

use super::*;

const LESSON: &str = "\
Read [the queue](#queue) first.

## The queue {#queue}

```python lab id=wait title=\"Wait for it\" device=model:t4 predict=q-predict timeout=500ms
lab.metric(\"rate\", 1.0, \"GB/s\")
```

```python check=wait
lab.check(\"ran\", True, \"no\")
```

```python solution=wait
pass
```

```rust same-as=wait
fn main() {}
```

```python lab id=look device=cpu memory=\"3 GiB\"
print(1)
```
";

const QUESTIONS: &str = r##"pass = { above_percent = 60 }

[[question]]
id = "q-single"
type = "single"
prompt = """
When does it return?

```python
a @ b
```
"""
points = 2
hints = ["Who waits?"]
explain = "It is *asynchronous*."
see = "#queue"
options = [
  { id = "a", text = "at once", correct = true },
  { id = "b", text = "at the end", feedback = "That is `item`." },
  { id = "c", text = "none of these", pin = "last", feedback = "One is." },
]

[[question]]
id = "q-multi"
type = "multi"
prompt = "Which?"
explain = "These."
partial = true
shuffle = false
options = [
  { id = "a", text = "x", correct = true },
  { id = "b", text = "y", correct = true },
  { id = "c", text = "z", feedback = "No." },
]

[[question]]
id = "q-numeric"
type = "numeric"
prompt = "How much?"
explain = "So much."
answer = 476.8
tolerance = { rel = 0.02 }
unit = "MiB"
accepted = ["GiB", "B"]
near = [{ value = 500, tolerance = { abs = 1 }, feedback = "Those are MB." }]

[[question]]
id = "q-text"
type = "text"
prompt = "Which variable?"
explain = "That one."
accept = ["CUDA_VISIBLE_DEVICES"]
samples_ok = [" cuda_visible_devices "]
samples_bad = ["nvidia-smi"]
near = [{ text = "CUDA_DEVICES", feedback = "Nearly." }]

[[question]]
id = "q-order"
type = "order"
prompt = "In which order?"
explain = "This one."
items = [{ id = "read", text = "read" }, { id = "copy", text = "copy" }, { id = "run", text = "run" }]
also = [["copy", "read", "run"]]

[[question]]
id = "q-match"
type = "match"
prompt = "What goes where?"
explain = "There."
pairs = [
  { id = "host", left = "tensor", right = "host memory", feedback = "No." },
  { id = "card", left = "cuda tensor", right = "card memory" },
]

[[question]]
id = "q-predict"
type = "predict"
prompt = "How fast?"
explain = "That fast."
lab = "wait"
metric = "rate"
bins = [
  { id = "slow", text = "below 1", to = 1 },
  { id = "fast", text = "1 or more", from = 1, feedback = "Slower." },
]

[[question]]
id = "q-guess"
type = "predict"
prompt = "How long?"
explain = "That long."
lab = "look"
metric = "host_ms"
unit = "ms"
within_factor = 3
counts = true

[[question]]
id = "q-words"
type = "words"
prompt = "Why does it return at once?"
explain = "The host only *queues* it."
hints = ["Who waits?"]
see = "#queue"
parts = ["The host queues the kernel.", "The card runs it `later`."]
"##;

fn course() -> (Course, String) {
    let sources = course_of(LESSON, &QUIZ.replace("\n\n", &format!("\n{QUESTIONS}")));
    (parse(&sources).0, shown(&sources))
}

#[test]
fn everything_the_format_promises_is_read() {
    let (course, problems) = course();
    assert_eq!(problems, "");
    let lesson = &course.lessons[0];
    assert_eq!(lesson.pages.len(), 2);
    let [wait, look] = lesson.labs.as_slice() else {
        panic!("not two labs");
    };
    assert_eq!(wait.title, "Wait for it");
    assert_eq!(wait.page, PageId::new("queue"));
    assert_eq!(wait.device, DeviceWish::Model("t4".to_owned()));
    assert_eq!(wait.predict, Some(QuestionId::new("q-predict")));
    assert_eq!(wait.time_limit.as_millis(), 500);
    assert_eq!((wait.memory, look.memory), (None, Some(3 << 30)));
    assert_eq!(wait.solution_program(), Some("pass\n"));
    assert_eq!(wait.rust.as_deref(), Some("fn main() {}\n"));
    assert_eq!(
        (look.title.as_str(), &look.device),
        ("Look", &DeviceWish::Cpu)
    );
    let quiz = lesson.quiz.as_ref().unwrap();
    assert_eq!(quiz.pass.above_percent, 60);
    assert_eq!(quiz.questions.len(), 9);
    assert_eq!(quiz.counted().count(), 7);
    let words: Vec<_> = quiz.in_own_words().collect();
    let [(explained, [_, second])] = words.as_slice() else {
        panic!("not one question with two parts");
    };
    assert_eq!(explained.id, QuestionId::new("q-words"));
    assert_eq!(looks(second), "The card runs it {later:code}.");
    assert_eq!(quiz.questions[0].prompt.len(), 2);
    assert_eq!(quiz.questions[0].see, Some(PageId::new("queue")));
}

#[test]
fn a_lab_with_a_solution_has_to_fail_first() {
    let (course, _) = course();
    let proofs = lab_proofs(&course);
    let shown: Vec<_> = proofs
        .iter()
        .map(|it| (it.lab.id.as_str(), it.program, it.expect))
        .collect();
    assert_eq!(
        shown,
        [
            ("wait", "starter", Expect::Fail),
            ("wait", "solution", Expect::Pass),
            ("look", "starter", Expect::Pass),
        ]
    );
    assert!(proofs[1].lab.check.as_ref().unwrap().contains("lab.check"));
}

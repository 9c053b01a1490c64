//! The rules of course files, by name. `docs/authoring/rules.md` explains each: what it means, an example that breaks it, and
//! the fix.

/// What `docs/authoring/rules.md` says.
const EXPLAINED: &str = include_str!("../../../../docs/authoring/rules.md");

/// A variant and a name for each rule. A macro, so that no list lacks one of them.
macro_rules! rules {
    ($($variant:ident = $name:literal,)*) => {
        /// A rule that a course file can break. Its name is stable: people look it up, and editors show it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`, which `docs/authoring/rules.md` explains.")] $variant,)*
        }

        impl Rule {
            /// All of them, in the order of `docs/authoring/rules.md`.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

rules! {
    // Files
    FileLeftOut = "file-left-out",
    FileTooLong = "file-too-long",
    NotUtf8 = "not-utf-8",
    ByteOrderMark = "byte-order-mark",
    MergeMarks = "merge-marks",
    NoCourseFile = "no-course-file",
    MissingFile = "missing-file",
    ListedTwice = "listed-twice",
    LessonNotListed = "lesson-not-listed",
    QuizNotNamed = "quiz-not-named",
    QuizUsedTwice = "quiz-used-twice",
    BuiltInId = "built-in-id",
    MoreLikeThese = "more-like-these",
    // Translations
    LanguageCode = "language-code",
    TranslationDiffers = "translation-differs",
    TranslationOfNothing = "translation-of-nothing",
    // TOML: heads, `course.toml` and quizzes
    NotToml = "not-toml",
    SingleBrackets = "single-brackets",
    UnknownFormat = "unknown-format",
    UnknownKey = "unknown-key",
    MissingKey = "missing-key",
    WrongType = "wrong-type",
    EmptyText = "empty-text",
    EscapeInText = "escape-in-text",
    NotOneLine = "not-one-line",
    IdForm = "id-form",
    DuplicateId = "duplicate-id",
    PassPercent = "pass-percent",
    PolicyValue = "policy-value",
    RequiresOrder = "requires-order",
    UnknownLesson = "unknown-lesson",
    // Lessons
    NoHead = "no-head",
    HeadNotClosed = "head-not-closed",
    LessonWithoutText = "lesson-without-text",
    HeadingForm = "heading-form",
    HeadingLevel = "heading-level",
    HeadingWithoutId = "heading-without-id",
    IdlePages = "idle-pages",
    PageTooLong = "page-too-long",
    MinutesDiffer = "minutes-differ",
    PausePlace = "pause-place",
    FrontEndMark = "front-end-mark",
    DetailsNotClosed = "details-not-closed",
    DetailsCloseNothing = "details-close-nothing",
    DetailsText = "details-text",
    SummaryNotClosed = "summary-not-closed",
    CommentNotClosed = "comment-not-closed",
    HtmlShown = "html-shown",
    MathShown = "math-shown",
    Image = "image",
    MarkShown = "mark-shown",
    TableForm = "table-form",
    TableTooLarge = "table-too-large",
    GlossaryItem = "glossary-item",
    TextTooLong = "text-too-long",
    LinkWithoutTarget = "link-without-target",
    LinkKind = "link-kind",
    LinkAddress = "link-address",
    LinkNotEncrypted = "link-not-encrypted",
    AddressTooLong = "address-too-long",
    // Fenced blocks
    FenceForm = "fence-form",
    FenceNotClosed = "fence-not-closed",
    QuoteNotClosed = "quote-not-closed",
    TitleNotQuoted = "title-not-quoted",
    UnknownAttribute = "unknown-attribute",
    AttributeTwice = "attribute-twice",
    UnknownWord = "unknown-word",
    UnknownLanguage = "unknown-language",
    FigureTooWide = "figure-too-wide",
    FigureWithoutAlt = "figure-without-alt",
    LineTooWide = "line-too-wide",
    // Labs
    LabWithoutId = "lab-without-id",
    LabWithoutProgram = "lab-without-program",
    TwoPrograms = "two-programs",
    LabLanguage = "lab-language",
    LabPlace = "lab-place",
    LabInQuiz = "lab-in-quiz",
    TooManyLabs = "too-many-labs",
    UnknownDevice = "unknown-device",
    UnknownCard = "unknown-card",
    TimeForm = "time-form",
    MemoryForm = "memory-form",
    UnknownLab = "unknown-lab",
    SecondBlock = "second-block",
    HintWord = "hint-word",
    HintWithoutLab = "hint-without-lab",
    PageOfHints = "page-of-hints",
    UnknownPrediction = "unknown-prediction",
    PredictionNotAsked = "prediction-not-asked",
    ProgramSyntax = "program-syntax",
    UnknownHelper = "unknown-helper",
    LabFails = "lab-fails",
    RepairForm = "repair-form",
    LabMisjudges = "lab-misjudges",
    StarterError = "starter-error",
    EmptyProgramPasses = "empty-program-passes",
    CheckNeverMade = "check-never-made",
    MetricNotRead = "metric-not-read",
    // Quizzes
    QuizWithoutQuestions = "quiz-without-questions",
    NothingCounts = "nothing-counts",
    TooManyQuestions = "too-many-questions",
    UnknownType = "unknown-type",
    PointsRange = "points-range",
    NotGraded = "not-graded",
    DoesNotCount = "does-not-count",
    SeeForm = "see-form",
    UnknownPage = "unknown-page",
    AskRange = "ask-range",
    AlwaysWithoutAsk = "always-without-ask",
    UnequalPoints = "unequal-points",
    KeyDisagrees = "key-disagrees",
    KeyNotUsed = "key-not-used",
    Guessable = "guessable",
    // Choices: `single`, `multi`, `order`, `match`
    ChoiceCount = "choice-count",
    SameText = "same-text",
    NoRightOption = "no-right-option",
    SeveralRightOptions = "several-right-options",
    PinValue = "pin-value",
    NoFeedback = "no-feedback",
    LongRightOption = "long-right-option",
    UnknownItem = "unknown-item",
    IncompleteOrder = "incomplete-order",
    WeightForm = "weight-form",
    // Numbers, texts and own words
    ToleranceForm = "tolerance-form",
    AnswerOutsideRange = "answer-outside-range",
    AcceptedWithoutUnit = "accepted-without-unit",
    UnitNotConvertible = "unit-not-convertible",
    UnknownUnit = "unknown-unit",
    AcceptPattern = "accept-pattern",
    PartsCount = "parts-count",
    // Predictions
    UnknownMetric = "unknown-metric",
    MetricUnit = "metric-unit",
    BinsAndNumber = "bins-and-number",
    WithinFactor = "within-factor",
    EmptyBin = "empty-bin",
    BinsOverlap = "bins-overlap",
    BinsGap = "bins-gap",
    TruthInNoBin = "truth-in-no-bin",
    TruthDiffers = "truth-differs",
    MetricNotGiven = "metric-not-given",
    // Versions of a question
    VersionsNotAllowed = "versions-not-allowed",
    OneVersion = "one-version",
    DrawForm = "draw-form",
    Expression = "expression",
    FixedInVersions = "fixed-in-versions",
    UnknownName = "unknown-name",
    UnusedName = "unused-name",
    UnfilledName = "unfilled-name",
    // Editions
    RemovedId = "removed-id",
    RenamedId = "renamed-id",
    ChangedKey = "changed-key",
    ChangedPoints = "changed-points",
    // Other files
    Setting = "setting",
    UnknownQuestion = "unknown-question",
    AnswerForm = "answer-form",
}

impl Rule {
    /// What `docs/authoring/rules.md` says about it, as Markdown: first what it means, in a paragraph.
    pub fn explained(self) -> &'static str {
        let heading = format!("\n### {}\n", self.name());
        let Some((_, rest)) = EXPLAINED.split_once(&heading) else {
            return "";
        };
        // An example may hold a heading, too; nothing comes behind the fix.
        let fix = rest.find("**Fix:**").unwrap_or_default();
        let end = rest.get(fix..).and_then(|it| it.find("\n##"));
        let end = end.map_or(rest.len(), |it| fix + it);
        rest.get(..end).unwrap_or_default().trim()
    }

    /// What it means, in one paragraph of Markdown.
    pub fn meaning(self) -> &'static str {
        let explained = self.explained();
        explained.split("\n\n").next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_an_entry_and_each_entry_a_rule() {
        let headings = EXPLAINED.lines().filter_map(|it| it.strip_prefix("### "));
        let names: Vec<&str> = Rule::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(headings.collect::<Vec<_>>(), names);
    }

    #[test]
    fn names_are_kebab_case_and_unique() {
        let mut names: Vec<&str> = Rule::ALL.iter().map(|it| it.name()).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        let is_name = |it: &&str| {
            it.bytes()
                .all(|it| it.is_ascii_lowercase() || b"-8".contains(&it))
        };
        assert!(names.iter().all(is_name), "{names:?}");
    }

    #[test]
    fn each_entry_says_what_it_means_shows_an_example_and_fixes_it() {
        for rule in Rule::ALL {
            let explained = rule.explained();
            assert!(rule.meaning().ends_with('.'), "{}", rule.name());
            assert!(explained.contains("\n```"), "{}", rule.name());
            assert!(explained.contains("\n**Fix:** "), "{}", rule.name());
        }
    }
}

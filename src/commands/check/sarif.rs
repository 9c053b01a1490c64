//! The findings as SARIF 2.1.0, a format for the results of checks that code hosts and editors show.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>. `serde-sarif` has a type for each of its hundreds of properties;
//! we write twenty.

use super::findings::Findings;
use super::json::text_of;
use crate::commands::courses::OpenCourse;
use serde_json::{Value, json};
use std::fmt::Write as _;
use warpup_course::{Diagnostic, Edit, Point, Rule, Severity};

/// The findings as a log with one run. Paths begin with `folder`.
pub(super) fn log(found: &Findings, opened: &OpenCourse, folder: &str) -> Value {
    let rules: Vec<Value> = Rule::ALL.iter().map(|it| rule(*it)).collect();
    let results: Vec<Value> = found
        .diagnostics
        .iter()
        .map(|it| result(it, text_of(opened, it), folder))
        .collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "warpup",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(rule: Rule) -> Value {
    json!({
        "id": rule.name(),
        "shortDescription": { "text": in_one_line(rule.meaning()) },
        "help": { "text": rule.explained(), "markdown": rule.explained() },
    })
}

fn result(diagnostic: &Diagnostic, text: &str, folder: &str) -> Value {
    let message = match &diagnostic.hint {
        Some(hint) => format!("{}. Help: {hint}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let (start, end) = diagnostic.ends(text);
    let place = json!({ "uri": uri(folder, &diagnostic.file) });
    let mut result = json!({
        "ruleId": diagnostic.rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|it| *it == diagnostic.rule),
        "level": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": { "text": message },
        "locations": [{
            "physicalLocation": { "artifactLocation": place, "region": region(start, end) },
        }],
    });
    if let (Some(Edit { span, text: new }), Some(result)) =
        (diagnostic.edit(text), result.as_object_mut())
    {
        let deleted = region(Point::at(span.start, text), Point::at(span.end, text));
        let fix = json!({
            "description": { "text": diagnostic.hint },
            "artifactChanges": [{
                "artifactLocation": place,
                "replacements": [{ "deletedRegion": deleted, "insertedContent": { "text": new } }],
            }],
        });
        result.insert("fixes".to_owned(), json!([fix]));
    }
    result
}

/// The place up to `end`, which is not part of it.
fn region(start: Point, end: Point) -> Value {
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// The path of a file from the folder in which warpup was started, as a relative reference.
fn uri(folder: &str, file: &str) -> String {
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let path = if folder.is_empty() || folder == "." {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    };
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use warpup_course::{Rules, sample};

    /// What is found in the sample course after a mistake with a letter of three bytes in front of it.
    fn wrong() -> Value {
        let change = |text: &str| {
            text.replace(
                "A copy is never free.",
                "漢 [x](#the-bsu) A copy is never free.",
            )
        };
        let mut sources = sample::sources();
        for text in sources.files.values_mut() {
            *text = change(text).into();
        }
        let (course, diagnostics) = warpup_course::parse(&sources);
        let opened = OpenCourse {
            course,
            diagnostics,
            sources,
            rules: Rules::default(),
        };
        log(&Findings::of_files(&opened, &[]), &opened, "./my course/")
    }

    #[test]
    fn a_result_has_its_rule_place_and_fix() {
        let mut log = wrong();
        let run = &mut log["runs"][0];
        let index = run["results"][0]["ruleIndex"].take().as_u64().unwrap();
        let rule = &run["tool"]["driver"]["rules"][usize::try_from(index).unwrap()];
        assert_eq!(rule["id"], run["results"][0]["ruleId"]);
        insta::assert_snapshot!(format!("{:#}", run["results"][0]), @r#"
        {
          "fixes": [
            {
              "artifactChanges": [
                {
                  "artifactLocation": {
                    "uri": "my%20course/lessons/copies.md"
                  },
                  "replacements": [
                    {
                      "deletedRegion": {
                        "endColumn": 15,
                        "endLine": 12,
                        "startColumn": 8,
                        "startLine": 12
                      },
                      "insertedContent": {
                        "text": "the-bus"
                      }
                    }
                  ]
                }
              ],
              "description": {
                "text": "did you mean `the-bus`?"
              }
            }
          ],
          "level": "error",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "my%20course/lessons/copies.md"
                },
                "region": {
                  "endColumn": 16,
                  "endLine": 12,
                  "startColumn": 3,
                  "startLine": 12
                }
              }
            }
          ],
          "message": {
            "text": "there is no page `#the-bsu`. Help: did you mean `the-bus`?"
          },
          "ruleId": "link-without-target",
          "ruleIndex": null
        }
        "#);
    }

    /// The keys that the schema of SARIF 2.1.0 requires, by the path of the object; `*` is each entry of a list.
    const REQUIRED: [(&str, &[&str]); 10] = [
        ("", &["version", "runs"]),
        ("runs/*", &["tool"]),
        ("runs/*/tool", &["driver"]),
        ("runs/*/tool/driver", &["name"]),
        ("runs/*/tool/driver/rules/*", &["id"]),
        ("runs/*/tool/driver/rules/*/shortDescription", &["text"]),
        ("runs/*/results/*", &["message"]),
        ("runs/*/results/*/message", &["text"]),
        ("runs/*/results/*/fixes/*", &["artifactChanges"]),
        (
            "runs/*/results/*/fixes/*/artifactChanges/*",
            &["artifactLocation", "replacements"],
        ),
    ];

    fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
        let mut found = vec![value];
        for part in path.split('/').filter(|it| !it.is_empty()) {
            found = found
                .into_iter()
                .flat_map(|it| match part {
                    "*" => it.as_array().into_iter().flatten().collect::<Vec<_>>(),
                    key => it.get(key).into_iter().collect(),
                })
                .collect();
        }
        found
    }

    #[test]
    fn a_log_has_what_the_schema_requires() {
        let log = wrong();
        for (path, keys) in REQUIRED {
            let objects = at(&log, path);
            assert!(!objects.is_empty(), "{path}");
            for key in keys {
                assert!(
                    objects.iter().all(|it| it.get(key).is_some()),
                    "{path}/{key}"
                );
            }
        }
        let replacements = at(
            &log,
            "runs/*/results/*/fixes/*/artifactChanges/*/replacements/*",
        );
        assert!(
            replacements
                .iter()
                .all(|it| it.get("deletedRegion").is_some())
        );
        assert_eq!(log["version"], "2.1.0");
    }

    #[test]
    fn rules_are_unique_and_results_name_them_by_their_index() {
        let log = wrong();
        let rules = at(&log, "runs/*/tool/driver/rules/*/id");
        let names: BTreeSet<&str> = rules.iter().filter_map(|it| it.as_str()).collect();
        assert_eq!(names.len(), rules.len());
        for result in at(&log, "runs/*/results/*") {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(Some(&&result["ruleId"]), rules.get(index));
        }
    }
}

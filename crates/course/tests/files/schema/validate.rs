//! As much of JSON Schema as the schemas here use; any other keyword panics.

use serde_json::{Map, Value};
use warpup_course::toml_walk::name;

/// What is wrong with a value, with its path.
pub(super) fn mistakes(schema: &Value, value: &Value) -> Vec<String> {
    Check::of(schema, value).wrong
}

/// An object of a value: its path, and the schema that names its keys.
pub(super) type Object<'s> = (Vec<String>, &'s Map<String, Value>);

/// The objects of a value whose keys the schema knows.
pub(super) fn objects<'s>(schema: &'s Value, value: &Value) -> Vec<Object<'s>> {
    Check::of(schema, value).objects
}

struct Check<'s> {
    root: &'s Value,
    wrong: Vec<String>,
    objects: Vec<Object<'s>>,
}

/// A keyword of a schema, with the schema.
#[derive(Clone, Copy)]
struct Keyword<'s> {
    name: &'s str,
    rule: &'s Value,
    schema: &'s Map<String, Value>,
}

impl<'s> Check<'s> {
    fn of(schema: &'s Value, value: &Value) -> Self {
        let mut check = Self {
            root: schema,
            wrong: Vec::new(),
            objects: Vec::new(),
        };
        check.value(schema, value, &[]);
        check
    }

    fn value(&mut self, schema: &'s Value, value: &Value, path: &[String]) {
        let schema = schema.as_object().unwrap();
        for (name, rule) in schema {
            let keyword = Keyword { name, rule, schema };
            let holds = self.inside(keyword, value, path);
            if !holds.unwrap_or_else(|| keyword.holds(value)) {
                self.wrong.push(format!("{}: {name}", path.join(".")));
            }
        }
    }

    /// Applies a keyword about what is inside a value, or about another schema; nothing for any other keyword.
    fn inside(&mut self, keyword: Keyword<'s>, value: &Value, path: &[String]) -> Option<bool> {
        let Keyword { name, rule, schema } = keyword;
        let table = value.as_object();
        let below = |key: &str| {
            let mut path = path.to_vec();
            path.push(key.to_owned());
            path
        };
        match name {
            "$ref" => {
                let at = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let root = self.root;
                self.value(root.pointer(at).unwrap(), value, path);
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.value(rule, item, &below(&at.to_string()));
                }
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = table.and_then(|it| it.get(key)) {
                        self.value(rule, value, &below(key));
                    }
                }
            }
            "additionalProperties" => {
                assert_eq!(rule, false);
                let known = schema["properties"].as_object().unwrap();
                let Some(table) = table else {
                    return Some(true);
                };
                self.objects.push((path.to_vec(), known));
                return Some(table.keys().all(|key| known.contains_key(key)));
            }
            "allOf" => {
                for schema in rule.as_array().unwrap() {
                    self.value(schema, value, path);
                }
            }
            "anyOf" => {
                let all = rule.as_array().unwrap();
                return Some(all.iter().any(|it| mistakes(it, value).is_empty()));
            }
            "if" => {
                if mistakes(rule, value).is_empty() {
                    self.value(&schema["then"], value, path);
                }
            }
            _ => return None,
        }
        Some(true)
    }
}

impl Keyword<'_> {
    /// Whether a value keeps to a keyword about the value alone.
    fn holds(self, value: &Value) -> bool {
        let rule = self.rule;
        let list = value.as_array();
        let letters = value.as_str().map(|it| it.chars().count());
        let keys = value.as_object().map(Map::len);
        let number = || rule.as_f64().unwrap();
        let count = || usize::try_from(rule.as_u64().unwrap()).unwrap();
        match self.name {
            "$schema" | "$defs" | "title" | "description" | "then" => true,
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => is_of_type(value, rule.as_str().unwrap()),
            "pattern" => value
                .as_str()
                .is_none_or(|it| matches(it, rule.as_str().unwrap())),
            "minLength" => letters.is_none_or(|it| it >= count()),
            "maxLength" => letters.is_none_or(|it| it <= count()),
            "minimum" => value.as_f64().is_none_or(|it| it >= number()),
            "maximum" => value.as_f64().is_none_or(|it| it <= number()),
            "minItems" => list.is_none_or(|it| it.len() >= count()),
            "maxItems" => list.is_none_or(|it| it.len() <= count()),
            "uniqueItems" => list.is_none_or(|all| {
                let mut all = all.iter().enumerate();
                let before = list.unwrap();
                all.all(|(at, it)| !before[..at].contains(it))
            }),
            "minProperties" => keys.is_none_or(|it| it >= count()),
            "maxProperties" => keys.is_none_or(|it| it <= count()),
            "required" => value.as_object().is_none_or(|it| {
                let mut keys = rule.as_array().unwrap().iter();
                keys.all(|key| it.contains_key(key.as_str().unwrap()))
            }),
            other => panic!("keyword {other}"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("type {other}"),
    }
}

/// Whether a text has one of the patterns that the schemas use.
fn matches(text: &str, pattern: &str) -> bool {
    match pattern {
        "^[a-z0-9]+(-[a-z0-9]+)*$" => name::is_name(text),
        "\\S" => !text.trim().is_empty(),
        "^/" => text.starts_with('/'),
        "^[0-9]+ *(MiB|GiB)$" => {
            let digits = text.trim_end_matches(|it: char| !it.is_ascii_digit());
            let unit = text.strip_prefix(digits).unwrap_or_default().trim_start();
            !digits.is_empty() && matches!(unit, "MiB" | "GiB")
        }
        "^#" => text.starts_with('#'),
        other => panic!("pattern {other}"),
    }
}

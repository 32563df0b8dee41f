//! Feeds random and mutated texts to all readers of texts: nothing panics, and valid texts stay
//! valid when printed.

use super::fixture::{document, params};
use super::typed::print_formula;
use super::*;
use crate::ground::{Atom, Value};
use taskloom_document::{Name, Param};
use testkit::counts::{is_sample, on_all_cores, seeds};

/// Steele, Lea & Flood's SplitMix64 (2014): the same texts on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// The number of texts that are generated from the same seed.
const TEXTS: usize = 300;

const WORDS: [&str; 72] = [
    "at",
    "has",
    "box_open",
    "near",
    "ammo",
    "distance",
    "place_of",
    "can_open",
    "loops",
    "box",
    "shed",
    "key",
    "guard",
    "walk-to",
    "get",
    "WalkTo",
    "nonsense",
    "?place",
    "?who",
    "?p",
    "?",
    "place",
    "item",
    "object",
    "3",
    "0",
    "2.5",
    "1.",
    "99999999999999999999",
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "count",
    "sum ?p: place.",
    "min",
    "max ?w.",
    "of",
    "abs",
    "sqrt(",
    "floor",
    "ceil(",
    "count ?i: item.",
    "true",
    "false",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    ":=",
    "+=",
    "-=",
    "+",
    "-",
    "*",
    "/",
    "(",
    ")",
    ",",
    ":",
    ".",
    "->",
    "&&",
    "!",
    "\"",
    "é",
    "\u{0}",
];

const VALID: [&str; 18] = [
    "at(box) and not has(key) or can_open(?place)",
    "exists ?p: place, ?q: place. near(?p, place_of(?who)) and ?p != ?q",
    "place_of(guard) = shed and ammo >= 2 * distance(box, ?place) + 1",
    "(box_open imply at(box)) and (forall ?i: item. has(?i))",
    "-ammo / 2 - (1 - ammo)",
    "count ?p: place. not at(?p) >= min(2, ammo) or sum ?i: item. ammo * 2 != 3",
    "max ?p: place. distance(?p, ?place) of (at(?p) or has(key)) - sqrt(abs(ammo))",
    "sum ?p: place, ?q: place. (min ?w: agent. distance(?p, place_of(?w))) of near(?p, ?q) > 1",
    "ammo += floor(max ?p: place. distance(?p, box)) when count ?i: item. has(?i) = ceil(0.5)",
    "forall ?p: place. not at(?p) when ?p != ?place",
    "place_of(?who) := ?place when box_open",
    "ammo -= 1",
    "walk-to(place_of(?who))",
    "get(key)",
    "WalkTo(?place)",
    "not at(shed)",
    "place_of(guard) = box",
    "ammo = 3",
];

fn text(random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(2) == 0 {
        for _ in 0..random.below(24) {
            text.push_str(random.pick(&WORDS));
            text.push_str(random.pick(&["", " ", " ", "("]));
        }
        return text;
    }
    text.push_str(random.pick(&VALID));
    for _ in 0..random.below(4) {
        let marks: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut mark = || {
            let chosen = random.below(marks.len() + 1);
            marks.get(chosen).copied().unwrap_or(text.len())
        };
        let (a, b) = (mark(), mark());
        let part = text[a.min(b)..a.max(b)].to_owned();
        match random.below(4) {
            0 => text.insert_str(a, random.pick(&WORDS)),
            1 => text.replace_range(a.min(b)..a.max(b), ""),
            2 => text.insert_str(a, &part),
            _ => text.replace_range(a.min(b)..a.max(b), random.pick(&WORDS)),
        }
    }
    text
}

/// A world in which every fact has its default.
struct Nothing;

impl World for Nothing {
    fn value(&self, atom: &Atom) -> Value {
        match atom.fact.as_str() {
            "ammo" | "distance" => Value::Number(0.0),
            "place_of" => Value::Object(None),
            _ => Value::Bool(false),
        }
    }
    fn objects(&self, of: &Name) -> Vec<Name> {
        vec![of.clone()]
    }
    fn condition(&self, _: &Name) -> Option<(&[Param], &typed::Formula)> {
        None
    }
}

/// Asserts that a valid text reads the same after printing.
fn prints_what_it_reads(text: &str, scope: &Scope) {
    let parsed = parse_expr(text);
    let printed = print_expr(&parsed.value);
    if parsed.errors.is_empty() {
        let again = parse_expr(&printed);
        assert_eq!(again.errors, [], "{text}");
        assert_eq!(print_expr(&again.value), printed, "{text}");
    }
    let effect = parse_effect(text);
    let printed = print_effect(&effect.value);
    if effect.errors.is_empty() {
        assert_eq!(
            print_effect(&parse_effect(&printed).value),
            printed,
            "{text}"
        );
    }
    if let Some(formula) = read_formula(text, scope).value {
        let printed = print_formula(&formula);
        let again = read_formula(&printed, scope).value;
        let again = again.unwrap_or_else(|| panic!("{text} printed as {printed}"));
        assert_eq!(print_formula(&again), printed, "{text}");
        let objects = [Name::new("box").unwrap(), Name::new("guard").unwrap()];
        let env = Env::bound(&scope.variables, &objects);
        let why_not = explain(&formula, &Nothing, &env);
        match eval_formula(&formula, &Nothing, &env) {
            Ok(holds) => assert_eq!(why_not.map(|parts| parts.is_empty()), Ok(holds), "{text}"),
            Err(error) => assert!(!error.is_missing_value(), "{text}"),
        }
    }
}

/// Reads texts in every role. Returns the number of readings without mistakes.
fn read_texts(mut random: Random) -> usize {
    let document = document();
    let scope = Scope::of_domain(&document, params("?place: place, ?who: agent"));
    let roles = [
        TextRole::Formula,
        TextRole::Number,
        TextRole::Object,
        TextRole::Effect,
        TextRole::TaskCall,
        TextRole::ActionCall,
        TextRole::Query,
        TextRole::Initial,
    ];
    let mut right = 0;
    for _ in 0..TEXTS {
        let text = text(&mut random);
        let highlighted = highlight(&text);
        assert!(
            highlighted
                .iter()
                .all(|(span, _)| text.get(span.range()).is_some())
        );
        prints_what_it_reads(&text, &scope);
        for role in roles {
            let mistakes = mistakes(&text, role, &scope);
            right += usize::from(mistakes.is_empty());
            for mistake in mistakes {
                assert!(
                    text.get(mistake.span.range()).is_some(),
                    "{text}: {mistake:?}"
                );
            }
        }
        let role = roles[random.below(roles.len())];
        let offset = random.below(text.len() + 2);
        for candidate in complete(&text, offset, role, &scope) {
            assert!(
                text.get(candidate.replace.range()).is_some(),
                "{text} at {offset}"
            );
        }
    }
    right
}

#[test]
fn no_text_panics() {
    let right = on_all_cores(seeds(1_000), |seed| read_texts(Random(seed)));
    let count = right.len() * TEXTS;
    let right: usize = right.into_iter().sum();
    assert!(
        is_sample() || right > count / 20,
        "too few texts were right: {right} of {count}"
    );
}

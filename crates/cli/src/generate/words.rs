//! Plausible names for generated records.

use std::collections::BTreeSet;

use super::random::Random;

pub const VERBS: [&str; 20] = [
    "build", "carry", "clean", "close", "count", "feed", "fetch", "fill", "guard", "light", "load",
    "mend", "move", "open", "paint", "repair", "search", "stack", "wash", "weigh",
];
const SITES: [&str; 20] = [
    "abbey", "castle", "east", "forest", "harbour", "hill", "inner", "lower", "market", "mill",
    "new", "north", "old", "orchard", "outer", "quarry", "river", "south", "upper", "west",
];
const THINGS: [&str; 20] = [
    "anvil", "barn", "barrel", "bridge", "cart", "crane", "fence", "forge", "gate", "kiln",
    "ladder", "lamp", "loom", "oven", "plough", "press", "roof", "sluice", "stove", "well",
];
const STATES: [&str; 10] = [
    "broken", "clean", "closed", "full", "guarded", "lit", "open", "ready", "safe", "wet",
];

/// Generates each name only once.
#[derive(Default)]
pub struct Words {
    taken: BTreeSet<String>,
    tasks: usize,
}

impl Words {
    pub fn fact(&mut self, random: &mut Random, is_number: bool) -> String {
        let state = match is_number {
            true => "stock",
            false => random.pick(&STATES),
        };
        let subject = format!("{}_{}", random.pick(&SITES), random.pick(&THINGS));
        self.fresh(format!("{subject}_{state}"), "_")
    }

    pub fn condition(&mut self, random: &mut Random) -> String {
        let (site, thing) = (random.pick(&SITES), random.pick(&THINGS));
        self.fresh(format!("can_use_{site}_{thing}"), "_")
    }

    pub fn action(&mut self, random: &mut Random) -> String {
        let words = [
            random.pick(&VERBS),
            random.pick(&SITES),
            random.pick(&THINGS),
        ];
        let capital = |word: &&str| {
            let (first, rest) = word.split_at(1);
            first.to_ascii_uppercase() + rest
        };
        let text: String = words.into_iter().map(capital).collect();
        self.fresh(text, "")
    }

    /// The tasks visit the sites in order.
    pub fn task(&mut self, verb: &str) -> String {
        let site = SITES[self.tasks / THINGS.len() % SITES.len()];
        let thing = THINGS[self.tasks % THINGS.len()];
        self.tasks += 1;
        self.fresh(format!("{verb}-{site}-{thing}"), "-")
    }

    fn fresh(&mut self, base: String, joint: &str) -> String {
        let mut text = base.clone();
        let mut number = 2;
        while !self.taken.insert(text.to_ascii_lowercase()) {
            text = format!("{base}{joint}{number}");
            number += 1;
        }
        text
    }
}

//! Random decisions in a run.

use crate::reference::simulate;
use taskloom_domain::Domain;
use taskloom_planner::plan::Budget;

use super::{document, name, step_of};

/// Sixteen tosses by a character that decides them in one of two modes.
fn tosses(mode: &str, duration: u32, seed: u32) -> Vec<String> {
    let tosses = "  does toss\n".repeat(16);
    let text = format!(
        "type person\n\
         object ann: person\n\
         sensor number heads\n\
         sensor number tails\n\
         action Flip {duration}\n\
         primitive head = Flip\n\
         \x20 eff heads += 1\n\
         primitive tail = Flip\n\
         \x20 eff tails += 1\n\
         compound toss\n\
         \x20 block a begin\n\
         \x20 block b random head, tail\n\
         \x20 block c task head\n\
         \x20 block d task tail\n\
         \x20 wire a.out -> b\n\
         \x20 wire b.1 -> c\n\
         \x20 wire b.2 -> d\n\
         agent player: person\n\
         \x20 {mode}\n\
         scenario s\n\
         \x20 cast ann as player\n\
         {tosses}\x20 seed {seed}\n"
    );
    let run = simulate(
        &Domain::from(&document(&text)),
        &name("s"),
        Budget::default(),
        200,
    );
    (0..run.executed.len())
        .map(|at| step_of(&run, at))
        .collect()
}

#[test]
fn reactive_decisions_draw_like_lookahead_plans() {
    for (seed, duration) in [(7, 0), (8, 0), (9, 2)] {
        let reactive = tosses("reactive", duration, seed);
        let heads = reactive.iter().filter(|toss| *toss == "head").count();
        assert!((3..=13).contains(&heads), "{reactive:?}");
        assert_eq!(reactive, tosses("failure 1", duration, seed));
    }
}

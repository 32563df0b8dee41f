//! A crowd: villagers with goals and beliefs, who share orchards.
//!
//! Ten villagers share an orchard with twenty trees, which are within the reach of each of them. A villager
//! picks fruit and eats it when hungry, sleeps when tired, and otherwise fills the pantry. It sees which
//! trees bear fruit where it is.

use std::fmt::Write;

/// The number of villagers who share an orchard.
const SHARING: usize = 10;

/// The number of trees of an orchard.
pub const TREES: usize = 20;

/// The number of places of an orchard.
const PLACES: usize = 4;

/// Returns the number of trees of this many villagers.
pub fn trees(villagers: usize) -> usize {
    villagers.div_ceil(SHARING) * TREES
}

/// Returns the numbers of the villager that gets hungry and of the tree that bears fruit at a tick.
pub fn next(tick: usize, villagers: usize) -> (usize, usize) {
    (tick * 7 % villagers, tick * 11 % trees(villagers))
}

/// Returns a document of this many villagers, in the language of test domains; its scenario is `day`. The
/// villagers are `v0` and so on; those with numbers from `10 * n` on share the trees from `t{20 * n}` on.
pub fn crowd(villagers: usize) -> String {
    let orchards = villagers.div_ceil(SHARING);
    let mut text = String::from("type person\ntype place\ntype tree\n");
    for villager in 0..villagers {
        let _ = writeln!(text, "object v{villager}: person");
    }
    for place in 0..orchards * PLACES {
        let _ = writeln!(text, "object p{place}: place");
    }
    for tree in 0..orchards * TREES {
        let _ = writeln!(text, "object t{tree}: tree");
    }
    text.push_str(
        "value at(?who: person): place\nvalue home(?who: person): place\nvalue place_of(?t: tree): place\n\
         fact reach(?who: person, ?t: tree)\nfact path(?who: person, ?p: place)\n\
         sensor fact bears(?t: tree)\nfact hungry(?who: person)\nfact tired(?who: person)\n\
         memory fact carries\nmemory number pantry integer 0..9\n\
         action Walk 6\naction Pick 4\naction Eat 8\naction Sleep 40\naction Store 3\n\
         primitive walk(?to: place) = Walk()\n  pre path(?me, ?to)\n  pre at(?me) != ?to\n  eff at(?me) := ?to\n\
         primitive pick(?t: tree) = Pick()\n  pre reach(?me, ?t)\n  pre at(?me) = place_of(?t)\n  pre bears(?t)\n\
         \x20 pre not carries\n  integrity bears(?t)\n  eff carries\n  eff not bears(?t)\n\
         primitive eat = Eat()\n  pre carries\n  pre hungry(?me)\n  eff not carries\n  eff not hungry(?me)\n\
         primitive sleep = Sleep()\n  pre at(?me) = home(?me)\n  eff not tired(?me)\n\
         primitive store = Store()\n  pre at(?me) = home(?me)\n  pre carries\n  eff not carries\n  eff pantry += 1\n\
         goal fed: not hungry(?me)\n  priority 3\ngoal rested: not tired(?me)\n  priority 2\n\
         goal stocked: pantry >= 2\n  priority 1\n\
         agent villager: person\n  wants fed\n  wants rested\n  wants stocked\n  margin 0.5\n  retry 20\n\
         \x20 sense bears 4 when place_of(?t) = at(?me)\n\
         scenario day\n",
    );
    for tree in 0..orchards * TREES {
        let orchard = tree / TREES;
        let place = orchard * PLACES + tree % PLACES;
        let _ = writeln!(
            text,
            "  initial place_of(t{tree}) = p{place}\n  initial bears(t{tree})"
        );
    }
    for villager in 0..villagers {
        let orchard = villager / SHARING;
        let home = orchard * PLACES + villager % PLACES;
        let _ = writeln!(
            text,
            "  initial at(v{villager}) = p{home}\n  initial home(v{villager}) = p{home}"
        );
        for tree in orchard * TREES..(orchard + 1) * TREES {
            let _ = writeln!(text, "  initial reach(v{villager}, t{tree})");
        }
        for place in orchard * PLACES..(orchard + 1) * PLACES {
            let _ = writeln!(text, "  initial path(v{villager}, p{place})");
        }
        let _ = writeln!(text, "  cast v{villager} as villager");
    }
    text
}

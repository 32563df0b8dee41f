//! Prints the results.

use std::collections::BTreeMap;

use crate::planned::{End, Planned};

/// Returns the line of a problem.
pub fn line(name: &str, one: &Planned) -> String {
    let end = match one.end {
        End::Valid => format!("{} steps", one.steps),
        End::NoPlan => "no plan".to_owned(),
        End::GaveUp => "gave up".to_owned(),
        End::Broken => "BROKEN".to_owned(),
        End::Invalid => "INVALID".to_owned(),
    };
    format!(
        "{name:<60} {end:>13} {:>9.3} s {:>12} decisions {:>7} MB",
        one.seconds(),
        one.number("decisions"),
        one.number("resident") as u64 >> 20,
    )
}

/// Prints one row per domain, one per track, and one for all.
pub fn print<'a>(planned: &'a [(&'a str, Planned)]) {
    println!(
        "\n{:<46} {:>7} {:>7} {:>9} {:>9} {:>12} {:>8}",
        "domain", "solved", "no plan", "seconds", "steps", "decisions", "peak MB"
    );
    let of_domain = |name: &'a str| name.rfind('/').map_or("", |end| &name[..end]);
    let of_track = |name: &'a str| name.find('/').map_or("", |end| &name[..end]);
    let keys: [&dyn Fn(&'a str) -> &'a str; 3] = [&of_domain, &of_track, &|_| "all"];
    for key in keys {
        let mut groups: BTreeMap<&str, Vec<&Planned>> = BTreeMap::new();
        for (name, one) in planned {
            groups.entry(key(name)).or_default().push(one);
        }
        for (group, members) in groups {
            println!("{}", row(group, &members));
        }
    }
    for (name, one) in planned {
        if matches!(one.end, End::Broken | End::Invalid) {
            println!("{}", line(name, one));
        }
    }
}

fn row(group: &str, members: &[&Planned]) -> String {
    let count = |matches: &dyn Fn(&Planned) -> bool| members.iter().filter(|m| matches(m)).count();
    let sum = |value: &dyn Fn(&Planned) -> f64| members.iter().map(|m| value(m)).sum::<f64>();
    let peak = members.iter().map(|m| m.number("resident") as u64).max();
    format!(
        "{group:<46} {:>7} {:>7} {:>9.2} {:>9} {:>12} {:>8}",
        format!("{}/{}", count(&Planned::is_solved), members.len()),
        count(&|m| m.end == End::NoPlan),
        sum(&Planned::seconds),
        sum(&|m| m.steps as f64),
        sum(&|m| m.number("decisions")),
        peak.unwrap_or(0) >> 20,
    )
}

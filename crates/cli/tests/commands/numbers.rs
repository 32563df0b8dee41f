//! Numbers in options: valid values, and the errors for invalid ones.

use std::fs;

use expect_test::expect;

use super::fixture::{PROBLEM, check, delivery, said};

/// Returns the error for an option of `plan` or `generate`, without the usage.
fn error_of(line: &str) -> String {
    let said = said(&delivery("numbers"), line);
    assert!(said.ends_with("exit 2"), "{said}");
    let first = said.lines().next().unwrap_or_default();
    first.strip_prefix("! error: ").unwrap_or(first).to_owned()
}

#[test]
fn rejects_invalid_numbers_with_the_allowed_range() {
    let seconds = "is not a number of seconds: use 0 or more";
    let bytes = "is not an amount of memory: use a number above 0, with an optional unit, as in 512M, 1.5G or 2GiB";
    let count = |what: &str| format!("is not a number of {what}: use a whole number, 0 or more");
    let blocks = "is not a number of blocks: use a whole number from 10 to 100000";
    for (option, value, expected) in [
        ("--time-limit <SECONDS>", "-1", seconds),
        ("--time-limit <SECONDS>", "-0.5", seconds),
        ("--time-limit <SECONDS>", "soon", seconds),
        ("--time-limit <SECONDS>", "nan", seconds),
        ("--memory-limit <BYTES>", "-1G", bytes),
        ("--memory-limit <BYTES>", "many", bytes),
        ("--node-limit <COUNT>", "-1", &count("decisions")),
        ("--node-limit <COUNT>", "1.5", &count("decisions")),
        ("--depth-limit <LEVELS>", "-7", &count("levels")),
        ("--trace[=<EVENTS>]", "-1", &count("events")),
        ("--blocks <COUNT>", "-1", blocks),
        ("--blocks <COUNT>", "9", blocks),
        (
            "--seed <NUMBER>",
            "-1",
            "is not a seed: use a whole number, 0 or more",
        ),
    ] {
        let name = option.split([' ', '[']).next().unwrap_or_default();
        let line = match name {
            "--blocks" => format!("generate --blocks {value}"),
            "--seed" => format!("generate --blocks 10 --seed {value}"),
            "--trace" => format!("plan domain.hddl problem.hddl --trace={value}"),
            name => format!("plan domain.hddl problem.hddl {name} {value}"),
        };
        let expected = format!("invalid value '{value}' for '{option}': '{value}' {expected}");
        assert_eq!(error_of(&line), expected);
    }
}

#[test]
fn parses_memory_sizes_with_units_and_fractions() {
    for amount in ["1.5G", "1GiB", "512MiB", "1e9", "64M", "2000000000"] {
        let line = format!("plan domain.hddl problem.hddl --memory-limit {amount}");
        let said = said(&delivery("memory"), &line);
        assert!(said.ends_with("4 steps, cost 4\nexit 0"), "{said}");
    }
}

#[test]
fn a_plan_without_steps_costs_nothing() {
    let folder = delivery("nothing");
    let problem = PROBLEM.replace("(deliver book farm)", "(go depot)");
    fs::write(folder.join("problem.hddl"), problem).expect("a file");
    fs::write(
        folder.join("plan.txt"),
        "==>\nroot 0\n0 go depot -> m-there\n<==\n",
    )
    .expect("a file");
    check(
        &folder,
        "validate domain.hddl problem.hddl plan.txt",
        expect![[r#"
            valid: 0 steps, cost 0
            exit 0"#]],
    );
}

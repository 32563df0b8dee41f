//! The commands and their options.

use std::fmt;

pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  serve [--port N] [--dev]  build the page and serve it on http://localhost:8080 (--dev: rebuild on every change)
  test                      every check and test, as continuous integration runs them
  check                     format, lints and the core's tests: the quick round while you work
  bench [NAME...]           measure the core and the page, all or those whose name contains NAME
  setup                     only install what the other commands need

Tools go to a cache folder of yours: $TASKLOOM_CACHE if set, else the system's (~/.cache/taskloom on Linux).";

pub const DEFAULT_PORT: u16 = 8080;

/// One command with its options.
#[derive(Debug, PartialEq, Eq)]
pub enum Task {
    Help,
    Setup,
    Serve {
        port: u16,
        dev: bool,
    },
    Check,
    Test,
    Bench {
        names: Vec<String>,
    },
    /// Trunk's post-build hook; see [`crate::seal`].
    Seal,
}

/// A command line that means nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake(String);

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Task, Mistake> {
    let mut arguments = arguments;
    let command = arguments.next();
    let task = match command.as_deref() {
        None | Some("help" | "--help" | "-h") => return Ok(Task::Help),
        Some("serve") => return parse_serve(arguments),
        Some("bench") => return parse_bench(arguments),
        Some("setup") => Task::Setup,
        Some("check") => Task::Check,
        Some("test") => Task::Test,
        Some("seal") => Task::Seal,
        Some(other) => return Err(Mistake(format!("There is no command `{other}`."))),
    };
    match arguments.next().as_deref() {
        None => Ok(task),
        Some("--help" | "-h") => Ok(Task::Help),
        Some(extra) => Err(Mistake(format!(
            "`{}` takes no `{extra}`.",
            command.unwrap_or_default()
        ))),
    }
}

fn parse_serve(mut arguments: impl Iterator<Item = String>) -> Result<Task, Mistake> {
    let (mut port, mut dev) = (DEFAULT_PORT, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dev" => dev = true,
            "--help" | "-h" => return Ok(Task::Help),
            "--port" | "-p" => port = parse_port(arguments.next().as_deref())?,
            other => match other.strip_prefix("--port=") {
                Some(value) => port = parse_port(Some(value))?,
                None => return Err(Mistake(format!("`serve` takes no `{other}`."))),
            },
        }
    }
    Ok(Task::Serve { port, dev })
}

fn parse_port(value: Option<&str>) -> Result<u16, Mistake> {
    let value = value.ok_or_else(|| Mistake("`--port` needs a number after it.".into()))?;
    match value.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(Mistake(format!(
            "`{value}` is no port: it is a number from 1 to 65535."
        ))),
    }
}

fn parse_bench(arguments: impl Iterator<Item = String>) -> Result<Task, Mistake> {
    let names: Vec<String> = arguments.collect();
    match names.iter().find(|name| name.starts_with('-')) {
        None => Ok(Task::Bench { names }),
        Some(help) if help == "--help" || help == "-h" => Ok(Task::Help),
        Some(option) => Err(Mistake(format!("`bench` takes no `{option}`."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(line.split_whitespace().map(String::from)).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn serve_takes_a_port_and_dev_in_any_order() {
        assert_eq!(
            parsed("serve"),
            Ok(Task::Serve {
                port: DEFAULT_PORT,
                dev: false
            })
        );
        for line in [
            "serve --dev --port 9000",
            "serve --port 9000 --dev",
            "serve --port=9000 --dev",
        ] {
            assert_eq!(
                parsed(line),
                Ok(Task::Serve {
                    port: 9000,
                    dev: true
                }),
                "{line}"
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parsed("srve"), Err("There is no command `srve`.".into()));
        assert_eq!(
            parsed("serve --port"),
            Err("`--port` needs a number after it.".into())
        );
        assert_eq!(
            parsed("serve --port 70000"),
            Err("`70000` is no port: it is a number from 1 to 65535.".into())
        );
        assert_eq!(
            parsed("test --fast"),
            Err("`test` takes no `--fast`.".into())
        );
    }

    #[test]
    fn bench_takes_names() {
        assert_eq!(
            parsed("bench latency frames"),
            Ok(Task::Bench {
                names: vec!["latency".into(), "frames".into()]
            })
        );
        assert_eq!(parsed("bench --help"), Ok(Task::Help));
    }
}

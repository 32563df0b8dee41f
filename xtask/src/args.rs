//! The commands and their options.

use std::fmt;

pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  serve [--port N] [--dev]  build the page and serve it on http://localhost:8080 (--dev: rebuild on every change)
  test                      every check and test, as continuous integration runs them
  check                     format, lints and the core's tests: the quick round while you work
  bench [NAME...]           measure the core and the page, all or those whose name contains NAME
  bench planning [...]      plan every problem of the planning competition (--help tells the options)
  setup                     only install what the other commands need

Tools go to a cache folder of yours: $TASKLOOM_CACHE if set, else the system's (~/.cache/taskloom on Linux).";

pub const PLANNING_USAGE: &str = "\
Usage: cargo xtask bench planning [NAME...] [OPTIONS]

Plans every problem of the International Planning Competition's HTN track, or those whose name contains a NAME; validates
each plan in a process of its own; prints a table by domain. The files are in the folder that TASKLOOM_IPC names, else
in ../shared/ipc2020, else the project's own in tests/hddl.

  --strategy S     first, cheapest or any (default: any)
  --time-limit N   seconds of processor time for each problem (default: 10)
  --jobs N         problems at a time (default: 1)";

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
    /// The competition's problems; see [`crate::competition`].
    BenchPlanning(Planning),
    BenchPlanningHelp,
    /// Trunk's post-build hook; see [`crate::seal`].
    Seal,
}

/// How the competition's problems are planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planning {
    /// Parts of the names of problems; empty: all.
    pub names: Vec<String>,
    pub strategy: String,
    /// Seconds of processor time.
    pub time_limit: u32,
    pub jobs: usize,
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
    if let Some(("planning", rest)) = names.split_first().map(|(a, rest)| (a.as_str(), rest)) {
        return parse_planning(rest.iter().map(String::as_str));
    }
    match names.iter().find(|name| name.starts_with('-')) {
        None => Ok(Task::Bench { names }),
        Some(help) if help == "--help" || help == "-h" => Ok(Task::Help),
        Some(option) => Err(Mistake(format!("`bench` takes no `{option}`."))),
    }
}

fn parse_planning<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<Task, Mistake> {
    let mut planning = Planning {
        names: Vec::new(),
        strategy: "any".into(),
        time_limit: 10,
        jobs: 1,
    };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (argument, None),
        };
        let mut number = || {
            let value = value.or_else(|| arguments.next());
            let number = value.and_then(|value| value.parse::<u32>().ok());
            let number = number.filter(|number| *number > 0);
            number.ok_or_else(|| Mistake(format!("`{option}` needs a number from 1 after it.")))
        };
        match option {
            "--help" | "-h" => return Ok(Task::BenchPlanningHelp),
            "--time-limit" => planning.time_limit = number()?,
            "--jobs" => planning.jobs = number()? as usize,
            "--strategy" => {
                let value = value.or_else(|| arguments.next());
                let known = value.filter(|value| ["first", "cheapest", "any"].contains(value));
                let Some(strategy) = known else {
                    return Err(Mistake("`--strategy` is first, cheapest or any.".into()));
                };
                planning.strategy = strategy.into();
            }
            other if other.starts_with('-') => {
                return Err(Mistake(format!("`bench planning` takes no `{other}`.")));
            }
            name => planning.names.push(name.into()),
        }
    }
    Ok(Task::BenchPlanning(planning))
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
    fn planning_takes_options_and_names() {
        assert_eq!(
            parsed("bench planning Rover --time-limit=60 --jobs 2 PCP --strategy first"),
            Ok(Task::BenchPlanning(Planning {
                names: vec!["Rover".into(), "PCP".into()],
                strategy: "first".into(),
                time_limit: 60,
                jobs: 2,
            }))
        );
        assert_eq!(
            parsed("bench planning --jobs none"),
            Err("`--jobs` needs a number from 1 after it.".into())
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

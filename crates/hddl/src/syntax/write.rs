//! Formats HDDL as text: one part per line, indented by two spaces per level.

use std::collections::BTreeSet;

use super::ast::{
    Action, Atom, Change, Comparison, Domain, Effect, Formula, Ident, Method, Network, Number,
    Problem, Signature, Term, Typed,
};
use taskloom_document::sort::set_of;
use taskloom_document::stop::Stop;

/// Returns the text of a domain; only a part of it if stopped.
pub fn write_domain(domain: &Domain, stop: &Stop) -> String {
    let mut out = comments(&domain.comment);
    out += &format!("(define (domain {})\n", domain.name);
    out += &format!("  (:requirements {})\n", words(&domain.requirements));
    out += &listed(":types", &domain.types);
    out += &listed(":constants", &domain.constants);
    out += &signatures(":predicates", &domain.predicates);
    out += &signatures(":functions", &domain.functions);
    for task in &domain.tasks {
        let params = typed(&task.params, "?");
        out += &format!("\n  (:task {} :parameters ({params}))\n", task.name);
    }
    for method in &domain.methods {
        out += &write_method(method, stop);
    }
    for action in &domain.actions {
        out += &write_action(action, stop);
    }
    out + ")\n"
}

/// Returns the text of a problem; only a part of it if stopped.
pub fn write_problem(problem: &Problem, stop: &Stop) -> String {
    let mut out = comments(&problem.comment);
    out += &format!("(define (problem {})\n", problem.name);
    out += &format!("  (:domain {})\n", problem.domain);
    out += &listed(":objects", &problem.objects);
    if let Some(initial) = &problem.network {
        out += &format!(
            "  (:htn\n    :parameters ({})\n{})\n",
            typed(&initial.params, "?"),
            network(initial, stop)
        );
    }
    out += "  (:init";
    for fact in problem.facts.iter().take_while(|_| !stop.after(1)) {
        out += &format!("\n    {}", atom(fact));
    }
    for (function, value) in problem.numbers.iter().take_while(|_| !stop.after(1)) {
        out += &format!("\n    (= {} {})", atom(function), decimal(*value));
    }
    out += ")\n";
    if !problem.goal.is_true() {
        out += &format!("  (:goal {})\n", formula(&problem.goal, 2, stop));
    } else if problem.network.is_none() {
        // A problem without tasks needs a goal.
        out += "  (:goal (and))\n";
    }
    for metric in &problem.metrics {
        let (direction, value) = (&metric.direction, number(&metric.value));
        out += &format!("  (:metric {direction} {value})\n");
    }
    out + ")\n"
}

fn comments(lines: &[String]) -> String {
    let line = |line: &String| format!("{}\n", format!("; {line}").trim_end());
    lines.iter().map(line).collect()
}

/// Returns a comment above a method or action. A line break in the designer's text would end it.
fn comment(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        "\n".to_owned()
    } else {
        format!("\n  ; {line}\n")
    }
}

fn words(words: &[Ident]) -> String {
    let words: Vec<&str> = words.iter().map(Ident::as_str).collect();
    words.join(" ")
}

/// Returns a type, or a union of several.
fn one_of(types: &[Ident]) -> String {
    match types {
        [] => "object".to_owned(),
        [one] => one.to_string(),
        several => format!("(either {})", words(several)),
    }
}

fn typed(list: &[Typed], mark: &str) -> String {
    let parts: Vec<_> = list
        .iter()
        .map(|t| format!("{mark}{} - {}", t.name, one_of(&t.of)))
        .collect();
    parts.join(" ")
}

/// Returns a section with one typed name per line; empty if there are none.
fn listed(section: &str, list: &[Typed]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let lines: String = list
        .iter()
        .map(|t| format!("\n    {} - {}", t.name, one_of(&t.of)))
        .collect();
    format!("  ({section}{lines})\n")
}

fn signature(signature: &Signature) -> String {
    let params = typed(&signature.params, "?");
    let blank = if params.is_empty() { "" } else { " " };
    format!("({}{blank}{params})", signature.name)
}

fn signatures(section: &str, list: &[Signature]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let lines: String = list
        .iter()
        .map(|s| format!("\n    {}", signature(s)))
        .collect();
    format!("  ({section}{lines})\n")
}

fn write_method(method: &Method, stop: &Stop) -> String {
    let mut out = comment(&method.comment);
    out += &format!("  (:method {}\n", method.signature.name);
    out += &format!(
        "    :parameters ({})\n",
        typed(&method.signature.params, "?")
    );
    out += &format!("    :task {}\n", atom(&method.task));
    if !method.precondition.is_true() {
        out += &format!(
            "    :precondition {}\n",
            formula(&method.precondition, 4, stop)
        );
    }
    out + &network(&method.network, stop) + ")\n"
}

fn write_action(action: &Action, stop: &Stop) -> String {
    let mut out = comment(&action.comment);
    out += &format!("  (:action {}\n", action.signature.name);
    out += &format!(
        "    :parameters ({})\n",
        typed(&action.signature.params, "?")
    );
    out += &format!(
        "    :precondition {}\n",
        formula(&action.precondition, 4, stop)
    );
    let effects: Vec<_> = action.effects.iter().map(|e| effect(e, stop)).collect();
    out + &format!("    :effect {})\n", block("and", &effects, 4))
}

/// Returns `(head part part)`, on one line if it is short.
fn block(head: &str, parts: &[String], indent: usize) -> String {
    let line = parts.join(" ");
    if parts.is_empty() {
        // An empty conjunction is true; an empty disjunction is false.
        return if head == "and" { "()" } else { "(or)" }.to_owned();
    }
    if parts.len() == 1 || (line.len() < 70 && !line.contains('\n')) {
        return format!("({head} {line})");
    }
    let blanks = " ".repeat(indent + 2);
    let lines: String = parts.iter().map(|p| format!("\n{blanks}{p}")).collect();
    format!("({head}{lines})")
}

/// Returns a network without a final line break. The short form is for totally ordered networks.
fn network(network: &Network, stop: &Stop) -> String {
    let label = |n: usize| format!("t{}", n + 1);
    let lines: String = network
        .tasks
        .iter()
        .enumerate()
        .map(|(n, task)| format!("\n      ({} {})", label(n), atom(task)))
        .collect();
    let mut constraints = String::new();
    if !network.constraints.is_true() {
        let text = formula(&network.constraints, 4, stop);
        constraints = format!("\n    :constraints {text}");
    }
    if network.tasks.is_empty() {
        return format!("    :ordered-subtasks (){constraints}");
    }
    let order: BTreeSet<_> = set_of(&network.order);
    let total = (1..network.tasks.len()).all(|n| order.contains(&(n - 1, n)));
    if total {
        return format!("    :ordered-subtasks (and{lines}){constraints}");
    }
    let mut out = format!("    :subtasks (and{lines})");
    if !network.order.is_empty() {
        let pairs: Vec<_> = network
            .order
            .iter()
            .map(|(a, b)| format!("(< {} {})", label(*a), label(*b)))
            .collect();
        out += &format!("\n    :ordering (and {})", pairs.join(" "));
    }
    out + &constraints
}

fn atom(atom: &Atom) -> String {
    let mut out = format!("({}", atom.name);
    for arg in &atom.args {
        out += " ";
        out += &term(arg);
    }
    out + ")"
}

fn term(term: &Term) -> String {
    match term {
        Term::Variable(name) => format!("?{name}"),
        Term::Constant(name) => name.to_string(),
    }
}

/// Returns a number without exponent: PDDL has none.
fn decimal(number: f64) -> String {
    number.to_string()
}

fn number(value: &Number) -> String {
    match value {
        Number::Constant(n) if *n < 0.0 => format!("(- {})", decimal(-n)),
        Number::Constant(n) => decimal(*n),
        Number::Function(function) => atom(function),
        Number::Arithmetic(operator, a, b) => {
            format!("({operator} {} {})", number(a), number(b))
        }
        Number::Negative(a) => format!("(- {})", number(a)),
    }
}

fn formula(value: &Formula, indent: usize, stop: &Stop) -> String {
    if stop.after(1) {
        return String::new();
    }
    match value {
        Formula::Atom(a) => atom(a),
        Formula::Equal(a, b) => format!("(= {} {})", term(a), term(b)),
        Formula::Compare(comparison, a, b) => {
            let sign = match comparison {
                Comparison::Equal => "=",
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
            };
            format!("({sign} {} {})", number(a), number(b))
        }
        Formula::Not(part) => format!("(not {})", formula(part, indent, stop)),
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| formula(p, indent + 2, stop)).collect();
            block("and", &parts, indent)
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| formula(p, indent + 2, stop)).collect();
            block("or", &parts, indent)
        }
        Formula::Imply(a, b) => format!(
            "(imply {} {})",
            formula(a, indent, stop),
            formula(b, indent, stop)
        ),
        Formula::Forall(params, body) => {
            format!(
                "(forall ({}) {})",
                typed(params, "?"),
                formula(body, indent, stop)
            )
        }
        Formula::Exists(params, body) => {
            format!(
                "(exists ({}) {})",
                typed(params, "?"),
                formula(body, indent, stop)
            )
        }
        Formula::OfType(of, types) => format!("(sortof {} - {})", term(of), one_of(types)),
    }
}

fn effect(effect: &Effect, stop: &Stop) -> String {
    if stop.after(1) {
        return String::new();
    }
    let change = match &effect.change {
        Change::Add(fact) => atom(fact),
        Change::Delete(fact) => format!("(not {})", atom(fact)),
        Change::Assign(function, value) => format!("(assign {} {})", atom(function), number(value)),
        Change::Increase(function, value) => {
            format!("(increase {} {})", atom(function), number(value))
        }
        Change::Decrease(function, value) => {
            format!("(decrease {} {})", atom(function), number(value))
        }
    };
    let change = match effect.when.is_true() {
        true => change,
        false => format!("(when {} {change})", formula(&effect.when, 6, stop)),
    };
    match effect.forall.is_empty() {
        true => change,
        false => format!("(forall ({}) {change})", typed(&effect.forall, "?")),
    }
}

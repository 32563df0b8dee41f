//! The head of a file: what it is, how it is used, its limitations.

use super::parts::Domain;
use super::write::Text;

/// Writes the comment, and the beginning of the namespace.
pub fn write(file: &mut Text, domain: &Domain) {
    file.put("// $title$\n", &[("title", &domain.title)]);
    if !domain.note.is_empty() {
        file.put("//\n", &[]);
    }
    for line in &domain.note {
        file.put("// $line$\n", &[("line", line)]);
    }
    file.put(
        "\
//
// Written by Taskloom; do not edit, export again. To use it:
// 1. Put this file and the folder Taskloom, which came with it, into your project.
// 2. Derive a class from $agent$ and fill in its sensors and actions. An
//    action is called at every tick while its task runs, with the ticks since its
//    start, until it answers something else than Running.
// 3. Tell it what it knows: agent.Memory[Facts...] = ..., and of objects that this
//    file does not name: agent.Things.Add(...).
// 4. agent.Pursue(new ...Task()), then agent.Tick() as often as it may think (in
//    Unity from a MonoBehaviour's FixedUpdate).
",
        &[("agent", &domain.agent)],
    );
    if domain.uses_me {
        file.put(
            "\
// Tasks are about who does them: before Pursue, agent.Me = Objects...., or an object of
// your own that Things has.
",
            &[],
        );
    }
    if !domain.goals.is_empty() {
        file.put(
            "\
// The end of a plan may have to be of a kind: agent.Goal = Goals....
",
            &[],
        );
    }
    if domain.cheapest {
        file.put(
            "\
// Its plans are the cheapest, not the first ones: agent.Cheapest says so.
",
            &[],
        );
    }
    if !domain.left_out.is_empty() {
        file.put("//\n// Limitations:\n", &[]);
    }
    for line in &domain.left_out {
        file.put("// - $line$\n", &[("line", line)]);
    }
    file.put(
        "
namespace $namespace$
{
",
        &[("namespace", &domain.namespace)],
    );
}

//! The text of a domain in C#, written by filling in templates of a few lines each.

use super::header;
use super::parts::{Class, Condition, Domain, Fact, Goal, Method, Object};
use taskloom_document::stop::Stop;

mod tasks;

/// Returns the file of a domain; only a part of it if the stop was requested.
pub fn domain(domain: &Domain, stop: &Stop) -> String {
    let mut file = Text {
        text: String::new(),
        stop,
    };
    header::write(&mut file, domain);
    for class in &domain.types {
        file.class(class);
    }
    file.objects(&domain.objects);
    file.facts(domain);
    file.questions(domain);
    file.goals(&domain.goals);
    file.agent(domain);
    for task in &domain.primitives {
        file.primitive(task);
    }
    for task in &domain.compounds {
        file.compound(task);
    }
    file.put("}\n", &[]);
    file.text
}

/// A partially written file.
pub struct Text<'s> {
    text: String,
    stop: &'s Stop,
}

impl Text<'_> {
    /// Appends a template with each `$name$` in it replaced.
    pub fn put(&mut self, template: &str, values: &[(&str, &str)]) {
        if self.stop.after(1) {
            return;
        }
        for (n, part) in template.split('$').enumerate() {
            let value = values.iter().find(|(name, _)| n % 2 == 1 && *name == part);
            self.text.push_str(value.map_or(part, |(_, value)| value));
        }
    }

    fn summary(&mut self, lines: &[String], indent: &str) {
        let indent = ("indent", indent);
        match lines {
            [] => {}
            [line] => {
                let template = "$indent$/// <summary>$line$</summary>\n";
                self.put(template, &[indent, ("line", line)]);
            }
            lines => {
                self.put("$indent$/// <summary>\n", &[indent]);
                for line in lines {
                    self.put("$indent$/// $line$\n", &[indent, ("line", line)]);
                }
                self.put("$indent$/// </summary>\n", &[indent]);
            }
        }
    }

    fn class(&mut self, class: &Class) {
        self.summary(&class.doc, "    ");
        self.put(
            "    public class $class$ : $base$
    {
        public $class$(string name) : base(name)
        {
        }
    }

",
            &[("class", &class.class), ("base", &class.base)],
        );
    }

    fn objects(&mut self, objects: &[Object]) {
        self.put(
            "    /// <summary>The objects that the domain defines.</summary>
    public static class Objects
    {
",
            &[],
        );
        for object in objects {
            self.summary(&object.doc, "        ");
            self.put(
                "        public static readonly $class$ $field$ = new $class$(\"$text$\");\n",
                &[
                    ("class", &object.class),
                    ("field", &object.field),
                    ("text", &object.text),
                ],
            );
        }
        if !objects.is_empty() {
            self.put("\n", &[]);
        }
        self.put(
            "        public static readonly global::Taskloom.Thing[] All =\n        {\n",
            &[],
        );
        for object in objects {
            self.put("            $field$,\n", &[("field", &object.field)]);
        }
        self.put("        };\n    }\n", &[]);
    }

    fn facts(&mut self, domain: &Domain) {
        self.put(
            "
    /// <summary>Facts, and ground facts: facts applied to objects.</summary>
    public static class Facts
    {
",
            &[],
        );
        for fact in &domain.facts {
            let values = [
                ("agent", domain.agent.as_str()),
                ("field", &fact.field),
                ("text", &fact.text),
                ("sensor", &fact.sensor),
                ("from_args", &fact.from_args),
                ("range", &fact.range),
            ];
            self.put(
                "        public static readonly global::Taskloom.Fact $field$ = new global::Taskloom.Fact(\"$text$\", ",
                &values,
            );
            let ask = if fact.sensor.is_empty() {
                "null"
            } else {
                "(agent, args) => (($agent$)agent).$sensor$($from_args$)"
            };
            self.put(ask, &values);
            self.put("$range$);\n", &values);
        }
        for fact in &domain.facts {
            self.put("\n", &[]);
            self.summary(&fact.doc, "        ");
            self.put(
                "        public static global::Taskloom.Atom $atom$($params$)
        {
            return new global::Taskloom.Atom($field$$comma$$args$);
        }
",
                &[
                    ("atom", &fact.atom),
                    ("params", &fact.params),
                    ("field", &fact.field),
                    ("comma", comma(&fact.args)),
                    ("args", &fact.args),
                ],
            );
        }
        self.put("    }\n", &[]);
    }

    fn questions(&mut self, domain: &Domain) {
        self.put(
            "
    /// <summary>Queries on a state: facts and named conditions.</summary>
    public static class Questions
    {
",
            &[],
        );
        for (n, fact) in domain.facts.iter().enumerate() {
            if n > 0 {
                self.put("\n", &[]);
            }
            self.question(fact, &domain.home);
        }
        for condition in &domain.conditions {
            self.condition(condition);
        }
        self.put("    }\n", &[]);
    }

    fn question(&mut self, fact: &Fact, home: &str) {
        self.put(
            "        public static $value$ $asked$(this global::Taskloom.State s$comma$$params$)
        {
            return $read$($home$Facts.$atom$($args$));
        }
",
            &[
                ("value", &fact.value),
                ("asked", &fact.asked),
                ("comma", comma(&fact.params)),
                ("params", &fact.params),
                ("read", &fact.read),
                ("home", home),
                ("atom", &fact.atom),
                ("args", &fact.args),
            ],
        );
    }

    fn condition(&mut self, condition: &Condition) {
        self.put("\n", &[]);
        self.summary(&condition.doc, "        ");
        self.put(
            "        public static bool $asked$(this global::Taskloom.State s$comma$$params$)
        {
            return $formula$;
        }
",
            &[
                ("asked", &condition.asked),
                ("comma", comma(&condition.params)),
                ("params", &condition.params),
                ("formula", &condition.formula),
            ],
        );
    }

    fn goals(&mut self, goals: &[Goal]) {
        if goals.is_empty() {
            return;
        }
        self.put(
            "
    /// <summary>The goals of scenarios, for an agent's Goal.</summary>
    public static class Goals
    {
",
            &[],
        );
        for (n, goal) in goals.iter().enumerate() {
            if n > 0 {
                self.put("\n", &[]);
            }
            self.summary(&goal.doc, "        ");
            self.put(
                "        public static bool $method$(global::Taskloom.State s)
        {
            return $formula$;
        }
",
                &[("method", &goal.method), ("formula", &goal.formula)],
            );
        }
        self.put("    }\n", &[]);
    }

    fn agent(&mut self, domain: &Domain) {
        self.put(
            "
    /// <summary>The agent: its sensors observe the world, its actions change it.</summary>
    public abstract class $agent$ : global::Taskloom.Agent
    {
        protected $agent$()
        {
            foreach (var thing in Objects.All)
            {
                Things.Add(thing);
            }
$cheapest$        }
",
            &[
                ("agent", &domain.agent),
                (
                    "cheapest",
                    if domain.cheapest {
                        "            Cheapest = true;\n"
                    } else {
                        ""
                    },
                ),
            ],
        );
        for sensor in &domain.sensors {
            self.put("\n", &[]);
            self.summary(&sensor.doc, "        ");
            self.put(
                "        public abstract $value$ $sensor$($params$);\n",
                &[
                    ("value", &sensor.value),
                    ("sensor", &sensor.sensor),
                    ("params", &sensor.params),
                ],
            );
        }
        for Method {
            doc,
            method,
            params,
        } in &domain.actions
        {
            self.put("\n", &[]);
            self.summary(doc, "        ");
            self.put(
                "        public abstract global::Taskloom.ActionStatus $method$($params$int tick);\n",
                &[("method", method), ("params", params)],
            );
        }
        self.put("    }\n", &[]);
    }
}

/// Returns the separator before a list, if the list isn't empty.
fn comma(list: &str) -> &'static str {
    if list.is_empty() { "" } else { ", " }
}

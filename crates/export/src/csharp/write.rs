//! The text of a domain in C#: templates of a few lines each, filled in.

use super::header;
use super::parts::{
    Argument, Class, CompoundTask, Condition, Domain, Fact, Goal, Method, Object, PrimitiveTask,
    Task, declared, passed,
};
use super::statements::{Function, Line, Statement};
use taskloom_document::stop::Stop;

/// The file of a domain; a part of it where the stop was heard.
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

/// A file as far as it is written.
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
            "    /// <summary>The objects that the domain names.</summary>
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
    /// <summary>Facts, and ground facts: a fact with objects for its arguments.</summary>
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
    /// <summary>What can be asked of a state: facts and named conditions.</summary>
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
    /// <summary>What holds at the end of scenarios, for an agent's Goal.</summary>
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
    /// <summary>The agent: its sensors say what is so, its actions do something about it.</summary>
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

    fn primitive(&mut self, task: &PrimitiveTask) {
        self.task("PrimitiveTask", &task.task);
        self.asks("Completion", &task.completion);
        if let Some(cost) = &task.cost {
            self.answers("double Cost(global::Taskloom.State s)", cost);
        }
        for (method, lines) in [("Predict", &task.predict), ("Execute", &task.execute)] {
            if !lines.is_empty() {
                self.put(
                    "
        public override void $method$(global::Taskloom.State before, global::Taskloom.State after)
        {
",
                    &[("method", method)],
                );
                self.statements(lines);
                self.put("        }\n", &[]);
            }
        }
        if let Some(run) = &task.run {
            self.answers(
                "global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)",
                run,
            );
        }
        self.put("    }\n", &[]);
    }

    fn compound(&mut self, task: &CompoundTask) {
        self.task("CompoundTask", &task.task);
        for function in &task.functions {
            self.function(function);
        }
        self.put("    }\n", &[]);
    }

    /// The beginning of a task's class: fields, constructor, and what is asked of every task.
    fn task(&mut self, base: &str, task: &Task) {
        let Task {
            doc,
            class,
            text,
            params,
            preconditions,
            integrity,
        } = task;
        self.put("\n", &[]);
        self.summary(doc, "    ");
        let (declared, passed) = (declared(params), passed(params));
        let values: [(&str, &str); 6] = [
            ("class", class),
            ("base", base),
            ("text", text),
            ("declared", &declared),
            ("comma", comma(&passed)),
            ("passed", &passed),
        ];
        self.put(
            "    public sealed class $class$ : global::Taskloom.$base$\n    {\n",
            &values,
        );
        for Argument { of, name } in params {
            let field = "        internal readonly $of$ $name$;\n";
            self.put(field, &[("of", of), ("name", name)]);
        }
        if !params.is_empty() {
            self.put("\n", &[]);
        }
        self.put(
            "        public $class$($declared$)
            : base(\"$text$\"$comma$$passed$)
        {
",
            &values,
        );
        for Argument { name, .. } in params {
            self.put("            this.$name$ = $name$;\n", &[("name", name)]);
        }
        self.put("        }\n", &[]);
        self.asks("Precondition", preconditions);
        self.asks("Integrity", integrity);
    }

    fn asks(&mut self, name: &str, formula: &Option<String>) {
        if let Some(formula) = formula {
            let formula = formula.replace('\n', "\n            ");
            self.answers(&format!("bool {name}(global::Taskloom.State s)"), &formula);
        }
    }

    fn answers(&mut self, signature: &str, answer: &str) {
        self.put(
            "
        public override $signature$
        {
            return $answer$;
        }
",
            &[("signature", signature), ("answer", answer)],
        );
    }

    fn function(&mut self, function: &Function) {
        let head = if function.name.is_empty() {
            "
        public override $networks$ Decompose(global::Taskloom.State s)
"
        } else {
            "
        // From here on: $doc$
        private $networks$ $name$(global::Taskloom.State s, $params$)
"
        };
        self.put(
            head,
            &[
                (
                    "networks",
                    "global::System.Collections.Generic.IEnumerable<global::Taskloom.Network>",
                ),
                ("doc", &function.doc),
                ("name", &function.name),
                ("params", &function.params),
            ],
        );
        self.put("        {\n", &[]);
        self.statements(&function.lines);
        if function.is_empty {
            self.put("            yield break;\n", &[]);
        }
        self.put("        }\n", &[]);
    }

    fn statements(&mut self, lines: &[Line]) {
        for line in lines {
            let statement = match line.statement {
                Statement::Comment => "// $text$",
                Statement::If => "if ($text$)",
                Statement::Else => "else",
                Statement::Foreach => "foreach (var $name$ in $text$)",
                Statement::Open => "{",
                Statement::Close => "}",
                Statement::Set => "var $name$ = $text$;",
                Statement::Yield => "yield return $text$",
                Statement::Go => "foreach (var network in $name$($text$)) yield return network;",
                Statement::More | Statement::Plain => "$text$",
            };
            self.put("            $indent$", &[("indent", &line.indent)]);
            self.put(statement, &[("name", &line.name), ("text", &line.text)]);
            self.put("\n", &[]);
        }
    }
}

/// What stands before a list that follows something, if there is a list.
fn comma(list: &str) -> &'static str {
    if list.is_empty() { "" } else { ", " }
}

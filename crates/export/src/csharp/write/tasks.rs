//! The classes of tasks.

use super::super::parts::{Argument, CompoundTask, PrimitiveTask, Task, declared, passed};
use super::super::statements::{Function, Line, Statement};
use super::{Text, comma};

impl Text<'_> {
    pub(super) fn primitive(&mut self, task: &PrimitiveTask) {
        self.task("PrimitiveTask", &task.task);
        self.check("Completion", &task.completion);
        if let Some(cost) = &task.cost {
            self.getter("double Cost(global::Taskloom.State s)", cost);
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
            self.getter(
                "global::Taskloom.ActionStatus Run(global::Taskloom.Agent agent, int tick)",
                run,
            );
        }
        self.put("    }\n", &[]);
    }

    pub(super) fn compound(&mut self, task: &CompoundTask) {
        self.task("CompoundTask", &task.task);
        for function in &task.functions {
            self.function(function);
        }
        self.put("    }\n", &[]);
    }

    /// Writes the beginning of a task's class: fields, constructor, and the methods that every task
    /// has.
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
        self.check("Precondition", preconditions);
        self.check("Integrity", integrity);
    }

    fn check(&mut self, name: &str, formula: &Option<String>) {
        if let Some(formula) = formula {
            let formula = formula.replace('\n', "\n            ");
            self.getter(&format!("bool {name}(global::Taskloom.State s)"), &formula);
        }
    }

    fn getter(&mut self, signature: &str, answer: &str) {
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
        // Continues from: $doc$
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

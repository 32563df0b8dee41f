//! Random domains: two compound tasks with arbitrary flowcharts that call each other, and four
//! primitive tasks.

/// A deterministic pseudorandom number generator (Knuth's MMIX).
pub struct Draw(pub u64);

impl Draw {
    /// Returns a number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Returns one of several words.
    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// The texts that charts and tasks are drawn from.
pub struct Words {
    /// Formulas.
    pub conditions: &'static [&'static str],
    /// Effects.
    pub effects: &'static [&'static str],
    /// Arguments of tasks, in addition to the variables.
    pub objects: &'static [&'static str],
    /// `true` if some tasks are in the background.
    pub background: bool,
}

const PLAIN: Words = Words {
    conditions: &[
        "f0",
        "f1",
        "f2",
        "not f0",
        "not f1",
        "g(?t)",
        "not g(?t)",
        "f0 or f2",
        "n >= 2",
        "n < 2",
        "exists ?e: thing. g(?e) and ?e != ?t",
        "d(?t) > n",
    ],
    effects: &[
        "f0",
        "f1",
        "f2",
        "not f0",
        "not f1",
        "g(?t)",
        "not g(?t)",
        "n += 1",
        "n -= 1",
        "n := 2",
        "forall ?e: thing. g(?e) when ?e != ?t and f1",
    ],
    objects: &["x1", "x2", "x3"],
    background: true,
};

/// Returns a domain in the language of test domains.
pub fn domain(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9) + 1);
    let mut text = String::from(
        "type thing\nobject x1: thing\nobject x2: thing\nobject x3: thing\n\
         fact f0\nfact f1\nfact f2\nfact g(?t: thing)\nnumber n integer 0..4\n\
         number d(?t: thing)\n",
    );
    for number in 0..4 {
        text += &format!("primitive p{number}(?t: thing)\n");
        if draw.below(4) == 0 {
            text += &format!("  pre {}\n", draw.one(PLAIN.conditions));
        }
        for _ in 0..=draw.below(2) {
            text += &format!("  eff {}\n", draw.one(PLAIN.effects));
        }
    }
    for name in ["go", "on"] {
        text += &format!("compound {name}(?t: thing)\n");
        if draw.below(5) == 0 {
            text += &format!("  pre {}\n", draw.one(PLAIN.conditions));
        }
        chart(&mut draw, &PLAIN, &["on", "go"], &mut text);
    }
    text += "scenario s\n";
    for fact in ["f0", "f1", "f2", "g(x1)", "g(x2)", "g(x3)"] {
        if draw.below(2) == 0 {
            text += &format!("  initial {fact}\n");
        }
    }
    for object in ["x1", "x2", "x3"] {
        text += &format!("  initial d({object}) = {}\n", draw.below(4));
    }
    text + "  task go(x2)\n"
}

/// Writes a flowchart for the task that the text ends with.
pub fn chart(draw: &mut Draw, words: &Words, compounds: &[&str], text: &mut String) {
    let mut outputs: Vec<(usize, Vec<&str>)> = vec![(0, vec!["out"])];
    *text += "  block b0 begin\n";
    let count = 3 + draw.below(8);
    let mut binds = vec!["?t"];
    for number in 1..=count {
        let (block, ports) = match draw.below(8) {
            0 | 1 => (
                format!("branch {}", draw.one(words.conditions)),
                vec!["true", "false"],
            ),
            2 => ("choice one, two".to_owned(), vec!["1", "2"]),
            3 => {
                let variable = draw.one(&["?u", "?v", "?t"]);
                let mut block = format!("bind {variable}: thing");
                if draw.below(2) == 0 {
                    block += &format!(" where {}g({variable})", draw.one(&["", "not "]));
                }
                if draw.below(2) == 0 {
                    block += &format!(" by {}d({variable})", draw.one(&["", "-"]));
                }
                binds.push(variable);
                (block, vec!["out"])
            }
            4 if number == count => ("end".to_owned(), vec![]),
            _ => {
                let task = match draw.below(12) {
                    0 => draw.one(compounds),
                    _ => draw.one(&["p0", "p1", "p2", "p3"]),
                };
                let arg = match draw.below(3) {
                    0 => draw.one(words.objects),
                    1 => draw.one(&["?t"]),
                    _ => draw.one(&binds),
                };
                // Without a draw, so that the rest stays the same.
                let repeat = if number % 4 == 3 { " repeat 2" } else { "" };
                let formula = match number % 6 {
                    5 => format!(" while not g({arg})"),
                    _ => String::new(),
                };
                let background = words.background && number % 5 == 4;
                let background = if background { " background" } else { "" };
                (
                    format!("task {task}({arg}){repeat}{background}{formula}"),
                    vec!["out"],
                )
            }
        };
        *text += &format!("  block b{number} {block}\n");
        for _ in 0..=draw.below(3) / 2 {
            let (from, ports) = &outputs[outputs.len() - 1 - draw.below(outputs.len().min(4))];
            let wire = format!("  wire b{from}.{} -> b{number}\n", draw.one(ports));
            if !text.ends_with(&wire) {
                *text += &wire;
            }
        }
        if !ports.is_empty() {
            outputs.push((number, ports));
        }
    }
}

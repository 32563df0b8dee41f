//! Writes JSON with a line for each member, as people compare it.

use super::Write;

/// A JSON text that is being written.
#[derive(Default)]
pub struct Writer {
    text: String,
    /// How many lists and objects are open.
    depth: usize,
    /// Whether something stands in the innermost of them.
    has_content: bool,
}

impl Writer {
    /// The text of a value.
    pub fn write(value: &dyn Write) -> String {
        let mut writer = Self::default();
        value.write(&mut writer);
        writer.text
    }

    /// Opens a list or an object.
    pub fn begin(&mut self, bracket: &str) {
        self.word(bracket);
        self.depth += 1;
        self.has_content = false;
    }

    /// Closes it.
    pub fn end(&mut self, bracket: &str) {
        self.depth -= 1;
        if self.has_content {
            self.new_line();
        }
        self.word(bracket);
        self.has_content = true;
    }

    /// Writes an item of the list that is open.
    pub fn item(&mut self, value: &dyn Write) {
        if self.has_content {
            self.word(",");
        }
        self.new_line();
        value.write(self);
        self.has_content = true;
    }

    /// Writes the key of a member of the object that is open; its value comes next.
    pub fn key(&mut self, key: &str) {
        self.item(&key);
        self.word(": ");
    }

    /// Writes a member of the object that is open.
    pub fn field(&mut self, key: &str, value: &dyn Write) {
        self.key(key);
        value.write(self);
        self.has_content = true;
    }

    /// Writes `{ "name": content }`.
    pub fn variant(&mut self, name: &str, content: &dyn Write) {
        self.begin("{");
        self.field(name, content);
        self.end("}");
    }

    /// Writes a string in quotes.
    pub fn text(&mut self, text: &str) {
        self.word("\"");
        for letter in text.chars() {
            match letter {
                '"' => self.word("\\\""),
                '\\' => self.word("\\\\"),
                '\n' => self.word("\\n"),
                '\r' => self.word("\\r"),
                '\t' => self.word("\\t"),
                '\u{8}' => self.word("\\b"),
                '\u{c}' => self.word("\\f"),
                control if control < ' ' => self.word(&format!("\\u{:04x}", u32::from(control))),
                letter => self.text.push(letter),
            }
        }
        self.word("\"");
    }

    /// Writes what needs no quotes.
    pub fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }
}

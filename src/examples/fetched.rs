//! Fetching examples, with the planner's answers that were stored when the page was built.

use taskloom::document::Document;
use taskloom_worker::{Answer, Program, stored_answer};

use super::Example;
use crate::web::{page, worker};

impl Example {
    /// Returns the address of the stored answer, relative to the page.
    fn answer_file(&self) -> String {
        format!("examples/{}.answer", self.name)
    }

    /// Fetches the document and its stored answer, if there is a valid one. Each file may take
    /// `patience` milliseconds. Returns `None` if the document can't be fetched.
    pub fn fetch(
        &self,
        patience: u32,
    ) -> impl Future<Output = Option<(Document, Option<Answer>)>> + use<> {
        let document = page::file(&self.file(), patience);
        let answer = page::bytes(&self.answer_file(), patience);
        async move {
            let text = document.await.ok()?.as_string()?;
            let document = Document::from_json(&text).ok()?;
            let program = worker::file_name(Program::Planner);
            let answer = answer.await.ok().zip(program);
            let answer = answer.and_then(|(file, program)| stored_answer(&file, &text, &program));
            Some((document, answer))
        }
    }
}

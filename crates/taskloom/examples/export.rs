//! Exports a document for another program: `cargo run --features export --example export -- FILE FOLDER`
//! writes C#. Without a folder it lists the files that would be written.

use std::path::Path;

use taskloom::Domain;
use taskloom::export::{Export, Target, export};

const GUARDS: &str = include_str!("guards.taskloom.json");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = match arguments.first() {
        Some(file) => std::fs::read_to_string(file)?,
        None => GUARDS.to_owned(),
    };
    let Export {
        files, warnings, ..
    } = exported(&text)?;
    for warning in warnings {
        println!("not supported: {warning}");
    }
    for file in files {
        println!("{}: {} lines", file.path, file.text.lines().count());
        if let Some(folder) = arguments.get(1) {
            let path = Path::new(folder).join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            std::fs::write(path, file.text)?;
        }
    }
    Ok(())
}

/// Returns the files of a document in C#.
fn exported(text: &str) -> Result<Export, Box<dyn std::error::Error>> {
    let domain = Domain::read(text)?;
    let export = export(domain.document(), None, Target::CSharp).map_err(|wrong| {
        let lines: Vec<&str> = wrong
            .iter()
            .map(|mistake| mistake.message.as_str())
            .collect();
        lines.join("\n")
    })?;
    Ok(export)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_domain_and_its_runtime() {
        let Export { files, .. } = exported(GUARDS).expect("files");
        assert!(files.len() > 2, "{} files", files.len());
        assert!(files.iter().any(|file| file.text.contains("walk")));
    }
}

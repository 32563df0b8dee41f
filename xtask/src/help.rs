//! Builds the help, docs/help, into the page's folder.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    failure::{OnPath, Result},
    files::files_below,
    process,
};

/// The folder of the help within the page.
pub const FOLDER: &str = "help";

/// Builds the help within a page, by a command of mdBook.
pub fn build(mdbook: &mut Command, root: &Path, page: &Path) -> Result<()> {
    let folder = std::path::absolute(page.join(FOLDER)).on("find", page)?;
    let command = mdbook.args(["build", "--dest-dir"]);
    process::run(
        command.arg(&folder).arg(root.join("docs/help")),
        "build the page with `cargo xtask serve`, which installs mdBook; see docs/help for the sources.",
    )?;
    for file in unused(&folder)? {
        fs::remove_file(&file).on("remove", &file)?;
    }
    Ok(())
}

/// Returns the files of a built book that none of its pages and their scripts name: mdBook always
/// writes its own fonts, highlighter and styles, which the template doesn't load.
fn unused(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = |file: &Path| {
        file.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut rest = files_below(folder)?;
    let mut named = vec![folder.join("index.html")];
    let mut next = 0;
    while let Some(file) = named.get(next) {
        let content = fs::read(file).on("read", file)?;
        let text = String::from_utf8_lossy(&content);
        let (found, others) = rest
            .into_iter()
            .partition(|file| text.contains(&name(file)));
        rest = others;
        named.extend::<Vec<_>>(found);
        next += 1;
    }
    rest.retain(|file| !named.contains(file));
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn files_that_no_page_names_are_unused() {
        let folder = env::temp_dir().join(format!("taskloom-help-{}", std::process::id()));
        fs::create_dir_all(folder.join("fonts")).expect("a folder");
        for (name, content) in [
            ("index.html", "<a href=\"board.html\"></a>"),
            ("board.html", "<script src=\"search-1.js\"></script>"),
            ("search-1.js", "load(\"words-2.js\")"),
            ("words-2.js", ""),
            ("highlight-3.js", "highlight-3.js"),
            ("fonts/fonts-4.woff2", ""),
        ] {
            fs::write(folder.join(name), content).expect("a file");
        }
        let unused = unused(&folder).expect("a folder to read");
        let expected = ["fonts/fonts-4.woff2", "highlight-3.js"].map(|name| folder.join(name));
        assert_eq!(unused, expected);
        fs::remove_dir_all(&folder).expect("the folder to go");
    }
}

//! Opening and saving files: with the File System Access API where the browser
//! has it, with a file input and a download elsewhere.

use gloo::file::futures::read_as_bytes;
use js_sys::{Array, Object, Uint8Array};
use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, BlobPropertyBag, Event, File, FileList, FilePickerAcceptType, FileSystemFileHandle,
    FileSystemWritableFileStream, HtmlAnchorElement, HtmlInputElement, OpenFilePickerOptions,
    SaveFilePickerOptions, Url,
};

use super::error::{is_named, message};

/// A file that was picked, and may be written again without asking.
#[derive(Clone)]
pub struct Handle(FileSystemFileHandle);

/// A file that was read.
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// For saving to it; none where the browser gives no such thing.
    pub handle: Option<Handle>,
}

/// A kind of file, as pickers want it.
fn kind(description: &str, media: &str, extensions: &[&str]) -> FilePickerAcceptType {
    let extensions: Array = extensions.iter().map(|e| JsValue::from_str(e)).collect();
    let media = Array::of2(&media.into(), &extensions);
    let accept = Object::from_entries(&Array::of1(&media)).unwrap_or_default();
    let kind = FilePickerAcceptType::new();
    kind.set_description(description);
    kind.set_accept_record_from_str_to_str_sequence(accept.unchecked_ref());
    kind
}

fn document_kind() -> FilePickerAcceptType {
    kind("Taskloom document", "application/json", &[".json"])
}

/// What can be opened: a document, or the files of a planning problem together.
fn kinds_to_open() -> [FilePickerAcceptType; 2] {
    let all = &[".json", ".hddl", ".pddl"];
    let either = kind("Document or planning files", "text/plain", all);
    [either, document_kind()]
}

/// Reads the text of a file, which must be UTF-8.
pub async fn read(file: File, handle: Option<Handle>) -> Result<Opened, String> {
    let name = file.name();
    let bytes = read_as_bytes(&gloo::file::File::from(file))
        .await
        .map_err(|e| format!("{name} cannot be read: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not a text in UTF-8"))?;
    Ok(Opened { name, text, handle })
}

/// Reads the texts of files, in their order.
pub async fn read_all(files: Vec<(File, Option<Handle>)>) -> Result<Vec<Opened>, String> {
    let mut all = vec![];
    for (file, handle) in files {
        all.push(read(file, handle).await?);
    }
    Ok(all)
}

/// Lets the designer pick files; `then` hears of them, unless the picking is cancelled.
pub fn open(then: impl Fn(Result<Vec<Opened>, String>) + 'static) {
    let options = OpenFilePickerOptions::new();
    options.set_types(&kinds_to_open());
    options.set_multiple(true);
    // Asked within the very click or key: browsers open no picker long after one. What has no picker fails at once;
    // all that a picker refuses, it refuses by its promise.
    let Ok(asked) = window().show_open_file_picker_with_options(&options) else {
        return open_by_input(then);
    };
    spawn_local(async move {
        let picked = async {
            let mut files: Vec<(File, Option<Handle>)> = vec![];
            for handle in JsFuture::from(asked).await?.iter() {
                let file = JsFuture::from(handle.get_file()).await?;
                files.push((file.dyn_into()?, Some(Handle(handle))));
            }
            Ok::<_, JsValue>(files)
        };
        match picked.await {
            Ok(files) => then(read_all(files).await),
            Err(error) if is_named(&error, "AbortError") => {}
            Err(error) => then(Err(message(&error))),
        }
    });
}

/// The files of a list.
pub fn of_list(list: Option<FileList>) -> Vec<(File, Option<Handle>)> {
    let list = list.as_ref();
    let files = (0..list.map_or(0, FileList::length)).filter_map(|at| list?.get(at));
    files.map(|file| (file, None)).collect()
}

fn open_by_input(then: impl Fn(Result<Vec<Opened>, String>) + 'static) {
    let Ok(input) = document()
        .create_element("input")
        .map(|e| e.unchecked_into::<HtmlInputElement>())
    else {
        return;
    };
    input.set_type("file");
    input.set_accept(".json,application/json,.hddl,.pddl");
    input.set_multiple(true);
    // It asks the event for the input: one that held it would keep it where nothing is picked.
    let on_change = Closure::once_into_js(move |event: Event| {
        let input = event
            .target()
            .and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
        let files = of_list(input.and_then(|input| input.files()));
        if !files.is_empty() {
            spawn_local(async move { then(read_all(files).await) });
        }
    });
    input.set_onchange(Some(on_change.unchecked_ref()));
    input.click();
}

/// What became of a save.
pub enum Written {
    /// The file is written, and can be written again.
    To(Handle),
    /// The browser put it among its downloads.
    Downloaded,
    /// The designer thought better of it.
    Cancelled,
}

/// Writes a document's file: to `handle` without asking, otherwise to a file that
/// the designer picks, otherwise as a download.
pub async fn save(name: &str, text: &str, handle: Option<Handle>) -> Result<Written, String> {
    let handle = match handle {
        Some(Handle(handle)) => handle,
        None => {
            let options = SaveFilePickerOptions::new();
            options.set_types(&[document_kind()]);
            options.set_suggested_name(Some(name));
            let Ok(asked) = window().show_save_file_picker_with_options(&options) else {
                download(name, text)?;
                return Ok(Written::Downloaded);
            };
            match JsFuture::from(asked).await {
                Ok(handle) => handle,
                Err(error) if is_named(&error, "AbortError") => return Ok(Written::Cancelled),
                Err(error) => return Err(message(&error)),
            }
        }
    };
    let write = async {
        let stream = JsFuture::from(handle.create_writable()).await?;
        let stream: FileSystemWritableFileStream = stream.dyn_into()?;
        JsFuture::from(stream.write_with_str(text)?).await?;
        JsFuture::from(stream.close()).await
    };
    match write.await {
        Ok(_) => Ok(Written::To(Handle(handle))),
        Err(error) => Err(message(&error)),
    }
}

/// Offers a text as a download.
pub fn download(name: &str, text: &str) -> Result<(), String> {
    download_bytes(name, text.as_bytes())
}

/// Offers bytes as a download: a text, or by its name an archive.
pub fn download_bytes(name: &str, bytes: &[u8]) -> Result<(), String> {
    let kind = BlobPropertyBag::new();
    kind.set_type(if name.ends_with(".zip") {
        "application/zip"
    } else {
        "text/plain;charset=utf-8"
    });
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind);
    download_blob(name, &blob.map_err(|error| message(&error))?)
}

/// Offers a blob as a download.
pub fn download_blob(name: &str, blob: &Blob) -> Result<(), String> {
    let refused = |error: JsValue| message(&error);
    let address = Url::create_object_url_with_blob(blob).map_err(refused)?;
    let link: HtmlAnchorElement = document()
        .create_element("a")
        .map_err(refused)?
        .unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken hold of the blob once the click has been handled.
    gloo::timers::callback::Timeout::new(60_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn file(name: &str, bytes: &[u8]) -> File {
        let parts = Array::of1(&Uint8Array::from(bytes));
        File::new_with_u8_array_sequence(&parts, name).unwrap()
    }

    #[wasm_bindgen_test]
    async fn a_file_is_read_with_its_name() {
        let opened = read(file("box.json", "{ \"é\": 1 }".as_bytes()), None).await;
        let opened = opened.ok().unwrap();
        assert_eq!(opened.name, "box.json");
        assert_eq!(opened.text, "{ \"é\": 1 }");
        assert!(opened.handle.is_none());
    }

    #[wasm_bindgen_test]
    async fn what_is_no_text_is_told_by_name() {
        let reason = read(file("picture.png", &[0x89, b'P', b'N', b'G', 0xff]), None)
            .await
            .err();
        assert_eq!(
            reason.as_deref(),
            Some("picture.png is not a text in UTF-8")
        );
    }
}

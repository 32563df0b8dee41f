//! A file on the user's disk, with the File System API.

use std::any::Any;

use gloo::file::futures::read_as_bytes;
use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    File, FileSystemFileHandle, FileSystemHandlePermissionDescriptor, FileSystemPermissionMode,
    FileSystemWritableFileStream,
};

use super::error::{is_named, message};
use super::platform::{self, Handle, Later, Opened, Stamp};

/// A file on the user's disk.
pub struct DiskFile(pub FileSystemFileHandle);

impl platform::File for DiskFile {
    fn name(&self) -> String {
        self.0.name()
    }

    fn allow(&self) -> Later<Result<(), String>> {
        // Some browsers have handles, but no permissions.
        if !has_method(&self.0, "requestPermission") {
            return Box::pin(async { Ok(()) });
        }
        let options = FileSystemHandlePermissionDescriptor::new();
        options.set_mode(FileSystemPermissionMode::Readwrite);
        let asked = self.0.request_permission_with_descriptor(&options);
        Box::pin(async move {
            let answer = JsFuture::from(asked).await.map_err(refusal)?;
            match String::from(answer).as_str() {
                "granted" => Ok(()),
                _ => Err(NOT_ALLOWED.to_owned()),
            }
        })
    }

    fn read(&self) -> Later<Result<(String, Stamp), String>> {
        let handle = self.0.clone();
        Box::pin(async move {
            let file = file_of(&handle).await.map_err(refusal)?;
            let opened = read(file, None).await?;
            Ok((opened.text, opened.stamp))
        })
    }

    fn write(&self, text: String, basis: Option<Stamp>) -> Later<Result<Option<Stamp>, String>> {
        let handle = self.0.clone();
        Box::pin(async move { write(&handle, &text, basis).await.map_err(refusal) })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The browser writes into a copy, which replaces the file when it is closed: nobody's change gets lost in between.
async fn write(
    handle: &FileSystemFileHandle,
    text: &str,
    basis: Option<Stamp>,
) -> Result<Option<Stamp>, JsValue> {
    let stream = JsFuture::from(handle.create_writable()).await?;
    let stream: FileSystemWritableFileStream = stream.dyn_into()?;
    JsFuture::from(stream.write_with_str(text)?).await?;
    if let Some(basis) = basis
        && let Some(file) = existing(handle).await?
        && stamp_of(&file) != basis
    {
        JsFuture::from(stream.abort()).await?;
        return Ok(None);
    }
    JsFuture::from(stream.close()).await?;
    let file = file_of(handle).await?;
    Ok(Some(Stamp {
        // If somebody else has written it already, that is noticed by the size.
        size: text.len() as f64,
        modified: file.last_modified(),
    }))
}

/// Returns the file in its present state; `None` if it is gone.
async fn existing(handle: &FileSystemFileHandle) -> Result<Option<File>, JsValue> {
    match file_of(handle).await {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_named(&error, "NotFoundError") => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the file in its present state.
pub async fn file_of(handle: &FileSystemFileHandle) -> Result<File, JsValue> {
    JsFuture::from(handle.get_file()).await?.dyn_into()
}

fn stamp_of(file: &File) -> Stamp {
    Stamp {
        modified: file.last_modified(),
        size: file.size(),
    }
}

/// Reads the text of a file, which must be UTF-8.
pub async fn read(file: File, handle: Option<Handle>) -> Result<Opened, String> {
    let (name, stamp) = (file.name(), stamp_of(&file));
    let bytes = read_as_bytes(&gloo::file::File::from(file))
        .await
        .map_err(|e| format!("{name} can't be read: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} isn't UTF-8 text"))?;
    Ok(Opened {
        name,
        text,
        stamp,
        handle,
    })
}

/// Returns `true` if a value of the browser has this method.
pub fn has_method(value: &JsValue, name: &str) -> bool {
    Reflect::get(value, &name.into()).is_ok_and(|method| method.is_function())
}

const NOT_ALLOWED: &str =
    "The browser doesn't let Taskloom use this file. Allow it, or save to another file.";

/// Returns what to do about an error, if the browser's own message doesn't say.
pub fn refusal(error: JsValue) -> String {
    if is_named(&error, "NotAllowedError") || is_named(&error, "SecurityError") {
        return NOT_ALLOWED.to_owned();
    }
    if is_named(&error, "NotFoundError") {
        return "The file or its folder is gone. Save to another file.".to_owned();
    }
    message(&error)
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use js_sys::{Array, Uint8Array};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn file(name: &str, bytes: &[u8]) -> File {
        let parts = Array::of1(&Uint8Array::from(bytes));
        File::new_with_u8_array_sequence(&parts, name).unwrap()
    }

    #[wasm_bindgen_test]
    async fn files_are_read_with_their_name() {
        let opened = read(file("box.json", "{ \"é\": 1 }".as_bytes()), None).await;
        let opened = opened.ok().unwrap();
        assert_eq!(opened.name, "box.json");
        assert_eq!(opened.text, "{ \"é\": 1 }");
        assert_eq!(opened.stamp.size, 11.0);
        assert!(opened.handle.is_none());
    }

    #[wasm_bindgen_test]
    async fn files_that_are_not_text_are_reported_by_name() {
        let reason = read(file("picture.png", &[0x89, b'P', b'N', b'G', 0xff]), None)
            .await
            .err();
        assert_eq!(reason.as_deref(), Some("picture.png isn't UTF-8 text"));
    }
}

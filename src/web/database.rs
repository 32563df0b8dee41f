//! IndexedDB: one store of values by key.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
    IdbTransactionDurability, IdbTransactionMode, IdbTransactionOptions,
};

use super::error::{is_named, message};

const NAME: &str = "taskloom";
const STORE: &str = "documents";

/// Keys with their new values; none takes a key away.
pub type Changes = Vec<(String, Option<JsValue>)>;

/// The browser's own database of this page.
#[derive(Clone)]
pub struct Database(IdbDatabase);

impl Database {
    /// Opens it, and makes it where it does not exist.
    pub async fn open() -> Result<Self, String> {
        let factory = leptos::prelude::window()
            .indexed_db()
            .ok()
            .flatten()
            .ok_or("this browser keeps no data for this page")?;
        let request: IdbOpenDbRequest = factory.open_with_u32(NAME, 1).map_err(reason)?;
        let upgraded = request.clone();
        let on_upgrade = Closure::once_into_js(move |_: web_sys::Event| {
            if let Ok(Ok(database)) = upgraded.result().map(|r| r.dyn_into::<IdbDatabase>()) {
                // A store that exists already is what is wanted.
                let _ = database.create_object_store(STORE);
            }
        });
        request.set_onupgradeneeded(Some(on_upgrade.unchecked_ref()));
        let database = done(&request).await?;
        database
            .dyn_into()
            .map(Self)
            .map_err(|_| "the database did not open".to_owned())
    }

    /// The value of a key.
    pub async fn get(&self, key: &str) -> Result<Option<JsValue>, String> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        value(&store, key).await
    }

    /// The keys that begin so, in order.
    pub async fn keys(&self, prefix: &str) -> Result<Vec<String>, String> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let keys = store.get_all_keys_with_key(&range(prefix)?);
        let keys = done(&keys.map_err(reason)?).await?;
        Ok(js_sys::Array::from(&keys)
            .iter()
            .filter_map(|k| k.as_string())
            .collect())
    }

    /// The values of the keys that begin so, in the keys' order.
    pub async fn values(&self, prefix: &str) -> Result<Vec<JsValue>, String> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let values = store.get_all_with_key(&range(prefix)?);
        let values = done(&values.map_err(reason)?).await?;
        Ok(js_sys::Array::from(&values).to_vec())
    }

    /// Makes all changes or none; returns once they are on the disk.
    pub async fn write(&self, changes: &Changes) -> Result<(), String> {
        let (transaction, store) = self.begin(IdbTransactionMode::Readwrite)?;
        put(&store, changes)?;
        complete(&transaction).await
    }

    /// As [`Database::write`] where the value of `key` allows it, seen and written
    /// with nothing in between; whether it did.
    pub async fn write_if(
        &self,
        key: &str,
        allows: impl FnOnce(Option<JsValue>) -> bool,
        changes: &Changes,
    ) -> Result<bool, String> {
        let (transaction, store) = self.begin(IdbTransactionMode::Readwrite)?;
        if !allows(value(&store, key).await?) {
            return Ok(false);
        }
        put(&store, changes)?;
        complete(&transaction).await.map(|()| true)
    }

    fn begin(&self, mode: IdbTransactionMode) -> Result<(IdbTransaction, IdbObjectStore), String> {
        // Complete means on the disk, not only handed to the system.
        let options = IdbTransactionOptions::new();
        options.set_durability(IdbTransactionDurability::Strict);
        let begun = self
            .0
            .transaction_with_str_and_mode_and_options(STORE, mode, &options);
        let transaction = begun.map_err(reason)?;
        let store = transaction.object_store(STORE).map_err(reason)?;
        Ok((transaction, store))
    }
}

fn range(prefix: &str) -> Result<JsValue, String> {
    let end = format!("{prefix}\u{ffff}");
    let range = IdbKeyRange::bound(&prefix.into(), &end.into());
    range.map(JsValue::from).map_err(reason)
}

async fn value(store: &IdbObjectStore, key: &str) -> Result<Option<JsValue>, String> {
    let value = done(&store.get(&key.into()).map_err(reason)?).await?;
    Ok(Some(value).filter(|v| !v.is_undefined()))
}

fn put(store: &IdbObjectStore, changes: &Changes) -> Result<(), String> {
    for (key, value) in changes {
        match value {
            Some(value) => store.put_with_key(value, &key.into()),
            None => store.delete(&key.into()),
        }
        .map_err(reason)?;
    }
    Ok(())
}

/// The sentence of a browser's error.
fn reason(error: JsValue) -> String {
    if is_named(&error, "QuotaExceededError") {
        return "the browser's storage is full".to_owned();
    }
    message(&error)
}

async fn done(request: &IdbRequest) -> Result<JsValue, String> {
    let waiting = js_sys::Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(waiting).await {
        Ok(_) => request.result().map_err(reason),
        Err(_) => Err(match request.error() {
            Ok(Some(error)) => reason(error.into()),
            _ => "the browser refused".to_owned(),
        }),
    }
}

async fn complete(transaction: &IdbTransaction) -> Result<(), String> {
    let waiting = js_sys::Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    JsFuture::from(waiting).await.map(|_| ()).map_err(|_| {
        transaction
            .error()
            .map_or_else(|| "the write was aborted".to_owned(), |e| reason(e.into()))
    })
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn change(key: &str, text: Option<&str>) -> (String, Option<JsValue>) {
        (key.to_owned(), text.map(JsValue::from_str))
    }

    #[wasm_bindgen_test]
    async fn what_is_written_is_there_for_whoever_opens_it_next_until_it_is_taken_away() {
        let database = Database::open().await.unwrap();
        let text = |text: &str| JsValue::from_str(text);
        let first = vec![change("a-b", Some("first")), change("b-a", Some("other"))];
        database.write(&first).await.unwrap();
        let second = vec![
            change("a-b", Some("second")),
            change("a-a", Some("\u{1F916} é")),
        ];
        database.write(&second).await.unwrap();

        let other = Database::open().await.unwrap();
        assert_eq!(other.keys("a-").await.unwrap(), ["a-a", "a-b"]);
        assert_eq!(
            other.values("a-").await.unwrap(),
            [text("\u{1F916} é"), text("second")]
        );
        assert_eq!(other.get("b-a").await, Ok(Some(text("other"))));
        assert_eq!(other.get("c").await, Ok(None));

        let all = ["a-a", "a-b", "b-a"].map(|key| change(key, None));
        other.write(&all.into()).await.unwrap();
        assert!(database.keys("").await.unwrap().is_empty());
    }

    #[wasm_bindgen_test]
    async fn a_write_that_the_present_value_forbids_changes_nothing() {
        let database = Database::open().await.unwrap();
        database
            .write(&vec![change("guard", Some("1"))])
            .await
            .unwrap();
        let wanted = vec![change("guard", Some("2")), change("guarded", Some("x"))];
        let is = |expected: &'static str| {
            move |value: Option<JsValue>| value == Some(JsValue::from_str(expected))
        };
        assert_eq!(
            database.write_if("guard", is("0"), &wanted).await,
            Ok(false)
        );
        assert_eq!(database.get("guarded").await, Ok(None));
        assert_eq!(database.write_if("guard", is("1"), &wanted).await, Ok(true));
        assert_eq!(
            database.get("guard").await,
            Ok(Some(JsValue::from_str("2")))
        );
        let all = ["guard", "guarded"].map(|key| change(key, None));
        database.write(&all.into()).await.unwrap();
    }

    #[wasm_bindgen_test]
    async fn a_value_that_the_browser_cannot_keep_is_refused_with_its_reason() {
        let database = Database::open().await.unwrap();
        let function = js_sys::Function::new_no_args("").into();
        let wanted = vec![("f".to_owned(), Some(function))];
        let refused = database.write(&wanted).await.unwrap_err();
        assert!(refused.contains("could not be cloned"), "{refused}");
        assert!(database.keys("f").await.unwrap().is_empty());
    }
}

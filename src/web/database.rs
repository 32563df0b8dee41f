//! IndexedDB: one store of values by key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    FileSystemFileHandle, IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest,
    IdbTransaction, IdbTransactionDurability, IdbTransactionMode, IdbTransactionOptions,
};

use super::disk_file::DiskFile;
use super::error::{is_named, message};
use super::platform::{Allows, Changes, Database, Handle, Later, Value};

const NAME: &str = "taskloom";
const STORE: &str = "documents";

/// The page's database in the browser.
#[derive(Clone)]
pub struct IndexedDb(Rc<RefCell<IdbDatabase>>);

impl IndexedDb {
    /// Opens the database, and creates it if it doesn't exist.
    pub async fn open() -> Result<Self, String> {
        Ok(Self(Rc::new(RefCell::new(connect().await?))))
    }

    async fn begin(
        &self,
        mode: IdbTransactionMode,
    ) -> Result<(IdbTransaction, IdbObjectStore), String> {
        let begun = transaction(&self.0.borrow(), mode);
        let transaction = match begun {
            // The connection was closed: by the browser, or for a newer version of Taskloom.
            Err(error) if is_named(&error, "InvalidStateError") => {
                let database = connect().await?;
                let begun = transaction(&database, mode);
                self.0.replace(database);
                begun
            }
            begun => begun,
        };
        let transaction = transaction.map_err(reason)?;
        let store = transaction.object_store(STORE).map_err(reason)?;
        Ok((transaction, store))
    }
}

impl Database for IndexedDb {
    fn get(&self, key: &str) -> Later<Result<Option<Value>, String>> {
        let (database, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let (_, store) = database.begin(IdbTransactionMode::Readonly).await?;
            value(&store, &key).await
        })
    }

    fn keys(&self, prefix: &str) -> Later<Result<Vec<String>, String>> {
        let (database, prefix) = (self.clone(), prefix.to_owned());
        Box::pin(async move {
            let (_, store) = database.begin(IdbTransactionMode::Readonly).await?;
            let keys = store.get_all_keys_with_key(&range(&prefix)?);
            let keys = done(&keys.map_err(reason)?).await?;
            let keys = Array::from(&keys).into_iter().filter_map(|k| k.as_string());
            Ok(keys.collect())
        })
    }

    fn values(&self, prefix: &str) -> Later<Result<Vec<Value>, String>> {
        let (database, prefix) = (self.clone(), prefix.to_owned());
        Box::pin(async move {
            let (_, store) = database.begin(IdbTransactionMode::Readonly).await?;
            let values = store.get_all_with_key(&range(&prefix)?);
            let values = done(&values.map_err(reason)?).await?;
            Ok(Array::from(&values).iter().map(|v| from_js(&v)).collect())
        })
    }

    fn write(&self, changes: Changes) -> Later<Result<(), String>> {
        let database = self.clone();
        Box::pin(async move {
            let (transaction, store) = database.begin(IdbTransactionMode::Readwrite).await?;
            put(&transaction, &store, &changes)?;
            complete(&transaction).await
        })
    }

    fn write_if(&self, key: &str, allows: Allows, changes: Changes) -> Later<Result<bool, String>> {
        let (database, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let (transaction, store) = database.begin(IdbTransactionMode::Readwrite).await?;
            if !allows(value(&store, &key).await?.as_ref()) {
                return Ok(false);
            }
            put(&transaction, &store, &changes)?;
            complete(&transaction).await.map(|()| true)
        })
    }
}

async fn connect() -> Result<IdbDatabase, String> {
    let factory = leptos::prelude::window()
        .indexed_db()
        .ok()
        .flatten()
        .ok_or("this browser doesn't store data for this page")?;
    let request: IdbOpenDbRequest = factory.open_with_u32(NAME, 1).map_err(reason)?;
    let upgraded = request.clone();
    let on_upgrade = Closure::once_into_js(move |_: web_sys::Event| {
        if let Ok(Ok(database)) = upgraded.result().map(|r| r.dyn_into::<IdbDatabase>()) {
            // If the store already exists, that is fine.
            let _ = database.create_object_store(STORE);
        }
    });
    request.set_onupgradeneeded(Some(on_upgrade.unchecked_ref()));
    let database: IdbDatabase = done(&request)
        .await?
        .dyn_into()
        .map_err(|_| "the database couldn't be opened")?;
    // A newer version of Taskloom in another tab can't open the database until this one is closed.
    let closing = database.clone();
    let on_newer = Closure::once_into_js(move |_: web_sys::Event| closing.close());
    database.set_onversionchange(Some(on_newer.unchecked_ref()));
    Ok(database)
}

fn transaction(
    database: &IdbDatabase,
    mode: IdbTransactionMode,
) -> Result<IdbTransaction, JsValue> {
    // Complete means on the disk, not only passed to the operating system.
    let options = IdbTransactionOptions::new();
    options.set_durability(IdbTransactionDurability::Strict);
    database.transaction_with_str_and_mode_and_options(STORE, mode, &options)
}

fn from_js(value: &JsValue) -> Value {
    if let Some(number) = value.as_f64() {
        return Value::Number(number);
    }
    if let Some(text) = value.as_string() {
        return Value::Text(text);
    }
    if let Some(handle) = value.dyn_ref::<FileSystemFileHandle>() {
        return Value::File(Handle::new(DiskFile(handle.clone())));
    }
    match value.dyn_ref::<Array>() {
        Some(values) => Value::List(values.iter().map(|value| from_js(&value)).collect()),
        None => Value::Nothing,
    }
}

fn to_js(value: &Value) -> JsValue {
    match value {
        Value::Nothing => JsValue::UNDEFINED,
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::File(handle) => match handle.as_any().downcast_ref::<DiskFile>() {
            Some(DiskFile(handle)) => handle.into(),
            None => JsValue::UNDEFINED,
        },
        Value::List(values) => values.iter().map(to_js).collect::<Array>().into(),
    }
}

fn range(prefix: &str) -> Result<JsValue, String> {
    let end = format!("{prefix}\u{ffff}");
    let range = IdbKeyRange::bound(&prefix.into(), &end.into());
    range.map(JsValue::from).map_err(reason)
}

async fn value(store: &IdbObjectStore, key: &str) -> Result<Option<Value>, String> {
    let value = done(&store.get(&key.into()).map_err(reason)?).await?;
    Ok((!value.is_undefined()).then(|| from_js(&value)))
}

fn put(
    transaction: &IdbTransaction,
    store: &IdbObjectStore,
    changes: &Changes,
) -> Result<(), String> {
    for (key, value) in changes {
        let put = match value {
            Some(value) => store.put_with_key(&to_js(value), &key.into()),
            None => store.delete(&key.into()),
        };
        if let Err(error) = put {
            // The changes before it must not be made, either.
            let _ = transaction.abort();
            return Err(reason(error));
        }
    }
    Ok(())
}

/// Returns the reason for a browser's error, as the end of a sentence.
fn reason(error: JsValue) -> String {
    if is_named(&error, "QuotaExceededError") {
        return "the browser's storage is full".to_owned();
    }
    if is_named(&error, "VersionError") {
        return "a newer version of Taskloom has changed this browser's storage".to_owned();
    }
    message(&error).trim_end_matches('.').to_owned()
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

    fn change(key: &str, text: Option<&str>) -> (String, Option<Value>) {
        (
            key.to_owned(),
            text.map(|text| Value::Text(text.to_owned())),
        )
    }

    #[wasm_bindgen_test]
    async fn written_values_persist_until_removed() {
        let database = IndexedDb::open().await.unwrap();
        let text = |text: &str| Value::Text(text.to_owned());
        let first = vec![change("a-b", Some("first")), change("b-a", Some("other"))];
        database.write(first).await.unwrap();
        let second = vec![
            change("a-b", Some("second")),
            change("a-a", Some("\u{1F916} é")),
        ];
        database.write(second).await.unwrap();

        let other = IndexedDb::open().await.unwrap();
        assert_eq!(other.keys("a-").await.unwrap(), ["a-a", "a-b"]);
        assert_eq!(
            other.values("a-").await.unwrap(),
            [text("\u{1F916} é"), text("second")]
        );
        assert_eq!(other.get("b-a").await, Ok(Some(text("other"))));
        assert_eq!(other.get("c").await, Ok(None));

        let all = ["a-a", "a-b", "b-a"].map(|key| change(key, None));
        other.write(all.into()).await.unwrap();
        assert!(database.keys("").await.unwrap().is_empty());
    }

    #[wasm_bindgen_test]
    async fn rejected_write_changes_nothing() {
        let database = IndexedDb::open().await.unwrap();
        database
            .write(vec![change("guard", Some("1"))])
            .await
            .unwrap();
        let wanted = vec![change("guard", Some("2")), change("guarded", Some("x"))];
        let is = |expected: &'static str| -> Allows {
            Box::new(move |value| value.and_then(Value::text) == Some(expected))
        };
        assert_eq!(
            database.write_if("guard", is("0"), wanted.clone()).await,
            Ok(false)
        );
        assert_eq!(database.get("guarded").await, Ok(None));
        assert_eq!(database.write_if("guard", is("1"), wanted).await, Ok(true));
        assert_eq!(
            database.get("guard").await,
            Ok(Some(Value::Text("2".to_owned())))
        );
        let all = ["guard", "guarded"].map(|key| change(key, None));
        database.write(all.into()).await.unwrap();
    }

    #[wasm_bindgen_test]
    async fn closed_database_is_reopened() {
        let database = IndexedDb::open().await.unwrap();
        database.0.borrow().close();
        let wanted = vec![change("closed", Some("and opened"))];
        assert_eq!(database.write(wanted).await, Ok(()));
        let text = Value::Text("and opened".to_owned());
        assert_eq!(database.get("closed").await, Ok(Some(text)));
        database.write(vec![change("closed", None)]).await.unwrap();
    }

    #[wasm_bindgen_test]
    async fn values_round_trip() {
        let database = IndexedDb::open().await.unwrap();
        let row = Value::List(vec![
            Value::Text("id".to_owned()),
            Value::Number(1_700_000_000_123.5),
            Value::Nothing,
        ]);
        let wanted = vec![("row".to_owned(), Some(row.clone()))];
        database.write(wanted).await.unwrap();
        assert_eq!(database.get("row").await, Ok(Some(row)));
        database.write(vec![change("row", None)]).await.unwrap();
    }
}

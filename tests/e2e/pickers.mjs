// The browser's file pickers, answered by the test instead of a user. The files themselves are real: they are in the
// origin private file system.

/**
 * Replaces the file pickers on all pages of a context, as `pickers` in the page, or removes them if not `available`.
 * Like the browser's own, they open only on a click or a key.
 */
export async function installPickers(context, available) {
  await context.addInitScript(available ? install : remove);
}

function remove() {
  delete window.showOpenFilePicker;
  delete window.showSaveFilePicker;
}

function install() {
  // Blank pages have no files.
  if (!window.isSecureContext) return;
  const file = async (name, options) => (await navigator.storage.getDirectory()).getFileHandle(name, options);
  const { createWritable } = FileSystemFileHandle.prototype;
  window.pickers = {
    /** The next picks: names of files, "(cancel)" or "(deny)". */
    picks: [],
    /** The file to save to if nothing else is picked. */
    saveTo: undefined,
    /** The names that pickers suggested. */
    suggested: [],
    /** The files written, in order. */
    written: [],
    /** The files that can't be written. */
    denied: new Set(),
    async put(name, text) {
      const stream = await createWritable.call(await file(name, { create: true }));
      await stream.write(text);
      await stream.close();
    },
    async text(name) {
      return (await (await file(name)).getFile()).text();
    },
  };
  const next = (otherwise) => {
    if (!navigator.userActivation.isActive) throw new DOMException("Must be handling a user gesture to show a file picker.", "SecurityError");
    const pick = pickers.picks.shift() ?? otherwise;
    if (pick === undefined) throw new Error("The test has not prepared a pick");
    if (pick === "(cancel)") throw new DOMException("The user aborted a request.", "AbortError");
    if (pick === "(deny)") throw new DOMException("The request is not allowed.", "NotAllowedError");
    return pick;
  };
  window.showOpenFilePicker = async () => [await file(next())];
  window.showSaveFilePicker = async ({ suggestedName }) => {
    pickers.suggested.push(suggestedName);
    return file(next(pickers.saveTo), { create: true });
  };
  FileSystemFileHandle.prototype.createWritable = async function (...options) {
    if (pickers.denied.has(this.name)) throw new DOMException("The request is not allowed.", "NotAllowedError");
    const stream = await createWritable.apply(this, options);
    const close = stream.close.bind(stream);
    stream.close = async () => {
      await close();
      pickers.written.push(this.name);
    };
    return stream;
  };
}

// What the designer does stays: over a reload, a crash of the tab, a full disk, and an undo of everything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTaskloom } from "./harness.mjs";

const title = (page) => page.getByRole("textbox", { name: "Title of the document" });
const saved = (page) => page.getByRole("status", { name: "Saved state" });

async function isSaved(page) {
  await saved(page).getByText("saved", { exact: true }).waitFor();
}

test("a reload opens the document as it was left", async (t) => {
  const { page } = await openTaskloom(t);
  await title(page).fill("Kept over a reload");
  await isSaved(page);
  await page.reload();
  await title(page).waitFor();
  assert.equal(await title(page).inputValue(), "Kept over a reload");
});

test("a page that is left at once loses nothing", async (t) => {
  const { page } = await openTaskloom(t);
  await title(page).fill("Left at once");
  await page.reload();
  await title(page).waitFor();
  assert.equal(await title(page).inputValue(), "Left at once");
});

test("a crash of the tab loses nothing older than a second", async (t) => {
  const { page, context, address } = await openTaskloom(t, { expectsProblems: true });
  await title(page).fill("Older than a second");
  await page.waitForTimeout(1000);
  const crashed = page.waitForEvent("crash");
  page.goto("chrome://crash").catch(() => {});
  await crashed;
  const next = await context.newPage();
  await next.goto(address);
  await title(next).waitFor();
  assert.equal(await title(next).inputValue(), "Older than a second");
});

test("two tabs do not overwrite each other", async (t) => {
  const { page, context, address } = await openTaskloom(t);
  await title(page).fill("The first tab's");
  await isSaved(page);
  const other = await context.newPage();
  await other.goto(address);
  await title(other).fill("The second tab's");
  await isSaved(other);
  await page.reload();
  await title(page).waitFor();
  assert.equal(await title(page).inputValue(), "The first tab's");
});

test("a full storage is told at once, and the document can be saved to a file", async (t) => {
  const { page } = await openTaskloom(t);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    // Without pickers a save is a download, which a test can read.
    delete window.showSaveFilePicker;
  });
  await title(page).fill("Too much");
  const alarm = saved(page).getByRole("button", { name: /Not saved: .*full/ });
  await alarm.waitFor({ timeout: 1000 });
  const download = page.waitForEvent("download");
  await alarm.click();
  assert.equal((await download).suggestedFilename(), "too-much.taskloom.json");
});

test("a file that is none leaves the open document alone, and says where and why", async (t) => {
  const { page } = await openTaskloom(t);
  await page.evaluate(() => delete window.showOpenFilePicker);
  const before = await title(page).inputValue();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+o");
  await (await chooser).setFiles({
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from('{ "taskloom": 1,\n  "facts": [ }'),
  });
  await page.getByText(/broken\.json is not opened: line 2, column/).waitFor();
  assert.equal(await title(page).inputValue(), before);
});

test("undoing all and redoing all gives the same file, byte for byte", async (t) => {
  const { page } = await openTaskloom(t);
  await page.evaluate(() => delete window.showSaveFilePicker);
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "New" }).click();
  for (const [kind, name] of [
    ["type", "room"],
    ["object", "hall"],
    ["fact", "lit"],
    ["action", "Switch"],
    ["primitive task", "switch-on"],
    ["compound task", "light-up"],
    ["scenario", "dark"],
  ]) {
    await page.getByRole("button", { name: new RegExp(`^Add an? ${kind}$`) }).first().click();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  }
  const written = await savedFile(page);
  const undo = page.getByRole("button", { name: "Undo" });
  while (await undo.isEnabled()) {
    await page.keyboard.press("Control+z");
  }
  assert.deepEqual(Object.keys(JSON.parse(await savedFile(page))), ["taskloom", "info", "layout"]);
  const redo = page.getByRole("button", { name: "Redo" });
  while (await redo.isEnabled()) {
    await page.keyboard.press("Control+Shift+z");
  }
  assert.equal(await savedFile(page), written);
});

async function savedFile(page) {
  const download = page.waitForEvent("download");
  await page.keyboard.press("Control+s");
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

// Files on the designer's disk, by the browser's pickers, and saving if the browser stores nothing.

import { expect, newDocument, openExample, openFile, screenshot, test } from "./harness.mjs";

const title = (page) => page.getByRole("textbox", { name: "Title of the document" });
const saved = (page) => page.getByRole("status", { name: "Saved state" });
const report = (page) => page.getByRole("region", { name: "Report" });
const documents = (page) => page.getByRole("dialog", { name: "Documents" });

async function isSaved(page) {
  await saved(page).getByText("saved", { exact: true }).waitFor();
}

async function showDocuments(page) {
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Documents…" }).click();
  await documents(page).getByRole("listitem").first().waitFor();
}

const file = (name) => JSON.stringify({ taskloom: 3, info: { title: name }, layout: {} });

/** Returns the title in a file on the disk. */
async function titleIn(page, name) {
  return JSON.parse(await page.evaluate((name) => pickers.text(name), name)).info.title;
}

const written = (page) => page.evaluate(() => pickers.written);
const suggested = (page) => page.evaluate(() => pickers.suggested);
const picks = (page, ...names) => page.evaluate((names) => pickers.picks.push(...names), names);

test("Ctrl+S writes the opened file, and never with another document", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await newDocument(page);
  await title(page).fill("B");
  await isSaved(page);
  await openFile(page, "a.taskloom.json", file("A"));
  await expect(title(page)).toHaveValue("A");
  await title(page).fill("A, edited");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved to the file.").waitFor();
  expect(await titleIn(page, "a.taskloom.json")).toBe("A, edited");
  expect(await suggested(page), "no picker").toEqual([]);

  const doors = [
    async () => {
      await showDocuments(page);
      await documents(page).getByRole("button", { name: "B", exact: true }).click();
      await expect(title(page)).toHaveValue("B");
    },
    () => openExample(page, "The night guard"),
    () => newDocument(page),
  ];
  for (const [turn, open] of doors.entries()) {
    await open();
    await picks(page, "(cancel)");
    await page.keyboard.press("Control+s");
    await expect.poll(() => suggested(page)).toHaveLength(turn + 1);
  }
  expect(await written(page)).toEqual(["a.taskloom.json"]);
  expect(await titleIn(page, "a.taskloom.json")).toBe("A, edited");
});

test("Save as switches to another file, cancelling a picker changes nothing, and a file without permission is reported", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("Save as", async () => {
    await openFile(page, "first.taskloom.json", file("First"));
    await expect(title(page)).toHaveValue("First");
    await picks(page, "second.taskloom.json");
    await page.keyboard.press("Control+Shift+s");
    await expect.poll(() => written(page)).toEqual(["second.taskloom.json"]);
    await title(page).fill("Second");
    await page.keyboard.press("Control+s");
    await expect.poll(() => written(page)).toHaveLength(2);
    expect(await titleIn(page, "second.taskloom.json")).toBe("Second");
    expect(await titleIn(page, "first.taskloom.json")).toBe("First");
    expect(await suggested(page)).toEqual(["first.taskloom.json"]);
  });
  await test.step("cancelling", async () => {
    await page.evaluate(() => Object.assign(pickers, { suggested: [], written: [] }));
    await newDocument(page);
    await title(page).fill("Mine");
    await picks(page, "(cancel)", "(cancel)");
    await page.keyboard.press("Control+o");
    await page.keyboard.press("Control+s");
    await expect.poll(() => suggested(page)).toEqual(["mine.taskloom.json"]);
    await isSaved(page);
    await expect(title(page)).toHaveValue("Mine");
    await expect(report(page)).toHaveCount(0);
    expect(await written(page)).toEqual([]);
  });
  await test.step("without permission", async () => {
    await page.evaluate(() => Object.assign(pickers, { suggested: [], written: [] }));
    await picks(page, "(deny)");
    await page.keyboard.press("Control+o");
    await report(page).getByText("The browser doesn't let Taskloom use this file.").waitFor();
    await report(page).getByRole("button", { name: "Dismiss" }).click();
    await openFile(page, "locked.taskloom.json", file("Locked"));
    await expect(title(page)).toHaveValue("Locked");
    await page.evaluate(() => pickers.denied.add("locked.taskloom.json"));
    await title(page).fill("Unlocked");
    await page.keyboard.press("Control+s");
    await report(page).getByRole("heading", { name: "Couldn't save unlocked.taskloom.json" }).waitFor();
    await screenshot(page, "file-denied");
    expect(await titleIn(page, "locked.taskloom.json")).toBe("Locked");
    await picks(page, "free.taskloom.json");
    await page.keyboard.press("Control+Shift+s");
    await expect.poll(() => written(page)).toEqual(["free.taskloom.json"]);
    expect(await titleIn(page, "free.taskloom.json")).toBe("Unlocked");
  });
});

test("a file that another program has changed is overwritten only on request, and is known after a reload", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const question = page.getByRole("dialog", { name: "guard.taskloom.json has changed" });
  const change = (name) => page.evaluate(([name, text]) => pickers.put(name, text), ["guard.taskloom.json", file(name)]);
  const edits = async (name) => {
    await title(page).fill(name);
    await page.keyboard.press("Control+s");
  };
  const answer = (name) => question.getByRole("button", { name, exact: true }).click();
  await openFile(page, "guard.taskloom.json", file("Guard"));
  await expect(title(page)).toHaveValue("Guard");
  await test.step("cancelled", async () => {
    await change("Pulled");
    await edits("Mine");
    await question.waitFor();
    await screenshot(page, "file-changed");
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
    await expect(title(page)).toBeFocused();
    expect(await titleIn(page, "guard.taskloom.json")).toBe("Pulled");
  });
  await test.step("overwritten", async () => {
    await page.keyboard.press("Control+s");
    await answer("Overwrite");
    await page.getByText("Saved to the file.").waitFor();
    expect(await titleIn(page, "guard.taskloom.json")).toBe("Mine");
  });
  await test.step("saved elsewhere", async () => {
    await change("Pulled");
    await edits("Mine, elsewhere");
    await picks(page, "other.taskloom.json");
    await answer("Save to another file…");
    await expect.poll(() => written(page)).toContain("other.taskloom.json");
    expect(await titleIn(page, "guard.taskloom.json")).toBe("Pulled");
  });
  await test.step("opened after a reload, in which the document keeps its file", async () => {
    await picks(page, "guard.taskloom.json");
    await page.keyboard.press("Control+Shift+s");
    await expect.poll(() => titleIn(page, "guard.taskloom.json")).toBe("Mine, elsewhere");
    await isSaved(page);
    await page.reload();
    await edits("Mine, after a reload");
    await expect.poll(() => written(page)).toEqual(["guard.taskloom.json"]);
    expect(await suggested(page), "no picker").toEqual([]);
    await change("Pulled");
    await page.reload();
    await edits("Mine, in the list");
    await answer("Open the changed file");
    await expect(title(page)).toHaveValue("Pulled");
    await showDocuments(page);
    await documents(page).getByRole("button", { name: "Mine, in the list", exact: true }).waitFor();
  });
});

test("the list of documents shows other tabs' changes, and where documents are stored", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, context, address } = await openTaskloom();
  await newDocument(page);
  await title(page).fill("First");
  await isSaved(page);
  await showDocuments(page);
  await documents(page).getByText(/^Stored in this browser/).waitFor();
  await screenshot(page, "documents-stored");
  const other = await context.newPage();
  await other.goto(address);
  await newDocument(other);
  await title(other).fill("Of the other tab");
  await documents(page).getByRole("button", { name: "Of the other tab", exact: true }).waitFor();
  await title(other).fill("Edited there");
  const row = documents(page).getByRole("listitem").filter({ hasText: "Edited there" });
  await row.getByText("open in another tab").waitFor();
  // A document that was listed before the other tab's last edit opens in its current state.
  await isSaved(other);
  await newDocument(other);
  await documents(page).getByRole("button", { name: "Edited there", exact: true }).click();
  await expect(title(page)).toHaveValue("Edited there");
  await title(page).fill("Edited here");
  await isSaved(page);
  await expect(page.getByText(/This is a copy/)).toHaveCount(0);
});

/** Asks to leave the page, as closing the tab does. Returns `true` if the browser asks the designer first. */
async function asksBeforeLeaving(page) {
  const asked = page.waitForEvent("dialog");
  page.close({ runBeforeUnload: true });
  const dialog = await asked;
  const type = dialog.type();
  await dialog.dismiss();
  return type === "beforeunload";
}

test("without storage, reports that documents aren't saved, and asks before leaving", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const before = (page) =>
    page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("The storage is blocked.", "SecurityError");
      };
    });
  const { page } = await openTaskloom({ before });
  const alarm = saved(page).getByRole("button", { name: "Not saved: The storage is blocked. Save to a file now" });
  await alarm.waitFor();
  await openExample(page, "The night guard");
  await alarm.waitFor();
  await title(page).fill("Edited");
  await newDocument(page);
  await title(page).fill("Edited as well");
  await alarm.waitFor();
  await expect(saved(page)).not.toContainText("saving");
  await screenshot(page, "no-storage");
  expect(await asksBeforeLeaving(page)).toBe(true);
  await picks(page, "kept.taskloom.json");
  await alarm.click();
  await expect.poll(() => written(page)).toEqual(["kept.taskloom.json"]);
  expect(await titleIn(page, "kept.taskloom.json")).toBe("Edited as well");
});

test("a database of a newer version is reported in one sentence", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.evaluate(async () => {
    const request = indexedDB.open("taskloom", 9999);
    const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    database.close();
  });
  await page.reload();
  await saved(page)
    .getByRole("button", { name: "Not saved: a newer version of Taskloom has changed this browser's storage. Save to a file now", exact: true })
    .waitFor();
});

test("a method from a file without positions is laid out when it is opened", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const block = (kind, more = {}) => ({ kind, ...more });
  const blocks = { b: block("begin"), q: block("branch", { condition: "lit" }), x: block("task", { call: "rest" }), y: block("task", { call: "rest" }), e: block("end") };
  const wires = ["b.out -> q", "q.true -> x", "q.false -> y", "x.out -> e", "y.out -> e"];
  const written = {
    taskloom: 3,
    facts: { lit: { source: "sensor" } },
    primitive_tasks: { rest: {} },
    compound_tasks: { go: { method: { blocks, wires } } },
  };
  await openFile(page, "written.taskloom.json", JSON.stringify(written));
  const row = page.getByRole("treeitem", { name: "go", exact: true });
  await row.waitFor();
  await expect(async () => {
    await row.dblclick();
    await page.locator("[data-block]").first().waitFor({ timeout: 5_000 });
  }).toPass();
  await expect(async () => {
    const boxes = await page.locator("[data-block] > .node-box").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    expect(boxes).toHaveLength(5);
    const canvas = await page.locator(".canvas").boundingBox();
    for (const [at, one] of boxes.entries()) {
      expect(one.left >= canvas.x && one.right <= canvas.x + canvas.width, "in the canvas").toBe(true);
      for (const other of boxes.slice(at + 1)) {
        expect(one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top, "apart").toBe(true);
      }
    }
  }).toPass();
  await expect(page.getByRole("button", { name: "Place" })).toHaveCount(0);
});

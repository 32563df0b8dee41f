// Several documents: the list, conflicts between two tabs, restore points, history, and links.

import { deflateRawSync } from "node:zlib";
import { add } from "./hands.mjs";
import { expect, isSaved, newDocument, openExample, screenshot, test, title, measured } from "./harness.mjs";

const drawer = (page, name) => page.getByRole("dialog", { name });
const documents = (page) => drawer(page, "Documents").getByRole("list", { name: "Documents", exact: true });

async function inFileMenu(page, item) {
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function showDocuments(page) {
  await inFileMenu(page, "Documents…");
  await documents(page).getByRole("listitem").first().waitFor();
}

const titles = (page) => documents(page).locator(".kept-title").allInnerTexts();

const until = (what, expected) => expect.poll(what).toEqual(expected);

async function named(page, name) {
  await newDocument(page);
  await title(page).fill(name);
  await isSaved(page);
}

test("opens, renames, duplicates, deletes and restores documents", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await named(page, "First");
  await add(page, "fact", "of_the_first");
  await named(page, "Second");
  await showDocuments(page);
  await until(() => titles(page), ["Second", "First"]);

  await drawer(page, "Documents").getByRole("button", { name: "First", exact: true }).click();
  await page.getByText("Opened “First”.").waitFor();
  await expect(title(page)).toHaveValue("First");
  await page.getByRole("treeitem", { name: "of_the_first" }).waitFor();

  await showDocuments(page);
  await page.getByRole("button", { name: "Rename Second" }).click();
  await page.keyboard.type("Renamed");
  await page.keyboard.press("Enter");
  await until(() => titles(page), ["Renamed", "First"]);
  await page.getByRole("button", { name: "Duplicate First" }).click();
  await until(() => titles(page), ["First (copy)", "Renamed", "First"]);

  // The open document can be deleted, too: the newest of the others opens.
  await page.getByRole("button", { name: "Delete First", exact: true }).click();
  await until(() => titles(page), ["First (copy)", "Renamed"]);
  await expect(title(page)).toHaveValue("First (copy)");
  await page.getByRole("button", { name: "Restore First", exact: true }).click();
  await until(() => titles(page).then((all) => all.toSorted()), ["First", "First (copy)", "Renamed"]);
  const hasFocus = () => drawer(page, "Documents").evaluate((element) => element.contains(document.activeElement));
  await expect.poll(hasFocus, "the focus stays in the list").toBe(true);
  await page.keyboard.press("Escape");
  await drawer(page, "Documents").waitFor({ state: "hidden" });

  // A reload keeps the document open.
  await page.reload();
  await expect(title(page)).toHaveValue("First (copy)");
  await page.getByRole("treeitem", { name: "of_the_first" }).waitFor();
});

test("converts work stored by older versions into documents", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.evaluate(async () => {
    const text = (name) => JSON.stringify({ taskloom: 1, info: { title: name }, layout: {} });
    const request = indexedDB.open("taskloom", 1);
    const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const transaction = database.transaction("documents", "readwrite");
    const store = transaction.objectStore("documents");
    store.put([1_700_000_000_000, text("Older")], "abcdefgh");
    store.put([1_700_000_100_000, text("Newer")], "bcdefghi");
    store.put([1_700_000_000_000, "{ nonsense"], "unreadable-1700000000000");
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    // Text that a closed page had not written yet.
    localStorage.setItem("taskloom.left", `1700000200000\n${text("Newest")}`);
    sessionStorage.clear();
    localStorage.removeItem("taskloom.document");
  });
  await page.reload();
  await title(page).waitFor();
  await expect(title(page)).toHaveValue("Newest");
  await showDocuments(page);
  await until(() => titles(page).then((all) => all.toSorted()), ["(unreadable)", "Newest", "Older"]);
});

test("a second tab reports that the document is open elsewhere, and its edits become a copy", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, context, address } = await openTaskloom();
  await named(page, "Shared");
  const other = await context.newPage();
  await other.goto(address);
  await other.getByText(/open in another tab\. Your changes here go to a copy/).waitFor();
  await expect(title(other)).toHaveValue("Shared");
  await screenshot(other, "second-tab");
  await title(other).fill("The second tab's");
  await other.getByText("This is a copy: another tab has the original open.").waitFor();
  await isSaved(other);
  await title(page).fill("The first tab's");
  await isSaved(page);
  await page.reload();
  await expect(title(page)).toHaveValue("The first tab's");
  await other.reload();
  await expect(title(other)).toHaveValue("The second tab's");
  await showDocuments(other);
  await until(() => titles(other), ["The first tab's", "The second tab's"]);
  await expect(other.getByRole("button", { name: "Delete The first tab's" })).toBeDisabled();
});

test("a second tab can take over the document, with the first one's last edit", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, context, address } = await openTaskloom();
  await named(page, "Before");
  const other = await context.newPage();
  await other.goto(address);
  const takeOver = other.getByRole("button", { name: "Take over here" });
  await takeOver.waitFor();
  await title(page).fill("The last edit");
  await takeOver.click();
  await takeOver.waitFor({ state: "hidden" });
  await until(() => title(other).inputValue(), "The last edit");
  await page.getByText(/open in another tab/).waitFor();
  await title(other).fill("Taken over");
  await isSaved(other);
  await other.reload();
  await expect(title(other)).toHaveValue("Taken over");
  // The first tab can take it back.
  await page.getByRole("button", { name: "Take over here" }).click();
  await until(() => title(page).inputValue(), "Taken over");
});

test("an unresponsive tab loses the document, but no edit", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, context, address } = await openTaskloom();
  await named(page, "Asleep");
  const other = await context.newPage();
  await other.goto(address);
  await other.getByRole("button", { name: "Take over here" }).waitFor();
  // A suspended tab neither receives the request nor writes.
  const sleeping = page.evaluate(() => {
    const end = Date.now() + 6000;
    while (Date.now() < end);
  });
  await other.getByRole("button", { name: "Take over here" }).click();
  await other.getByText(/open in another tab/).waitFor({ state: "hidden" });
  await title(other).fill("Taken");
  await isSaved(other);
  await sleeping;
  await title(page).fill("Woken");
  await isSaved(page);
  await other.reload();
  await expect(title(other)).toHaveValue("Taken");
  await showDocuments(other);
  await until(() => titles(other).then((all) => all.toSorted()), ["Taken", "Woken"]);
});

test("the history goes to any step, and restore points are made and restored", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("the history keeps later steps until the next edit", async () => {
    await newDocument(page);
    for (const name of ["one", "two", "three"]) {
      await add(page, "fact", name);
    }
    await page.getByRole("button", { name: "History" }).click();
    const steps = drawer(page, "History").getByRole("list", { name: "Steps" }).getByRole("button");
    await expect(steps.last()).toHaveText("Open", { useInnerText: true });
    const labels = await steps.allInnerTexts();
    expect(labels[0]).toMatch(/three/);
    const fact = (name) => page.getByRole("treeitem", { name, exact: true });
    await steps.nth(labels.findIndex((label) => /one/.test(label))).click();
    await fact("three").waitFor({ state: "detached" });
    await fact("one").waitFor();
    await expect.poll(() => steps.allInnerTexts(), "later steps stay").toEqual(labels);
    await expect(steps.and(page.locator("[aria-current=step]"))).toHaveCount(1);
    await steps.first().click();
    await fact("three").waitFor();
    await steps.last().click();
    await fact("one").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await title(page).fill("Another way");
    await page.getByRole("button", { name: "History" }).click();
    await until(() => steps.allInnerTexts(), ["Change the title", "Open"]);
  });
  await test.step("restore points are created manually and before another document opens", async () => {
    await page.keyboard.press("Escape");
    await named(page, "Kept");
    await page.getByRole("button", { name: "History" }).click();
    const points = drawer(page, "History").getByRole("list", { name: "Restore points" });
    await drawer(page, "History").getByRole("button", { name: "Create now" }).click();
    await points.getByText("created manually").waitFor();
    await page.keyboard.press("Escape");
    await title(page).fill("Changed");
    await isSaved(page);
    await openExample(page, "The night guard");
    await showDocuments(page);
    await drawer(page, "Documents").getByRole("button", { name: "Changed", exact: true }).click();
    await until(() => title(page).inputValue(), "Changed");
    await page.getByRole("button", { name: "History" }).click();
    await points.getByText("before “The night guard” was opened").waitFor();
    await points.getByRole("listitem").filter({ hasText: "created manually" }).getByRole("button").click();
    await until(() => title(page).inputValue(), "Kept");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    await until(() => title(page).inputValue(), "Changed");
  });
});

test("a link contains the document, and opening it keeps the recipient's open document", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openExample(page, "The night guard");
  await title(page).fill("Sent");
  await inFileMenu(page, "Share a link…");
  const field = drawer(page, "Share").getByRole("textbox", { name: "Link" });
  await expect(field).toHaveValue(/#d=/);
  const link = await field.inputValue();
  measured(`the night guard's link has ${link.length} characters`);
  await drawer(page, "Share").getByRole("button", { name: "Copy the link" }).click();
  await page.getByText("Copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.keyboard.press("Escape");
  const facts = await page.getByRole("treeitem").count();

  await named(page, "Mine");
  await page.evaluate((href) => (location.href = href), link);
  await page.getByText("Opened “Sent”.").waitFor();
  await expect(title(page)).toHaveValue("Sent");
  await expect(page.getByRole("treeitem")).toHaveCount(facts);
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await isSaved(page);
  await page.reload();
  await expect(title(page)).toHaveValue("Sent");
  await showDocuments(page);
  await until(() => titles(page), ["Sent", "Mine", "Sent"]);

  const fresh = await context.newPage();
  await fresh.goto(`${link.slice(0, -40)}`);
  await fresh.getByText("Couldn't open the link: the link is incomplete or damaged.").waitFor();
});

test("rejects a link that unpacks to too much, and keeps the open document", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await named(page, "Mine");
  // Thirty megabytes of spaces, in some forty thousand characters.
  const packed = deflateRawSync(Buffer.alloc(30_000_000, " "), { level: 9 }).toString("base64url");
  measured(`the link has ${packed.length} characters`);
  expect(packed.length).toBeLessThan(100_000);
  const open = (digits) => page.evaluate((hash) => (location.hash = hash), `d=${digits}`);
  await open(packed);
  await page.getByText("Couldn't open the link: the link unpacks to more than 20 MB.").waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await expect(title(page)).toHaveValue("Mine");
  await open("A".repeat(400_001));
  await page.getByText("Couldn't open the link: the link is longer than 400000 characters.").waitFor();
  await expect(title(page)).toHaveValue("Mine");
  // A smaller link is unpacked, but spaces are not a document, and the reason is shown.
  await open(deflateRawSync(Buffer.alloc(10_000, " ")).toString("base64url"));
  await page.getByText(/the text ends where a value is expected/).waitFor();
  await expect(title(page)).toHaveValue("Mine");
  await page.reload();
  await expect(title(page)).toHaveValue("Mine");
});

test("an unchanged example leaves no document behind, and only the newest message offers to reopen one", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("documents", async () => {
    await openExample(page, "The night guard");
    await isSaved(page);
    await named(page, "Mine");
    await showDocuments(page);
    await until(() => titles(page), ["Mine"]);
  });
  await test.step("messages", async () => {
    await page.keyboard.press("Escape");
    for (const example of ["The night guard", "The ball in the box", "The night guard"]) {
      await openExample(page, example);
    }
    await expect(page.locator(".toast")).toHaveCount(1);
    await page.getByRole("button", { name: "Reopen previous document" }).click();
    await until(() => title(page).inputValue(), "The ball in the box");
  });
});

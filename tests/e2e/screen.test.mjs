// Focus and keyboard in the panels, the toolbar and the outline.

import { inspector } from "./hands.mjs";
import { boxAtRest, expect, nextFrame, openExample, openFile, savedFile, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const records = (page) => page.getByRole("tree", { name: "Records" });
const record = (page, name) => records(page).getByRole("treeitem", { name, exact: true });
const scenarios = (page) => page.getByRole("combobox", { name: "Scenario" });

/** Returns a tab of the bottom panel, and its list. */
async function tab(page, name) {
  await page.getByRole("tab", { name }).click();
  return page.getByRole("tabpanel", { name });
}

/** Waits until the focused element matches. */
async function focused(page, what) {
  await page.waitForFunction((what) => document.activeElement?.matches(what), what);
}

test("choosing a scenario shows it, keys still work, and what is added to it has no errors", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("choosing", async () => {
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const name = inspector(page).getByRole("textbox", { name: "Name", exact: true });
    const first = await name.inputValue();
    await scenarios(page).focus();
    await scenarios(page).selectOption({ label: "Locked, the key is in the drawer" });
    await plan(page).getByText(/^plan: 7 steps/).waitFor();
    await page.waitForFunction(([field, first]) => field.isConnected === false || field.value !== first, [await name.elementHandle(), first]);
    await expect(name).toHaveValue(await scenarios(page).inputValue());
    await page.keyboard.press(".");
    await page.getByText("step 1 of 7").waitFor();
    await page.keyboard.press(",");
    await page.getByText("start, 7 steps").waitFor();
    // If something else is shown, it stays.
    await record(page, "take-ball").click();
    await scenarios(page).selectOption({ index: 0 });
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await expect(name).toHaveValue("take-ball");
  });
  await test.step("adding", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    const wrong = inspector(page).getByText("This entry is empty.");
    await inspector(page).getByRole("button", { name: "Add an event" }).click();
    const event = inspector(page).getByRole("textbox", { name: "Event 1", exact: true });
    await page.waitForFunction((field) => document.activeElement === field, await event.elementHandle());
    await expect(wrong).toHaveCount(0);
    await event.blur();
    await nextFrame(page);
    await expect(wrong, "an event without an effect does nothing, which is no error").toHaveCount(0);
    await event.fill("not box_open");

    await inspector(page).getByRole("button", { name: "Add an expectation" }).click();
    const kind = inspector(page).getByRole("combobox", { name: /^Expectation \d+$/ }).last();
    await kind.focus();
    await kind.selectOption("contains");
    const field = inspector(page).getByRole("textbox", { name: /^Expected \d+$/ }).last();
    await field.waitFor();
    await expect(wrong).toHaveCount(0);
    await expect(kind, "the list keeps the focus").toBeFocused();
  });
});

test("agents and goals are in the outline and the file, and its search text is cleared with another document", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("agents and goals", async () => {
    await openExample(page, "The night guard");
    const guard = JSON.parse(await savedFile(page));
    expect(Object.keys(guard.agents)).toEqual(["night-guard"]);
    await expect(records(page).getByRole("group", { name: "Agents" }).getByRole("treeitem")).toHaveCount(1);
    await page.getByRole("button", { name: "Add an agent" }).waitFor();
    await page.getByRole("button", { name: "Add a goal" }).waitFor();
    guard.goals = { "all-is-well": { condition: "power", priority: 2, relevance: "1" } };
    await openFile(page, "guard.taskloom.json", JSON.stringify(guard));
    await expect(records(page).getByRole("group", { name: "Goals" }).getByRole("treeitem")).toHaveCount(1);
    const search = page.getByRole("combobox", { name: "Search strategy" });
    await expect(search.locator("option:checked")).toHaveText(/ \(document setting\)$/);
    await page.getByRole("textbox", { name: "Title of the document" }).fill("Guarded");
    const saved = JSON.parse(await savedFile(page));
    expect([saved.agents, saved.goals]).toEqual([guard.agents, guard.goals]);
  });
  await test.step("the search text", async () => {
    const search = page.getByRole("searchbox", { name: "Search the outline" });
    await search.fill("vault");
    await record(page, "power").waitFor({ state: "detached" });
    const shop = { taskloom: 3, info: { title: "The shop" }, types: { coin: { parent: "object" } } };
    await openFile(page, "shop.json", JSON.stringify(shop));
    await record(page, "coin").waitFor();
    await expect(search).toHaveValue("");
  });
});

test("ids are random even if the browser's secure source of randomness fails", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.evaluate(() => {
    Crypto.prototype.getRandomValues = () => {
      throw new Error("no randomness");
    };
  });
  for (const name of ["one", "two"]) {
    await page.getByRole("button", { name: "Add a compound task" }).first().click();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await record(page, name).waitFor();
  }
  const { compound_tasks } = JSON.parse(await savedFile(page));
  const ids = ["one", "two"].flatMap((name) => Object.keys(compound_tasks[name].method.blocks));
  expect(new Set(ids).size, ids.join()).toBe(2);
  expect(!ids.some((id) => /^(.)\1*$/.test(id)), ids.join()).toBe(true);
});

test("reports a text that could not be saved when the page was left", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("status", { name: "Saved state" }).getByText("saved").waitFor({ state: "attached" }).catch(() => {});
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Not kept");
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.getByRole("button", { name: /^Not saved: the browser's storage is full\. Save to a file now/ }).waitFor();
  expect(JSON.parse(await savedFile(page)).info.title, "the work is saved").toBe("Not kept");
});

test("the focus: in menus, the finder, drawers, names and rows of the panel", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("a menu opens below its button and closes by Escape, Tab and a press outside", async () => {
    const [button, menu] = [page.getByRole("button", { name: "Export" }), page.getByRole("menu", { name: "Export" })];
    const opened = async () => {
      await button.click();
      await expect(menu.getByRole("menuitem").first()).toBeFocused();
    };
    await opened();
    const [above, list] = [await button.boundingBox(), await boxAtRest(menu)];
    expect(list.y).toBeGreaterThanOrEqual(above.y + above.height);
    expect(Math.round(list.x + list.width)).toBe(Math.round(above.x + above.width));
    await page.keyboard.press("ArrowUp");
    await expect(menu.getByRole("menuitem").last()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(menu.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(menu).toBeHidden();
    await opened();
    await page.locator(".canvas").click({ position: { x: 60, y: 330 } });
    await expect(menu).toBeHidden();
  });
  await test.step("the finder and a drawer return the focus to the element that had it", async () => {
    await page.keyboard.press("Escape");
    const title = page.getByRole("textbox", { name: "Title of the document" });
    await title.focus();
    await page.keyboard.press("Control+f");
    await expect(page.getByRole("textbox", { name: "Find", exact: true })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(title).toBeFocused();
    const history = page.getByRole("button", { name: "History" });
    await history.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "History" }).waitFor();
    await focused(page, ".drawer *");
    await page.keyboard.press("Escape");
    await expect(history).toBeFocused();
  });
  await test.step("Escape in a name moves the focus to its record", async () => {
    await page.keyboard.press("Escape");
    await record(page, "drawer").click();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Name of the object" }).waitFor();
    await page.keyboard.press("Escape");
    await focused(page, ".item[aria-selected=true]");
    await page.keyboard.press("ArrowDown");
    await focused(page, ".item[aria-selected=true]");
  });
  await test.step("selects rows of the panel by keyboard", async () => {
    await page.keyboard.press("Escape");
    await scenarios(page).selectOption({ label: "The box slams shut" });
    await page.getByRole("tab", { name: "Run" }).click();
    await page.locator(".run-line").filter({ hasText: "replans" }).waitFor();
    for (const [name, list] of [
      ["Run", "Simulated run"],
      ["Search", "Search"],
    ]) {
      const rows = (await tab(page, name)).getByRole("listbox", { name: list }).getByRole("option");
      await rows.first().waitFor();
      const count = await rows.count();
      expect(count).toBeGreaterThan(3);
      const at = (number) => focused(page, `[data-row]:nth-child(${number + 1})`);
      await expect(rows.locator("xpath=self::*[@tabindex=0]"), "one Tab stop").toHaveCount(1);
      // From the element before the list into it.
      const before = name === "Run" ? page.getByRole("slider", { name: "Tick of the run" }) : page.getByRole("tabpanel");
      await before.focus();
      // The buttons of the timeline come before the record.
      const inList = () => page.evaluate(() => document.activeElement.closest("[role=listbox]") !== null);
      for (let stop = 0; stop < 40 && !(await inList()); stop += 1) await page.keyboard.press("Tab");
      await at(0);
      await page.keyboard.press("ArrowDown");
      await at(1);
      await page.keyboard.press("End");
      await at(count - 1);
      await page.keyboard.press("ArrowUp");
      await at(count - 2);
      await page.keyboard.press("Home");
      await at(0);
      await page.keyboard.press("Enter");
      // Enter on an entry of the run also says why.
      await rows.first().and(page.locator("[aria-selected=true]")).waitFor();
      await page.keyboard.press("Escape");
    }
  });
});

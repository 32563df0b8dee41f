// What stands on the screen is so: keys mean what has the focus, messages what they tell of, plans what is planned.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, inspector } from "./hands.mjs";
import { openFile, openTaskloom, savedFile } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const records = (page) => page.getByRole("tree", { name: "Records" });
const record = (page, name) => records(page).getByRole("treeitem", { name, exact: true });
const scenarios = (page) => page.getByRole("combobox", { name: "Scenario" });
const undoButton = (page) => page.getByRole("button", { name: /^Undo/ });
const messages = (page) => page.locator(".toast");

/** The tab of the panel below, and its list. */
async function tab(page, name) {
  await page.getByRole("tab", { name }).click();
  return page.getByRole("tabpanel", { name });
}

/** Waits until what has the focus fits. */
async function focused(page, what) {
  await page.waitForFunction((what) => document.activeElement?.matches(what), what);
}

test("undo in a text field is the text's, and never the document's", async (t) => {
  const { page } = await openTaskloom(t);
  await record(page, "take-ball").click();
  const precondition = inspector(page).getByRole("textbox", { name: "Precondition 1" });
  await precondition.fill("not box_open");
  await precondition.blur();
  const made = await savedFile(page);

  const field = {
    outline: page.getByRole("searchbox", { name: "Search the outline" }),
    find: page.getByRole("textbox", { name: "Find", exact: true }),
  };
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+f");
  for (const box of Object.values(field)) {
    await box.click();
    await page.keyboard.type("smash");
    await page.keyboard.press("Control+z");
    await page.waitForFunction((box) => box.value !== "smash", await box.elementHandle());
    await page.keyboard.press("Control+y");
    await page.waitForFunction((box) => box.value === "smash", await box.elementHandle());
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    // It has less to take back than it is asked for.
    for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Shift+z");
    assert.equal(await savedFile(page), made);
    await box.fill("");
  }
  await page.keyboard.press("Escape");

  // What a field writes to the document while one types goes back there, too.
  await precondition.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("item_at(key, drawer)");
  await page.keyboard.press("Escape");
  await precondition.click();
  await page.keyboard.press("Control+z");
  await page.waitForFunction((field) => field.value !== "item_at(key, drawer)", await precondition.elementHandle());
  const value = await precondition.inputValue();
  assert.equal(JSON.parse(await savedFile(page)).primitive_tasks["take-ball"].preconditions[0], value);
});

test("undo takes a completion back as the text's", async (t) => {
  const { page } = await openTaskloom(t);
  await record(page, "take-ball").click();
  const field = inspector(page).getByRole("textbox", { name: "Precondition 1" });
  await field.fill("");
  await field.pressSequentially("box_op");
  await page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name: /box_open/ }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await field.inputValue(), "box_open");
  await page.keyboard.press("Control+z");
  await page.waitForFunction((field) => field.value === "box_op", await field.elementHandle());
});

test("undo in the name of a new object leaves the object", async (t) => {
  const { page } = await openTaskloom(t);
  await page.getByRole("button", { name: "Add an object" }).click();
  const name = page.getByRole("textbox", { name: "Name of the object" });
  await name.waitFor();
  await page.keyboard.type("lamp");
  for (let turn = 0; turn < 6; turn += 1) await page.keyboard.press("Control+z");
  assert.ok(await name.isVisible());
  assert.equal(await messages(page).count(), 0);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("lamp");
  await page.keyboard.press("Enter");
  await record(page, "lamp").waitFor();
  // Out of the field it is the document's again.
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await record(page, "lamp").waitFor({ state: "detached" });
});

test("a message offers to undo what it tells of alone", async (t) => {
  const desk = await Desk.start(t);
  const { page } = desk;
  await desk.open("Method");
  await desk.click(await desk.head("walk"));
  await desk.press("Control+c", "Control+v");
  const pasted = messages(page).filter({ hasText: "Pasted" });
  await pasted.getByRole("button", { name: "Undo" }).waitFor();
  await desk.click(await desk.head("sub"));
  await desk.press("m");
  await pasted.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  assert.ok(await pasted.isVisible(), "what it tells of has still happened");
  // Of the newest step it can.
  await desk.click(await desk.head("free"));
  await desk.press("Control+c", "Control+v");
  const before = await desk.count();
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await desk.until(() => desk.count(), before - 1);
});

test("each message lives its own time", async (t) => {
  const { page } = await openTaskloom(t);
  await page.clock.install();
  const rename = async (record_, to) => {
    await record(page, record_).dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(to);
    await page.locator(".canvas").focus();
  };
  await rename("drawer", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await rename("shed", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  assert.equal(await messages(page).count(), 1, "the time of the first has ended, not that of the second");
  await page.clock.runFor(4_000);
  await messages(page).first().waitFor({ state: "detached" });
});

test("choosing a scenario shows it, and keys go on to work", async (t) => {
  const { page } = await openTaskloom(t);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  const name = inspector(page).getByRole("textbox", { name: "Name", exact: true });
  const first = await name.inputValue();
  await scenarios(page).focus();
  await scenarios(page).selectOption({ label: "Locked, the key is in the drawer" });
  await plan(page).getByText(/^plan: 7 steps/).waitFor();
  await page.waitForFunction(([field, first]) => field.isConnected === false || field.value !== first, [await name.elementHandle(), first]);
  assert.equal(await name.inputValue(), await scenarios(page).inputValue());
  await page.keyboard.press(".");
  await page.getByText("step 1 of 7").waitFor();
  await page.keyboard.press(",");
  await page.getByText("start, 7 steps").waitFor();
  // Where something else is shown, that stays.
  await record(page, "take-ball").click();
  await scenarios(page).selectOption({ index: 0 });
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  assert.equal(await name.inputValue(), "take-ball");
});

test("rows of the panel are reached and chosen by keyboard", async (t) => {
  const { page } = await openTaskloom(t);
  await scenarios(page).selectOption({ label: "The box slams shut" });
  for (const [name, list] of [
    ["Run", "Simulated run"],
    ["Search", "Search"],
  ]) {
    const rows = (await tab(page, name)).getByRole("listbox", { name: list }).getByRole("option");
    await rows.first().waitFor();
    const count = await rows.count();
    assert.ok(count > 3);
    const at = (number) => focused(page, `[data-row]:nth-child(${number + 1})`);
    assert.equal(await rows.locator("xpath=self::*[@tabindex=0]").count(), 1, "one stop of the Tab key");
    // From the panel into its list.
    await page.getByRole("tabpanel").focus();
    await page.keyboard.press("Tab");
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
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-selected") === "true");
  }
});

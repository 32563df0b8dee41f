// The plan follows every keystroke, and no domain freezes the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openFile, openTaskloom } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const steps = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
const outline = (page) => page.getByRole("tree", { name: "Records" });

test("typing in a precondition changes the plan, and undo brings it back", async (t) => {
  const { page } = await openTaskloom(t);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await outline(page).getByText("take-ball").click();
  await page.getByRole("textbox", { name: "Precondition 1" }).fill("not box_open");
  await plan(page).getByText(/^no plan/).waitFor();
  await page.getByText(/take-ball: not box_open does not hold/).waitFor();
  await page.keyboard.press("Control+z");
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
});

test("stepping shows the world before and after", async (t) => {
  const { page } = await openTaskloom(t);
  await steps(page).first().waitFor();
  await page.getByRole("button", { name: "Step forward" }).click();
  const world = page.getByRole("region", { name: "World" });
  await world.getByRole("heading", { name: "World around 1 walk-to(box)" }).waitFor();
  const changed = await world.getByRole("row", { name: /at\(box\)/ }).innerText();
  assert.match(changed, /at\(box\)\s+false\s+true/);
  await page.getByRole("button", { name: "Step forward" }).click();
  assert.equal(await steps(page).nth(1).getAttribute("aria-selected"), "true");
});

test("a mistake is told where it is, and mended by its button", async (t) => {
  const { page } = await openTaskloom(t);
  await outline(page).getByText("take-ball").click();
  const field = page.getByRole("textbox", { name: "Precondition 1" });
  await field.fill("box_opne");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /box_open/ }).first().click();
  assert.equal(await field.inputValue(), "box_open");
  assert.match(await page.getByRole("tab", { name: /Problems/ }).innerText(), /0/);
});

test("a completion is taken with the keyboard", async (t) => {
  const { page } = await openTaskloom(t);
  await outline(page).getByText("take-ball").click();
  const field = page.getByRole("textbox", { name: "Precondition 1" });
  await field.fill("");
  await field.pressSequentially("box_op");
  await page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name: /box_open/ }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await field.inputValue(), "box_open");
});

test("endless recursion never freezes the page, and can be stopped", async (t) => {
  const { page } = await openTaskloom(t);
  const blocks = { a: { kind: "begin" } };
  const wires = [];
  for (const id of ["b", "c", "d"]) {
    blocks[id] = { kind: "task", call: "again" };
    wires.push(`a.out -> ${id}`);
  }
  const endless = {
    taskloom: 1,
    info: { title: "Endless" },
    compound_tasks: { again: { method: { blocks, wires } } },
    scenarios: { always: { tasks: ["again"] } },
    layout: {},
  };
  await openFile(page, "endless.json", JSON.stringify(endless));
  await plan(page).getByText(/gave up|planning…/).waitFor();
  const title = page.getByRole("textbox", { name: "Title of the document" });
  const started = Date.now();
  await title.fill("Still answers");
  assert.equal(await title.inputValue(), "Still answers");
  assert.ok(Date.now() - started < 1000, "the page answers while the planner searches");
  await plan(page).getByText(/gave up/).waitFor({ timeout: 30_000 });
});

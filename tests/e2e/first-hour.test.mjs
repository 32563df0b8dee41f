// The first hour of somebody new: the example plays, the start card and the tour complete by being done, and what the page
// says suffices to make a task of one's own.

import { expect, inBothThemes, savedFile, test } from "./harness.mjs";
import { inspector } from "./hands.mjs";
import { violations } from "./violations.mjs";

const card = (page) => page.getByRole("region", { name: "Start", exact: true });
const tour = (page) => page.getByRole("region", { name: "Tour", exact: true });
const palette = (page) => page.getByRole("dialog", { name: "Command palette" });
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" }).first();
const views = (page) => page.getByRole("navigation", { name: "Views" });

/** Waits for a number of steps of the start card that are done. */
const done = (page, count) => expect(card(page).locator("li.done")).toHaveCount(count);

/** Picks an entry of the palette. */
async function pick(page, text) {
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "detached" });
}

/** Presses the middle of an element with the real mouse. */
async function press(page, element, { clicks = 1 } = {}) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: clicks });
}

/** Drags from a port of the only block with it to a place right of it. */
async function pull(page, port, [right, down]) {
  const box = await port.boundingBox();
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + right / 2, from.y + down / 2, { steps: 4 });
  await page.mouse.move(from.x + right, from.y + down, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("combobox", { name: "Add and connect a block" }).waitFor();
}

test("the first start plays an example, and the card's steps complete by being done", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 1440, height: 900 } });
  await expect(card(page)).toContainText("Example 1 of 7");
  await expect(card(page).getByRole("heading", { name: "Hunter and hunted" })).toBeVisible();
  await expect(views(page).getByRole("button", { name: "Stage" })).toHaveAttribute("aria-pressed", "true");
  // It plays by itself, and a press anywhere stops it.
  const now = () => slider(page).getAttribute("aria-valuetext");
  await expect.poll(now).toBe("tick 1");
  await press(page, card(page).getByRole("heading", { name: "Hunter and hunted" }));
  const stopped = await now();
  await page.waitForTimeout(1500);
  expect(await now(), "it stands still").toBe(stopped);
  await inBothThemes(page, async () => expect(await violations(page)).toEqual([]));

  await slider(page).focus();
  await page.keyboard.press("Home");
  for (let tick = 0; tick < 3; tick += 1) await page.keyboard.press("ArrowRight");
  await done(page, 1);

  await page.locator('.stage-token[data-actor="0"]').dblclick();
  await page.getByRole("dialog", { name: /^Why / }).getByRole("button", { name: "Show in method" }).click();
  // The card would cover the method; it waits on the Stage.
  await expect(card(page)).toHaveCount(0);
  await press(page, views(page).getByRole("button", { name: "Stage" }));
  await done(page, 2);

  const value = page.locator(".world button.value").first();
  await value.waitFor();
  await press(page, value);
  await page.getByRole("group", { name: "Override from this tick" }).getByRole("button", { name: "Set" }).click();
  await done(page, 3);

  await page.reload();
  await done(page, 3);
  await card(page).getByRole("button", { name: "Close the start card" }).click();
  await expect(card(page)).toHaveCount(0);
  await pick(page, "Show the start card");
  await done(page, 0);
});

test("nothing plays for those who prefer reduced motion", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, reducedMotion: "reduce" });
  await card(page).waitFor();
  await page.waitForTimeout(2500);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", "before the run");
});

test("the tour is done by doing what it says", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 1440, height: 900 } });
  const step = (title) => tour(page).getByRole("heading", { name: title, exact: true }).waitFor();
  const add = async (kind, name) => {
    await press(page, page.getByRole("button", { name: `Add a ${kind}`, exact: true }).first());
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  };
  await card(page).getByRole("button", { name: /Take the tour/ }).click();
  await step("Make a fact");
  await page.locator(".tour-ring").waitFor();
  await inBothThemes(page, async () => expect(await violations(page)).toEqual([]));
  await add("fact", "door_open");
  await step("Make a primitive task");
  // It goes on where it was.
  await page.reload();
  await step("Make a primitive task");
  await add("primitive task", "open-door");
  await step("Give it an effect");
  await press(page, inspector(page).getByRole("textbox", { name: "Effect 1", exact: true }));
  await page.keyboard.type("door_open");
  await page.keyboard.press("Escape");
  await step("Make a compound task");
  await add("compound task", "enter-house");
  await step("Open its method");
  await press(page, page.getByRole("treeitem", { name: "enter-house", exact: true }), { clicks: 2 });
  await step("Add a block");
  await page.locator("[data-block]").first().waitFor();
  await pull(page, page.locator('[data-block] [data-port="out"]').first(), [200, 0]);
  await page.keyboard.type("open-door");
  await page.keyboard.press("Enter");
  await step("Make a scenario");
  await page.keyboard.press("Escape");
  await add("scenario", "evening");
  await step("Say what is to be done");
  await press(page, inspector(page).getByRole("textbox", { name: "Task 1", exact: true }));
  await page.keyboard.type("enter-house");
  await page.keyboard.press("Escape");
  await step("Step through the plan");
  await page.getByRole("status", { name: "Plan" }).getByText(/1 step/).waitFor();
  await press(page, page.getByRole("button", { name: "Step forward" }).first());
  await step("Play it on the Stage");
  await press(page, views(page).getByRole("button", { name: "Stage" }));
  await press(page, page.locator(".play").first());
  await step("Done");
  await tour(page).getByRole("button", { name: "Leave" }).click();
  await expect(tour(page)).toHaveCount(0);
});

test("a step of the tour can be skipped, and the tour left by keyboard", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await pick(page, "Take the tour");
  await tour(page).getByRole("heading", { name: "Make a fact" }).waitFor();
  await tour(page).getByRole("button", { name: "Skip step" }).press("Enter");
  await tour(page).getByRole("heading", { name: "Make a primitive task" }).waitFor();
  await tour(page).getByRole("button", { name: "Leave" }).press("Enter");
  await expect(tour(page)).toHaveCount(0);
});

test("a task with a Branch and its plan take at most 25 actions", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 1440, height: 900 } });
  let actions = 0;
  const act = async (action) => {
    actions += 1;
    await action();
  };
  const click = (element, options) => act(() => press(page, element, options));
  const type = (text, ...keys) =>
    act(async () => {
      await page.keyboard.type(text);
      for (const key of keys) await page.keyboard.press(key);
    });
  const add = async (kind, name) => {
    await click(page.getByRole("button", { name: `Add a ${kind}`, exact: true }).first());
    await type(name, "Enter");
  };
  const out = (block, port) => block.locator(`[data-port="${port}"]`);
  const block = (kind) => page.locator(`[data-block]:has(.node-box.${kind})`).first();

  await click(card(page).getByRole("button", { name: "New document" }));
  await add("fact", "door_open");
  await add("primitive task", "open-door");
  await click(inspector(page).getByRole("textbox", { name: "Effect 1", exact: true }));
  await type("door_open", "Escape");
  await add("compound task", "enter-house");
  await click(page.getByRole("treeitem", { name: "enter-house", exact: true }), { clicks: 2 });
  await page.locator("[data-block]").first().waitFor();
  await act(() => pull(page, page.locator('[data-block] [data-port="out"]').first(), [180, 0]));
  await type("branch", "Enter");
  await page.locator(".in-place").waitFor();
  await type("door_open", "Escape", "Escape");
  await act(() => pull(page, out(block("branch"), "true"), [220, -60]));
  await type("end", "Enter");
  await act(() => pull(page, out(block("branch"), "false"), [220, 120]));
  await type("open-door", "Enter");
  await page.keyboard.press("Escape");
  await add("scenario", "evening");
  await click(inspector(page).getByRole("textbox", { name: "Task 1", exact: true }));
  await type("enter-house", "Escape");
  await page.getByRole("status", { name: "Plan" }).getByText(/1 step/).waitFor();
  expect(actions).toBeLessThanOrEqual(25);
  const { blocks } = JSON.parse(await savedFile(page)).compound_tasks["enter-house"].method;
  expect(Object.values(blocks).map(({ kind }) => kind).sort()).toEqual(["begin", "branch", "end", "task"]);
});

test("the palette finds a help page, an export, a setting and a scenario by title", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom();
  const [help] = await Promise.all([context.waitForEvent("page"), pick(page, "Agents and actors")]);
  await help.waitForLoadState("load");
  expect(new URL(help.url()).pathname).toMatch(/\/help\/agents\.html$/);
  await help.close();
  const download = page.waitForEvent("download");
  await pick(page, "Export as HDDL");
  await download;
  await pick(page, "Theme: dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await pick(page, "The box slams shut");
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("case-5-the-box-slams-shut");
  await expect(inspector(page).getByRole("textbox", { name: "Name", exact: true })).toHaveValue("case-5-the-box-slams-shut");
  // What was used comes first next time, under its own heading.
  await page.keyboard.press("Control+k");
  await expect(palette(page).locator(".finder-head").first()).toHaveText("Recent");
  await expect(palette(page).getByRole("combobox")).toHaveAttribute("placeholder", "Search or run a command");
});

test("the help begins with first steps and pages", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom();
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Help" });
  await expect(sheet.locator(".finder-head").first()).toHaveText("First steps");
  await expect(sheet.getByRole("option").first()).toContainText("Take the tour");
  await page.keyboard.type("senses");
  const [help] = await Promise.all([context.waitForEvent("page"), page.keyboard.press("Enter")]);
  await help.waitForLoadState("load");
  expect(new URL(help.url()).hash).toBe("#senses");
});

test("notes are shown whole, and their names and ticks are links", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const note = inspector(page).getByRole("textbox", { name: "Document notes" });
  const fits = (element) => element.evaluate(({ clientHeight, scrollHeight }) => scrollHeight <= clientHeight + 1);
  expect(await fits(note), "the whole note is visible").toBe(true);
  await inspector(page).getByRole("button", { name: "get-ball", exact: true }).click();
  await page.locator("[data-block]").first().waitFor();
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await inspector(page).getByRole("button", { name: "tick 4", exact: true }).click();
  await page.getByRole("heading", { name: "World around tick 4 of the run" }).waitFor();
  const written = inspector(page).getByRole("textbox", { name: "Notes", exact: true });
  await written.click();
  await page.keyboard.press("Control+End");
  for (let line = 0; line < 6; line += 1) await page.keyboard.press("Enter");
  await page.keyboard.type("The last line.");
  expect(await fits(written), "it grows").toBe(true);
});

// Draws the method of the ball in the box, the paper's example, down to its two alternatives, with the keyboard alone: no
// pointer ever touches the page.

import { readFile } from "node:fs/promises";
import { expect, nextFrame, openFile, savedFile, screenshot, test } from "./harness.mjs";

const example = new URL("../../public/examples/ball-in-the-box.taskloom.json", import.meta.url);

/** The domain of the example, without the method to be drawn. */
async function domain() {
  const document = JSON.parse(await readFile(example, "utf8"));
  document.info.title = "By keyboard";
  delete document.compound_tasks["get-ball"];
  delete document.layout.methods["get-ball"];
  document.agents = {};
  for (const scenario of Object.values(document.scenarios)) {
    delete scenario.cast;
    scenario.tasks = [];
    delete scenario.expect;
  }
  return JSON.stringify(document);
}

test("the ball in the box by the keyboard alone", async ({ openTaskloom }) => {
  test.setTimeout(120_000);
  const { page } = await openTaskloom({ viewport: { width: 1600, height: 900 } });
  await page.evaluate(() => {
    window.pointed = 0;
    for (const event of ["pointerdown", "mousedown", "touchstart"]) {
      window.addEventListener(event, () => (window.pointed += 1), true);
    }
  });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await nextFrame(page);
  };
  const type = (text) => page.keyboard.type(text);
  const blocks = () => page.locator("[data-block]").count();
  const selected = () => page.evaluate(() => document.querySelector("[data-block].selected")?.dataset.block);
  const until = (ask, why) => expect.poll(async () => Boolean(await ask()), { message: why, intervals: [25] }).toBe(true);
  /** Runs a command of the palette, or opens a record found there. */
  const go = async (text) => {
    await press("Control+k");
    await page.locator("dialog .finder-input").waitFor();
    await type(text);
    await press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
  };
  /** Moves the focus to a block by Tab, starting from the first one. */
  const select = async (id) => {
    const now = await selected();
    if (now && now !== id) await press("Escape");
    for (let turn = 0; turn < 80 && (await selected()) !== id; turn += 1) await press("Tab");
    expect(await selected(), "Tab comes to it").toBe(id);
  };
  /** Adds a block by typing at an output of a block, given by its name. The new block is then selected. */
  const grow = async (from, port, what, text) => {
    const before = await blocks();
    await select(from);
    await focusPort(port);
    await press("Enter");
    await page.locator(".finder-input").waitFor();
    await type(what);
    // Wires to existing blocks come first; here, a new block is wanted.
    while ((await page.locator(".finder-list .chosen").innerText()).includes("→")) await press("ArrowDown");
    await press("Enter");
    await until(async () => (await blocks()) === before + 1, `there is no block ${what}`);
    const field = page.locator(".in-place");
    if (text) {
      // The call opens for editing only if an argument is uncertain.
      await nextFrame(page);
      if (!(await field.count())) await press("F2");
      await field.waitFor();
      await press("Control+a");
      await type(text);
    }
    for (let turn = 0; turn < 3 && (await field.count()); turn += 1) await press("Escape");
    return selected();
  };
  const focusPort = async (port) => {
    await until(async () => {
      await press("p");
      const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
      return label?.startsWith(`Output ${port} of`);
    }, `P never came to the output ${port}`);
  };
  /** Draws a wire to an existing block, given by its name. */
  const connect = async (from, port, to) => {
    const wires = await page.locator(".wire-group").count();
    await select(from);
    await focusPort(port);
    await press("Enter");
    await page.locator(".finder-input").waitFor();
    await type(`→ ${to}`);
    await press("Enter");
    await until(async () => (await page.locator(".wire-group").count()) === wires + 1, `there is no wire to ${to}`);
  };

  await openFile(page, "domain.taskloom.json", await domain());
  await page.getByText("Opened “By keyboard”.").waitFor();

  // The compound task is added on the Board, and named.
  await press("Shift+A");
  await page.locator(".finder-input").waitFor();
  await type("get-ball");
  await page.getByRole("option", { name: /New compound task ‘get-ball’/ }).waitFor();
  const offered = await page.locator(".finder-list").getByRole("option").allInnerTexts();
  for (let at = offered.findIndex((text) => text.includes("New compound task")); at > 0; at -= 1) await press("ArrowDown");
  await press("Enter");
  await page.locator('[data-record="compound:get-ball"].selected').waitFor();
  await press("Enter");
  await until(async () => (await blocks()) === 1, "the method is open");
  await press("Tab");
  const begin = await selected();

  const there = await grow(begin, "out", "Branch", "at(box)");
  const walk = await grow(there, "false", "walk-to", "walk-to(box)");
  const open = await grow(there, "true", "Branch", "box_open");
  await connect(walk, "out", "Branch");
  const take = await grow(open, "true", "take-ball");
  await grow(take, "out", "End");
  const locked = await grow(open, "false", "Branch", "box_locked");
  const lid = await grow(locked, "false", "open-box");
  await grow(lid, "out", "take-ball");
  const choice = await grow(locked, "true", "Choice");
  await grow(choice, "1", "get-key");
  await grow(choice, "2", "get-hammer");
  await press("Home");
  await screenshot(page, "keyboard-get-ball");

  // Planning works: a scenario gets its task by keyboard, too.
  await go("case-1-box-open scenario");
  await until(() => page.getByRole("textbox", { name: "Task 1", exact: true }).isVisible(), "the scenario's inspector");
  const task = page.getByRole("textbox", { name: "Task 1", exact: true });
  for (let turn = 0; turn < 60 && !(await task.evaluate((field) => field === document.activeElement)); turn += 1) {
    if (turn === 0) await page.locator(".canvas").focus();
    await press(turn === 0 ? "F6" : "Tab");
  }
  await type("get-ball");
  await press("Escape");
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan: 2 steps/).waitFor();

  const { blocks: drawn } = JSON.parse(await savedFile(page)).compound_tasks["get-ball"].method;
  const texts = Object.values(drawn).map((block) => block.call ?? block.condition ?? block.kind);
  expect(texts.sort()).toEqual(
    ["at(box)", "begin", "box_locked", "box_open", "choice", "end", "get-hammer", "get-key", "open-box", "take-ball", "take-ball", "walk-to(box)"],
  );
  expect(await page.evaluate(() => window.pointed), "no pointer was used").toBe(0);
});

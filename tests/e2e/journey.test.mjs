// Draws the ball in the box from the empty document, with mouse and keyboard alone, and plans it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTaskloom, screenshot } from "./harness.mjs";

const SIZE = { width: 1920, height: 1080 };

const inspector = (page) => page.getByRole("complementary", { name: "Inspector" });
const plan = (page) => page.getByRole("status", { name: "Plan" });

/** A new record of the outline, with its name. It is selected afterwards. */
async function add(page, kind, name) {
  await page.getByRole("button", { name: new RegExp(`^Add an? ${kind}$`) }).first().click();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await inspector(page).getByRole("textbox", { name: "Name", exact: true }).waitFor();
}

async function choose(page, label, value) {
  await inspector(page).getByRole("combobox", { name: label, exact: true }).selectOption(value);
}

async function parameter(page, name, type) {
  const rows = inspector(page).getByRole("textbox", { name: /^Parameter \d+$/ });
  const at = (await rows.count()) + 1;
  await inspector(page).getByRole("button", { name: "Add a parameter" }).click();
  await write(page, `Parameter ${at}`, `?${name}`);
  await choose(page, `Type of parameter ${at}`, type);
}

/** Types into a field of the inspector as hands do: click, select all, type, leave. */
async function write(page, label, text) {
  const field = inspector(page).getByRole("textbox", { name: label, exact: true });
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  // The completions close; what was typed stays.
  await page.keyboard.press("Escape");
  await field.blur();
  assert.equal(await field.inputValue(), text);
}

async function writeAll(page, label, texts) {
  for (const [at, text] of texts.entries()) {
    await write(page, `${label} ${at + 1}`, text);
  }
}

async function primitive(page, name, { params = [], action, preconditions = [], effects = [], integrity = [], cost }) {
  await add(page, "primitive task", name);
  for (const [variable, type] of params) {
    await parameter(page, variable, type);
  }
  await write(page, "Action", action);
  await writeAll(page, "Precondition", preconditions);
  await writeAll(page, "Effect", effects);
  await writeAll(page, "Integrity rule", integrity);
  if (cost) {
    await write(page, "Cost", cost);
  }
}

/** The method's canvas, and a grid over it to put blocks on. */
class Chart {
  constructor(page, task, columns) {
    this.page = page;
    this.canvas = page.locator("main .canvas, main [role=application]").first();
    this.task = task;
    this.columns = columns;
  }

  async open() {
    const { page, task } = this;
    await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: task, exact: true }).dblclick();
    await page.locator("[data-block]").first().waitFor();
    this.box = await this.canvas.boundingBox();
    const middle = { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    // Far enough out for the whole chart.
    for (let turn = 0; turn < 30; turn += 1) {
      const begin = await this.port(await this.begin(), "out");
      const head = await page.locator("[data-block]").first().boundingBox();
      if (head.width <= ((this.box.width / this.columns) * 80) / 300) {
        this.from = begin;
        break;
      }
      await page.mouse.wheel(0, 60);
      await page.waitForTimeout(30);
    }
    // Begin at the left, by a drag with the middle button.
    const begin = await page.locator("[data-block]").first().boundingBox();
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(middle.x + this.box.x + 20 - begin.x, middle.y + this.box.y + 150 - begin.y, { steps: 5 });
    await page.mouse.up({ button: "middle" });
    await page.waitForTimeout(50);
  }

  async begin() {
    return (await this.ids())[0];
  }

  async ids() {
    return this.page.locator("[data-block]").evaluateAll((all) => all.map((block) => block.dataset.block));
  }

  /** The middle of a port on the screen. */
  async port(block, port) {
    const box = await this.page.locator(`[data-block="${block}"] [data-port="${port}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  cell([column, row]) {
    return {
      x: this.box.x + 20 + (column * this.box.width) / this.columns,
      y: this.box.y + 150 + row * 90,
    };
  }

  async drag(from, to) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await mouse.move(to.x, to.y, { steps: 4 });
    await mouse.up();
  }

  /** Drags a wire from a port to the empty canvas and picks what comes there. */
  async grow(from, port, what, cell, text) {
    const before = new Set(await this.ids());
    await this.drag(await this.port(from, port), this.cell(cell));
    const search = this.page.getByRole("combobox", { name: "Add and connect a block" });
    await search.waitFor({ timeout: 5000 }).catch(async (error) => {
      await screenshot(this.page, "journey-stuck");
      throw error;
    });
    await this.page.keyboard.type(what);
    await this.page.keyboard.press("Enter");
    await this.page.waitForFunction((n) => document.querySelectorAll("[data-block]").length > n, before.size);
    const id = (await this.ids()).find((block) => !before.has(block));
    await this.page.waitForTimeout(50);
    const field = this.page.locator(".in-place");
    if (text) {
      // A block with a text is edited where it stands.
      await field.waitFor();
      await this.page.keyboard.press("Control+a");
      await this.page.keyboard.type(text);
    }
    // First the completions close, then the field.
    for (let turn = 0; turn < 3 && (await field.isVisible()); turn += 1) {
      await this.page.keyboard.press("Escape");
      await this.page.waitForTimeout(30);
    }
    return id;
  }

  async connect(from, port, to) {
    await this.drag(await this.port(from, port), await this.port(to, "in"));
  }
}

async function savedFile(page) {
  const download = page.waitForEvent("download");
  await page.keyboard.press("Control+s");
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const SCENARIOS = [
  ["box-open", ["at(table)", "ball_in_box", "box_open"], ["walk-to(box)", "take-ball"]],
  ["box-closed", ["at(table)", "ball_in_box"], ["walk-to(box)", "open-box", "take-ball"]],
  [
    "key-in-the-drawer",
    ["at(table)", "ball_in_box", "box_locked", "item_at(key, drawer)", "item_at(hammer, shed)"],
    ["walk-to(box)", "walk-to(drawer)", "pick-up(key)", "walk-to(box)", "unlock-box", "open-box", "take-ball"],
  ],
  [
    "hammer-in-the-shed",
    ["at(table)", "ball_in_box", "box_locked", "item_at(hammer, shed)"],
    ["walk-to(box)", "walk-to(shed)", "pick-up(hammer)", "walk-to(box)", "smash-box", "take-ball"],
  ],
  ["slams-shut", ["at(table)", "ball_in_box", "box_open"], ["walk-to(box)", "take-ball"], [4, "not box_open"]],
  ["no-way-in", ["at(table)", "ball_in_box", "box_locked"], null],
];

test("the ball in the box is drawn from the empty document and planned", { timeout: 600_000 }, async (t) => {
  const { page } = await openTaskloom(t, { viewport: SIZE });
  await page.evaluate(() => delete window.showSaveFilePicker);
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "New" }).click();

  for (const type of ["place", "item"]) {
    await add(page, "type", type);
  }
  for (const [object, type] of [
    ...["box", "drawer", "shed", "table"].map((name) => [name, "place"]),
    ...["ball", "hammer", "key"].map((name) => [name, "item"]),
  ]) {
    await add(page, "object", object);
    await choose(page, "Type", type);
  }
  for (const [fact, source, ...params] of [
    ["at", "sensor", ["place", "place"]],
    ["ball_in_box", "sensor"],
    ["box_locked", "sensor"],
    ["box_open", "sensor"],
    ["has", "memory", ["item", "item"]],
    ["item_at", "memory", ["item", "item"], ["place", "place"]],
  ]) {
    await add(page, "fact", fact);
    for (const [variable, type] of params) {
      await parameter(page, variable, type);
    }
    await choose(page, "Source", source);
  }
  for (const [action, duration, ...params] of [
    ["WalkTo", 3, ["place", "place"]],
    ["OpenBox", 1],
    ["UnlockBox", 2],
    ["TakeBall", 2],
    ["PickUp", 1, ["item", "item"]],
    ["Smash", 4],
  ]) {
    await add(page, "action", action);
    for (const [variable, type] of params) {
      await parameter(page, variable, type);
    }
    await write(page, "Duration in ticks", String(duration));
  }
  await primitive(page, "walk-to", {
    params: [["place", "place"]],
    action: "WalkTo(?place)",
    effects: ["forall ?p: place. not at(?p)", "at(?place)"],
  });
  await primitive(page, "pick-up", {
    params: [["item", "item"]],
    action: "PickUp(?item)",
    preconditions: ["exists ?p: place. at(?p) and item_at(?item, ?p)"],
    effects: ["has(?item)", "forall ?p: place. not item_at(?item, ?p)"],
  });
  await primitive(page, "unlock-box", {
    action: "UnlockBox",
    preconditions: ["at(box)", "has(key)"],
    effects: ["not box_locked"],
  });
  await primitive(page, "open-box", {
    action: "OpenBox",
    preconditions: ["at(box)", "not box_locked"],
    effects: ["box_open"],
  });
  await primitive(page, "smash-box", {
    action: "Smash",
    preconditions: ["at(box)", "has(hammer)"],
    effects: ["box_open"],
    cost: "5",
  });
  await primitive(page, "take-ball", {
    action: "TakeBall",
    preconditions: ["box_open", "ball_in_box"],
    effects: ["has(ball)", "not ball_in_box"],
    integrity: ["box_open"],
  });

  for (const item of ["key", "hammer"]) {
    const task = `get-${item}`;
    await add(page, "compound task", task);
    const chart = new Chart(page, task, 6);
    await chart.open();
    const bind = await chart.grow(await chart.begin(), "out", "Bind", [1, 1]);
    await page.locator(`[data-block="${bind}"]`).click();
    await write(page, "Variable", "?place");
    await choose(page, "Type of the variable", "place");
    await write(page, "Such that", `item_at(${item}, ?place)`);
    const walk = await chart.grow(bind, "out", "walk-to(?place)", [3, 1]);
    await chart.grow(walk, "out", `pick-up(${item})`, [4.5, 1]);
  }

  await add(page, "compound task", "get-ball");
  await write(page, "Precondition 1", "ball_in_box");
  const chart = new Chart(page, "get-ball", 10.5);
  await chart.open();
  const there = await chart.grow(await chart.begin(), "out", "Branch", [1, 1], "at(box)");
  const go = await chart.grow(there, "false", "walk-to(box)", [2, 2]);
  const open = await chart.grow(there, "true", "Branch", [3, 0.5], "box_open");
  await chart.connect(go, "out", open);
  const take = await chart.grow(open, "true", "take-ball", [4, -0.5]);
  await chart.grow(take, "out", "End", [5, -0.5]);
  const locked = await chart.grow(open, "false", "Branch", [4, 2.5], "box_locked");
  const openIt = await chart.grow(locked, "false", "open-box", [5.2, 4.5]);
  await chart.grow(openIt, "out", "take-ball", [6.3, 4.5]);
  const choice = await chart.grow(locked, "true", "Choice", [5.2, 1.2]);
  let last = choice;
  let port = "1";
  for (const [at, call] of ["get-key", "walk-to(box)", "unlock-box", "get-ball"].entries()) {
    last = await chart.grow(last, port, call, [6.4 + at, 0.6]);
    port = "out";
  }
  last = choice;
  port = "2";
  for (const [at, call] of ["get-hammer", "walk-to(box)", "smash-box", "take-ball"].entries()) {
    last = await chart.grow(last, port, call, [6.4 + at, 2.6]);
    port = "out";
  }
  await page.mouse.move(chart.box.x + 300, chart.box.y + 700);
  await screenshot(page, "journey-get-ball");

  for (const [name, initial, expected, event] of SCENARIOS) {
    await add(page, "scenario", name);
    await write(page, "Task 1", "get-ball");
    for (const atom of initial) {
      await inspector(page).getByRole("checkbox", { name: `Initial value of ${atom}`, exact: true }).click();
    }
    if (event) {
      await inspector(page).getByRole("button", { name: "Add an event" }).click();
      await write(page, "Tick", String(event[0]));
      await write(page, "Event 1", event[1]);
    }
    await page.getByRole("combobox", { name: "Scenario" }).selectOption(name);
    if (expected === null) {
      await plan(page).getByText(/^no plan/).waitFor();
      continue;
    }
    await plan(page).getByText(new RegExp(`^plan: ${expected.length} step`)).waitFor();
    const steps = page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
    const texts = (await steps.allInnerTexts()).map((text) => text.replaceAll("\n", " "));
    for (const [at, call] of expected.entries()) {
      assert.ok(texts[at].includes(call), `step ${at + 1} of ${name} is ${call}: ${texts}`);
    }
  }
  assert.match(await page.getByRole("tab", { name: /Problems/ }).innerText(), /Problems\s*0$/);
  await screenshot(page, "journey-end");

  const drawn = await savedFile(page);
  const undo = page.getByRole("button", { name: /^Undo/ });
  const redo = page.getByRole("button", { name: /^Redo/ });
  while (await undo.isEnabled()) {
    await page.keyboard.press("Control+z");
  }
  assert.deepEqual(Object.keys(JSON.parse(await savedFile(page))), ["taskloom", "info", "layout"]);
  while (await redo.isEnabled()) {
    await page.keyboard.press("Control+Shift+z");
  }
  assert.equal(await savedFile(page), drawn);
});

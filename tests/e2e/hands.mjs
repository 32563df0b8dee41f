// A designer's hands: records and flowcharts made with mouse and keyboard alone.

import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFile, openTaskloom, savedFile, screenshot } from "./harness.mjs";

/** The panel at the right. */
export const inspector = (page) => page.getByRole("complementary", { name: "Inspector" });

/** A new record of the outline, with its name. It is selected afterwards. */
export async function add(page, kind, name) {
  await page.getByRole("button", { name: new RegExp(`^Add an? ${kind}$`) }).first().click();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await inspector(page).getByRole("textbox", { name: "Name", exact: true }).waitFor();
}

/** Chooses in a list of the inspector. */
export async function choose(page, label, value) {
  await inspector(page).getByRole("combobox", { name: label, exact: true }).selectOption(value);
}

/** A new parameter of the selected record. */
export async function parameter(page, name, type) {
  const rows = inspector(page).getByRole("textbox", { name: /^Parameter \d+$/ });
  const at = (await rows.count()) + 1;
  await inspector(page).getByRole("button", { name: "Add a parameter" }).click();
  await write(page, `Parameter ${at}`, `?${name}`);
  await choose(page, `Type of parameter ${at}`, type);
}

/** Types into a field of the inspector as hands do: click, select all, type, leave. */
export async function write(page, label, text) {
  const field = inspector(page).getByRole("textbox", { name: label, exact: true });
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  // The completions close; what was typed stays.
  await page.keyboard.press("Escape");
  await field.blur();
  assert.equal(await field.inputValue(), text);
}

/** Types into the numbered fields of a list. */
async function writeAll(page, label, texts) {
  for (const [at, text] of texts.entries()) {
    await write(page, `${label} ${at + 1}`, text);
  }
}

/** A new primitive task. */
export async function primitive(page, name, { params = [], action, preconditions = [], effects = [], integrity = [], cost }) {
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
export class Chart {
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

/** Drags files, `{ name, text }` each, from the desktop over the canvas and lets go of them. */
export async function drop(page, ...files) {
  const box = await page.getByRole("main").boundingBox();
  const folder = await mkdtemp(join(tmpdir(), "taskloom-"));
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ text }, at) => writeFile(paths[at], text)));
  const devtools = await page.context().newCDPSession(page);
  const event = { x: box.x + 100, y: box.y + 100, data: { items: [], files: paths, dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await devtools.send("Input.dispatchDragEvent", { type, ...event });
  }
  await devtools.detach();
}

/** A small document whose geometry every test of a gesture knows. */
export const DESK = {
  taskloom: 1,
  info: { title: "The desk" },
  facts: { lit: { value: "boolean", source: "sensor" }, seen: { value: "boolean", source: "memory" } },
  conditions: { calm: { formula: "lit" } },
  actions: { Walk: { duration: 1 }, Sit: { duration: 1 } },
  primitive_tasks: {
    sit: { action: "Sit", effects: [{ text: "seen" }] },
    walk: { action: "Walk", preconditions: ["lit"], effects: [{ text: "seen" }] },
  },
  compound_tasks: {
    main: {
      method: {
        blocks: {
          begin: { kind: "begin" },
          end: { kind: "end" },
          free: { kind: "task", call: "sit" },
          sub: { kind: "task", call: "sub" },
          walk: { kind: "task", call: "walk" },
        },
        wires: ["begin.out -> walk", "walk.out -> sub", "sub.out -> end"],
      },
    },
    sub: { method: { blocks: { begin: { kind: "begin" } } } },
  },
  scenarios: { day: { initial: ["lit"], tasks: ["main"] } },
  layout: {
    methods: {
      main: { begin: "0,0", end: "860,0", free: "300,260", sub: "560,0", walk: "220,0" },
      sub: { begin: "0,0" },
    },
  },
};

/** What the two canvases call the same things. */
const KINDS = {
  Method: {
    node: "[data-block]",
    named: (name) => `[data-block="${name}"]`,
    // A block, the next, one without wires; an output, and an input that takes it.
    nodes: { first: "walk", next: "sub", free: "free" },
    ports: { output: "out", input: "in" },
  },
  Board: {
    node: "[data-record]",
    named: (name) => `[data-record="${name}"]`,
    nodes: { first: "fact:lit", next: "primitive:walk", free: "fact:seen" },
    ports: { output: "offer", input: "precondition" },
  },
};

/** One of the two canvases with the desk's document on it, under mouse, keyboard and fingers. */
export class Desk {
  /** A page for many tests, each of which begins with `open`. */
  static async start(t, options = {}) {
    const { page, problems, context } = await openTaskloom(t, { viewport: { width: 1440, height: 900 }, hasTouch: true, ...options });
    const desk = new Desk();
    return Object.assign(desk, { page, problems, devtools: await context.newCDPSession(page) });
  }

  /** A test a canvas for a row of the interaction table, each with the document opened anew. */
  rows(t) {
    return async (name, kinds, go) => {
      for (const kind of kinds) {
        await t.test(`${name}, ${kind}`, { timeout: 20_000 }, async () => {
          await this.open(kind);
          await go(this, kind);
        });
      }
    };
  }

  /** Opens the document anew and shows all of a canvas. */
  async open(kind, document = DESK) {
    const { page } = this;
    this.kind = kind;
    Object.assign(this, KINDS[kind]);
    await page.keyboard.press("Escape");
    await openFile(page, "desk.taskloom.json", JSON.stringify(document));
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "main", exact: true }).waitFor();
    if (kind === "Method") {
      await records.getByRole("treeitem", { name: "main", exact: true }).dblclick();
    }
    await page.locator(this.node).first().waitFor();
    // What the tests before were told would lie over blocks.
    await page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((button) => button.click()));
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await this.frame();
    return this;
  }

  /** Waits until what was done is on the screen. */
  async frame() {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Waits until a question has this answer. */
  async until(ask, answer, why) {
    let found;
    for (let turn = 0; turn < 60; turn += 1) {
      found = await ask();
      if (JSON.stringify(found) === JSON.stringify(answer)) return;
      await this.page.waitForTimeout(25);
    }
    assert.deepEqual(found, answer, why);
  }

  /** The document as a file holds it. */
  async document() {
    return JSON.parse(await savedFile(this.page));
  }

  /** The wires: of the method as the file says them, of the Board by what they mean. */
  async wires() {
    if (this.kind === "Method") return (await this.document()).compound_tasks.main.method.wires;
    return this.page.locator(".wire-group title").allTextContents();
  }

  count() {
    return this.page.locator(this.node).count();
  }

  /** The names of what is selected. */
  async selected() {
    const names = await this.page.locator(`${this.node}.selected`).evaluateAll((all) => all.map((e) => e.dataset.block ?? e.dataset.record));
    return names.sort();
  }

  /** Where the camera looks: x, y and zoom. */
  async camera() {
    await this.frame();
    return this.page.evaluate(() => {
      const { e, f, a } = new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform);
      return { x: e, y: f, zoom: a };
    });
  }

  at(name) {
    return this.page.locator(this.named(name));
  }

  async box(name) {
    return this.at(name).boundingBox();
  }

  /** The head of a node, on the screen. */
  async head(name) {
    const box = await this.box(name);
    return { x: box.x + Math.min(box.width, 60) / 2, y: box.y + 14 };
  }

  async port(name, port) {
    const box = await this.page.locator(`${this.named(name)} [data-port="${port}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** A place where nothing is. */
  async nowhere(x = 0.5, y = 0.07) {
    const box = await this.page.locator(".canvas").boundingBox();
    return { x: box.x + box.width * x, y: box.y + box.height * y };
  }

  /** In the middle between two ports: on their wire. */
  async between([a, out], [b, into]) {
    const [from, to] = [await this.port(a, out), await this.port(b, into)];
    return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  }

  async click(at, { keys = [], button = "left" } = {}) {
    await this.hold(keys, () => this.page.mouse.click(at.x, at.y, { button }));
    await this.frame();
  }

  async drag(from, to, { keys = [], button = "left", release = true } = {}) {
    const { mouse } = this.page;
    await this.hold(keys, async () => {
      await mouse.move(from.x, from.y);
      await mouse.down({ button });
      await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await mouse.move(to.x, to.y, { steps: 3 });
      if (release) await mouse.up({ button });
    });
    await this.frame();
  }

  async hold(keys, act) {
    for (const key of keys) await this.page.keyboard.down(key);
    await act();
    for (const key of keys) await this.page.keyboard.up(key);
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.frame();
  }

  /** Fingers go down, along these ways (a list of places for each finger) and up. */
  async fingers(...ways) {
    const send = (type, points) =>
      this.devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
    await send("touchStart", ways.map((way) => way[0]));
    for (let step = 1; step < ways[0].length; step += 1) {
      await send("touchMove", ways.map((way) => way[step]));
    }
    await send("touchEnd", []);
    await this.frame();
  }

  tap(at) {
    return this.fingers([at]);
  }

  search() {
    return this.page.locator(".finder:not(dialog) .finder-input");
  }

  /** Types into the search box that is open, and takes what comes first. */
  async pick(text) {
    await this.search().waitFor();
    await this.page.keyboard.type(text);
    await this.press("Enter");
  }

  /** What has the keyboard's focus, by its name. */
  focused() {
    return this.page.evaluate(() => {
      const { activeElement: active } = document;
      return active?.getAttribute("aria-label") ?? active?.tagName;
    });
  }

  undo() {
    return this.press("Control+z");
  }
}

/**
 * Watches from now on whether the page stays alive; what it returns asserts that it did. Of the time since, the longest part
 * without a frame is less than half: a page that waits for the planner has one frame before and one behind, and on a machine
 * with much to do the browsers leave each other out for a quarter. And the page's own thread has worked less than a quarter:
 * that is measured in its processor time, on which other work has no say.
 */
export async function watchAlive(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await page.evaluate(() => {
    window.longestFrame = 0;
    window.watchedFrom = performance.now();
    let last = window.watchedFrom;
    const frame = (now) => {
      window.longestFrame = Math.max(window.longestFrame, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const before = await worked();
  return async () => {
    const [longest, took] = await page.evaluate(() => [window.longestFrame, performance.now() - window.watchedFrom]);
    const busy = ((await worked()) - before) * 1000;
    const told = `${took.toFixed(0)} ms, ${longest.toFixed(0)} of them without a frame, ${busy.toFixed(0)} of work on the page`;
    assert.ok(longest < took / 2, told);
    assert.ok(busy < took / 4, told);
    return told;
  };
}

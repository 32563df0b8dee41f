// A designer's hands: create records and flowcharts with mouse and keyboard alone.

import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, nextFrame, screenshot } from "./harness.mjs";

/** The panel on the right. */
export const inspector = (page) => page.getByRole("complementary", { name: "Inspector" });

/** Adds a record in the outline and names it. It is selected afterwards. */
export async function add(page, kind, name) {
  await page.getByRole("button", { name: new RegExp(`^Add an? ${kind}$`) }).first().click();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await inspector(page).getByRole("textbox", { name: "Name", exact: true }).waitFor();
}

/** Chooses an option of a selection list in the inspector. */
export async function choose(page, label, value) {
  await inspector(page).getByRole("combobox", { name: label, exact: true }).selectOption(value);
}

/** Adds a parameter to the selected record. */
export async function parameter(page, name, type) {
  const rows = inspector(page).getByRole("textbox", { name: /^Parameter \d+$/ });
  const at = (await rows.count()) + 1;
  await inspector(page).getByRole("button", { name: "Add a parameter" }).click();
  await write(page, `Parameter ${at}`, `?${name}`);
  await choose(page, `Type of parameter ${at}`, type);
}

/** Types into a field of the inspector as a user would: click, select all, type, leave. */
export async function write(page, label, text) {
  const field = inspector(page).getByRole("textbox", { name: label, exact: true });
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  // The completions close; what was typed stays.
  await page.keyboard.press("Escape");
  await field.blur();
  await expect(field).toHaveValue(text);
}

/** Types into the numbered fields of a list. */
async function writeAll(page, label, texts) {
  for (const [at, text] of texts.entries()) {
    await write(page, `${label} ${at + 1}`, text);
  }
}

/** Adds a primitive task. */
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

/** The method's canvas, with a grid for placing blocks. */
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
    // Zooms out far enough for the whole flowchart.
    for (let turn = 0; turn < 30; turn += 1) {
      const begin = await this.port(await this.begin(), "out");
      const head = await page.locator("[data-block]").first().boundingBox();
      if (head.width <= ((this.box.width / this.columns) * 80) / 300) {
        this.from = begin;
        break;
      }
      await page.mouse.wheel(0, 60);
      await nextFrame(page);
    }
    // Pans with the middle button until Begin is on the left.
    const begin = await page.locator("[data-block]").first().boundingBox();
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(middle.x + this.box.x + 20 - begin.x, middle.y + this.box.y + 150 - begin.y, { steps: 5 });
    await page.mouse.up({ button: "middle" });
    await nextFrame(page);
  }

  async begin() {
    return (await this.ids())[0];
  }

  async ids() {
    return this.page.locator("[data-block]").evaluateAll((all) => all.map((block) => block.dataset.block));
  }

  /** Returns the screen position of a port's middle. */
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

  /** Drags a wire from a port to the empty canvas and picks a row of the search box. */
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
    await nextFrame(this.page);
    const field = this.page.locator(".in-place");
    if (text) {
      // A block with an uncertain argument is open for editing already.
      if (!(await field.count())) await this.page.keyboard.press("F2");
      await field.waitFor();
      await this.page.keyboard.press("Control+a");
      await this.page.keyboard.type(text);
    }
    // First the completions close, then the field.
    for (let turn = 0; turn < 3 && (await field.isVisible()); turn += 1) {
      await this.page.keyboard.press("Escape");
      await nextFrame(this.page);
    }
    return id;
  }

  async connect(from, port, to) {
    await this.drag(await this.port(from, port), await this.port(to, "in"));
  }
}

/** Drags files, `{ name, text }` each, from the desktop and drops them on the canvas. */
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

/**
 * Monitors from now on whether the page stays responsive; the returned function asserts that it did. The longest time
 * without a frame must be less than half of the elapsed time: a frozen page has one frame before and one after, while
 * on a busy machine browsers may suspend each other for a quarter of it. The page's main thread must have worked for
 * less than a quarter: that is measured in its processor time, which is independent of other work.
 */
export async function watchResponsiveness(page) {
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
    const message = `${took.toFixed(0)} ms, ${longest.toFixed(0)} of them without a frame, ${busy.toFixed(0)} of work on the page`;
    expect(longest, message).toBeLessThan(took / 2);
    expect(busy, message).toBeLessThan(took / 4);
    return message;
  };
}

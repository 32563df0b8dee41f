// A small document on one of the two canvases, operated by mouse, keyboard and touch.

import { expect, nextFrame, open, openFile, savedFile, test as base } from "./harness.mjs";

/** A small document with a geometry that all gesture tests rely on. */
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

/** The names of corresponding items on the two canvases. */
const KINDS = {
  Method: {
    node: "[data-block]",
    named: (name) => `[data-block="${name}"]`,
    // A block, the next one, and one without wires; an output, and an input that accepts it.
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

/** One of the two canvases with the desk's document, operated by mouse, keyboard and touch. */
export class Desk {
  /** Creates it on a page that `opener` opens, such as the fixture `openTaskloom`. */
  static async start(opener, options = {}) {
    const { page, problems, context } = await opener({ viewport: { width: 1440, height: 900 }, hasTouch: true, ...options });
    const desk = new Desk();
    return Object.assign(desk, { page, problems, devtools: await context.newCDPSession(page) });
  }

  /** Opens the document again and fits all of a canvas into the view. */
  async open(kind, document = DESK) {
    const { page } = this;
    this.kind = kind;
    Object.assign(this, KINDS[kind]);
    await page.keyboard.press("Escape");
    const dismiss = () =>
      page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((button) => button.click()));
    await dismiss();
    await expect(page.locator(".toast")).toHaveCount(0);
    await openFile(page, "desk.taskloom.json", JSON.stringify(document));
    // The previous test's document has the same records.
    await page.locator(".toast").filter({ hasText: "Opened" }).first().waitFor();
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "main", exact: true }).waitFor();
    if (kind === "Method") {
      await records.getByRole("treeitem", { name: "main", exact: true }).dblclick();
    }
    await page.locator(this.node).first().waitFor();
    // Messages of previous tests would cover blocks.
    await dismiss();
    // The first view comes with a frame; until then, it would replace that of Home.
    await this.frame();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await this.frame();
    return this;
  }

  /** Waits until the last action is visible. */
  async frame() {
    await nextFrame(this.page);
  }

  /** Waits until a query returns this value. */
  async until(ask, answer, why) {
    await expect.poll(ask, { message: why, intervals: [25] }).toEqual(answer);
  }

  /** Returns the document as saved in its file. */
  async document() {
    return JSON.parse(await savedFile(this.page));
  }

  /** Returns the wires: a method's as in the file, the Board's by their meaning. */
  async wires() {
    if (this.kind === "Method") return (await this.document()).compound_tasks.main.method.wires;
    return this.page.locator(".wire-group:not(.role-effect) title").allTextContents();
  }

  count() {
    return this.page.locator(this.node).count();
  }

  /** Returns the names of the selected items. */
  async selected() {
    const names = await this.page.locator(`${this.node}.selected`).evaluateAll((all) => all.map((e) => e.dataset.block ?? e.dataset.record));
    return names.sort();
  }

  /** Returns the camera: x, y and zoom. */
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

  /** Returns the screen position of a node's head. */
  async head(name) {
    const box = await this.box(name);
    return { x: box.x + Math.min(box.width, 60) / 2, y: box.y + 14 };
  }

  async port(name, port) {
    const box = await this.page.locator(`${this.named(name)} [data-port="${port}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Returns an empty position. */
  async nowhere(x = 0.5, y = 0.07) {
    const box = await this.page.locator(".canvas").boundingBox();
    return { x: box.x + box.width * x, y: box.y + box.height * y };
  }

  /** Returns the middle between two ports: a point on their wire. */
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

  /** Presses fingers, moves them along these paths (a list of points for each finger) and lifts them. */
  async fingers(...paths) {
    const send = (type, points) =>
      this.devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
    await send("touchStart", paths.map((way) => way[0]));
    for (let step = 1; step < paths[0].length; step += 1) {
      await send("touchMove", paths.map((way) => way[step]));
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

  /** Returns the menu that a right click opens. */
  menu() {
    return this.page.locator(".menu.context");
  }

  /** Chooses a command of the open menu. */
  async choose(name) {
    await this.menu().getByRole("menuitem", { name }).click();
    await this.frame();
  }

  /** Types into the open search box and picks the first match. */
  async pick(text) {
    await this.search().waitFor();
    await this.page.keyboard.type(text);
    await this.press("Enter");
  }

  /** Confirms deleting records with their uses, if asked. */
  async confirmDeletion() {
    const question = this.page.getByRole("dialog", { name: /^Delete / });
    if (await question.count()) await question.getByRole("button", { name: /^Delete with/ }).click();
  }

  /** Returns the name of the element with the keyboard focus. */
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

/** A page shared by many tests, each of which begins with `open`. */
const test = base.extend({
  desk: [
    async ({ browser, address }, use) => {
      let context;
      const desk = await Desk.start(async (options) => {
        const opened = await open(browser, { address, ...options });
        context = opened.context;
        return opened;
      });
      await use(desk);
      await context.close();
    },
    { scope: "worker" },
  ],
});

/** Defines a test per canvas for a row of the interaction table, each with the document opened again. */
export function row(name, kinds, go) {
  for (const kind of kinds) {
    test(`${name}, ${kind}`, async ({ desk }) => {
      await desk.open(kind);
      await go(desk, kind);
      expect(desk.problems, "the browser complained").toEqual([]);
    });
  }
}

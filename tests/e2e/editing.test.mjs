// Editing under real hands: clipboard, muting, collapsing, frames, tasks made of a selection, the minimap, find and replace.

import axe from "axe-core";
import { expect, newDocument, nextFrame, savedFile, test } from "./harness.mjs";

/** What is on the canvas of a method. */
class Method {
  static async open(openTaskloom, task, options) {
    const opened = await openTaskloom({ viewport: { width: 1440, height: 900 }, ...options });
    const method = new Method(opened);
    await method.go(task);
    return method;
  }

  constructor({ page, context, address }) {
    Object.assign(this, { page, context, address });
  }

  async go(task) {
    const title = this.page.locator(`[data-record="compound:${task}"] .node-name`);
    await title.waitFor();
    await title.dblclick();
    await this.page.locator("[data-block]").first().waitFor();
    await this.page.keyboard.press("Home");
    await nextFrame(this.page);
  }

  /** Waits until there are so many blocks and wires. */
  async holds(blocks, wires, why) {
    await expect(this.page.locator("[data-block]"), why).toHaveCount(blocks);
    await expect(this.page.locator(".wire-group"), why).toHaveCount(wires);
  }

  block(kind, nth = 0) {
    return this.page.locator(`[data-block]:has(.node-box.${kind})`).nth(nth);
  }

  async select(...blocks) {
    for (const [at, block] of blocks.entries()) {
      const box = await block.locator(".node-head").boundingBox();
      if (at > 0) await this.page.keyboard.down("Shift");
      await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      if (at > 0) await this.page.keyboard.up("Shift");
    }
  }

  async selectedCount() {
    return this.page.locator("[data-block].selected").count();
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Waits for a message. */
  said(text) {
    return this.page.locator(".toast", { hasText: text }).first().waitFor();
  }

  async document() {
    return JSON.parse(await savedFile(this.page));
  }
}

test("blocks are copied, cut and pasted, with new ids and the wires between them", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.holds(5, 4);
  await method.select(method.block("primitive", 0), method.block("primitive", 1));
  await method.press("Control+c");
  await method.said("Copied 2 blocks.");
  await method.press("Control+v");
  await method.holds(7, 5, "two blocks more, and the wire between them");
  expect(await method.selectedCount(), "what is pasted is selected").toBe(2);
  await method.press("Control+z");
  await method.holds(5, 4, "a paste is one step");
  await method.select(method.block("primitive", 0));
  await method.press("Control+x");
  await method.holds(4, 3, "the wire closes over what is cut");
  await method.press("Control+Shift+v");
  await method.holds(5, 4, "with the wire that led to it");
  await method.press("Control+z", "Control+z");
  await method.holds(5, 4);
  await method.press("Control+a", "Control+d");
  await method.holds(9, 7, "Begin is not copied");
  expect(await page.locator('[data-block]:has(.node-box.begin)').count()).toBe(1);
});

test("what is pasted is what was copied last, however late the system's clipboard hears of it", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await page.evaluate(() => {
    window.before = new DataTransfer();
    const keep = (event) => window.before.setData("text/plain", event.clipboardData.getData("text/plain"));
    addEventListener("copy", keep, { once: true });
  });
  /** A paste while the system's clipboard still holds what was copied first. */
  const paste = () => page.evaluate(() => {
    const event = new ClipboardEvent("paste", { clipboardData: window.before, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  });
  await method.holds(5, 4);
  await method.select(method.block("bind"));
  await method.press("Control+c");
  await method.said("Copied 1 block.");
  await method.select(method.block("primitive", 0), method.block("primitive", 1));
  await method.press("Control+c");
  await paste();
  await method.holds(7, 5, "the two blocks that were copied just now");
  await method.press("Control+z");
  await method.holds(5, 4);
  // As the browser tells when another window gets the focus: whatever was copied there counts.
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  await paste();
  await method.holds(6, 4, "the one block that the system's clipboard holds");
});

test("what is copied in one tab and document is pasted in another, with what it names", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  await method.select(method.block("bind"));
  await method.press("Control+c");
  await method.said("Copied 1 block.");
  const page = await method.context.newPage();
  await page.goto(method.address, { waitUntil: "load" });
  await page.getByRole("main").waitFor();
  await newDocument(page);
  await page.getByRole("button", { name: "Add a compound task" }).click();
  await page.keyboard.press("Enter");
  const other = new Method({ page, context: method.context, address: method.address });
  await other.go("compound");
  await other.press("Control+v");
  await other.holds(2, 0);
  await other.said("Also pasted: type item, type place");
  for (const record of ["item", "place", "key_at"]) {
    await page.locator(".item .name", { hasText: record }).first().waitFor();
  }
  await other.press("Control+z");
  await other.holds(1, 0, "all of it in one step");
});

test("records are duplicated, and pasted ones get names that are free", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const card = (name) => page.locator(`[data-record="primitive:${name}"]`);
  await card("open-box").locator(".node-name").click();
  await page.keyboard.press("Control+d");
  await card("open-box-2").waitFor();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await card("open-box-3").waitFor();
  await page.keyboard.press("Control+z");
  await card("open-box-3").waitFor({ state: "detached" });
});

test("text fields keep their own clipboard, and foreign text is told and changes nothing", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.select(method.block("primitive", 0));
  const field = page.getByRole("complementary", { name: "Inspector" }).getByLabel("Task").first();
  await field.click();
  const typed = await field.inputValue();
  await method.press("Control+a", "Control+c", "End", "Control+v");
  await expect(field).toHaveValue(typed + typed);
  await method.press("Escape", "Control+z");
  await page.locator(".canvas").focus();
  await method.press("Control+v");
  await method.said("The clipboard has nothing copied from Taskloom.");
  await method.holds(5, 4);
});

test("M mutes blocks: the planner passes them by, and the file keeps them", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.select(method.block("primitive", 0));
  await method.press("m");
  await page.locator(".node-box.muted").waitFor();
  expect(await page.locator("[data-block].selected").getAttribute("aria-label")).toMatch(/Muted/);
  const saved = await method.document();
  expect(saved.compound_tasks["get-key"].method.muted.length).toBe(1);
  await method.press("m");
  await page.locator(".node-box.muted").waitFor({ state: "detached" });
  await method.select(method.block("begin"));
  await method.press("m");
  await expect(page.locator(".node-box.muted"), "Begin cannot be muted").toHaveCount(0);
});

test("Alt+C collapses blocks and cards to their titles, wires and all", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-ball");
  const { page } = method;
  const branch = method.block("branch");
  const height = async (block) => (await block.boundingBox()).height;
  const before = await height(branch);
  const wires = await page.locator(".wire-group").count();
  await method.select(branch);
  await method.press("Alt+c");
  await page.locator(".node-box.collapsed").waitFor();
  expect((await height(branch))).toBeLessThan(before / 2);
  await expect(page.locator(".wire-group")).toHaveCount(wires);
  await method.press("Alt+c");
  await page.locator(".node-box.collapsed").waitFor({ state: "detached" });
  expect(await height(branch)).toBe(before);
  await method.press("Escape", "Escape");
  await page.locator('[data-record="primitive:open-box"] .node-name').click();
  await method.press("Alt+c");
  await page.locator('[data-record="primitive:open-box"] .node-box.collapsed').waitFor();
});

test("C frames the selection: it moves what stands in it, in one step", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  const [first, second] = [method.block("primitive", 0), method.block("primitive", 1)];
  await method.select(first, second);
  await method.press("c");
  const title = page.getByRole("textbox", { name: "Frame title" });
  await title.waitFor();
  await page.keyboard.type("by foot");
  await method.press("Enter");
  const frame = page.getByRole("group", { name: "Frame: by foot" });
  await frame.waitFor();
  const place = async (locator) => {
    const { x, y } = await locator.boundingBox();
    return [Math.round(x), Math.round(y)];
  };
  const [before, other] = [await place(first), await place(method.block("begin"))];
  const box = await frame.boundingBox();
  await page.mouse.move(box.x + 20, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 60, { steps: 4 });
  await page.mouse.move(box.x + 60, box.y + 108, { steps: 4 });
  const during = await place(first);
  expect(during[1], "it is seen to move").toBeGreaterThan(before[1] + 50);
  await page.mouse.up();
  await nextFrame(page);
  const after = await place(first);
  expect(after[0] > before[0] && after[1] > before[1] + 50).toBe(true);
  expect(await place(method.block("begin")), "what stands outside stays").toEqual(other);
  await method.press("Control+z");
  await nextFrame(page);
  expect(await place(first)).toEqual(before);
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await frame.click({ position: { x: 20, y: 8 } });
  await inspector.getByRole("textbox", { name: "Notes" }).fill("Not in the rain.");
  await inspector.getByRole("button", { name: "green" }).click();
  await page.locator(".frame[data-tint=green] .frame-note", { hasText: "Not in the rain." }).waitFor();
  await frame.click({ position: { x: 20, y: 8 } });
  await method.press("ArrowDown");
  await nextFrame(page);
  expect((await place(first))[1], "arrows move it, too").toBeGreaterThan(before[1]);
  const wide = (await frame.boundingBox()).width;
  const { x, y, width, height } = await frame.boundingBox();
  await page.mouse.move(x + width - 5, y + height - 5);
  await page.mouse.down();
  await page.mouse.move(x + width + 60, y + height + 40, { steps: 4 });
  expect((await frame.boundingBox()).width, "it is seen to grow").toBeGreaterThan(wide + 40);
  await method.press("Escape");
  await page.mouse.up();
  await nextFrame(page);
  expect((await frame.boundingBox()).width, "Escape leaves no trace").toBe(wide);
  await page.mouse.move(x + width - 5, y + height - 5);
  await page.mouse.down();
  await page.mouse.move(x + width + 60, y + height + 40, { steps: 4 });
  await page.mouse.up();
  await nextFrame(page);
  expect((await frame.boundingBox()).width).toBeGreaterThan(wide + 40);
  await method.press("Delete");
  await frame.waitFor({ state: "detached" });
  await method.holds(5, 4, "what stood in it stays");
});

test("a frame is copied and extracted with what stands in it from edge to edge, and with nothing else", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.holds(5, 4);
  await method.select(method.block("primitive", 0), method.block("primitive", 1));
  await method.press("c");
  await page.getByRole("textbox", { name: "Frame title" }).waitFor();
  await page.keyboard.type("by foot");
  await method.press("Enter");
  const frames = page.locator(".frame");
  const frame = frames.first();
  await frame.click({ position: { x: 20, y: 8 } });
  expect(await method.selectedCount(), "the frame alone is selected").toBe(0);
  await method.press("Control+c");
  await method.said("Copied");
  await method.press("Control+v");
  await method.holds(7, 5, "two blocks more, and the wire between them");
  await expect(frames).toHaveCount(2);
  await method.press("Control+z");
  await method.holds(5, 4);
  // A block whose corner alone is in the frame is not in it.
  const { x, y, width, height } = await frame.boundingBox();
  await page.mouse.move(x + width - 4, y + height - 4);
  await page.mouse.down();
  await page.mouse.move(x + width - 24, y + height - 4, { steps: 4 });
  await page.mouse.move(x + width - 44, y + height - 4, { steps: 4 });
  await page.mouse.up();
  await frame.click({ position: { x: 20, y: 8 } });
  await method.press("Control+c", "Control+v");
  await method.holds(6, 4, "one block more");
  await method.press("Control+z", "Control+z");
  await method.holds(5, 4);
  await frame.click({ position: { x: 20, y: 8 } });
  await method.press("Control+Shift+E");
  await method.holds(4, 3, "a call in the place of two");
  const { compound_tasks: tasks, layout } = await method.document();
  const inner = Object.values(tasks["get-key-part"].method.blocks).map(({ kind }) => kind);
  expect(inner.sort()).toEqual(["begin", "task", "task"]);
  expect(Object.values(layout.drawings["get-key-part"].frames).map(({ title }) => title)).toEqual(["by foot"]);
});

test("Ctrl+Shift+E makes a compound task of the selection, and it can be put back", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.select(method.block("primitive", 0), method.block("primitive", 1));
  await method.press("Control+Shift+e");
  await method.holds(4, 3);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("fetch-key");
  await method.press("Enter");
  await page.locator("[data-block].selected", { hasText: "fetch-key" }).waitFor();
  const saved = await method.document();
  expect(saved.compound_tasks["fetch-key"].params).toEqual(["?place: place"]);
  await page.locator(".canvas").focus();
  await method.press("Alt+Shift+e");
  await method.holds(5, 4);
  expect(await page.locator(".item", { hasText: "fetch-key" }).count(), "nothing else uses it").toBe(0);
  await method.press("Control+z", "Control+z", "Control+z");
  await method.holds(5, 4);
  await method.select(method.block("bind"));
  await method.press("Control+Shift+e");
  await method.said("Couldn't extract a task. '?place' is bound inside the selection and used outside.");
});

test("Alt+M shows the minimap: a click and a drag on it move what is seen", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-ball");
  const { page } = method;
  await page.locator(".canvas").focus();
  await method.press("Control+0", "Alt+m");
  const map = page.locator(".minimap canvas");
  await map.waitFor();
  const painted = () =>
    map.evaluate((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0));
  await expect.poll(painted, "blocks are drawn on it").toBeTruthy();
  const [bar, last] = [page.getByRole("toolbar", { name: "Zoom" }), page.getByRole("button", { name: /inimap/ })];
  const [around, button] = [await bar.boundingBox(), await last.boundingBox()];
  expect(button.x + button.width, "its button is on the bar").toBeLessThanOrEqual(around.x + around.width);
  const seen = () => page.locator(".minimap-window").boundingBox();
  const box = await map.boundingBox();
  await page.mouse.click(box.x + 20, box.y + box.height / 2);
  const offMiddle = async () => {
    const { x, width } = await seen();
    return Math.abs(x + width / 2 - (box.x + 20));
  };
  await expect.poll(offMiddle, "what was clicked is in the middle").toBeLessThan(3);
  const left = await seen();
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await seen()).x).toBeGreaterThan(left.x + 100);
  await nextFrame(page);
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillRect } = prototype;
    window.filled = 0;
    prototype.fillRect = function (...all) {
      window.filled += 1;
      return fillRect.apply(this, all);
    };
  });
  let drawn;
  const atRest = async () => {
    const before = drawn;
    drawn = await page.evaluate(() => window.filled);
    return drawn === before;
  };
  await expect.poll(atRest, "nothing is left to be drawn").toBe(true);
  await page.mouse.move(box.x - 300, box.y - 100);
  await page.mouse.wheel(0, 100);
  await nextFrame(page);
  expect(await page.evaluate(() => window.filled), "the camera alone draws nothing anew").toBe(drawn);
  await method.press("Alt+m");
  await map.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Fit all" }).click();
  await page.locator(".zoom-bar .percent").click();
  await expect(page.locator(".zoom-bar .percent")).toHaveText("100 %");
});

test("Ctrl+F finds in names and expressions, shows what would change and replaces in one step", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-ball");
  const { page } = method;
  const before = await method.document();
  await page.locator(".canvas").focus();
  await method.press("Control+f");
  const find = page.getByRole("search", { name: "Find and replace" });
  await find.getByRole("textbox", { name: "Find", exact: true }).fill("smash");
  await find.getByRole("textbox", { name: "Replace with" }).fill("break");
  await find.getByText(/^\d+ places$/).waitFor();
  await find.getByText("break-box").first().waitFor();
  await find.getByRole("checkbox", { name: /name of action/ }).uncheck();
  await find.getByRole("textbox", { name: "Replace with" }).fill("crush");
  expect(await find.getByRole("checkbox", { name: /name of action/ }).isChecked(), "left out, whatever comes instead").toBe(false);
  await find.getByRole("textbox", { name: "Replace with" }).fill("break");
  await method.press("Control+f");
  expect(await page.evaluate(() => document.activeElement.ariaLabel), "pressed again it leads back to what is looked for, which stays").toBe("Find");
  expect(await find.getByRole("textbox", { name: "Find", exact: true }).inputValue()).toBe("smash");
  await find.getByRole("button", { name: "Replace", exact: true }).click();
  await page.locator('[data-block]', { hasText: "break-box" }).waitFor();
  const after = await method.document();
  expect("break-box" in after.primitive_tasks && !("smash-box" in after.primitive_tasks)).toBe(true);
  expect("Smash" in after.actions, "what was left out stays").toBeTruthy();
  await method.press("Escape", "Control+z");
  await page.locator('[data-block]', { hasText: "smash-box" }).waitFor();
  expect(await method.document(), "one step").toEqual(before);
});

test("where a record is used is listed, and a click goes there", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await page.locator('[data-record="condition:key_at"] .node-name').click();
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByText("used in 1 place").click();
  await inspector.getByRole("button", { name: "compound task get-key" }).click();
  await page.locator("[data-block].selected", { hasText: "key_at" }).waitFor();
});

test("several records are edited together", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const card = (name) => page.locator(`[data-record="action:${name}"] .node-name`);
  await card("Smash").click();
  await card("OpenBox").click({ modifiers: ["Shift"] });
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("heading", { name: "2 selected" }).waitFor();
  const duration = inspector.getByLabel("Duration, in ticks");
  await expect(duration, "they differ").toHaveValue("");
  await duration.fill("7");
  await duration.press("Enter");
  await page.locator('[data-record="action:OpenBox"] .node-aside', { hasText: "7 ticks" }).waitFor();
  await page.locator('[data-record="action:Smash"] .node-aside', { hasText: "7 ticks" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+z");
  await page.locator('[data-record="action:Smash"] .node-aside', { hasText: "4 ticks" }).waitFor();
});

for (const colorScheme of ["light", "dark"]) {
  test(`nothing that is new breaks a rule of accessibility, ${colorScheme}`, async ({ openTaskloom }) => {
    const method = await Method.open(openTaskloom, "get-key", { colorScheme });
    const { page } = method;
    await page.evaluate(axe.source);
    const look = (name) =>
      test.step(name, async () => {
        await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
      });
    await method.select(method.block("primitive", 0), method.block("primitive", 1));
    await look("several blocks are selected");
    await method.press("m", "Alt+c", "c");
    await page.getByRole("textbox", { name: "Frame title" }).waitFor();
    await look("the title of a frame is typed");
    await page.keyboard.type("by foot");
    await method.press("Enter", "Alt+m", "Control+f");
    await page.keyboard.type("key");
    await page.getByRole("search").getByText("places").waitFor();
    await look("a frame, muted and collapsed blocks, the minimap, find");
  });
}

test("a double click bends a wire: the point is dragged, and Delete takes it away", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  const path = () => page.locator(".wire-group .wire").first().getAttribute("d");
  const middle = async (locator) => {
    const box = await locator.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const out = await middle(method.block("begin").locator('[data-port="out"]'));
  const into = await middle(method.block("bind").locator('[data-port="in"]'));
  const straight = await path();
  await page.mouse.dblclick((out.x + into.x) / 2, out.y);
  const point = page.getByRole("group", { name: /^Bend point 1 of the wire/ });
  await point.waitFor();
  const at = await middle(point);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y + 40, { steps: 3 });
  await page.mouse.move(at.x, at.y + 80, { steps: 3 });
  await page.mouse.up();
  await nextFrame(page);
  expect((await middle(point)).y).toBeGreaterThan(at.y + 60);
  await page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { name: "Wire point" }).waitFor();
  expect((await path()).match(/C/g).length === 2, "two pieces").toBe(true);
  const { layout } = await method.document();
  expect(Object.values(layout.drawings["get-key"].bends)[0].length).toBe(1);
  await method.press("ArrowDown");
  await nextFrame(page);
  expect((await middle(point)).y, "arrows move it, too").toBeGreaterThan(at.y + 65);
  await method.press("Delete");
  await point.waitFor({ state: "detached" });
  await nextFrame(page);
  expect(await path()).toBe(straight);
  await method.press("Control+z");
  await point.waitFor();
});

test("the keyboard alone bends a wire and moves its point", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.press("Tab", "l", "b", "ArrowDown", "Shift+ArrowDown");
  const heading = page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { name: "Wire point" });
  await heading.waitFor();
  const [points] = Object.values((await method.document()).layout.drawings["get-key"].bends);
  await method.press("Control+z", "Control+z");
  expect(Object.values((await method.document()).layout.drawings?.["get-key"]?.bends ?? {}), "two steps").toEqual([]);
  await method.press("Control+y");
  const [before] = Object.values((await method.document()).layout.drawings["get-key"].bends);
  const y = ([point]) => Number(point.split(",")[1]);
  expect(y(points) - y(before), "one step down, and five").toBe(60);
});

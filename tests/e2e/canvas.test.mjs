// Gestures on the canvases beyond the table of interactions (interaction-*.test.mjs): editing in place, rendering,
// alternatives, and wires that are texts.

import { boxAtRest, expect, nextFrame, openFile, test } from "./harness.mjs";

/** A canvas and its elements. */
class Canvas {
  static async openMethod(openTaskloom, task) {
    const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
    const title = page.locator(`[data-record="compound:${task}"] .node-name`);
    await title.waitFor();
    await title.dblclick();
    await page.locator("[data-block]").first().waitFor();
    // Everything is within reach of the pointer.
    await nextFrame(page);
    await page.keyboard.press("Home");
    await nextFrame(page);
    return new Canvas(page);
  }

  constructor(page) {
    this.page = page;
  }

  count(selector) {
    return this.page.locator(selector).count();
  }

  /** Waits until there are this many blocks and wires. */
  async holds(blocks, wires, why) {
    await expect(this.page.locator("[data-block]"), why).toHaveCount(blocks);
    await expect(this.page.locator(".wire-group"), why).toHaveCount(wires);
  }

  block(kind, nth = 0) {
    return this.page.locator(`[data-block]:has(.node-box.${kind})`).nth(nth);
  }

  async middle(locator) {
    const box = await locator.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  head(block) {
    return this.middle(block.locator(".node-head"));
  }

  port(block, port) {
    return this.middle(block.locator(`[data-port="${port}"]`));
  }

  /** A position on the canvas, as fractions of its width and height. */
  async place(x, y) {
    const box = await this.page.locator(".canvas").boundingBox();
    return { x: box.x + box.width * x, y: box.y + box.height * y };
  }

  async drag(from, to, { release = true } = {}) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
    await mouse.move(to.x, to.y, { steps: 3 });
    if (release) await mouse.up();
  }

  async pick(text) {
    await this.page.locator(".finder-input").waitFor();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  undo() {
    return this.page.keyboard.press("Control+z");
  }
}

test("alternatives are moved up and down, and a drag changes only elements that move", async ({ openTaskloom }) => {
  const canvas = await Canvas.openMethod(openTaskloom, "get-ball");
  const { page } = canvas;
  await test.step("alternatives", async () => {
    const choice = canvas.block("choice");
    const labels = () => choice.locator(".outlet").allInnerTexts();
    await page.mouse.click(...Object.values(await canvas.head(choice)));
    expect(await labels()).toEqual(["1 with the key", "2 with the hammer"]);
    const grip = (at) => page.getByRole("button", { name: `Move alternative ${at} of 2` });
    await grip(1).press("ArrowDown");
    await choice.getByText("1 with the hammer").waitFor();
    await grip(2).press("ArrowDown");
    expect(await labels()).toEqual(["1 with the hammer", "2 with the key"]);
    await grip(2).press("ArrowUp");
    await choice.getByText("1 with the key").waitFor();
  });
  await test.step("a drag", async () => {
    const from = await canvas.head(canvas.block("branch"));
    await canvas.drag(from, { x: from.x + 60, y: from.y + 90 }, { release: false });
    await page.evaluate(() => {
      window.written = 0;
      const observer = new MutationObserver((all) => (window.written += all.length));
      observer.observe(document.querySelector(".plane"), { subtree: true, attributes: true, attributeFilter: ["style", "d"] });
    });
    const written = async (by) => {
      await page.evaluate(() => (window.written = 0));
      await page.mouse.move(from.x + 60 + by, from.y + 90);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return page.evaluate(() => window.written);
    };
    const steps = [];
    for (let by = 1; by <= 24; by += 1) steps.push(await written(by));
    expect(steps.filter((count) => count === 0).length > 12, `nothing is written between two grid points: ${steps}`).toBe(true);
    expect(steps.some((count) => count > 1), `at the next one, the block and its wires are: ${steps}`).toBe(true);
    await page.mouse.up();
  });
});

test("drawing a wire on the Board adds a text, and removing it deletes the text", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const canvas = new Canvas(page);
  const card = (record) => page.locator(`[data-record="${record}"]`);
  await boxAtRest(card("primitive:open-box"));
  // Those to what a card changes are only visible while it is hovered or selected.
  const needs = ".wire-group:not(.role-effect)";
  const wires = await canvas.count(needs);
  const need = (port) => canvas.port(card("primitive:open-box"), port);
  await canvas.drag(await canvas.port(card("fact:ball_in_box"), "offer"), await need("integrity"));
  await expect.poll(() => canvas.count(needs)).toBe(wires + 1);
  await card("primitive:open-box").locator('.need[title="integrity: ball_in_box"]').waitFor();
  await page.keyboard.down("Alt");
  const { x, y } = await need("integrity");
  await page.mouse.click(x, y);
  await page.keyboard.up("Alt");
  await expect.poll(() => canvas.count(needs)).toBe(wires);

  await canvas.drag(await canvas.port(card("action:Smash"), "offer"), await need("action"));
  await card("primitive:open-box").locator('.need[title="action: Smash"]').waitFor();

  const at = await canvas.middle(card("fact:at").locator(".node-name"));
  await page.mouse.move(at.x, at.y);
  await page.locator(".wire.near").first().waitFor({ state: "attached" });
  expect((await canvas.count(".wire-group .wire:not(.near)")), "other wires are dimmed").toBeGreaterThan(0);

  const conditions = await canvas.count('[data-record^="condition:"]');
  await page.getByRole("button", { name: "Add to conditions" }).click();
  await page.waitForFunction((n) => document.querySelectorAll('[data-record^="condition:"]').length === n, conditions + 1);
});

test("cards are framed and aligned, and a fact shows which tasks change it", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const canvas = new Canvas(page);
  await test.step("a frame on the Board leaves room for its title, and moves only its contents", async () => {
    const cards = page.locator('[data-record^="primitive:"]');
    await boxAtRest(cards.nth(4));
    const boxes = () => cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
    const before = await boxes();
    for (const [at, modifiers] of [[1, []], [2, ["Shift"]]]) {
      await cards.nth(at).locator(".node-head").click({ modifiers });
    }
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Frame title" }).waitFor();
    await page.keyboard.type("With the box");
    await page.keyboard.press("Enter");
    const frame = page.getByRole("group", { name: "Frame: With the box" });
    const around = await frame.boundingBox();
    const [above, first, last, below] = await boxes();
    expect(above).toEqual(before[0]);
    expect(around.y > above.bottom && around.y + 20 < first.top, "its title is between the card above and its first card").toBe(true);
    expect(around.y + around.height > last.bottom && around.y + around.height < below.top).toBe(true);
    await canvas.drag({ x: around.x + 30, y: around.y + 8 }, { x: around.x + 90, y: around.y + 68 });
    await nextFrame(page);
    const moved = async () => (await boxes()).map(({ left }, at) => left > before[at].left);
    await expect.poll(moved).toEqual(before.map((_, at) => at === 1 || at === 2));
    // The move, the title, the frame.
    for (let step = 0; step < 3; step += 1) await canvas.undo();
    await page.locator(".frame").waitFor({ state: "detached" });
    await expect.poll(boxes).toEqual(before);
  });
  await test.step("a fact shows which tasks change it, and several cards are aligned by a command", async () => {
    const head = (record) => page.locator(`[data-record="${record}"] .node-head`);
    const changes = page.locator(".wire-group.role-effect:has(.near) title");
    await head("fact:box_open").click();
    await expect.poll(async () => (await changes.allTextContents()).sort()).toEqual(["open-box changes box_open", "smash-box changes box_open"]);
    await head("fact:at").click();
    await page.keyboard.press("Shift+ArrowRight");
    await head("fact:box_open").click({ modifiers: ["Shift"] });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Align left");
    await page.keyboard.press("Enter");
    const left = async (record) => (await head(record).boundingBox()).x;
    await expect.poll(async () => Math.round((await left("fact:at")) - (await left("fact:box_open")))).toBe(0);
  });
});

test("blocks are added with the search box and by dropped wires, and the canvas keeps the focus", async ({ openTaskloom }) => {
  const canvas = await Canvas.openMethod(openTaskloom, "get-key");
  const { page } = canvas;
  await test.step("the focus after a click on a button, and after a key", async () => {
    const tidy = page.getByRole("button", { name: "Tidy", exact: true });
    const percent = page.locator(".zoom-bar .percent");
    await page.getByRole("button", { name: "Fit all" }).click();
    const fitted = await percent.innerText();
    await page.getByRole("button", { name: "Zoom in" }).click({ clickCount: 2 });
    await percent.filter({ hasNotText: fitted }).waitFor();
    await tidy.click();
    await page.waitForFunction(() => document.activeElement.closest(".canvas") && document.activeElement.tagName !== "BUTTON");
    // The percentage is updated when the zoom rests.
    const near = await percent.innerText();
    await page.keyboard.press("Home");
    await percent.filter({ hasNotText: near }).waitFor();
    await tidy.focus();
    await page.keyboard.press("Enter");
    await nextFrame(page);
    await expect(tidy).toBeFocused();
  });
  await test.step("adding", async () => {
    await canvas.holds(5, 4);
    const empty = await canvas.place(0.3, 0.8);
    await page.mouse.dblclick(empty.x, empty.y);
    await canvas.pick("branch");
    await canvas.holds(6, 4);
    // A new Branch is edited in place; every keystroke reaches the document.
    await page.keyboard.type("box_open ");
    await page.keyboard.press("Escape");
    const branch = canvas.block("branch");
    await branch.getByText("box_open").waitFor();
    await expect(page.locator(".in-place")).toHaveCount(0);

    await canvas.drag(await canvas.port(branch, "true"), await canvas.place(0.7, 0.6));
    await canvas.pick("dance");
    await canvas.holds(7, 5, "a new primitive task, connected, in one step");
    await canvas.drag(await canvas.port(branch, "false"), await canvas.head(canvas.block("end")));
    await canvas.holds(7, 6, "released anywhere on a block");
    await canvas.drag(await canvas.port(branch, "false"), await canvas.head(canvas.block("end")));
    await canvas.holds(7, 6, "no wire twice");
    await canvas.undo();
    await canvas.holds(7, 5);
    await canvas.undo();
    await canvas.holds(6, 4);
  });
});

test("shortens long names with an ellipsis and shows them whole in tooltips", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const names = ["Walk", "communicate_rock_data_from_here1", "communicate_rock_data_from_here2"];
  const actions = Object.fromEntries(names.map((name) => [name, { duration: 1, params: ["?to: object"] }]));
  await openFile(page, "names.json", JSON.stringify({ taskloom: 1, info: { title: "Names" }, actions, layout: {} }));
  const cards = page.locator("[data-record^='action:']");
  await page.locator("[data-record='action:communicate_rock_data_from_here2']").waitFor();
  const heads = await cards.evaluateAll((all) =>
    all.map((card) => {
      const [head, name] = [".node-head", ".node-name"].map((part) => card.querySelector(part));
      return [name.scrollWidth > name.clientWidth, getComputedStyle(name).textOverflow, head.title.split("(")[0]];
    }),
  );
  const expected = ["communicate_rock_data_from_here1", "communicate_rock_data_from_here2", "Walk"];
  expect(heads).toEqual(expected.map((name) => [name !== "Walk", "ellipsis", name]));
  await page.getByRole("treeitem", { name: "communicate_rock_data_from_here2(?to)", exact: true }).waitFor();
  await page.getByRole("group", { name: /^action communicate_rock_data_from_here2/ }).waitFor();
});

test("the largest method of the first example opens as a whole, and Back returns to the Board as it was", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const title = page.locator('[data-record="compound:get-ball"] .node-name');
  await boxAtRest(title);
  const percent = page.locator(".zoom-bar .percent");
  const first = await percent.innerText();
  await page.getByRole("button", { name: "Zoom out" }).click();
  // The percentage is updated when the zoom rests.
  await expect(percent).not.toHaveText(first);
  const zoom = await percent.innerText();
  await title.dblclick();
  const blocks = page.locator("[data-block]");
  await expect(blocks).toHaveCount(21);
  const widths = await blocks.evaluateAll((all) => all.map((block) => block.firstElementChild.offsetWidth));
  expect(Math.min(...widths) < 120 && Math.max(...widths) <= 220, `${widths}`).toBe(true);
  await expect.poll(async () => parseInt(await percent.innerText(), 10)).toBeGreaterThanOrEqual(80);
  await page.goBack();
  await expect(title).toBeVisible();
  await expect(percent).toHaveText(zoom);
  await page.goForward();
  await expect(blocks).toHaveCount(21);
});

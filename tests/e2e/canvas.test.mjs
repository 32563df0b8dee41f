// The canvases under real hands: mouse, wheel and keyboard. One gesture is one step of undo.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTaskloom } from "./harness.mjs";

/** A canvas, by what is on it. */
class Canvas {
  static async openMethod(t, task) {
    const { page } = await openTaskloom(t, { viewport: { width: 1440, height: 900 } });
    const title = page.locator(`[data-record="compound:${task}"] .block-name`);
    await title.waitFor();
    await title.dblclick();
    await page.locator("[data-block]").first().waitFor();
    // All of it, where hands can reach.
    await page.keyboard.press("Home");
    await page.waitForTimeout(100);
    return new Canvas(page);
  }

  constructor(page) {
    this.page = page;
  }

  count(selector) {
    return this.page.locator(selector).count();
  }

  /** Waits until there are so many blocks and wires. */
  async holds(blocks, wires, why) {
    const seen = async () => [await this.count("[data-block]"), await this.count(".wire-group")];
    for (let turn = 0; turn < 40; turn += 1) {
      const [b, w] = await seen();
      if (b === blocks && w === wires) return;
      await this.page.waitForTimeout(25);
    }
    assert.deepEqual(await seen(), [blocks, wires], why);
  }

  block(kind, nth = 0) {
    return this.page.locator(`[data-block]:has(.block-box.${kind})`).nth(nth);
  }

  async middle(locator) {
    const box = await locator.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  head(block) {
    return this.middle(block.locator(".block-head"));
  }

  port(block, port) {
    return this.middle(block.locator(`[data-port="${port}"]`));
  }

  /** A place on the canvas, as a part of its width and height. */
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

test("blocks are added by the search box, and a loose wire asks what to connect", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-key");
  const { page } = canvas;
  await canvas.holds(5, 4);
  const empty = await canvas.place(0.3, 0.8);
  await page.mouse.dblclick(empty.x, empty.y);
  await canvas.pick("branch");
  await canvas.holds(6, 4);
  // A new Branch is edited where it stands; every keystroke is in the document.
  await page.keyboard.type("box_open ");
  await page.keyboard.press("Escape");
  const branch = canvas.block("branch");
  await branch.getByText("box_open").waitFor();
  assert.equal(await canvas.count(".in-place"), 0);

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

test("a block dropped on a wire is inserted, and the wire closes over one that is deleted", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-key");
  const { page } = canvas;
  const empty = await canvas.place(0.3, 0.85);
  await page.mouse.dblclick(empty.x, empty.y);
  await canvas.pick("unlock-box");
  await canvas.holds(6, 4);
  const [begin, bind] = [await canvas.port(canvas.block("begin"), "out"), await canvas.port(canvas.block("bind"), "in")];
  const added = page.locator("[data-block].selected");
  await canvas.drag(await canvas.head(added), { x: (begin.x + bind.x) / 2, y: begin.y });
  await canvas.holds(6, 5);
  await page.keyboard.press("Delete");
  await canvas.holds(5, 4);
  await canvas.undo();
  await canvas.holds(6, 5);
  await canvas.undo();
  await canvas.holds(6, 4, "drop and insertion are one step");
});

test("wires are selected, taken off, reconnected and broken", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-key");
  const { page } = canvas;
  const out = await canvas.port(canvas.block("begin"), "out");
  const into = await canvas.port(canvas.block("bind"), "in");
  await page.mouse.click((out.x + into.x) / 2, out.y);
  assert.equal(await canvas.count(".wire.selected"), 1);
  await page.keyboard.press("Delete");
  await canvas.holds(5, 3);
  await canvas.undo();
  await canvas.holds(5, 4);
  // The arriving end, to another block and to nowhere.
  await canvas.drag(into, await canvas.head(canvas.block("end")));
  await canvas.holds(5, 4);
  assert.equal(await canvas.count('.wire-group title:has-text("Begin → End")'), 1);
  await canvas.undo();
  await canvas.drag(into, await canvas.place(0.4, 0.85));
  await canvas.holds(5, 3);
  await canvas.undo();
  await canvas.holds(5, 4);
  await page.keyboard.down("Alt");
  await page.mouse.click(out.x, out.y);
  await page.keyboard.up("Alt");
  await canvas.holds(5, 3);
});

test("dragging renders no other block, commits once, and Escape leaves no trace", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-ball");
  const { page } = canvas;
  const block = canvas.block("branch");
  await page.evaluate(() => {
    window.touched = new Map();
    const note = (element, kind) => window.touched.set(element.dataset.block, `${window.touched.get(element.dataset.block) ?? ""}${kind} `);
    new MutationObserver((all) => {
      for (const { target, type } of all) {
        const element = target.parentElement?.closest("[data-block]") ?? target.closest?.("[data-block]");
        if (element && type !== "attributes") note(element, type);
        else if (element && target === element) note(element, "placed");
      }
    }).observe(document.querySelector(".plane"), { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["style"] });
  });
  const from = await canvas.head(block);
  const id = await block.getAttribute("data-block");
  const before = await block.boundingBox();
  await canvas.drag(from, { x: from.x + 60, y: from.y + 90 });
  await page.waitForTimeout(200);
  const touched = await page.evaluate(() => [...window.touched]);
  assert.deepEqual(touched.map(([block]) => block), [id]);
  assert.match(touched[0][1], /^(placed )+$/, "moved, and not rendered anew");
  const after = await block.boundingBox();
  assert.ok(after.y > before.y + 40);
  await canvas.drag(await canvas.head(block), { x: from.x, y: from.y + 200 }, { release: false });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.waitForTimeout(100);
  assert.deepEqual(await block.boundingBox(), after);
  await canvas.undo();
  await page.waitForTimeout(100);
  assert.deepEqual(await block.boundingBox(), before);
});

test("the marquee, Shift, Ctrl+A, arrows and Ctrl+D work on the selection", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-key");
  const { page } = canvas;
  await canvas.drag(await canvas.place(0.02, 0.15), await canvas.place(0.5, 0.9));
  const some = await canvas.count("[data-block].selected");
  assert.ok(some > 0 && some < 5, `${some} selected`);
  await page.keyboard.press("Control+a");
  assert.equal(await canvas.count("[data-block].selected"), 5);
  const begin = canvas.block("begin");
  const before = await begin.boundingBox();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.waitForTimeout(100);
  assert.ok((await begin.boundingBox()).y > before.y);
  await page.keyboard.press("Control+d");
  await canvas.holds(9, 7, "all but Begin, with the wires between them");
  const end = await canvas.head(canvas.block("end", 0));
  await page.mouse.click(end.x, end.y);
  assert.equal(await canvas.count("[data-block].selected"), 1);
});

test("wheel, space and the buttons move the camera", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-ball");
  const { page } = canvas;
  const percent = async () => parseInt(await page.locator(".zoom-bar .percent").innerText(), 10);
  const head = await canvas.head(canvas.block("branch"));
  await page.mouse.move(head.x, head.y);
  const zoom = await percent();
  await page.mouse.wheel(0, -100);
  await page.waitForTimeout(100);
  assert.ok((await percent()) > zoom);
  const now = await canvas.head(canvas.block("branch"));
  assert.ok(Math.hypot(now.x - head.x, now.y - head.y) < 3, "the point under the pointer stays");
  await page.keyboard.press("Home");
  await page.waitForTimeout(100);
  const frame = await page.locator(".canvas").boundingBox();
  for (const block of await page.locator("[data-block]").all()) {
    const box = await block.boundingBox();
    assert.ok(box.x >= frame.x && box.x + box.width <= frame.x + frame.width, "all is seen");
  }
  const from = await canvas.head(canvas.block("branch"));
  await page.keyboard.down("Space");
  await canvas.drag(from, { x: from.x + 50, y: from.y + 40 });
  await page.keyboard.up("Space");
  await page.waitForTimeout(100);
  const moved = await canvas.head(canvas.block("branch"));
  assert.deepEqual([Math.round(moved.x - from.x), Math.round(moved.y - from.y)], [50, 40]);
});

test("a method is built with the keyboard alone", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-key");
  const { page } = canvas;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await page.locator(".canvas").focus();
  await page.keyboard.press("Tab");
  assert.match(await focused(), /^Begin/);
  await page.keyboard.press("Tab");
  assert.match(await focused(), /^Bind \?place: place where key_at\(\?place\)/);
  await page.keyboard.press("Alt+ArrowRight");
  assert.match(await focused(), /walk-to/);
  await page.keyboard.press("w");
  await canvas.pick("open-box");
  await canvas.holds(6, 5);
  await page.keyboard.press("w");
  await canvas.pick("end");
  await canvas.holds(6, 6, "a wire to the End that is there");
  await page.keyboard.press("Shift+A");
  await canvas.pick("choice");
  await canvas.holds(7, 6);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator('[data-record="compound:get-key"].selected').waitFor();
});

test("alternatives are moved up and down", async (t) => {
  const canvas = await Canvas.openMethod(t, "get-ball");
  const { page } = canvas;
  const choice = canvas.block("choice");
  const labels = () => choice.locator(".outlet").allInnerTexts();
  await page.mouse.click(...Object.values(await canvas.head(choice)));
  assert.deepEqual(await labels(), ["1 with the key", "2 with the hammer"]);
  await page.getByRole("button", { name: "Move alternative 1 down" }).click();
  await choice.getByText("1 with the hammer").waitFor();
  assert.ok(await page.getByRole("button", { name: "Move alternative 2 down" }).isDisabled());
  await page.getByRole("button", { name: "Move alternative 2 up" }).click();
  await choice.getByText("1 with the key").waitFor();
});

test("on the Board a wire drawn is a text more, and one taken off a text less", async (t) => {
  const { page } = await openTaskloom(t, { viewport: { width: 1440, height: 900 } });
  const canvas = new Canvas(page);
  const card = (record) => page.locator(`[data-record="${record}"]`);
  await card("primitive:open-box").waitFor();
  const wires = await canvas.count(".wire-group");
  const need = (port) => canvas.port(card("primitive:open-box"), port);
  await canvas.drag(await canvas.port(card("fact:ball_in_box"), "offer"), await need("integrity"));
  await page.waitForFunction((n) => document.querySelectorAll(".wire-group").length === n, wires + 1);
  await card("primitive:open-box").locator('.need[title="integrity: ball_in_box"]').waitFor();
  await page.keyboard.down("Alt");
  const { x, y } = await need("integrity");
  await page.mouse.click(x, y);
  await page.keyboard.up("Alt");
  await page.waitForFunction((n) => document.querySelectorAll(".wire-group").length === n, wires);

  await canvas.drag(await canvas.port(card("action:Smash"), "offer"), await need("action"));
  await card("primitive:open-box").locator('.need[title="action: Smash"]').waitFor();

  const at = await canvas.middle(card("fact:at").locator(".block-name"));
  await page.mouse.move(at.x, at.y);
  await page.locator(".wire-group.near").first().waitFor({ state: "attached" });
  assert.ok((await canvas.count(".wire-group.far")) > 0, "other wires step back");

  const conditions = await canvas.count('[data-record^="condition:"]');
  await page.getByRole("button", { name: "Add to conditions" }).click();
  await page.waitForFunction((n) => document.querySelectorAll('[data-record^="condition:"]').length === n, conditions + 1);
});

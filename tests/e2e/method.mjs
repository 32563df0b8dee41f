// The canvas of a method, for journeys that edit it.

import { readFileSync } from "node:fs";
import { expect, nextFrame, reopen, savedFile } from "./harness.mjs";

const BALL = readFileSync(new URL("../../public/examples/ball-in-the-box.taskloom.json", import.meta.url), "utf8");

/** The elements on a method's canvas. */
export class Method {
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
    // On a busy machine, two clicks may be too far apart to be a double click.
    await expect(async () => {
      if (await title.isVisible()) await title.dblclick();
      await this.page.locator("[data-block]").first().waitFor({ timeout: 5_000 });
    }).toPass();
    await nextFrame(this.page);
    await this.page.keyboard.press("Home");
    await nextFrame(this.page);
  }

  /** Opens the first example as it is shipped, and a method of it. */
  async again(task) {
    await reopen(this.page, "ball-in-the-box.taskloom.json", BALL);
    await this.go(task);
  }

  /** Waits until there are this many blocks and wires. */
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

  /** Waits until this many blocks are selected. */
  async selects(count, why) {
    await expect(this.page.locator("[data-block].selected"), why).toHaveCount(count);
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Waits for a message. */
  shows(text) {
    return this.page.locator(".toast", { hasText: text }).first().waitFor();
  }

  async document() {
    return JSON.parse(await savedFile(this.page));
  }
}

// Sends real input events and measures their cost: the time between frames, and the main thread's
// work for each.

const STEPS = Number(process.env.TASKLOOM_STEPS ?? 90);

/** A subject on the screen: its page, its canvas's box, and its blocks' positions in the graph. */
export class Driver {
  static async start(subject, nodes) {
    const devtools = await subject.page.context().newCDPSession(subject.page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    const box = await subject.page.locator(subject.canvas).first().boundingBox();
    return new Driver(subject, nodes, devtools, box);
  }

  constructor(subject, nodes, devtools, box) {
    Object.assign(this, { subject, nodes, devtools, box, mouse: subject.page.mouse });
  }

  async metrics() {
    const { metrics } = await this.devtools.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }

  /** Counts the elements of the canvas. */
  elements() {
    return this.subject.page.evaluate((canvas) => document.querySelector(canvas).querySelectorAll("*").length, this.subject.canvas);
  }

  async measure(gesture) {
    const { page } = this.subject;
    await page.waitForTimeout(300);
    await page.evaluate(() => {
      const frames = [];
      window.frames_ = frames;
      const tick = (now) => {
        frames.push(now);
        if (window.frames_ === frames) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const before = await this.metrics();
    await gesture();
    const after = await this.metrics();
    const times = await page.evaluate(() => {
      const frames = window.frames_;
      window.frames_ = null;
      return frames;
    });
    const deltas = times.slice(1).map((time, at) => time - times[at]);
    deltas.sort((a, b) => a - b);
    const at = (part) => deltas[Math.min(deltas.length - 1, Math.floor(deltas.length * part))];
    const work = ((after.TaskDuration - before.TaskDuration) * 1000) / times.length;
    return { work, p50: at(0.5), p95: at(0.95), frames: times.length };
  }

  onScreen(point, camera) {
    return { x: this.box.x + camera.x + point.x * camera.zoom, y: this.box.y + camera.y + point.y * camera.zoom };
  }

  inside({ x, y }, margin = 20) {
    const { box } = this;
    return x > box.x + margin && y > box.y + 50 && x < box.x + box.width - margin && y < box.y + box.height - margin;
  }

  middle() {
    return { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 };
  }

  /**
   * Drags with a button along a path of points, one step per frame. Uses DevTools directly: for each move of the left
   * button, Playwright asks the page twice whether a drag and drop began, which is as much work as the whole frame.
   */
  async drag(from, button, path) {
    const buttons = { left: 1, middle: 4 }[button];
    const send = (type, { x, y }, rest) => this.devtools.send("Input.dispatchMouseEvent", { type, x, y, ...rest });
    await this.shows(from);
    await send("mouseMoved", from, {});
    await send("mousePressed", from, { button, buttons, clickCount: 1 });
    for (let step = 1; step <= STEPS; step += 1) {
      await send("mouseMoved", path(step), { button, buttons });
    }
    await send("mouseReleased", path(STEPS), { button, buttons: 0, clickCount: 1 });
  }

  /** Checks that the canvas is at this point, not something floating above it. */
  async shows(at) {
    const [found, canvas] = [({ x, y, canvas }) => document.elementFromPoint(x, y)?.closest(canvas) != null, this.subject.canvas];
    if (!(await this.subject.page.evaluate(found, { ...at, canvas }))) {
      throw new Error(`${this.subject.name}: something covers the canvas at ${at.x}, ${at.y}`);
    }
  }

  /** Pans back and forth, so that blocks come into view on all sides. */
  pan() {
    const from = this.middle();
    const reach = { x: this.box.width * 0.45, y: this.box.height * 0.4 };
    return this.measure(async () => {
      for (const [x, y] of [[-1, -0.3], [-1, -1]]) {
        const path = (step) => ({ x: from.x + (reach.x * x * step) / STEPS, y: from.y + (reach.y * y * step) / STEPS });
        await this.drag(from, "middle", path);
      }
    });
  }

  /** Zooms out and in again. */
  zoom() {
    const { x, y } = this.middle();
    return this.measure(async () => {
      await this.mouse.move(x, y);
      for (let step = 0; step < STEPS; step += 1) {
        await this.mouse.wheel(0, Math.floor(step / 5) % 2 === 0 ? 40 : -40);
      }
    });
  }

  /** Drags a block in circles; counts the other blocks that were modified. */
  async block() {
    const { page, node } = this.subject;
    const middle = this.middle();
    const nearest = async () => {
      const camera = await this.subject.camera();
      const away = ({ x, y }) => Math.hypot(x - middle.x, y - middle.y);
      const grips = this.nodes.map(({ x, y }) => this.onScreen({ x: x + 60, y: y + 15 }, camera));
      return grips.reduce((a, b) => (away(b) < away(a) ? b : a));
    };
    let grip = await nearest();
    if (!this.inside(grip, 80)) {
      const by = { x: middle.x - grip.x, y: middle.y - grip.y };
      await this.drag(middle, "middle", (step) => ({ x: middle.x + (by.x * step) / STEPS, y: middle.y + (by.y * step) / STEPS }));
      grip = await nearest();
    }
    await page.evaluate((selector) => {
      // Blocks that come into view meanwhile are created, not re-rendered.
      const present = new Set(document.querySelectorAll(selector));
      const touched = new Set();
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
          const block = element?.closest(selector);
          if (present.has(block)) touched.add(block);
        }
      });
      observer.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
      window.touched = () => {
        observer.disconnect();
        return touched.size;
      };
    }, node);
    const radius = Math.min(70, this.box.height / 6);
    const measured = await this.measure(() =>
      this.drag(grip, "left", (step) => {
        const angle = (step / STEPS) * 4 * Math.PI;
        return { x: grip.x + radius * Math.sin(angle), y: grip.y + radius * (1 - Math.cos(angle)) * 0.7 };
      }),
    );
    await page.waitForTimeout(200);
    const touched = await page.evaluate(() => window.touched());
    return { ...measured, others: Math.max(0, touched - 1) };
  }

  /** Drags a marquee from an empty point to the far corner and back. */
  async marquee(empty) {
    const camera = await this.subject.camera();
    const from = empty.map((point) => this.onScreen(point, camera)).find((point) => this.inside(point, 8));
    if (!from) return null;
    const { box } = this;
    const to = { x: box.x + box.width - 30, y: box.y + box.height - 30 };
    return this.measure(() =>
      this.drag(from, "left", (step) => {
        const part = 1 - Math.abs(1 - (step / STEPS) * 1.6);
        return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      }),
    );
  }
}

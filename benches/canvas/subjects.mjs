// The canvases to measure, each with the same interface for the driver.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asIfKnown } from "../../tests/e2e/harness.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
/** The task that has the large method. */
const LARGE = "run-the-settlement";
/** The size of blocks without measured text: that of most Taskloom blocks. */
const BLOCK = { width: 200, height: 100 };

/** Returns the block positions of a generated document's largest method, and its wires. */
export async function geometry(file) {
  const document = JSON.parse(await readFile(file, "utf8"));
  const { blocks, wires } = document.compound_tasks[LARGE].method;
  const places = document.layout.methods[LARGE];
  const nodes = Object.entries(blocks).map(([id, block]) => {
    const [x, y] = places[id].split(",").map(Number);
    const text = block.call ?? block.condition ?? block.kind;
    const lines = [block.kind, text, `block ${id}`, "in the settlement"];
    return { id, x, y, lines };
  });
  const edges = wires.map((wire) => {
    const [, from, to] = wire.match(/^(\w+)\.\w+ -> (\w+)$/);
    return { id: wire, source: from, target: to };
  });
  return { nodes, edges };
}

/** Taskloom: opens the file as a user would, which shows its Board, and then the large method. */
export class Taskloom {
  name = "Taskloom";

  constructor(address = process.env.TASKLOOM_URL) {
    this.address = address;
  }

  node = "[data-block], [data-record]";
  canvas = ".canvas";

  async open(browser, file) {
    this.page = await newPage(browser);
    const { page } = this;
    await page.addInitScript(asIfKnown);
    await page.addInitScript(() => {
      delete window.showOpenFilePicker;
    });
    await page.goto(this.address);
    await page.getByRole("main").waitFor();
    await page.waitForTimeout(500);
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Control+o");
    const chosen = await chooser;
    await page.evaluate(() => (window.began = performance.now()));
    await chosen.setFiles(file);
    return page.evaluate(shownAfter, [".canvas [data-record]", "[data-record='fact:ball_in_box']"]);
  }

  async openMethod() {
    const { page } = this;
    await page.getByRole("searchbox", { name: "Search the outline" }).fill(LARGE);
    const item = page.getByRole("treeitem", { name: LARGE, exact: true });
    await item.waitFor();
    await page.evaluate(() => addEventListener("dblclick", () => (window.began = performance.now()), { capture: true }));
    await item.dblclick();
    const took = await page.evaluate(shownAfter, ["[data-block]", null]);
    await page.waitForTimeout(300);
    return took;
  }

  /** The usual zoom of a designer: 100 %. */
  async work() {
    await this.page.getByRole("button", { name: /^\d+ %$/ }).click();
  }

  async fit() {
    await this.page.getByRole("button", { name: "Fit all" }).click();
  }

  camera() {
    return this.page.evaluate(() => {
      const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform);
      return { zoom: a, x: e, y: f };
    });
  }
}

/** React Flow 12 with its best settings for many nodes, in a box as large as Taskloom's canvas. */
export class ReactFlow {
  name = "React Flow";
  node = ".react-flow__node";
  canvas = ".react-flow";

  static async bundle() {
    const { build } = require("esbuild");
    const { outputFiles } = await build({
      entryPoints: [join(HERE, "react-flow.jsx")],
      bundle: true,
      minify: true,
      write: false,
      outdir: "out",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
    return { script: text(".js"), style: text(".css") };
  }

  constructor(bundle, box) {
    this.bundle = bundle;
    this.box = box;
  }

  async open(browser, { nodes, edges }, camera) {
    this.page = await newPage(browser);
    const { page } = this;
    const { x, y, width, height } = this.box;
    await page.setContent(`<!doctype html><style>${this.bundle.style}
      body { margin: 0 } #root { position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px }
      .block { box-sizing: border-box; padding: 8px 12px; border: 1px solid #c3cad3; border-radius: 8px; background: #fff; font: 12px/16px sans-serif }
      .block div { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
      </style><div id="root"></div>`);
    await page.addScriptTag({ content: this.bundle.script });
    const flow = {
      nodes: nodes.map(({ id, x, y, lines }) => ({ id, type: "block", position: { x, y }, data: { lines, ...BLOCK } })),
      edges,
      camera,
    };
    await page.evaluate((flow) => {
      window.began = performance.now();
      window.show(flow);
    }, flow);
    const took = await page.evaluate(shownAfter, [".react-flow__node", null]);
    await page.waitForTimeout(500);
    return took;
  }

  async look(camera) {
    await this.page.evaluate((camera) => window.look(camera), camera);
    await this.page.waitForTimeout(300);
  }

  camera() {
    return this.page.evaluate(() => window.camera());
  }
}

/**
 * The minimum: blocks near the view as plain elements, and one style that moves them all. There are no wires and no
 * selection, and nothing comes into view. Its cost is the browser's own.
 */
export class Bare {
  name = "a bare page";
  node = ".block";
  canvas = ".canvas";

  constructor(box) {
    this.box = box;
  }

  async open(browser, nodes, camera) {
    this.page = await newPage(browser);
    const { x, y, width, height } = this.box;
    const near = ({ x, y }) =>
      Math.abs(x * camera.zoom + camera.x - width / 2) < width && Math.abs(y * camera.zoom + camera.y - height / 2) < height;
    await this.page.setContent(`<!doctype html><style>
      body { margin: 0 } .plane { position: absolute; transform-origin: 0 0; will-change: transform }
      .canvas { position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px; overflow: hidden; contain: strict }
      .block { position: absolute; width: ${BLOCK.width}px; height: ${BLOCK.height}px; border: 1px solid #c3cad3; font: 12px/16px sans-serif }
      </style><div class="canvas"><div class="plane"></div></div>`);
    const blocks = nodes.filter(near).map(({ x, y, lines }) => ({ x, y, text: lines.join(" ") }));
    await this.page.evaluate(bareCanvas, { blocks, camera });
    await this.page.waitForTimeout(500);
  }
}

/** Runs in the page. */
function bareCanvas({ blocks, camera }) {
  const [canvas, plane] = [document.querySelector(".canvas"), document.querySelector(".plane")];
  for (const { x, y, text } of blocks) {
    const block = plane.appendChild(document.createElement("div"));
    Object.assign(block, { className: "block", textContent: text });
    block.style.transform = `translate(${x}px, ${y}px)`;
  }
  let { x, y, zoom } = camera;
  const show = () => (plane.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`);
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 4) {
      [x, y] = [x + event.movementX, y + event.movementY];
      show();
    }
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom *= Math.exp(-event.deltaY * 0.0018);
      show();
    },
    { passive: false },
  );
  show();
}

async function newPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  return context.newPage();
}

/** Returns the milliseconds from `window.began` to the frame that shows the requested elements with the page idle again. */
async function shownAfter([selector, former]) {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const shows = () =>
    window.began !== undefined &&
    document.querySelector(selector) !== null &&
    (former === null || document.querySelector(former) === null);
  while (!shows()) await frame();
  await frame();
  const took = performance.now() - window.began;
  window.began = undefined;
  return took;
}

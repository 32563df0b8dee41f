// Measures starts of the page: the size of each program, raw, by gzip and by brotli, and the times since the navigation
// until the document is painted and until a plan for it is on the screen, on a 10 Mbit/s connection, with the CPU at
// full speed and slowed four times. Four kinds of start:
//
// - `first visit`: the first example opens;
// - `edit at once`: on a first visit to another example, a precondition is changed as soon as it is there; the time is
//   that of the plan for the changed document;
// - `own document`: a stored document opens, and nothing of the page is in the browser's cache;
// - `warm`: the page comes from its service worker.
//
// The page is served compressed by gzip, as by most static hosts. TASKLOOM_DIST names the folder of the built page;
// several folders, separated like those of PATH, are visited in turn and compared with the last.

import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { basename, delimiter, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { launchBrowser } from "../tests/e2e/browser.mjs";

const VISITS = Number(process.env.TASKLOOM_VISITS ?? 7);
const MBIT = 10;
const SLOWDOWNS = [1, 4];
const FOLDERS = (process.env.TASKLOOM_DIST ?? fileURLToPath(new URL("../dist", import.meta.url))).split(delimiter);
const MEDIA = {
  ".answers": "application/octet-stream",
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

/** Serves a built page, and prints the sizes of its programs. */
async function serve(folder) {
  const name = basename(dirname(folder));
  const files = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((file) => extname(file) in MEDIA)) {
    const bytes = readFileSync(join(folder, file));
    files.set(`/${file}`, gzipSync(bytes, { level: 9 }));
    if (/\.(js|wasm|css)$/.test(file) && !/^help|service-worker/.test(file)) {
      const sizes = [bytes.length, files.get(`/${file}`).length, brotliCompressSync(bytes).length];
      const [raw, gzip, brotli] = sizes.map((size) => `${(size / 1e3).toFixed(0)} kB`);
      console.log(`${name}: ${file}: ${raw}, by gzip ${gzip}, by brotli ${brotli}`);
    }
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = path === "/" ? "/index.html" : path;
    const bytes = files.get(file);
    if (bytes) {
      response.writeHead(200, { "content-type": MEDIA[extname(file)], "content-encoding": "gzip" }).end(bytes);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { name, server, address: `http://localhost:${server.address().port}/` };
}

/** Runs in the page: notes when the document, on the Stage or as a diagram, and its plan are there for the first time. */
function watch() {
  window.seen = {};
  const look = () => {
    if (!window.seen.paint && document.querySelector("main :is(.node-head, .stage-place)")) {
      window.seen.paint = performance.now();
    }
    const status = document.querySelector("[role=status][aria-label=Plan]")?.textContent ?? "";
    if (!window.seen.plan && /\d+ steps?/.test(status)) {
      window.seen.plan = performance.now();
    }
    if (/no plan/.test(status)) {
      window.seen.replan = performance.now();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/** Runs in the page: lets it start with the ball in the box on its Board. */
function asIfKnown() {
  if (origin !== "null") localStorage.setItem("taskloom.guide", "ball-in-the-box 000 closed");
}

/** Returns a context whose pages note their times. */
async function contextOf(browser, serviceWorkers = "block") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers });
  await context.addInitScript(watch);
  return context;
}

/** Slows a page's CPU and network down. */
async function slow(page, slowdown) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const throughput = (MBIT * 1e6) / 8;
  const network = { offline: false, latency: 40, downloadThroughput: throughput, uploadThroughput: throughput };
  await devtools.send("Network.emulateNetworkConditions", network);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

/** Opens the page slowly, and returns its times once there is a plan. */
async function opened(context, address, slowdown) {
  const page = await context.newPage();
  await slow(page, slowdown);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.seen.plan);
  return page;
}

/** Makes the precondition of a task of the ball in the box false. */
async function edit(page) {
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "take-ball", exact: true }).click();
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("textbox", { name: "Precondition 1" }).fill("not box_open");
}

const STARTS = {
  "first visit": async (browser, address, slowdown) => {
    const context = await contextOf(browser);
    const page = await opened(context, address, slowdown);
    return { context, page };
  },
  "edit at once": async (browser, address, slowdown) => {
    const context = await contextOf(browser);
    await context.addInitScript(asIfKnown);
    const page = await context.newPage();
    await slow(page, slowdown);
    await page.goto(address, { waitUntil: "commit" });
    await edit(page);
    await page.waitForFunction(() => window.seen.replan);
    return { context, page };
  },
  "own document": async (browser, address, slowdown) => {
    const context = await contextOf(browser);
    await context.addInitScript(asIfKnown);
    const before = await context.newPage();
    await before.goto(address);
    await before.getByRole("textbox", { name: "Title of the document" }).fill("My own");
    await before.getByRole("status", { name: "Saved state" }).getByText("saved", { exact: true }).waitFor();
    await before.close();
    const page = await opened(context, address, slowdown);
    return { context, page };
  },
  warm: async (browser, address, slowdown) => {
    const context = await contextOf(browser, "allow");
    const before = await context.newPage();
    await before.goto(address);
    await before.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, { timeout: 60_000 });
    await before.reload();
    await before.waitForFunction(() => window.seen.plan);
    await before.close();
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForFunction(() => window.seen.plan);
    return { context, page };
  },
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const builds = [];
for (const folder of FOLDERS) {
  builds.push(await serve(folder));
}
const browser = await launchBrowser();
for (const slowdown of SLOWDOWNS) {
  for (const [start, visit] of Object.entries(STARTS)) {
    const times = builds.map(() => ({}));
    for (let round = 0; round < VISITS; round += 1) {
      for (const [at, { address }] of builds.entries()) {
        const { context, page } = await visit(browser, address, slowdown);
        for (const [what, time] of Object.entries(await page.evaluate(() => window.seen))) {
          (times[at][what] ??= []).push(time);
        }
        await context.close();
      }
    }
    for (const [at, { name }] of builds.entries()) {
      for (const [what, all] of Object.entries(times[at])) {
        const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((time) => (time / 1000).toFixed(2));
        // An edit may be answered before any plan is.
        const last = at < builds.length - 1 ? times.at(-1)[what] : undefined;
        const ratio = last ? `, ${(median(all) / median(last)).toFixed(2)} of ${builds.at(-1).name}` : "";
        console.log(`${name}: CPU slowed ${slowdown} times, ${start}: ${what} at ${middle} s, ${least} to ${most} s (n = ${VISITS})${ratio}`);
      }
    }
  }
}
await browser.close();
for (const { server } of builds) {
  server.close();
}

// Measures the cost of a first visit: the size of each program by gzip and by brotli, and the times
// until the example is painted and until its first plan is on the screen, on a 10 Mbit/s connection,
// with the CPU at full speed and slowed four times. The page is served compressed by gzip, as by
// most static hosts.
//
// TASKLOOM_DIST names the folder of the built page; several folders, separated like those of PATH,
// are visited in turn and compared.

import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { basename, delimiter, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { launchBrowser } from "../tests/e2e/browser.mjs";

const VISITS = 7;
const MBIT = 10;
const SLOWDOWNS = [1, 4];
const FOLDERS = (process.env.TASKLOOM_DIST ?? fileURLToPath(new URL("../dist", import.meta.url))).split(delimiter);
const MEDIA = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves a built page, and prints the sizes of its programs. */
async function serve(folder) {
  const files = new Map();
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => extname(name) in MEDIA)) {
    const bytes = readFileSync(join(folder, name));
    files.set(`/${name}`, gzipSync(bytes, { level: 9 }));
    if (/\.(js|wasm|css)$/.test(name) && name !== "service-worker.js") {
      const sizes = [bytes.length, files.get(`/${name}`).length, brotliCompressSync(bytes).length];
      const [raw, gzip, brotli] = sizes.map((size) => `${(size / 1e3).toFixed(0)} kB`);
      console.log(`${basename(folder)}: ${name}: ${raw}, by gzip ${gzip}, by brotli ${brotli}`);
    }
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const name = path === "/" ? "/index.html" : path;
    const bytes = files.get(name);
    if (bytes) {
      response.writeHead(200, { "content-type": MEDIA[extname(name)], "content-encoding": "gzip" }).end(bytes);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { name: basename(folder), server, address: `http://127.0.0.1:${server.address().port}/`, times: new Map() };
}

/** Runs in the page: notes the frames in which the example, on its Stage or as a diagram, and its plan are there for the first time. */
function watch() {
  window.seen = {};
  const look = () => {
    if (!window.seen.example && document.querySelector("main :is(.node-head, .stage-place)")) {
      window.seen.example = performance.now();
    }
    const status = document.querySelector("[role=status][aria-label=Plan]")?.textContent ?? "";
    if (/\d+ steps?/.test(status)) {
      window.seen.plan = performance.now();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/** Returns the times of a first visit, in milliseconds since the navigation began. */
async function visit(browser, address, slowdown) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  const throughput = (MBIT * 1e6) / 8;
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.seen.plan);
  const times = await page.evaluate(() => window.seen);
  await context.close();
  return times;
}

const builds = [];
for (const folder of FOLDERS) {
  builds.push(await serve(folder));
}
const browser = await launchBrowser();
for (const slowdown of SLOWDOWNS) {
  const times = builds.map(() => []);
  for (let round = 0; round < VISITS; round += 1) {
    for (const [at, { address }] of builds.entries()) {
      times[at].push(await visit(browser, address, slowdown));
    }
  }
  for (const [at, { name }] of builds.entries()) {
    for (const what of ["example", "plan"]) {
      const sorted = times[at].map((visit) => visit[what]).sort((a, b) => a - b);
      const [median, least, most] = [VISITS >> 1, 0, VISITS - 1].map((at) => (sorted[at] / 1000).toFixed(2));
      console.log(`${name}: CPU slowed ${slowdown} times: first ${what} at ${median} s, ${least} to ${most} s (n = ${VISITS})`);
    }
  }
}
await browser.close();
for (const { server } of builds) {
  server.close();
}

// Measures the cost of a first visit: the page's size by `gzip -9`, and the time until the first
// plan is on the screen, on a 10 Mbit/s connection with the CPU slowed four times. The page is
// served compressed, as by static hosts.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../tests/e2e/browser.mjs";

const VISITS = 7;
const MBIT = 10;
const SLOWER = 4;
const DIST = process.env.TASKLOOM_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));
const MEDIA = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

const files = new Map();
for (const name of readdirSync(DIST, { recursive: true }).filter((name) => extname(name) in MEDIA)) {
  const { status, stdout } = spawnSync("gzip", ["-9c"], { input: readFileSync(join(DIST, name)), maxBuffer: 1 << 26 });
  if (status !== 0) {
    throw new Error("this benchmark needs gzip.");
  }
  files.set(`/${name}`, stdout);
}
const programs = [...files].filter(([name]) => /\.(js|wasm)$/.test(name) && !name.includes("service-worker"));
const size = programs.reduce((sum, [, bytes]) => sum + bytes.length, 0);
console.log(`wasm and JavaScript: ${size} bytes by gzip -9`);

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
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await launchBrowser();
const times = [];
for (let visit = 0; visit < VISITS; visit += 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  const throughput = (MBIT * 1e6) / 8;
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const started = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.getByRole("status", { name: "Plan" }).getByText(/\d+ steps?/).first().waitFor();
  times.push(performance.now() - started);
  await context.close();
}
await browser.close();
server.close();
times.sort((a, b) => a - b);
const seconds = (at) => (times[at] / 1000).toFixed(2);
console.log(
  `first plan on the screen, ${MBIT} Mbit/s, ${SLOWER} times slowed: median ${seconds(VISITS >> 1)} s, ` +
    `${seconds(0)} to ${seconds(VISITS - 1)} s (n = ${VISITS})`,
);

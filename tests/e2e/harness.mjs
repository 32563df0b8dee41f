// Opens the built page in a real Chromium and treats whatever the browser complains about as a failure.
//
//   test("a journey", async ({ openTaskloom }) => {
//     const { page } = await openTaskloom();
//     await page.getByRole("button", { name: "Undo" }).click();
//   });
//
// `cargo xtask test` serves the release page and names it in TASKLOOM_URL; without that dist/ is served from here, so
// `npx playwright test smoke` works after any build. TASKLOOM_SLOWER=6 makes the page six times slower, to find tests that
// pass by luck.

import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect } from "@playwright/test";
import { installPickers } from "./pickers.mjs";

export { expect };

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "..", "..", "dist");
const SCREENSHOTS = join(HERE, "screenshots");

/**
 * Playwright's test with what journeys need: `address` is where the page is served, `openTaskloom(options)` opens it with a
 * fresh profile (see [`open`]), and `serve(changed)` serves dist/ at an address of its own (see [`serveBuilt`]).
 */
export const test = base.extend({
  address: [
    async ({}, use) => {
      const server = process.env.TASKLOOM_URL ? undefined : await serveBuilt();
      await use(process.env.TASKLOOM_URL ?? server.address);
      server?.close();
    },
    { scope: "worker" },
  ],
  openTaskloom: async ({ browser, address }, use) => {
    const all = [];
    await use(async (options = {}) => {
      const opened = await open(browser, { address, ...options });
      all.push({ ...opened, expectsProblems: options.expectsProblems });
      return opened;
    });
    for (const { context, problems, expectsProblems } of all) {
      await context.close();
      if (!expectsProblems) expect(problems, "the browser complained").toEqual([]);
    }
  },
  serve: async ({}, use) => {
    const servers = [];
    await use(async (changed) => {
      const server = await serveBuilt(changed);
      servers.push(server);
      return server;
    });
    for (const server of servers) server.close();
  },
});

/** Tells what was measured: it is printed, and stands in the report. */
export function told(description) {
  console.log(`   ${description}`);
  test.info().annotations.push({ type: "measured", description });
}

/**
 * Opens Taskloom with a fresh profile.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {object} options Playwright's options of a browser context (`viewport`, `colorScheme`, ...), and `address`,
 *   `path` (default `/`), `before`, which gets the page before it loads, and `pickers: false` for a browser without file
 *   pickers, where files are chosen by an input and downloaded.
 * @returns {Promise<{page: import("@playwright/test").Page, context: import("@playwright/test").BrowserContext,
 *   problems: string[], requests: string[], address: string}>} `problems` and `requests` grow while the page lives.
 */
export async function open(browser, { address, path = "/", before = () => {}, pickers = true, expectsProblems: _, ...options }) {
  // The service worker fetches the page once more, for the time without a network: tests of that alone let it.
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block", ...options });
  const { problems, requests } = watch(context, address);
  const page = await context.newPage();
  if (process.env.TASKLOOM_SLOWER) {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.TASKLOOM_SLOWER) });
  }
  // Someone listens from the start: Chromium is told to hand over its file choosers by a message that a key pressed at
  // the same time may overtake on a busy page, and the chooser would open where no test sees it.
  page.on("filechooser", () => {});
  await installPickers(context, pickers);
  await before(page);
  await page.goto(new URL(path, address).href, { waitUntil: "load" });
  // The program starts after the page has loaded; before, keys would go nowhere.
  await page.getByRole("main").waitFor();
  return { page, context, problems, requests, address };
}

/** Opens a text as the file `name`, as hands do: Ctrl+O, and the file is picked. */
export async function openFile(page, name, text) {
  await page.evaluate(([name, text]) => pickers.put(name, text), [name, text]);
  await page.evaluate((name) => pickers.picks.push(name), name);
  await page.keyboard.press("Control+o");
}

/** The text of the file that Ctrl+S writes: the document's own, or one that is picked. */
export async function savedFile(page) {
  const before = await page.evaluate(() => {
    pickers.saveTo = "saved.taskloom.json";
    return pickers.written.length;
  });
  await page.keyboard.press("Control+s");
  const written = await page.waitForFunction((before) => pickers.written.length > before && pickers.written.at(-1), before, { polling: 20 });
  return page.evaluate((name) => pickers.text(name), await written.jsonValue());
}

/** The text of a download. */
export async function downloaded(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Waits until what was done is on the screen. */
export async function nextFrame(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Replaces the open document by an empty one. */
export async function newDocument(page) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "New" }).click();
}

/** Opens the example of this title, as hands do: File, Examples, and a click on its card. */
export async function openExample(page, title) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: title }).click();
  await page.locator(".toast").getByText(`Opened “${title}”.`).waitFor();
}

/** Takes every step back; the document is what it was when it was opened. */
export async function undoAll(page) {
  const undo = page.getByRole("button", { name: /^Undo/ });
  // In a text field the key would be the text's.
  await page.locator(".canvas").focus();
  while (await undo.isEnabled()) {
    await page.keyboard.press("Control+z");
  }
}

/** Does again all that was taken back. */
export async function redoAll(page) {
  const redo = page.getByRole("button", { name: /^Redo/ });
  await page.locator(".canvas").focus();
  while (await redo.isEnabled()) {
    await page.keyboard.press("Control+Shift+z");
  }
}

/** Saves what the page looks like, in a folder that git ignores. Returns the file's path. */
export async function screenshot(page, name) {
  await mkdir(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** The field with the title of the document. */
export const title = (page) => page.getByRole("textbox", { name: "Title of the document" });

/** Waits until the document is saved in the browser. */
export async function isSaved(page) {
  await page.getByRole("status", { name: "Saved state" }).getByText("saved", { exact: true }).waitFor();
}

/** Waits until all transitions have ended: colours in the middle of one are nobody's. */
export const isStill = (page) =>
  page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));

/** Calls `look` in the dark theme and in the light one, in which the page stays. */
export async function inBothThemes(page, look) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await look(colorScheme);
  }
}

/** Takes a [`screenshot`] in each theme. */
export const screenshots = (page, name) => inBothThemes(page, (theme) => screenshot(page, `${name}-${theme}`));

/** Notes everything that the browser asks for and complains about, on every page of the context. */
function watch(context, address) {
  const problems = [];
  const requests = [];
  const origin = new URL(address).origin;
  context.on("console", (message) => {
    // Violations of the Content-Security-Policy are console errors as well.
    if (message.type() === "error") {
      problems.push(`console error: ${message.text()}`);
    }
  });
  context.on("weberror", (error) => problems.push(`uncaught: ${error.error()}`));
  context.on("request", (request) => {
    const url = request.url();
    if (url.startsWith("blob:") || url.startsWith("data:")) {
      return; // From memory.
    }
    requests.push(url);
    if (new URL(url).origin !== origin) {
      problems.push(`request to another host: ${url}`);
    }
  });
  context.on("requestfailed", (request) => {
    // A page that is left or reloaded drops the requests that it still has under way.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") {
      problems.push(`request failed: ${request.url()}`);
    }
  });
  context.on("response", (response) => {
    if (response.status() >= 400) {
      problems.push(`status ${response.status()}: ${response.url()}`);
    }
  });
  return { problems, requests };
}

const MEDIA_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/**
 * Serves dist/ until `close` is called. `changed` maps the names of files to functions of their content,
 * which is served instead; it may be changed at any time.
 */
async function serveBuilt(changed = {}) {
  if (!existsSync(join(DIST, "index.html"))) throw new Error("dist/ holds no page: run `cargo xtask serve` once");
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(DIST, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const change = changed[basename(file)] ?? ((content) => content);
      const content = change(await readFile(file));
      response.setHeader("Content-Type", MEDIA_TYPES[extname(file)] ?? "application/octet-stream");
      response.end(content);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://localhost:${server.address().port}`, close };
}

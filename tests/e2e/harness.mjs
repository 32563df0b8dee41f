// Opens the built page in a real Chromium and treats every complaint of the browser as a failure.
//
//   test("a journey", async ({ openTaskloom }) => {
//     const { page } = await openTaskloom();
//     await page.getByRole("button", { name: "Undo" }).click();
//   });
//
// `cargo xtask test` serves the local page and passes its address in TASKLOOM_URL; without that, target/page/ is served
// from here, so `npx playwright test smoke` works after any build. TASKLOOM_SLOWER=6 makes the page six times slower, to
// find tests that pass by luck.

import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, dirname, extname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base, expect } from "@playwright/test";
import { DOWNLOADS } from "./browser.mjs";
import { installPickers } from "./pickers.mjs";

export { expect };

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = process.env.TASKLOOM_PAGE ?? join(HERE, "..", "..", "target", "page");
const SCREENSHOTS = join(HERE, "screenshots");
const VIEWPORT = { width: 1280, height: 720 };

/**
 * Playwright's test with fixtures for journeys: `address` is where the page is served, `openTaskloom(options)` opens it
 * with a fresh profile (see [`open`]), and `serve(changed, folder)` serves that page at a separate address (see [`serveBuilt`]).
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
  tab: [
    async ({ browser, address }, use) => {
      const tab = new Tab(browser, address);
      await use(tab);
      await tab.close();
    },
    { scope: "worker" },
  ],
  openTaskloom: async ({ browser, address, tab }, use) => {
    const all = [];
    await use(async (options = {}) => {
      const opened = tab.fits(options) ? await tab.open(options) : await open(browser, { address, ...options });
      all.push({ ...opened, expectsProblems: options.expectsProblems });
      return opened;
    });
    for (const { close, context, problems, expectsProblems } of all) {
      await (close ?? (() => context.close()))();
      if (!expectsProblems) expect(problems, "the browser complained").toEqual([]);
    }
  },
  serve: async ({}, use) => {
    const servers = [];
    await use(async (changed, folder) => {
      const server = await serveBuilt(changed, folder);
      servers.push(server);
      return server;
    });
    for (const server of servers) server.close();
  },
});

/**
 * A tab in which one test after the other opens Taskloom, each with the storage of a fresh profile: that takes half the
 * work of another tab with another profile. Tests that need more than a window's size have their own.
 */
class Tab {
  constructor(browser, address) {
    Object.assign(this, { browser, address, isFree: true });
  }

  /** Returns `true` if a test can open the page here. */
  fits(options) {
    return this.isFree && !isFirefox(this.browser) && Object.keys(options).every((option) => option === "viewport");
  }

  async open({ viewport = VIEWPORT }) {
    this.isFree = false;
    if (!this.opened) {
      this.opened = await open(this.browser, { address: this.address, viewport });
    } else {
      const { page, problems, requests } = this.opened;
      await page.setViewportSize(viewport);
      problems.length = 0;
      requests.length = 0;
      await load(page, this.address);
    }
    return { ...this.opened, close: () => this.reset() };
  }

  /** Leaves the page, closes what it has opened, and empties its storage. */
  async reset() {
    const { context, page } = this.opened;
    for (const other of context.pages()) if (other !== page) await other.close();
    // A part of the page without a program.
    await page.goto(new URL("icon.svg", this.address).href);
    await page.evaluate(() => sessionStorage.clear());
    await page.emulateMedia({ colorScheme: null, media: null });
    await context.clearPermissions();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Storage.clearDataForOrigin", { origin: new URL(this.address).origin, storageTypes: "all" });
    await devtools.detach();
    this.isFree = true;
  }

  async close() {
    await this.opened?.context.close();
  }
}

/** Reports a measurement: it is printed, and included in the report. */
export function measured(description) {
  console.log(`   ${description}`);
  test.info().annotations.push({ type: "measured", description });
}

/**
 * Opens Taskloom with a fresh profile.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {object} options Playwright's options of a browser context (`viewport`, `colorScheme`, ...), and `address`,
 *   `path` (default `/`), `before`, which gets the page before it loads, `pickers: false` for a browser without file
 *   pickers, where files are chosen by an input and downloaded, and `firstStart: true` for the start of somebody new.
 * @returns {Promise<{page: import("@playwright/test").Page, context: import("@playwright/test").BrowserContext,
 *   problems: string[], requests: string[], address: string}>} `problems` and `requests` grow while the page lives.
 */
export async function open(browser, { address, path = "/", before = () => {}, pickers = true, firstStart = false, expectsProblems: _, ...options }) {
  // The service worker fetches the page again for offline use; only its own tests allow that.
  const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: "block", ...options });
  const { problems, requests } = watch(context, address);
  if (!firstStart) await context.addInitScript(asIfKnown);
  if (isFirefox(browser)) {
    await allowPlaywright(context, address);
    await context.addInitScript(countClicks);
  }
  const page = await context.newPage();
  if (process.env.TASKLOOM_SLOWER) {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.TASKLOOM_SLOWER) });
  }
  // Listens from the start: Playwright tells Chromium to hand over its file choosers by a message that a simultaneous
  // key press may overtake on a busy page, and the chooser would then open unseen.
  page.on("filechooser", () => {});
  await installPickers(context, pickers);
  await before(page);
  await load(page, new URL(path, address).href);
  return { page, context, problems, requests, address };
}

async function load(page, address) {
  await page.goto(address, { waitUntil: "load" });
  // The program starts after the page has loaded; earlier key presses would be lost.
  await page.getByRole("main").waitFor();
}

/** Chooses the number of random cases or repetitions: many in the thorough run, few otherwise. */
export const often = (many, few) => (process.env.TASKLOOM_THOROUGH ? many : few);

/** Returns `true` for a browser or a context of Firefox. */
export const isFirefox = (browser) => browser.browserType().name() === "firefox";

/**
 * Makes two clicks within a second a double click, which the Extended Support Release of Firefox doesn't do for clicks
 * by WebDriver. Runs in the page.
 */
function countClicks() {
  let last = { time: -Infinity, x: 0, y: 0 };
  addEventListener("click", (event) => {
    const { timeStamp: time, clientX: x, clientY: y, target, detail } = event;
    const isDouble = detail === 1 && time - last.time < 1000 && Math.hypot(x - last.x, y - last.y) < 4;
    last = isDouble || detail === 0 ? { time: -Infinity, x, y } : { time, x, y };
    if (isDouble) {
      const init = { bubbles: true, cancelable: true, composed: true, detail: 2, clientX: x, clientY: y, view: window };
      target.dispatchEvent(new MouseEvent("dblclick", init));
    }
  });
}

/** The style sheet `body {}`, by which Playwright lets Firefox draw before a screenshot. */
const EMPTY_STYLE = "'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA='";

/**
 * Adds to what the page's policy allows what Playwright's own scripts do in Firefox, where the policy applies to them: `eval`
 * and an empty style sheet. The rest of the policy applies as it is served.
 */
async function allowPlaywright(context, address) {
  const isPage = (url) => url.origin === new URL(address).origin && (url.pathname === "/" || url.pathname.endsWith(".html"));
  await context.route(isPage, async (route) => {
    const response = await fetch(route.request().url());
    const allow = (text, directive, source) => text.replace(new RegExp(`(http-equiv="Content-Security-Policy"[^>]*${directive})`, "i"), `$1 ${source}`);
    const body = allow(allow(await response.text(), "script-src", "'unsafe-eval'"), "style-src", EMPTY_STYLE);
    await route.fulfill({ status: response.status, headers: { "content-type": "text/html; charset=utf-8" }, body });
  });
}

/**
 * Lets the pages of a context start with the ball in the box on its Board and no start card, as for somebody who has
 * closed the card. Runs in the page, before it loads.
 */
export function asIfKnown() {
  // A page without an origin, such as the one that a tab begins with, has no storage.
  if (origin !== "null" && !localStorage.getItem("taskloom.guide")) {
    localStorage.setItem("taskloom.guide", "ball-in-the-box 000 closed");
  }
}

/** Opens a text as the file `name`, as a user would: Ctrl+O, and the file is picked. */
export async function openFile(page, name, text) {
  await page.evaluate(([name, text]) => pickers.put(name, text), [name, text]);
  await page.evaluate((name) => pickers.picks.push(name), name);
  await page.keyboard.press("Control+o");
}

/**
 * Opens a document as a file, and closes the message about it. It may be open already: a journey has several steps that
 * begin with the same document. What isn't part of a document stays, such as the tab of the panel.
 */
export async function reopen(page, name, document) {
  const dismiss = async () => {
    await page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((button) => button.click()));
    await expect(page.locator(".toast")).toHaveCount(0);
  };
  // First what is open over the page.
  for (const _ of [0, 1]) await page.keyboard.press("Escape");
  await dismiss();
  await openFile(page, name, typeof document === "string" ? document : JSON.stringify(document));
  await page.locator(".toast").filter({ hasText: /^Opened “/ }).waitFor();
  await dismiss();
}

/** Returns the text of the file that Ctrl+S writes: the document's own, or one that is picked. */
export async function savedFile(page) {
  const before = await page.evaluate(() => {
    pickers.saveTo = "saved.taskloom.json";
    return pickers.written.length;
  });
  await page.keyboard.press("Control+s");
  const written = await page.waitForFunction((before) => pickers.written.length > before && pickers.written.at(-1), before, { polling: 20 });
  return page.evaluate((name) => pickers.text(name), await written.jsonValue());
}

/**
 * Returns the files that the page downloads during `act`, as names and contents.
 *
 * @returns {Promise<Record<string, Buffer>>}
 */
export async function downloads(page, act, count = 1) {
  const reported = [];
  const report = (download) => reported.push(download);
  page.on("download", report);
  await rm(DOWNLOADS, { recursive: true, force: true });
  await act();
  let files = [];
  const complete = async () => {
    const read = async (download) => [download.suggestedFilename(), await readFile(await download.path())];
    files = reported.length > 0 ? await Promise.all(reported.map(read)) : await inFolder();
    return files.length;
  };
  await expect.poll(complete).toBe(count);
  page.off("download", report);
  return Object.fromEntries(files);
}

/** Returns the complete files in the folder for downloads of a Firefox that reports none, such as version 140. */
async function inFolder() {
  const names = await readdir(DOWNLOADS).catch(() => []);
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(DOWNLOADS, name)).catch(() => "")]));
  // Firefox reserves the name with an empty file before it writes the partial one.
  return files.every(([name, content]) => content.length > 0 && !name.endsWith(".part")) ? files : [];
}

/** Returns the file, as its name and content, that a command of the Export menu makes. */
export async function exported(page, item) {
  const files = await downloads(page, async () => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  });
  const [[name, content]] = Object.entries(files);
  return { name, content };
}

/** Chooses a file in the dialog that `act` opens, of a browser without file pickers. */
export async function chooseFile(page, act, name, content) {
  const file = { name, mimeType: "application/json", buffer: Buffer.from(content) };
  if (isFirefox(page.context().browser())) {
    // The Extended Support Release reports no dialogs: the page's input is filled without one.
    await page.evaluate(() => {
      HTMLInputElement.prototype.click = function () {
        document.body.append(this);
      };
    });
    await act();
    return page.locator("body > input[type=file]").last().setInputFiles(file);
  }
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), act()]);
  await chooser.setFiles(file);
}

/** Waits until the last action is visible. */
export async function nextFrame(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Replaces the open document with an empty one. */
export async function newDocument(page) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "New" }).click();
}

/** Opens the example with this title, as a user would: File, Examples, and a click on its card; then a view. */
export async function openExample(page, title, view = "Board") {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: title }).click();
  await page.locator(".toast").getByText(`Opened “${title}”.`).waitFor();
  await openView(page, view);
}

/** Undoes every step; the document is then as it was opened. */
export async function undoAll(page) {
  const undo = page.getByRole("button", { name: /^Undo/ });
  // In a text field the key would apply to the text.
  await page.locator(".canvas").focus();
  while (await undo.isEnabled()) {
    await page.keyboard.press("Control+z");
  }
}

/** Redoes everything that was undone. */
export async function redoAll(page) {
  const redo = page.getByRole("button", { name: /^Redo/ });
  await page.locator(".canvas").focus();
  while (await redo.isEnabled()) {
    await page.keyboard.press("Control+Shift+z");
  }
}

/** Takes a screenshot, in a folder that git ignores. Returns the file's path. */
export async function screenshot(page, name) {
  await mkdir(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** Returns the field with the document's title. */
export const title = (page) => page.getByRole("textbox", { name: "Title of the document" });

/** Waits until the document is saved in the browser. */
export async function isSaved(page) {
  await page.getByRole("status", { name: "Saved state" }).getByText("saved", { exact: true }).waitFor();
}

/** Waits until all transitions have ended: colours during one belong to neither state. */
export const isStill = (page) =>
  page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));

/** Returns the box of an element once it has stood still for three frames: a diagram that opens moves its camera. */
export async function boxAtRest(element) {
  await element.waitFor();
  await element.evaluate(async (element) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const place = () => Object.values(element.getBoundingClientRect().toJSON()).join();
    for (let [last, same] = [place(), 0]; same < 3; ) {
      await frame();
      const now = place();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  });
  return element.boundingBox();
}

/** Calls `look` in the dark theme and then in the light one, which the page keeps. */
export async function inBothThemes(page, look) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await look(colorScheme);
  }
}

/** Takes a [`screenshot`] in each theme. */
export const screenshots = (page, name) => inBothThemes(page, (theme) => screenshot(page, `${name}-${theme}`));

/** Records all requests and complaints of the browser, on every page of the context. */
function watch(context, address) {
  const problems = [];
  const requests = [];
  const origin = new URL(address).origin;
  context.on("console", (message) => {
    // Violations of the Content-Security-Policy are console errors as well. Chromium itself, unlike the headless shell,
    // requests an icon for a file that names none, such as the one that a tab shows between two tests.
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) {
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
    // A page that is left or reloaded cancels its pending requests, in Chromium's words and in Firefox's.
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED" && reason !== "NS_BINDING_ABORTED") {
      problems.push(`request failed (${reason}): ${request.url()}`);
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
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/**
 * Serves the page until `close` is called. `changed` maps file names to functions that transform the content to be served;
 * it may be modified at any time. The page is in `folder` of the server.
 */
async function serveBuilt(changed = {}, folder = "/") {
  if (!existsSync(join(DIST, "index.html"))) throw new Error(`${DIST} has no page: run \`cargo xtask serve\` once`);
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(DIST, relative(folder, path.endsWith("/") ? `${path}index.html` : path));
    try {
      if (!path.startsWith(folder)) throw new Error("There is nothing outside the folder");
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

/** Opens a view: Stage, Board or Scenarios. */
export async function openView(page, name) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
}

// Starts browsers: Chromium for one test, or with a profile that outlives it, and Firefox.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

/**
 * Without these, a headless Chromium requires a sandbox that containers lack, and makes network requests of its own.
 */
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The browser to start: the program named in TASKLOOM_HEADLESS_SHELL, a Chromium without windows that does a third less
 * work, or else Chromium itself.
 */
export const launchOptions = () => ({ executablePath: process.env.TASKLOOM_HEADLESS_SHELL ?? chromiumPath(), args: CHROMIUM_FLAGS });

/** Starts a browser with a fresh profile, which the caller must close. */
export const launchBrowser = () => chromium.launch(launchOptions());

/**
 * Starts a browser with a permanent profile in `folder`, like a designer's.
 *
 * @returns {Promise<{page: import("@playwright/test").Page, kill: () => Promise<void>}>} `kill` ends all its processes without notification.
 */
export async function launchWithProfile(folder) {
  const flags = [...CHROMIUM_FLAGS, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${folder}`];
  const child = spawn(chromiumPath(), [...flags, "about:blank"], { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  let output = "";
  let address;
  for await (const part of child.stderr) {
    output += part;
    address = output.match(/DevTools listening on (ws:\S+)/)?.[1];
    if (address) break;
  }
  assert.ok(address, `the browser does not start: ${output}`);
  const browser = await chromium.connectOverCDP(address);
  const kill = async () => {
    process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  return { page: await browser.contexts()[0].newPage(), kill };
}

function chromiumPath() {
  const found = findProgram("TASKLOOM_CHROMIUM", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]);
  assert.ok(found, "found no Chromium: install it, or name it in TASKLOOM_CHROMIUM");
  return found;
}

/** Returns the program named in TASKLOOM_FIREFOX, or the installed Firefox; `undefined` without one. */
export const firefoxPath = () =>
  findProgram("TASKLOOM_FIREFOX", ["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"]);

/** The Firefox to start, by the script firefox.mjs: the released one, which Playwright operates by WebDriver BiDi. */
export const firefoxOptions = () => ({
  channel: "moz-firefox",
  executablePath: fileURLToPath(new URL("firefox.mjs", import.meta.url)),
  firefoxUserPrefs: { "browser.download.folderList": 2, "browser.download.dir": DOWNLOADS },
});

/** The folder for the downloads of a Firefox that this process starts. */
export const DOWNLOADS = join(tmpdir(), `taskloom-downloads-${process.pid}`);

/** Returns the program that an environment variable names, or the first of these on the PATH. */
export function findProgram(variable, names) {
  if (process.env[variable]) return process.env[variable];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const files = names.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
  return files.find((file) => existsSync(file));
}

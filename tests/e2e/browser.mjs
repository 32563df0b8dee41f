// Starts Chromium: for one test, or with a profile that outlives it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
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
  if (process.env.TASKLOOM_CHROMIUM) {
    return process.env.TASKLOOM_CHROMIUM;
  }
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
  assert.ok(found, "found no Chromium: install it, or name it in TASKLOOM_CHROMIUM");
  return found;
}

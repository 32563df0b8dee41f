import { defineConfig } from "@playwright/test";
import { firefoxOptions, firefoxPath, launchOptions } from "./browser.mjs";

/** The journeys that also run in Firefox. */
const IN_FIREFOX = ["browsers", "documents", "export", "files", "first-hour", "outline", "planning", "smoke"];
/** What the driver of Firefox can't do in them. */
const NOT_IN_FIREFOX = [
  // It emulates no media features.
  /prefer reduced motion/,
  /opens without errors, dark/,
  // It grants no permission for the clipboard.
  /a link contains the document/,
  /rejects a link/,
  // It fills fields by script, past their undo.
  /typing in a precondition/,
  // It reports no downloads and no processor time.
  /the palette finds a help page/,
  /long planning shows its progress/,
  // It has no touch and no DevTools.
  /a finger scrolls the outline/,
  /a task is dropped on the canvas/,
  // These take longer than a test may.
  /the tour is done by doing/,
  /a task with a Branch and its plan/,
];

const chromium = { name: "chromium", use: { launchOptions: launchOptions() } };
const firefox = {
  name: "firefox",
  testMatch: IN_FIREFOX.map((name) => `${name}.test.mjs`),
  grepInvert: NOT_IN_FIREFOX,
  // It starts more slowly.
  timeout: 120_000,
  use: { browserName: "firefox", launchOptions: firefoxOptions() },
};
// Each worker loads this file, too.
if (!firefoxPath() && !process.env.TEST_WORKER_INDEX) {
  console.log("Journeys in Firefox skipped: no Firefox (install firefox-esr to run them)");
}

export default defineConfig({
  testMatch: "*.test.mjs",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Of three workers, most are waiting for the browser.
  workers: 3,
  timeout: 60_000,
  // Expected changes occur immediately on an idle machine, and some seconds later on a busy one.
  expect: { timeout: 20_000 },
  // A journey that passes at the second attempt is reported as flaky, and fails the thorough run. Only that attempt is
  // traced: traces take half of a journey's time.
  retries: 1,
  failOnFlakyTests: Boolean(process.env.TASKLOOM_THOROUGH),
  reporter: "list",
  outputDir: "../../target/journeys",
  use: { actionTimeout: 30_000, trace: "on-first-retry", screenshot: "only-on-failure" },
  projects: firefoxPath() ? [chromium, firefox] : [chromium],
});

import { defineConfig } from "@playwright/test";
import { firefoxOptions, firefoxPath, launchOptions } from "./browser.mjs";

const chromium = { name: "chromium", use: { launchOptions: launchOptions() } };
const firefox = {
  name: "firefox",
  // Journeys through what browsers do differently: files, storage, several tabs, the clipboard, workers, the policy, wheels
  // and popovers. Its driver emulates no media features and no touch, grants no permissions, and reports no downloads.
  grep: /@firefox/,
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
  timeout: 120_000,
  // Expected changes occur immediately on an idle machine, and some seconds later on a busy one.
  expect: { timeout: 20_000 },
  // A journey that passes only at a later attempt is reported as flaky, and fails the thorough run. Only the second is
  // traced: traces take half of a journey's time.
  retries: 2,
  failOnFlakyTests: Boolean(process.env.TASKLOOM_THOROUGH),
  reporter: "list",
  outputDir: "../../target/journeys",
  use: { actionTimeout: 30_000, trace: "on-first-retry", screenshot: "only-on-failure" },
  projects: firefoxPath() ? [chromium, firefox] : [chromium],
});

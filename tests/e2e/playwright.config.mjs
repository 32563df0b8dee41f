import { defineConfig } from "@playwright/test";
import { launchOptions } from "./browser.mjs";

export default defineConfig({
  testMatch: "*.test.mjs",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Of three workers, most are waiting for the browser.
  workers: 3,
  timeout: 60_000,
  // Expected changes occur immediately on an idle machine, and some seconds later on a busy one.
  expect: { timeout: 20_000 },
  // A journey that passes at the second attempt is reported as flaky; the thorough run allows none.
  retries: process.env.TASKLOOM_THOROUGH ? 0 : 1,
  reporter: "list",
  outputDir: "../../target/journeys",
  use: { actionTimeout: 30_000, launchOptions: launchOptions(), trace: "retain-on-failure" },
});

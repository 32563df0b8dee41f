// The editor stays when its server is gone, and a newer version waits until it is asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTaskloom, serveBuilt } from "./harness.mjs";

const title = (page) => page.getByRole("textbox", { name: "Title of the document" });

/** Until the service worker has all files and answers for the page. */
async function isKept(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, { timeout: 60_000 });
}

async function isSaved(page) {
  await page.getByRole("status", { name: "Saved state" }).getByText("saved", { exact: true }).waitFor();
}

async function open(t, changed) {
  const server = await serveBuilt(t, changed);
  const opened = await openTaskloom(t, { address: server.address, serviceWorkers: "allow", expectsProblems: true });
  await isKept(opened.page);
  return { ...opened, server };
}

test("the page opens, plans and keeps what is edited when the server is gone", async (t) => {
  const { page, server, problems } = await open(t);
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  assert.deepEqual(problems, []);
  server.close();
  await page.reload();
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  await title(page).fill("Without a network");
  await isSaved(page);
  await page.reload();
  assert.equal(await title(page).inputValue(), "Without a network");
  for (const example of ["The night guard", "The ball in the box"]) {
    await page.getByRole("button", { name: "File" }).click();
    await page.getByRole("menuitem", { name: example }).click();
    await page.getByText(`Opened “${example}”.`).waitFor();
    assert.equal(await title(page).inputValue(), example);
  }
});

test("a new version waits; on demand the work is saved and the new version loaded", async (t) => {
  const changed = {};
  const { page } = await open(t, changed);
  // Another build: the page says so in its title, and its worker names another version.
  changed["index.html"] = (page) => page.toString().replace("<title>Taskloom</title>", "<title>Taskloom, newer</title>");
  changed["service-worker.js"] = (worker) => worker.toString().replace(/VERSION = "/, 'VERSION = "newer-');
  await page.reload();
  assert.equal(await page.title(), "Taskloom", "the version that is kept");
  const reload = page.getByRole("button", { name: "Save and reload" });
  await reload.waitFor({ timeout: 30_000 });
  await title(page).fill("Just before the reload");
  await reload.click();
  await page.waitForFunction(() => document.title === "Taskloom, newer");
  await title(page).waitFor();
  assert.equal(await title(page).inputValue(), "Just before the reload");
  await page.waitForTimeout(2500);
  assert.equal(await reload.count(), 0, "nothing newer than this");
  const caches = await page.evaluate(() => window.caches.keys());
  assert.equal(caches.length, 1, `the older version is gone: ${caches}`);
});

test("the page can be installed", async (t) => {
  const { page, context } = await open(t);
  const devtools = await context.newCDPSession(page);
  const { errors } = await devtools.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Playwright's profiles are private ones, in which nothing can be installed.
  const others = installabilityErrors.filter((error) => error.errorId !== "in-incognito");
  assert.deepEqual(others, []);
});

test("beside the check for a newer version nothing is requested after the page has loaded", async (t) => {
  const { page, requests } = await open(t);
  await page.waitForLoadState("networkidle");
  const loaded = requests.length;
  await page.mouse.click(640, 360);
  await page.keyboard.type("x");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.waitForTimeout(500);
  const others = requests.slice(loaded).filter((url) => !url.endsWith("/service-worker.js"));
  assert.deepEqual(others, []);
});

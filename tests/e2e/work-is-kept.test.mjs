// Work survives a reload, a crash of the tab and a full disk, and files restore it.

import { setTimeout as sleep } from "node:timers/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drop } from "./hands.mjs";
import { launchWithProfile } from "./browser.mjs";
import { expect, isSaved, often, openFile, test, title, measured } from "./harness.mjs";

const saved = (page) => page.getByRole("status", { name: "Saved state" });

test("a reload opens the document as it was left, also at once", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("once it is saved", async () => {
    await title(page).fill("Kept over a reload");
    await isSaved(page);
    await page.reload();
    await title(page).waitFor();
    await expect(title(page)).toHaveValue("Kept over a reload");
  });
  await test.step("at once", async () => {
    await title(page).fill("Left at once");
    await page.reload();
    await title(page).waitFor();
    await expect(title(page)).toHaveValue("Left at once");
  });
  await test.step("with a name that is still being typed", async () => {
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "take-ball", exact: true }).click();
    const name = page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Name", exact: true });
    await name.fill("");
    await name.pressSequentially("grab-ball");
    await page.reload();
    await records.getByRole("treeitem", { name: "grab-ball", exact: true }).waitFor();
  });
  await test.step("at once while another page of the server uses all of the local storage", async () => {
    await isSaved(page);
    await page.evaluate(() => {
      for (let length = 4_000_000; length > 0; length = Math.floor(length / 2)) {
        try {
          for (let at = 0; ; at += 1) localStorage.setItem(`other-${length}-${at}`, "x".repeat(length));
        } catch {
          // Full, but for less than that.
        }
      }
    });
    const asked = [];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    await title(page).fill("Left without room");
    await page.reload();
    await expect(title(page)).toHaveValue("Left without room");
    // Closing the tab would lose it.
    expect(asked).toEqual(["beforeunload"]);
  });
});

// TASKLOOM_CRASHES=50 causes more crashes than the default.
const CRASHES = Number(process.env.TASKLOOM_CRASHES ?? often(3, 2));
const PATIENCE = 60_000 + CRASHES * 20_000;

test(`${CRASHES} crashes of the tab at random moments lose no edit older than a second`, async ({ openTaskloom }) => {
  test.setTimeout(PATIENCE);
  const { page, context, address } = await openTaskloom({ expectsProblems: true });
  await editsAreKept(page, address, async (page) => {
    const crashed = page.waitForEvent("crash");
    page.goto("chrome://crash").catch(() => {});
    await crashed;
    const next = await context.newPage();
    await page.close();
    return next;
  });
});

test(`killing the browser at ${CRASHES} random moments loses no edit older than a second`, async ({ address }) => {
  test.setTimeout(PATIENCE);
  const folder = await mkdtemp(join(tmpdir(), "taskloom-profile-"));
  let browser = await launchWithProfile(folder);
  try {
    await browser.page.goto(address);
    await editsAreKept(browser.page, address, async () => {
      await browser.kill();
      browser = await launchWithProfile(folder);
      return browser.page;
    });
  } finally {
    await browser.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/**
 * Repeatedly edits, calls `crash`, which returns the page to continue with, opens the editor there and checks what was
 * saved.
 */
async function editsAreKept(page, address, crash) {
  const seed = Number(process.env.TASKLOOM_SEED ?? Date.now() % 1_000_000);
  measured(`TASKLOOM_SEED=${seed}`);
  const random = randoms(seed);
  let kept = 0;
  let oldest = 0;
  let word = 0;
  await title(page).fill("");
  for (let round = 0; round < CRASHES; round += 1) {
    // Each edit writes a larger number; the time when it appeared is recorded.
    const edits = [];
    const end = Date.now() + 300 + random() * 2500;
    while (Date.now() < end) {
      word += 1;
      await title(page).fill(`${word}`);
      edits.push({ word, at: Date.now() });
      await sleep(random() * 180);
    }
    const crashed = Date.now();
    page = await crash(page);
    await page.goto(address);
    await title(page).waitFor();
    const found = Number(await title(page).inputValue());
    const lost = edits.filter((edit) => edit.word > found);
    const due = lost.filter((edit) => crashed - edit.at > 1000);
    expect(due, `round ${round}: found ${found}`).toEqual([]);
    expect(found, `round ${round}: ${found} is older than ${kept}, which had been seen after a crash`).toBeGreaterThanOrEqual(kept);
    kept = found;
    oldest = Math.max(oldest, ...lost.map((edit) => crashed - edit.at));
  }
  measured(`the oldest edit that was lost was ${oldest} ms old`);
}

/** Returns a generator of random numbers from 0 to 1 by a seed (mulberry32). */
function randoms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("reports full storage at once, and saves the document to a file", async ({ openTaskloom }) => {
  const { page, context, address } = await openTaskloom({ pickers: false });
  // The browser's own quota is set before the first write: Chromium reads it again only after half a minute.
  const devtools = await context.newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(address).origin, quotaSize: 1 });
  await title(page).fill("Too much");
  const alarm = saved(page).getByRole("button", { name: /^Not saved: the browser's storage is full/ });
  const edited = Date.now();
  await alarm.waitFor({ timeout: 5000 });
  measured(`reported after ${Date.now() - edited} ms`);
  const download = page.waitForEvent("download");
  await alarm.click();
  expect((await download).suggestedFilename()).toBe("too-much.taskloom.json");
  // Once there is space again, the edit is saved and the warning disappears.
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(address).origin });
  await expect(saved(page).getByText("saved", { exact: true })).toBeVisible({ timeout: 45_000 });
  await page.reload();
  await expect(title(page)).toHaveValue("Too much");
});

test("files are opened and dropped, and invalid ones reported while the document stays", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("an invalid file is reported with location and reason", async () => {
    const before = await title(page).inputValue();
    await openFile(page, "broken.json", '{ "taskloom": 4,\n  "facts": [ }');
    const report = page.getByRole("region", { name: "Report" });
    await report.getByRole("heading", { name: "Couldn't open broken.json" }).waitFor();
    await report.getByText(/^line 2, column/i).waitFor();
    await expect(title(page)).toHaveValue(before);
  });
  await test.step("dropped", async () => {
    await drop(page, { name: "dropped.taskloom.json", text: '{ "taskloom": 4, "info": { "title": "Dropped" }, "layout": {} }' });
    await page.getByText("Opened “Dropped”.").waitFor();
    await expect(title(page)).toHaveValue("Dropped");
    await drop(page, { name: "picture.png", text: "\u0089PNG" });
    await page.getByText(/Couldn't open picture\.png/).waitFor();
    await expect(title(page)).toHaveValue("Dropped");
  });
});

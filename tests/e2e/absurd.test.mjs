// Files and links of absurd size are rejected with a reason, or read while the page shows progress.

import { deflateRawSync } from "node:zlib";
import { expect, openFile, test, measured } from "./harness.mjs";

const report = (page) => page.getByRole("region", { name: "Report" });
const title = (page) => page.getByRole("textbox", { name: "Title of the document" });

test("rejects a title of 50 MB with a reason, and the page stays responsive", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan: 2 steps/).waitFor();
  const before = await title(page).inputValue();
  const started = Date.now();
  await openFile(page, "long.json", JSON.stringify({ taskloom: 1, info: { title: "x".repeat(49_000_000) } }));
  await report(page).getByText("Couldn't open long.json").waitFor();
  await report(page).getByText("The title has 49000000 characters. Shorten it to 1000.").waitFor();
  measured(`refused after ${Date.now() - started} ms`);
  // The status next to it is not the file's.
  await report(page).getByText(`“${before}” stays open.`).waitFor();
  await expect(title(page)).toHaveValue(before);
});

test("truncates a long title", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "long.json", JSON.stringify({ taskloom: 1, info: { title: "long ".repeat(199) } }));
  const toast = page.locator(".toast").getByText(/^Opened “long long .*…”\.$/);
  await toast.waitFor();
  expect((await toast.innerText()).length).toBeLessThan(120);
});

test("shows progress while a large link is unpacked", async ({ openTaskloom }) => {
  const note = "a note that repeats itself. ".repeat(300_000);
  const text = JSON.stringify({ taskloom: 1, info: { title: "From a link", note } });
  const packed = deflateRawSync(Buffer.from(text)).toString("base64url");
  expect(packed.length).toBeLessThan(400_000);
  const { page } = await openTaskloom();
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan: 2 steps/).waitFor();
  // On a busy machine the words may be gone before they are looked for, so every change is recorded.
  await page.evaluate((packed) => {
    window.words = new Set();
    const record = () => document.querySelectorAll("[role=status]").forEach((status) => window.words.add(status.textContent));
    new MutationObserver(record).observe(document.body, { childList: true, characterData: true, subtree: true });
    location.hash = `d=${packed}`;
  }, packed);
  await expect(title(page)).toHaveValue("From a link");
  const words = await page.evaluate(() => [...window.words]);
  expect(words).toContainEqual(expect.stringMatching(/^Reading the link…/));
  await expect(page.getByRole("status", { name: "Opening" })).toHaveCount(0);
  // Browsers take very long to lay out such a note.
  const shown = page.getByRole("textbox", { name: "Document notes" });
  await expect(shown).toHaveValue(/^a note that repeats itself\..{1,3000}…$/);
  await page.getByText("with 8,400,000 characters, the note is too long to edit here.").waitFor();
});

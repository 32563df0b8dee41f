// Measures typing in a condition field: on two shipped examples the time from a keystroke to the new plan on the screen,
// and in generated documents what an input event costs the page's thread, with everything that follows from it.
//
// TASKLOOM_SIZES=500,5000 generates documents of these numbers of blocks only. TASKLOOM_URL may name several pages,
// separated by spaces, which take turns.

import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../tests/e2e/browser.mjs";
import { Taskloom } from "./canvas/subjects.mjs";

const KEYSTROKES = 60;
const EXAMPLES = ["The ball in the box", "The night guard"];
const SIZES = (process.env.TASKLOOM_SIZES ?? "500,5000,15000").split(",").map(Number);
const PAGES = process.env.TASKLOOM_URL.split(" ");
const SETTLED = 600;

for (const address of PAGES) {
  console.log(address);
  await examples(address);
}
const folder = await mkdtemp(join(tmpdir(), "taskloom-typing-"));
for (const size of SIZES) {
  const file = join(folder, `${size}.taskloom.json`);
  execFileSync(process.env.TASKLOOM_PROGRAM, ["generate", "--blocks", String(size), "--output", file]);
  for (const address of PAGES) {
    const cost = await costOfKeystrokes(address, file);
    console.log(`${address}: ${size} blocks: ${cost.toFixed(1)} ms of the page's thread per input event (n = ${KEYSTROKES})`);
  }
}
await rm(folder, { recursive: true });

async function examples(address) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
  await page.goto(address);
  for (const example of EXAMPLES) {
    await page.getByRole("button", { name: "File" }).click();
    await page.getByRole("menuitem", { name: "Examples…" }).click();
    await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: example }).click();
    await page.getByRole("status", { name: "Plan" }).getByText(/plan/).first().waitFor();
    // Examples open on the view and the scenario that show them best, which change: always the same ones are measured.
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Board" }).click();
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ index: 0 });
    await page.getByRole("status", { name: "Plan" }).getByText(/plan/).first().waitFor();
    const group = page.getByRole("tree", { name: "Records" }).getByRole("group", { name: "Primitive tasks" });
    await group.getByRole("treeitem").first().click();
    const field = page.getByRole("textbox", { name: "Precondition 1" });
    await field.click();
    const times = await field.evaluate(measure, KEYSTROKES);
    const at = (name, part) => {
      const sorted = times.map((time) => time[name]).sort((a, b) => a - b);
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1);
    };
    console.log(
      `${example}: keystroke to plan in the page: median ${at("change", 0.5)} ms; on screen: median ${at("frame", 0.5)} ms, ` +
        `95th percentile ${at("frame", 0.95)} ms (n = ${times.length})`,
    );
  }
  await browser.close();
}

/** Returns the page's CPU time per input event, in milliseconds, when typing into a precondition of a document. */
async function costOfKeystrokes(address, file) {
  const browser = await launchBrowser();
  const taskloom = new Taskloom(address);
  await taskloom.open(browser, file);
  const { page } = taskloom;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1_000;
  };
  const settled = async () => {
    for (let before = -Infinity, now = await used(); now - before > 25; ) {
      await page.waitForTimeout(SETTLED);
      [before, now] = [now, await used()];
    }
  };
  await page.getByRole("tree", { name: "Records" }).getByRole("group", { name: "Primitive tasks" }).getByRole("treeitem").first().click();
  await page.getByRole("textbox", { name: "Precondition 1" }).click();
  await page.keyboard.press("End");
  await settled();
  const before = await used();
  for (let n = 0; n < KEYSTROKES; n += 1) {
    await page.keyboard.press(n % 2 === 0 ? "x" : "Backspace");
    await page.waitForTimeout(150 + 7 * (n % 5));
  }
  await settled();
  const cost = ((await used()) - before) / KEYSTROKES;
  await browser.close();
  return cost;
}

/**
 * Types and deletes text, each time until the plan's status has settled: it changes twice, as the old plan is marked as
 * out of date at once, and the answer of the worker follows. The frame that shows the last change is the one that counts.
 */
async function measure(field, keystrokes) {
  const status = document.querySelector("[role=status][aria-label=Plan]");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const text = field.value;
  const times = [];
  for (let n = 0; n < keystrokes; n += 1) {
    // Keystrokes must not keep step with the frames.
    await pause(100 + 7 * (n % 5));
    let shown = null;
    const observer = new MutationObserver(() => {
      const change = performance.now();
      shown = frame().then(() => ({ change, frame: performance.now() }));
    });
    observer.observe(status, { attributes: true, characterData: true, childList: true, subtree: true });
    // Every other text is invalid, so that the worker has to plan again.
    field.value = n % 2 === 0 ? `${text} and` : text;
    const started = performance.now();
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await pause(150);
    observer.disconnect();
    const last = await shown;
    if (last) times.push({ change: last.change - started, frame: last.frame - started });
  }
  return times;
}

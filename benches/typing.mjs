// Measures the time from a keystroke in a condition field to the new plan on the screen, on each
// shipped example.

import { launchBrowser } from "../tests/e2e/browser.mjs";

const KEYSTROKES = 60;
const EXAMPLES = ["The ball in the box", "The night guard"];

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
await page.goto(process.env.TASKLOOM_URL);
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

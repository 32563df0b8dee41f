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
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1);
  console.log(`${example}: keystroke to plan on screen: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms (n = ${times.length})`);
}
await browser.close();

/** Types and deletes text; each time waits for the answer to that edit, and then for the frame that shows it. */
async function measure(field, keystrokes) {
  const status = document.querySelector("[role=status][aria-label=Plan]");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const text = field.value;
  const times = [];
  for (let n = 0; n < keystrokes; n += 1) {
    await new Promise((done) => setTimeout(done, 120));
    const changed = new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done(true);
      });
      observer.observe(status, { attributes: true, characterData: true, childList: true, subtree: true });
      setTimeout(() => done(false), 1000);
    });
    // Every other text is invalid, so that the plan on the screen has to change.
    field.value = n % 2 === 0 ? `${text} and` : text;
    const started = performance.now();
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    if (await changed) {
      await frame();
      times.push(performance.now() - started);
    }
  }
  return times;
}

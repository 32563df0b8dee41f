// Opening, editing and closing documents repeatedly doesn't increase memory use. TASKLOOM_ROUNDS sets the number of
// rounds.

import { DESK, Desk } from "./desk.mjs";
import { drop } from "./hands.mjs";
import { boxAtRest, expect, newDocument, often, test, measured } from "./harness.mjs";

const ROUNDS = Number(process.env.TASKLOOM_ROUNDS ?? often(9, 6));
/** A leak caused by selecting shows only after many selections. */
const SELECTIONS = 40;
/** After this many rounds, everything that is created once has been created. */
const FIRST = Math.ceil(ROUNDS / 3);

test(`${ROUNDS} rounds of open, edit, close leave nothing behind`, async ({ openTaskloom }) => {
  test.setTimeout(60_000 + ROUNDS * 15_000);
  const desk = await Desk.start(openTaskloom);
  const { page, devtools } = desk;
  await devtools.send("HeapProfiler.enable");
  await page.addInitScript(() => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = async (...all) => {
        const result = await original.apply(WebAssembly, all);
        window.programMemory = (result.instance ?? result).exports.memory;
        return result;
      };
    }
  });
  await page.reload();
  await page.getByRole("main").waitFor();
  const measure = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const heap = await devtools.send("Runtime.getHeapUsage");
    const dom = await devtools.send("Memory.getDOMCounters");
    const program = await page.evaluate(() => window.programMemory.buffer.byteLength);
    return { heap: heap.usedSize, program, nodes: dom.nodes, listeners: dom.jsEventListeners };
  };
  const main = page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "main", exact: true });
  // Files are dropped, not picked: DevTools keeps every file chooser's element.
  const file = { name: "desk.taskloom.json", text: JSON.stringify(DESK) };
  const effects = page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Effect 1" });
  let first;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await drop(page, file);
    await main.waitFor();
    const boxes = ["walk", "sit"].map((name) => boxAtRest(page.locator(`[data-record="primitive:${name}"]`)));
    const tasks = await Promise.all(boxes);
    for (let turn = 0; turn < SELECTIONS; turn += 1) {
      await page.mouse.click(tasks[turn % 2].x + 40, tasks[turn % 2].y + 14);
    }
    await desk.frame();
    await effects.first().waitFor();
    await page.locator('[data-record="fact:lit"]').click();
    await desk.press("F2", "Escape", "ArrowRight", "Delete");
    await desk.confirmDeletion();
    await desk.press("Control+z");
    await main.dblclick();
    await page.locator('[data-block="walk"]').click();
    for (const key of ["ArrowRight", "Control+d", "ArrowDown", "Control+z", "Delete", "Home"]) await desk.press(key);
    await newDocument(page);
    await main.waitFor({ state: "detached" });
    if (round === FIRST) first = await measure();
  }
  const last = await measure();
  measured(`after ${FIRST} rounds ${JSON.stringify(first)}, after ${ROUNDS} ${JSON.stringify(last)}`);
  for (const what of Object.keys(last)) {
    expect(last[what], `${what}: ${first[what]} after ${FIRST} rounds, ${last[what]} after ${ROUNDS}`).toBeLessThanOrEqual(first[what] * 1.1);
  }
});

// The timeline of a run: it fits the events, has a scale, zooms, and the record follows its tick.

import { boxAtRest, expect, openFile, screenshots, test } from "./harness.mjs";

const slider = (page) => page.getByRole("slider", { name: "Tick of the run" });
const zoom = (page, name) => page.getByRole("group", { name: "Timeline zoom" }).getByRole("button", { name, exact: true });
const labels = (page) => page.locator(".course-scale span").allInnerTexts();

/** A bell that rings endlessly, after a walk. */
const BELL = {
  taskloom: 3,
  info: { title: "The bell" },
  facts: { here: { source: "memory" }, rings: { value: { number: {} }, source: "memory" } },
  actions: { Walk: { duration: "6" }, Ring: { duration: "3" } },
  primitive_tasks: {
    walk: { action: "Walk()", effects: [{ text: "here" }] },
    ring: { action: "Ring()", effects: [{ text: "rings += 1" }] },
  },
  compound_tasks: {
    serve: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "branch", condition: "here" },
          c: { kind: "task", call: "ring" },
          d: { kind: "task", call: "walk" },
        },
        wires: ["a.out -> b", "b.true -> c", "b.false -> d"],
      },
    },
  },
  agents: { bell: { planning: { decomposition: { tasks: ["serve"] } }, triggers: { complete: "again" } } },
  scenarios: { endless: { cast: [{ agent: "bell" }] }, none: { tasks: [], initial: ["rings = 7"], goal: "rings = 8" } },
};

async function openBell(openTaskloom, options) {
  const { page } = await openTaskloom(options);
  await openFile(page, "bell.taskloom.json", JSON.stringify(BELL));
  await page.getByText("Opened “The bell”.").waitFor();
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  await page.locator(".run-line").first().waitFor();
  return page;
}

test("the timeline of an endless run fits one repetition, zooms, and shows its end", async ({ openTaskloom }) => {
  const page = await openBell(openTaskloom);
  await test.step("an endless run shows one repetition, and everything on request", async () => {
    const walk = page.locator('.course .bar[aria-label^="walk"]');
    const view = await page.locator(".course-view").boundingBox();
    await expect.poll(async () => (await walk.boundingBox()).width, "the walk of 6 ticks").toBeGreaterThan(view.width / 4);
    const wide = (await boxAtRest(walk)).width;
    const fitted = await labels(page);
    expect(fitted[0]).toBe("0");
    const distances = await page.locator(".course-scale span").evaluateAll((spans) =>
      spans.slice(1).map((span, at) => span.getBoundingClientRect().x - spans[at].getBoundingClientRect().x),
    );
    expect(Math.min(...distances), "labels don't overlap").toBeGreaterThan(40);
    await screenshots(page, "timeline-fit");

    await zoom(page, "Fewer ticks").click();
    await expect.poll(async () => (await walk.boundingBox()).width).toBeGreaterThan(wide * 1.3);
    await slider(page).focus();
    await page.keyboard.press("-");
    await page.keyboard.press("-");
    await expect.poll(async () => (await walk.boundingBox()).width).toBeLessThan(wide);
    await page.keyboard.press("0");
    await expect.poll(async () => Math.round((await walk.boundingBox()).width)).toBe(Math.round(wide));
    await page.locator(".course").hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await expect.poll(async () => (await walk.boundingBox()).width).toBeGreaterThan(wide * 1.3);
    await zoom(page, "Whole run").click();
    await expect.poll(async () => (await walk.boundingBox()).width).toBeLessThan(view.width / 20);
    await screenshots(page, "timeline-all");

    // At the end of the run, its tick and its record are visible.
    await zoom(page, "Fit").click();
    await page.getByRole("button", { name: "End of the run" }).click();
    await expect(page.locator(".run-line.at-tick")).toBeInViewport();
    await expect(page.locator(".course .now")).toBeInViewport();
    await expect.poll(async () => Number((await labels(page)).at(-1))).toBeGreaterThan(400);
    await page.getByRole("button", { name: "Before the run" }).click();
    await expect(slider(page)).toHaveAttribute("aria-valuetext", "before the run");
  });
});

test("repeated steps are one bar on request, the playhead is dragged, and the record follows", async ({ openTaskloom }) => {
  const page = await openBell(openTaskloom);
  await test.step("repeated steps are one bar, and are drawn one by one on request", async () => {
    const rings = page.locator(".course .bar").filter({ hasText: "ring" });
    await expect(rings).toHaveCount(1);
    await expect(rings).toHaveAttribute("aria-label", /ring × \d+, ticks \d+ to \d+, complete/);
    const fold = page.getByRole("button", { name: /^Fold repetitions of/ });
    await expect(fold).toHaveAttribute("aria-pressed", "true");
    await fold.click();
    await expect.poll(() => rings.count()).toBeGreaterThan(1);
    await fold.click();
    await expect(rings).toHaveCount(1);
  });
  await test.step("the playhead is dragged on the scale", async () => {
    const ruler = await boxAtRest(page.locator(".course-view"));
    await page.mouse.move(ruler.x + 20, ruler.y + 12);
    await page.mouse.down();
    await page.mouse.move(ruler.x + ruler.width / 2, ruler.y + 12, { steps: 4 });
    await page.mouse.up();
    await expect(slider(page)).toHaveAttribute("aria-valuetext", /^tick \d+$/);
    const text = await slider(page).getAttribute("aria-valuetext");
    await expect(page.locator(".now-handle")).toHaveText(text.replace("tick ", ""));
  });
  await test.step("the record follows the slider", async () => {
    await slider(page).focus();
    await page.keyboard.press("Home");
    const now = page.locator(".run-line.at-tick");
    await expect(now).toContainText("walk");
    for (let tick = 0; tick < 7; tick += 1) await page.keyboard.press("ArrowRight");
    await expect(now).toContainText("ring");
    await page.keyboard.press("End");
    await expect(now).toBeInViewport();
    await expect.poll(async () => Number(await now.locator(".tick").innerText())).toBeGreaterThan(400);
  });
});

test("reaches the start and the end of a run, even if it takes no time", async ({ openTaskloom }) => {
  const toss = structuredClone(BELL);
  toss.info.title = "No time";
  toss.actions.Ring.duration = "0";
  toss.scenarios = { once: { initial: ["here"], tasks: ["ring", "ring"] } };
  const { page } = await openTaskloom();
  await openFile(page, "toss.taskloom.json", JSON.stringify(toss));
  await page.getByText("Opened “No time”.").waitFor();
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  const number = page.locator(".number-now");
  await expect(number).toContainText("rings is 0 before the run");
  await page.getByRole("button", { name: "End of the run" }).click();
  await expect(number).toContainText("rings is 2 at tick 0");
  await expect(page.getByRole("region", { name: "World" }).getByRole("heading")).toHaveText("World around tick 0 of the run");
  await slider(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(number).toContainText("rings is 0 before the run");
  await page.keyboard.press("ArrowRight");
  await expect(number).toContainText("rings is 2 at tick 0");
});

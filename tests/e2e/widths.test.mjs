// The frame at every width: nothing outside the window, nothing covered, every part reachable.

import { inspector } from "./hands.mjs";
import { boxAtRest, expect, nextFrame, openExample, openView, screenshots, test } from "./harness.mjs";

const SIZES = [
  [360, 800],
  [390, 844],
  [720, 450],
  [768, 1024],
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
];
const VIEWS = ["Board", "Stage", "Scenarios"];

const app = (page) => page.locator(".app");
const outline = (page) => page.getByRole("navigation", { name: "Outline", exact: true });
const state = (page, part) => app(page).getAttribute(`data-${part}`);

/**
 * Describes each control that lies outside of the window, or whose middle is covered by another control. What a
 * scrolling box hides is reached by scrolling, and what is drawn on a canvas by panning.
 */
function misplaced() {
  const controls = "button, input, select, textarea, [role=tab], summary";
  const moves = ".canvas, .stage-map, .tree, .rail, .inspector, .tab-body, .drawer, .scenarios-view, .stage-tab, .panel .tabs, [data-inner]";
  const found = [];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
  for (const control of document.querySelectorAll(controls)) {
    if (!shown(control) || control.closest(moves)) continue;
    const box = control.getBoundingClientRect();
    const name = control.getAttribute("aria-label") ?? control.textContent.trim();
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
      found.push(`${name}: outside, ${Math.round(box.left)}-${Math.round(box.right)}, ${Math.round(box.top)}-${Math.round(box.bottom)}`);
      continue;
    }
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const other = top?.closest(controls);
    if (other && other !== control && !control.contains(other) && !other.contains(control)) {
      found.push(`${name}: covered by ${other.getAttribute("aria-label") ?? other.textContent.trim()}`);
    }
  }
  return found;
}

/** Describes each pair of the toolbar's controls that overlap. */
function overlaps() {
  const all = [...document.querySelectorAll(".toolbar :is(button, input, select, .pill, .mark)")];
  const shown = all.filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 2 && !e.closest("[popover]"));
  const found = [];
  shown.forEach((one, at) => {
    for (const other of shown.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const meet = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      const name = (e) => e.getAttribute("aria-label") ?? e.textContent.trim();
      if (meet) found.push(`${name(one)} and ${name(other)}`);
    }
  });
  return found;
}

/** The blocks of a method's palette. */
const BLOCKS = ["Task", "Branch", "Choice", "Bind", "End"];
/** The widths at which the command palette is tried. */
const COMMANDED = [390, 768, 1280];
const COMMANDS = ["New document", "Export as HDDL", "Undo", "Show or hide the outline", "Focus mode: only the main view", "Help: first steps, pages, keyboard shortcuts"];

for (const [width, height] of SIZES) {
  test(`every control is in the window and uncovered at ${width} x ${height}`, async ({ openTaskloom }) => {
    const { page } = await openTaskloom({ viewport: { width, height } });
    const plan = page.getByRole("status", { name: "Plan" });
    const steps = plan.getByText(/^plan: \d+ steps?$/);
    await steps.waitFor();
    expect(await page.title()).toBe("Taskloom");
    await screenshots(page, `first-start-${width}x${height}`);
    for (const view of VIEWS) {
      await test.step(view, async () => {
        await openView(page, view);
        await nextFrame(page);
        await expect.poll(() => page.evaluate(misplaced), view).toEqual([]);
        await expect.poll(() => page.evaluate(overlaps), view).toEqual([]);
      });
    }
    // The number of steps is never cut, nor is the page scrolled.
    await expect.poll(() => steps.evaluate((e) => e.scrollWidth <= e.clientWidth + 1)).toBe(true);
    const pill = await steps.locator("xpath=ancestor::*[contains(@class, 'pill')]").boundingBox();
    const box = await steps.boundingBox();
    expect(box.x + box.width).toBeLessThanOrEqual(pill.x + pill.width + 1);
    expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])).toEqual([width, height]);
    await test.step("a method, with its palette and the minimap", () => fitsMethod(page, width));
    if (COMMANDED.includes(width)) await test.step("commands", () => offersCommands(page));
    await test.step("a run with several actors", async () => {
      await openExample(page, "Hunter and hunted");
      await expect(plan).toContainText(/rook’s\s*plan: \d+ step/);
      await expect.poll(() => page.evaluate(overlaps)).toEqual([]);
      await expect.poll(async () => (await page.evaluate(misplaced)).filter((line) => line.includes("outside"))).toEqual([]);
    });
  });
}

/** Opens a method, and checks that the palette of its blocks is whole and overlaps no other control of the canvas. */
async function fitsMethod(page, width) {
  await openView(page, "Board");
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.type("get-ball compound task");
  await page.keyboard.press("Enter");
  await page.locator('[data-record="compound:get-ball"].selected').waitFor();
  await page.locator(".canvas").focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-block]").first().waitFor();
  await expect.poll(() => page.evaluate(misplaced), "Method").toEqual([]);
  const palette = page.getByRole("toolbar", { name: "Blocks" });
  if (width < 400) await expect(palette, "a phone has none").toBeHidden();
  if (width < 768) return;
  if (!(await page.locator(".minimap").isVisible())) await page.keyboard.press("Alt+m");
  await expect(page.locator(".minimap")).toBeVisible();
  const unfold = page.getByRole("button", { name: "Show the steps" });
  if (await unfold.isVisible()) await unfold.click();
  const own = await boxAtRest(palette);
  const canvas = await page.locator(".canvas").boundingBox();
  expect(own.x >= canvas.x && own.x + own.width <= canvas.x + canvas.width).toBe(true);
  for (const name of BLOCKS) {
    await expect(palette.getByRole("button", { name: `Add ${name}` }).getByText(name)).toBeVisible();
  }
  for (const other of [".zoom-bar", ".minimap", ".tidy", ".start-card", ".crumbs"]) {
    for (const element of await page.locator(`.canvas-area ${other}`).all()) {
      const box = await element.boundingBox();
      const meets = box && box.x < own.x + own.width && own.x < box.x + box.width && box.y < own.y + own.height && own.y < box.y + box.height;
      expect(meets, other).toBeFalsy();
    }
  }
}

/** Finds each command in the palette. */
async function offersCommands(page) {
  await page.getByRole("button", { name: "Search or run a command" }).click();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.waitFor();
  for (const command of COMMANDS) {
    await page.keyboard.press("Control+a");
    await page.keyboard.type(command);
    await expect(palette.getByRole("option", { name: command }).first()).toBeInViewport();
  }
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
}

test("the scenario's title is whole from 1024 px on, and the plan's cost from 1440 px on", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1024, height: 768 } });
  const status = page.getByRole("status", { name: "Plan" });
  const select = page.getByRole("combobox", { name: "Scenario" });
  /** Returns how much wider the chosen title is than its room, without the arrow. */
  const lacks = () =>
    select.evaluate((select) => {
      const probe = document.createElement("span");
      const style = getComputedStyle(select);
      probe.textContent = select.selectedOptions[0].textContent;
      Object.assign(probe.style, { position: "fixed", font: style.font, whiteSpace: "nowrap" });
      document.body.append(probe);
      const width = probe.getBoundingClientRect().width;
      probe.remove();
      return Math.max(0, width - (select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)));
    });
  const cutCost = () => status.locator(".cut").evaluate((part) => part.scrollWidth - part.clientWidth);
  for (const title of ["The box is open", "Locked, the key is in the drawer"]) {
    await select.selectOption({ label: title });
    await status.getByText(/^plan: \d+ steps?$/).waitFor();
    for (const width of [1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 768 });
      await nextFrame(page);
      // A long title gets what the status leaves.
      if (title === "The box is open") await expect.poll(lacks, `${title} at ${width}`).toBe(0);
      if (width >= 1440) await expect.poll(cutCost, `cost at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test("parts fold by buttons, keys and splitters, and stay folded after a reload", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await outline(page).getByRole("button", { name: "Fold the outline" }).click();
  await expect(outline(page)).toBeHidden();
  const unfold = page.getByRole("button", { name: "Unfold the outline" });
  await expect(unfold).toHaveAttribute("aria-expanded", "false");
  await expect(unfold, "the focus stays on the button").toBeFocused();
  await expect.poll(async () => (await page.locator(".rail-outline").boundingBox()).width).toBe(48);

  await page.keyboard.press("Control+Alt+b");
  await expect(inspector(page)).toBeHidden();
  await page.getByRole("separator", { name: "Simulation panel height" }).dblclick();
  await expect(page.getByRole("tabpanel")).toBeHidden();
  await expect.poll(async () => (await page.locator(".panel").boundingBox()).height).toBe(40);

  await page.reload();
  await page.getByRole("main").waitFor();
  for (const part of ["outline", "inspector", "panel"]) await expect(app(page)).toHaveAttribute(`data-${part}`, "folded");

  // Choosing a kind opens the outline there, and a tab opens the panel.
  await page.getByRole("navigation", { name: "Kinds of records" }).getByRole("button", { name: "Scenarios" }).click();
  await expect(outline(page).getByRole("button", { name: /^Scenarios/ })).toBeFocused();
  await page.getByRole("tab", { name: "Problems" }).click();
  await expect(page.getByRole("tabpanel", { name: "Problems" })).toBeVisible();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(inspector(page)).toBeVisible();
});

test("focus mode leaves only the main view, and comes back", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const all = async () => [await state(page, "outline"), await state(page, "inspector"), await state(page, "panel")];
  await page.keyboard.press("Control+Alt+b");
  await expect.poll(all).toEqual(["open", "folded", "open"]);
  await page.keyboard.press("Control+.");
  await expect.poll(all).toEqual(["folded", "folded", "folded"]);
  await page.reload();
  await page.getByRole("main").waitFor();
  await page.keyboard.press("Control+.");
  await expect.poll(all).toEqual(["open", "folded", "open"]);
});

test("the Stage has the whole width until the designer opens a side", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const sides = async () => [await state(page, "outline"), await state(page, "inspector")];
  await openView(page, "Board");
  await expect.poll(sides).toEqual(["open", "open"]);
  await openView(page, "Stage");
  await expect.poll(sides).toEqual(["folded", "folded"]);
  await page.keyboard.press("Control+b");
  await expect.poll(sides).toEqual(["open", "folded"]);
  await openView(page, "Scenarios");
  await expect.poll(sides).toEqual(["open", "folded"]);
  await openView(page, "Board");
  await expect.poll(sides).toEqual(["open", "open"]);
});

test("the World's heading and filters are on one line while a run is shown", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1280, height: 720 } });
  await openExample(page, "The night guard");
  await page.getByRole("tab", { name: "Run" }).click();
  await page.getByRole("slider", { name: "Tick of the run" }).fill("12");
  const world = page.getByRole("region", { name: "World" });
  await expect(world.getByRole("heading", { level: 2 })).toContainText("tick 12");
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 720 });
    await nextFrame(page);
    const parts = await world.locator(".tabs > :is(h2, .check)").all();
    expect(parts).toHaveLength(3);
    await expect(async () => {
      const middles = await Promise.all(parts.map(async (part) => { const box = await part.boundingBox(); return box.y + box.height / 2; }));
      expect(Math.max(...middles) - Math.min(...middles), `${width}`).toBeLessThan(6);
      const check = await world.getByText("all facts").boundingBox();
      const box = await world.boundingBox();
      expect(check.x + check.width, `${width}`).toBeLessThanOrEqual(box.x + box.width);
      expect(check.height, "no line break").toBeLessThan(30);
    }).toPass({ timeout: 20_000 });
  }
});

test("on a tablet, a side opens over the main view and closes by Escape and a press beside it", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1024, height: 768 } });
  await openView(page, "Board");
  await expect(outline(page)).toBeHidden();
  const unfold = page.getByRole("button", { name: "Unfold the outline" });
  await unfold.click();
  await expect(outline(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(outline(page)).toBeHidden();
  await unfold.click();
  await page.getByRole("main").click({ position: { x: 700, y: 300 } });
  await expect(outline(page)).toBeHidden();
});

test("on a phone, the run is played and a value changed", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const tabs = page.locator(".bottom-tabs");
  for (const button of await tabs.getByRole("button").all()) {
    const box = await button.boundingBox();
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  }
  await openView(page, "Stage");
  await expect.poll(async () => (await page.getByRole("main").boundingBox()).width).toBe(390);
  await tabs.getByRole("button", { name: "Run" }).tap();
  await page.getByRole("tab", { name: "Run" }).tap();
  // A value can be changed at a tick of the run: a step of the plan has none.
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  await expect(slider).toHaveAttribute("aria-valuetext", "tick 5");
  // The sheet scrolls as a whole: nothing lies over anything else, and nothing is cut at its side.
  const [record, world] = await Promise.all([".run-record", ".world"].map((part) => page.locator(part).boundingBox()));
  const last = await page.locator(".run-record .run-line").last().boundingBox();
  expect(last.y + last.height).toBeLessThanOrEqual(world.y);
  expect(record.x + record.width).toBeLessThanOrEqual(390);
  await page.getByRole("table").getByRole("button", { name: "at(box) is true: override it from tick 5 on" }).tap();
  await page.getByRole("combobox", { name: "Value of at(box) from tick 5 on" }).selectOption("false");
  await page.getByRole("button", { name: "Set", exact: true }).tap();
  await expect(page.getByRole("list", { name: "Overrides (not saved)" })).toContainText("at(box)");
  await page.keyboard.press("Escape");
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  await expect(inspector(page)).toBeVisible();
  await expect(page.getByRole("tab", { name: "Run" })).toBeHidden();
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  await expect(inspector(page)).toBeHidden();
});

test("a reload shows the same scenario, view, selection and part of the canvas", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const records = page.getByRole("tree", { name: "Records" });
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "Locked, the key is in the drawer" });
  await records.getByRole("treeitem", { name: "get-ball", exact: true }).dblclick();
  await page.locator("[data-block]").first().waitFor();
  await page.locator(".canvas").focus();
  const zoom = page.locator(".zoom-bar .percent");
  await page.keyboard.press("Control+0");
  // The percentage is updated when the zoom rests.
  await expect(zoom).toHaveText("100 %");
  await page.keyboard.press("-");
  await expect(zoom).not.toHaveText("100 %");
  await records.getByRole("treeitem", { name: "take-ball", exact: true }).click();
  const before = await zoom.innerText();
  await page.reload();
  await page.locator("[data-block]").first().waitFor();
  await expect(page.getByRole("combobox", { name: "Scenario" }).locator("option:checked")).toHaveText("Locked, the key is in the drawer");
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toContainText("get-ball");
  await expect(inspector(page).getByRole("textbox", { name: "Name", exact: true })).toHaveValue("take-ball");
  await expect(zoom).toHaveText(before);
});

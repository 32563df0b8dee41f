// The Board: columns that fold, groups of cards, faint wires, and a readable start of a large one.

import { boxAtRest, expect, isStill, newDocument, nextFrame, openExample, openFile, openView, savedFile, test } from "./harness.mjs";
import { isAccessible } from "./violations.mjs";

const WIDE = { viewport: { width: 1440, height: 900 } };
const card = (page, record) => page.locator(`[data-record="${record}"]`);
const fold = (page, title) => page.getByRole("button", { name: `Fold ${title}`, exact: true });
const unfold = (page, title) => page.getByRole("button", { name: `Unfold ${title}`, exact: true });
const left = async (page, record) => (await card(page, record).boundingBox()).x;

/** A document with 200 records: rooms to watch, and tasks in them. */
function village() {
  const words = ["mend", "carry", "guard", "trade", "cook"];
  const names = words.flatMap((word) => Array.from({ length: 18 }, (_, at) => `${word}-${at}`));
  const facts = Array.from({ length: 60 }, (_, at) => `${at % 2 ? "seen" : "open"}_${at}`);
  const task = (at) => ({ preconditions: [facts[at % 60], `not ${facts[(at * 7 + 3) % 60]}`], effects: [{ text: facts[(at * 5 + 1) % 60] }] });
  return JSON.stringify({
    taskloom: 3,
    facts: Object.fromEntries(facts.map((name) => [name, { source: "sensor" }])),
    primitive_tasks: Object.fromEntries(names.map((name, at) => [name, task(at)])),
    compound_tasks: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`day-${at}`, { preconditions: [facts[at]] }])),
  });
}

/** Counts the visible wires: faint ones, and those drawn in full. */
const drawn = (page) =>
  page.locator(".wire-group > .wire").evaluateAll((all) => {
    const style = (wire) => getComputedStyle(wire);
    const visible = all.filter((wire) => style(wire).visibility === "visible");
    const full = visible.filter((wire) => Number(style(wire).strokeOpacity) === 1);
    return { faint: visible.length - full.length, full: full.length };
  });

test("columns fold to strips and unfold, by mouse, by keyboard and by what is looked for", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  await test.step("wires end at the strip, and a reload keeps it folded", async () => {
    const task = "primitive:open-box";
    await card(page, "action:OpenBox").waitFor();
    const before = (await boxAtRest(card(page, task))).x;
    await fold(page, "actions").click();
    await expect(card(page, "action:OpenBox")).toHaveCount(0);
    expect(await left(page, task), "its conditions are still there").toBe(before);
    await fold(page, "conditions").click();
    await expect(page.locator(".head-strip")).toHaveCount(2);
    await expect.poll(() => left(page, task)).toBeLessThan(before - 60);
    await isStill(page);
    // The wire of the action that the task runs begins at the strip.
    const wire = page.locator(".wire-group", { hasText: "OpenBox is action of open-box" }).locator(".wire");
    const strip = await unfold(page, "actions").boundingBox();
    await card(page, task).locator(".node-name").hover();
    await expect.poll(async () => Math.abs((await wire.boundingBox()).x - strip.x - strip.width)).toBeLessThan(8);
    await page.reload();
    await expect(page.locator(".head-strip")).toHaveCount(2);
    await unfold(page, "actions").click();
    await expect(card(page, "action:OpenBox")).toBeVisible();
    await unfold(page, "conditions").click();
    await expect.poll(() => left(page, task)).toBe(before);
  });
  await test.step("what is looked for in a folded column unfolds it, and Tab passes it by", async () => {
    await page.locator(".canvas").focus();
    for (const key of ["Alt+Shift+U", "Escape"]) await page.keyboard.press(key);
    await card(page, "action:OpenBox").waitFor();
    const foldActions = async () => {
      await fold(page, "actions").click();
      await expect(card(page, "action:OpenBox")).toHaveCount(0);
    };
    await foldActions();
    await page.locator(".canvas").focus();
    const kinds = new Set();
    for (let turn = 0; turn < 14; turn += 1) {
      await page.keyboard.press("Tab");
      kinds.add(await page.evaluate(() => document.activeElement.dataset.record?.split(":")[0]));
    }
    expect(kinds.has("condition") && kinds.has("primitive") && !kinds.has("action"), [...kinds].join()).toBe(true);
    await expect(unfold(page, "actions"), "going through the cards unfolds nothing").toHaveCount(1);
    // The outline, the search for records, and the Board's own search.
    await page.getByRole("treeitem", { name: "OpenBox", exact: true }).click();
    await expect(card(page, "action:OpenBox")).toHaveClass(/selected/);
    await foldActions();
    await expect(page.locator(".card.selected"), "folding deselects").toHaveCount(0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("OpenBox action");
    await page.keyboard.press("Enter");
    await expect(card(page, "action:OpenBox")).toBeInViewport();
    await foldActions();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Shift+A");
    await page.keyboard.type("OpenBox");
    await page.keyboard.press("Enter");
    await expect(card(page, "action:OpenBox")).toHaveClass(/selected/);
  });
  await test.step("by keyboard alone", async () => {
    await page.locator(".canvas").focus();
    for (const key of ["Alt+Shift+U", "Escape"]) await page.keyboard.press(key);
    await card(page, "action:OpenBox").waitFor();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Tab");
    await expect(page.locator(".card:focus")).toHaveCount(1);
    await page.keyboard.press("Alt+Shift+C");
    await expect(unfold(page, "sensors")).toBeVisible();
    await expect(page.locator('[data-record^="fact:at"]')).toHaveCount(0);
    await page.keyboard.press("Alt+Shift+U");
    await expect(page.locator('[data-record^="fact:at"]')).toHaveCount(1);
    // The button of a heading keeps the focus.
    await fold(page, "compound tasks").focus();
    await page.keyboard.press("Enter");
    await expect(unfold(page, "compound tasks")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(fold(page, "compound tasks")).toBeFocused();
    await expect(card(page, "compound:get-ball")).toBeVisible();
  });
});

test("a card that was placed by hand stays in its place while columns fold, and undo returns it", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  await card(page, "action:OpenBox").waitFor();
  const places = async () => JSON.parse(await savedFile(page)).layout?.board ?? {};
  const head = await boxAtRest(card(page, "primitive:open-box").locator(".node-name"));
  const drag = async (from, by) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 4 });
    await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 4 });
    await page.mouse.up();
    await nextFrame(page);
  };
  await drag({ x: head.x + 10, y: head.y + 6 }, { x: 40, y: 300 });
  const placed = await places();
  expect(Object.keys(placed)).toEqual(["primitive:open-box"]);
  const [open, mate] = [await left(page, "primitive:open-box"), await left(page, "primitive:smash-box")];
  await fold(page, "actions").click();
  await fold(page, "conditions").click();
  await expect.poll(() => left(page, "primitive:smash-box")).toBeLessThan(mate - 60);
  // Both are read when they have arrived.
  await isStill(page);
  const by = mate - (await left(page, "primitive:smash-box"));
  expect(Math.abs(open - (await left(page, "primitive:open-box")) - by)).toBeLessThan(2);
  expect(await places(), "folding is no edit").toEqual(placed);
  // A drag while columns are folded ends where it ends, also after unfolding.
  const now = await card(page, "primitive:open-box").locator(".node-name").boundingBox();
  await drag({ x: now.x + 10, y: now.y + 6 }, { x: 100, y: 0 });
  await page.keyboard.press("Alt+Shift+U");
  await expect.poll(async () => Math.abs((await left(page, "primitive:open-box")) - open - 100)).toBeLessThan(12);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  expect(await places()).toEqual({});
});

test("only the wires of the card that is looked at are full, and hovering changes no other wire", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  await card(page, "fact:box_open").waitFor();
  await expect.poll(async () => (await drawn(page)).faint).toBeGreaterThan(10);
  await nextFrame(page);
  const rest = await drawn(page);
  expect(rest.full).toBe(0);
  await page.evaluate(() => {
    window.changed = new Set();
    const note = (all) => all.forEach(({ target }) => window.changed.add(target));
    new MutationObserver(note).observe(document.querySelector(".wires"), { subtree: true, attributes: true, childList: true });
  });
  await card(page, "fact:box_open").locator(".node-name").hover();
  await expect.poll(async () => (await drawn(page)).full).toBeGreaterThan(3);
  await nextFrame(page);
  const { full, faint } = await drawn(page);
  expect(faint).toBeLessThan(rest.faint);
  // Each wire has two paths.
  expect(await page.evaluate(() => window.changed.size)).toBe(2 * full);
  await expect(page.locator(".wire-group.role-effect:has(.wire.near)", { hasText: "open-box changes box_open" })).toHaveCount(1);
  await expect(card(page, "primitive:open-box")).toHaveClass(/linked/);
  await page.mouse.move(5, 5);
  await expect.poll(() => drawn(page)).toEqual(rest);
  // The keyboard's focus is also a look.
  await page.locator(".canvas").focus();
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await drawn(page)).full).toBeGreaterThan(0);
});

test("the Board opens with all its columns where they fit, and follows new records", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  await page.locator("[data-record]").first().waitFor();
  const canvas = await page.locator(".canvas").boundingBox();
  const end = () => page.locator(".column-head").evaluateAll((all) => Math.max(...all.map((head) => head.getBoundingClientRect().right)));
  await expect.poll(end).toBeLessThanOrEqual(canvas.x + canvas.width);
  // The last column, outside the view.
  await page.setViewportSize({ width: 1200, height: 620 });
  for (const name of ["scout", "zebra", "baker"]) {
    await page.getByRole("button", { name: "Add an agent" }).click();
    await expect(page.locator("[data-record].selected .node-box"), `the card of ${name} while it is named`).toBeInViewport({ ratio: 0.99 });
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await expect(card(page, `agent:${name}`).locator(".node-box"), `the card of ${name}`).toBeInViewport({ ratio: 0.99 });
  }
});

test("an empty Board shows all its columns, and another document opens with its own first view", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    await openExample(page, "The ball in the box");
    await page.locator("[data-record]").first().waitFor();
    // The view of the previous document says nothing about the next one.
    const canvas = await page.locator(".canvas").boundingBox();
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
    const zoom = () => page.locator(".zoom-bar .percent").innerText();
    const whole = await zoom();
    await page.mouse.wheel(0, 300);
    // The percentage is updated when the zoom rests.
    await expect.poll(zoom).not.toBe(whole);
    const first = await zoom();
    await newDocument(page);
    await expect(page.locator("[data-record]")).toHaveCount(0);
    const heads = () => page.locator(".column-head").evaluateAll((all) => all.map((head) => head.getBoundingClientRect().toJSON()));
    const cut = async () => (await heads()).filter((box) => box.left < canvas.x || box.right > canvas.x + canvas.width || box.top < canvas.y);
    await expect.poll(cut, `columns cut at ${width}`).toEqual([]);
    const size = () => page.locator(".head-title").first().evaluate((title) => parseFloat(getComputedStyle(title).fontSize) * new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform).a);
    await expect.poll(size, `headings at ${width}`).toBeGreaterThanOrEqual(11 * 11 / 13);
    // Home shows the same.
    await page.locator(".canvas").focus();
    await page.keyboard.press("-");
    await page.keyboard.press("Home");
    await expect.poll(cut).toEqual([]);
    // The previous document opens where it was left.
    await page.getByRole("button", { name: "Reopen previous document" }).click();
    await page.locator("[data-record]").first().waitFor();
    await expect.poll(zoom).toBe(first);
    // An example opens in another view; its Board begins at the top.
    await openExample(page, "The night guard");
    await page.locator("[data-record]").first().waitFor();
    const top = async () => Math.min(...(await heads()).map((box) => box.top)) - canvas.y;
    await expect.poll(top).toBeLessThan(60);
  }
});

test("no column of the example is cut at 1440 px, and only the last one at 1280 px; no button of them is covered", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  for (const [width, height, whole] of [[1280, 720, 4], [1440, 900, 5], [1920, 1080, 5]]) {
    await page.setViewportSize({ width, height });
    await openExample(page, "The ball in the box");
    await page.locator("[data-record]").first().waitFor();
    const canvas = await page.locator(".canvas").boundingBox();
    const columns = async () => {
      const boxes = await page.locator(".column-head").evaluateAll((all) => all.map((head) => head.getBoundingClientRect().toJSON()));
      return new Set(boxes.filter((box) => box.left >= canvas.x && box.right <= canvas.x + canvas.width).map((box) => Math.round(box.left))).size;
    };
    await expect.poll(columns, `whole columns at ${width}`).toBe(whole);
    const name = page.locator(".card .node-name").first();
    const size = await name.evaluate((name) => parseFloat(getComputedStyle(name).fontSize) * new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform).a);
    expect(size, `names at ${width}`).toBeGreaterThanOrEqual(10.99);
    // Playwright clicks only elements that nothing covers.
    for (const heading of await page.locator(".column-head button").all()) {
      const box = await heading.boundingBox();
      const isInSight = box.x + box.width <= canvas.x + canvas.width && box.y < canvas.y + canvas.height / 2;
      if (isInSight) await heading.click({ trial: true, timeout: 2000 });
    }
  }
});

test("a large Board opens readable at its first column, in groups that fold", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(WIDE);
  await openFile(page, "village.taskloom.json", village());
  // The previous document has cards, too.
  await card(page, "fact:open_0").waitFor();
  await openView(page, "Board");
  const name = page.locator(".card .node-name").first();
  await name.waitFor();
  const size = () => name.evaluate((name) => parseFloat(getComputedStyle(name).fontSize) * new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform).a);
  await expect.poll(size).toBeGreaterThanOrEqual(11);
  const canvas = await page.locator(".canvas").boundingBox();
  const first = await boxAtRest(page.getByRole("button", { name: "Fold sensors" }));
  expect(first.x >= canvas.x && first.y >= canvas.y && first.x < canvas.x + 60, JSON.stringify(first)).toBe(true);
  // Hundreds of wires would be a hairball: only those of the card that is looked at are visible.
  await expect.poll(() => drawn(page)).toEqual({ faint: 0, full: 0 });
  await card(page, "fact:open_0").locator(".node-name").hover();
  await expect.poll(async () => (await drawn(page)).full).toBeGreaterThan(2);
  await expect(fold(page, "open")).toBeVisible();
  await fold(page, "open").click();
  await expect(card(page, "fact:open_0")).toHaveCount(0);
  await expect(card(page, "fact:seen_1")).toBeVisible();
  await page.reload();
  await unfold(page, "open").click();
  await expect(card(page, "fact:open_0")).toBeVisible();
  // Nothing is cut off without an ellipsis.
  const cut = await page.locator(".card :is(.node-name, .need-text, .node-aside)").evaluateAll((all) =>
    all.filter((text) => text.scrollWidth > text.clientWidth && getComputedStyle(text).textOverflow !== "ellipsis").map((text) => text.textContent),
  );
  expect(cut).toEqual([]);
});

test("tasks are grouped by the agents that use them, and the folded Board has no violations", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1920, height: 1080 } });
  await openExample(page, "Captain and camp");
  await page.getByRole("button", { name: "Dismiss" }).click();
  for (const title of ["captain only", "shared"]) await expect(fold(page, title).first()).toBeAttached();
  await fold(page, "conditions").click();
  await fold(page, "actions").click();
  await fold(page, "shared").first().click();
  await expect(card(page, "action:Forge")).toHaveCount(0);
  // Away from everything that has a tooltip.
  await page.mouse.move(2, 1078);
  await isAccessible(page);
});

test("the tasks in progress at the shown tick are marked", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("tab", { name: "Run" }).click();
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  const running = page.locator(".canvas .node-box.running");
  await expect(running).toHaveCount(0);
  await slider.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(running).toHaveCount(2);
  await expect(card(page, "primitive:walk-to").locator(".node-state")).toHaveAttribute("title", "in progress");
  await page.keyboard.press("End");
  await expect(running).toHaveCount(0);
});

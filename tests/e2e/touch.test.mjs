// Fingers: pinching, panning and long presses, and controls that are large enough for them.

import { boxAtRest, expect, inBothThemes, isStill, nextFrame, openExample, openView, savedFile, screenshot, test } from "./harness.mjs";
import { inspector } from "./hands.mjs";

const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 800 },
];

/** The fingers on a page. */
class Hand {
  static async on({ page, context }) {
    return Object.assign(new Hand(), { page, devtools: await context.newCDPSession(page) });
  }

  /** Sends the positions of the fingers; the positions of no fingers end the touch. */
  send(type, ...points) {
    return this.devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  }

  /** Moves fingers along lines, `[from, to]` each. */
  async move(...lines) {
    const at = (step) => lines.map(([from, to]) => ({ x: from.x + ((to.x - from.x) * step) / 6, y: from.y + ((to.y - from.y) * step) / 6 }));
    await this.send("touchStart", ...at(0));
    for (let step = 1; step <= 6; step += 1) await this.send("touchMove", ...at(step));
    await this.send("touchEnd");
    await nextFrame(this.page);
  }

  /** Rests a finger until `then` is fulfilled, and lifts it. */
  async rest(at, then) {
    await this.send("touchStart", at);
    await then();
    await this.send("touchEnd");
    await nextFrame(this.page);
  }
}

/** Returns the translation and the scale of a transformed element. */
const transformOf = (element) =>
  element.evaluate((element) => {
    const { e, f, a } = new DOMMatrix(getComputedStyle(element).transform);
    return { x: e, y: f, zoom: a };
  });

/** Returns a point of an element, by fractions of its size. */
async function point(element, x, y) {
  const box = await element.boundingBox();
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

async function onPhone(openTaskloom, viewport = PHONES[0]) {
  const opened = await openTaskloom({ viewport, hasTouch: true });
  await opened.page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((button) => button.click()));
  return { ...opened, hand: await Hand.on(opened) };
}

for (const [view, area, moving] of [
  ["Board", ".canvas", ".plane"],
  ["Stage", ".stage-view", ".stage-map"],
]) {
  test(`two fingers zoom and pan, and one pans: ${view}`, async ({ openTaskloom }) => {
    const { page, hand } = await onPhone(openTaskloom);
    await openView(page, view);
    const canvas = page.locator(area);
    const camera = () => transformOf(page.locator(moving));
    const [left, right, low, high] = [
      await point(canvas, 0.35, 0.6),
      await point(canvas, 0.65, 0.6),
      await point(canvas, 0.12, 0.6),
      await point(canvas, 0.88, 0.6),
    ];
    await page.locator(moving).waitFor({ state: "attached" });
    await nextFrame(page);
    const before = await camera();
    await hand.move([left, low], [right, high]);
    const near = await camera();
    expect(near.zoom / before.zoom, "apart: nearer").toBeCloseTo((high.x - low.x) / (right.x - left.x), 1);
    // The point between the fingers stays where it is.
    const middle = { x: (left.x + right.x) / 2, y: left.y };
    const corner = await canvas.boundingBox();
    const under = ({ x, y, zoom }) => [(middle.x - corner.x - x) / zoom, (middle.y - corner.y - y) / zoom];
    const [was, is] = [under(before), under(near)];
    expect(Math.hypot(was[0] - is[0], was[1] - is[1])).toBeLessThan(2);

    await hand.move([low, left], [high, right]);
    await expect.poll(async () => (await camera()).zoom, "together: farther").toBeCloseTo(before.zoom, 1);

    const start = await camera();
    const by = ({ x, y }) => ({ x: x + 40, y: y - 60 });
    await hand.move([left, by(left)], [right, by(right)]);
    const panned = await camera();
    expect(panned.zoom).toBeCloseTo(start.zoom, 3);
    expect([panned.x - start.x, panned.y - start.y].map(Math.round)).toEqual([40, -60]);

    const ground = await point(canvas, 0.15, 0.75);
    await hand.move([ground, { x: ground.x, y: ground.y - 50 }]);
    await expect.poll(async () => Math.round((await camera()).y - panned.y)).toBeCloseTo(-50, -1);
  });
}

test("a second finger ends the drag of the first: nothing is moved", async ({ openTaskloom }) => {
  const { page, hand } = await onPhone(openTaskloom);
  await openView(page, "Stage");
  const place = page.locator(".stage-place").first();
  await boxAtRest(place);
  const before = await savedFile(page);
  const start = await point(place, 0.1, 0.1);
  await hand.send("touchStart", start);
  await hand.send("touchMove", { x: start.x + 30, y: start.y + 30 });
  await hand.send("touchStart", { x: start.x + 30, y: start.y + 30 }, { x: start.x + 120, y: start.y + 30 });
  await hand.send("touchMove", { x: start.x + 30, y: start.y + 30 }, { x: start.x + 160, y: start.y + 30 });
  await hand.send("touchEnd");
  await nextFrame(page);
  expect(await savedFile(page)).toBe(before);
});

/** Rests a finger on an element until its menu opens, and checks the menu. */
async function opensMenu({ page, hand }, element, command) {
  const menu = page.locator(".menu:popover-open");
  await element.scrollIntoViewIfNeeded();
  await hand.rest(await point(element, 0.5, 0.5), () => menu.waitFor());
  await expect(menu, "it stays open when the finger is lifted").toBeVisible();
  await expect(menu.getByRole("menuitem", { name: command }).first()).toBeVisible();
  const box = await boxAtRest(menu);
  expect(box.x >= 0 && box.x + box.width <= page.viewportSize().width, "it is in the window").toBe(true);
  for (const item of await menu.getByRole("menuitem").all()) expect((await item.boundingBox()).height).toBeGreaterThanOrEqual(44);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
}

test("a long press opens the menu of a card", async ({ openTaskloom }) => {
  const phone = await onPhone(openTaskloom);
  await openView(phone.page, "Board");
  await phone.page.getByRole("button", { name: "Fit all" }).tap();
  await opensMenu(phone, phone.page.locator("[data-record]").first(), /^Rename|^Duplicate|^Copy/);
});

test("a long press opens the menu of an actor, and moves nothing", async ({ openTaskloom }) => {
  const phone = await onPhone(openTaskloom);
  await openExample(phone.page, "The office", "Stage");
  const before = await savedFile(phone.page);
  await opensMenu(phone, phone.page.locator(".stage-token[data-actor]:not(.ghost)").first(), "Show this actor");
  expect(await savedFile(phone.page)).toBe(before);
});

test("a finger that rests on a row of the outline and is lifted opens its menu", async ({ openTaskloom }) => {
  const phone = await onPhone(openTaskloom);
  const { page, hand } = phone;
  await page.locator(".bottom-tabs").getByRole("button", { name: "Outline" }).tap();
  const row = page.getByRole("treeitem", { name: "take-ball", exact: true });
  await row.scrollIntoViewIfNeeded();
  await hand.rest(await point(row, 0.5, 0.5), () => page.getByText("Drag it, or lift for the menu").waitFor());
  await expect(page.locator(".menu:popover-open").getByRole("menuitem", { name: /^Rename/ })).toBeVisible();
});

test("a text field takes what is typed on a phone, and its completions are in the window", async ({ openTaskloom }) => {
  const { page } = await onPhone(openTaskloom);
  const tabs = page.locator(".bottom-tabs");
  await tabs.getByRole("button", { name: "Outline" }).tap();
  await page.getByRole("treeitem", { name: "open-box", exact: true }).tap();
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  const field = inspector(page).getByRole("textbox", { name: "Precondition 1", exact: true });
  await field.scrollIntoViewIfNeeded();
  await field.tap();
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("box_");
  const list = page.getByRole("listbox", { name: "Completions" });
  const box = await boxAtRest(list);
  expect(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box)).toBe(true);
  await list.getByRole("option").first().tap();
  await expect(field).not.toHaveValue("box_");
  await expect(field).toHaveValue(/^box_/);
});

/** Controls that are used most: at least 44 px. */
const PRIMARY = ".toolbar button, .bottom-tabs button, .menu button, .tab, .fold-part, .stage-float button, .zoom-bar button, dialog button.primary, .course-play";

/** Returns the visible controls that are smaller than this, except words within a sentence and bars of the timeline. */
const tooSmall = (page, selector, least) =>
  page.evaluate(
    ([selector, least]) => {
      // Each bar of the timeline is also a row of the run's record, which is large enough.
      const isExempt = (element) => element.closest(".unseen, [aria-hidden=true], .course, p");
      const found = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
      return found.flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const isOut = width === 0 || x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight;
        const parent = element.closest("label")?.getBoundingClientRect();
        const size = Math.min(Math.max(width, parent?.width ?? 0), Math.max(height, parent?.height ?? 0));
        if (isOut || isExempt(element) || size > least - 0.5) return [];
        return [`${element.tagName.toLowerCase()}.${element.className} “${(element.ariaLabel ?? element.textContent).trim().slice(0, 30)}”: ${Math.round(width)}x${Math.round(height)}`];
      });
    },
    [selector, least],
  );

const CONTROLS = "button, select, input, textarea, summary, a, [role=tab], [role=treeitem], [role=option], [role=menuitem], [role=slider]:not(.splitter)";

for (const viewport of PHONES) {
  test(`controls are large enough for fingers at ${viewport.width} px`, async ({ openTaskloom }) => {
    const { page } = await onPhone(openTaskloom, viewport);
    const tabs = page.locator(".bottom-tabs");
    const found = {};
    const look = async (name) => {
      await nextFrame(page);
      await inBothThemes(page, async (theme) => {
        await isStill(page);
        await screenshot(page, `phone-${viewport.width}-${name}-${theme}`);
      });
      const small = [...(await tooSmall(page, PRIMARY, 44)), ...(await tooSmall(page, CONTROLS, 24))];
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      if (small.length > 0) found[name] = [...new Set(small)];
      expect(scrollWidth, `${name} fits`).toBeLessThanOrEqual(viewport.width);
    };
    for (const view of ["Stage", "Board", "Scenarios"]) {
      await openView(page, view);
      await look(view);
    }
    await openView(page, "Board");
    await tabs.getByRole("button", { name: "Outline" }).tap();
    await look("outline");
    await page.getByRole("treeitem", { name: "get-ball", exact: true }).dblclick();
    await page.keyboard.press("Escape");
    await page.locator("[data-block]").first().waitFor();
    await look("method");
    await tabs.getByRole("button", { name: "Inspector" }).tap();
    await look("inspector");
    await tabs.getByRole("button", { name: "Run" }).tap();
    for (const tab of ["Plan", "Run", "Problems", "Search"]) {
      await page.getByRole("tab", { name: tab }).tap();
      await look(tab.toLowerCase());
    }
    await page.locator(".panel .world").scrollIntoViewIfNeeded();
    await look("world");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Search or run a command" }).tap();
    await page.getByRole("dialog", { name: "Command palette" }).waitFor();
    await look("palette");
    await page.keyboard.press("Escape");
    expect(found).toEqual({});
  });
}

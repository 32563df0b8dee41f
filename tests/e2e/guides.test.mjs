// The seven examples as somebody new meets them: opened from the gallery, the first view is readable, and the three steps of
// the start card are done by doing what the card says. What happens in their runs is tested without a browser, by
// crates/taskloom/tests/it/notes.rs and examples.rs.

import { boxAtRest, expect, nextFrame, openView, screenshot, screenshots, test } from "./harness.mjs";
import { done, Follower, startCard } from "./instructions.mjs";
import { isAccessible } from "./violations.mjs";

/** The view in which each example opens. */
const EXAMPLES = {
  "Hunter and hunted": "Stage",
  "The ball in the box": "method",
  "The night guard": "method",
  "The office": "Stage",
  "Captain and camp": "Stage",
  "The sentry": "Stage",
  "The opening": "Board",
};
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
];
/** The smallest text of the Stage, and the smallest name on a diagram, in pixels on the screen. */
const READABLE = 11;

/** Opens an example from the gallery. */
async function openFromGallery(page, title) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: title }).click();
  await page.locator(".toast").getByText(`Opened “${title}”.`).waitFor();
  await page.getByRole("button", { name: "Dismiss" }).evaluateAll((all) => all.forEach((button) => button.click()));
  await startCard(page).waitFor();
  await nextFrame(page);
}

/** Returns the texts of the Stage, or the names on a diagram, each with its size on the screen in pixels. */
const texts = (page) =>
  page.evaluate(() => {
    const drawing = document.querySelector(".stage-view, .canvas");
    const walker = document.createTreeWalker(drawing, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent.trim();
      if (drawing.matches(".canvas") && !element.closest(".node-name, .node-head.ends, .column-head")) continue;
      if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".unseen")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const view = drawing.getBoundingClientRect();
      if (box.width === 0 || box.right < view.left || box.left > view.right || box.bottom < view.top || box.top > view.bottom) continue;
      let zoom = 1;
      for (let one = element; one && one !== drawing; one = one.parentElement) {
        const { transform } = getComputedStyle(one);
        if (transform !== "none") zoom *= new DOMMatrix(transform).a;
      }
      found.push({ text, size: Math.round(parseFloat(getComputedStyle(element).fontSize) * zoom * 10) / 10 });
    }
    return found;
  });

/** Returns what of the Stage is outside its view, or below something that lies over it. */
const hidden = (page) =>
  page.evaluate(() => {
    const view = document.querySelector(".stage-view").getBoundingClientRect();
    const covers = [...document.querySelectorAll(".start-card, .stage-float, .stage-corner")].map((element) => element.getBoundingClientRect());
    const isHidden = (box) => {
      const isOutside = box.left < view.left || box.right > view.right || box.top < view.top || box.bottom > view.bottom;
      const isBelow = covers.some((cover) => cover.left < box.right && box.left < cover.right && cover.top < box.bottom && box.top < cover.bottom);
      return isOutside || isBelow;
    };
    const all = [...document.querySelectorAll(".stage-place, .stage-token, .stage-stop")];
    return all.filter((element) => isHidden(element.getBoundingClientRect())).map((element) => element.textContent || element.className);
  });

for (const [title, view] of Object.entries(EXAMPLES)) {
  const name = title.toLowerCase().replaceAll(" ", "-");

  test(`${title} opens readable, and its steps are done by doing what the card says`, async ({ openTaskloom }) => {
    const { page } = await openTaskloom({ firstStart: true, viewport: SIZES[0] });
    await startCard(page).waitFor();
    for (const viewport of SIZES) {
      const where = `${viewport.width} x ${viewport.height}`;
      await test.step(`readable at ${where}`, async () => {
        await page.setViewportSize(viewport);
        await openFromGallery(page, title);
        await expect(page.locator(view === "Stage" ? ".stage-view" : ".canvas")).toBeVisible();
        await expect.poll(async () => (await texts(page)).length, where).toBeGreaterThan(5);
        await screenshots(page, `first-view-${name}-${viewport.width}`);
        const small = async () => (await texts(page)).filter(({ size }) => size < READABLE);
        await expect.poll(small, `texts below ${READABLE} px at ${where}`).toEqual([]);
        if (view === "Stage") await expect.poll(() => hidden(page), `hidden at ${where}`).toEqual([]);
        // What the first step needs isn't below the card.
        const next = page.locator(view === "Stage" ? "button.play" : "[role=tab]").first();
        await next.click({ trial: true });
      });
    }
    await test.step("the steps", async () => {
      if (view === "Stage") await expect(startCard(page).getByRole("heading", { name: title })).toBeVisible();
      await done(page, 0);
      const follower = new Follower(page);
      for (const count of [1, 2, 3]) {
        await follower.follow(await instruction(page));
        await done(page, count);
      }
      await expect(page.getByRole("list", { name: "Overrides (not saved)" }).getByRole("listitem")).toHaveCount(1);
      await isAccessible(page, { name: "after the steps" });
    });
    await test.step("the Board", async () => {
      await openView(page, "Board");
      await page.locator(".canvas").focus();
      await page.keyboard.press("Home");
      await nextFrame(page);
      await screenshots(page, `example-${name}`);
    });
  });
}

/** Returns the text of the first step that isn't done: of the card, or of the line that it is folded to. */
async function instruction(page) {
  return startCard(page).evaluate((card) => (card.querySelector("li:not(.done) p") ?? card.querySelector("p")).textContent);
}

test("the numbers beside elements follow them, and nothing is computed while nothing changes", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom({ firstStart: true, viewport: SIZES[0], reducedMotion: "reduce" });
  const dot = page.locator(".guide-dot").getByText("1", { exact: true });
  const play = page.getByRole("button", { name: "Play", exact: true }).first();
  const isBeside = async () => {
    const [number, button] = [await dot.boundingBox(), await play.boundingBox()];
    return number && Math.hypot(number.x - (button.x + button.width - 8), number.y - (button.y - 10)) < 2;
  };
  await expect.poll(isBeside).toBe(true);
  await page.setViewportSize(SIZES[1]);
  await expect.poll(isBeside).toBe(true);
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.keyboard.press("Control+k");
  await expect(dot, "the palette covers the button").toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect.poll(isBeside).toBe(true);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const recalculations = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "RecalcStyleCount").value;
  };
  await page.waitForTimeout(500);
  const before = await recalculations();
  await page.waitForTimeout(1_500);
  expect((await recalculations()) - before).toBeLessThanOrEqual(1);
});

test("on a phone the start card leaves the map visible", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 390, height: 844 }, hasTouch: true });
  const card = startCard(page);
  await expect(card).toHaveClass(/folded/);
  await expect(card).toContainText("Press Play");
  await page.mouse.click(5, 840);
  await screenshot(page, "phone-start");
  await expect.poll(() => hidden(page)).toEqual([]);
  await card.getByRole("button", { name: "Show the steps" }).click();
  await expect(card.getByRole("heading", { name: "Hunter and hunted" })).toBeVisible();
  await screenshot(page, "phone-start-open");
  const [sheet, map] = [await boxAtRest(card), await page.locator(".stage-view").boundingBox()];
  expect(sheet.y - map.y, "a part of the map is visible").toBeGreaterThan(120);
  await card.getByRole("button", { name: "Fold to a line" }).click();
  await expect(card).toHaveClass(/folded/);
  await page.reload();
  await expect(card).toHaveClass(/folded/);
  await card.getByRole("button", { name: "Close the start card" }).click();
  await expect(card).toHaveCount(0);
});

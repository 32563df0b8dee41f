// The first hour of somebody new: the example plays, the start card and the tour complete by being done, and what the page
// says suffices to make a task of one's own.

import { expect, measured, savedFile, screenshot, test } from "./harness.mjs";
import { inspector } from "./hands.mjs";
import { done, Follower, press, startCard as card } from "./instructions.mjs";
import { isAccessible } from "./violations.mjs";

const tour = (page) => page.getByRole("region", { name: "Tour", exact: true });
const palette = (page) => page.getByRole("dialog", { name: "Command palette" });
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" }).first();
const views = (page) => page.getByRole("navigation", { name: "Views" });


/** Picks an entry of the palette. */
async function pick(page, text) {
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "detached" });
}

/** Returns true if two boxes have a common point. */
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("the first start plays an example, and the card's steps complete by being done", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 1440, height: 900 }, before: (page) => page.clock.install() });
  await expect(card(page)).toContainText("1 of 7");
  await expect(card(page).getByRole("heading", { name: "Hunter and hunted" })).toBeVisible();
  await expect(views(page).getByRole("button", { name: "Stage" })).toHaveAttribute("aria-pressed", "true");
  // It plays by itself, and a press anywhere stops it.
  const now = () => slider(page).getAttribute("aria-valuetext");
  await expect.poll(now).toMatch(/^tick [1-9]/);
  await press(page, card(page).getByRole("heading", { name: "Hunter and hunted" }));
  await page.getByRole("button", { name: "Play", exact: true }).first().waitFor();
  const stopped = await now();
  await page.clock.runFor(2_000);
  expect(await now(), "it stands still").toBe(stopped);
  await isAccessible(page);

  await slider(page).focus();
  await page.keyboard.press("Home");
  for (let tick = 0; tick < 4; tick += 1) await page.keyboard.press("ArrowRight");
  await done(page, 1);

  await page.locator('.stage-token[data-actor="0"]').dblclick();
  await page.getByRole("dialog", { name: /^Why / }).getByRole("button", { name: "Show in method" }).click();
  // The card would cover the method: there it is the line of the next step.
  await expect(card(page)).toHaveClass(/folded/);
  await expect(card(page)).toContainText("Click the value of lit(hall) in World.");
  await done(page, 2);
  await press(page, views(page).getByRole("button", { name: "Stage" }));
  await expect(card(page).locator("li.done")).toHaveCount(2);

  const darken = async () => {
    await press(page, page.locator('.world tr[data-fact="lit(hall)"] button.value'));
    await page.getByRole("group", { name: "Override from this tick" }).getByRole("button", { name: "Set" }).click();
  };
  // The card doesn't call done what didn't happen, and leads back to the tick at which it does.
  await slider(page).focus();
  await page.keyboard.press("End");
  await page.clock.runFor(100);
  await expect(card(page).getByRole("button", { name: "Go to tick 4" })).toBeVisible();
  await darken();
  await expect(card(page)).toContainText("This time Rook catches her.");
  await done(page, 2);
  const wren = page.locator('.stage-token[data-thing="wren"]:not(.ghost)');
  await slider(page).focus();
  await page.keyboard.press("End");
  await expect(wren).toHaveClass(/held/);
  await expect(wren).toContainText("caught");
  await press(page, card(page).getByRole("button", { name: "Try again at tick 4" }));
  await expect(slider(page)).toHaveAttribute("aria-valuetext", "tick 4");
  await darken();
  await done(page, 3);
  await slider(page).focus();
  await page.keyboard.press("End");
  await expect(wren).toHaveClass(/gone/);
  await expect(wren).toContainText("escaped");
  await screenshot(page, "stage-escaped");

  await page.reload();
  await done(page, 3);
  await card(page).getByRole("button", { name: "Close the start card" }).click();
  await expect(card(page)).toHaveCount(0);
  await pick(page, "Show the start card");
  await done(page, 0);
});

test("nothing plays for those who prefer reduced motion", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ firstStart: true, reducedMotion: "reduce", before: (page) => page.clock.install() });
  await card(page).waitFor();
  // There is a run to play.
  await expect.poll(async () => Number(await slider(page).getAttribute("max"))).toBeGreaterThan(0);
  await page.clock.runFor(3_000);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", "before the run");
});

test("who only follows the page gets a task with a Branch, and sees somebody walk, in at most 46 actions", async ({ openTaskloom }) => {
  test.slow();
  const { page } = await openTaskloom({ firstStart: true, viewport: { width: 1440, height: 900 } });
  const follower = new Follower(page);
  const heading = tour(page).getByRole("heading");
  const ring = page.locator(".tour-ring");
  await follower.press(card(page).getByRole("button", { name: /Take the tour/ }));
  await heading.waitFor();
  let untilPlan;
  for (let title = await heading.textContent(); title !== "Done"; title = await heading.textContent()) {
    await test.step(title, async () => {
      // The first element to use has the ring around it, and the card isn't over it.
      let isFirst = true;
      const isMarked = async (element) => {
        if (!isFirst) return;
        isFirst = false;
        await expect(async () => {
          const [used, marked, words] = await Promise.all([element, ring, page.locator(".tour-card")].map((one) => one.boundingBox()));
          expect(overlap(used, marked), `${title}: the ring is around the element`).toBe(true);
          expect(overlap(used, words), `${title}: the card is beside the element`).toBe(false);
        }).toPass({ timeout: 20_000 });
      };
      await screenshot(page, `tour-${title.toLowerCase().replaceAll(" ", "-")}`);
      if (title === "Give it an effect") await isAccessible(page);
      await follower.follow(await tour(page).locator("p").last().textContent(), isMarked);
      await expect(heading, `after “${title}”`).not.toHaveText(title);
    });
    if (title === "Make a primitive task") {
      // It goes on where it was; the new record is still selected.
      await page.reload();
      await heading.waitFor();
      await page.locator(".inspector").getByRole("textbox", { name: "Name", exact: true }).waitFor();
    }
    if (title === "Say where she is") {
      await page.getByRole("status", { name: "Plan" }).getByText(/1 step/).waitFor();
      untilPlan = follower.actions;
    }
  }
  measured(`${untilPlan} actions until the plan, ${follower.actions} until the run`);
  expect(follower.actions).toBeLessThanOrEqual(46);
  // She has walked there.
  const anna = page.locator('.stage-token[data-thing="anna"]');
  await expect(anna).toHaveAttribute("data-place", "kitchen");
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /^tick [1-9]/);
  await slider(page).focus();
  await page.keyboard.press("Home");
  await expect(anna).toHaveAttribute("data-place", "hall");
  await tour(page).getByRole("button", { name: "Leave" }).click();
  await expect(tour(page)).toHaveCount(0);
  const { compound_tasks, scenarios } = JSON.parse(await savedFile(page));
  const [{ blocks, wires }] = Object.values(compound_tasks).map(({ method }) => method);
  expect(Object.values(blocks).map(({ kind }) => kind).sort()).toEqual(["begin", "branch", "end", "task"]);
  expect(wires).toHaveLength(3);
  expect(Object.keys(scenarios)).toHaveLength(1);
});

test("a step of the tour can be skipped, and the tour left by keyboard", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await pick(page, "Take the tour");
  await tour(page).getByRole("heading", { name: "Make two types" }).waitFor();
  await tour(page).getByRole("button", { name: "Skip step" }).press("Enter");
  await tour(page).getByRole("heading", { name: "Make a person and two rooms" }).waitFor();
  await tour(page).getByRole("button", { name: "Leave" }).press("Enter");
  await expect(tour(page)).toHaveCount(0);
});

test("the help begins with first steps and pages", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom();
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Help" });
  await expect(sheet.locator(".finder-head").first()).toHaveText("First steps");
  await expect(sheet.getByRole("option").first()).toContainText("Take the tour");
  await page.keyboard.type("senses");
  const [help] = await Promise.all([context.waitForEvent("page"), page.keyboard.press("Enter")]);
  await help.waitForLoadState("load");
  await expect(help).toHaveURL(({ hash }) => hash === "#senses");
});

test("notes are shown whole, and their names and ticks are links", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const note = inspector(page).getByRole("textbox", { name: "Document notes" });
  const fits = (element) => element.evaluate(({ clientHeight, scrollHeight }) => scrollHeight <= clientHeight + 1);
  // The text is measured again once its font has loaded.
  await expect.poll(() => fits(note), "the whole note is visible").toBe(true);
  await inspector(page).getByRole("button", { name: "get-ball", exact: true }).click();
  await page.locator("[data-block]").first().waitFor();
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await inspector(page).getByRole("button", { name: "tick 4", exact: true }).click();
  await page.getByRole("heading", { name: "World around tick 4 of the run" }).waitFor();
  const written = inspector(page).getByRole("textbox", { name: "Notes", exact: true });
  await written.click();
  await page.keyboard.press("Control+End");
  for (let line = 0; line < 6; line += 1) await page.keyboard.press("Enter");
  await page.keyboard.type("The last line.");
  await expect.poll(() => fits(written), "it grows").toBe(true);
});

// The plans of the examples are stored when the page is built, and shown before the planner's program has arrived.

import { inspector } from "./hands.mjs";
import { expect, openExample, screenshot, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const panel = (page, name) => page.getByRole("tabpanel", { name });

/** Opens Taskloom with a planner's program that arrives only when `release` is called. */
async function openWithoutPlanner(openTaskloom, options = {}) {
  let release;
  const released = new Promise((done) => {
    release = done;
  });
  const before = async (page) => {
    await page.addInitScript(() => {
      window.heard = 0;
      const Real = window.Worker;
      window.Worker = class extends Real {
        set onmessage(hear) {
          super.onmessage = (event) => {
            hear?.(event);
            window.heard += 1;
          };
        }
      };
    });
    await page.route(/taskloom-worker_bg/, async (route) => {
      await released;
      await route.continue();
    });
  };
  const opened = await openTaskloom({ ...options, before });
  /** Waits until the planner has started and has sent its answer. */
  const isAnswered = (page) => page.waitForFunction(() => window.heard >= 2);
  return { ...opened, release, isAnswered };
}

test("the planner confirms the stored plan of an example, and replaces it after an edit", async ({ openTaskloom }) => {
  const { page, release, isAnswered } = await openWithoutPlanner(openTaskloom);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  const shown = async () => {
    const texts = [];
    for (const name of ["Plan", "Search", "Run"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      await expect(panel(page, name)).toBeVisible();
      texts.push(await panel(page, name).innerText());
    }
    // The time that the search took is the planner's own.
    return texts.map((text) => text.replace(/\d+(\.\d+)? (µs|ms|s)\b/g, ""));
  };
  const stored = await shown();
  expect(stored[0]).toContain("take-ball");
  release();
  await isAnswered(page);
  expect(await shown(), "the planner's own answer is the same").toEqual(stored);

  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "take-ball", exact: true }).click();
  await inspector(page).getByRole("textbox", { name: "Precondition 1" }).fill("not box_open");
  await plan(page).getByText(/^no plan/).waitFor();
});

test("each example from the gallery has its plan at once", async ({ openTaskloom }) => {
  const { page } = await openWithoutPlanner(openTaskloom);
  for (const title of ["The night guard", "The office", "The opening"]) {
    await openExample(page, title);
    await plan(page).getByText(/plan: \d+ steps/).waitFor();
  }
});

test("an edit before the planner has arrived marks the stored plan as old", async ({ openTaskloom }) => {
  const { page, release } = await openWithoutPlanner(openTaskloom);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "take-ball", exact: true }).click();
  await inspector(page).getByRole("textbox", { name: "Precondition 1" }).fill("not box_open");
  await page.locator(".panel .old-note").getByText("old plan").waitFor();
  await screenshot(page, "stored-plan-is-old");
  release();
  await plan(page).getByText(/^no plan/).waitFor();
});

test("on the first visit the Stage plays a stored run", async ({ openTaskloom }) => {
  const { page } = await openWithoutPlanner(openTaskloom, { firstStart: true });
  await plan(page).getByText(/plan: 3 steps/).waitFor();
  await expect(page.locator(".stage-place").first()).toBeVisible();
  await page.getByRole("slider", { name: "Tick of the run" }).first().waitFor();
  await screenshot(page, "stored-run");
});

// Why, in one click: a bar, a mark, a step or an entry of the run says why it happened.

import { boxAtRest, expect, test } from "./harness.mjs";
import { isAccessible } from "./violations.mjs";

const why = (page) => page.getByRole("dialog", { name: /^(Why|What) / });
const bar = (page, text) => page.locator(".course .bar").filter({ hasText: text });
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" });

/** Opens the Run tab of the ball whose box slams shut. */
async function opened(openTaskloom) {
  const { page } = await openTaskloom();
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan: 2 steps/).waitFor();
  await page.getByRole("tab", { name: "Run" }).click();
  // Only this scenario's run has a second plan.
  await page.locator(".run-line").filter({ hasText: "replans" }).waitFor();
  return page;
}

test("the timeline and the plan say why a step was planned, failed or replanned", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  await test.step("a bar says why its step was planned, and leads to its block and tick", async () => {
    await bar(page, "open-box").click();
    await expect(why(page)).toBeVisible();
    await expect(why(page).getByRole("heading").first()).toHaveText(/^Why does .* open-box\?$/);
    await expect(why(page)).toContainText("Step 1 of 2 · ticks 5–6");
    await expect(why(page)).toContainText("Planned at tick 5 because take-ball failed: integrity rule of take-ball: box_open.");
    await expect(why(page)).toContainText("Not taken");
    await expect(why(page)).toContainText("needs box_locked");
    // The click also moved the cursor.
    await expect(page.locator(".run-line.on")).toContainText("open-box");
    await why(page).getByRole("button", { name: "Go to tick 5" }).last().click();
    await expect(why(page)).toHaveCount(0);
    await expect(slider(page)).toHaveAttribute("aria-valuetext", "tick 5");
    await bar(page, "open-box").click();
    await why(page).getByRole("button", { name: "Show in method" }).click();
    await expect(why(page)).toHaveCount(0);
    await expect(page.locator(".node-box.taken").filter({ hasText: "open-box" })).toBeVisible();
  });
  await test.step("a failed step says what failed, and a mark says why there is a new plan", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Run" }).click();
    await bar(page, "take-ball").first().click();
    await expect(why(page)).toContainText("Failed");
    await expect(why(page)).toContainText("integrity rule of take-ball: box_open");
    await page.keyboard.press("Escape");
    await expect(why(page)).toHaveCount(0);
    await page.getByRole("button", { name: /^Replan because take-ball failed: .*, tick 5$/ }).click();
    await expect(why(page)).toContainText("Result: 2 steps, beginning with open-box.");
  });
  await test.step("by keyboard, Enter opens the reason and Escape returns the focus", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Run" }).click();
    const first = page.locator(".course .bar").first();
    await slider(page).focus();
    await first.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(bar(page, "open-box")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(why(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(why(page)).toHaveCount(0);
    await expect(bar(page, "open-box")).toBeFocused();
    const row = page.locator(".run-line").first();
    await row.focus();
    await page.keyboard.press("Enter");
    await expect(why(page)).toBeVisible();
  });
  await test.step("the popover has no accessibility violations", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Run" }).click();
    await bar(page, "open-box").click();
    await why(page).waitFor();
    await isAccessible(page, { part: ".why" });
  });
  await test.step("a step of the Plan tab says why, and another one replaces it", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Run" }).click();
    await page.getByRole("tab", { name: "Plan", exact: true }).click();
    const steps = page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
    await steps.first().click();
    await expect(why(page)).toContainText("Step 1 of 2");
    await steps.nth(1).click();
    await expect(why(page)).toHaveCount(1);
    await expect(why(page)).toContainText("Step 2 of 2");
  });
});

test("a block in the plan says why, by a button, a key and its menu", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  await test.step("a block", async () => {
    await bar(page, "open-box").click();
    await page.keyboard.press("Escape");
    await page.getByRole("treeitem", { name: "get-ball", exact: true }).dblclick();
    const block = page.locator("[data-block]:has(.node-box.taken)").filter({ hasText: "open-box" });
    const button = page.getByRole("button", { name: "Why?", exact: true });
    await expect(block).toBeVisible();
    await expect(button).toHaveCount(0);
    await block.locator(".node-head").click();
    await button.click();
    const heading = why(page).getByRole("heading").first();
    await expect(heading).toHaveText(/^Why does .* open-box\?$/);
    await expect(why(page)).toHaveAttribute("data-side", /^(left|right|top|bottom)$/);
    // The arrow points to the block, which stays visible.
    const [popover, box] = [await boxAtRest(why(page)), await boxAtRest(block)];
    const apart = popover.x >= box.x + box.width || popover.x + popover.width <= box.x || popover.y >= box.y + box.height || popover.y + popover.height <= box.y;
    expect(apart, `${JSON.stringify(popover)} ${JSON.stringify(box)}`).toBe(true);
    await page.keyboard.press("Escape");
    await expect(why(page)).toHaveCount(0);
    await expect(block).toHaveClass(/selected/);
    // By keyboard alone.
    await page.keyboard.press("y");
    await expect(heading).toHaveText(/open-box\?$/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: /^Why is it in the plan\?/ }).click();
    await expect(heading).toHaveText(/open-box\?$/);
    await page.keyboard.press("Escape");
    // A block that is not in the plan has no reason to be.
    await page.locator("[data-block]:has(.node-box.unreached, .node-box.rejected)").first().locator(".node-head").click();
    await expect(button).toHaveCount(0);
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem").first().waitFor();
    await expect(page.getByRole("menuitem", { name: /^Why is it/ })).toHaveCount(0);
  });
  await test.step("a long reason is cut off before what happened", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Run" }).click();
    await page.setViewportSize({ width: 900, height: 900 });
    const line = page.locator(".run-line").filter({ hasText: "replans" });
    const isWhole = (part) => line.locator(part).evaluate((text) => text.scrollWidth <= text.clientWidth);
    await expect.poll(() => isWhole(".dim")).toBe(false);
    expect(await isWhole(".task")).toBe(true);
  });
});

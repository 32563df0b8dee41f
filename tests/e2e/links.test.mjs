// Words on the screen open what they name: records, blocks, tabs and ticks, by mouse and by keyboard.

import { expect, test } from "./harness.mjs";
import { inspector } from "./hands.mjs";
import { isAccessible } from "./violations.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const tab = (page, name) => page.getByRole("tab", { name });
const world = (page) => page.getByRole("region", { name: "World" });
const link = (where, name) => where.getByRole("button", { name, exact: true }).first();
const isOpen = (page, name) => expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
const showsRecord = (page, name) => expect(inspector(page).getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);

test("reasons, runs and the world lead to the blocks, facts, ticks and tabs that they name", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("the reasons against a plan", async () => {
    await page.getByRole("combobox", { name: "Scenario" }).selectOption("case-6-no-way-in");
    await plan(page).getByText(/^no plan/).waitFor();
    await tab(page, "Problems").click();
    await plan(page).getByRole("button", { name: /^no plan/ }).click();
    await isOpen(page, "Plan");
    const reasons = page.getByRole("region", { name: "Unmet conditions" });
    await link(reasons, "get-key").click();
    await page.locator(".crumbs").getByText("get-key").waitFor();
    await expect(page.locator("[data-block].selected")).toHaveCount(1);
    await link(reasons, "item_at(key, box)").click();
    await showsRecord(page, "item_at");
    await isAccessible(page);
    await link(page.getByRole("tabpanel"), "Search tab").click();
    await isOpen(page, "Search");
  });
  await test.step("a run and the world", async () => {
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
    await tab(page, "Run").click();
    await link(page.locator(".run-end"), "8").click();
    await world(page).getByRole("heading", { name: "World around tick 8 of the run" }).waitFor();
    await page.locator(".run-line").filter({ hasText: "replans" }).click();
    await tab(page, "Plan").click();
    const made = page.getByRole("status").filter({ hasText: "Plan 2 of the run" });
    // By keyboard as well.
    await link(made, "take-ball").press("Enter");
    await showsRecord(page, "take-ball");
    await link(made, "5").press("Enter");
    await world(page).getByRole("heading", { name: "World around tick 5 of the run" }).waitFor();
    await link(world(page), "ball_in_box").click();
    await showsRecord(page, "ball_in_box");
    await isAccessible(page);
  });
});

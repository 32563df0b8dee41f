// The table of scenarios: results that follow every edit, and two scenarios side by side.

import { expect, openExample, openFile, openView, screenshots, test } from "./harness.mjs";
import { isAccessible } from "./violations.mjs";

const view = (page) => page.getByRole("region", { name: "Scenarios", exact: true });
const grid = (page) => view(page).getByRole("grid", { name: "All scenarios" });
const row = (page, title) => grid(page).locator("[data-row]").filter({ has: page.getByRole("rowheader", { name: title }) });
const results = (page) => view(page).getByRole("status", { name: "Results" });
const button = (page, name) => view(page).getByRole("button", { name, exact: true });

/** The bell rings; what it takes is a fact that an edit changes. */
const BELL = {
  taskloom: 3,
  info: { title: "The bell" },
  facts: { rung: { source: "memory" }, heard: { source: "memory" } },
  actions: { Ring: { duration: "3" } },
  primitive_tasks: { ring: { action: "Ring()", effects: [{ text: "rung" }, { text: "heard" }] } },
  scenarios: {
    heard: { title: "It is heard", note: "Somebody is near.\nMore.", tasks: ["ring"], expect: [{ finally: "heard" }, "recovers"] },
    rings: { title: "It rings", tasks: ["ring"], expect: [{ finally: "rung" }] },
  },
};

test("an edit that breaks a scenario is reported with its reason, and undone", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "bell.taskloom.json", JSON.stringify(BELL));
  await page.getByText("Opened “The bell”.").waitFor();
  await openView(page, "Scenarios");
  await expect(results(page)).toHaveText(/2 pass/);
  await expect(row(page, "It is heard")).toContainText("Somebody is near.");
  await expect(row(page, "It is heard")).toContainText("2 of 2");

  // The effect goes while another view is open; the table follows.
  await openView(page, "Board");
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "ring", exact: true }).click();
  await page.getByRole("button", { name: "Remove effect 2" }).click();
  await openView(page, "Scenarios");
  await expect(results(page)).toHaveText(/1 fails\s+1 passes/);
  await expect(row(page, "It is heard")).toContainText("Passed before");
  await expect(row(page, "It is heard")).toContainText("1 of 2");
  await expect(row(page, "It rings")).toContainText("No change");
  const reasons = view(page).getByRole("list", { name: "Reasons why It is heard fails" });
  await expect(reasons).toContainText("false at the end of the run");
  await screenshots(page, "scenarios-broken");
  await isAccessible(page);

  // Only what has changed.
  await button(page, "Changed by the last edit (1)").click();
  await expect(grid(page).locator("[data-row]")).toHaveCount(1);
  await button(page, "Changed by the last edit (1)").click();

  await button(page, "Undo edit").click();
  await expect(results(page)).toHaveText(/2 pass/);
  await expect(reasons).toHaveCount(0);
});

test("all scenarios of an example pass, are sorted, and are handled by keyboard", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openExample(page, "The ball in the box");
  await openView(page, "Scenarios");
  await expect(results(page)).toHaveText(/6 pass/);
  await expect(row(page, "The box slams shut")).toContainText("3 of 3");
  const rows = grid(page).locator("[data-row]");
  const ticks = grid(page).getByRole("columnheader", { name: "Ticks" });
  await ticks.getByRole("button").click();
  await expect(ticks).toHaveAttribute("aria-sort", "ascending");
  await expect(rows.first()).toContainText("No way in");
  await ticks.getByRole("button").click();
  await expect(ticks).toHaveAttribute("aria-sort", "descending");
  await expect(rows.last()).toContainText("No way in");
  await ticks.getByRole("button").click();
  await expect(ticks).toHaveAttribute("aria-sort", "none");

  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(rows.nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(rows.nth(5)).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(view(page)).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "Scenario", exact: true })).toHaveValue("case-1-box-open");
});

test("scenarios are duplicated, renamed and deleted", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openExample(page, "The ball in the box");
  await openView(page, "Scenarios");
  await expect(results(page)).toHaveText(/6 pass/);
  await page.getByRole("checkbox", { name: "Select The box is open" }).click();
  await page.getByRole("checkbox", { name: "Select No way in" }).click();
  await button(page, "Duplicate").click();
  await expect(grid(page).locator("[data-row]")).toHaveCount(8);
  await expect(row(page, "No way in copy")).toContainText("New");
  await expect(results(page)).toHaveText(/8 pass/);

  await button(page, "Actions for No way in copy").click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "Title of No way in copy" });
  await field.fill("Still no way in");
  await field.press("Enter");
  await expect(row(page, "Still no way in")).toBeFocused();

  // The copies are chosen.
  await button(page, "Delete").click();
  await expect(grid(page).locator("[data-row]")).toHaveCount(6);
  await button(page, "Actions for No way in").click();
  await page.keyboard.press("Escape");
  await expect(button(page, "Actions for No way in")).toBeFocused();
});

test("two scenarios are compared from their first difference on", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openExample(page, "Hunter and hunted");
  await openView(page, "Scenarios");
  await expect(results(page)).toHaveText(/7 pass/);
  await expect(button(page, "Compare")).toBeDisabled();
  await page.getByRole("checkbox", { name: "Select In the light" }).click();
  await page.getByRole("checkbox", { name: "Select In the dark" }).click();
  await button(page, "Compare").click();
  const compare = page.getByRole("region", { name: "Compare" });
  const difference = compare.getByRole("status", { name: "Difference" });
  await expect(difference).toHaveText(/^First difference at tick \d+: /);
  await expect(compare.locator(".difference-line")).toHaveText(/^First difference, tick \d+$/);
  await expect(compare.getByRole("list", { name: "Steps of rook, In the dark" }).getByRole("listitem").first()).toBeVisible();
  const differences = compare.getByRole("group", { name: "Differences" });
  await expect(differences).toContainText("only in “In the dark”");
  await expect(differences).toContainText("escaped(wren)");
  await screenshots(page, "scenarios-compared");
  await isAccessible(page);

  await expect(compare.getByRole("button", { name: "Previous difference" })).toBeDisabled();
  await compare.getByRole("button", { name: "Next difference" }).click();
  await expect(difference).toHaveText(/^Difference 2 of \d+ at tick \d+: /);
  await compare.getByRole("button", { name: "Previous difference" }).click();
  await expect(difference).toHaveText(/^First difference/);
  await compare.getByRole("button", { name: "Close the comparison" }).click();
  await expect(compare).toHaveCount(0);
});

test("a document with 200 scenarios is checked in the background and stays responsive", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const scenarios = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`s-${String(at).padStart(3, "0")}`, { ...BELL.scenarios.rings, title: `Ring ${at}` }]),
  );
  await openFile(page, "bells.taskloom.json", JSON.stringify({ ...BELL, info: { title: "Many bells" }, scenarios }));
  await page.getByText("Opened “Many bells”.").waitFor();
  await openView(page, "Scenarios");
  const rows = grid(page).locator("[data-row]");
  await expect(rows).toHaveCount(200);
  await rows.first().focus();
  await page.keyboard.press("End");
  await expect(rows.last()).toBeFocused({ timeout: 5_000 });
  await expect(rows.last()).toBeInViewport();
  await expect(results(page)).toHaveText(/200 pass/, { timeout: 60_000 });
});

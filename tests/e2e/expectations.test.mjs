// A scenario with expectations is a test: failures are shown wherever scenarios are.

import { expect, reopen, screenshots, test } from "./harness.mjs";

/** The bell rings once; the expectations about it differ. */
const BELL = {
  taskloom: 3,
  info: { title: "The bell" },
  facts: { rung: { source: "memory" }, broken: { source: "memory" } },
  actions: { Ring: { duration: "3" } },
  primitive_tasks: { ring: { action: "Ring()", effects: [{ text: "rung" }] } },
  agents: { ringer: { planning: { decomposition: { tasks: ["ring"] } }, triggers: { complete: "again" } } },
  scenarios: {
    fails: { title: "It shall break", tasks: ["ring"], expect: ["plan_exists", { finally: "broken" }] },
    holds: { title: "It rings", tasks: ["ring"], expect: [{ finally: "rung" }, "recovers"] },
    idle: { title: "Nobody rings" },
    rings: { title: "It rings on", cast: [{ agent: "ringer" }], expect: ["recovers"] },
  },
};

const records = (page) => page.getByRole("tree", { name: "Records" });
const scenario = (page, title) => records(page).getByRole("treeitem", { name: title, exact: true });
const select = (page) => page.getByRole("combobox", { name: "Scenario", exact: true });

async function openBell(openTaskloom, options) {
  const { page } = await openTaskloom(options);
  await reopen(page, "bell.taskloom.json", BELL);
  return page;
}

test("shows a failed expectation in the status, the outline, the list of scenarios and the problems", async ({ openTaskloom }) => {
  const page = await openBell(openTaskloom);
  await select(page).selectOption("fails");
  const failing = page.getByRole("button", { name: "1 of 2 fail: 1 of 2 expectations fails", exact: true });
  await expect(failing).toHaveText("1 of 2 fail");
  await expect(page.getByRole("status", { name: "Plan" }).locator(".pill")).not.toHaveClass(/ok/);
  await expect(scenario(page, "It shall break").locator(".tested")).toHaveClass(/\bno\b/);
  await expect(scenario(page, "It shall break")).toHaveAttribute("title", /1 of 2 expectations fails$/);
  await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bopen\b/);
  await expect(scenario(page, "It rings")).toHaveAttribute("title", /expectations not checked yet$/);
  await expect(scenario(page, "Nobody rings").locator(".tested")).toHaveCount(0);
  await expect(select(page).locator("option:checked")).toHaveText("✗ It shall break");

  // The expectation that holds passes, and the failure of the other one stays visible.
  await select(page).selectOption("holds");
  await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bok\b/);
  await expect(page.getByRole("button", { name: "2 of 2 expectations pass; scenario fails fails" })).toHaveText("1 scenario fails");
  await page.getByRole("tab", { name: "Problems" }).click();
  const problem = page.getByRole("list", { name: "Problems" }).getByRole("button", { name: /Expectation 2 fails: false at the end/ });
  await expect(problem).toContainText("scenario fails");
  await screenshots(page, "expectations-problems");
  await problem.click();
  await expect(select(page)).toHaveValue("fails");
  await expect(page.getByRole("textbox", { name: "Expected 2" })).toBeFocused();

  // Once fixed, it passes. The scenario that wasn't checked yet is checked after the edit, and fails.
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("rung");
  await expect(scenario(page, "It shall break").locator(".tested")).toHaveClass(/\bok\b/);
  await expect(scenario(page, "It rings on").locator(".tested")).toHaveClass(/\bno\b/);
  await expect(page.getByRole("button", { name: "2 of 2 expectations pass; scenario rings fails" })).toHaveText("1 scenario fails");
  await page.getByRole("tab", { name: "Problems" }).click();
  const failures = page.getByRole("list", { name: "Problems" }).getByRole("button", { name: /^failed expectation/ });
  await expect(failures).toHaveCount(1);
  await expect(failures).toContainText("scenario rings");
});

test("scenarios without a task, with an endless run and with an incomplete expectation aren't successes", async ({ openTaskloom }) => {
  const page = await openBell(openTaskloom);
  await test.step("does not report success for a scenario without a task", async () => {
    await select(page).selectOption("idle");
    const pill = page.getByRole("status", { name: "Plan" }).locator(".pill");
    await expect(pill).toHaveText("nothing to plan");
    await expect(pill).toHaveClass(/warn/);
  });
  await test.step("reports that an endless run does not complete", async () => {
    await reopen(page, "bell.taskloom.json", BELL);
    await select(page).selectOption("rings");
    await expect(scenario(page, "It rings on").locator(".tested")).toHaveClass(/\bno\b/);
    await scenario(page, "It rings on").click();
    await page.getByText("Failed: the run never completes: it goes on endlessly").waitFor();
  });
  await test.step("a newly added expectation is incomplete, not failed", async () => {
    await reopen(page, "bell.taskloom.json", BELL);
    await select(page).selectOption("idle");
    await scenario(page, "Nobody rings").click();
    await page.getByRole("button", { name: "Add an expectation" }).click();
    await page.getByRole("combobox", { name: "Expectation 1" }).selectOption("finally");
    const expectations = page.getByRole("region", { name: "Expectations" });
    await expect(expectations.getByLabel("undecided", { exact: true })).toHaveCount(1);
    await expect(expectations.getByText("Failed:")).toHaveCount(0);
    await expect(scenario(page, "Nobody rings").locator(".tested")).toHaveClass(/\bopen\b/);
    await expect(scenario(page, "Nobody rings")).toHaveAttribute("title", /expectations undecided/);
  });
});

test("all scenarios are checked on request, and again after every edit", async ({ openTaskloom }) => {
  const page = await openBell(openTaskloom);
  await test.step("on request", async () => {
    await page.getByRole("tab", { name: /^Problems/ }).click();
    const status = page.getByRole("status", { name: "Scenarios" });
    await expect(status).toContainText("2 not checked yet");
    await status.getByRole("button", { name: "Check all scenarios" }).click();
    await expect(status).toContainText("Scenarios: 2 failed, 1 passed.");
    await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bok\b/);
    await expect(scenario(page, "It shall break").locator(".tested")).toHaveClass(/\bno\b/);
    await expect(page.getByRole("list", { name: "Problems" }).getByRole("button", { name: /^failed expectation/ })).toHaveCount(2);
    await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "ring", exact: true }).click();
    await page.getByRole("textbox", { name: "Effect 1", exact: true }).fill("broken");
    await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bno\b/);
    await expect(scenario(page, "It shall break").locator(".tested")).toHaveClass(/\bok\b/);
  });
  await test.step("an edit that breaks another scenario is reported at once, though nobody opened the table", async () => {
    await reopen(page, "bell.taskloom.json", BELL);
    await select(page).selectOption("idle");
    await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "ring", exact: true }).click();
    await page.getByRole("textbox", { name: "Effect 1", exact: true }).fill("broken");
    await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bno\b/);
    await expect(scenario(page, "It shall break").locator(".tested")).toHaveClass(/\bok\b/);
    await expect(page.locator(".pill.tests")).toHaveText("2 scenarios fail");
    await page.keyboard.press("Escape");
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+z");
    await expect(scenario(page, "It rings").locator(".tested")).toHaveClass(/\bok\b/);
  });
});

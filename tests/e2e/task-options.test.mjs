// The options of Task blocks, queries of Bind blocks and the tasks that serve a goal, from the inspector on.

import { expect, inBothThemes, openFile, savedFile, test } from "./harness.mjs";
import { inspector, write } from "./hands.mjs";
import { Method } from "./method.mjs";

/** A guard whistles twice while walking to the gate. The goal of his colleague can be reached by a walk. */
const WATCH = {
  taskloom: 3,
  info: { title: "The watch" },
  facts: { at_gate: { source: "sensor" }, tunes: { value: { number: { integer: true } } } },
  actions: { Walk: { duration: "4", executor: "legs" }, Whistle: { duration: "3", executor: "mouth" } },
  primitive_tasks: {
    walk: { action: "Walk()", effects: [{ text: "at_gate" }] },
    jump: { action: "Walk()", effects: [{ text: "at_gate" }] },
    whistle: { action: "Whistle()", effects: [{ text: "tunes += 1" }] },
  },
  types: { spot: { parent: "object" } },
  objects: { tower: { type: "spot" } },
  compound_tasks: {
    rest: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "bind", variable: "?spot: spot" },
          c: { kind: "task", call: "whistle" },
        },
        wires: ["a.out -> b", "b.out -> c"],
      },
    },
    patrol: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "task", call: "whistle", repeat: 2 },
          c: { kind: "task", call: "walk" },
        },
        wires: ["a.out -> b", "b.out -> c"],
      },
    },
  },
  goals: { guarded: { condition: "at_gate", priority: 1 } },
  agents: {
    guard: { planning: { decomposition: { tasks: ["patrol"] } } },
    keeper: { planning: { goals: { goals: ["guarded"] } } },
  },
  scenarios: {
    night: { cast: [{ agent: "guard" }] },
    day: { cast: [{ agent: "keeper" }] },
  },
};

const rows = (page) => page.locator(".run-line");

async function opened(openTaskloom) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "watch.taskloom.json", JSON.stringify(WATCH));
  await page.getByText("Opened “The watch”.").waitFor();
  return page;
}

test("a task in the background runs beside the main branch, and is stopped when that is complete", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  const method = new Method({ page });
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "night" });
  await method.go("patrol");
  await page.getByRole("tab", { name: "Run" }).click();
  await method.select(method.block("primitive"));
  const background = inspector(page).getByRole("switch", { name: "In the background" });
  await background.check();
  await expect(method.block("primitive")).toContainText("∥ ×2");
  await expect(rows(page).filter({ hasText: "stopped" })).toContainText("whistle");
  expect(JSON.parse(await savedFile(page)).compound_tasks.patrol.method.blocks.b.background).toBe(true);
  const bar = page.locator(".course .bar").filter({ hasText: "whistle" }).last();
  await bar.click();
  const why = page.getByRole("dialog", { name: /^Why / });
  await expect(why).toContainText("the main branch of patrol is complete");
  await inBothThemes(page, () => expect(why).toBeVisible());
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(method.block("primitive")).not.toContainText("∥");
  await expect(rows(page).filter({ hasText: "stopped" })).toHaveCount(0);
});

test("a task is repeated while a condition is true, and each time is a row of the decomposition", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  const method = new Method({ page });
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "night" });
  await method.go("patrol");
  await method.select(method.block("primitive"));
  await write(page, "While", "tunes < 1");
  await expect(method.block("primitive")).toContainText("×2 while");
  await expect(page.getByRole("status", { name: "Plan" })).toHaveText(/^plan: 2 steps/);
  await page.getByRole("tab", { name: "Decomposition" }).click();
  const row = (text) => page.getByRole("treeitem").filter({ hasText: text });
  await expect(row("while tunes < 1")).toHaveText([/true/, /false: nothing to do/]);
  await expect(row("whistle").filter({ hasText: "step" })).toHaveCount(1);
  await page.getByRole("tab", { name: "Search" }).click();
  await expect(page.locator(".trace-row").filter({ hasText: "while tunes < 1: yes" })).toHaveCount(1);
  await page.getByRole("tab", { name: "Decomposition" }).click();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Board").click();
  await row("while tunes < 1").last().click();
  await expect(page.locator("[data-block].selected")).toContainText("whistle");
  // A mistake leads to its block.
  await write(page, "While", "tunes < at_gate");
  await page.getByRole("tab", { name: "Problems" }).click();
  const problems = page.getByRole("tabpanel", { name: "Problems" });
  await expect(problems).toContainText("compares numbers");
});

test("a Bind block may ask the game", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  const method = new Method({ page });
  await method.go("rest");
  await method.select(method.block("bind"));
  await write(page, "Query", "shade(?me)");
  await expect(method.block("bind")).toContainText("asks shade(?me)");
  expect(JSON.parse(await savedFile(page)).compound_tasks.rest.method.blocks.b.query).toBe("shade(?me)");
  // What it finds can't be an argument.
  await write(page, "Query", "shade(?spot)");
  await page.getByRole("tab", { name: "Problems" }).click();
  await expect(page.getByRole("tabpanel", { name: "Problems" })).toContainText("is what the query finds");
});

test("a task that serves a goal is tried before the search for it", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "day" });
  await page.getByRole("tab", { name: "Run" }).click();
  await expect(rows(page).first()).toHaveText(/plans: 1 step ?for the goal guarded/);
  await page.locator('[data-record="goal:guarded"] .node-name').click();
  await write(page, "Task 1", "patrol");
  await expect(rows(page).first()).toHaveText(/plans: 3 steps ?for the goal guarded/);
  await expect(page.locator('[data-record="goal:guarded"]')).toContainText("patrol");
});

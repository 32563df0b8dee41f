// Goals: an agent's goals, the plans for them, and the states that their search explored.

import { expect, openFile, screenshots, test } from "./harness.mjs";

const number = { value: { number: { integer: true, min: 0, max: 9 } }, source: "sensor" };

const CAMP = {
  taskloom: 3,
  info: { title: "The camp" },
  types: { place: { parent: "object" } },
  objects: { field: { type: "place" }, camp: { type: "place" }, den: { type: "place" } },
  facts: {
    place: { value: { object: "place" }, source: "sensor" },
    hungry: { source: "sensor" },
    afraid: { source: "sensor" },
    food: number,
  },
  actions: { Walk: { duration: "2" }, Work: { duration: "1" } },
  primitive_tasks: {
    go: {
      params: ["?to: place"],
      preconditions: ["place != ?to"],
      action: "Walk()",
      effects: [{ text: "place := ?to" }],
      cost: "2",
    },
    gather: { preconditions: ["place = field"], action: "Work()", effects: [{ text: "food += 1" }] },
    eat: { preconditions: ["food >= 2"], effects: [{ text: "food -= 2" }, { text: "not hungry" }] },
    hide: { preconditions: ["place = den"], effects: [{ text: "not afraid" }] },
  },
  compound_tasks: {
    forage: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "task", call: "go(field)" },
          c: { kind: "task", call: "gather" },
        },
        wires: ["a.out -> b", "b.out -> c"],
      },
    },
  },
  goals: {
    fed: { condition: "not hungry", priority: 1 },
    safe: { condition: "not afraid", priority: 3 },
  },
  agents: {
    soldier: { planning: { goals: { goals: ["fed", "safe"] } }, triggers: { goal: 1 } },
    forager: { planning: { reactive: { tasks: ["forage"] } } },
  },
  scenarios: {
    day: {
      initial: ["place = camp", "hungry"],
      cast: [{ agent: "soldier" }],
      events: [{ at: 3, effect: "afraid" }],
    },
    round: { initial: ["place = camp"], cast: [{ agent: "forager" }] },
  },
};

/** Returns the rows of the run, one line each. */
async function rows(page) {
  const lines = await page.locator(".run-line").evaluateAll((all) => all.map((line) => `${line.classList[1]}: ${line.innerText}`));
  return lines.map((line) => line.replaceAll(/\s+/g, " ").trim());
}

test("a soldier switches to the goal of higher value, and its search can be inspected", async ({
  openTaskloom,
}) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "camp.taskloom.json", JSON.stringify(CAMP));
  await page.getByText("Opened “The camp”.").waitFor();
  await page.getByRole("tab", { name: "Run" }).click();
  await expect(page.locator(".run-line").filter({ hasText: "hide" })).toHaveCount(1);
  await expect(async () => {
    const shown = await rows(page);
    expect(shown[0]).toMatch(/plans: 4 steps for the goal fed$/);
    expect(shown.join("\n")).toMatch(/replans: 2 steps.*because goal values have changed/);
    expect(shown.join("\n")).toMatch(/continues/);
    expect(shown.at(-1)).toMatch(/continues: nothing to do every goal already holds or has no value now$/);
  }).toPass({ timeout: 20_000 });
  await screenshots(page, "goals-run");

  await page.getByRole("tab", { name: "Plan", exact: true }).click();
  await page.getByText("For the goal fed.").waitFor();
  await page.getByRole("tab", { name: "Search" }).click();
  const states = page.getByRole("listbox", { name: "States" });
  await expect(states.getByRole("option").first()).toContainText("for fed");
  await expect(states.getByRole("option").first()).toContainText("unmet: not hungry");
  await expect(states.getByRole("option").filter({ hasText: "eat" }).first()).toContainText("goal reached");
  await expect(states.getByRole("img", { name: "on the plan" })).toHaveCount(5);
  await screenshots(page, "goals-search");

  // The actions that are possible when the run begins.
  const world = page.getByRole("region", { name: "World" });
  await world.getByText("Possible actions").click();
  await expect(world.getByRole("listitem")).toHaveText([/^go\(den\)\s*costs 2$/, /^go\(field\)\s*costs 2$/]);

  const records = page.getByRole("tree", { name: "Records" });
  await records.getByRole("treeitem", { name: "soldier", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Planning mode" })).toHaveValue("goals");
  // Without the margin it would keep to its goal.
  await page.getByRole("tab", { name: "Run" }).click();
  await page.getByRole("switch", { name: /another goal's value is higher/ }).uncheck();
  await expect(page.locator(".run-line").filter({ hasText: "goal values have changed" })).toHaveCount(0);
  await expect(page.locator(".run-line").filter({ hasText: "hide" })).toHaveCount(1);
  await screenshots(page, "goals-agent");
});

test("a reactive character decides each step when it is reached", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "camp.taskloom.json", JSON.stringify(CAMP));
  await page.getByText("Opened “The camp”.").waitFor();
  const records = page.getByRole("tree", { name: "Records" });
  await page.getByRole("combobox", { name: "Scenario" }).selectOption("round");
  await page.getByRole("tab", { name: "Run" }).click();
  await expect(page.locator(".run-line").filter({ hasText: "gather" })).toHaveCount(1);
  await expect.poll(async () => (await rows(page)).map((row) => row.replace(/ until.*/, ""))).toEqual([
    "replan: 0 plans: 1 step",
    "complete: 0 go(field)",
    "replan: 2 continues: 1 step",
    "complete: 2 gather",
  ]);
  // The same agent, looking ahead, plans both steps at once.
  await records.getByRole("treeitem", { name: "forager", exact: true }).click();
  await page.getByRole("combobox", { name: "Planning mode" }).selectOption("first");
  await expect(page.locator(".run-line").filter({ hasText: "plans: 2 steps" })).toHaveCount(1);
});

test("a compound task with a goal is done by what a search finds", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const camp = structuredClone(CAMP);
  camp.compound_tasks.feed = { method: { blocks: { a: { kind: "begin" } } } };
  camp.scenarios = { dinner: { initial: ["place = camp", "hungry"], tasks: ["feed"] } };
  await openFile(page, "camp.taskloom.json", JSON.stringify(camp));
  await page.getByRole("treeitem", { name: "feed", exact: true }).click();
  const goal = page.getByRole("textbox", { name: "Goal", exact: true });
  await goal.click();
  await page.keyboard.type("not hungry");
  await page.getByText("primitive tasks are searched for that lead to it", { exact: false }).waitFor();
  await page.getByText("plan: 4 steps", { exact: false }).first().waitFor();
  await page.getByRole("tab", { name: "Decomposition" }).click();
  const tree = page.getByRole("tree", { name: "Decomposition" });
  await expect(tree.getByRole("treeitem")).toHaveText([
    /feed.*by a search for its goal/,
    /go\(field\)/,
    /gather/,
    /gather/,
    /eat/,
  ]);
});

// The plan follows every keystroke, and no domain freezes the page.

import { watchResponsiveness } from "./hands.mjs";
import { expect, openExample, openFile, test, measured } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const steps = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
const outline = (page) => page.getByRole("tree", { name: "Records" });

test("typing in a precondition changes the plan, undo brings it back, and an error is fixed with one click", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("the plan follows", async () => {
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await outline(page).getByText("take-ball").click();
    await page.getByRole("textbox", { name: "Precondition 1" }).fill("not box_open");
    await plan(page).getByText(/^no plan/).waitFor();
    await page.getByText(/take-ball: not box_open does not hold/).waitFor();
    await page.keyboard.press("Control+z");
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
  });
  await test.step("an error", async () => {
    await outline(page).getByText("take-ball").click();
    const field = page.getByRole("textbox", { name: "Precondition 1" });
    await field.fill("box_opne");
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("button", { name: /box_open/ }).first().click();
    await expect(field).toHaveValue("box_open");
    await expect(page.getByRole("tab", { name: /Problems/ })).toHaveText(/Problems\s*0$/);
  });
});

test("stepping shows the world before and after, and highlights the step in the flowcharts on every level", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("the world", async () => {
    await steps(page).first().waitFor();
    await page.getByRole("button", { name: "Step forward" }).click();
    const world = page.getByRole("region", { name: "World" });
    await world.getByRole("heading", { name: "World around 1 walk-to(box)" }).waitFor();
    await expect(world.getByRole("row", { name: /at\(box\)/ })).toHaveText(/at\(box\)\s+false\s+true/, { useInnerText: true });
    await page.getByRole("button", { name: "Step forward" }).click();
    await expect(steps(page).nth(1)).toHaveAttribute("aria-selected", "true");
  });
  await test.step("the flowcharts", async () => {
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "Locked, no key, a hammer in the shed" });
    await plan(page).getByText(/^plan: 6 steps/).waitFor();
    const current = page.locator(".node-box.current");
    const open = (task) => outline(page).getByRole("treeitem", { name: task, exact: true }).dblclick();
    await open("get-ball");
    await page.locator("[data-block]").first().waitFor();
    await expect(current, "the plan as a whole").toHaveCount(0);
    await steps(page).filter({ hasText: "pick-up(hammer)" }).click();
    await current.filter({ hasText: "get-hammer" }).waitFor();
    await expect(current).toHaveCount(1);
    await page.getByRole("group", { name: /get-hammer.*Current step/ }).waitFor();
    // The last one is far to the right.
    await steps(page).last().click();
    await current.filter({ hasText: "take-ball" }).waitFor();
    const canvas = await page.locator(".canvas").boundingBox();
    await page.waitForFunction((right) => document.querySelector(".node-box.current").getBoundingClientRect().right < right, canvas.x + canvas.width);
    await steps(page).filter({ hasText: "pick-up(hammer)" }).click();
    // Its explanation covers the outline.
    await page.keyboard.press("Escape");
    await open("get-hammer");
    await current.filter({ hasText: "pick-up" }).waitFor();
    await expect(current).toHaveCount(1);
  });
});

test("the timeline shows the tasks above the steps, and deeper ones on demand", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "The night guard");
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "Tired, and the pot is empty" });
  const bar = (text) => page.locator(".timeline .bar").getByText(text, { exact: true });
  await bar("check-room(gallery)").waitFor({ state: "hidden" });
  await expect(bar("patrol").first()).toBeVisible();
  await expect(steps(page).first(), "the list stays visible").toBeInViewport();
  await page.getByRole("button", { name: "2 more levels" }).click();
  await expect(bar("check-room(gallery)")).toBeVisible();
  await page.getByRole("button", { name: "Fewer levels" }).click();
  await expect(bar("check-room(gallery)")).toBeHidden();
});

/** Three unordered tasks, each of which repeats all three or counts. No count meets the goal, so the search never ends. */
const ENDLESS = JSON.stringify({
  taskloom: 1,
  info: { title: "Endless" },
  facts: { count: { value: { number: {} }, source: "memory" } },
  actions: { Wait: { duration: 1 } },
  primitive_tasks: { tally: { action: "Wait", effects: [{ text: "count += 1" }], cost: "1 + count" } },
  compound_tasks: {
    again: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "choice", alternatives: ["1 again", "2 count"] },
          c: { kind: "task", call: "again" },
          d: { kind: "task", call: "again" },
          e: { kind: "task", call: "again" },
          f: { kind: "task", call: "tally" },
        },
        wires: ["a.out -> b", "b.1 -> c", "b.1 -> d", "b.1 -> e", "b.2 -> f"],
      },
    },
  },
  scenarios: { always: { tasks: ["again"], goal: "count < 0" } },
  layout: {},
});

test("endless recursion never freezes the page, and can be stopped", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "endless.json", ENDLESS);
  await plan(page).getByText(/gave up/).waitFor();
  // This search continues until it is stopped, or for a minute.
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Cheapest plan");
  await plan(page).getByText(/planning… [\d,]+ decisions/).waitFor();
  const title = page.getByRole("textbox", { name: "Title of the document" });
  await title.fill("Still answers");
  await expect(title).toHaveValue("Still answers");
  // The planner is still searching: the page did not have to wait for it.
  await showsProgress(page);
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
});

/**
 * Errands in any order, each of which makes later ones more costly: there are too many orders to explore. The goal must
 * hold at the end.
 */
function errands(goal = "") {
  const names = Array.from({ length: 24 }, (_, at) => `errand-${24 - at}`);
  const blocks = { a: { kind: "begin" } };
  names.forEach((name, at) => {
    blocks[`b${at}`] = { kind: "task", call: `run(${name})` };
  });
  return JSON.stringify({
    taskloom: 1,
    info: { title: "Errands" },
    types: { errand: { parent: "object" } },
    objects: Object.fromEntries(names.map((name) => [name, { type: "errand" }])),
    facts: {
      load: { value: { number: {} }, source: "memory" },
      weight: { params: ["?e: errand"], value: { number: {} }, source: "memory" },
    },
    actions: { Run: { duration: 1 } },
    primitive_tasks: {
      run: { params: ["?e: errand"], action: "Run", effects: [{ text: "load += weight(?e)" }], cost: "1 + load" },
    },
    compound_tasks: { errands: { method: { blocks, wires: names.map((_, at) => `a.out -> b${at}`) } } },
    scenarios: { today: { tasks: ["errands"], initial: names.map((name, at) => `weight(${name}) = ${24 - at}`), goal } },
    layout: {},
  });
}

/**
 * Waits until the count of decisions grows. The first count seen may still belong to the previous search, and be larger
 * than the next.
 */
async function showsProgress(page) {
  const counts = [];
  const grows = async () => {
    const match = /([\d,]+) decisions/.exec(await plan(page).innerText());
    if (match) counts.push(Number(match[1].replaceAll(",", "")));
    return counts.some((count, at) => at > 0 && count > counts[at - 1]);
  };
  await expect.poll(grows, { message: "it tells of its progress", timeout: 30_000 }).toBe(true);
}

test("long planning shows its progress, keeps the page responsive, and ends with Stop", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "errands.json", errands("load < 0"));
  await page.getByText("Opened “Errands”.").waitFor();
  // This search continues until it is stopped, or for a minute.
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Cheapest plan");
  const responsiveSince = await watchResponsiveness(page);
  await plan(page).getByText(/planning… [\d,]+ decisions/).waitFor();
  await showsProgress(page);
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Still answers");
  await plan(page).getByText(/planning… [\d,]+ decisions/).waitFor();
  await showsProgress(page);
  const stopped = Date.now();
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
  measured(`stopped after ${Date.now() - stopped} ms`);
  measured(await responsiveSince());
  await plan(page).getByRole("button", { name: "Search again" }).click();
  await plan(page).getByText(/planning… [\d,]+ decisions/).waitFor();
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
  // The next edit is planned as usual.
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("First in your order");
  await plan(page).getByText(/gave up/).waitFor({ timeout: 30_000 });
});

test("shows the cheapest plan so far during the search, marked as not proven", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const search = page.getByRole("combobox", { name: "Search strategy" });
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await search.selectOption("Cheapest plan");
  await plan(page).getByText(/^plan: 2 steps, cost \d+, optimal/).waitFor();
  await openFile(page, "errands.json", errands());
  await plan(page).getByText(/^plan: 24 steps/).waitFor();
  await expect(search, "another document uses its own setting").toHaveValue("First in your order");
  await search.selectOption("Cheapest plan");
  await plan(page).getByText(/planning… best so far \d+/).waitFor();
  await page.getByText(/The cheapest plan found so far; it may not be the cheapest\..* Still searching\./).waitFor();
  await expect(steps(page)).toHaveCount(24);
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText(/^plan: 24 steps, cost \d+, not proven optimal/).waitFor();
  await page.getByText(/it may not be the cheapest/).waitFor();
});

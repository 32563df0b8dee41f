// The plan's status while a search runs, is stopped and repeated, and the reasons why there is no plan.

import { inspector } from "./hands.mjs";
import { expect, openFile, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const records = (page) => page.getByRole("tree", { name: "Records" });
const record = (page, name) => records(page).getByRole("treeitem", { name, exact: true });
const scenarios = (page) => page.getByRole("combobox", { name: "Scenario" });
const undoButton = (page) => page.getByRole("button", { name: /^Undo/ });

/** Errands in any order, each of which makes later ones more costly: there are too many orders to explore. */
function errands(goal) {
  const names = Array.from({ length: 24 }, (_, at) => `errand-${24 - at}`);
  const blocks = { a: { kind: "begin" } };
  names.forEach((name, at) => {
    blocks[`b${at}`] = { kind: "task", call: `run(${name})` };
  });
  return {
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
    layout: {
      methods: { errands: { a: "0,0", ...Object.fromEntries(names.map((_, at) => [`b${at}`, `260,${at * 90}`])) } },
    },
  };
}

/** The number of decisions of the running search, once it is shown. */
async function decisions(page) {
  const text = await plan(page).getByText(/planning….* [\d,]+ decisions/).innerText();
  return Number(/([\d,]+) decisions/.exec(text)[1].replaceAll(",", ""));
}

test("edits that don't affect the plan leave a search running and its answer valid", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "errands.json", JSON.stringify(errands("load < 0")));
  await page.getByText("Opened “Errands”.").waitFor();
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Cheapest plan");
  let before = await decisions(page);
  const goesOn = async (what) => {
    await page.waitForFunction(
      (before) => Number(/([\d,]+) decisions/.exec(document.querySelector(".plan-status").innerText)?.[1].replaceAll(",", "")) > before + 1000,
      before,
      { timeout: 20_000 },
    );
    const now = await decisions(page);
    expect(now, `${what}: ${before}, then ${now}`).toBeGreaterThan(before);
    before = now;
  };
  await goesOn("nothing");
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Errands of today");
  await goesOn("a title");
  await record(page, "run(?e)").click();
  await inspector(page).getByRole("textbox", { name: "Notes" }).fill("It takes its time.");
  await goesOn("a note");
  await record(page, "errands").dblclick();
  await page.locator("[data-block]").first().waitFor();
  await page.locator("[data-block]").first().click();
  await page.keyboard.press("ArrowDown");
  await undoButton(page).and(page.getByTitle(/Move/)).waitFor();
  await goesOn("a block that moves");
  await page.keyboard.press("Control+z");
  await goesOn("undo");
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
});

test("marks the old plan as outdated while searching, and doesn't report a stopped search as a failure", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "errands.json", JSON.stringify(errands("")));
  await page.getByText("Opened “Errands”.").waitFor();
  await plan(page).getByText(/^plan: 24 steps/).waitFor();
  const panel = page.getByRole("tabpanel", { name: "Plan" });
  await panel.getByText("The first plan in your order.").waitFor();
  await record(page, "errands").dblclick();
  await page.locator(".node-box.taken").first().waitFor();
  await record(page, "today").click();
  await inspector(page).getByRole("textbox", { name: "Goal" }).fill("load < 0");
  await page.locator(".panel").getByText("old plan, searching…").waitFor();
  await panel.getByText(/^Plan from before your last change/).waitFor();
  await expect(page.locator(".node-box.rejected")).toHaveCount(0);
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
  await panel.getByText("The search was stopped.").waitFor();
  await expect(page.getByText("old plan, searching…")).toHaveCount(0);
  await expect(page.locator(".node-box:is(.rejected, .taken)")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Unmet conditions" })).toHaveCount(0);
});

/** A shop whose opening requires itself, payment with coins that don't exist, and a goal that no task achieves. */
const SHOP = {
  taskloom: 1,
  info: { title: "The shop" },
  types: { coin: { parent: "object" } },
  facts: { open: { value: "boolean", source: "memory" }, rich: { value: "boolean", source: "memory" } },
  actions: { Pay: { duration: 1 } },
  primitive_tasks: { give: { params: ["?c: coin"], action: "Pay" }, unlock: { action: "Pay", effects: [{ text: "open" }] }, wait: { action: "Pay" }, enter: { action: "Pay", preconditions: ["open"] } },
  compound_tasks: {
    visit: {
      method: {
        blocks: {
          b: { kind: "begin" },
          w: { kind: "task", call: "wait" },
          if: { kind: "branch", condition: "rich" },
          e: { kind: "task", call: "enter" },
          f: { kind: "task", call: "enter" },
        },
        wires: ["b.out -> w", "w.out -> if", "if.true -> e", "if.false -> f"],
      },
    },
    "run-shop": {
      method: { blocks: { b: { kind: "begin" }, again: { kind: "task", call: "run-shop" } }, wires: ["b.out -> again"] },
    },
    pay: {
      method: {
        blocks: { b: { kind: "begin" }, c: { kind: "bind", variable: "?c: coin" }, g: { kind: "task", call: "give(?c)" } },
        wires: ["b.out -> c", "c.out -> g"],
      },
    },
    start: { method: { blocks: { b: { kind: "begin" }, u: { kind: "task", call: "unlock" } }, wires: ["b.out -> u"] } },
  },
  scenarios: {
    circle: { tasks: ["run-shop"] },
    coinless: { tasks: ["pay"] },
    dream: { tasks: ["start"], goal: "rich" },
    shut: { tasks: ["visit"] },
  },
  layout: {
    methods: {
      "run-shop": { b: "0,0", again: "260,0" },
      pay: { b: "0,0", c: "260,0", g: "520,0" },
      start: { b: "0,0", u: "260,0" },
      visit: { b: "0,0", w: "260,0", if: "520,0", e: "780,0", f: "780,160" },
    },
  },
};

test("explains in the panel and on the block why there is no plan", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "shop.json", JSON.stringify(SHOP));
  await page.getByText("Opened “The shop”.").waitFor();
  const panel = page.getByRole("tabpanel", { name: "Plan" });
  for (const [scenario, task, reason, onBlock] of [
    ["circle", "run-shop", "run-shop: leads back to itself without changing anything", /leads back to itself/],
    ["coinless", "pay", "pay: there is no object of type coin", /there is no object of type coin/],
    ["dream", "start", "the tasks succeed, but the goal rich does not hold at the end", /the goal rich does not hold at the end/],
    ["shut", "visit", "enter: open does not hold", /open does not hold/],
  ]) {
    await scenarios(page).selectOption(scenario);
    await plan(page).getByText(/^no plan/).waitFor();
    await panel.getByText(reason).first().waitFor();
    await record(page, task).dblclick();
    await page.locator(".node-note.why").getByText(onBlock).first().waitFor();
  }
  // The moment of the failure and the tasks that could have prevented it; one of a Branch's two conditions is always
  // false, which is no reason.
  const reasons = panel.getByRole("region", { name: "Unmet conditions" });
  await expect(reasons.getByRole("heading")).toHaveText(["After 1 step"]);
  await expect(reasons.getByRole("listitem")).toHaveText([/^enter: open does not hold\s+changed by unlock$/]);
  // This search records no reasons, and the panel says so.
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Any plan (fastest)");
  await panel.getByText("This search doesn't record reasons.").waitFor();
  await panel.getByRole("button", { name: "Search in your order, with reasons" }).click();
  await reasons.getByText("enter: open does not hold").waitFor();
});

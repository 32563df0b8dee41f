// The shown character of a scenario with several: selected in one place, followed everywhere.

import { expect, openFile, reopen, screenshots, test } from "./harness.mjs";

/** Anna sees only who is in her room; ben goes to the vault and takes the gold. */
const HOUSE = {
  taskloom: 3,
  info: { title: "The house" },
  types: { person: { parent: "object" }, room: { parent: "object" } },
  objects: { anna: { type: "person" }, ben: { type: "person" }, hall: { type: "room" }, vault: { type: "room" } },
  facts: {
    place_of: { params: ["?p: person"], value: { object: "room" }, source: "sensor" },
    gold: { params: ["?r: room"], source: "sensor" },
    alarm: { source: "blackboard" },
    rich: { source: "memory" },
  },
  actions: { Walk: { params: ["?to: room"], duration: "2" }, Take: { duration: "1" }, Wait: { duration: "5" } },
  primitive_tasks: {
    walk: { params: ["?to: room"], action: "Walk(?to)", effects: [{ text: "place_of(?me) := ?to" }] },
    take: {
      action: "Take()",
      preconditions: ["gold(place_of(?me))"],
      effects: [{ text: "not gold(place_of(?me))" }, { text: "alarm" }, { text: "rich" }],
    },
    borrow: { action: "Take()", cost: "9", effects: [{ text: "rich" }] },
    wait: { action: "Wait()" },
  },
  compound_tasks: {
    watch: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "task", call: "wait" },
          c: { kind: "task", call: "walk(vault)" },
          d: { kind: "task", call: "wait" },
        },
        wires: ["a.out -> b", "b.out -> c", "c.out -> d"],
      },
    },
    steal: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "choice", alternatives: ["1 from a friend", "2 from the vault"] },
          c: { kind: "task", call: "borrow" },
          d: { kind: "task", call: "walk(vault)" },
          e: { kind: "task", call: "take" },
        },
        wires: ["a.out -> b", "b.1 -> c", "b.2 -> d", "d.out -> e"],
      },
    },
  },
  agents: {
    guard: {
      type: "person",
      senses: [{ fact: "place_of", every: 1, when: "place_of(?p) = place_of(?me)" }],
      planning: { decomposition: { tasks: ["watch"] } },
    },
    thief: { type: "person", planning: { decomposition: { tasks: ["steal"], policy: "cheapest" } } },
  },
  scenarios: {
    night: {
      initial: ["place_of(anna) = hall", "place_of(ben) = hall", "gold(vault)"],
      cast: [
        { object: "anna", agent: "guard" },
        { object: "ben", agent: "thief" },
      ],
      expect: [{ plan: ["wait", "walk(vault)", "wait"] }, "recovers"],
    },
  },
};

const picker = (page) => page.getByRole("combobox", { name: "Shown actor" });
const shown = (page) => picker(page).locator("option:checked");
const steps = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).locator(".step .task");
const world = (page) => page.getByRole("region", { name: "World" });
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

async function openHouse(openTaskloom, options) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 }, ...options });
  await steps(page).first().waitFor();
  await expect(picker(page), "no choice if there is only one").toHaveCount(0);
  await reopen(page, "house.taskloom.json", HOUSE);
  return page;
}

/** Goes to a tick of the run. */
async function go(page, tick) {
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  await slider.fill(`${tick}`);
  await expect(slider).toHaveAttribute("aria-valuetext", `tick ${tick}`);
}

test("plan, flowchart and world follow the shown character", async ({ openTaskloom }) => {
  const page = await openHouse(openTaskloom);
  await expect(picker(page).locator("option")).toHaveText(["anna", "ben"]);
  await expect(shown(page)).toHaveText("anna");
  await expect(steps(page)).toHaveText(["wait", "walk(vault)", "wait"]);

  // His agent uses the cheapest plan, hers the first.
  await picker(page).selectOption("ben");
  await expect(steps(page)).toHaveText(["walk(vault)", "take"]);
  await page.getByText(/^The cheapest plan/).waitFor();
  const search = page.getByRole("combobox", { name: "Search strategy" });
  await expect(search.locator("option:checked")).toHaveText("Cheapest plan (document setting)");
  await tab(page, "Decomposition");
  await page.getByRole("treeitem", { name: /^steal/ }).last().click();
  const taken = page.locator(".node-box.taken");
  await expect(taken.filter({ hasText: "take" })).toHaveCount(1);
  await screenshots(page, "shown-method");
  await picker(page).selectOption("anna");
  await expect(taken).toHaveCount(0);
  await page.getByRole("tree", { name: "Decomposition" }).getByText("watch").waitFor();

  // Clicking a lane or a bar also selects its character.
  await tab(page, "Run");
  const lane = page.locator(".course .lane").nth(1);
  const { width, height } = await lane.boundingBox();
  await lane.click({ position: { x: width - 8, y: height / 2 } });
  await expect(shown(page)).toHaveText("ben");
  await page.locator('.course .bar[aria-label^="anna: wait"]').first().click();
  await page.keyboard.press("Escape");
  await expect(shown(page)).toHaveText("anna");
  await expect(page.locator(".run-line.on")).toHaveText(/anna: wait until 5/);
  await page.locator(".run-line").filter({ hasText: "ben: take" }).click();
  await expect(shown(page)).toHaveText("ben");

  // Both characters at one moment, one after the other.
  await go(page, 4);
  await expect(world(page).getByRole("heading")).toHaveText("World around tick 4 of the run");
  await world(page).getByRole("row", { name: "Memory of ben" }).waitFor();
  await world(page).getByRole("row", { name: /^rich true/ }).waitFor();
  await world(page).getByRole("row", { name: "Blackboard", exact: true }).waitFor();
  await expect(world(page).getByText("believes")).toHaveCount(0);
  await expect(world(page).getByRole("checkbox", { name: "differences" })).toHaveCount(0);
  await picker(page).selectOption("anna");
  await world(page).getByText("world: vault · anna believes: hall, initial belief").waitFor();
  await expect(world(page).getByRole("heading")).toHaveText("World around tick 4 of the run");
  await expect(world(page).getByRole("row", { name: /^rich/ })).toHaveCount(0);
  await screenshots(page, "shown-world");
  await world(page).getByRole("checkbox", { name: "differences" }).check();
  await expect(world(page).locator("tbody tr:not(.believed):not(.group)")).toHaveCount(1);
  await world(page).getByRole("checkbox", { name: "differences" }).uncheck();
  // There she meets him.
  await go(page, 8);
  await expect(world(page).getByText("anna believes: hall")).toHaveCount(0);
});

test("expectations, senses and the seed of a scenario with several characters", async ({ openTaskloom }) => {
  const page = await openHouse(openTaskloom);
  await test.step("expectations apply to the first character, no matter which is shown", async () => {
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "night", exact: true }).click();
    const kept = page.getByLabel("passed", { exact: true });
    await expect(kept).toHaveCount(2);
    await picker(page).selectOption("ben");
    await expect(steps(page)).toHaveText(["walk(vault)", "take"]);
    await expect(kept).toHaveCount(2);
    await expect(page.getByText("Checked with the document's search")).toHaveCount(0);
  });
  await test.step("a sense's condition suggests the fact's parameters and the observer", async () => {
    await reopen(page, "house.taskloom.json", HOUSE);
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "guard", exact: true }).click();
    await page.getByRole("textbox", { name: "Condition of sense 1" }).click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("place_of(?");
    const offered = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
    await expect(offered).toHaveText([/^\?me\s*person$/, /^\?p\s*person$/]);
  });
  await test.step("shows the seed only if something depends on chance", async () => {
    await reopen(page, "house.taskloom.json", HOUSE);
    const records = page.getByRole("tree", { name: "Records" });
    await records.getByRole("treeitem", { name: "night", exact: true }).click();
    await page.getByRole("heading", { name: /Forced failures/ }).waitFor();
    const seed = page.getByRole("textbox", { name: "Seed" }).or(page.getByRole("spinbutton", { name: "Seed" }));
    await expect(seed).toHaveCount(0);
    const house = structuredClone(HOUSE);
    const choice = house.compound_tasks.steal.method.blocks.b;
    choice.policy = "random";
    choice.scores = { 1: "1", 2: "1" };
    house.info.title = "A house of chance";
    await openFile(page, "chance.taskloom.json", JSON.stringify(house));
    await page.getByText("Opened “A house of chance”.").waitFor();
    await records.getByRole("treeitem", { name: "night", exact: true }).click();
    await expect(seed).toHaveCount(1);
  });
});

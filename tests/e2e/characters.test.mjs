// Characters: the cast, and each one's actions and observations in the run.

import { expect, openFile, screenshots, test } from "./harness.mjs";

const HOUSE = {
  taskloom: 3,
  info: { title: "The house" },
  types: { person: { parent: "object" }, room: { parent: "object" } },
  objects: { anna: { type: "person" }, ben: { type: "person" }, hall: { type: "room" }, vault: { type: "room" } },
  facts: {
    place_of: { params: ["?p: person"], value: { object: "room" }, source: "sensor" },
    gold: { params: ["?r: room"], source: "sensor" },
    alarm: { source: "blackboard" },
  },
  actions: { Walk: { params: ["?to: room"], duration: "2" }, Take: { duration: "1" }, Wait: { duration: "5" } },
  primitive_tasks: {
    walk: { params: ["?to: room"], action: "Walk(?to)", effects: [{ text: "place_of(?me) := ?to" }] },
    take: {
      action: "Take()",
      preconditions: ["gold(place_of(?me))"],
      effects: [{ text: "not gold(place_of(?me))" }, { text: "alarm" }],
    },
    wait: { action: "Wait()" },
  },
  compound_tasks: {
    watch: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "branch", condition: "alarm" },
          c: { kind: "task", call: "walk(vault)" },
          d: { kind: "task", call: "wait" },
        },
        wires: ["a.out -> b", "b.true -> c", "b.false -> d"],
      },
    },
  },
  agents: { guard: { type: "person" }, thief: { type: "person" } },
  scenarios: {
    night: {
      initial: ["place_of(anna) = hall", "place_of(ben) = hall", "gold(vault)"],
      cast: [
        { object: "anna", agent: "guard", tasks: ["watch"] },
        { object: "ben", agent: "thief", tasks: ["walk(vault)", "take"] },
      ],
    },
  },
};

/** Returns the rows of the run, one line each. */
async function rows(page) {
  const lines = await page.locator(".run-line").evaluateAll((all) => all.map((line) => `${line.classList[1]}: ${line.innerText}`));
  return lines.map((line) => line.replaceAll(/\s+/g, " ").trim());
}

test("a guard who notices the alarm replans at that tick", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "house.taskloom.json", JSON.stringify(HOUSE));
  await page.getByText("Opened “The house”.").waitFor();
  await page.getByRole("tab", { name: "Run" }).click();
  const thief = [
    "replan: 0 ben: plans: 2 steps",
    "complete: 0 ben: walk(vault) until 2 place_of(ben) = vault",
    "complete: 2 ben: take until 3 alarm = true, gold(vault) = false",
  ];
  await expect.poll(() => rows(page)).toEqual(["replan: 0 anna: plans: 1 step", "complete: 0 anna: wait until 5", ...thief]);
  // Each character has a separate lane.
  const tops = () => page.locator(".course .bar").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().top));
  await expect.poll(async () => new Set(await tops()).size).toBe(2);

  const records = page.getByRole("tree", { name: "Records" });
  await records.getByRole("treeitem", { name: "guard", exact: true }).click();
  await page.getByRole("switch", { name: /notices a change/ }).check();
  await expect(page.locator(".run-line").filter({ hasText: "noticed" })).toHaveCount(1);
  await expect.poll(() => rows(page)).toEqual([
    "replan: 0 anna: plans: 1 step",
    "interrupted: 0 anna: wait until 4 interrupted by a new plan",
    ...thief,
    "replan: 4 anna: replans: 1 step because it noticed alarm, which the plan depends on",
    "complete: 4 anna: walk(vault) until 6 place_of(anna) = vault",
  ]);
  await screenshots(page, "characters-agent");
  await records.getByRole("treeitem", { name: "night", exact: true }).click();
  await page.getByRole("heading", { name: "Actors" }).waitFor();
  await screenshots(page, "characters-cast");
});

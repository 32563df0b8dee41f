// The states of tasks at the current tick: in the plan, its decomposition, the flowchart and the stage.

import { expect, openFile, openView, screenshot, screenshots, test } from "./harness.mjs";

const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" });

/** Goes to a tick of the run. */
async function go(page, tick) {
  await slider(page).fill(`${tick}`);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", `tick ${tick}`);
}

/** Returns the names and states of the rows of a list, as screen readers announce them. */
const announced = (rows) => rows.evaluateAll((all) => all.map((row) => `${row.querySelector(".task").innerText} ${row.querySelector(".state").getAttribute("aria-label")}`));

test("shows planned, in progress, complete and failed everywhere", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await page.getByRole("combobox", { name: "Scenario", exact: true }).selectOption({ label: "The box slams shut" });
  await tab(page, "Run");
  await page.locator(".run-line").filter({ hasText: "replans" }).waitFor();
  await tab(page, "Plan");
  const steps = page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
  await expect(steps).toHaveCount(2);
  await expect.poll(() => announced(steps), "before the run").toEqual(["walk-to(box) planned", "take-ball planned"]);
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "get-ball", exact: true }).dblclick();

  const expected = {
    1: ["get-ball in progress", "walk-to(box) in progress", "take-ball planned"],
    4: ["get-ball failed", "walk-to(box) complete", "take-ball failed"],
    5: ["get-ball in progress", "open-box in progress", "take-ball planned"],
    8: ["get-ball complete", "open-box complete", "take-ball complete"],
  };
  for (const [tick, states] of Object.entries(expected)) {
    await tab(page, "Run");
    await go(page, Number(tick));
    await tab(page, "Plan");
    await expect.poll(() => announced(steps), `the plan at tick ${tick}`).toEqual(states.slice(1));
    await screenshots(page, `states-plan-${tick}`);
    await tab(page, "Decomposition");
    const rows = page.getByRole("tree", { name: "Decomposition" }).getByRole("treeitem");
    await expect.poll(() => announced(rows), `the decomposition at tick ${tick}`).toEqual(states);
    const blocks = page.locator(".canvas .block:has(.node-state)");
    await expect(blocks, `the blocks at tick ${tick}`).toHaveCount(2);
    for (const state of states.slice(1)) {
      const [task, ...word] = state.split(" ");
      const name = task.replace(/\(.*/, "");
      const marked = page.locator(`.canvas .block[aria-label*="State: ${word.join(" ")}"]`).filter({ hasText: name });
      await expect(marked.first(), `${state} at tick ${tick}`).toBeAttached();
    }
    await screenshots(page, `states-decomposition-${tick}`);
  }
});

test("the stage shows each character's actions, goals and discoveries", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const camp = {
    taskloom: 3,
    info: { title: "The target" },
    types: { person: { parent: "object" }, place: { parent: "object" } },
    objects: { ann: { type: "person" }, ben: { type: "person" }, hall: { type: "place" } },
    facts: {
      place_of: { params: ["?p: person"], value: { object: "place" }, source: "sensor" },
      ammo: { params: ["?p: person"], value: { number: { min: 0, max: 9 } }, source: "sensor" },
      hit: { source: "memory" },
    },
    actions: { Act: { duration: "2" } },
    primitive_tasks: {
      shoot: { action: "Act()", preconditions: ["ammo(?me) > 0"], effects: [{ text: "ammo(?me) -= 1" }, { text: "hit" }] },
      club: { action: "Act()", cost: "9", effects: [{ text: "hit" }] },
      wait: { action: "Act()" },
    },
    goals: { victory: { condition: "hit", priority: 1 } },
    agents: {
      hunter: { type: "person", senses: [{ fact: "place_of", every: 1 }, { fact: "ammo", every: 1, when: "?p != ?me" }], planning: { goals: { goals: ["victory"] } } },
      idler: { type: "person", planning: { decomposition: { tasks: ["wait"] } } },
    },
    scenarios: {
      once: {
        initial: ["place_of(ann) = hall", "place_of(ben) = hall"],
        cast: [
          { object: "ann", agent: "hunter", beliefs: ["ammo(ann) = 5"] },
          { object: "ben", agent: "idler" },
        ],
      },
    },
  };
  await openFile(page, "target.taskloom.json", JSON.stringify(camp));
  await page.getByText("Opened “The target”.").waitFor();
  await expect(page.getByRole("status", { name: "Plan" })).toContainText("ann’s plan: 1 step");
  await tab(page, "Run");
  const failed = page.locator(".run-line.failed").filter({ hasText: "shoot" });
  await expect(failed).toContainText("learned: ammo(ann)");
  await failed.click();
  const news = page.getByRole("list", { name: "Learned and noticed" });
  await expect(news).toContainText(/ann learned ammo\(ann\) = .* from shoot/);

  await openView(page, "Stage");
  await page.getByRole("main").getByRole("button", { name: "Actions", exact: true }).click();
  const doing = page.getByRole("list", { name: "Current actions" }).getByRole("listitem");
  await go(page, 0);
  await expect(doing.first()).toContainText("shoot");
  await expect(doing.first().getByRole("img", { name: "failed" })).toHaveCount(1);
  await expect(doing.first()).toContainText("for the goal victory");
  await expect(doing.first()).toContainText("learned ammo(ann)");
  await expect(doing.nth(1)).toContainText("wait");
  await expect(doing.nth(1).getByRole("img", { name: "in progress" })).toHaveCount(1);
  await screenshot(page, "states-stage");
  await doing.nth(1).getByRole("button").click();
  await expect(page.getByRole("status", { name: "Plan" })).toContainText("ben’s plan: 1 step");
});

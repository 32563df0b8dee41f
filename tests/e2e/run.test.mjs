// The Run tab shows what happened: the run's own plans, and the resulting world.

import { expect, openExample, openFile, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const steps = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
const tab = (page, name) => page.getByRole("tab", { name }).click();
const world = (page) => page.getByRole("region", { name: "World" });
const heading = (page, name) => world(page).getByRole("heading", { name, exact: true }).waitFor();

/** Returns the rows of the run, one line each. */
async function rows(page) {
  const lines = await page.locator(".run-line").evaluateAll((all) => all.map((line) => `${line.classList[1]}: ${line.innerText}`));
  return lines.map((line) => line.replaceAll(/\s+/g, " ").trim());
}

const row = (page, text) => page.locator(".run-line").filter({ hasText: text });

/** Returns the values of a fact as shown in World. */
async function values(page, fact) {
  const cells = await world(page).locator("tr", { hasText: fact }).locator("td").allInnerTexts();
  return cells.slice(1);
}

/** A document with facts, one-step actions of two ticks, and one scenario. */
function small({ facts, tasks, compound = {}, scenario }) {
  return JSON.stringify({
    taskloom: 1,
    info: { title: "Small" },
    facts: Object.fromEntries(facts.map((fact) => [fact, { source: "memory" }])),
    actions: { Act: { duration: 2 } },
    primitive_tasks: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, { action: "Act", ...task }])),
    compound_tasks: compound,
    scenarios: { once: scenario },
    layout: {},
  });
}

test("the run of a failed step: its rows, its plans, and the world that follows the tick", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await test.step("a failed step changes nothing, an event does, and the next plan is marked as a new one", async () => {
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await tab(page, "Run");
    await expect.poll(() => rows(page)).toEqual([
      "replan: 0 plans: 2 steps",
      "complete: 0 walk-to(box) until 3 at(box) = true, at(table) = false",
      "failed: 3 take-ball until 4 integrity rule of take-ball: box_open",
      "event: 4 event: not box_open box_open = false",
      "replan: 5 replans: 2 steps because take-ball failed: integrity rule of take-ball: box_open",
      "complete: 5 open-box until 6 box_open = true",
      "complete: 6 take-ball until 8 ball_in_box = false, has(ball) = true",
    ]);
    await row(page, "take-ball until 4").click();
    await heading(page, "World around take-ball, ticks 3 to 4 of the run");
    await expect.poll(() => values(page, "ball_in_box")).toEqual(["true", "true"]);
    await expect.poll(() => values(page, "box_open")).toEqual(["true", "false"]);
    await row(page, "event: not box_open").click();
    await heading(page, "World around the event at tick 4");
    await expect.poll(() => values(page, "box_open")).toEqual(["true", "false"]);
    await page.getByRole("button", { name: "Step forward" }).click();
    await heading(page, "World at tick 5 of the run");
    await expect.poll(() => values(page, "ball_in_box")).toEqual(["true"]);
    for (const name of ["Plan", "Decomposition"]) {
      await tab(page, name);
      await page.getByText("Plan 2 of the run, made at tick 5 because take-ball failed: integrity rule of take-ball: box_open.").waitFor();
    }
    await tab(page, "Plan");
    await expect(steps(page).first()).toContainText("open-box");
    await page.getByRole("button", { name: "Show the scenario's plan" }).click();
    await steps(page).first().filter({ hasText: "walk-to(box)" }).waitFor();
    await expect(page.getByText("Plan 2 of the run")).toHaveCount(0);
    await heading(page, "World at the start");
  });
  await test.step("stepping and playing", async () => {
    await tab(page, "Run");
    await row(page, "replans").waitFor();
    const slider = page.getByRole("slider", { name: "Tick of the run" });
    await slider.focus();
    for (const tick of [0, 1, 2, 3, 4]) {
      await page.keyboard.press("ArrowRight");
      await heading(page, `World around tick ${tick} of the run`);
    }
    await expect.poll(() => values(page, "box_open"), "the event of that tick").toEqual(["true", "false"]);
    await page.keyboard.press("End");
    await heading(page, "World around tick 8 of the run");
    await expect.poll(() => values(page, "has(ball)"), "the last step's effects").toEqual(["false", "true"]);
    // From the end it plays again, and stops there.
    await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "30 ticks per second" });
    await page.getByRole("button", { name: "Play" }).click();
    await heading(page, "World around tick 8 of the run");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.locator(".course .bar", { hasText: "take-ball" }).first().click();
    await heading(page, "World around take-ball, ticks 3 to 4 of the run");
    await page.keyboard.press("Escape");
    await expect(row(page, "take-ball until 4"), "the line of the bar").toBeInViewport();
  });
});

test("the Search tab shows the search of the planning at the shown tick", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "The box slams shut" });
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await tab(page, "Run");
  // Until it arrives, the previous scenario's run is shown.
  await row(page, "replans").waitFor();
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  await slider.fill("4");
  await tab(page, "Search");
  const list = page.getByRole("listbox", { name: "Search" });
  const rows = () => list.getByRole("option").allInnerTexts();
  const summary = page.getByRole("tabpanel", { name: "Search" }).locator(".hint").first();
  await list.getByRole("option").first().waitFor();
  await expect(summary).toHaveText(/^\d+ decisions, /);
  const first = await rows();
  expect(first.join("\n")).not.toContain("open-box");
  // From tick 5 on it follows its second plan.
  await tab(page, "Run");
  await slider.fill("6");
  await tab(page, "Search");
  await expect(summary).toHaveText(/^Planning at tick 5: \d+ decisions, /);
  await expect(list.getByRole("option").filter({ hasText: "open-box" }).first()).toBeVisible();
  await expect.poll(rows).not.toEqual(first);
  // And back.
  await tab(page, "Run");
  await slider.fill("2");
  await tab(page, "Search");
  await expect(summary).toHaveText(/^\d+ decisions, /);
  await expect.poll(rows).toEqual(first);
  // An edit makes another run, whose searches are others.
  await tab(page, "Run");
  await slider.fill("6");
  await tab(page, "Search");
  await expect(summary).toHaveText(/^Planning at tick 5: \d+ decisions, /);
  await page.getByRole("treeitem", { name: "open-box", exact: true }).click();
  const cost = page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Cost" });
  await cost.fill("2");
  await cost.blur();
  await plan(page).getByText("plan: 2 steps, cost 2").waitFor();
  await expect(summary).toHaveText(/^Planning at tick 5: \d+ decisions, /);
  await expect(list.getByRole("option").filter({ hasText: "open-box" }).first()).toBeVisible();
});

test("an event at tick 0 changes the run's plan, and its rows say so", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const enter = {
    method: {
      blocks: {
        a: { kind: "begin" },
        b: { kind: "branch", condition: "open" },
        c: { kind: "task", call: "go" },
        d: { kind: "task", call: "open-it" },
        e: { kind: "task", call: "go" },
      },
      wires: ["a.out -> b", "b.true -> c", "b.false -> d", "d.out -> e"],
    },
  };
  await openFile(
    page,
    "small.taskloom.json",
    small({
      facts: ["open"],
      tasks: { "open-it": { effects: [{ text: "open" }] }, go: { preconditions: ["open"] } },
      compound: { enter },
      scenario: { initial: ["open"], tasks: ["enter"], events: [{ at: 0, effect: "not open" }] },
    }),
  );
  await plan(page).getByText(/^plan: 1 step/).waitFor();
  await tab(page, "Run");
  await expect.poll(() => rows(page)).toEqual([
    "event: 0 event: not open open = false",
    "replan: 0 plans: 2 steps",
    "complete: 0 open-it until 2 open = true",
    "complete: 2 go until 4",
  ]);
  await row(page, "open-it").click();
  await tab(page, "Plan");
  await page.getByText("Plan 1 of the run, made at tick 0 after the first events.").waitFor();
  await expect(steps(page)).toHaveCount(2);
});

test("a waiting step shows its condition, even if the run is cut off", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const tasks = {
    call: { completion: ["answered"], effects: [{ text: "called" }] },
    talk: { completion: ["called and silent"] },
  };
  await openFile(
    page,
    "small.taskloom.json",
    small({ facts: ["called", "answered", "silent"], tasks, scenario: { tasks: ["call", "talk"], events: [{ at: 7, effect: "answered" }] } }),
  );
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await tab(page, "Run");
  await expect.poll(() => rows(page)).toEqual([
    "replan: 0 plans: 2 steps",
    "complete: 0 call until 7 called = true at tick 2, then waited",
    "event: 7 event: answered answered = true",
    "running: 7 talk in progress waits for silent; done at tick 9, then waited",
  ]);
  await page.getByText("The run was cut off at tick 10000: talk, waits for silent.").waitFor();
  const pill = plan(page).getByRole("button");
  await expect(pill, "a plan that never ends is no success").toHaveClass(/warn/);
  await expect(pill).toHaveAttribute("title", /^The run is cut off/);
});

test("a character without a plan waits until an event makes one possible", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(
    page,
    "small.taskloom.json",
    small({
      facts: ["open", "home"],
      tasks: { go: { preconditions: ["open"], effects: [{ text: "home" }] } },
      scenario: { tasks: ["go"], events: [{ at: 3, effect: "open" }], expect: ["no_plan", "recovers", { finally: "home" }] },
    }),
  );
  await plan(page).getByText(/^no plan/).waitFor();
  await tab(page, "Run");
  await expect.poll(() => rows(page)).toEqual([
    "replan: 0 plans: no plan; waits",
    "event: 3 event: open open = true",
    "replan: 3 replans: 1 step because something has changed",
    "complete: 3 go until 5 home = true",
  ]);
  await page.getByText("The run completes at tick 5.").waitFor();
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "once", exact: true }).click();
  await page.getByRole("region", { name: "Expectations" }).getByLabel("passed", { exact: true }).nth(2).waitFor();
});

test("a number that changes in the run keeps its row in World while it is 0", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "The opening");
  await tab(page, "Run");
  const row = (fact) => page.locator(`.world tr[data-fact="${fact}"]`);
  await page.getByRole("slider", { name: "Tick of the run" }).first().fill("9");
  await expect(row("minerals").getByRole("button", { name: "minerals is 0: override it from tick 9 on" })).toBeVisible();
  await expect(row("has(bunker)"), "one that is always 0 has none").toHaveCount(0);
});

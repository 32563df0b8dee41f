// Draws the ball in the box from an empty document with mouse and keyboard alone, plans it, undoes and redoes
// everything. Of what repeats itself, it draws less than the example has.

import { add, Chart, choose, inspector, parameter, primitive, write } from "./hands.mjs";
import { expect, newDocument, redoAll, savedFile, screenshot, test, undoAll } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });

const SCENARIOS = [
  ["slams-shut", ["at(table)", "ball_in_box", "box_open"], ["walk-to(box)", "take-ball"], [4, "not box_open"]],
  [
    "key-in-the-drawer",
    ["at(table)", "ball_in_box", "box_locked", "item_at(key, drawer)"],
    ["walk-to(box)", "walk-to(drawer)", "pick-up(key)", "walk-to(box)", "unlock-box", "open-box", "take-ball"],
  ],
  ["no-way-in", ["at(table)", "ball_in_box", "box_locked"], null],
];

test("the ball in the box by hand", async ({ openTaskloom }) => {
  // It takes as long as it takes to draw all this.
  test.setTimeout(600_000);
  const { page } = await openTaskloom({ viewport: { width: 1920, height: 1080 } });
  await newDocument(page);
  const empty = await savedFile(page);
  await test.step("draws its domain from an empty document", () => drawDomain(page));
  for (const scenario of SCENARIOS) {
    await test.step(`describes and plans its scenario ${scenario[0]}`, () => describeScenario(page, scenario));
  }
  await test.step("undoing everything leads to the empty document, and redoing everything to the same file, byte for byte", async () => {
    await expect(page.getByRole("tab", { name: /Problems/ })).toHaveText(/Problems\s*0$/);
    await screenshot(page, "journey-end");
    const drawn = await savedFile(page);
    await undoAll(page);
    expect(await savedFile(page)).toBe(empty);
    await redoAll(page);
    expect(await savedFile(page)).toBe(drawn);
  });
});

async function drawDomain(page) {
  for (const type of ["place", "item"]) {
    await add(page, "type", type);
  }
  for (const [object, type] of [
    ...["box", "drawer", "table"].map((name) => [name, "place"]),
    ...["ball", "hammer", "key"].map((name) => [name, "item"]),
  ]) {
    await add(page, "object", object);
    await choose(page, "Type", type);
  }
  for (const [fact, source, ...params] of [
    ["at", "sensor", ["place", "place"]],
    ["ball_in_box", "sensor"],
    ["box_locked", "sensor"],
    ["box_open", "sensor"],
    ["has", "memory", ["item", "item"]],
    ["item_at", "memory", ["item", "item"], ["place", "place"]],
  ]) {
    await add(page, "fact", fact);
    for (const [variable, type] of params) {
      await parameter(page, variable, type);
    }
    await choose(page, "Source", source);
  }
  for (const [action, duration, ...params] of [
    ["WalkTo", 3, ["place", "place"]],
    ["OpenBox", 1],
    ["UnlockBox", 2],
    ["TakeBall", 2],
    ["PickUp", 1, ["item", "item"]],
    ["Smash", 4],
  ]) {
    await add(page, "action", action);
    for (const [variable, type] of params) {
      await parameter(page, variable, type);
    }
    await write(page, "Duration in ticks", String(duration));
  }
  await primitive(page, "walk-to", {
    params: [["place", "place"]],
    action: "WalkTo(?place)",
    effects: ["forall ?p: place. not at(?p)", "at(?place)"],
  });
  await primitive(page, "pick-up", {
    params: [["item", "item"]],
    action: "PickUp(?item)",
    preconditions: ["exists ?p: place. at(?p) and item_at(?item, ?p)"],
    effects: ["has(?item)", "forall ?p: place. not item_at(?item, ?p)"],
  });
  await primitive(page, "unlock-box", {
    action: "UnlockBox",
    preconditions: ["at(box)", "has(key)"],
    effects: ["not box_locked"],
  });
  await primitive(page, "open-box", {
    action: "OpenBox",
    preconditions: ["at(box)", "not box_locked"],
    effects: ["box_open"],
  });
  await primitive(page, "smash-box", {
    action: "Smash",
    preconditions: ["at(box)", "has(hammer)"],
    effects: ["box_open"],
    cost: "5",
  });
  await primitive(page, "take-ball", {
    action: "TakeBall",
    preconditions: ["box_open", "ball_in_box"],
    effects: ["has(ball)", "not ball_in_box"],
    integrity: ["box_open"],
  });

  await add(page, "compound task", "get-key");
  const key = new Chart(page, "get-key", 6);
  await key.open();
  const bind = await key.grow(await key.begin(), "out", "Bind", [1, 1]);
  await page.locator(`[data-block="${bind}"]`).click();
  await write(page, "Variable", "?place");
  await choose(page, "Type of the variable", "place");
  await write(page, "Condition", "item_at(key, ?place)");
  const walk = await key.grow(bind, "out", "walk-to(?place)", [3, 1]);
  await key.grow(walk, "out", "pick-up(key)", [4.5, 1]);

  await add(page, "compound task", "get-ball");
  await write(page, "Precondition 1", "ball_in_box");
  const chart = new Chart(page, "get-ball", 10.5);
  await chart.open();
  const there = await chart.grow(await chart.begin(), "out", "Branch", [1, 1], "at(box)");
  const go = await chart.grow(there, "false", "walk-to(box)", [2, 2]);
  const open = await chart.grow(there, "true", "Branch", [3, 0.5], "box_open");
  await chart.connect(go, "out", open);
  const take = await chart.grow(open, "true", "take-ball", [4, -0.5]);
  await chart.grow(take, "out", "End", [5, -0.5]);
  const locked = await chart.grow(open, "false", "Branch", [4, 2.5], "box_locked");
  const openIt = await chart.grow(locked, "false", "open-box", [5.2, 4.5]);
  await chart.grow(openIt, "out", "take-ball", [6.3, 4.5]);
  const choice = await chart.grow(locked, "true", "Choice", [5.2, 1.2]);
  let last = choice;
  let port = "1";
  for (const [at, call] of ["get-key", "walk-to(box)", "unlock-box", "get-ball"].entries()) {
    last = await chart.grow(last, port, call, [6.4 + at, 0.6]);
    port = "out";
  }
  const smash = await chart.grow(choice, "2", "smash-box", [6.4, 2.6]);
  await chart.grow(smash, "out", "take-ball", [7.4, 2.6]);
  await page.mouse.move(chart.box.x + 300, chart.box.y + 700);
  await screenshot(page, "journey-get-ball");
}

/** Adds a scenario with initial values and events, and checks the plan. */
async function describeScenario(page, [name, initial, expected, event]) {
  await add(page, "scenario", name);
  await write(page, "Task 1", "get-ball");
  for (const atom of initial) {
    await inspector(page).getByRole("checkbox", { name: `Initial value of ${atom}`, exact: true }).click();
  }
  if (event) {
    await inspector(page).getByRole("button", { name: "Add an event" }).click();
    await write(page, "Tick of event 1", String(event[0]));
    await write(page, "Event 1", event[1]);
  }
  await page.getByRole("combobox", { name: "Scenario" }).selectOption(name);
  if (expected === null) {
    await plan(page).getByText(/^no plan/).waitFor();
    return;
  }
  await plan(page).getByText(new RegExp(`^plan: ${expected.length} step`)).waitFor();
  const steps = page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
  await expect(steps, name).toContainText(expected);
}

// Overrides in a run, the value histories of its numbers, and the same scenario in the other planning mode.

import { expect, nextFrame, reopen, savedFile, screenshots, test } from "./harness.mjs";
import { isAccessible, violations } from "./violations.mjs";

const tab = (page, name) => page.getByRole("tab", { name }).click();
const world = (page) => page.getByRole("region", { name: "World" });
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" });
const line = (page, text) => page.locator(".run-line").filter({ hasText: text });
const overrides = (page) => page.getByRole("list", { name: "Overrides (not saved)" });

/** A gate that a walker passes at tick 4, and gold that each step costs; nothing else happens. */
const GATE = {
  taskloom: 3,
  info: { title: "The gate" },
  types: { place: { parent: "object" } },
  objects: { inside: { type: "place" }, outside: { type: "place" } },
  facts: {
    gate_open: { source: "sensor" },
    gold: { value: { number: { min: 0, max: 9, integer: true } }, source: "blackboard" },
    place: { value: { object: "place" }, source: "sensor" },
  },
  actions: { Act: { duration: "2" } },
  primitive_tasks: {
    walk: { action: "Act", effects: [{ text: "gold -= 1" }] },
    pass: { action: "Act", preconditions: ["gate_open"], effects: [{ text: "place := inside" }, { text: "gold -= 2" }] },
    open: { action: "Act", preconditions: ["not gate_open"], effects: [{ text: "gate_open" }] },
  },
  compound_tasks: {
    enter: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "branch", condition: "gate_open" },
          c: { kind: "task", call: "pass" },
          d: { kind: "task", call: "open" },
          e: { kind: "task", call: "pass" },
        },
        wires: ["a.out -> b", "b.true -> c", "b.false -> d", "d.out -> e"],
      },
    },
  },
  scenarios: {
    day: { initial: ["gate_open", "gold = 5", "place = outside"], tasks: ["walk", "walk", "enter"] },
    night: { initial: ["gold = 5"], tasks: ["walk"] },
  },
};

async function opened(openTaskloom) {
  const { page } = await openTaskloom();
  await openGate(page);
  return page;
}

/** Opens the gate, again or for the first time, and its run. */
async function openGate(page) {
  await reopen(page, "gate.taskloom.json", GATE);
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan: 3 steps/).waitFor();
  await tab(page, "Run");
  await page.getByText("The run completes at tick 6.").waitFor();
}

/** Goes to a tick by keyboard. */
async function at(page, tick) {
  await slider(page).focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < tick; step += 1) await page.keyboard.press("ArrowRight");
  await world(page).getByRole("heading", { name: `World around tick ${tick} of the run` }).waitFor();
}

const fact = (page, name) => world(page).getByRole("button", { name: new RegExp(`^${name} is `) });

test("overrides facts, numbers and objects from a tick on, and keeps them as events or removes them", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  await test.step("overrides a fact from a tick by keyboard alone, and keeps it as an event or removes it", async () => {
    await at(page, 2);
    await fact(page, "gate_open").focus();
    await page.keyboard.press("Enter");
    const choice = page.getByRole("combobox", { name: "Value of gate_open from tick 2 on" });
    await expect(choice).toBeFocused();
    await expect(choice, "the other value is suggested").toHaveValue("false");
    await page.keyboard.press("Enter");
    // The open gate is overridden to be shut from tick 2 on: it has to be opened first.
    await page.getByText("The run completes at tick 9.").waitFor();
    await line(page, "override: not gate_open").waitFor();
    await expect(page.locator(".course-mark.by-hand")).toHaveCount(1);
    await expect(overrides(page).getByRole("listitem")).toHaveText(/changed at tick 2: gate_open is false/);
    await expect(fact(page, "gate_open"), "the focus is back").toBeFocused();
    expect(JSON.parse(await savedFile(page)).scenarios.day.events, "the document is unchanged").toBeUndefined();
    await page.getByRole("button", { name: "Remove: gate_open at tick 2" }).click();
    await page.getByText("The run completes at tick 6.").waitFor();
    await expect(overrides(page)).toHaveCount(0);

    // Overrides it again, and keeps the override.
    await at(page, 2);
    await fact(page, "gate_open").click();
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("The run completes at tick 9.").waitFor();
    await page.getByRole("button", { name: "Keep as event: gate_open at tick 2" }).click();
    await line(page, "event: not gate_open").waitFor();
    await expect(overrides(page)).toHaveCount(0);
    expect(JSON.parse(await savedFile(page)).scenarios.day.events).toEqual([{ at: 2, effect: "not gate_open" }]);
    await page.getByText("The run completes at tick 9.").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText("The run completes at tick 6.").waitFor();
  });
  await test.step("overrides numbers and objects, rejects numbers out of range, and drops overrides with the scenario", async () => {
    await openGate(page);
    await at(page, 1);
    await fact(page, "gold").click();
    const number = page.getByRole("textbox", { name: "Value of gold from tick 1 on" });
    await expect(number).toHaveValue("5");
    await number.fill("12");
    await page.keyboard.press("Enter");
    await page.getByText("The maximum is 9.").waitFor();
    await number.fill("9");
    await page.keyboard.press("Enter");
    await expect(overrides(page).getByRole("listitem")).toHaveText(/changed at tick 1: gold = 9/);
    await expect(fact(page, "gold")).toHaveText("9");
    await fact(page, "place").click();
    await page.getByRole("combobox", { name: "Value of place from tick 1 on" }).selectOption("inside");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await expect(overrides(page).getByRole("listitem")).toHaveCount(2);
    await fact(page, "gold").click();
    await page.keyboard.press("Escape");
    await expect(fact(page, "gold"), "Escape sets nothing").toBeFocused();
    await expect(overrides(page).getByRole("listitem")).toHaveCount(2);
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "night" });
    await expect(overrides(page)).toHaveCount(0);
    // If there is no value yet, one has to be chosen.
    await page.getByText("The run completes at tick 2.").waitFor();
    await at(page, 1);
    await world(page).getByRole("checkbox", { name: "all" }).check();
    await fact(page, "place").click();
    await page.keyboard.press("Enter");
    await page.getByText("Choose an object.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "day" });
    await page.getByText("The run completes at tick 6.").waitFor();
    await expect(overrides(page)).toHaveCount(0);
  });
});

test("plots and describes a number's history, and shows it beside overrides and a comparison", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  await test.step("the history of a number, of another or none", async () => {
    const chart = page.getByRole("group", { name: "Value history" });
    await chart.getByRole("img", { name: "gold: 5 at tick 0, 4 at tick 2, 3 at tick 4, 1 at tick 6", exact: true }).waitFor();
    await chart.getByText("gold is 5 before the run").waitFor();
    await at(page, 3);
    await chart.getByText("gold is 4 at tick 3").waitFor();
    // There is a stroke for each change, and the current tick is aligned with the slider.
    await expect(chart.locator("path")).toHaveAttribute("d", /^M0 0\.0H333V10\.0H667V20\.0H1000V40\.0H1000$/);
    const middle = (box) => box.x + box.width / 2;
    const lines = page.locator(".run .now");
    await expect.poll(async () => Math.abs(middle(await lines.nth(0).boundingBox()) - middle(await lines.nth(1).boundingBox()))).toBeLessThan(1.5);
    const select = chart.getByRole("combobox", { name: "Plotted value" });
    await select.selectOption("no number");
    await expect(chart.getByRole("img")).toHaveCount(0);
    await select.selectOption("gold");
    await chart.getByRole("img").waitFor();
    // It includes overrides.
    await at(page, 1);
    await fact(page, "gold").click();
    await page.getByRole("textbox", { name: "Value of gold from tick 1 on" }).fill("9");
    await page.keyboard.press("Enter");
    await chart.getByRole("img", { name: "gold: 5 at tick 0, 9 at tick 1, 8 at tick 2, 7 at tick 4, 5 at tick 6" }).waitFor();
    expect(await violations(page, { part: ".panel" })).toEqual([]);
  });
  await test.step("overrides, value history and comparison are visible", async () => {
    await openGate(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => document.querySelector(".app").style.setProperty("--panel-height", "430px"));
    await page.getByRole("button", { name: "Compare with reactive planning" }).click();
    await at(page, 2);
    await fact(page, "gate_open").click();
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("The run completes at tick 9.").waitFor();
    await at(page, 5);
    await fact(page, "gold").click();
    await page.getByRole("textbox", { name: "Value of gold from tick 5 on" }).waitFor();
    await nextFrame(page);
    await screenshots(page, "run-live");
    await isAccessible(page, { part: ".panel" });
  });
});

test("compares the run with the other planning mode under one slider", async ({ openTaskloom }) => {
  const page = await opened(openTaskloom);
  const button = page.getByRole("button", { name: "Compare with reactive planning" });
  const table = page.getByRole("table", { name: "Comparison of planning modes" });
  await button.focus();
  await page.keyboard.press("Enter");
  await table.waitFor();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(table.getByRole("row", { name: /^outcome/ })).toHaveText(/complete\s*complete/);
  await expect(table.getByRole("row", { name: /^plans made/ })).toHaveText(/1\s*3/);
  await expect(table.getByRole("row", { name: /^cost/ })).toHaveText(/3\s*3/);
  await at(page, 5);
  await expect(table.getByRole("row", { name: /^at tick 5/ })).toHaveText(/pass\s*pass/);
  await expect(page.locator(".course")).toHaveCount(2);
  // The override shuts the gate unnoticed by the lookahead planner; it also applies to the other run.
  await at(page, 4);
  await fact(page, "gate_open").click();
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.locator(".course-mark.by-hand")).toHaveCount(2);
  await expect(table.getByRole("row", { name: /^ends at tick/ })).toHaveText(/9\s*8/);
  expect(await violations(page, { part: ".panel" })).toEqual([]);
  await button.click();
  await expect(table).toHaveCount(0);
});

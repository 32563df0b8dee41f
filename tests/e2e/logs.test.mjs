// Logs of runs and games, opened in the editor, and new scenarios that begin where a run was.

import { readFileSync } from "node:fs";
import { chooseFile, expect, openExample, test } from "./harness.mjs";
import { violations } from "./violations.mjs";

const folder = new URL("../../crates/runtime/tests/it/logs/", import.meta.url);
const golden = readFileSync(new URL("case-5-the-box-slams-shut.jsonl", folder), "utf8");

const strip = (page) => page.getByRole("status", { name: "Log" });
const openLog = (page, text) => chooseFile(page, () => page.keyboard.press("Control+o"), "game.jsonl", text);

test("a log is shown as the run of its scenario, until it is closed", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ pickers: false });
  await openExample(page, "The ball in the box");
  // In this game, which has an older document, the last step takes two ticks longer than in the simulator.
  const longer = golden.replaceAll('"tick":8', '"tick":10').replace(/"document":"[^"]*"/, '"document":"0-0"');
  await openLog(page, longer);
  await expect(strip(page)).toContainText("game.jsonl, written for another version of this document.");
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("case-5-the-box-slams-shut");
  await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
  const record = page.locator(".run-record");
  await expect(record.getByRole("option").last()).toContainText("10");
  await record.getByRole("option").last().click();
  await expect(page.getByRole("button", { name: /override it from tick/ })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  // It stays with its scenario under another name.
  await page.locator('[data-outline="scenario:case-5-the-box-slams-shut"]').click();
  const name = page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Name", exact: true });
  await name.fill("a-longer-game");
  await name.press("Enter");
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("a-longer-game");
  await expect(strip(page)).toBeVisible();
  await expect(record.getByRole("option").last()).toContainText("10");
  await strip(page).getByRole("button", { name: "Close the log" }).click();
  await expect(strip(page)).toHaveCount(0);
  await expect(record.getByRole("option").last()).not.toContainText("10");
});

test("a log that can't be shown is refused with its line, and the open document stays", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ pickers: false });
  await openExample(page, "The night guard");
  await openLog(page, golden);
  const report = page.getByText("Couldn't open game.jsonl");
  await expect(report).toBeVisible();
  await expect(page.getByText(/In line 1: the document has no scenario 'case-5-the-box-slams-shut'. The log was written for another document or version: 'The ball in the box'/)).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  await openLog(page, golden.split("\n").toSpliced(3, 0, "{ torn").join("\n"));
  await expect(page.getByText(/In line 4: /)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Title of the document" })).toHaveValue("The night guard");
});

test("a new scenario begins with the world and the beliefs at the shown tick", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "Hunter and hunted");
  const scenario = page.getByRole("combobox", { name: "Scenario" });
  await scenario.selectOption({ label: "The wrong room" });
  await page.getByRole("tab", { name: "Run" }).click();
  await page.locator(".run-line").filter({ hasText: /catch\(wren,\s*kitchen\)/ }).first().waitFor();
  const button = page.getByRole("button", { name: "Start from here" });
  await expect(button).toBeDisabled();
  await page.getByRole("slider", { name: "Tick of the run" }).first().fill("4");
  await button.click();
  await expect(scenario.locator("option:checked")).toHaveText("The wrong room, from tick 5");
  const record = page.locator(".run-record");
  // The runaway goes on from the hall, where the hunter doesn't believe her to be.
  await expect(record.getByRole("option").first()).toContainText("0");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByText("at(wren, hall)", { exact: true }).first()).toBeAttached();
  await page.keyboard.press("Control+z");
  await expect(scenario.locator("option", { hasText: "from tick 5" })).toHaveCount(0);
});

/** A guard takes cover where the game says, or prays. */
const COVER = JSON.stringify({
  taskloom: 3,
  info: { title: "Cover" },
  types: { person: { parent: "object" }, spot: { parent: "object" } },
  objects: { ann: { type: "person" }, crate: { type: "spot" }, wall: { type: "spot" } },
  actions: { Walk: { duration: "1" } },
  primitive_tasks: { walk: { params: ["?spot: spot"], action: "Walk" }, pray: { action: "Walk" } },
  compound_tasks: {
    flee: {
      method: {
        blocks: {
          a: { kind: "begin" },
          b: { kind: "choice", alternatives: ["1 hide", "2 pray"] },
          c: { kind: "bind", variable: "?spot: spot", query: "cover(?me)" },
          d: { kind: "task", call: "walk(?spot)" },
          e: { kind: "task", call: "pray" },
        },
        wires: ["a.out -> b", "b.1 -> c", "c.out -> d", "b.2 -> e"],
      },
    },
  },
  agents: { guard: { type: "person", planning: { decomposition: { tasks: ["flee"] } } } },
  scenarios: { s: { cast: [{ agent: "guard", object: "ann" }] } },
  layout: {},
});

/** The log of a game that knows no cover. */
const UNCOVERED = [
  { entry: "start", format: 1, level: "all", title: "Cover", document: "0-0", scenario: "s", tick: 0, actors: [{ number: 0, name: "ann", agent: "guard" }] },
  { entry: "snapshot", tick: 0, facts: {} },
  {
    entry: "plan",
    tick: 0,
    actor: 0,
    number: 0,
    cause: "start",
    outcome: "plan",
    plan: {
      cost: 1,
      steps: [{ task: "pray", cost: 1, path: [{ task: "flee", block: "e" }], node: 1 }],
      tasks: [
        { task: "flee", by: { blocks: ["a", "b", "e"], wires: ["a.out -> b", "b.2 -> e"], children: [1], before: 0 } },
        { task: "pray", parent: 0, block: "e", step: 0 },
      ],
      roots: [0],
    },
    answers: [{ query: "cover(ann)", objects: [] }],
  },
  { entry: "step", tick: 0, actor: 0, state: "started", task: "pray", plan: 0, step: 0, start: 0, due: 1 },
  { entry: "step", tick: 1, actor: 0, state: "succeeded", task: "pray", plan: 0, step: 0, number: 0, start: 0, due: 1, acted: 1 },
  { entry: "end", tick: 1, end: "complete" },
];

test("the log of a game shows its answers to queries, and what they ruled out", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ pickers: false });
  await chooseFile(page, () => page.keyboard.press("Control+o"), "cover.json", COVER);
  await page.getByText("Opened “Cover”.").waitFor();
  await openLog(page, UNCOVERED.map((entry) => JSON.stringify(entry)).join("\n"));
  const planning = page.locator(".run-record").getByRole("option").filter({ hasText: "plans: 1 step" });
  await expect(planning).toContainText("the game answered cover(ann) with no object");
  await planning.click();
  await page.keyboard.press("Enter");
  const why = page.getByRole("dialog", { name: "Why does ann plan?" });
  await expect(why.getByRole("row").last()).toHaveText(/cover\(ann\)\s*no object/);
  await expect(why).toContainText("the game's answer to cover(ann) has no object of type spot");
  await expect(why).not.toContainText("is false");
  expect(await violations(page)).toEqual([]);
});

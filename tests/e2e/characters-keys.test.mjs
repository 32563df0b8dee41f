// By keyboard alone: adds a second actor with a sense and a goal, and plays the run.

import { inspector } from "./hands.mjs";
import { expect, openFile, screenshot, test } from "./harness.mjs";

const YARD = {
  taskloom: 3,
  info: { title: "The yard" },
  types: { person: { parent: "object" } },
  objects: { anna: { type: "person" }, ben: { type: "person" } },
  facts: { hungry: { params: ["?p: person"], source: "sensor" }, gate_open: { source: "sensor" } },
  actions: { Cook: { duration: "2" }, Open: { duration: "1" } },
  primitive_tasks: {
    cook: { action: "Cook()", effects: [{ text: "not hungry(?me)" }] },
    open: { action: "Open()", effects: [{ text: "gate_open" }] },
  },
  agents: { keeper: { type: "person" }, worker: { type: "person" } },
  scenarios: {
    morning: {
      initial: ["hungry(ben)"],
      cast: [{ object: "anna", agent: "keeper", tasks: ["open"] }],
    },
  },
};

/** Moves the focus to a part of the page by F6, and by Tab to an element in it with this role and name. */
async function tabTo(page, part, role, name) {
  const wanted = part.getByRole(role, { name, exact: true });
  await wanted.first().waitFor();
  for (let turn = 0; turn < 8; turn += 1) {
    await page.keyboard.press("F6");
    if (await part.evaluate((part) => part.contains(document.activeElement))) break;
  }
  for (let turn = 0; turn < 120; turn += 1) {
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${name}, but ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 200))}`);
}

/** Opens a record from the command palette. */
async function goTo(page, name) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);
}

test("adds a second actor with a sense and a goal, and shows its actions, by keyboard alone", async ({ openTaskloom }) => {
  test.slow();
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "yard.taskloom.json", JSON.stringify(YARD));
  await page.getByText("Opened “The yard”.").waitFor();

  const simulation = page.getByRole("contentinfo", { name: "Simulation" });
  // The worker's goal.
  await goTo(page, "worker");
  await tabTo(page, inspector(page), "combobox", "Planning mode");
  await page.keyboard.type("goals");
  await expect(page.getByRole("combobox", { name: "Planning mode" })).toHaveValue("goals");
  // The worker's sense.
  await tabTo(page, inspector(page), "button", "Add a sense");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Senses" }).getByRole("combobox").first()).toBeVisible();
  await goTo(page, "worker");
  await tabTo(page, inspector(page), "button", "New goal");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("input:not([type]), input[type=text]"));
  await page.keyboard.type("fed");
  await page.keyboard.press("Enter");
  await tabTo(page, inspector(page), "textbox", "Condition");
  await page.keyboard.type("not hungry(?me)");
  await page.keyboard.press("Escape");

  // The actors.
  await goTo(page, "morning");
  await tabTo(page, inspector(page), "button", "Add an actor");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Actor 2" })).toBeVisible();
  await tabTo(page, inspector(page), "combobox", "Agent of actor 2");
  await page.keyboard.type("worker");
  await expect(page.getByRole("combobox", { name: "Agent of actor 2" })).toHaveValue("worker");
  await expect(page.getByRole("combobox", { name: "Object of actor 2" })).toHaveValue("ben");

  // The run, with both actors.
  await tabTo(page, simulation, "tab", "Plan");
  const tab = page.getByRole("tab", { name: "Run" });
  for (let turn = 0; turn < 9 && (await tab.getAttribute("aria-selected")) !== "true"; turn += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(page.locator(".run-line").filter({ hasText: "ben: cook" })).toHaveCount(1);
  await expect(page.locator(".run-line").filter({ hasText: "anna: open" })).toHaveCount(1);
  await tabTo(page, simulation, "button", "Play");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("slider", { name: /tick/i })).not.toHaveValue("0");
  await screenshot(page, "characters-keys");
});

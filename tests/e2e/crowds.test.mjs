// Crowds: many actors in one line, added by mouse, changed by keyboard, and shown in the run.

import { inspector } from "./hands.mjs";
import { expect, openFile, screenshot, test } from "./harness.mjs";

const OFFICE = {
  taskloom: 3,
  info: { title: "The office" },
  types: { person: { parent: "object" }, room: { parent: "object" } },
  objects: { hall: { type: "room" }, office: { type: "room" } },
  facts: { place_of: { params: ["?p: person"], value: { object: "room" }, source: "sensor" } },
  actions: { Walk: { params: ["?to: room"], duration: "2" } },
  primitive_tasks: {
    walk: { params: ["?to: room"], action: "Walk(?to)", effects: [{ text: "place_of(?me) := ?to" }] },
  },
  agents: { clerk: { type: "person", planning: { decomposition: { tasks: ["walk(office)"] } } } },
  scenarios: { morning: {} },
};

test("a crowd is added, renamed, resized, given an initial value, and runs; undo takes it back", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "office.taskloom.json", JSON.stringify(OFFICE));
  await page.getByText("Opened “The office”.").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.type("morning");
  await page.keyboard.press("Enter");

  // By mouse.
  await inspector(page).getByRole("button", { name: "Add a crowd", exact: true }).click();
  const crowd = inspector(page).getByRole("group", { name: "Crowd 1", exact: true });
  await expect(crowd.getByText("clerk-1 … clerk-3")).toBeVisible();
  await expect(crowd.getByRole("combobox", { name: "Agent of crowd 1" })).toHaveValue("clerk");

  // By keyboard.
  const count = crowd.getByRole("textbox", { name: "Number of actors in crowd 1" });
  await count.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("12");
  await page.keyboard.press("Tab");
  await expect(crowd.getByRole("textbox", { name: "Name of crowd 1" })).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("teller");
  await page.keyboard.press("Enter");
  await expect(crowd.getByText("teller-1 … teller-12")).toBeVisible();
  await crowd.getByRole("button", { name: "Add an initial value of crowd 1" }).click();
  await page.keyboard.type("place_of(?me) = hall");
  await page.keyboard.press("Escape");
  await expect(crowd.getByRole("alert")).toHaveCount(0);

  // One of them begins elsewhere; it can't begin nowhere, since no text says that.
  const place = inspector(page).getByRole("combobox", { name: "Initial value of place_of(teller-3)" });
  await expect(place.getByRole("option")).toHaveText(["hall", "office"]);
  await place.selectOption("office");
  await expect(place).toHaveValue("office");
  await expect(inspector(page).getByText("place_of(teller-3) = office")).toBeVisible();

  // Other texts of the scenario can name them.
  await inspector(page).getByRole("button", { name: "Add an initial value", exact: true }).click();
  await page.keyboard.type("place_of(tel");
  await expect(page.getByRole("option", { name: "teller-12 person" })).toBeVisible();
  await page.keyboard.type("ler-12) = office");
  await page.keyboard.press("Escape");

  // The run shows all twelve.
  await page.getByRole("tab", { name: "Run" }).click();
  await expect(page.locator(".run-line").filter({ hasText: "teller-12: walk(office)" })).toHaveCount(1);
  await screenshot(page, "crowds");

  await inspector(page).getByRole("button", { name: "Remove crowd 1" }).click();
  await expect(crowd).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(crowd.getByText("teller-1 … teller-12")).toBeVisible();
});

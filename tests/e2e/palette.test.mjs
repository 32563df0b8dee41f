// The command palette: everything is found by its title.

import { inspector } from "./hands.mjs";
import { expect, test } from "./harness.mjs";

const palette = (page) => page.getByRole("dialog", { name: "Command palette" });
const scenario = (page) => page.getByRole("combobox", { name: "Scenario" });

/** Picks an entry of the palette. */
async function pick(page, text) {
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "detached" });
}

test("the palette finds help pages, exports, settings, scenarios, tabs and commands by title", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await test.step("a help page", async () => {
    const [help] = await Promise.all([context.waitForEvent("page"), pick(page, "Agents and actors")]);
    await help.waitForLoadState("load");
    await expect(help).toHaveURL(({ pathname }) => pathname.endsWith("/help/agents.html"));
    await help.close();
  });
  await test.step("an export", async () => {
    const download = page.waitForEvent("download");
    await pick(page, "Export as HDDL");
    await download;
  });
  await test.step("a setting", async () => {
    await pick(page, "Theme: dark");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await pick(page, "Theme: light");
    await page.getByRole("button", { name: "Light" }).waitFor();
  });
  await test.step("a scenario", async () => {
    await pick(page, "The box slams shut");
    await expect(scenario(page)).toHaveValue("case-5-the-box-slams-shut");
    await expect(inspector(page).getByRole("textbox", { name: "Name", exact: true })).toHaveValue("case-5-the-box-slams-shut");
  });
  await test.step("every tab", async () => {
    const tabs = page.getByRole("tablist", { name: "Simulation" }).getByRole("tab");
    for (const name of await tabs.evaluateAll((all) => all.map((one) => one.firstChild.textContent))) {
      await pick(page, `Show the ${name} tab`);
      await expect(page.getByRole("tab", { name })).toHaveAttribute("aria-selected", "true");
    }
  });
  await test.step("a command, by the toolbar's button", async () => {
    await page.getByRole("button", { name: "Search or run a command" }).click();
    await palette(page).waitFor();
    // What was used comes first next time, under its own heading.
    await expect(palette(page).locator(".finder-head").first()).toHaveText("Recent");
    await expect(palette(page).getByRole("combobox")).toHaveAttribute("placeholder", "Search or run a command");
    await page.keyboard.type("New scenario");
    await page.getByRole("option", { name: "New scenario" }).first().waitFor();
    await page.keyboard.press("Enter");
    await scenario(page).getByRole("option", { name: "scenario", exact: true }).waitFor({ state: "attached" });
  });
  await test.step("blocks with the same text, which differ in their rows", async () => {
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    await page.keyboard.type("walk-to(");
    await page.locator(".finder-list [role=option]", { hasText: "2 of" }).first().waitFor();
    const rows = await page.locator(".finder-list [role=option]").allInnerTexts();
    expect(new Set(rows).size, rows.join("\n")).toBe(rows.length);
  });
});

// All views meet the accessibility rules that a machine can check, in light and in dark.

import { boxAtRest, expect, nextFrame, openExample, test } from "./harness.mjs";
import { isAccessible } from "./violations.mjs";

/** Fields without a label, with two different labels, or with the label of another field nearby: one line each. */
function unclearLabels(page) {
  return page.evaluate(() => {
    const text = (element) => {
      const copy = element.cloneNode(true);
      for (const inner of copy.querySelectorAll("select, option, textarea, [aria-hidden=true], .message")) inner.remove();
      return copy.textContent.trim();
    };
    const found = [];
    const places = new Map();
    for (const field of document.querySelectorAll("input, textarea, select")) {
      if (!field.checkVisibility() || field.type === "hidden" || field.type === "file") continue;
      const labels = [...(field.labels ?? [])].map(text).filter(Boolean);
      const own = field.getAttribute("aria-label")?.trim();
      const name = own || labels[0];
      const label = `${field.tagName.toLowerCase()} ${name ?? field.outerHTML}`;
      if (!name) found.push(`${label}: no name`);
      if (labels.length > 1) found.push(`${label}: ${labels.length} labels`);
      // Users of voice control say the text that they see.
      if (own && labels[0] && !own.toLowerCase().includes(labels[0].toLowerCase())) found.push(`${label}: seen as ${labels[0]}`);
      const place = field.closest("aside, nav, footer, header, dialog, main");
      const names = places.get(place) ?? places.set(place, new Set()).get(place);
      if (names.has(name)) found.push(`${label}: another field of that name`);
      names.add(name);
    }
    return found;
  });
}

/** Opens the page and returns a function that checks it as it is. */
async function opened(openTaskloom) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  // On the rest of the page, nothing differs from the previous look.
  const look = async (name, part) => {
    await isAccessible(page, { name, part });
    // The labels of an agent's triggers lead on to the field beside them.
    if (name.endsWith("Agents")) return;
    expect.soft(await unclearLabels(page), name).toEqual([]);
  };
  return { page, records: page.getByRole("tree", { name: "Records" }), look };
}

// Each takes longer than other journeys: axe computes the colours behind each text.
test("tabs, drawers, menus and dialogs meet the accessibility rules", async ({ openTaskloom }) => {
  test.slow();
  const { page, records, look } = await opened(openTaskloom);
  await look("Board, plan, the document's inspector");
  for (const tab of ["Decomposition", "Run", "Search", "Problems"]) {
    await page.getByRole("tab", { name: tab }).click();
    await look(`the tab ${tab}`, ".panel");
  }
  await expect(records.getByRole("treeitem", { level: 2, name: "get-ball", exact: true }), "records expose their level").toHaveCount(1);
  await page.getByRole("tab", { name: "Plan" }).click();
  for (const [item, name] of [
    ["Documents…", "Documents"],
    ["Share a link…", "Share"],
  ]) {
    await page.getByRole("button", { name: "File" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog", { name }).waitFor();
    await look(`the drawer ${name}`, "dialog[open]");
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "History" }).click();
  await look("the history", "dialog[open]");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "File" }).click();
  await look("the File menu", ".toolbar");
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).waitFor();
  await look("the examples", "dialog[open]");
  await page.keyboard.press("Escape");
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await look("the command palette", "dialog[open]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await look("the help sheet", "dialog[open]");
});

test("the inspector of each kind of record meets the accessibility rules", async ({ openTaskloom }) => {
  test.slow();
  const { page, records, look } = await opened(openTaskloom);
  await openExample(page, "Captain and camp");
  await look("a larger example, with a message");
  const kinds = ["Types", "Objects", "Facts", "Conditions", "Actions", "Primitive tasks", "Compound tasks", "Goals", "Agents"];
  for (const kind of kinds) {
    const item = records.getByRole("group", { name: kind, exact: true }).locator(".item").first();
    await item.click();
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await look(`the inspector of the first of ${kind}`, ".inspector");
  }
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const actors = page.getByRole("region", { name: "Actors" });
  await actors.waitFor();
  const closed = actors.locator("details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  await look("the inspector of a scenario, with its actors", ".inspector");
});

test("the inspector of each kind of block meets the accessibility rules", async ({ openTaskloom }) => {
  test.slow();
  const { page, records, look } = await opened(openTaskloom);
  await openExample(page, "The night guard");
  const blocks = ["begin", "primitive", "compound", "branch", "choice", "bind", "end"];
  for (const task of await records.getByRole("group", { name: "Compound tasks" }).locator(".item").all()) {
    if (blocks.length === 0) break;
    await task.dblclick();
    await boxAtRest(page.locator("[data-block]").first());
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await nextFrame(page);
    for (const kind of [...blocks]) {
      const block = page.locator(`[data-block]:has(.node-box.${kind})`).first();
      if (await block.isVisible()) {
        await block.focus();
        await block.click();
        await look(`the inspector of a ${kind} block`, ".inspector");
        blocks.splice(blocks.indexOf(kind), 1);
      }
    }
  }
  await look("a method");
  expect(blocks, "every kind of block was checked").toEqual([]);
  await page.locator(".canvas").focus();
  await page.keyboard.press("Shift+A");
  await page.getByRole("combobox", { name: "Add a block" }).waitFor();
  await look("the search box", ".finder");
});

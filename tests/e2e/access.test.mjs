// All views meet the accessibility rules that a machine can check, in light and in dark.

import { boxAtRest, expect, inBothThemes, nextFrame, openExample, test } from "./harness.mjs";
import { violations } from "./violations.mjs";

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

test("all views meet the accessibility rules", async ({ openTaskloom }) => {
  test.setTimeout(300_000);
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const look = async (name) => {
    await inBothThemes(page, async (theme) => expect.soft(await violations(page), `${name}, ${theme}`).toEqual([]));
    expect.soft(await unclearLabels(page), name).toEqual([]);
  };
  const records = page.getByRole("tree", { name: "Records" });

  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  await look("Board, plan, the document's inspector");
  for (const tab of ["Decomposition", "Run", "Search", "Problems"]) {
    await page.getByRole("tab", { name: tab }).click();
    await look(`the tab ${tab}`);
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
    await look(`the drawer ${name}`);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "History" }).click();
  await look("the history");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "File" }).click();
  await look("the File menu");
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).waitFor();
  await look("the examples");
  await page.keyboard.press("Escape");
  await openExample(page, "The night guard");
  await look("the larger example, with a message");
  const kinds = ["Types", "Objects", "Facts", "Conditions", "Actions", "Primitive tasks", "Compound tasks", "Scenarios"];
  for (const kind of kinds) {
    const item = records.getByRole("group", { name: kind }).locator(".item").first();
    await item.click();
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("textbox", { name: "Name" }).waitFor();
    await look(`the inspector of the first of ${kind}`);
  }
  await records.getByRole("group", { name: "Compound tasks" }).locator(".item").first().dblclick();
  await page.locator("[data-block]").first().waitFor();
  await look("Method");
  const blocks = ["begin", "primitive", "compound", "branch", "choice", "bind", "end"];
  for (const task of await records.getByRole("group", { name: "Compound tasks" }).locator(".item").all()) {
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
        await look(`the inspector of a ${kind} block`);
        blocks.splice(blocks.indexOf(kind), 1);
      }
    }
  }
  expect(blocks, "every kind of block was checked").toEqual([]);
  await page.locator(".canvas").focus();
  await page.keyboard.press("Shift+A");
  await page.getByRole("combobox", { name: "Add a block" }).waitFor();
  await look("the search box");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await look("the command palette");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F1");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await look("the help sheet");
});

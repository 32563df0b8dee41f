// The gallery of examples, and the wires of one of them. Each example's own journey is in guides.test.mjs.

import { boxAtRest, expect, openExample, test, title } from "./harness.mjs";

const records = (page) => page.getByRole("tree", { name: "Records" });
const card = (page, record) => page.locator(`[data-record="${record}"]`);

test("wires on the Board match an agent's lists, and can be drawn and removed", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openExample(page, "The sentry");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.locator(".canvas").focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".column-head").filter({ hasText: "Agents" })).toBeVisible();
  const wires = page.locator(".wire-group title");
  const has = (text) => wires.allTextContents().then((all) => all.includes(text));
  for (const wire of ["safe is goal of sentry", "reload is repertoire of sentry", "armed is sense of sentry"]) {
    await expect.poll(() => has(wire), wire).toBe(true);
  }
  await expect(card(page, "agent:sentry")).toContainText("safe, intruder-stopped, loaded, rounds-made");
  await card(page, "agent:sentry").locator(".node-head").click();
  await expect(page.getByRole("combobox", { name: "Planning mode" })).toHaveValue("goals");
  await expect(card(page, "agent:sentry").locator("[data-port=task]"), "an agent with goals plans for no tasks").toHaveCount(0);

  // Removes a wire, which edits the agent, and draws it again.
  const middle = async (port) => {
    const box = await boxAtRest(port);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const safe = await middle(card(page, "goal:safe").locator("[data-port=offer]"));
  await page.keyboard.down("Alt");
  await page.mouse.click(safe.x, safe.y);
  await page.keyboard.up("Alt");
  await expect.poll(() => has("safe is goal of sentry")).toBe(false);
  await expect(card(page, "agent:sentry")).toContainText("intruder-stopped, loaded, rounds-made");
  const goals = await middle(card(page, "agent:sentry").locator("[data-port=goal]"));
  await page.mouse.move(safe.x, safe.y);
  await page.mouse.down();
  await page.mouse.move((safe.x + goals.x) / 2, (safe.y + goals.y) / 2, { steps: 3 });
  await page.mouse.move(goals.x, goals.y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => has("safe is goal of sentry")).toBe(true);
  await page.keyboard.press("Control+z");
  await expect.poll(() => has("safe is goal of sentry")).toBe(false);

  // Agents and goals are added like other records; without any, there is no column for them.
  await page.getByRole("button", { name: "Add to agents" }).click();
  await expect(records(page).getByRole("group", { name: "Agents" }).getByRole("treeitem")).toHaveCount(3);
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "New" }).click();
  await expect(page.locator(".column-head").filter({ hasText: "Sensors" })).toBeVisible();
  await expect(page.locator(".column-head").filter({ hasText: "Agents" })).toHaveCount(0);
});

test("the gallery works by keyboard, and its pictures load", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ colorScheme: "dark" });
  await page.getByRole("button", { name: "File" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Examples…" }).waitFor();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  const gallery = page.getByRole("dialog", { name: "Examples" });
  const first = gallery.getByRole("button", { name: "Hunter and hunted" });
  await expect(first).toBeFocused();
  await expect(gallery.locator("li")).toHaveCount(7);
  await expect(first).toHaveAccessibleDescription(/^One hunts the others through a house.*Al Shehabi, 2022/);
  const shown = gallery.locator("img:visible");
  for (const picture of await shown.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => image.naturalWidth)).toBe(480);
    expect(await picture.getAttribute("src")).toMatch(/-dark\.png$/);
  }
  await first.focus();
  for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  await page.locator(".toast").getByText("Opened “The office”.").waitFor();
  await expect(gallery).toHaveCount(0);
});

test("an example that can't be loaded is reported, and the document stays open", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ before: (page) => page.route(/office\.taskloom/, (route) => route.abort()), expectsProblems: true });
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "Examples…" }).click();
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: "The office" }).click();
  const report = page.getByRole("region", { name: "Report" });
  await report.getByText("Couldn't load the example The office").waitFor();
  await report.getByText("“The ball in the box” stays open.").waitFor();
  await page.unroute(/office\.taskloom/);
  await openExample(page, "The office");
  await expect(title(page)).toHaveValue("The office");
});

// The examples as a designer uses them: opened from the gallery, and played to the events that their notes mention, in
// light and in dark.

import { boxAtRest, expect, inBothThemes, nextFrame, openExample, openView, screenshots, test, title } from "./harness.mjs";
import { violations } from "./violations.mjs";

const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
/** Returns the rows of the run that contain these words, ignoring markup between them. */
const row = (page, text) => {
  const words = text.split(" ").map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return page.locator(".run-line").filter({ hasText: new RegExp(words.join("\\s*")) });
};
const place = (page, name) => page.getByRole("group", { name: new RegExp(`^${name}:`) });
const world = (page) => page.getByRole("region", { name: "World" });
const who = (page) => page.getByRole("combobox", { name: "Shown actor" });
const records = (page) => page.getByRole("tree", { name: "Records" });
const card = (page, record) => page.locator(`[data-record="${record}"]`);

/** Goes to a tick of the run in the open Run or Stage tab. */
async function goTo(page, tick) {
  await page.getByRole("slider", { name: "Tick of the run" }).fill(String(tick));
  await expect(world(page).getByRole("heading", { level: 2 })).toContainText(`tick ${tick}`);
}

/** Returns the states that a search for a goal reached. */
async function states(page) {
  await tab(page, "Search");
  const list = page.getByRole("listbox", { name: "States" });
  await list.getByRole("option").first().waitFor();
  return list.getByRole("option");
}

/** Plays each example to a certain moment and checks it; ends in the state for the screenshot. */
const PLAYED = {
  "The ball in the box": {
    scenario: "The box slams shut",
    inspected: ["agent:robot"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "take-ball until 4").filter({ hasText: "integrity rule of take-ball: box_open" }).waitFor();
      await row(page, "replans: 2 steps").filter({ hasText: "because take-ball failed" }).waitFor();
      await goTo(page, 4);
      await expect(world(page).locator("tr", { hasText: "ball_in_box" })).toContainText("true");
    },
  },
  "The night guard": {
    scenario: "The lights go out",
    inspected: ["agent:night-guard"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "perceives lit(hall) = false").filter({ hasText: "power = false" }).waitFor();
      await row(page, "replans: 18 steps").filter({ hasText: "because look-around(vault) failed" }).waitFor();
      await row(page, "change-fuse").waitFor();
      await openView(page, "Stage");
      await goTo(page, 8);
      await expect(place(page, "shop")).toHaveAccessibleName(/^shop: .*guard/);
    },
  },
  "The office": {
    scenario: "The wrong man",
    inspected: ["agent:spy", "agent:office-clerk"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "mallory: log-in(ben)").filter({ hasText: "precondition is false: password_of(ben)" }).first().waitFor();
      await row(page, "mallory: pick-up(ben-badge)").waitFor();
      await who(page).selectOption({ label: "mallory" });
      await openView(page, "Stage");
      await goTo(page, 7);
      await expect(place(page, "kitchen")).toHaveAccessibleName(/^kitchen: mallory/);
      // What she has heard about him is false.
      await expect(world(page).getByText(/mallory believes: /).first()).toBeVisible();
    },
  },
  "Hunter and hunted": {
    scenario: "The wrong room",
    inspected: ["agent:seeker", "agent:runaway"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "rook: catch(wren, kitchen)").filter({ hasText: "precondition is false in the world: at(wren, kitchen)" }).waitFor();
      await row(page, "rook: perceives at(wren, hall) = true").waitFor();
      await openView(page, "Stage");
      await goTo(page, 5);
      await expect(page.locator(".stage-token.ghost"), "he has learned from the failure").toHaveCount(0);
      await goTo(page, 2);
      await goTo(page, 3);
      await expect(place(page, "kitchen")).toHaveAccessibleName("kitchen: rook believes wren here");
      await expect(place(page, "corridor")).toHaveAccessibleName(/^corridor: wren/);
      await expect(world(page).getByText(/rook believes: true/).first()).toBeVisible();
    },
  },
  "Captain and camp": {
    scenario: "An empty larder",
    inspected: ["agent:captain", "agent:miner", "goal:food-asked-for"],
    async play(page) {
      await who(page).selectOption({ label: "max" });
      await (await states(page)).first().filter({ hasText: /for / }).waitFor();
      await tab(page, "Run");
      await row(page, "max: replans: 8 steps").filter({ hasText: "because goal values have changed" }).waitFor();
      await row(page, "max: dig until 8").filter({ hasText: "interrupted by a new plan" }).waitFor();
      await openView(page, "Stage");
      await goTo(page, 8);
      await expect(place(page, "mine")).toHaveAccessibleName(/^mine: max/);
      await expect(world(page).locator("tr", { hasText: "wish(food)" })).toContainText("4");
    },
  },
  "The sentry": {
    scenario: "Somebody comes into sight",
    inspected: ["agent:sentry", "goal:intruder-stopped"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "perceives place_of(ivo) = yard").waitFor();
      await row(page, "replans: 1 step").filter({ hasText: "because goal values have changed" }).waitFor();
      await openView(page, "Stage");
      await goTo(page, 5);
      await expect(page.getByRole("status", { name: "Movements" })).toHaveText("tick 5: ivo comes to yard");
      await expect(place(page, "yard")).toHaveAccessibleName(/^yard: ivo/);
    },
  },
  "The opening": {
    scenario: "An attack early in the game",
    inspected: ["agent:commander", "goal:gate-held"],
    async play(page) {
      await tab(page, "Run");
      await row(page, "event: threat := 4").waitFor();
      await row(page, "replans: 2 steps").filter({ hasText: "because goal values have changed" }).waitFor();
      await row(page, "build(bunker)").waitFor();
      await (await states(page)).first().filter({ hasText: "for economy" }).waitFor();
      await tab(page, "Run");
      await goTo(page, 5);
      await expect(world(page).locator("tr", { hasText: "threat" })).toContainText("4");
      await (await states(page)).first().filter({ hasText: "for gate-held" }).waitFor();
    },
  },
};

for (const [title, { scenario, inspected, play }] of Object.entries(PLAYED)) {
  test(`${title} does what its notes say`, async ({ openTaskloom }) => {
    test.setTimeout(240_000);
    const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
    const look = (name) =>
      inBothThemes(page, async (theme) => expect.soft(await violations(page), `${name}, ${theme}`).toEqual([]));
    await openExample(page, title);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: scenario });
    await play(page);
    await look("where something happens");
    await openView(page, "Board");
    await page.locator(".canvas").focus();
    await page.keyboard.press("Home");
    await nextFrame(page);
    await screenshots(page, `example-${title.toLowerCase().replaceAll(" ", "-")}`);
    for (const record of inspected) {
      await card(page, record).locator(".node-head").click();
      const name = record.split(":")[1];
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      await expect(inspector.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);
      await look(`the inspector of ${record}`);
    }
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const actors = page.getByRole("region", { name: "Actors" });
    await actors.waitFor();
    const closed = actors.locator("details:not([open]) > summary");
    while ((await closed.count()) > 0) await closed.first().click();
    await look("the actors");
  });
}

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
  for (const key of ["Enter", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
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

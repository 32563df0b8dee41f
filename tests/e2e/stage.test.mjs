// The stage: the actual and believed positions of things during the run, on a map that can be arranged.

import { expect, isStill, nextFrame, openExample, openFile, openView, reopen, savedFile, screenshots, test } from "./harness.mjs";
import { violations } from "./violations.mjs";

const HOUSE = {
  taskloom: 3,
  info: { title: "The house" },
  types: { person: { parent: "object" }, room: { parent: "object" } },
  objects: {
    anna: { type: "person" },
    ben: { type: "person" },
    cellar: { type: "room" },
    hall: { type: "room" },
    vault: { type: "room" },
  },
  facts: {
    next_to: { params: ["?a: room", "?b: room"], source: "sensor" },
    place_of: { params: ["?p: person"], value: { object: "room" }, source: "sensor" },
    strength: { params: ["?p: person"], value: { number: { min: 0, max: 4 } }, source: "sensor" },
  },
  actions: { Walk: { params: ["?to: room"], duration: "2" }, Wait: { duration: "5" } },
  primitive_tasks: {
    walk: {
      params: ["?to: room"],
      action: "Walk(?to)",
      effects: [{ text: "place_of(?me) := ?to" }, { text: "strength(?me) -= 1" }],
    },
    wait: { action: "Wait()" },
  },
  agents: {
    guard: { type: "person", senses: [{ fact: "place_of", every: 1, when: "place_of(?p) = place_of(?me)" }] },
    thief: { type: "person" },
  },
  scenarios: {
    night: {
      initial: [
        "place_of(anna) = hall",
        "place_of(ben) = hall",
        "strength(anna) = 4",
        "strength(ben) = 3",
        "next_to(hall, vault)",
        "next_to(hall, cellar)",
      ],
      cast: [
        { object: "anna", agent: "guard", tasks: ["wait", "walk(cellar)"] },
        { object: "ben", agent: "thief", tasks: ["walk(vault)"] },
      ],
    },
  },
};

const place = (page, name) => page.getByRole("group", { name: new RegExp(`^${name}:`) });
const token = (page, name) => page.locator(`.stage-token[data-thing="${name}"]:not(.ghost)`);
const movements = (page) => page.getByRole("status", { name: "Movements" });
const mapMenu = (page) => page.getByRole("button", { name: "Map", exact: true }).click();
const undo = (page) => page.getByRole("button", { name: /^Undo/ }).click();

/** Waits until all movements have ended. */
async function settled(page) {
  await nextFrame(page);
  await isStill(page);
}

/** Returns `true` if a token is in the box of a place. */
async function isInside(page, inner, outer) {
  await settled(page);
  const [one, other] = [await inner.boundingBox(), await outer.boundingBox()];
  const inside = one.x >= other.x && one.x + one.width <= other.x + other.width;
  return inside && one.y >= other.y && one.y + one.height <= other.y + other.height;
}

async function drag(page, box, by) {
  const { x, y } = await box.boundingBox();
  await page.mouse.move(x + 12, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + 12 + by.x / 2, y + 8 + by.y / 2);
  await page.mouse.move(x + 12 + by.x, y + 8 + by.y);
}

async function openStage(openTaskloom, options) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 }, ...options });
  await openHouse(page);
  return page;
}

/** Opens the house, again or for the first time. */
async function openHouse(page) {
  await reopen(page, "house.taskloom.json", HOUSE);
  await openView(page, "Stage");
  await place(page, "hall").waitFor();
}

test("characters move on the map as the run is played", async ({ openTaskloom }) => {
  const page = await openStage(openTaskloom);
  await expect(place(page, "hall")).toHaveAccessibleName("hall: anna (strength 4 of 4), ben (strength 3 of 4)");
  await expect(place(page, "vault")).toHaveAccessibleName("vault: empty");
  expect(await isInside(page, token(page, "ben"), place(page, "hall"))).toBe(true);
  await expect(token(page, "ben").locator(".stage-meter")).toHaveAttribute("title", "strength 3 of 4");

  const slider = page.getByRole("slider", { name: "Tick of the run" });
  await slider.focus();
  // From before the run to tick 0, and on.
  for (const _ of [0, 1]) await page.keyboard.press("ArrowRight");
  await expect(movements(page)).toHaveText("");
  await page.keyboard.press("ArrowRight");
  await expect(movements(page)).toHaveText("tick 2: ben moves from hall to vault");
  await expect(place(page, "vault")).toHaveAccessibleName("vault: ben (strength 2 of 4)");
  expect(await isInside(page, token(page, "ben"), place(page, "vault"))).toBe(true);
  // From now on she doesn't see him.
  await expect(place(page, "hall")).toHaveAccessibleName("hall: anna (strength 4 of 4), anna believes ben here");
  expect(await isInside(page, page.locator(".stage-token.ghost"), place(page, "hall"))).toBe(true);
  await screenshots(page, "stage");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("ArrowLeft");
  await expect(movements(page)).toHaveText("tick 1: ben is back in hall");
  await expect(page.locator(".stage-token.ghost")).toHaveCount(0);

  await page.keyboard.press("Home");
  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "10 ticks per second" });
  await page.getByRole("button", { name: "Play" }).click();
  await expect(movements(page)).toHaveText("tick 7: anna moves from hall to cellar");
  expect(await isInside(page, token(page, "anna"), place(page, "cellar"))).toBe(true);
});

test("the map is arranged, and its fact is chosen; the file keeps both", async ({ openTaskloom }) => {
  const page = await openStage(openTaskloom);
  await test.step("places are arranged", async () => {
    const layout = async () => JSON.parse(await savedFile(page)).layout;
    expect(await layout()).toEqual({});
    const before = await place(page, "vault").boundingBox();
    await drag(page, place(page, "vault"), { x: 60, y: 30 });
    // A cancelled drag moves nothing.
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await settled(page);
    expect(await place(page, "vault").boundingBox()).toEqual(before);

    await drag(page, place(page, "vault"), { x: 60, y: 30 });
    await page.mouse.up();
    await settled(page);
    const dragged = await place(page, "vault").boundingBox();
    expect(Math.abs(dragged.x - before.x - 60)).toBeLessThan(2);
    expect(Math.abs(dragged.y - before.y - 30)).toBeLessThan(2);
    const places = (await layout()).stage.places;
    expect(Object.keys(places)).toEqual(["cellar", "hall", "vault"]);
    const [x, y] = places.vault.split(",").map(Number);

    // The place has the focus now, and a series of keys is one undo step.
    await expect(place(page, "vault")).toBeFocused();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    expect((await layout()).stage.places.vault).toBe(`${x + 16},${y + 8}`);
    await undo(page);
    expect((await layout()).stage.places.vault).toBe(`${x},${y}`);
    await mapMenu(page);
    await page.getByRole("button", { name: "Tidy the map" }).click();
    await page.keyboard.press("Escape");
    expect(await layout()).toEqual({});
    await undo(page);
    await undo(page);
    expect(await layout()).toEqual({});
    await settled(page);
    expect(await place(page, "vault").boundingBox()).toEqual(before);
  });
  await test.step("the fact is chosen, and is requested if there is none", async () => {
    await openHouse(page);
    const map = page.getByRole("combobox", { name: "Location fact" });
    await mapMenu(page);
    await expect(map.locator("option")).toHaveText(["place_of (automatic)", "place_of(?p)", "next_to(?a, ?b)"]);
    await map.selectOption({ label: "next_to(?a, ?b)" });
    await expect(place(page, "vault")).toHaveAccessibleName("vault: hall");
    await expect(place(page, "cellar")).toHaveAccessibleName(/^cellar: hall/);
    const text = await savedFile(page);
    expect(JSON.parse(text).layout.stage).toEqual({ fact: "next_to" });
    await page.keyboard.press("Escape");
    await undo(page);
    await expect(place(page, "vault")).toHaveAccessibleName("vault: empty");
    await openFile(page, "again.taskloom.json", text);
    // An opened document shows its Board first.
    await expect(page.getByRole("button", { name: /^Redo/ })).toBeDisabled();
    await openView(page, "Stage");
    await expect(place(page, "vault")).toHaveAccessibleName("vault: hall");

    const { place_of, next_to, ...facts } = HOUSE.facts;
    const none = { taskloom: 3, info: { title: "Nowhere" }, facts, types: HOUSE.types };
    await openFile(page, "nowhere.taskloom.json", JSON.stringify(none));
    await page.getByText("Opened “Nowhere”.").waitFor();
    await openView(page, "Stage");
    await page.getByText(/^No location fact yet\. The stage needs a fact of one parameter/).waitFor();
  });
});

test("respects reduced motion", async ({ openTaskloom }) => {
  const page = await openStage(openTaskloom, { reducedMotion: "reduce" });
  await page.getByRole("slider", { name: "Tick of the run" }).focus();
  for (const _ of [0, 1, 2]) await page.keyboard.press("ArrowRight");
  await expect(place(page, "vault")).toHaveAccessibleName(/^vault: ben/);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test("the numbers of steps cover no names, also on a small map", async ({ openTaskloom }) => {
  const page = await openStage(openTaskloom);
  for (const viewport of [{ width: 1440, height: 900 }, { width: 1024, height: 560 }, { width: 720, height: 450 }]) {
    await page.setViewportSize(viewport);
    await openHouse(page);
    await page.locator(".stage-stop").first().waitFor();
    await settled(page);
    const covered = await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => ({ box: textBox(element), text: element.textContent }));
      // A name's box may be wider than its text.
      function textBox(element) {
        const range = document.createRange();
        range.selectNodeContents(element);
        return element.matches("circle") ? element.getBoundingClientRect() : range.getBoundingClientRect();
      }
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      const stops = boxes(".stage-stop");
      const others = boxes(".stage-name, .stage-tag");
      const names = stops.flatMap((stop) => others.filter((other) => meet(stop.box, other.box)).map((other) => other.text));
      const pairs = stops.filter((stop, at) => stops.slice(at + 1).some((other) => meet(stop.box, other.box)));
      return [...names, ...pairs.map(() => "another number")];
    });
    expect(covered, `${viewport.width} x ${viewport.height}`).toEqual([]);
  }
});

test("an actor is shown, explained and moved; layers are hidden, and the view is fitted", async ({ openTaskloom }) => {
  const page = await openStage(openTaskloom);
  await test.step("it is moved by dragging at the start, and by its menu later", async () => {
    const initial = async () => JSON.parse(await savedFile(page)).scenarios.night.initial;
    await settled(page);
    const to = await place(page, "cellar").boundingBox();
    const from = await token(page, "ben").boundingBox();
    await drag(page, token(page, "ben"), { x: to.x + to.width / 2 - from.x, y: to.y + to.height / 2 - from.y });
    await page.mouse.up();
    await expect(place(page, "cellar")).toHaveAccessibleName(/^cellar: ben/);
    expect(await initial()).toContain("place_of(ben) = cellar");
    await undo(page);
    await expect(place(page, "cellar")).toHaveAccessibleName("cellar: empty");

    await page.getByRole("slider", { name: "Tick of the run" }).focus();
    for (const _ of [0, 1]) await page.keyboard.press("ArrowRight");
    await token(page, "anna").click({ button: "right" });
    await page.getByRole("menu", { name: "Commands for anna" }).getByRole("menuitem", { name: "Move to vault" }).click();
    await expect(place(page, "vault")).toHaveAccessibleName(/^vault: anna/);
    await expect(page.getByRole("list", { name: "Overrides (not saved)" })).toContainText("place_of(anna) = vault");
  });
  await test.step("a click shows it, and a double click opens its reason", async () => {
    await openHouse(page);
    await token(page, "ben").click();
    await expect(token(page, "ben")).toHaveAttribute("aria-pressed", "true");
    await token(page, "anna").dblclick();
    await expect(page.getByRole("dialog", { name: /^Why / })).toBeVisible();
    await expect(token(page, "anna")).toHaveAttribute("aria-pressed", "true");
  });
  await test.step("layers are hidden, and the view is moved and fitted again", async () => {
    await openHouse(page);
    await expect(page.locator(".stage-plan")).toHaveCount(2);
    const plans = page.getByRole("button", { name: "Plans", exact: true });
    await expect(plans).toHaveAttribute("aria-pressed", "true");
    await plans.click();
    await expect(plans).toHaveAttribute("aria-pressed", "false");
    await expect(page.locator(".stage-plan")).toHaveCount(0);
    await expect(page.locator(".stage-sense")).toHaveCount(1);

    const before = await place(page, "hall").boundingBox();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await settled(page);
    expect((await place(page, "hall").boundingBox()).width).toBeLessThan(before.width);
    await page.getByRole("button", { name: "Fit", exact: true }).click();
    await settled(page);
    expect((await place(page, "hall").boundingBox()).width).toBeCloseTo(before.width, 0);
  });
});

test("a scenario's only actor is on the map though it has no object", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openView(page, "Stage");
  await expect(place(page, "table")).toHaveAccessibleName(/robot/);
  const slider = page.getByRole("slider", { name: "Tick of the run" }).first();
  await slider.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  await expect(place(page, "box")).toHaveAccessibleName(/robot/);
  // Dragged, it starts elsewhere.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  const [from, to] = await Promise.all([token(page, "robot"), place(page, "shed")].map((one) => one.boundingBox()));
  await page.mouse.move(from.x + from.width / 2, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect(place(page, "shed")).toHaveAccessibleName(/robot/);
  const { initial } = Object.values(JSON.parse(await savedFile(page)).scenarios)[0];
  expect(initial).toContain("at(shed)");
  expect(initial).not.toContain("at(table)");
});

test("absent people are not on the Stage until they are trained, and no more once they fall", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "Captain and camp");
  await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: "Trained and lost" });
  await openView(page, "Stage");
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  const at = async (tick) => {
    await slider.fill(String(tick));
    await expect(page.getByText(`tick ${tick} of`, { exact: false }).first()).toBeVisible();
  };
  await expect(token(page, "sol")).toBeVisible();
  await at(0);
  await expect(token(page, "ida")).toHaveCount(0);
  await at(6);
  await expect(token(page, "ida")).toBeVisible();
  await at(12);
  await expect(token(page, "sol")).toHaveCount(0);
  await expect(token(page, "jon")).toBeVisible();

  // The outline is folded on the Stage.
  await openView(page, "Board");
  await page.getByRole("treeitem", { name: /^away/ }).click();
  const absence = page.getByRole("switch", { name: "objects for which it is true are absent" });
  await expect(absence).toBeChecked();
  await absence.focus();
  await page.keyboard.press("Space");
  await expect(absence).not.toBeChecked();
  await openView(page, "Stage");
  await expect(token(page, "sol")).toBeVisible();
  await undo(page);
  await expect(token(page, "sol")).toHaveCount(0);
});

// The outline: search, keys, menus, and records that are dragged out of it.

import { Desk } from "./desk.mjs";
import { inspector } from "./hands.mjs";
import { expect, nextFrame, openView, savedFile, test } from "./harness.mjs";

const rows = (page) => page.getByRole("tree", { name: "Records" });
const row = (page, name) => rows(page).getByRole("treeitem", { name, exact: true });
const search = (page) => page.getByRole("searchbox", { name: "Search the outline" });
const menu = (page) => page.locator(".menu.context");
const ghost = (page) => page.locator(".drag-ghost");

const middle = async (element) => {
  const box = await element.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Drags a row to a point; with `release: false` the button stays down. */
const drag = async (page, name, to, { release = true } = {}) => {
  await row(page, name).scrollIntoViewIfNeeded();
  const from = await middle(row(page, name));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 4, { steps: 2 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await nextFrame(page);
  if (release) await page.mouse.up();
  await nextFrame(page);
};

test("rows are found and selected by search, letters and ranges", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("by search", async () => {
    await search(page).click();
    await page.keyboard.type("box_");
    await expect(row(page, "box_open")).toBeVisible();
    await expect(row(page, "get-ball")).toHaveCount(0);
    await page.keyboard.press("ArrowDown");
    await expect(rows(page).locator(".item").first()).toBeFocused();
    await search(page).click();
    await page.keyboard.press("Escape");
    await expect(search(page)).toHaveValue("");
    await expect(row(page, "get-ball")).toBeVisible();
    await page.keyboard.type("get-ball");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toContainText("get-ball");
  });
  await test.step("by letters, Home and End; scenarios show their titles", async () => {
    await search(page).fill("");
    await row(page, "get-ball").click();
    await page.keyboard.type("take-");
    await expect(row(page, "take-ball")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(rows(page).locator(".item").first()).toBeFocused();
    await page.keyboard.press("End");
    await expect(rows(page).locator(".item").last()).toBeFocused();
    await expect(row(page, "The box is open")).toHaveAttribute("title", /^The box is open: case-1-box-open/);
  });
  await test.step("by Shift and Ctrl", async () => {
    const selected = () => rows(page).locator(".item.on").evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
    const group = page.getByRole("group", { name: "Objects", exact: true }).getByRole("treeitem");
    const names = await group.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
    expect(names.length).toBeGreaterThan(4);
    await group.nth(1).click();
    await group.nth(3).click({ modifiers: ["Shift"] });
    await expect.poll(selected).toEqual(names.slice(1, 4));
    // Another range from the same row, upwards.
    await group.nth(0).click({ modifiers: ["Shift"] });
    await expect.poll(selected).toEqual(names.slice(0, 2));
    await group.nth(3).click({ modifiers: ["Control"] });
    await expect.poll(selected).toEqual([names[0], names[1], names[3]]);
    await group.nth(0).click({ modifiers: ["Control"] });
    await expect.poll(selected).toEqual([names[1], names[3]]);
    // By keyboard.
    await group.nth(2).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(selected).toEqual(names.slice(2, 5));
    await page.keyboard.press("Shift+ArrowUp");
    await expect(group.nth(3)).toBeFocused();
    await expect.poll(selected).toEqual(names.slice(2, 4));
    await expect(inspector(page)).toContainText("2 ");
    await page.keyboard.press("ArrowDown");
    await expect.poll(selected, "without Shift, one row").toEqual([names[4]]);
  });
});

test("records are added, duplicated, copied and found by a row's menu and by keys", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("a row's menu", async () => {
    await row(page, "take-ball").click({ button: "right" });
    await expect(menu(page).getByRole("menuitem", { name: /^Rename\s*F2/ })).toBeVisible();
    await expect(menu(page).getByRole("menuitem", { name: "Open the method" })).toHaveCount(0);
    await menu(page).getByRole("menuitem", { name: /^Duplicate/ }).click();
    await row(page, "take-ball-2").waitFor();
    await expect(row(page, "take-ball-2")).toBeInViewport();
    await row(page, "take-ball-2").click();
    await page.keyboard.press("Shift+F10");
    await page.keyboard.press("Escape");
    await expect(menu(page)).toHaveCount(0);
    await expect(row(page, "take-ball-2"), "the focus is where it was").toBeFocused();
    await row(page, "box_open").click({ button: "right" });
    await menu(page).getByRole("menuitem", { name: "Find uses" }).click();
    const dialog = page.getByRole("dialog", { name: /^\d+ uses of fact box_open$/ });
    await dialog.getByRole("button", { name: /precondition 1 of primitive task take-ball$/ }).click();
    await expect(inspector(page).getByRole("textbox", { name: "Name", exact: true })).toHaveValue("take-ball");
    await row(page, "box_open").click({ button: "right" });
    await menu(page).getByRole("menuitem", { name: "New fact" }).click();
    await page.keyboard.type("stocked(?i: item)");
    await page.keyboard.press("Enter");
    await row(page, "stocked(?i)").waitFor();
    expect(JSON.parse(await savedFile(page)).facts.stocked.params).toEqual(["?i: item"]);
    // Name and parameters are part of adding it.
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+z");
    await expect(row(page, "stocked(?i)")).toHaveCount(0);
    await expect(row(page, "fact")).toHaveCount(0);
  });
  await test.step("a kind without records shows only its button", async () => {
    const goals = page.locator(".group", { has: page.getByRole("button", { name: "Add a goal" }) });
    await expect(goals.getByRole("button")).toHaveCount(1);
    await page.getByRole("button", { name: "Add a goal" }).click();
    await page.keyboard.type("fed");
    await page.keyboard.press("Enter");
    await row(page, "fed").waitFor();
    await expect(goals.getByRole("button", { name: /^. Goals|Goals/ })).toBeVisible();
  });
  await test.step("new objects get the type used last", async () => {
    const add = async (name) => {
      await page.getByRole("button", { name: "Add an object" }).click();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await row(page, name).waitFor();
    };
    await add("lamp");
    await inspector(page).getByRole("combobox", { name: "Type" }).selectOption("place");
    await add("attic");
    expect(JSON.parse(await savedFile(page)).objects.attic.type).toBe("place");
  });
  await test.step("while any view is open", async () => {
    for (const view of ["Stage", "Scenarios", "Board"]) {
      await openView(page, view);
      // The Stage folds the outline, unless it was opened there.
      if (view === "Stage") await page.keyboard.press("Control+b");
      await row(page, "hammer").click();
      await page.keyboard.press("Control+d");
      await row(page, "hammer-2").waitFor();
      await page.keyboard.press("Control+c");
      await page.keyboard.press("Control+v");
      await row(page, "hammer-3").waitFor();
      await expect(row(page, "hammer-3")).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await expect(row(page, "hammer-2")).toHaveCount(0);
    }
  });
});

test("a finger scrolls the outline, and drags a row after it has rested there", async ({ openTaskloom }) => {
  const desk = await Desk.start(openTaskloom, { before: (page) => page.clock.install() });
  const { page, devtools } = desk;
  await desk.open("Method");
  const count = await desk.count();
  const touch = (type, ...points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const to = await desk.nowhere(0.3);
  await row(page, "sit").scrollIntoViewIfNeeded();
  const from = await middle(row(page, "sit"));
  await touch("touchStart", from);
  await expect(ghost(page)).toContainText("Drag it, or lift for the menu");
  for (const part of [0.2, 0.6, 1]) {
    await touch("touchMove", { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
  }
  await expect(ghost(page)).toContainText("Add a Task block");
  await touch("touchEnd");
  await desk.until(() => desk.count(), count + 1);
  await expect(ghost(page)).toHaveCount(0);

  // Lifted where it rested, it opens the menu.
  await touch("touchStart", from);
  await expect(ghost(page)).toHaveCount(1);
  await touch("touchMove", { x: from.x + 2, y: from.y + 1 });
  await touch("touchEnd");
  await expect(menu(page).getByRole("menuitem", { name: /^Rename/ })).toBeVisible();
  await nextFrame(page);
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("Escape");

  // A finger that moves at once drags nothing.
  await touch("touchStart", from);
  await touch("touchMove", { x: from.x, y: from.y - 30 });
  await touch("touchMove", { x: from.x, y: from.y - 60 });
  await page.clock.runFor(1_000);
  await expect(ghost(page)).toHaveCount(0);
  await touch("touchEnd");
  expect(await desk.count()).toBe(count + 1);
});

test("a task is dropped on the canvas or a wire of a method, an object is refused", async ({ openTaskloom }) => {
  const desk = await Desk.start(openTaskloom);
  const { page } = desk;
  await desk.open("Method");
  const count = await desk.count();
  await drag(page, "sit", await desk.nowhere(0.3), { release: false });
  await expect(ghost(page)).toContainText("Add a Task block");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(ghost(page)).toHaveCount(0);
  expect(await desk.count(), "Escape cancels").toBe(count);
  await drag(page, "sit", await desk.nowhere(0.3));
  await desk.until(() => desk.count(), count + 1);
  await expect(page.locator(".in-place"), "nothing is left to fill in").toHaveCount(0);
  await desk.undo();
  const wires = (await desk.wires()).length;
  await drag(page, "calm", await desk.between(["walk", "out"], ["sub", "in"]), { release: false });
  await expect(ghost(page)).toContainText("Insert a Branch on the wire");
  await page.mouse.up();
  await desk.until(async () => (await desk.wires()).length, wires + 1);
  await desk.press("Escape");
  await desk.undo();
  await desk.until(() => desk.count(), count);
  await drag(page, "Walk", await desk.nowhere(0.3));
  await page.locator(".toast").getByText("Actions can't be blocks. Drop a task, a fact or a condition.").waitFor();
  expect(await desk.count()).toBe(count);
});

test("a record is dropped into a text, and on the Board its card moves", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await row(page, "take-ball").click();
  const field = inspector(page).getByRole("textbox", { name: "Precondition 1" });
  await field.fill("");
  await drag(page, "box_open", await middle(field));
  await expect(field).toHaveValue("box_open");
  await expect(inspector(page).getByRole("textbox", { name: "Name", exact: true }), "the inspector stays").toHaveValue("take-ball");
  await page.keyboard.press("Escape");
  const card = page.locator('[data-record="primitive:take-ball"]');
  const canvas = await page.locator(".canvas").boundingBox();
  const to = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height - 80 };
  await drag(page, "take-ball", to);
  await expect(card).toHaveClass(/selected/);
  await expect.poll(async () => Math.abs((await card.boundingBox()).y - to.y)).toBeLessThan(60);
});

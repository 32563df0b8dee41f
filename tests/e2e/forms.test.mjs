// Letters are commands only on the canvas: typed in a form by mistake, they change nothing.

import { inspector, write } from "./hands.mjs";
import { boxAtRest, expect, newDocument, nextFrame, savedFile, test } from "./harness.mjs";

const record = (page, name) => page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name, exact: true });
const frames = (page) => page.getByRole("group", { name: /^Frame/ });

/** The button that removes the first effect of take-ball has the focus, as after one key too many. */
async function onRemove(page) {
  await record(page, "take-ball").click();
  await inspector(page).getByRole("textbox", { name: "Effect 1" }).click();
  const remove = inspector(page).getByRole("button", { name: /^Remove effect 1$/i });
  await page.keyboard.press("End");
  for (let turn = 0; turn < 4; turn += 1) {
    await page.keyboard.press("ArrowRight");
    if (await remove.evaluate((button) => document.activeElement === button)) return remove;
  }
  throw new Error("The arrow keys never reached the button");
}

test("letters typed in a form by mistake change nothing", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await test.step("typing text on a button presses nothing, adds no frame and opens nothing", async () => {
    const before = await savedFile(page);
    const remove = await onRemove(page);
    await page.keyboard.type("not stocked(?i) = choice ", { delay: 15 });
    await page.keyboard.press("Enter");
    await nextFrame(page);
    await expect(remove).toBeFocused();
    await expect(frames(page)).toHaveCount(0);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await savedFile(page)).toBe(before);
  });
  await test.step("the list of keys does not open from a selection list of the inspector", async () => {
    await page.keyboard.press("Escape");
    await record(page, "box_open").click();
    await inspector(page).getByRole("combobox").first().focus();
    await page.keyboard.press("?");
    await nextFrame(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.locator(".canvas").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help" }).waitFor();
  });
  await test.step("clicking an empty part of the inspector does not turn letters into commands", async () => {
    await page.keyboard.press("Escape");
    await record(page, "box_open").click();
    const box = await inspector(page).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 8);
    await page.keyboard.type("choice");
    await nextFrame(page);
    await expect(frames(page)).toHaveCount(0);
    await page.locator(".canvas").focus();
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Frame title" }).waitFor();
    for (const key of ["Escape", "Control+z"]) await page.keyboard.press(key);
    await expect(frames(page)).toHaveCount(0);
  });
  await test.step("Space still presses a button, and text typed afterwards is no command", async () => {
    await page.keyboard.press("Escape");
    const effects = inspector(page).getByRole("textbox", { name: /^Effect \d+$/ });
    await onRemove(page);
    const count = await effects.count();
    await page.keyboard.press("Space");
    await expect(effects).toHaveCount(count - 1);
    await nextFrame(page);
    await page.keyboard.type("choice", { delay: 15 });
    await page.keyboard.press("Delete");
    await nextFrame(page);
    await expect(frames(page)).toHaveCount(0);
    await expect(effects).toHaveCount(count - 1);
    await record(page, "take-ball").waitFor();
    const isCloseBy = () => page.evaluate(() => document.activeElement.closest(".inspector") !== null);
    await expect.poll(isCloseBy, "the focus stays close by").toBe(true);
  });
  await test.step("a task's form says what ?me is, before and after an agent has the task", async () => {
    await page.keyboard.press("Escape");
    await newDocument(page);
    await page.getByRole("button", { name: "Add a primitive task" }).first().click();
    await page.keyboard.type("rest");
    await page.keyboard.press("Enter");
    const hint = inspector(page).locator(".hint.me");
    await expect(hint).toContainText("?me is the actor itself (no agent yet).");
    await expect(hint.getByRole("link")).toHaveAttribute("href", "help/expressions.html#me");
    await expect.poll(async () => (await hint.boundingBox()).height, "one line").toBeLessThan(30);
  });
});

test("copies, pastes and duplicates a record selected in the outline while a method is open", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await record(page, "get-ball").dblclick();
  await boxAtRest(page.locator("[data-block]").first());
  const facts = page.getByRole("group", { name: "Facts" }).getByRole("treeitem");
  const blocks = page.locator("[data-block]");
  const [factCount, blockCount] = [await facts.count(), await blocks.count()];
  await record(page, "box_open").click();
  await page.keyboard.press("Control+d");
  await expect(facts).toHaveCount(factCount + 1);
  await record(page, "box_open").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await expect(facts).toHaveCount(factCount + 2);
  await expect(page.locator(".toast.failed")).toHaveCount(0);
  await expect(blocks).toHaveCount(blockCount);
  // With blocks selected, blocks are copied.
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+d");
  await expect.poll(() => blocks.count()).toBeGreaterThan(blockCount);
  await expect(facts).toHaveCount(factCount + 2);
});

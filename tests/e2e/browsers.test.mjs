// What browsers do differently: the middle button, the placement of popovers, files without pickers, and wheels.

import { boxAtRest, chooseFile, downloads, expect, isSaved, nextFrame, newDocument, openView, test, title } from "./harness.mjs";
import { add, inspector } from "./hands.mjs";
import { Method } from "./method.mjs";

/** Counts the pastes and the clicks that the page leaves to the browser. */
const watchPastes = (page) =>
  page.evaluate(() => {
    window.pastes = 0;
    window.unprevented = 0;
    addEventListener("paste", () => (window.pastes += 1), { capture: true });
    addEventListener("auxclick", (event) => (window.unprevented += event.defaultPrevented ? 0 : 1));
  });

/** Puts a text into the primary selection of Linux, which the middle button pastes. */
async function selectText(page) {
  const search = page.getByRole("searchbox").or(page.getByPlaceholder(/^Search records/)).first();
  await search.fill("primary");
  await search.focus();
  await page.keyboard.press("Control+a");
}

/** Drags with the middle button. Returns what the page then knows about pastes. */
async function middleDrag(page, element, steps) {
  const box = await element.boundingBox();
  const at = { x: box.x + box.width * 0.5, y: box.y + box.height * 0.9 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down({ button: "middle" });
  for (let step = 1; step <= steps; step += 1) await page.mouse.move(at.x - 10 * step, at.y - 5 * step);
  await page.mouse.up({ button: "middle" });
  await nextFrame(page);
}

test("the middle button pans a method, and pastes nothing", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await method.holds(5, 4);
  await method.select(method.block("primitive", 0));
  await method.press("Control+c");
  await method.shows("Copied 1 block.");
  await watchPastes(page);
  await selectText(page);
  const plane = () => page.locator(".plane").evaluate((plane) => getComputedStyle(plane).transform);
  const before = await plane();
  await middleDrag(page, page.locator(".canvas"), 5);
  await expect.poll(plane, "it pans").not.toBe(before);
  // A click without a movement, too.
  await middleDrag(page, page.locator(".canvas"), 0);
  await method.holds(5, 4);
  expect(await page.evaluate(() => [window.pastes, window.unprevented])).toEqual([0, 0]);
});

test("the middle button pans the Stage, and pastes nothing", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openView(page, "Stage");
  await page.locator(".stage-place").first().waitFor();
  await watchPastes(page);
  const map = () => page.locator(".stage-map").evaluate((map) => getComputedStyle(map).transform);
  const before = await map();
  await middleDrag(page, page.locator(".stage-view"), 4);
  await expect.poll(map, "it pans").not.toBe(before);
  await middleDrag(page, page.locator(".stage-view"), 0);
  expect(await page.evaluate(() => [window.pastes, window.unprevented])).toEqual([0, 0]);
});

/** Checks that a popover is below its anchor, or above it, and aligned with one of its edges. */
async function isAtAnchor(page, popover, anchor) {
  const distances = async () => {
    const [own, at] = [await popover.boundingBox(), await anchor.boundingBox()];
    if (!own || !at) return undefined;
    const sides = [own.x - at.x, own.x + own.width - at.x - at.width].map(Math.abs);
    const ends = [own.y - at.y - at.height, at.y - own.y - own.height].map(Math.abs);
    return { side: Math.min(...sides) < 12, end: Math.min(...ends) < 12 };
  };
  await expect.poll(distances).toEqual({ side: true, end: true });
}

test("menus open at their buttons", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  for (const name of ["File", "Export"]) {
    const button = page.getByRole("button", { name, exact: true });
    await button.click();
    await isAtAnchor(page, page.locator(".menu:popover-open"), button);
    await page.keyboard.press("Escape");
    await expect(page.locator(".menu:popover-open")).toHaveCount(0);
  }
  await openView(page, "Stage");
  const map = page.getByRole("button", { name: "Map", exact: true });
  await map.click();
  await isAtAnchor(page, page.locator(".stage-menu"), map);
  await page.keyboard.press("Escape");
  await openView(page, "Scenarios");
  const actions = page.getByRole("button", { name: /^Actions for / }).nth(1);
  await actions.click();
  await isAtAnchor(page, page.getByRole("menu", { name: /^Actions for / }), actions);
});

test("completions open at their field, and follow it", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openView(page, "Board");
  await page.locator('[data-record="primitive:open-box"] .node-name').click();
  const field = inspector(page).getByRole("textbox", { name: "Precondition 1", exact: true });
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("box_");
  const list = page.getByRole("listbox", { name: "Completions" });
  await isAtAnchor(page, list, page.locator(".expression:focus-within .expression-box"));
  await page.keyboard.press("Enter");
  await expect(list).toHaveCount(0);
});

test("without file pickers, a file is opened by an input and saved as a download", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ pickers: false });
  await newDocument(page);
  await title(page).fill("Mine");
  await add(page, "fact", "is_mine");
  await isSaved(page);
  const files = await downloads(page, () => page.keyboard.press("Control+s"));
  expect(Object.keys(files)).toEqual(["mine.taskloom.json"]);
  const [content] = Object.values(files);
  expect(JSON.parse(content).info.title).toBe("Mine");
  await newDocument(page);
  await chooseFile(page, () => page.keyboard.press("Control+o"), "mine.taskloom.json", content);
  await page.getByText("Opened “Mine”.").waitFor();
  await page.getByRole("treeitem", { name: "is_mine" }).waitFor();
});

test("the wheel zooms about the pointer, whatever its unit", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  const block = method.block("bind");
  const percent = async () => parseInt(await page.locator(".zoom-bar .percent").innerText());
  await page.locator(".canvas").focus();
  await method.press("Control+0");
  await expect.poll(percent).toBe(100);
  const before = await boxAtRest(block);
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.wheel(0, -200);
  await expect.poll(percent).toBeGreaterThan(120);
  const after = await boxAtRest(block);
  expect(Math.abs(after.x + after.width / 2 - before.x - before.width / 2), "the block stays under the pointer").toBeLessThan(3);
});

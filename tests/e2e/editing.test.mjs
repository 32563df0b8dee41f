// The minimap, finding and replacing, the uses of a record, and several records at once.

import { expect, nextFrame, openFile, test } from "./harness.mjs";
import { Method } from "./method.mjs";
import { isAccessible } from "./violations.mjs";

test("Alt+M shows the minimap, where click and drag move the view", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-ball");
  const { page } = method;
  await page.locator(".canvas").focus();
  await method.press("Control+0", "Alt+m");
  const map = page.locator(".minimap canvas");
  await map.waitFor();
  const painted = () =>
    map.evaluate((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0));
  await expect.poll(painted, "blocks are drawn on it").toBeTruthy();
  const [bar, last] = [page.getByRole("toolbar", { name: "Zoom" }), page.getByRole("button", { name: /inimap/ })];
  const [around, button] = [await bar.boundingBox(), await last.boundingBox()];
  expect(button.x + button.width, "its button is in the toolbar").toBeLessThanOrEqual(around.x + around.width);
  const seen = () => page.locator(".minimap-window").boundingBox();
  const box = await map.boundingBox();
  await page.mouse.click(box.x + 20, box.y + box.height / 2);
  const offMiddle = async () => {
    const { x, width } = await seen();
    return Math.abs(x + width / 2 - (box.x + 20));
  };
  await expect.poll(offMiddle, "the clicked point is in the middle").toBeLessThan(3);
  const left = await seen();
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await seen()).x).toBeGreaterThan(left.x + 100);
  await nextFrame(page);
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillRect } = prototype;
    window.filled = 0;
    prototype.fillRect = function (...all) {
      window.filled += 1;
      return fillRect.apply(this, all);
    };
  });
  let drawn;
  const atRest = async () => {
    const before = drawn;
    drawn = await page.evaluate(() => window.filled);
    return drawn === before;
  };
  await expect.poll(atRest, "drawing has finished").toBe(true);
  await page.mouse.move(box.x - 300, box.y - 100);
  const shown = await seen();
  await page.mouse.wheel(0, 100);
  await expect.poll(seen).not.toEqual(shown);
  await nextFrame(page);
  expect(await page.evaluate(() => window.filled), "moving the camera redraws nothing").toBe(drawn);
  await method.press("Alt+m");
  await map.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Fit all" }).click();
  await page.locator(".zoom-bar .percent").click();
  await expect(page.locator(".zoom-bar .percent")).toHaveText("100 %");
});

test("Ctrl+F finds in names and expressions, previews changes and replaces in one step", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-ball");
  const { page } = method;
  const before = await method.document();
  await page.locator(".canvas").focus();
  await method.press("Control+f");
  const find = page.getByRole("dialog", { name: "Find and replace" });
  await find.getByRole("textbox", { name: "Find", exact: true }).fill("smash");
  await find.getByRole("textbox", { name: "Replace with" }).fill("break");
  await find.getByText(/^\d+ places$/).waitFor();
  await find.getByText("break-box").first().waitFor();
  await find.getByRole("checkbox", { name: /name of action/ }).uncheck();
  await find.getByRole("textbox", { name: "Replace with" }).fill("crush");
  await expect(find.getByRole("checkbox", { name: /name of action/ }), "excluded, whatever the replacement is").not.toBeChecked();
  await find.getByRole("textbox", { name: "Replace with" }).fill("break");
  await method.press("Control+f");
  const text = find.getByRole("textbox", { name: "Find", exact: true });
  await expect(text, "pressing it again returns to the search text, which stays").toBeFocused();
  await expect(text).toHaveValue("smash");
  await find.getByRole("button", { name: "Replace", exact: true }).click();
  await page.locator('[data-block]', { hasText: "break-box" }).waitFor();
  const after = await method.document();
  expect("break-box" in after.primitive_tasks && !("smash-box" in after.primitive_tasks)).toBe(true);
  expect("Smash" in after.actions, "excluded places stay").toBeTruthy();
  await method.press("Escape", "Control+z");
  await page.locator('[data-block]', { hasText: "smash-box" }).waitFor();
  expect(await method.document(), "one step").toEqual(before);
});

test("edits several records together, and lists the uses of one", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await test.step("several records", async () => {
    const card = (name) => page.locator(`[data-record="action:${name}"] .node-name`);
    await card("Smash").click();
    await card("OpenBox").click({ modifiers: ["Shift"] });
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("heading", { name: "2 selected" }).waitFor();
    const duration = inspector.getByLabel("Duration, in ticks");
    await expect(duration, "they differ").toHaveValue("");
    await duration.fill("7");
    await duration.press("Enter");
    await page.locator('[data-record="action:OpenBox"] .node-aside', { hasText: "7 ticks" }).waitFor();
    await page.locator('[data-record="action:Smash"] .node-aside', { hasText: "7 ticks" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+z");
    await page.locator('[data-record="action:Smash"] .node-aside', { hasText: "4 ticks" }).waitFor();
  });
  await test.step("uses", async () => {
    await page.locator('[data-record="condition:key_at"] .node-name').click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("region", { name: "Used by" }).getByRole("button", { name: "get-key" }).click();
    await page.locator("[data-block].selected", { hasText: "key_at" }).waitFor();
  });
});

test("a Task block repeats its task, times out and gives up", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const block = (kind, more = {}) => ({ kind, ...more });
  const written = {
    taskloom: 3,
    actions: { Rest: { duration: "3" } },
    primitive_tasks: { rest: { action: "Rest" }, tidy: {} },
    compound_tasks: {
      go: {
        method: {
          blocks: { b: block("begin"), x: block("task", { call: "rest" }), e: block("end") },
          wires: ["b.out -> x", "x.out -> e"],
        },
      },
    },
    scenarios: { day: { tasks: ["go"] } },
    layout: { methods: { go: { b: "0,0", x: "140,0", e: "400,0" } } },
  };
  await openFile(page, "rest.taskloom.json", JSON.stringify(written));
  await expect(async () => {
    await page.getByRole("treeitem", { name: "go", exact: true }).dblclick();
    await page.locator('[data-block="x"]').waitFor({ timeout: 5_000 });
  }).toPass();
  await page.locator('[data-block="x"] .node-head').click();
  const options = page.getByRole("region", { name: "Options" });
  await options.getByLabel("Number of times").fill("3");
  await expect(page.locator('[data-block="x"] .node-aside')).toHaveText("×3");
  await page.getByText("plan: 3 steps", { exact: false }).first().waitFor();
  // Past the condition of the repetition.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1");
  await expect(page.locator('[data-block="x"] .node-aside')).toHaveText("×3 ≤2 ↻1");
  await page.getByRole("tab", { name: "Problems" }).click();
  await page.getByText("rest always takes 3 ticks, so it always times out.").first().waitFor();
  await page.getByRole("tab", { name: "Run" }).click();
  await page.locator(".run-record").getByText("timed out after 2 ticks").first().waitFor();
  await options.getByLabel("If aborted").fill("tidy");
  await expect(page.locator('[data-block="x"] .node-aside')).toHaveText("×3 ≤2 ↻1 ↶");
  await isAccessible(page);
});

test("dialogs and panels meet the accessibility rules", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  const look = (name) => test.step(name, () => isAccessible(page, { name }));
  await method.select(method.block("primitive", 0), method.block("primitive", 1));
  await look("several blocks are selected");
  await method.press("m", "Alt+c", "c");
  await page.getByRole("textbox", { name: "Frame title" }).waitFor();
  await look("the title of a frame is typed");
  await page.keyboard.type("by foot");
  await method.press("Enter", "Alt+m", "Control+f");
  await page.keyboard.type("key");
  await page.getByRole("dialog").getByText("places").waitFor();
  await look("a frame, muted and collapsed blocks, the minimap, find");
});

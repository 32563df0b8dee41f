// What browsers do differently: files without pickers, and wheels.

import { chooseFile, downloads, expect, isSaved, newDocument, test, title } from "./harness.mjs";
import { add } from "./hands.mjs";
import { Method } from "./method.mjs";

test("without file pickers, a file is opened by an input and saved as a download", async ({ openTaskloom }) => {
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

test("the wheel zooms about the pointer, whatever its unit", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  const block = method.block("bind");
  const percent = async () => parseInt(await page.locator(".zoom-bar .percent").innerText());
  await page.locator(".canvas").focus();
  await method.press("Control+0");
  const before = await block.boundingBox();
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.wheel(0, -200);
  await expect.poll(percent).toBeGreaterThan(120);
  const after = await block.boundingBox();
  expect(Math.abs(after.x + after.width / 2 - before.x - before.width / 2), "the block stays under the pointer").toBeLessThan(3);
});

// The clipboard: blocks and records are copied, cut, pasted and duplicated, in one tab or several.

import { expect, newDocument, openView, test } from "./harness.mjs";
import { Method } from "./method.mjs";

test("copies, cuts and pastes blocks by keys and menus", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await test.step("with new ids and the wires between them", async () => {
    await method.holds(5, 4);
    await method.select(method.block("primitive", 0), method.block("primitive", 1));
    await method.press("Control+c");
    await method.shows("Copied 2 blocks.");
    await method.press("Control+v");
    await method.holds(7, 5, "two more blocks, and the wire between them");
    await method.selects(2, "the pasted blocks are selected");
    await method.press("Control+z");
    await method.holds(5, 4, "a paste is one step");
    await method.select(method.block("primitive", 0));
    await method.press("Control+x");
    await method.holds(4, 3, "a wire bridges the cut block");
    await method.press("Control+Shift+v");
    await method.holds(5, 4, "with the wire that led to it");
    await method.press("Control+z", "Control+z");
    await method.holds(5, 4);
    await method.press("Control+a", "Control+d");
    await method.holds(9, 7, "Begin is not copied");
    await expect(page.locator('[data-block]:has(.node-box.begin)')).toHaveCount(1);
  });
  await test.step("the commands of menus do as the keys do", async () => {
    await method.again("get-key");
    await method.holds(5, 4);
    const choose = async (name) => {
      const box = await method.block("primitive", 0).locator(".node-head").boundingBox();
      await page.mouse.click(box.x + 20, box.y + box.height / 2, { button: "right" });
      await page.locator(".menu.context").getByRole("menuitem", { name }).click();
    };
    await choose(/^Copy/);
    await method.shows("Copied 1 block.");
    await choose(/^Paste/);
    await method.holds(6, 4);
    await method.press("Control+z");
    await method.holds(5, 4);
    await choose(/^Cut/);
    await method.holds(4, 3, "a wire bridges the cut block");
  });
  await test.step("text fields keep their own clipboard, and pasting other text is reported and changes nothing", async () => {
    await method.again("get-key");
    await method.select(method.block("primitive", 0));
    const field = page.getByRole("complementary", { name: "Inspector" }).getByLabel("Task", { exact: true }).first();
    await field.click();
    const typed = await field.inputValue();
    await method.press("Control+a", "Control+c", "End", "Control+v");
    await expect(field).toHaveValue(typed + typed);
    await method.press("Escape", "Control+z");
    await page.locator(".canvas").focus();
    await method.press("Control+v");
    await method.shows("The clipboard has nothing copied from Taskloom.");
    await method.holds(5, 4);
  });
  await test.step("pasting blocks where there is no method says what to do", async () => {
    await method.again("get-key");
    await method.select(method.block("primitive", 0));
    await method.press("Control+c");
    await method.shows("Copied 1 block.");
    const before = await method.document();
    for (const view of ["Board", "Stage"]) {
      await openView(page, view);
      await method.press("Control+v");
      await method.shows("Open the method of a compound task to paste 1 block.");
      await expect(page.locator(".toast.failed")).toHaveCount(0);
    }
    expect(await method.document()).toEqual(before);
  });
  await test.step("pastes what was copied last, even if the system clipboard is late", async () => {
    await method.again("get-key");
    await page.evaluate(() => {
      window.before = new DataTransfer();
      const keep = (event) => window.before.setData("text/plain", event.clipboardData.getData("text/plain"));
      addEventListener("copy", keep, { once: true });
    });
    /** A paste while the system's clipboard still holds the previous copy. */
    const paste = () => page.evaluate(() => {
      const event = new ClipboardEvent("paste", { clipboardData: window.before, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    });
    await method.holds(5, 4);
    await method.select(method.block("bind"));
    await method.press("Control+c");
    await method.shows("Copied 1 block.");
    await method.select(method.block("primitive", 0), method.block("primitive", 1));
    await method.press("Control+c");
    await paste();
    await method.holds(7, 5, "the two blocks copied last");
    await method.press("Control+z");
    await method.holds(5, 4);
    // Simulates that another window gets the focus: whatever was copied there counts.
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    await paste();
    await method.holds(6, 4, "the one block in the system clipboard");
  });
});

test("pastes into another tab and document, with the records that are referenced", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  await method.select(method.block("bind"));
  await method.press("Control+c");
  await method.shows("Copied 1 block.");
  const page = await method.context.newPage();
  await page.goto(method.address, { waitUntil: "load" });
  await page.getByRole("main").waitFor();
  await newDocument(page);
  await page.getByRole("button", { name: "Add a compound task" }).click();
  await page.keyboard.press("Enter");
  const other = new Method({ page, context: method.context, address: method.address });
  await other.go("compound");
  await other.press("Control+v");
  await other.holds(2, 0);
  await other.shows("Also pasted: type item, type place");
  for (const record of ["item", "place", "key_at"]) {
    await page.locator(".item .name", { hasText: record }).first().waitFor();
  }
  await other.press("Control+z");
  await other.holds(1, 0, "everything in one step");
});

test("duplicates records, and pastes them under free names", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const card = (name) => page.locator(`[data-record="primitive:${name}"]`);
  await card("open-box").locator(".node-name").click();
  await page.keyboard.press("Control+d");
  await card("open-box-2").waitFor();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await card("open-box-3").waitFor();
  await page.keyboard.press("Control+z");
  await card("open-box-3").waitFor({ state: "detached" });
});

// Undo in text fields, and the messages that offer it.

import { Desk } from "./desk.mjs";
import { inspector } from "./hands.mjs";
import { expect, savedFile, test } from "./harness.mjs";

const records = (page) => page.getByRole("tree", { name: "Records" });
const record = (page, name) => records(page).getByRole("treeitem", { name, exact: true });
const messages = (page) => page.locator(".toast");

test("undo in a text field affects only the text, never the document", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("in a new object's name, it keeps the object", async () => {
    await page.getByRole("button", { name: "Add an object" }).click();
    const name = page.getByRole("textbox", { name: "Name of the object" });
    await name.waitFor();
    await page.keyboard.type("lamp");
    for (let turn = 0; turn < 6; turn += 1) await page.keyboard.press("Control+z");
    await expect(name).toBeVisible();
    await expect(messages(page)).toHaveCount(0);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("lamp");
    await page.keyboard.press("Enter");
    await record(page, "lamp").waitFor();
    // Outside of the field, undo applies to the document; adding and naming are one step.
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+z");
    await record(page, "lamp").waitFor({ state: "detached" });
    await expect(record(page, "thing"), "it doesn't get its first name back, either").toHaveCount(0);
    await page.keyboard.press("Control+Shift+z");
    await record(page, "lamp").waitFor();
  });
  await test.step("in the outline's search, in find and in a precondition", async () => {
    await record(page, "take-ball").click();
    const precondition = inspector(page).getByRole("textbox", { name: "Precondition 1" });
    await precondition.fill("not box_open");
    await precondition.blur();
    const made = await savedFile(page);

    const field = {
      outline: page.getByRole("searchbox", { name: "Search the outline" }),
      find: page.getByRole("textbox", { name: "Find", exact: true }),
    };
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+f");
    for (const box of Object.values(field)) {
      await box.click();
      await page.keyboard.type("smash");
      await page.keyboard.press("Control+z");
      await page.waitForFunction((box) => box.value !== "smash", await box.elementHandle());
      await page.keyboard.press("Control+y");
      await page.waitForFunction((box) => box.value === "smash", await box.elementHandle());
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      // The field has fewer steps to undo than requested.
      for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+Shift+z");
      expect(await savedFile(page)).toBe(made);
      await box.fill("");
    }
    await page.keyboard.press("Escape");

    // Changes that a field makes to the document while typing are also undone there.
    await precondition.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("item_at(key, drawer)");
    await page.keyboard.press("Escape");
    await precondition.click();
    await page.keyboard.press("Control+z");
    await page.waitForFunction((field) => field.value !== "item_at(key, drawer)", await precondition.elementHandle());
    const value = await precondition.inputValue();
    expect(JSON.parse(await savedFile(page)).primitive_tasks["take-ball"].preconditions[0]).toBe(value);
  });
  await test.step("it reverts a completion", async () => {
    await page.keyboard.press("Escape");
    await record(page, "take-ball").click();
    const field = inspector(page).getByRole("textbox", { name: "Precondition 1" });
    await field.fill("");
    await field.pressSequentially("box_op");
    await page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name: /box_open/ }).waitFor();
    await page.keyboard.press("Tab");
    await expect(field).toHaveValue("box_open");
    await page.keyboard.press("Control+z");
    await page.waitForFunction((field) => field.value === "box_op", await field.elementHandle());
  });
});

test("a message's Undo reverts only the edit it reports", async ({ openTaskloom }) => {
  const desk = await Desk.start(openTaskloom);
  const { page } = desk;
  await desk.open("Method");
  await desk.click(await desk.head("walk"));
  await desk.press("Control+c", "Control+v");
  const pasted = messages(page).filter({ hasText: "Pasted" });
  await pasted.getByRole("button", { name: "Undo" }).waitFor();
  await desk.click(await desk.head("sub"));
  await desk.press("m");
  await pasted.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  await expect(pasted, "the reported edit is still in effect").toBeVisible();
  // The newest step can be undone.
  await desk.click(await desk.head("free"));
  const before = await desk.count();
  await desk.press("Control+c", "Control+v");
  await desk.until(() => desk.count(), before + 1);
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await desk.until(() => desk.count(), before);
  // A message disappears with the step that it reports.
  await desk.press("Control+v");
  const newest = messages(page).filter({ has: page.getByRole("button", { name: "Undo" }) });
  // Others may expire meanwhile.
  const message = await newest.elementHandle();
  await desk.press("Control+z");
  await page.waitForFunction((message) => !message.isConnected, message);
});

test("each message has its own lifetime", async ({ openTaskloom }) => {
  // Installed before the page loads: the fake clock couldn't clear an earlier timer.
  const { page } = await openTaskloom({ before: (page) => page.clock.install() });
  const rename = async (record_, to) => {
    await record(page, record_).dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(to);
    await page.locator(".canvas").focus();
  };
  await rename("drawer", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await rename("shed", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  await expect(messages(page), "the first message has expired, the second hasn't").toHaveCount(1);
  await page.clock.runFor(4_000);
  await messages(page).first().waitFor({ state: "detached" });
});

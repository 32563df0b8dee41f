// Deleting a record in use shows its uses first.

import { expect, savedFile, screenshots, test } from "./harness.mjs";

const item = (page, name) => page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name, exact: true });
const dialog = (page) => page.getByRole("dialog", { name: /^Delete / });

test("shows the uses of a record, and deletes it with them or keeps it; an unused one without asking", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("a fact that is used", async () => {
    const before = await savedFile(page);
    await item(page, "box_open").click();
    await page.keyboard.press("Delete");
    await expect(dialog(page).getByRole("heading")).toHaveText(/^Delete fact box_open\? It is used in \d+ places\.$/);
    await expect(dialog(page).getByRole("list", { name: "Uses" })).toContainText("precondition 1 of primitive task take-ball");
    await screenshots(page, "deleting");
    // The focus is on the button that changes nothing.
    await expect(dialog(page).getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    expect(await savedFile(page)).toBe(before);

    await item(page, "box_open").focus();
    await page.keyboard.press("Delete");
    await page.keyboard.press("Tab");
    await expect(dialog(page).getByRole("button", { name: /^Delete with all \d+ uses$/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(item(page, "box_open")).toHaveCount(0);
    await page.getByText(/^Deleted fact box_open and its \d+ uses\.$/).waitFor();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+z");
    expect(await savedFile(page), "one undo restores everything").toBe(before);
  });
  await test.step("a use is shown, and an unused record is deleted without asking", async () => {
    await item(page, "take-ball").click();
    await page.keyboard.press("Delete");
    await dialog(page).getByRole("button", { name: /of compound task get-ball/ }).first().click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toContainText("get-ball");
    await item(page, "The box is open").click();
    await page.keyboard.press("Delete");
    await expect(item(page, "The box is open")).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0);
  });
});

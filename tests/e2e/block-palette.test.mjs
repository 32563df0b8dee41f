// The palette of a method's blocks: drags onto the canvas and onto wires, and the keyboard. Its place at each width is checked in
// widths.test.mjs.

import { Desk } from "./desk.mjs";
import { boxAtRest, expect, nextFrame, test } from "./harness.mjs";

const palette = (page) => page.getByRole("toolbar", { name: "Blocks" });
const kind = (page, name) => palette(page).getByRole("button", { name: `Add ${name}` });
const ghost = (page) => page.locator(".drag-ghost");
const blocks = (page, kind) => page.locator(`[data-block]:has(.node-box.${kind})`);

const middle = async (element) => {
  const box = await element.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Opens the method of the desk. */
async function start(openTaskloom) {
  const desk = await Desk.start(openTaskloom);
  await desk.open("Method");
  return desk;
}

test("blocks are added from the palette: dragged by mouse or finger, clicked, and by keyboard", async ({ openTaskloom }) => {
  const desk = await start(openTaskloom);
  const { page } = desk;
  await test.step("a Branch is dragged onto a wire, and a Choice to an empty place", async () => {
    const [count, wires] = [await desk.count(), (await desk.wires()).length];
    const onWire = await desk.between(["walk", "out"], ["sub", "in"]);
    await desk.drag(await middle(kind(page, "Branch")), onWire, { release: false });
    await expect(ghost(page)).toContainText("Insert a Branch on the wire");
    await expect(page.locator(".wire.receiving")).toHaveCount(1);
    await page.mouse.up();
    await desk.until(() => desk.count(), count + 1);
    await expect(ghost(page)).toHaveCount(0);
    // Its condition is typed at once.
    await page.locator(".in-place").waitFor();
    await page.keyboard.type("lit");
    await page.keyboard.press("Escape");
    await desk.press("Escape");
    const { blocks: all, wires: drawn } = (await desk.document()).compound_tasks.main.method;
    const [branch] = Object.keys(all).filter((id) => all[id].kind === "branch");
    expect(all[branch].condition).toBe("lit");
    expect(drawn).toContain(`walk.out -> ${branch}`);
    expect(drawn).toContain(`${branch}.true -> sub`);
    expect(drawn).toHaveLength(wires + 1);

    const free = await desk.nowhere(0.3, 0.75);
    await desk.drag(await middle(kind(page, "Choice")), free);
    await desk.until(() => desk.count(), count + 2);
    const choice = await boxAtRest(blocks(page, "choice"));
    expect(Math.abs(choice.x - free.x), "where it was dropped").toBeLessThan(30);
    expect(Math.abs(choice.y - free.y)).toBeLessThan(40);
    await expect(blocks(page, "choice")).toHaveClass(/selected/);
    await desk.until(async () => (await desk.wires()).length, wires + 1);
    await desk.undo();
    await desk.until(() => desk.count(), count + 1, "a drop is one step");
  });
  await test.step("a Task that is dropped on a wire is chosen there, and Escape cancels a drag", async () => {
    await desk.open("Method");
    const count = await desk.count();
    const onWire = await desk.between(["walk", "out"], ["sub", "in"]);
    await desk.drag(await middle(kind(page, "Bind")), onWire, { release: false });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await expect(ghost(page)).toHaveCount(0);
    await desk.drag(await middle(kind(page, "End")), onWire, { release: false });
    await expect(ghost(page), "nothing comes after an End").toContainText("Add an End");
    // Released over the palette itself, it adds nothing.
    const back = await middle(kind(page, "End"));
    await page.mouse.move(back.x, back.y, { steps: 3 });
    await page.mouse.up();
    await nextFrame(page);
    expect(await desk.count()).toBe(count);
    await desk.drag(await middle(kind(page, "Task")), onWire);
    await page.getByRole("combobox", { name: "Insert a task" }).waitFor();
    await expect(page.getByRole("option", { name: "Branch" }), "only tasks").toHaveCount(0);
    await desk.pick("sit");
    await desk.until(() => desk.count(), count + 1);
    const { blocks: all, wires } = (await desk.document()).compound_tasks.main.method;
    const [added] = Object.keys(all).filter((id) => all[id].call === "sit" && id !== "free");
    expect(wires).toContain(`walk.out -> ${added}`);
    expect(wires).toContain(`${added}.out -> sub`);
  });
  await test.step("a click and Enter add blocks in free places", async () => {
    await desk.open("Method");
    const count = await desk.count();
    await kind(page, "Choice").click();
    await desk.until(() => desk.count(), count + 1);
    await kind(page, "End").focus();
    await page.keyboard.press("Enter");
    await desk.until(() => desk.count(), count + 2);
    await kind(page, "Bind").focus();
    await page.keyboard.press("Enter");
    await desk.until(() => desk.count(), count + 3);
    await page.locator(".in-place").waitFor();
    await page.keyboard.press("Escape");
    await desk.press("Escape");
    const overlaps = await page.locator("[data-block]").evaluateAll((all) => {
      const boxes = all.map((block) => block.getBoundingClientRect());
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return boxes.some((one, at) => boxes.slice(at + 1).some((other) => meet(one, other)));
    });
    expect(overlaps).toBe(false);
    await kind(page, "Task").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Add a task" }).waitFor();
    await desk.pick("walk");
    await desk.until(() => desk.count(), count + 4);
  });
  await test.step("a finger drags a block out of the palette", async () => {
    await desk.open("Method");
    const count = await desk.count();
    const [from, to] = [await middle(kind(page, "Choice")), await desk.nowhere(0.4, 0.75)];
    const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    await desk.fingers([from, { x: from.x + 8, y: from.y - 8 }, half, to, to]);
    await desk.until(() => desk.count(), count + 1);
    const choice = await boxAtRest(blocks(page, "choice"));
    expect(Math.abs(choice.x - to.x)).toBeLessThan(30);
  });
});

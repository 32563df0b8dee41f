// Bend points of wires are added, moved and removed by pointer and by keyboard.

import { boxAtRest, expect, test } from "./harness.mjs";
import { Method } from "./method.mjs";

test("a wire is bent, and its point moved and removed, by mouse and by keyboard", async ({ openTaskloom }) => {
  const method = await Method.open(openTaskloom, "get-key");
  const { page } = method;
  await test.step("by mouse", async () => {
    const path = () => page.locator(".wire-group .wire").first().getAttribute("d");
    const middle = async (locator) => {
      const box = await locator.boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const out = await middle(method.block("begin").locator('[data-port="out"]'));
    const into = await middle(method.block("bind").locator('[data-port="in"]'));
    const straight = await path();
    await page.mouse.dblclick((out.x + into.x) / 2, out.y);
    const point = page.getByRole("group", { name: /^Bend point 1 of the wire/ });
    await point.waitFor();
    await boxAtRest(point);
    const at = await middle(point);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y + 40, { steps: 3 });
    await page.mouse.move(at.x, at.y + 80, { steps: 3 });
    await page.mouse.up();
    const y = async () => (await middle(point)).y;
    await expect.poll(y).toBeGreaterThan(at.y + 60);
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { name: "Wire point" }).waitFor();
    await expect.poll(async () => (await path()).match(/C/g).length, "two pieces").toBe(2);
    const { layout } = await method.document();
    expect(Object.values(layout.drawings["get-key"].bends)[0].length).toBe(1);
    await method.press("ArrowDown");
    await expect.poll(y, "arrows move it, too").toBeGreaterThan(at.y + 65);
    await method.press("Delete");
    await point.waitFor({ state: "detached" });
    await expect.poll(path).toBe(straight);
    await method.press("Control+z");
    await point.waitFor();
  });
  await test.step("by keyboard", async () => {
    await method.again("get-key");
    await method.press("Tab", "l", "b", "ArrowDown", "Shift+ArrowDown");
    const heading = page.getByRole("complementary", { name: "Inspector" }).getByRole("heading", { name: "Wire point" });
    await heading.waitFor();
    const [points] = Object.values((await method.document()).layout.drawings["get-key"].bends);
    await method.press("Control+z", "Control+z");
    expect(Object.values((await method.document()).layout.drawings?.["get-key"]?.bends ?? {}), "two steps").toEqual([]);
    await method.press("Control+y");
    const [before] = Object.values((await method.document()).layout.drawings["get-key"].bends);
    const y = ([point]) => Number(point.split(",")[1]);
    expect(y(points) - y(before), "one step down, and five").toBe(60);
  });
});

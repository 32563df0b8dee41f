// A canvas of many blocks: only those nearby have elements, the rest is drawn, and users cannot tell the difference.

import { boxAtRest, expect, nextFrame, openFile, savedFile, test } from "./harness.mjs";

const ROWS = 30;
const COLUMNS = 40;
const PITCH = { x: 260, y: 120 };

/** A method of rows of tasks, each wired to the next, and as many primitive tasks on the Board. */
function settlement() {
  const ids = Array.from({ length: ROWS * COLUMNS }, (_, n) => `b${n}`);
  const at = (n) => `${(n % COLUMNS) * PITCH.x},${Math.floor(n / COLUMNS) * PITCH.y}`;
  const wires = ids.slice(1).flatMap((id, n) => ((n + 1) % COLUMNS === 0 ? [] : [`${ids[n]}.out -> ${id}`]));
  return JSON.stringify({
    taskloom: 1,
    primitive_tasks: Object.fromEntries(ids.map((id) => [`mend-${id}`, {}])),
    compound_tasks: {
      mend: { method: { blocks: Object.fromEntries(ids.map((id) => [id, { kind: "task", call: `mend-${id}` }])), wires } },
    },
    layout: { methods: { mend: Object.fromEntries(ids.map((id, n) => [id, at(n)])) } },
  });
}

async function openMethod(openTaskloom) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "mend.taskloom.json", settlement());
  await page.getByRole("treeitem", { name: "mend", exact: true }).dblclick();
  await page.locator("[data-block]").first().waitFor();
  return page;
}

/** Returns the screen position of a block, mounted or not: on its head, beside the port. */
async function place(page, n) {
  const { x, y, zoom } = await page.evaluate(() => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector(".plane")).transform);
    const box = document.querySelector(".canvas").getBoundingClientRect();
    return { zoom: a, x: box.x + e, y: box.y + f };
  });
  return { x: x + ((n % COLUMNS) * PITCH.x + 90) * zoom, y: y + (Math.floor(n / COLUMNS) * PITCH.y + 20) * zoom };
}

async function drag(page, from, by) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 3 });
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 3 });
  await page.mouse.up();
}

const mounted = (page) => page.locator("[data-block]").evaluateAll((all) => all.map((block) => block.dataset.block));
const places = async (page) => JSON.parse(await savedFile(page)).layout.methods.mend;

test("blocks too small to mount are drawn, and can be selected, dragged and deleted", async ({ openTaskloom }) => {
  const page = await openMethod(openTaskloom);
  const near = async () => {
    const count = (await mounted(page)).length;
    return count > 5 && count < 120;
  };
  await expect.poll(near, "only blocks nearby are mounted").toBe(true);
  await nextFrame(page);
  await page.keyboard.press("Home");
  await expect(page.locator("[data-block]")).toHaveCount(0);

  // A drawn block shows its colour on the background canvas; the space between blocks doesn't.
  const painted = () => page.evaluate(() => {
    const canvas = document.querySelector("canvas.far");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, at) => at % 4 === 3 && value > 0).length / (data.length / 4);
  });
  const isPart = async () => {
    const part = await painted();
    return part > 0.02 && part < 0.7;
  };
  await expect.poll(isPart, "a part of the canvas is painted").toBe(true);

  const before = await places(page);
  const one = 10 * COLUMNS + 20;
  const grip = await place(page, one);
  await page.mouse.click(grip.x, grip.y);
  await page.locator(`[data-block="b${one}"].selected`).waitFor();
  await expect.poll(() => mounted(page), "the selected block is mounted").toEqual([`b${one}`]);

  await drag(page, grip, { x: 40, y: 30 });
  const after = await places(page);
  const moved = Object.keys(after).filter((id) => after[id] !== before[id]);
  expect(moved).toEqual([`b${one}`]);
  await page.keyboard.press("Control+z");
  expect(await places(page)).toEqual(before);

  // A marquee around the first three columns.
  const corner = await place(page, 0);
  const end = await place(page, (ROWS - 1) * COLUMNS + 2);
  await drag(page, { x: corner.x - 25, y: corner.y - 25 }, { x: end.x - corner.x + 25, y: end.y - corner.y + 50 });
  await page.keyboard.press("Delete");
  expect(Object.keys(await places(page)).length).toBe(ROWS * (COLUMNS - 3));
  await page.keyboard.press("Control+z");
  expect(await places(page)).toEqual(before);
});

test("a distant block is mounted before it gets keyboard focus", async ({ openTaskloom }) => {
  const page = await openMethod(openTaskloom);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelectorAll("[data-block]").length === 0);
  await page.locator(".canvas").focus();
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement?.dataset.block !== undefined);
  const first = await page.evaluate(() => document.activeElement.dataset.block);
  await page.keyboard.press("Tab");
  await page.waitForFunction((first) => (document.activeElement?.dataset.block ?? first) !== first, first);
});

for (const [canvas, open, node] of [
  ["Method", openMethod, "[data-block]"],
  ["Board", openBoard, "[data-record]:not(.item)"],
]) {
  test(`on the ${canvas} a dragged node makes no other one change`, async ({ openTaskloom }) => {
    const page = await open(openTaskloom);
    const box = await boxAtRest(page.locator(`.canvas ${node}`).nth(4));
    const from = { x: box.x + box.width / 2, y: box.y + 12 };
    // Hovered or selected blocks may change their appearance.
    await page.mouse.click(from.x, from.y);
    await nextFrame(page);
    await page.evaluate((node) => {
      window.changed = new Set();
      new MutationObserver((records) => {
        // Cards below one that leaves its column move up, which is not a rendering.
        for (const { target } of records.filter(({ attributeName }) => attributeName !== "style")) {
          const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
          const changed = element?.closest(node);
          if (changed) window.changed.add(changed.dataset.block ?? changed.dataset.record);
        }
      }).observe(document.querySelector(".canvas"), { attributes: true, characterData: true, childList: true, subtree: true });
    }, node);
    await drag(page, from, { x: 60, y: 40 });
    await nextFrame(page);
    await expect.poll(() => page.evaluate(() => window.changed.size)).toBe(1);
  });
}

async function openBoard(openTaskloom) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "mend.taskloom.json", settlement());
  await page.locator(".canvas [data-record='primitive:mend-b0']").waitFor();
  return page;
}

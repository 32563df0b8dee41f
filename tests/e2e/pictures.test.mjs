// Tidy, and the diagram as a picture: complete, self-contained and in the page's colours.

import { boxAtRest, expect, exported, inBothThemes, nextFrame, openExample, screenshot, test } from "./harness.mjs";

async function openMethod(page, task) {
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: task, exact: true }).dblclick();
  await boxAtRest(page.locator("[data-block]").first());
}

/** Returns the position and size of each block, in graph units. */
const blocks = (page) =>
  page.locator("[data-block]").evaluateAll((all) =>
    all.map((block) => {
      const [x, y] = block.style.transform.match(/-?[\d.]+/g).map(Number);
      const { offsetWidth: w, offsetHeight: h } = block.firstElementChild;
      return { id: block.dataset.block, x, y, w, h };
    }),
  );

const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test("exports the whole diagram as a self-contained picture, in the colours of the theme", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom();
  // Without the page's own fonts.
  const viewer = await context.newPage();
  const board = await exported(page, "SVG");
  expect(board.name).toBe("board.svg");
  await openMethod(page, "get-ball");
  const count = (await blocks(page)).length;
  await page.locator(".canvas").focus();
  for (const key of ["Control+a", "c"]) await page.keyboard.press(key);
  await page.locator(".frame-title:focus").waitFor();
  await page.keyboard.type("All & more");
  await page.keyboard.press("Enter");
  // Zoomed in: the screen shows almost nothing of it.
  for (let turn = 0; turn < 8; turn += 1) {
    await page.getByRole("button", { name: "Zoom in" }).click();
  }
  let method;
  await inBothThemes(page, async (theme) => {
    method = await exported(page, "SVG");
    expect(method.name).toBe("get-ball.svg");
    const ground = method.content.toString().match(/<rect [^>]*fill="rgb\((\d+)/)[1];
    expect(theme === "dark" ? Number(ground) < 60 : Number(ground) > 200, `${theme}: ${ground}`).toBe(true);
    await viewer.setContent(`<body>${method.content}</body>`);
    await screenshot(viewer, `picture-method-${theme}`);
  });
  for (const { content } of [board, method]) {
    const text = content.toString();
    expect(text).not.toMatch(/var\(|light-dark|color-mix|href|url\((?!"data:font\/woff2;)|class=/);
    const strange = await viewer.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      return parsed.querySelector("parsererror")?.textContent ?? "";
    }, text);
    expect(strange).toBe("");
  }
  expect(method.content.toString()).toMatch(/>All &amp; more<\/text>/);
  for (const [need, icon] of [["preconditions", "M20 6 9 17l-5-5"], ["effects", "M5 12h14M12 5l7 7-7 7"]]) {
    expect(board.content.toString(), `${need} have the icon of the cards`).toContain(` d="${icon}"`);
  }
  // One box per block, in addition to the background and the tiles in the heads.
  const boxes = method.content.toString().match(/<rect [^>]*stroke=/g).length;
  expect(boxes).toBe(count);
  const heads = method.content.toString().match(/fill-opacity="\.14"/g).length;
  expect(heads, "heads have a tile in their kind's colour").toBe(await page.locator(".node-head:not(.ends)").count());
  const png = await exported(page, "PNG");
  expect(png.name).toBe("get-ball.png");
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  const [, width] = method.content.toString().match(/width="([\d.]+)"/);
  expect(png.content.readUInt32BE(16)).toBe(Math.floor(Number(width) * 2));
  for (const [name, { content }] of Object.entries({ method, board })) {
    await viewer.setContent(`<body>${content}</body>`);
    const fonts = await viewer.evaluate(async () => [...(await document.fonts.ready)].map(({ family, status }) => `${family.replaceAll('"', "")}: ${status}`));
    expect(fonts, `the fonts of the text are in the picture of the ${name}`).toEqual(["Inter: loaded", "JetBrains Mono: loaded"]);
    await screenshot(viewer, `picture-${name}`);
  }
});

test("a long cost leaves room for a task's name, on the card and in the picture", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "The opening");
  await boxAtRest(page.locator('[data-record="primitive:build"]'));
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const heads = await page.locator("[data-record] .node-head:has(.node-aside.yields)").evaluateAll((all) =>
    all.map((head) => {
      const [name, aside] = [head.querySelector(".node-name"), head.querySelector(".node-aside")];
      const pen = document.createElement("canvas").getContext("2d");
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(name);
      pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const words = head.title.split("(")[0].trim();
      return { words, room: name.clientWidth, needed: pen.measureText(words).width, aside: aside.clientWidth };
    }),
  );
  const tasks = heads.map(({ words }) => words);
  for (const task of ["build", "call-for", "train"]) expect(tasks).toContain(task);
  for (const { words, room, needed, aside } of heads) {
    // The detail next to it has its maximum width, or the whole name is visible.
    expect(room >= Math.floor(needed) || aside <= 40, `${words}: ${room} of ${needed} pixels, beside ${aside}`).toBe(true);
  }
  const { content } = await exported(page, "SVG");
  const texts = [...content.toString().matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text);
  for (const task of ["build(?", "train(?"]) {
    const at = texts.findIndex((text) => text.startsWith(task));
    expect(texts[at + 1], `beside ${texts[at]}`).toMatch(/^cost .*…$/);
  }
});

test("prints the diagram in light colours", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ colorScheme: "dark" });
  await openMethod(page, "get-ball");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".printed svg")).toBeVisible();
  await expect(page.locator(".app")).toBeHidden();
  const ground = await page.locator(".printed svg > rect").first().getAttribute("fill");
  expect(Number(ground.match(/\d+/)[0]), ground).toBeGreaterThan(200);
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(undefined);
  await screenshot(page, "printed");
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".printed svg")).toHaveCount(0);
});

test("Tidy lays out a method in one step, and moves only selected blocks", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openMethod(page, "get-ball");
  // The example is tidy until a block is moved.
  await page.locator(".canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await nextFrame(page);
  await page.keyboard.press("Escape");
  const before = await blocks(page);
  const tidy = page.getByRole("button", { name: "Tidy" });
  await tidy.click();
  const undo = page.getByRole("button", { name: "Undo" });
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => b.title.startsWith("Undo: Tidy method")));
  // The blocks move in the next frame.
  await nextFrame(page);
  const after = await blocks(page);
  expect(after).not.toEqual(before);
  for (const [at, block] of after.entries()) {
    expect(!after.slice(0, at).some((other) => overlaps(block, other)), `${block.id} is covered`).toBe(true);
  }
  const begin = (all) => all.find((block) => block.w < 100 && block.x === Math.min(...all.map((b) => b.x)));
  expect(begin(after)?.x, "Begin is at the left").toBe(Math.min(...after.map((block) => block.x)));
  await nextFrame(page);
  await page.getByRole("button", { name: "Fit all" }).click();
  await screenshot(page, "tidy-method");
  await undo.click();
  await expect.poll(() => blocks(page)).toEqual(before);

  // Two blocks without wires, one of them far below the other one.
  await openMethod(page, "get-key");
  const third = page.locator("[data-block]").nth(2);
  await third.click();
  for (let step = 0; step < 4; step += 1) {
    await page.keyboard.press("Shift+ArrowDown");
  }
  await page.locator("[data-block]").nth(1).click({ modifiers: ["Shift"] });
  const chosen = await page.locator("[data-block].selected").evaluateAll((all) => all.map((block) => block.dataset.block));
  expect(chosen.length).toBe(2);
  await nextFrame(page);
  const set = await blocks(page);
  await tidy.click();
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => b.title.startsWith("Undo: Tidy selected")));
  await nextFrame(page);
  const tidied = await blocks(page);
  const moved = tidied.filter((block, at) => block.x !== set[at].x || block.y !== set[at].y).map((block) => block.id);
  expect(moved.length > 0 && moved.every((id) => chosen.includes(id)), `${moved} moved of ${chosen}`).toBe(true);
});

test("Tidy orders the Board's cards in their columns", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.locator("[data-record] .node-head").first().click();
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => b.title.startsWith("Undo: Move")));
  await page.getByRole("button", { name: "Tidy" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => b.title.startsWith("Undo: Tidy the Board")));
  await nextFrame(page);
  const cards = await page.locator("[data-record]").evaluateAll((all) =>
    all.map((card) => {
      const [x, y] = card.style.transform.match(/-?[\d.]+/g).map(Number);
      const { offsetWidth: w, offsetHeight: h } = card.firstElementChild;
      return { id: card.dataset.record, x, y, w, h };
    }),
  );
  for (const [at, card] of cards.entries()) {
    expect(!cards.slice(0, at).some((other) => overlaps(card, other)), `${card.id} is covered`).toBe(true);
  }
  expect(new Set(cards.map((card) => card.x)).size, "five columns: the robot is next to its tasks").toBe(5);
  await screenshot(page, "tidy-board");
});

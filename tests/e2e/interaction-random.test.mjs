// Random gestures, with real events, leave a valid document and cause no complaint of the browser, and undo leads back
// to the start. TASKLOOM_GESTURES sets their number on each canvas, TASKLOOM_SEED the seed.

import { DESK, Desk } from "./desk.mjs";
import { expect, often, openFile, redoAll, savedFile, test, measured, undoAll } from "./harness.mjs";

const COUNT = Number(process.env.TASKLOOM_GESTURES ?? often(40, 20));
const SEED = Number(process.env.TASKLOOM_SEED ?? 20261121);

/** Returns a generator of numbers from 0 to 1, determined by a seed (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const KEYS = [
  "Delete", "Backspace", "ArrowLeft", "ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown", "Control+a", "Shift+S", "Home", "f", "+", "-", "Tab",
  "Shift+Tab", "Control+ArrowRight", "Control+ArrowLeft", "Control+d", "p", "l", "Enter", "Escape", "Alt+ArrowUp", "F2", "Control+z",
  "Control+Shift+z", "Control+c", "Control+v", "Control+x", "m", "c", "Alt+c",
];
const WORDS = ["walk", "sit", "Branch", "Choice", "Bind", "End", "main", "dance", "lit", "New condition", "nothing(", "calm"];

/** Tab also leads to the File menu, where Enter opens another document, and undo doesn't lead back from there. */
async function leaveTheToolbar(page) {
  await page.evaluate(() => {
    if (document.activeElement?.closest("header")) document.querySelector(".canvas")?.focus();
  });
}

/** Performs a gesture and returns its name. */
async function gesture(desk, next) {
  const { page } = desk;
  await leaveTheToolbar(page);
  const any = (list) => list[Math.floor(next() * list.length)];
  const canvas = await page.locator(".canvas").boundingBox();
  const anywhere = () => ({ x: canvas.x + next() * canvas.width * 0.98 + 4, y: canvas.y + next() * canvas.height * 0.9 + 4 });
  const targets = await page.locator(".canvas [data-block], .canvas [data-record], .canvas .port").evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + Math.min(width / 2, 40), y: y + Math.min(height / 2, 14) };
    }),
  );
  const seen = targets.filter(({ x, y }) => x > canvas.x && y > canvas.y && x < canvas.x + canvas.width && y < canvas.y + canvas.height);
  const somewhere = () => (seen.length && next() < 0.75 ? any(seen) : anywhere());
  const held = next() < 0.3 ? [any(["Shift", "Control", "Alt"])] : [];
  const roll = next();
  if (roll < 0.4) {
    const button = any(["left", "left", "left", "left", "right", "middle"]);
    const [from, to] = [somewhere(), somewhere()];
    await desk.drag(from, to, { keys: held, button });
    return `${button} drag ${held} ${JSON.stringify([from, to])}`;
  }
  if (roll < 0.55) {
    const [at, button] = [somewhere(), any(["left", "left", "right"])];
    await desk.click(at, { keys: held, button });
    return `${button} click ${held} ${JSON.stringify(at)}`;
  }
  if (roll < 0.65) {
    const { x, y } = somewhere();
    await page.mouse.dblclick(x, y);
    return `double click ${x} ${y}`;
  }
  if (roll < 0.7) {
    const by = [next() * 200 - 100, next() * 400 - 200];
    await page.mouse.wheel(...by);
    return `wheel ${by}`;
  }
  if (roll < 0.85) {
    const word = any(WORDS);
    await desk.press("Shift+A");
    if (await desk.search().count()) await page.keyboard.type(word);
    await desk.press(any(["Enter", "Enter", "Escape"]));
    return `search ${word}`;
  }
  const key = any(KEYS);
  await desk.press(key);
  return key;
}

for (const kind of ["Board", "Method"]) {
  test(`${COUNT} gestures at random, ${kind}`, async ({ openTaskloom }) => {
    test.setTimeout(60_000 + COUNT * 1000);
    const desk = await Desk.start(openTaskloom);
    const { page, problems } = desk;
    await desk.open(kind, DESK);
    // The document as the page reads it is the one that undo must restore.
    const start = await savedFile(page);
    // A click on the message about opening it brings the previous document back.
    await page.getByRole("button", { name: "Dismiss" }).first().click();
    const next = random(SEED);
    const done = [];
    while (done.length < COUNT) {
      done.push(await gesture(desk, next));
      await desk.confirmDeletion();
      const history = () => `seed ${SEED}, after ${done.length}:\n${done.slice(-8).join("\n")}`;
      expect(problems, history()).toEqual([]);
      if (done.length % 10 === 0) {
        // If a gesture has opened the other canvas, returns.
        await desk.press("Escape", "Escape");
        const open = await page.locator(desk.node).count();
        if (!open && kind === "Board") await desk.press("Alt+ArrowUp", "Alt+ArrowUp");
        // A fact may have the same name as the task.
        const tasks = page.getByRole("tree", { name: "Records" }).getByRole("group", { name: "Compound tasks" });
        const main = tasks.getByRole("treeitem", { name: "main", exact: true });
        if (!open && kind === "Method" && (await main.count())) await main.dblclick();
        await page.locator(".canvas").focus();
        await desk.press("Home");
      }
    }
    await desk.press("Escape", "Escape", "Escape");
    const end = await savedFile(page);
    await undoAll(page);
    expect(await savedFile(page), `undo leads back to the start: seed ${SEED}\n${done.join("\n")}`).toBe(start);
    await redoAll(page);
    expect(await savedFile(page), "and redo to the end").toBe(end);
    await openFile(page, "end.taskloom.json", end);
    await page.getByText(/^Opened “/).first().waitFor();
    expect(await savedFile(page), "the result is a document that opens").toBe(end);
  });
}

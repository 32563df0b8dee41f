// The table of interactions with the keyboard alone, on both canvases where a row applies.

import { row } from "./desk.mjs";
import { inspector } from "./hands.mjs";
import { boxAtRest, expect } from "./harness.mjs";

const BOTH = ["Board", "Method"];

/** Returns `true` if the canvas, or something on it, has the keyboard focus. */
const onCanvas = (desk) => desk.page.evaluate(() => document.activeElement.closest(".canvas") !== null);

/** Moves the focus to a node by Tab. */
const goTo = async (desk, name) => {
  await desk.page.locator(".canvas").focus();
  while ((await desk.selected()).length) await desk.press("Escape");
  for (let turn = 0; turn < 20; turn += 1) {
    await desk.press("Tab");
    if ((await desk.selected())[0] === name) return;
  }
  throw new Error(`Tab never reached ${name}`);
};

row("Home shows all, F the selection; +, - and Ctrl+0 zoom", BOTH, async (desk) => {
  const all = await desk.camera();
  await desk.press("+");
  const nearer = await desk.camera();
  expect(nearer.zoom).toBeGreaterThan(all.zoom);
  await desk.press("-", "-");
  expect((await desk.camera()).zoom).toBeLessThan(nearer.zoom);
  await desk.press("Control+0");
  expect((await desk.camera()).zoom).toBe(1);
  await desk.press("Home");
  await desk.until(() => desk.camera(), all);
  await goTo(desk, desk.nodes.first);
  await desk.press("f");
  const canvas = await desk.page.locator(".canvas").boundingBox();
  const offMiddle = async () => {
    const box = await desk.box(desk.nodes.first);
    return Math.abs(box.x + box.width / 2 - canvas.x - canvas.width / 2);
  };
  await expect.poll(offMiddle, "in the middle").toBeLessThan(3);
});

row("Shift+A opens the search box", BOTH, async (desk, kind) => {
  const count = await desk.count();
  await desk.press("Shift+A");
  await desk.pick(kind === "Method" ? "End" : "New action");
  await desk.until(() => desk.count(), count + 1);
});

row("Tab visits every block, and arrows go to the neighbour", BOTH, async (desk) => {
  const all = await desk.page.locator(desk.node).evaluateAll((nodes) => nodes.map((e) => e.dataset.block ?? e.dataset.record));
  const seen = new Set();
  for (let turn = 0; turn < all.length; turn += 1) {
    await desk.press("Tab");
    seen.add((await desk.selected())[0]);
    await desk.until(() => desk.page.evaluate(() => document.activeElement.classList.contains("selected")), true, "it has the focus");
  }
  expect([...seen].sort()).toEqual(all.sort());
  await desk.press("Shift+Tab");
  await desk.until(async () => (await desk.selected()).length, 1);
  await goTo(desk, desk.nodes.first);
  for (const [there, back] of [["Control+ArrowRight", "Control+ArrowLeft"], ["Alt+ArrowRight", "Alt+ArrowLeft"]]) {
    const from = await desk.box(desk.nodes.first);
    await desk.press(there);
    const [right] = await desk.selected();
    expect((await desk.box(right)).x).toBeGreaterThan(from.x);
    await desk.press(back);
    const [left] = await desk.selected();
    expect((await desk.box(left)).x).toBeLessThan((await desk.box(right)).x);
    await goTo(desk, desk.nodes.first);
  }
  await desk.press("Escape", "ArrowDown");
  await desk.until(async () => (await desk.selected()).length, 1, "without a selection, an arrow goes to the middle");
});

row("arrows move the selection, farther with Shift; a series is one undo step", BOTH, async (desk) => {
  const { free } = desk.nodes;
  await goTo(desk, free);
  const { zoom } = await desk.camera();
  const before = await desk.box(free);
  await desk.press("ArrowRight");
  await desk.until(async () => Math.round(((await desk.box(free)).x - before.x) / zoom), 10);
  await desk.press("Shift+ArrowDown");
  await desk.until(async () => Math.round(((await desk.box(free)).y - before.y) / zoom), 50);
  await desk.undo();
  await desk.until(() => desk.box(free), before);
  await desk.until(() => desk.selected(), [free]);
});

row("Ctrl+A selects all, Shift+S everything downstream", BOTH, async (desk, kind) => {
  await desk.press("Control+a");
  await desk.until(async () => (await desk.selected()).length, await desk.count());
  await desk.press("Escape");
  await desk.until(() => desk.selected(), []);
  await goTo(desk, kind === "Method" ? "walk" : "primitive:walk");
  await desk.press("Shift+S");
  await desk.until(() => desk.selected(), kind === "Method" ? ["end", "sub", "walk"] : ["compound:main", "primitive:walk"]);
});

for (const key of ["Delete", "Backspace"]) {
  row(`${key} deletes, the wire closes over a block, and the focus stays on the canvas`, BOTH, async (desk, kind) => {
    const count = await desk.count();
    await goTo(desk, kind === "Method" ? "walk" : "fact:seen");
    await desk.press(key);
    if (kind === "Board") await desk.page.getByRole("button", { name: /^Delete with/ }).click();
    await desk.until(() => desk.count(), count - 1);
    if (kind === "Method") {
      await desk.until(async () => (await desk.wires()).sort(), ["begin.out -> sub", "sub.out -> end"]);
    }
    await desk.until(() => onCanvas(desk), true);
    await desk.undo();
    await desk.until(() => desk.count(), count);
    await desk.until(() => onCanvas(desk), true);
    await desk.press("Tab");
    await desk.until(async () => (await desk.selected()).length, 1, "and keys still work");
  });
}

row("P reaches every port, and L every wire", BOTH, async (desk, kind) => {
  await goTo(desk, kind === "Method" ? "walk" : "primitive:walk");
  const names = [];
  const ports = await desk.page.locator(`${desk.named((await desk.selected())[0])} .port`).count();
  for (let turn = 0; turn < ports; turn += 1) {
    await desk.press("p");
    names.push(await desk.focused());
  }
  expect(new Set(names).size, names.join("\n")).toBe(ports);
  expect(names.join("\n")).toMatch(kind === "Method" ? /Input in of primitive task: walk.* Wired to Begin/ : /Input precondition of primitive task walk.*Wired to fact lit/);
  await desk.press("Escape");
  await desk.press("l");
  await expect(desk.page.locator(".wire-group:has(.wire.selected)")).toHaveCount(1);
  await desk.until(async () => /^Wire from .+ to .+/.test(await desk.page.locator("#live").innerText()), true, "it is announced");
  const wires = (await desk.wires()).length;
  await desk.press("Delete");
  await desk.until(async () => (await desk.wires()).length, wires - 1);
});

row("draws wires from a block or from one of its ports", BOTH, async (desk, kind) => {
  const wires = await desk.wires();
  await goTo(desk, kind === "Method" ? "free" : "condition:calm");
  await desk.press("w");
  await desk.pick(kind === "Method" ? "End" : "sit");
  await desk.until(async () => (await desk.wires()).length, wires.length + 1);
  await desk.undo();
  await goTo(desk, kind === "Method" ? "free" : "primitive:sit");
  do {
    await desk.press("p");
  } while (kind === "Board" && !(await desk.focused()).startsWith("Input precondition"));
  await desk.press("Enter");
  await desk.search().waitFor();
  const offered = async () => (await desk.page.locator(".finder-list [role=option]").allInnerTexts()).join("\n");
  await expect.poll(offered).toMatch(kind === "Method" ? /Begin →/ : /calm/);
  await desk.pick(kind === "Method" ? "walk →" : "calm");
  await desk.until(async () => (await desk.wires()).length, wires.length + 1);
});

row("Enter opens, Escape and Alt+Up leave", BOTH, async (desk, kind) => {
  const crumbs = async () => (await desk.page.getByRole("navigation", { name: "Breadcrumbs" }).innerText()).replaceAll(/\s+/g, " ");
  await goTo(desk, kind === "Method" ? "sub" : "compound:main");
  await desk.press("Enter");
  await desk.until(crumbs, kind === "Method" ? "Board main sub" : "Board main");
  await desk.press("Alt+ArrowUp");
  await desk.until(crumbs, kind === "Method" ? "Board main" : "Board");
  await desk.until(() => desk.selected(), [kind === "Method" ? "sub" : "compound:main"], "the task that was left is selected");
  await desk.press("Enter", "Escape");
  await desk.until(crumbs, kind === "Method" ? "Board main" : "Board");
});

row("F2 renames, or edits a block’s text", BOTH, async (desk, kind) => {
  await goTo(desk, kind === "Method" ? "walk" : "fact:lit");
  await desk.press("F2");
  if (kind === "Method") {
    await desk.page.locator(".in-place textarea").waitFor();
    await desk.press("Alt+ArrowUp");
    await desk.page.locator('[data-record="compound:main"]').waitFor();
    await desk.press("Enter");
    await goTo(desk, "walk");
    await desk.press("F2");
    await desk.page.locator(".in-place textarea").waitFor();
    await desk.press("Escape", "Escape");
  } else {
    await desk.page.getByRole("textbox", { name: "Name of the fact" }).waitFor();
    await desk.page.keyboard.type("bright");
    await desk.press("Enter");
    await desk.until(async () => "bright" in (await desk.document()).facts, true);
  }
});

row("Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z work on the canvas and in a field that is unchanged", BOTH, async (desk) => {
  await goTo(desk, desk.nodes.free);
  await desk.press("ArrowRight");
  const moved = await boxAtRest(desk.at(desk.nodes.free));
  await desk.undo();
  await expect.poll(() => desk.box(desk.nodes.free)).not.toEqual(moved);
  await desk.press("Control+y");
  await desk.until(() => desk.box(desk.nodes.free), moved);
  const title = desk.page.getByRole("textbox", { name: "Title of the document" });
  await title.focus();
  await desk.undo();
  await desk.press("Control+Shift+z");
  await desk.until(() => desk.box(desk.nodes.free), moved);
  await expect(title).toHaveValue("The desk");
});

row("Ctrl+K finds commands, and opens records and blocks by name", ["Board"], async (desk) => {
  const field = desk.page.locator("dialog .finder-input");
  const go = async (text) => {
    await desk.press("Control+k");
    await field.waitFor();
    await desk.page.keyboard.type(text);
    await desk.press("Enter");
    await desk.page.locator("dialog").waitFor({ state: "detached" });
  };
  await desk.press("Control+k");
  const offered = async () => (await desk.page.locator(".finder-list [role=option]").allInnerTexts()).join(" ");
  await expect.poll(offered).toMatch(/Undo[^]*Ctrl\s*Z/);
  await desk.press("Escape");
  await desk.page.locator("dialog").waitFor({ state: "detached" });
  await desk.until(() => onCanvas(desk), true, "the focus returns");
  await go("select all");
  await desk.until(async () => (await desk.selected()).length, await desk.count());
  await go("calm condition");
  await desk.page.locator('[data-record="condition:calm"].selected').waitFor();
  await go("primitive task in main");
  await desk.page.locator("[data-block].selected").waitFor();
});

row("? opens the help sheet with all bindings, where keys can be changed", ["Method"], async (desk) => {
  const sheet = desk.page.getByRole("dialog", { name: "Help" });
  const line = (name) => sheet.getByRole("option", { name });
  await desk.press("?");
  await sheet.waitFor();
  for (const text of ["Undo", "Command palette", "Drag from port to port", "One finger", "Ctrl+A"]) {
    await desk.page.keyboard.type(text.replace("+", " "));
    await expect(sheet.getByRole("option"), `${text} is found`).not.toHaveCount(0);
    await desk.page.keyboard.press("Control+a");
    await desk.page.keyboard.press("Delete");
  }
  await desk.page.keyboard.type("show all");
  await desk.press("Enter", "j");
  await line(/Show all/).getByText("J", { exact: true }).waitFor();
  // A key that is already bound to another command is reported, and reassigned only on confirmation.
  await desk.press("Enter", "f");
  await line(/F is used by “Show the selection”/).waitFor();
  await desk.press("Escape");
  await line(/Show all/).getByText("J", { exact: true }).waitFor();
  await desk.press("Enter", "f", "Enter");
  await line(/Show all/).getByText("F", { exact: true }).waitFor();
  await desk.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await desk.until(() => onCanvas(desk), true, "the focus returns");
  const all = await desk.camera();
  await desk.press("+", "f");
  await desk.until(() => desk.camera(), all);
  await desk.page.reload();
  await desk.page.getByRole("main").waitFor();
  await desk.press("F1");
  await desk.page.keyboard.type("show all");
  await line(/Show all/).getByText("F", { exact: true }).waitFor();
  await sheet.getByRole("button", { name: "Reset all keys" }).click();
  await line(/Show all/).getByText("Home", { exact: true }).waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
});

row("F6 cycles through the parts of the page", ["Board"], async (desk) => {
  const area = () => desk.page.evaluate(() => document.activeElement.closest(".toolbar, .outline, .canvas-area, .inspector, .panel")?.className.split(" ")[0]);
  await goTo(desk, "fact:lit");
  const seen = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await desk.press("F6");
    seen.push(await area());
  }
  expect(seen).toEqual(["inspector", "panel", "toolbar", "outline", "canvas-area"]);
});

row("announces plan changes and new problems", ["Method"], async (desk) => {
  const live = desk.page.locator("#live");
  await desk.page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  await goTo(desk, "walk");
  await desk.press("Delete");
  await desk.until(async () => /Plan of \d+ steps?|No plan/.test(await live.innerText()), true);
  await goTo(desk, "sub");
  await inspector(desk.page).getByRole("textbox", { name: "Task", exact: true }).fill("nothing-of-that-name");
  await desk.until(async () => /New problem: main: /.test(await live.innerText()), true);
});

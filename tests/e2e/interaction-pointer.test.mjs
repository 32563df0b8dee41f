// The table of interactions, row by row, with real mouse, wheel and fingers, on both canvases where the row applies.

import { row } from "./desk.mjs";
import { boxAtRest, expect } from "./harness.mjs";

const BOTH = ["Board", "Method"];

const preset = async (desk, title, option) => {
  await desk.press("F1");
  await desk.page.getByRole("combobox", { name: title, exact: true }).selectOption({ label: option });
  await desk.page.keyboard.press("Escape");
  await desk.page.locator("dialog").waitFor({ state: "detached" });
  await desk.page.locator(".canvas").focus();
};

const panned = async (desk, gesture, by = { x: 90, y: 40 }) => {
  const before = await desk.camera();
  const from = await desk.nowhere();
  await gesture(from, { x: from.x + by.x, y: from.y + by.y });
  const after = await desk.camera();
  expect(after.zoom).toBe(before.zoom);
  return { x: Math.round(after.x - before.x), y: Math.round(after.y - before.y) };
};
const whole = { x: 90, y: 40 };

row("pan with the middle button, or with Space and a drag", BOTH, async (desk) => {
  // Some systems paste the primary selection where the middle button is released.
  await desk.page.evaluate(() => addEventListener("paste", () => (window.pasted = true)));
  expect(await panned(desk, (a, b) => desk.drag(a, b, { button: "middle" }))).toEqual(whole);
  expect(await desk.page.evaluate(() => window.pasted)).toBe(undefined);
  expect(await panned(desk, (a, b) => desk.drag(a, b, { keys: ["Space"] }))).toEqual(whole);
  await desk.until(() => desk.selected(), []);
});

row("Space ends panning wherever it is released, and when the window is left", ["Board"], async (desk) => {
  const { page } = desk;
  const ends = {
    "in another field": async () => {
      await page.getByRole("textbox", { name: "Title of the document" }).focus();
      await page.keyboard.up("Space");
    },
    // A browser reports no key that is released in another window.
    "in another window": () => page.evaluate(() => dispatchEvent(new FocusEvent("blur"))),
  };
  for (const [where, end] of Object.entries(ends)) {
    await page.locator(".canvas").focus();
    await page.keyboard.down("Space");
    await expect(page.locator(".canvas.pannable"), where).toHaveCount(1);
    await end();
    await expect(page.locator(".canvas.pannable"), where).toHaveCount(0);
    await page.keyboard.up("Space");
  }
});

row("pan with the right button, as an option", BOTH, async (desk) => {
  expect(await panned(desk, (a, b) => desk.drag(a, b, { button: "right" }))).toEqual(whole);
  await expect(desk.search(), "no menu after a drag").toHaveCount(0);
  await preset(desk, "Drag with the right button", "Do nothing");
  expect(await panned(desk, (a, b) => desk.drag(a, b, { button: "right" }))).toEqual({ x: 0, y: 0 });
  await desk.menu().waitFor();
  await desk.press("Escape");
  await preset(desk, "Drag with the right button", "Pan");
  await preset(desk, "Drag on empty canvas", "Pan; select with Shift");
  expect(await panned(desk, (a, b) => desk.drag(a, b))).toEqual(whole);
  await preset(desk, "Drag on empty canvas", "Select");
  expect(await panned(desk, (a, b) => desk.drag(a, b))).toEqual({ x: 0, y: 0 });
});

row("pan with one finger and with two", BOTH, async (desk) => {
  const walk = (from, to) => [from, { x: from.x + (to.x - from.x) / 10, y: from.y + (to.y - from.y) / 10 }, to];
  const one = await panned(desk, (a, b) => desk.fingers(walk(a, b)));
  expect(Math.abs(one.x - 90) < 12 && Math.abs(one.y - 40) < 12, JSON.stringify(one)).toBe(true);
  const aside = ({ x, y }) => ({ x: x + 80, y });
  const two = await panned(desk, (a, b) => desk.fingers(walk(a, b), walk(aside(a), aside(b))));
  expect(Math.abs(two.x - 90) < 12 && Math.abs(two.y - 40) < 12, JSON.stringify(two)).toBe(true);
});

row("zoom with the wheel about the pointer, and by a pinch", BOTH, async (desk) => {
  const { first } = desk.nodes;
  const head = await desk.head(first);
  const before = await desk.camera();
  await desk.page.mouse.move(head.x, head.y);
  await desk.page.mouse.wheel(0, -100);
  await expect.poll(async () => (await desk.camera()).zoom).toBeGreaterThan(before.zoom * 1.1);
  const nearer = await desk.camera();
  const at = (camera) => ({ x: (head.x - camera.x) / camera.zoom, y: (head.y - camera.y) / camera.zoom });
  const canvas = await desk.page.locator(".canvas").boundingBox();
  const graph = (camera) => at({ ...camera, x: camera.x + canvas.x, y: camera.y + canvas.y });
  expect(Math.hypot(graph(before).x - graph(nearer).x, graph(before).y - graph(nearer).y), "the point under the pointer stays").toBeLessThan(2);
  const middle = await desk.nowhere(0.5, 0.5);
  const finger = (by) => [0, 1, 2, 3].map((n) => ({ x: middle.x + by * (40 + n * 25), y: middle.y }));
  await desk.fingers(finger(-1), finger(1));
  await expect.poll(async () => (await desk.camera()).zoom, "two fingers apart").toBeGreaterThan(nearer.zoom * 1.5);
});

row("in trackpad mode the wheel pans, and zooms with Ctrl", BOTH, async (desk) => {
  await preset(desk, "Mouse wheel", "Pan; zoom with Ctrl");
  const before = await desk.camera();
  const { x, y } = await desk.nowhere();
  await desk.page.mouse.move(x, y);
  await desk.page.mouse.wheel(30, 100);
  const moved = async () => {
    const now = await desk.camera();
    return [now.x - before.x, now.y - before.y, now.zoom].map(Math.round);
  };
  await desk.until(moved, [-30, -100, before.zoom].map(Math.round));
  await desk.hold(["Control"], () => desk.page.mouse.wheel(0, -100));
  await expect.poll(async () => (await desk.camera()).zoom).toBeGreaterThan(before.zoom * 1.1);
  await preset(desk, "Mouse wheel", "Zoom with a mouse, pan with a trackpad");
});

row("add by double click, or by the menu of a right click or long press: a search box opens", BOTH, async (desk, kind) => {
  const count = await desk.count();
  const name = kind === "Method" ? "Branch" : "New condition";
  const place = await desk.nowhere(0.3);
  const add = () => desk.choose(/^Add (a block|or find a record)…/);
  const ways = [
    () => desk.page.mouse.dblclick(place.x, place.y),
    async () => {
      await desk.click(place, { button: "right" });
      await add();
    },
    async () => {
      const touch = (type, touchPoints) => desk.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
      await touch("touchStart", [place]);
      await desk.menu().waitFor();
      await touch("touchEnd", []);
      await add();
    },
  ];
  for (const [at, way] of ways.entries()) {
    await way();
    await desk.pick(name);
    await desk.until(() => desk.count(), count + at + 1);
    await desk.press("Escape", "Escape");
    await desk.open(kind, await desk.document());
  }
});

row("a right click or a long press on a block opens its menu", BOTH, async (desk, kind) => {
  const count = await desk.count();
  const head = await desk.head(desk.nodes.free);
  await desk.click(head, { button: "right" });
  await desk.menu().waitFor();
  await desk.until(() => desk.selected(), [desk.nodes.free]);
  await expect(desk.menu().getByRole("menuitem", { name: kind === "Board" ? /^Rename\s*F2$/ : /^Edit the text\s*F2$/ })).toBeVisible();
  await desk.choose(/^Delete\b/);
  if (kind === "Board") await desk.page.getByRole("button", { name: /^Delete with/ }).click();
  await desk.until(() => desk.count(), count - 1);
  await desk.undo();
  await desk.until(() => desk.count(), count);
  const touch = (type, touchPoints) => desk.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [head]);
  await desk.menu().waitFor();
  await touch("touchEnd", []);
  await desk.press("Escape");
  await expect(desk.menu()).toHaveCount(0);
});

row("menus offer only what is possible, with their keys, and stay within the window", BOTH, async (desk, kind) => {
  await desk.click(await desk.head(desk.nodes.free), { button: "right" });
  await boxAtRest(desk.menu());
  const names = await desk.menu().getByRole("menuitem").allInnerTexts();
  const has = (name) => names.some((text) => text.startsWith(name));
  for (const name of ["Cut", "Copy", "Paste", "Duplicate", "Delete", "Collapse"]) expect(has(name), name).toBe(true);
  for (const name of ["Bend", "Add", "Distribute", "Open the method"]) expect(has(name), name).toBe(false);
  expect(names.find((text) => text.startsWith("Duplicate"))).toMatch(/Ctrl\+D/);
  const { height } = desk.page.viewportSize();
  const box = await desk.menu().boundingBox();
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
  // By keyboard: End, and back to the top.
  await desk.press("End", "ArrowDown");
  await expect(desk.menu().getByRole("menuitem").first()).toBeFocused();
  const count = await desk.count();
  await desk.choose(/^Duplicate/);
  await desk.until(() => desk.count(), count + 1);
  await desk.undo();
  await desk.until(() => desk.count(), count);
  await desk.click(await desk.head(desk.nodes.free));
  await desk.press("Shift+F10");
  await desk.menu().waitFor();
  await desk.press("Escape");
  await expect(desk.menu()).toHaveCount(0);
});

row("a wire's menu inserts a block, bends or deletes the wire", ["Method"], async (desk) => {
  const before = await desk.wires();
  const from = await desk.port("walk", "out");
  const to = await desk.port("sub", "in");
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  await desk.click(middle, { button: "right" });
  await desk.choose(/^Delete wire/);
  await desk.until(async () => (await desk.wires()).length, before.length - 1);
  await desk.undo();
  await desk.click(middle, { button: "right" });
  const count = await desk.count();
  await desk.choose(/^Insert a block…/);
  await desk.pick("Branch");
  await desk.until(() => desk.count(), count + 1);
  await desk.until(async () => (await desk.wires()).length, before.length + 1);
});

row("a new name typed into the search box creates a record", BOTH, async (desk, kind) => {
  const place = await desk.nowhere(0.3);
  await desk.page.mouse.dblclick(place.x, place.y);
  await desk.search().waitFor();
  await desk.page.keyboard.type("dance");
  await desk.page.getByRole("option", { name: /^New primitive task ‘dance’/ }).click();
  await desk.frame();
  const { primitive_tasks: tasks, compound_tasks: methods } = await desk.document();
  expect("dance" in tasks).toBeTruthy();
  if (kind === "Method") {
    expect(Object.values(methods.main.method.blocks).some((block) => block.call === "dance")).toBe(true);
  }
  await desk.undo();
  expect(!("dance" in (await desk.document()).primitive_tasks), "one step").toBe(true);
});

row("the search box offers recently used entries first", ["Method"], async (desk) => {
  const place = await desk.nowhere(0.3);
  // More often than the previous rows have used anything else.
  for (let turn = 0; turn < 5; turn += 1) {
    await desk.page.mouse.dblclick(place.x, place.y);
    await desk.pick("Choice");
    await desk.undo();
  }
  await desk.page.mouse.dblclick(place.x, place.y);
  await desk.search().waitFor();
  await expect(desk.page.locator(".finder-list [role=option]").first()).toContainText("Choice");
  await desk.press("Escape");
});

row("connect by a drag from port to port, which marks compatible ports", BOTH, async (desk, kind) => {
  const [from, to] = kind === "Method" ? ["free", "end"] : ["condition:calm", "primitive:sit"];
  const wires = await desk.wires();
  const { output, input } = desk.ports;
  const start = await desk.port(from, output);
  const target = await desk.port(to, input);
  await desk.drag(start, { x: target.x - 60, y: target.y + 40 }, { release: false });
  await expect(desk.page.locator(`${desk.named(to)} [data-port="${input}"].fits`), "it fits").not.toHaveCount(0);
  const own = kind === "Method" ? `${desk.named("begin")} [data-port="out"]` : `${desk.named("action:Walk")} [data-port="offer"]`;
  await expect(desk.page.locator(`${own}.fits`), "the other one does not").toHaveCount(0);
  await desk.page.mouse.move(target.x, target.y, { steps: 3 });
  await desk.page.mouse.up();
  await desk.until(async () => (await desk.wires()).length, wires.length + 1);
  await desk.undo();
  await desk.until(() => desk.wires(), wires);
});

row("connect by two taps", BOTH, async (desk, kind) => {
  const [from, to] = kind === "Method" ? ["free", "end"] : ["condition:calm", "primitive:sit"];
  const wires = await desk.wires();
  await desk.tap(await desk.port(from, desk.ports.output));
  await desk.tap(await desk.port(to, desk.ports.input));
  await desk.until(async () => (await desk.wires()).length, wires.length + 1);
  await desk.tap(await desk.port(from, desk.ports.output));
  await desk.tap(await desk.nowhere());
  await expect(desk.page.locator(".wiring"), "a tap elsewhere cancels").toHaveCount(0);
});

row("a wire dropped on empty space offers compatible entries, and connects the one picked", BOTH, async (desk, kind) => {
  const wires = await desk.wires();
  await desk.drag(await desk.port(desk.nodes.free, desk.ports.output), await desk.nowhere(0.6));
  await desk.search().waitFor();
  await desk.page.locator(".finder-list [role=option]").first().waitFor();
  const offered = (await desk.page.locator(".finder-list [role=option]").allInnerTexts()).join("\n");
  if (kind === "Method") {
    expect(offered, "nothing without an input is offered").not.toMatch(/^Begin/m);
  } else {
    expect(offered, "actions don't need facts").not.toMatch(/Walk/);
  }
  await desk.page.keyboard.type(kind === "Method" ? "walk" : "sit");
  await desk.press("Enter");
  await desk.until(async () => (await desk.wires()).length, wires.length + 1);
  await desk.undo();
  await desk.until(() => desk.wires(), wires, "block and wire are one undo step");
});

row("a block dropped on a wire is inserted, unless Alt is held", ["Method"], async (desk) => {
  const wires = await desk.wires();
  const middle = await desk.between(["begin", "out"], ["walk", "in"]);
  const box = await desk.box("free");
  const head = await desk.head("free");
  const onto = { x: middle.x + head.x - (box.x + box.width / 2), y: middle.y };
  await desk.drag(head, onto, { keys: ["Alt"] });
  expect(await desk.wires()).toEqual(wires);
  await desk.undo();
  await desk.drag(head, onto, { release: false });
  await expect(desk.page.locator(".wire.receiving"), "the wire is marked").not.toHaveCount(0);
  await desk.page.mouse.up();
  const inserted = ["begin.out -> free", "free.out -> walk", "walk.out -> sub", "sub.out -> end"];
  await desk.until(async () => (await desk.wires()).sort(), inserted.sort());
  await desk.undo();
  await desk.until(() => desk.wires(), wires);
});

row("a wire’s end is dragged to another port, or to empty space", BOTH, async (desk, kind) => {
  const [to, port, other] = kind === "Method" ? ["walk", "in", "free"] : ["primitive:walk", "precondition", "primitive:sit"];
  const wires = await desk.wires();
  await desk.drag(await desk.port(to, port), await desk.port(other, port));
  await expect.poll(() => desk.wires()).not.toEqual(wires);
  expect((await desk.wires()).length).toBe(wires.length);
  await desk.undo();
  await desk.drag(await desk.port(to, port), await desk.nowhere(0.5));
  await desk.until(async () => (await desk.wires()).length, wires.length - 1);
  await desk.undo();
  await desk.until(() => desk.wires(), wires);
});

row("Alt+click removes a port’s wires; Ctrl+right drag cuts the wires it crosses", BOTH, async (desk, kind) => {
  const [from, to] = kind === "Method" ? [["begin", "out"], ["walk", "in"]] : [["fact:lit", "offer"], ["primitive:walk", "precondition"]];
  const wires = await desk.wires();
  await desk.click(await desk.port(...to), { keys: ["Alt"] });
  await desk.until(async () => (await desk.wires()).length, wires.length - 1);
  await desk.undo();
  const near = await desk.port(...from);
  const cut = [{ x: near.x + 9, y: near.y - 30 }, { x: near.x + 13, y: near.y + 30 }];
  await desk.drag(...cut, { keys: ["Control"], button: "right" });
  await expect.poll(async () => (await desk.wires()).length, "some wires are left").toBeLessThan(wires.length);
  await expect(desk.search()).toHaveCount(0);
  await desk.undo();
  await desk.until(() => desk.wires(), wires, "one step");
});

row("wires are highlighted when hovered and when selected", BOTH, async (desk, kind) => {
  const ends = kind === "Method" ? [["begin", "out"], ["walk", "in"]] : [["primitive:walk", "offer"], ["compound:main", "subtasks"]];
  const middle = await desk.between(...ends);
  await desk.page.mouse.move(middle.x, middle.y);
  await desk.page.locator(".wire-group:hover").first().waitFor({ state: "attached" });
  await desk.click(middle);
  await expect(desk.page.locator(".wire-group:has(.wire.selected)")).toHaveCount(1);
});

row("click selects, Shift adds, Ctrl toggles", BOTH, async (desk) => {
  const { first, next } = desk.nodes;
  await desk.click(await desk.head(first));
  await desk.until(() => desk.selected(), [first]);
  await desk.click(await desk.head(next), { keys: ["Shift"] });
  await desk.until(() => desk.selected(), [first, next].sort());
  await desk.click(await desk.head(first), { keys: ["Control"] });
  await desk.until(() => desk.selected(), [next]);
  await desk.click(await desk.head(first), { keys: ["Control"] });
  await desk.until(() => desk.selected(), [first, next].sort());
  await desk.click(await desk.nowhere());
  await desk.until(() => desk.selected(), []);
  await expect(desk.page.getByRole("button", { name: /^Undo/ }), "selecting is not an undo step").toBeDisabled();
});

row("a tap selects, and a finger drags the selection", BOTH, async (desk) => {
  const { free } = desk.nodes;
  const head = await desk.head(free);
  await desk.tap(head);
  await desk.until(() => desk.selected(), [free]);
  const before = await desk.box(free);
  await desk.fingers([head, { x: head.x + 20, y: head.y + 10 }, { x: head.x + 60, y: head.y + 40 }]);
  const hasMoved = async () => {
    const after = await desk.box(free);
    return after.x > before.x + 30 && after.y > before.y + 20;
  };
  await desk.until(hasMoved, true, "it moved along");
});

row("a marquee selects everything it touches; Shift adds, Ctrl toggles", BOTH, async (desk) => {
  const { first, next } = desk.nodes;
  const around = async (name, keys) => {
    const box = await desk.box(name);
    const from = { x: box.x - 5, y: box.y - 6 };
    await desk.drag(from, { x: box.x + 20, y: box.y + box.height - 2 }, { keys, release: false });
    const caught = desk.page.locator(".caught");
    await desk.until(() => caught.count(), 1);
    // Its visible part is the intersection of its panes.
    const panes = await desk.page
      .locator(".marquee, .marquee div")
      .evaluateAll((all) => all.map((pane) => pane.getBoundingClientRect().toJSON()));
    const [x, y] = ["left", "top"].map((side) => Math.max(...panes.map((pane) => pane[side])));
    const [right, bottom] = ["right", "bottom"].map((side) => Math.min(...panes.map((pane) => pane[side])));
    const drawn = [x - from.x, y - from.y, right - box.x - 20, bottom - box.y - box.height + 2];
    expect(drawn.every((off) => Math.abs(off) < 2), `it extends from the start of the drag to the pointer: ${drawn}`).toBe(true);
    await desk.hold(keys, () => desk.page.mouse.up());
    await desk.until(() => caught.count(), 0);
  };
  await around(first, []);
  await desk.until(() => desk.selected(), [first]);
  await around(next, ["Shift"]);
  await desk.until(() => desk.selected(), [first, next].sort());
  await around(next, ["Control"]);
  await desk.until(() => desk.selected(), [first]);
});

row("a drag moves the selection in one undo step; Escape reverts it", BOTH, async (desk) => {
  const { first, free } = desk.nodes;
  const boxes = async () => JSON.stringify([await desk.box(first), await desk.box(free)]);
  const before = await boxes();
  await desk.click(await desk.head(first));
  await desk.click(await desk.head(free), { keys: ["Shift"] });
  const head = await desk.head(free);
  const to = { x: head.x + 30, y: head.y + 60 };
  await desk.drag(head, to, { release: false });
  await desk.page.keyboard.press("Escape");
  await desk.page.mouse.up();
  await desk.until(boxes, before);
  await desk.drag(head, to);
  await expect.poll(boxes).not.toBe(before);
  await desk.undo();
  await desk.until(boxes, before);
  await desk.until(() => desk.selected(), [first, free].sort(), "the selection survives undo");
});

row("Shift+drag moves a block with everything downstream", BOTH, async (desk, kind) => {
  const [held, after, before] = kind === "Method" ? ["walk", "end", "begin"] : ["primitive:walk", "compound:main", "fact:lit"];
  const y = async (name) => (await desk.box(name)).y;
  const was = [await y(held), await y(after), await y(before)];
  const head = await desk.head(held);
  await desk.drag(head, { x: head.x, y: head.y + 60 }, { keys: ["Shift"] });
  const moved = async () => [await y(held), await y(after), await y(before)].map((value, at) => value > was[at] + 20);
  await desk.until(moved, [true, true, false]);
});

row("blocks snap to the grid and align with others, with guides; not with Alt", BOTH, async (desk) => {
  const { first, free } = desk.nodes;
  const { zoom } = await desk.camera();
  const head = await desk.head(free);
  const [target, box] = [await desk.box(first), await desk.box(free)];
  const beside = { x: head.x + target.x - box.x + 2, y: head.y + 23 * zoom };
  await desk.drag(head, beside, { release: false });
  await expect(desk.page.locator(".wire.guide"), "a guide is shown").toHaveAttribute("d", /./);
  await desk.page.keyboard.down("Alt");
  await desk.page.mouse.move(beside.x + 1, beside.y);
  await desk.frame();
  await expect(desk.page.locator(".wire.guide")).toHaveCount(0);
  await desk.page.keyboard.up("Alt");
  await desk.page.mouse.move(beside.x, beside.y);
  await desk.page.mouse.up();
  await desk.frame();
  await expect.poll(async () => Math.abs((await desk.box(free)).x - target.x), "aligned vertically").toBeLessThan(1);
  await expect(desk.page.locator(".wire.guide"), "guides disappear with the gesture").toHaveCount(0);
});

row("double click opens a method or a text, and breadcrumbs lead back", BOTH, async (desk, kind) => {
  const crumbs = desk.page.getByRole("navigation", { name: "Breadcrumbs" });
  if (kind === "Board") {
    await desk.page.mouse.dblclick(...Object.values(await desk.head("compound:main")));
    await desk.page.locator('[data-block="walk"]').waitFor();
    await crumbs.getByRole("button", { name: "Board" }).click();
    await desk.page.locator('[data-record="compound:main"]').waitFor();
    return;
  }
  await desk.page.mouse.dblclick(...Object.values(await desk.head("sub")));
  await desk.until(async () => (await crumbs.innerText()).replaceAll(/\s+/g, " "), "Board main sub");
  await crumbs.getByRole("button", { name: "main" }).click();
  await desk.page.locator('[data-block="walk"]').waitFor();
  await desk.page.mouse.dblclick(...Object.values(await desk.head("walk")));
  await desk.page.locator(".in-place").waitFor();
  await desk.press("Escape");
});

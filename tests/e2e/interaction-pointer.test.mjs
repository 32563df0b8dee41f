// The table of interactions, row by row, with real mouse, wheel and fingers, on both canvases where the row applies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk } from "./hands.mjs";

const BOTH = ["Board", "Method"];

test("pointer", { timeout: 240_000 }, async (t) => {
  const desk = await Desk.start(t);
  const { page } = desk;
  const row = desk.rows(t);
  const preset = async (title, option) => {
    await desk.press("F1");
    await page.getByRole("combobox", { name: title, exact: true }).selectOption({ label: option });
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".canvas").focus();
  };

  const panned = async (gesture, by = { x: 90, y: 40 }) => {
    const before = await desk.camera();
    const from = await desk.nowhere();
    await gesture(from, { x: from.x + by.x, y: from.y + by.y });
    const after = await desk.camera();
    assert.equal(after.zoom, before.zoom);
    return { x: Math.round(after.x - before.x), y: Math.round(after.y - before.y) };
  };
  const whole = { x: 90, y: 40 };

  await row("pan with the middle button, or Space and a drag", BOTH, async () => {
    // Some systems paste what is marked elsewhere where the middle button is released.
    await page.evaluate(() => addEventListener("paste", () => (window.pasted = true)));
    assert.deepEqual(await panned((a, b) => desk.drag(a, b, { button: "middle" })), whole);
    assert.equal(await page.evaluate(() => window.pasted), undefined);
    assert.deepEqual(await panned((a, b) => desk.drag(a, b, { keys: ["Space"] })), whole);
    assert.deepEqual(await desk.selected(), []);
  });

  await row("pan with the right button, as a preset", BOTH, async () => {
    assert.deepEqual(await panned((a, b) => desk.drag(a, b, { button: "right" })), whole);
    assert.equal(await desk.search().count(), 0, "no menu after a drag");
    await preset("Dragging with the right button", "does nothing");
    assert.deepEqual(await panned((a, b) => desk.drag(a, b, { button: "right" })), { x: 0, y: 0 });
    await preset("Dragging with the right button", "pans");
    await preset("Dragging on empty canvas", "pans; with Shift it selects");
    assert.deepEqual(await panned((a, b) => desk.drag(a, b)), whole);
    await preset("Dragging on empty canvas", "selects");
    assert.deepEqual(await panned((a, b) => desk.drag(a, b)), { x: 0, y: 0 });
  });

  await row("pan with one finger and with two", BOTH, async () => {
    const walk = (from, to) => [from, { x: from.x + (to.x - from.x) / 10, y: from.y + (to.y - from.y) / 10 }, to];
    const one = await panned((a, b) => desk.fingers(walk(a, b)));
    assert.ok(Math.abs(one.x - 90) < 12 && Math.abs(one.y - 40) < 12, JSON.stringify(one));
    const aside = ({ x, y }) => ({ x: x + 80, y });
    const two = await panned((a, b) => desk.fingers(walk(a, b), walk(aside(a), aside(b))));
    assert.ok(Math.abs(two.x - 90) < 12 && Math.abs(two.y - 40) < 12, JSON.stringify(two));
  });

  await row("zoom with the wheel about the pointer, and by a pinch", BOTH, async () => {
    const { first } = desk.nodes;
    const head = await desk.head(first);
    const before = await desk.camera();
    await page.mouse.move(head.x, head.y);
    await page.mouse.wheel(0, -100);
    const nearer = await desk.camera();
    assert.ok(nearer.zoom > before.zoom * 1.1);
    const at = (camera) => ({ x: (head.x - camera.x) / camera.zoom, y: (head.y - camera.y) / camera.zoom });
    const canvas = await page.locator(".canvas").boundingBox();
    const graph = (camera) => at({ ...camera, x: camera.x + canvas.x, y: camera.y + canvas.y });
    assert.ok(Math.hypot(graph(before).x - graph(nearer).x, graph(before).y - graph(nearer).y) < 2, "the place under the pointer stays");
    const middle = await desk.nowhere(0.5, 0.5);
    const finger = (by) => [0, 1, 2, 3].map((n) => ({ x: middle.x + by * (40 + n * 25), y: middle.y }));
    await desk.fingers(finger(-1), finger(1));
    assert.ok((await desk.camera()).zoom > nearer.zoom * 1.5, "two fingers apart");
  });

  await row("in trackpad mode the wheel pans, and zooms with Ctrl", BOTH, async () => {
    await preset("The wheel", "pans; Ctrl+wheel zooms");
    const before = await desk.camera();
    const { x, y } = await desk.nowhere();
    await page.mouse.move(x, y);
    await page.mouse.wheel(30, 100);
    const panned = await desk.camera();
    assert.deepEqual([panned.x - before.x, panned.y - before.y, panned.zoom].map(Math.round), [-30, -100, before.zoom].map(Math.round));
    await desk.hold(["Control"], () => page.mouse.wheel(0, -100));
    assert.ok((await desk.camera()).zoom > panned.zoom * 1.1);
    await preset("The wheel", "zooms on a mouse, pans on a trackpad");
  });

  await row("add by double click, right click and a long press: a search box, typed into at once", BOTH, async (_, kind) => {
    const count = await desk.count();
    const name = kind === "Method" ? "Branch" : "New condition";
    const place = await desk.nowhere(0.3);
    const ways = [
      () => page.mouse.dblclick(place.x, place.y),
      () => desk.click(place, { button: "right" }),
      async () => {
        const touch = (type, touchPoints) => desk.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
        await touch("touchStart", [place]);
        await desk.search().waitFor();
        await touch("touchEnd", []);
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

  await row("a right click or a long press on a block offers what can be done with it", BOTH, async () => {
    const count = await desk.count();
    const head = await desk.head(desk.nodes.free);
    await desk.click(head, { button: "right" });
    await page.getByRole("dialog", { name: "What to do" }).waitFor();
    assert.deepEqual(await desk.selected(), [desk.nodes.free]);
    assert.match(await page.locator(".finder-list").innerText(), /Rename, or edit the text\s+F2/);
    await desk.pick("delete");
    await desk.until(() => desk.count(), count - 1);
    await desk.undo();
    await desk.until(() => desk.count(), count);
    const touch = (type, touchPoints) => desk.devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", [head]);
    await page.getByRole("dialog", { name: "What to do" }).waitFor();
    await touch("touchEnd", []);
    await desk.press("Escape");
  });

  await row("a new name typed into the search box is created", BOTH, async (_, kind) => {
    const place = await desk.nowhere(0.3);
    await page.mouse.dblclick(place.x, place.y);
    await desk.search().waitFor();
    await page.keyboard.type("dance");
    await page.getByRole("option", { name: /^New primitive task ‘dance’/ }).click();
    await desk.frame();
    const { primitive_tasks: tasks, compound_tasks: methods } = await desk.document();
    assert.ok("dance" in tasks);
    if (kind === "Method") {
      assert.ok(Object.values(methods.main.method.blocks).some((block) => block.call === "dance"));
    }
    await desk.undo();
    assert.ok(!("dance" in (await desk.document()).primitive_tasks), "one step");
  });

  await row("the search box offers first what is used", ["Method"], async () => {
    const place = await desk.nowhere(0.3);
    // More often than the rows before have used anything else.
    for (let turn = 0; turn < 4; turn += 1) {
      await page.mouse.dblclick(place.x, place.y);
      await desk.pick("Choice");
      await desk.undo();
    }
    await page.mouse.dblclick(place.x, place.y);
    await desk.search().waitFor();
    assert.match(await page.locator(".finder-list [role=option]").first().innerText(), /Choice/);
    await desk.press("Escape");
  });

  await row("connect by a drag from port to port, which shows what fits", BOTH, async (_, kind) => {
    const [from, to] = kind === "Method" ? ["free", "end"] : ["condition:calm", "primitive:sit"];
    const wires = await desk.wires();
    const { output, input } = desk.ports;
    const start = await desk.port(from, output);
    const target = await desk.port(to, input);
    await desk.drag(start, { x: target.x - 60, y: target.y + 40 }, { release: false });
    assert.ok(await page.locator(`${desk.named(to)} [data-port="${input}"].fits`).count(), "it fits");
    const own = kind === "Method" ? `${desk.named("begin")} [data-port="out"]` : `${desk.named("action:Walk")} [data-port="offer"]`;
    assert.equal(await page.locator(`${own}.fits`).count(), 0, "that does not");
    await page.mouse.move(target.x, target.y, { steps: 3 });
    await page.mouse.up();
    await desk.until(async () => (await desk.wires()).length, wires.length + 1);
    await desk.undo();
    await desk.until(() => desk.wires(), wires);
  });

  await row("connect by two taps", BOTH, async (_, kind) => {
    const [from, to] = kind === "Method" ? ["free", "end"] : ["condition:calm", "primitive:sit"];
    const wires = await desk.wires();
    await desk.tap(await desk.port(from, desk.ports.output));
    await desk.tap(await desk.port(to, desk.ports.input));
    await desk.until(async () => (await desk.wires()).length, wires.length + 1);
    await desk.tap(await desk.port(from, desk.ports.output));
    await desk.tap(await desk.nowhere());
    assert.equal(await page.locator(".wiring").count(), 0, "a tap elsewhere gives up");
  });

  await row("a wire let go over nothing offers what fits, and connects it", BOTH, async (_, kind) => {
    const wires = await desk.wires();
    await desk.drag(await desk.port(desk.nodes.free, desk.ports.output), await desk.nowhere(0.6));
    await desk.search().waitFor();
    const offered = (await page.locator(".finder-list [role=option]").allInnerTexts()).join("\n");
    if (kind === "Method") {
      assert.doesNotMatch(offered, /^Begin/m, "nothing without an input");
    } else {
      assert.doesNotMatch(offered, /Walk/, "no action needs a fact");
    }
    await page.keyboard.type(kind === "Method" ? "walk" : "sit");
    await desk.press("Enter");
    await desk.until(async () => (await desk.wires()).length, wires.length + 1);
    await desk.undo();
    await desk.until(() => desk.wires(), wires, "block and wire are one step");
  });

  await row("a block dropped on a wire is inserted, unless Alt is held", ["Method"], async () => {
    const wires = await desk.wires();
    const middle = await desk.between(["begin", "out"], ["walk", "in"]);
    const box = await desk.box("free");
    const head = await desk.head("free");
    const onto = { x: middle.x + head.x - (box.x + box.width / 2), y: middle.y };
    await desk.drag(head, onto, { keys: ["Alt"] });
    assert.deepEqual(await desk.wires(), wires);
    await desk.undo();
    await desk.drag(head, onto, { release: false });
    assert.ok(await page.locator(".wire.receiving").count(), "the wire shows it");
    await page.mouse.up();
    const inserted = ["begin.out -> free", "free.out -> walk", "walk.out -> sub", "sub.out -> end"];
    await desk.until(async () => (await desk.wires()).sort(), inserted.sort());
    await desk.undo();
    assert.deepEqual(await desk.wires(), wires);
  });

  await row("a wire’s end is dragged to another port, or off", BOTH, async (_, kind) => {
    const [to, port, other] = kind === "Method" ? ["walk", "in", "free"] : ["primitive:walk", "precondition", "primitive:sit"];
    const wires = await desk.wires();
    await desk.drag(await desk.port(to, port), await desk.port(other, port));
    const moved = await desk.wires();
    assert.equal(moved.length, wires.length);
    assert.notDeepEqual(moved, wires);
    await desk.undo();
    await desk.drag(await desk.port(to, port), await desk.nowhere(0.5));
    await desk.until(async () => (await desk.wires()).length, wires.length - 1);
    await desk.undo();
    await desk.until(() => desk.wires(), wires);
  });

  await row("Alt and a click break a port’s wires; Ctrl and a right drag cut what they cross", BOTH, async (_, kind) => {
    const [from, to] = kind === "Method" ? [["begin", "out"], ["walk", "in"]] : [["fact:lit", "offer"], ["primitive:walk", "precondition"]];
    const wires = await desk.wires();
    await desk.click(await desk.port(...to), { keys: ["Alt"] });
    await desk.until(async () => (await desk.wires()).length, wires.length - 1);
    await desk.undo();
    const near = await desk.port(...from);
    const cut = [{ x: near.x + 9, y: near.y - 30 }, { x: near.x + 13, y: near.y + 30 }];
    await desk.drag(...cut, { keys: ["Control"], button: "right" });
    const left = (await desk.wires()).length;
    assert.ok(left < wires.length, `${left} of ${wires.length} wires are left`);
    assert.equal(await desk.search().count(), 0);
    await desk.undo();
    await desk.until(() => desk.wires(), wires, "one step");
  });

  await row("wires show that the pointer is over them, and that they are selected", BOTH, async (_, kind) => {
    const ends = kind === "Method" ? [["begin", "out"], ["walk", "in"]] : [["primitive:walk", "offer"], ["compound:main", "subtasks"]];
    const middle = await desk.between(...ends);
    await page.mouse.move(middle.x, middle.y);
    await page.locator(".wire-group:hover").first().waitFor({ state: "attached" });
    await desk.click(middle);
    assert.equal(await page.locator(".wire-group:has(.wire.selected)").count(), 1);
  });

  await row("click selects, Shift adds, Ctrl toggles", BOTH, async () => {
    const { first, next } = desk.nodes;
    await desk.click(await desk.head(first));
    assert.deepEqual(await desk.selected(), [first]);
    await desk.click(await desk.head(next), { keys: ["Shift"] });
    assert.deepEqual(await desk.selected(), [first, next].sort());
    await desk.click(await desk.head(first), { keys: ["Control"] });
    assert.deepEqual(await desk.selected(), [next]);
    await desk.click(await desk.head(first), { keys: ["Control"] });
    assert.deepEqual(await desk.selected(), [first, next].sort());
    await desk.click(await desk.nowhere());
    assert.deepEqual(await desk.selected(), []);
    assert.ok(await page.getByRole("button", { name: /^Undo/ }).isDisabled(), "selecting is no step");
  });

  await row("a tap selects, and what is selected is dragged by a finger", BOTH, async () => {
    const { free } = desk.nodes;
    const head = await desk.head(free);
    await desk.tap(head);
    assert.deepEqual(await desk.selected(), [free]);
    const before = await desk.box(free);
    await desk.fingers([head, { x: head.x + 20, y: head.y + 10 }, { x: head.x + 60, y: head.y + 40 }]);
    const after = await desk.box(free);
    assert.ok(after.x > before.x + 30 && after.y > before.y + 20, "it went along");
  });

  await row("a marquee selects what it touches; Shift adds, Ctrl toggles", BOTH, async () => {
    const { first, next } = desk.nodes;
    const around = async (name, keys) => {
      const box = await desk.box(name);
      const from = { x: box.x - 5, y: box.y - 6 };
      await desk.drag(from, { x: box.x + 20, y: box.y + box.height - 2 }, { keys, release: false });
      const caught = page.locator(".caught");
      await desk.until(() => caught.count(), 1);
      // What is seen of it is where its panes meet.
      const panes = await page.locator(".marquee, .marquee div").evaluateAll((all) => all.map((pane) => pane.getBoundingClientRect().toJSON()));
      const [x, y] = [Math.max(...panes.map(({ left }) => left)), Math.max(...panes.map(({ top }) => top))];
      const [right, bottom] = [Math.min(...panes.map(({ right }) => right)), Math.min(...panes.map(({ bottom }) => bottom))];
      const drawn = [x - from.x, y - from.y, right - box.x - 20, bottom - box.y - box.height + 2];
      assert.ok(drawn.every((off) => Math.abs(off) < 2), `it is drawn from where the drag began to the pointer: ${drawn}`);
      await desk.hold(keys, () => page.mouse.up());
      await desk.until(() => caught.count(), 0);
    };
    await around(first, []);
    assert.deepEqual(await desk.selected(), [first]);
    await around(next, ["Shift"]);
    assert.deepEqual(await desk.selected(), [first, next].sort());
    await around(next, ["Control"]);
    assert.deepEqual(await desk.selected(), [first]);
  });

  await row("a drag moves what is selected, in one step; Escape leaves no trace", BOTH, async () => {
    const { first, free } = desk.nodes;
    const boxes = async () => JSON.stringify([await desk.box(first), await desk.box(free)]);
    const before = await boxes();
    await desk.click(await desk.head(first));
    await desk.click(await desk.head(free), { keys: ["Shift"] });
    const head = await desk.head(free);
    const to = { x: head.x + 30, y: head.y + 60 };
    await desk.drag(head, to, { release: false });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await desk.until(boxes, before);
    await desk.drag(head, to);
    assert.notEqual(await boxes(), before);
    await desk.undo();
    await desk.until(boxes, before);
    assert.deepEqual(await desk.selected(), [first, free].sort(), "the selection survives undo");
  });

  await row("Shift and a drag move a block with everything after it", BOTH, async (_, kind) => {
    const [held, after, before] = kind === "Method" ? ["walk", "end", "begin"] : ["primitive:walk", "compound:main", "fact:lit"];
    const y = async (name) => (await desk.box(name)).y;
    const was = [await y(held), await y(after), await y(before)];
    const head = await desk.head(held);
    await desk.drag(head, { x: head.x, y: head.y + 60 }, { keys: ["Shift"] });
    const now = [await y(held), await y(after), await y(before)];
    assert.deepEqual(now.map((value, at) => value > was[at] + 20), [true, true, false]);
  });

  await row("blocks snap to the grid and into line with others, which guides show; not with Alt", BOTH, async () => {
    const { first, free } = desk.nodes;
    const { zoom } = await desk.camera();
    const head = await desk.head(free);
    const [target, box] = [await desk.box(first), await desk.box(free)];
    const beside = { x: head.x + target.x - box.x + 2, y: head.y + 23 * zoom };
    await desk.drag(head, beside, { release: false });
    assert.ok(((await page.locator(".wire.guide").getAttribute("d")) ?? "") !== "", "a guide is drawn");
    await desk.page.keyboard.down("Alt");
    await page.mouse.move(beside.x + 1, beside.y);
    await desk.frame();
    assert.equal(await page.locator(".wire.guide").count(), 0);
    await desk.page.keyboard.up("Alt");
    await page.mouse.move(beside.x, beside.y);
    await page.mouse.up();
    await desk.frame();
    assert.ok(Math.abs((await desk.box(free)).x - target.x) < 1, "one above the other");
    assert.equal(await page.locator(".wire.guide").count(), 0, "guides go with the gesture");
  });

  await row("a double click opens a method or a text, and breadcrumbs lead back", BOTH, async (_, kind) => {
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    if (kind === "Board") {
      await page.mouse.dblclick(...Object.values(await desk.head("compound:main")));
      await page.locator('[data-block="walk"]').waitFor();
      await crumbs.getByRole("button", { name: "Board" }).click();
      await page.locator('[data-record="compound:main"]').waitFor();
      return;
    }
    await page.mouse.dblclick(...Object.values(await desk.head("sub")));
    await desk.until(async () => (await crumbs.innerText()).replaceAll(/\s+/g, " "), "Board › main › sub");
    await crumbs.getByRole("button", { name: "main" }).click();
    await page.locator('[data-block="walk"]').waitFor();
    await page.mouse.dblclick(...Object.values(await desk.head("walk")));
    await page.locator(".in-place").waitFor();
    await desk.press("Escape");
  });
});

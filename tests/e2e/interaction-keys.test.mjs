// The table of interactions with the keyboard alone, on both canvases where a row applies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, inspector } from "./hands.mjs";

const BOTH = ["Board", "Method"];

test("keyboard", { timeout: 240_000 }, async (t) => {
  const desk = await Desk.start(t);
  const { page } = desk;
  const row = desk.rows(t);
  /** Goes to a node by Tab. */
  const goTo = async (name) => {
    await page.locator(".canvas").focus();
    while ((await desk.selected()).length) await desk.press("Escape");
    for (let turn = 0; turn < 20; turn += 1) {
      await desk.press("Tab");
      if ((await desk.selected())[0] === name) return;
    }
    assert.fail(`Tab never came to ${name}`);
  };

  await row("Home shows all, F the selection, + and - and Ctrl+0 zoom", BOTH, async () => {
    const all = await desk.camera();
    await desk.press("+");
    const nearer = await desk.camera();
    assert.ok(nearer.zoom > all.zoom);
    await desk.press("-", "-");
    assert.ok((await desk.camera()).zoom < nearer.zoom);
    await desk.press("Control+0");
    assert.equal((await desk.camera()).zoom, 1);
    await desk.press("Home");
    assert.deepEqual(await desk.camera(), all);
    await goTo(desk.nodes.first);
    await desk.press("f");
    const canvas = await page.locator(".canvas").boundingBox();
    const box = await desk.box(desk.nodes.first);
    assert.ok(Math.abs(box.x + box.width / 2 - canvas.x - canvas.width / 2) < 3, "in the middle");
  });

  await row("Alt+M shows the minimap, a press on it moves what is seen, and Alt+M hides it", BOTH, async () => {
    const map = page.locator(".minimap");
    await desk.press("Alt+m");
    await map.waitFor();
    const before = await desk.camera();
    await map.click({ position: { x: 20, y: 20 } });
    assert.notDeepEqual(await desk.camera(), before);
    await desk.press("Alt+m");
    await map.waitFor({ state: "hidden" });
  });

  await row("C frames the selection, arrows move it with what stands in it, Delete takes it away", BOTH, async () => {
    await goTo(desk.nodes.free);
    await desk.press("c");
    await page.getByRole("textbox", { name: "Title of the frame" }).waitFor();
    await page.keyboard.type("aside");
    await desk.press("Enter");
    const frame = page.getByRole("group", { name: "Frame: aside" });
    await frame.waitFor();
    const before = await desk.box(desk.nodes.free);
    await desk.press("Shift+ArrowRight");
    await page.waitForTimeout(100);
    assert.ok((await desk.box(desk.nodes.free)).x > before.x, "what stands in it moves with it");
    await desk.press("Delete");
    await frame.waitFor({ state: "detached" });
    assert.ok((await desk.box(desk.nodes.free)).x > before.x, "what stood in it stays");
  });

  await row("Shift+A opens the search box", BOTH, async (_, kind) => {
    const count = await desk.count();
    await desk.press("Shift+A");
    await desk.pick(kind === "Method" ? "End" : "New action");
    await desk.until(() => desk.count(), count + 1);
  });

  await row("Tab visits every block, and arrows go to the one beside it", BOTH, async () => {
    const all = await page.locator(desk.node).evaluateAll((nodes) => nodes.map((e) => e.dataset.block ?? e.dataset.record));
    const seen = new Set();
    for (let turn = 0; turn < all.length; turn += 1) {
      await desk.press("Tab");
      seen.add((await desk.selected())[0]);
      assert.equal(await page.evaluate(() => document.activeElement.classList.contains("selected")), true, "the focus is on it");
    }
    assert.deepEqual([...seen].sort(), all.sort());
    await desk.press("Shift+Tab");
    assert.equal((await desk.selected()).length, 1);
    await goTo(desk.nodes.first);
    for (const [there, back] of [["Control+ArrowRight", "Control+ArrowLeft"], ["Alt+ArrowRight", "Alt+ArrowLeft"]]) {
      const from = await desk.box(desk.nodes.first);
      await desk.press(there);
      const [right] = await desk.selected();
      assert.ok((await desk.box(right)).x > from.x);
      await desk.press(back);
      const [left] = await desk.selected();
      assert.ok((await desk.box(left)).x < (await desk.box(right)).x);
      await goTo(desk.nodes.first);
    }
    await desk.press("Escape", "ArrowDown");
    assert.equal((await desk.selected()).length, 1, "with nothing selected an arrow goes to the middle");
  });

  await row("arrows move the selection, Shift in larger steps; a run of them is one step", BOTH, async () => {
    const { free } = desk.nodes;
    await goTo(free);
    const { zoom } = await desk.camera();
    const before = await desk.box(free);
    await desk.press("ArrowRight");
    assert.equal(Math.round(((await desk.box(free)).x - before.x) / zoom), 10);
    await desk.press("Shift+ArrowDown");
    assert.equal(Math.round(((await desk.box(free)).y - before.y) / zoom), 50);
    await desk.undo();
    assert.deepEqual(await desk.box(free), before);
    assert.deepEqual(await desk.selected(), [free]);
  });

  await row("Ctrl+A selects all, Shift+S what comes after", BOTH, async (_, kind) => {
    await desk.press("Control+a");
    assert.equal((await desk.selected()).length, await desk.count());
    await desk.press("Escape");
    assert.deepEqual(await desk.selected(), []);
    await goTo(kind === "Method" ? "walk" : "primitive:walk");
    await desk.press("Shift+S");
    assert.deepEqual(await desk.selected(), kind === "Method" ? ["end", "sub", "walk"] : ["compound:main", "primitive:walk"]);
  });

  for (const key of ["Delete", "Backspace"]) {
    await row(`${key} deletes, the wire closes over a block, and the focus stays on the canvas`, BOTH, async (_, kind) => {
      const count = await desk.count();
      await goTo(kind === "Method" ? "walk" : "fact:seen");
      await desk.press(key);
      await desk.until(() => desk.count(), count - 1);
      if (kind === "Method") {
        assert.deepEqual((await desk.wires()).sort(), ["begin.out -> sub", "sub.out -> end"]);
      }
      const onCanvas = () => page.evaluate(() => document.activeElement.closest(".canvas") !== null);
      await desk.until(onCanvas, true);
      await desk.undo();
      await desk.until(() => desk.count(), count);
      await desk.until(onCanvas, true);
      await desk.press("Tab");
      assert.equal((await desk.selected()).length, 1, "and keys go on to work");
    });
  }

  await row("every port and wire is reached: P goes to ports, L to wires", BOTH, async (_, kind) => {
    await goTo(kind === "Method" ? "walk" : "primitive:walk");
    const names = [];
    const ports = await page.locator(`${desk.named((await desk.selected())[0])} .port`).count();
    for (let turn = 0; turn < ports; turn += 1) {
      await desk.press("p");
      names.push(await desk.focused());
    }
    assert.equal(new Set(names).size, ports, names.join("\n"));
    assert.match(names.join("\n"), kind === "Method" ? /Input in of primitive task: walk.* Wired to Begin/ : /Input precondition of primitive task walk.*Wired to fact lit/);
    await desk.press("Escape");
    await desk.press("l");
    assert.equal(await page.locator(".wire-group:has(.wire.selected)").count(), 1);
    await desk.until(async () => /^Wire from .+ to .+/.test(await page.locator("#live").innerText()), true, "it is said");
    const wires = (await desk.wires()).length;
    await desk.press("Delete");
    await desk.until(async () => (await desk.wires()).length, wires - 1);
  });

  await row("wires are drawn from the block or from one of its ports", BOTH, async (_, kind) => {
    const wires = await desk.wires();
    await goTo(kind === "Method" ? "free" : "condition:calm");
    await desk.press("w");
    await desk.pick(kind === "Method" ? "End" : "sit");
    await desk.until(async () => (await desk.wires()).length, wires.length + 1);
    await desk.undo();
    await goTo(kind === "Method" ? "free" : "primitive:sit");
    await desk.press("p", "Enter");
    await desk.search().waitFor();
    const offered = (await page.locator(".finder-list [role=option]").allInnerTexts()).join("\n");
    assert.match(offered, kind === "Method" ? /Begin →/ : /calm/);
    await desk.pick(kind === "Method" ? "walk →" : "calm");
    await desk.until(async () => (await desk.wires()).length, wires.length + 1);
  });

  await row("Enter opens, Escape and Alt+Up leave", BOTH, async (_, kind) => {
    const crumbs = async () => (await page.getByRole("navigation", { name: "Breadcrumbs" }).innerText()).replaceAll(/\s+/g, " ");
    await goTo(kind === "Method" ? "sub" : "compound:main");
    await desk.press("Enter");
    await desk.until(crumbs, kind === "Method" ? "Board › main › sub" : "Board › main");
    await desk.press("Alt+ArrowUp");
    await desk.until(crumbs, kind === "Method" ? "Board › main" : "Board");
    assert.deepEqual(await desk.selected(), [kind === "Method" ? "sub" : "compound:main"], "what was left is selected");
    await desk.press("Enter", "Escape");
    await desk.until(crumbs, kind === "Method" ? "Board › main" : "Board");
  });

  await row("F2 renames, or edits a block’s text", BOTH, async (_, kind) => {
    await goTo(kind === "Method" ? "walk" : "fact:lit");
    await desk.press("F2");
    if (kind === "Method") {
      await page.locator(".in-place textarea").waitFor();
      await desk.press("Alt+ArrowUp");
      await page.locator('[data-record="compound:main"]').waitFor();
      await desk.press("Enter");
      await goTo("walk");
      await desk.press("F2");
      await page.locator(".in-place textarea").waitFor();
      await desk.press("Escape", "Escape");
    } else {
      await page.getByRole("textbox", { name: "Name of the fact" }).waitFor();
      await page.keyboard.type("bright");
      await desk.press("Enter");
      assert.ok("bright" in (await desk.document()).facts);
    }
  });

  await row("Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z work on the canvas and in a text field", BOTH, async () => {
    await goTo(desk.nodes.free);
    await desk.press("ArrowRight");
    const moved = await desk.box(desk.nodes.free);
    await desk.undo();
    assert.notDeepEqual(await desk.box(desk.nodes.free), moved);
    await desk.press("Control+y");
    assert.deepEqual(await desk.box(desk.nodes.free), moved);
    const title = page.getByRole("textbox", { name: "Title of the document" });
    await title.focus();
    await desk.undo();
    await desk.press("Control+Shift+z");
    assert.deepEqual(await desk.box(desk.nodes.free), moved);
    assert.equal(await title.inputValue(), "The desk");
  });

  await row("Ctrl+K finds every command and goes to records, blocks and scenarios by name", BOTH, async (_, kind) => {
    const field = page.locator("dialog .finder-input");
    const go = async (text) => {
      await desk.press("Control+k");
      await field.waitFor();
      await page.keyboard.type(text);
      await desk.press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
    };
    await desk.press("Control+k");
    assert.match((await page.locator(".finder-list [role=option]").allInnerTexts()).join(" "), /Undo[^]*Ctrl\s*Z/);
    await desk.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.closest(".canvas") !== null), true, "the focus returns");
    await go("select all");
    assert.equal((await desk.selected()).length, await desk.count());
    await go("calm condition");
    await page.locator('[data-record="condition:calm"].selected').waitFor();
    await go("primitive task in main");
    await page.locator("[data-block].selected").waitFor();
    if (kind === "Board") {
      await desk.press("Control+k");
      assert.match(await page.locator(".finder-list [role=option]").first().innerText(), /walk|sit|calm|Select all/, "what was used comes first");
      await desk.press("Escape");
    }
  });

  await row("? opens the help sheet, made from the bindings; a key is changed there", ["Method"], async () => {
    const sheet = page.getByRole("dialog", { name: "Keys and gestures" });
    const line = (name) => sheet.getByRole("option", { name });
    await desk.press("?");
    await sheet.waitFor();
    for (const text of ["Undo", "Command palette", "Drag from port to port", "One finger", "Ctrl+A"]) {
      await page.keyboard.type(text.replace("+", " "));
      assert.ok((await sheet.getByRole("option").count()) > 0, `${text} is found`);
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
    }
    await page.keyboard.type("show all");
    await desk.press("Enter", "j");
    await line(/Show all/).getByText("J", { exact: true }).waitFor();
    // A key that means something else already is told, and taken over only when that is wanted.
    await desk.press("Enter", "f");
    await line(/F is “Show the selection”/).waitFor();
    await desk.press("Escape");
    await line(/Show all/).getByText("J", { exact: true }).waitFor();
    await desk.press("Enter", "f", "Enter");
    await line(/Show all/).getByText("F", { exact: true }).waitFor();
    await desk.press("Escape");
    await sheet.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.closest(".canvas") !== null), true, "the focus returns");
    const all = await desk.camera();
    await desk.press("+", "f");
    assert.deepEqual(await desk.camera(), all);
    await page.reload();
    await page.getByRole("main").waitFor();
    await desk.press("F1");
    await page.keyboard.type("show all");
    await line(/Show all/).getByText("F", { exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Reset all keys" }).click();
    await line(/Show all/).getByText("Home", { exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Close" }).click();
  });

  await row("F6 goes through the parts of the page", ["Board"], async () => {
    const area = () => page.evaluate(() => document.activeElement.closest(".toolbar, .outline, .stage, .inspector, .panel")?.className.split(" ")[0]);
    await goTo("fact:lit");
    const seen = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await desk.press("F6");
      seen.push(await area());
    }
    assert.deepEqual(seen, ["inspector", "panel", "toolbar", "outline", "stage"]);
  });

  await row("plan changes and new problems are announced", ["Method"], async () => {
    const live = page.locator("#live");
    await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
    await goTo("walk");
    await desk.press("Delete");
    await desk.until(async () => /Plan of \d+ steps?|No plan/.test(await live.innerText()), true);
    await goTo("sub");
    await inspector(page).getByRole("textbox", { name: "Task", exact: true }).fill("nothing-of-that-name");
    await desk.until(async () => /Problem\. main: /.test(await live.innerText()), true);
  });
});

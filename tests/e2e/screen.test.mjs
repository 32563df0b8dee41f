// What stands on the screen is so: keys mean what has the focus, messages what they tell of, plans what is planned.

import { Desk } from "./desk.mjs";
import { inspector } from "./hands.mjs";
import { expect, openExample, openFile, savedFile, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const records = (page) => page.getByRole("tree", { name: "Records" });
const record = (page, name) => records(page).getByRole("treeitem", { name, exact: true });
const scenarios = (page) => page.getByRole("combobox", { name: "Scenario" });
const undoButton = (page) => page.getByRole("button", { name: /^Undo/ });
const messages = (page) => page.locator(".toast");

/** The tab of the panel below, and its list. */
async function tab(page, name) {
  await page.getByRole("tab", { name }).click();
  return page.getByRole("tabpanel", { name });
}

/** Waits until what has the focus fits. */
async function focused(page, what) {
  await page.waitForFunction((what) => document.activeElement?.matches(what), what);
}

test("undo in a text field is the text's, and never the document's", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await record(page, "take-ball").click();
  const precondition = inspector(page).getByRole("textbox", { name: "Precondition 1" });
  await precondition.fill("not box_open");
  await precondition.blur();
  const made = await savedFile(page);

  const field = {
    outline: page.getByRole("searchbox", { name: "Search the outline" }),
    find: page.getByRole("textbox", { name: "Find", exact: true }),
  };
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+f");
  for (const box of Object.values(field)) {
    await box.click();
    await page.keyboard.type("smash");
    await page.keyboard.press("Control+z");
    await page.waitForFunction((box) => box.value !== "smash", await box.elementHandle());
    await page.keyboard.press("Control+y");
    await page.waitForFunction((box) => box.value === "smash", await box.elementHandle());
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    // It has less to take back than it is asked for.
    for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Shift+z");
    expect(await savedFile(page)).toBe(made);
    await box.fill("");
  }
  await page.keyboard.press("Escape");

  // What a field writes to the document while one types goes back there, too.
  await precondition.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("item_at(key, drawer)");
  await page.keyboard.press("Escape");
  await precondition.click();
  await page.keyboard.press("Control+z");
  await page.waitForFunction((field) => field.value !== "item_at(key, drawer)", await precondition.elementHandle());
  const value = await precondition.inputValue();
  expect(JSON.parse(await savedFile(page)).primitive_tasks["take-ball"].preconditions[0]).toBe(value);
});

test("undo takes a completion back as the text's", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await record(page, "take-ball").click();
  const field = inspector(page).getByRole("textbox", { name: "Precondition 1" });
  await field.fill("");
  await field.pressSequentially("box_op");
  await page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name: /box_open/ }).waitFor();
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue("box_open");
  await page.keyboard.press("Control+z");
  await page.waitForFunction((field) => field.value === "box_op", await field.elementHandle());
});

test("undo in the name of a new object leaves the object", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("button", { name: "Add an object" }).click();
  const name = page.getByRole("textbox", { name: "Name of the object" });
  await name.waitFor();
  await page.keyboard.type("lamp");
  for (let turn = 0; turn < 6; turn += 1) await page.keyboard.press("Control+z");
  await expect(name).toBeVisible();
  await expect(messages(page)).toHaveCount(0);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("lamp");
  await page.keyboard.press("Enter");
  await record(page, "lamp").waitFor();
  // Out of the field it is the document's again; adding and naming are one step.
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+z");
  await record(page, "lamp").waitFor({ state: "detached" });
  await expect(record(page, "thing"), "nor does it come back under its first name").toHaveCount(0);
  await page.keyboard.press("Control+Shift+z");
  await record(page, "lamp").waitFor();
});

test("a message offers to undo what it tells of alone", async ({ openTaskloom }) => {
  const desk = await Desk.start(openTaskloom);
  const { page } = desk;
  await desk.open("Method");
  await desk.click(await desk.head("walk"));
  await desk.press("Control+c", "Control+v");
  const pasted = messages(page).filter({ hasText: "Pasted" });
  await pasted.getByRole("button", { name: "Undo" }).waitFor();
  await desk.click(await desk.head("sub"));
  await desk.press("m");
  await pasted.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  await expect(pasted, "what it tells of has still happened").toBeVisible();
  // Of the newest step it can.
  await desk.click(await desk.head("free"));
  await desk.press("Control+c", "Control+v");
  const before = await desk.count();
  await messages(page).getByRole("button", { name: "Undo" }).click();
  await desk.until(() => desk.count(), before - 1);
});

test("each message lives its own time", async ({ openTaskloom }) => {
  // Before the page loads: a timer of before could not be cleared by the clock that replaces it.
  const { page } = await openTaskloom({ before: (page) => page.clock.install() });
  const rename = async (record_, to) => {
    await record(page, record_).dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(to);
    await page.locator(".canvas").focus();
  };
  await rename("drawer", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await rename("shed", "key");
  await messages(page).first().waitFor();
  await page.clock.runFor(9_000);
  await expect(messages(page), "the time of the first has ended, not that of the second").toHaveCount(1);
  await page.clock.runFor(4_000);
  await messages(page).first().waitFor({ state: "detached" });
});

test("choosing a scenario shows it, and keys go on to work", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  const name = inspector(page).getByRole("textbox", { name: "Name", exact: true });
  const first = await name.inputValue();
  await scenarios(page).focus();
  await scenarios(page).selectOption({ label: "Locked, the key is in the drawer" });
  await plan(page).getByText(/^plan: 7 steps/).waitFor();
  await page.waitForFunction(([field, first]) => field.isConnected === false || field.value !== first, [await name.elementHandle(), first]);
  await expect(name).toHaveValue(await scenarios(page).inputValue());
  await page.keyboard.press(".");
  await page.getByText("step 1 of 7").waitFor();
  await page.keyboard.press(",");
  await page.getByText("start, 7 steps").waitFor();
  // Where something else is shown, that stays.
  await record(page, "take-ball").click();
  await scenarios(page).selectOption({ index: 0 });
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await expect(name).toHaveValue("take-ball");
});

test("rows of the panel are reached and chosen by keyboard", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await scenarios(page).selectOption({ label: "The box slams shut" });
  for (const [name, list] of [
    ["Run", "Simulated run"],
    ["Search", "Search"],
  ]) {
    const rows = (await tab(page, name)).getByRole("listbox", { name: list }).getByRole("option");
    await rows.first().waitFor();
    const count = await rows.count();
    expect(count).toBeGreaterThan(3);
    const at = (number) => focused(page, `[data-row]:nth-child(${number + 1})`);
    expect(await rows.locator("xpath=self::*[@tabindex=0]").count(), "one stop of the Tab key").toBe(1);
    // From what stands before it into the list.
    const before = name === "Run" ? page.getByRole("slider", { name: "Tick of the run" }) : page.getByRole("tabpanel");
    await before.focus();
    await page.keyboard.press("Tab");
    await at(0);
    await page.keyboard.press("ArrowDown");
    await at(1);
    await page.keyboard.press("End");
    await at(count - 1);
    await page.keyboard.press("ArrowUp");
    await at(count - 2);
    await page.keyboard.press("Home");
    await at(0);
    await page.keyboard.press("Enter");
    await rows.first().and(page.locator("[aria-selected=true]")).waitFor();
  }
});

/** Errands in any order, each of which makes those after it dearer: there are more orders than can be looked at. */
function errands(goal) {
  const names = Array.from({ length: 24 }, (_, at) => `errand-${24 - at}`);
  const blocks = { a: { kind: "begin" } };
  names.forEach((name, at) => {
    blocks[`b${at}`] = { kind: "task", call: `run(${name})` };
  });
  return {
    taskloom: 1,
    info: { title: "Errands" },
    types: { errand: { parent: "object" } },
    objects: Object.fromEntries(names.map((name) => [name, { type: "errand" }])),
    facts: {
      load: { value: { number: {} }, source: "memory" },
      weight: { params: ["?e: errand"], value: { number: {} }, source: "memory" },
    },
    actions: { Run: { duration: 1 } },
    primitive_tasks: {
      run: { params: ["?e: errand"], action: "Run", effects: [{ text: "load += weight(?e)" }], cost: "1 + load" },
    },
    compound_tasks: { errands: { method: { blocks, wires: names.map((_, at) => `a.out -> b${at}`) } } },
    scenarios: { today: { tasks: ["errands"], initial: names.map((name, at) => `weight(${name}) = ${24 - at}`), goal } },
    layout: {
      methods: { errands: { a: "0,0", ...Object.fromEntries(names.map((_, at) => [`b${at}`, `260,${at * 90}`])) } },
    },
  };
}

/** How many decisions the search that runs has taken, once it tells. */
async function decisions(page) {
  const text = await plan(page).getByText(/planning….* [\d,]+ decisions/).innerText();
  return Number(/([\d,]+) decisions/.exec(text)[1].replaceAll(",", ""));
}

test("what means nothing to the planner leaves a search running, and its answer right", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openFile(page, "errands.json", JSON.stringify(errands("load < 0")));
  await page.getByText("Opened “Errands”.").waitFor();
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Cheapest plan");
  let before = await decisions(page);
  const goesOn = async (what) => {
    await page.waitForFunction(
      (before) => Number(/([\d,]+) decisions/.exec(document.querySelector(".plan-status").innerText)?.[1].replaceAll(",", "")) > before + 1000,
      before,
      { timeout: 20_000 },
    );
    const now = await decisions(page);
    expect(now, `${what}: ${before}, then ${now}`).toBeGreaterThan(before);
    before = now;
  };
  await goesOn("nothing");
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Errands of today");
  await goesOn("a title");
  await record(page, "run(?e)").click();
  await inspector(page).getByRole("textbox", { name: "Notes" }).fill("It takes its time.");
  await goesOn("a note");
  await record(page, "errands").dblclick();
  await page.locator("[data-block]").first().waitFor();
  await page.locator("[data-block]").first().click();
  await page.keyboard.press("ArrowDown");
  await undoButton(page).and(page.getByTitle(/Move/)).waitFor();
  await goesOn("a block that moves");
  await page.keyboard.press("Control+z");
  await goesOn("undo");
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
});

test("while a new plan is searched for, the old one says so; a search that was stopped has failed in nothing", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "errands.json", JSON.stringify(errands("")));
  await page.getByText("Opened “Errands”.").waitFor();
  await plan(page).getByText(/^plan: 24 steps/).waitFor();
  const panel = page.getByRole("tabpanel", { name: "Plan" });
  await panel.getByText("The first plan in your order.").waitFor();
  await record(page, "errands").dblclick();
  await page.locator(".node-box.taken").first().waitFor();
  await record(page, "today").click();
  await inspector(page).getByRole("textbox", { name: "Goal" }).fill("load < 0");
  await page.locator(".panel").getByText("old plan, searching…").waitFor();
  await panel.getByText(/^Plan from before your last change/).waitFor();
  await expect(page.locator(".node-box.rejected")).toHaveCount(0);
  await plan(page).getByRole("button", { name: "Stop" }).click();
  await plan(page).getByText("stopped").waitFor();
  await panel.getByText("The search was stopped.").waitFor();
  await expect(page.getByText("old plan, searching…")).toHaveCount(0);
  expect(await page.locator(".node-box:is(.rejected, .taken)").count()).toBe(0);
  expect(await page.getByRole("region", { name: "Unmet conditions" }).count()).toBe(0);
});

/** A shop that is opened in a circle, pays by coins that there are none of, and wants what no task brings about. */
const SHOP = {
  taskloom: 1,
  info: { title: "The shop" },
  types: { coin: { parent: "object" } },
  facts: { open: { value: "boolean", source: "memory" }, rich: { value: "boolean", source: "memory" } },
  actions: { Pay: { duration: 1 } },
  primitive_tasks: { give: { params: ["?c: coin"], action: "Pay" }, unlock: { action: "Pay", effects: [{ text: "open" }] }, wait: { action: "Pay" }, enter: { action: "Pay", preconditions: ["open"] } },
  compound_tasks: {
    visit: {
      method: {
        blocks: {
          b: { kind: "begin" },
          w: { kind: "task", call: "wait" },
          if: { kind: "branch", condition: "rich" },
          e: { kind: "task", call: "enter" },
          f: { kind: "task", call: "enter" },
        },
        wires: ["b.out -> w", "w.out -> if", "if.true -> e", "if.false -> f"],
      },
    },
    "run-shop": {
      method: { blocks: { b: { kind: "begin" }, again: { kind: "task", call: "run-shop" } }, wires: ["b.out -> again"] },
    },
    pay: {
      method: {
        blocks: { b: { kind: "begin" }, c: { kind: "bind", variable: "?c: coin" }, g: { kind: "task", call: "give(?c)" } },
        wires: ["b.out -> c", "c.out -> g"],
      },
    },
    start: { method: { blocks: { b: { kind: "begin" }, u: { kind: "task", call: "unlock" } }, wires: ["b.out -> u"] } },
  },
  scenarios: {
    circle: { tasks: ["run-shop"] },
    coinless: { tasks: ["pay"] },
    dream: { tasks: ["start"], goal: "rich" },
    shut: { tasks: ["visit"] },
  },
  layout: {
    methods: {
      "run-shop": { b: "0,0", again: "260,0" },
      pay: { b: "0,0", c: "260,0", g: "520,0" },
      start: { b: "0,0", u: "260,0" },
      visit: { b: "0,0", w: "260,0", if: "520,0", e: "780,0", f: "780,160" },
    },
  },
};

test("why there is no plan is told in words, in the panel and on the block", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openFile(page, "shop.json", JSON.stringify(SHOP));
  await page.getByText("Opened “The shop”.").waitFor();
  const panel = page.getByRole("tabpanel", { name: "Plan" });
  for (const [scenario, task, reason, onBlock] of [
    ["circle", "run-shop", "run-shop: leads back to itself without changing anything", /leads back to itself/],
    ["coinless", "pay", "pay: there is no object of type coin", /there is no object of type coin/],
    ["dream", "start", "the tasks succeed, but the goal rich does not hold at the end", /the goal rich does not hold at the end/],
    ["shut", "visit", "enter: open does not hold", /open does not hold/],
  ]) {
    await scenarios(page).selectOption(scenario);
    await plan(page).getByText(/^no plan/).waitFor();
    await panel.getByText(reason).first().waitFor();
    await record(page, task).dblclick();
    await page.locator(".node-note.why").getByText(onBlock).first().waitFor();
  }
  // When it failed, and who could have helped; at the Branch one of two conditions never holds, and that is no reason.
  const reasons = panel.getByRole("region", { name: "Unmet conditions" });
  await expect(reasons.getByRole("heading")).toHaveText(["After 1 step"]);
  await expect(reasons.getByRole("listitem")).toHaveText([/^enter: open does not hold\s+changed by unlock$/]);
  // This search keeps no reasons, and says so.
  await page.getByRole("combobox", { name: "Search strategy" }).selectOption("Any plan (fastest)");
  await panel.getByText("This search doesn't record reasons.").waitFor();
  await panel.getByRole("button", { name: "Search in your order, with reasons" }).click();
  await reasons.getByText("enter: open does not hold").waitFor();
});

test("agents and goals are shown and offered, and kept in the file", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await openExample(page, "The night guard");
  const guard = JSON.parse(await savedFile(page));
  expect(Object.keys(guard.agents)).toEqual(["night-guard"]);
  await expect(records(page).getByRole("group", { name: "Agents" }).getByRole("treeitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Add an agent" }).waitFor();
  await page.getByRole("button", { name: "Add a goal" }).waitFor();
  guard.goals = { "all-is-well": { condition: "power", priority: 2, relevance: "1" } };
  await openFile(page, "guard.taskloom.json", JSON.stringify(guard));
  await expect(records(page).getByRole("group", { name: "Goals" }).getByRole("treeitem")).toHaveCount(1);
  const search = page.getByRole("combobox", { name: "Search strategy" });
  expect(await search.locator("option:checked").innerText()).toMatch(/ \(document setting\)$/);
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Guarded");
  const saved = JSON.parse(await savedFile(page));
  expect([saved.agents, saved.goals]).toEqual([guard.agents, guard.goals]);
});

test("ids are random even where the browser's good source of randomness fails", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.evaluate(() => {
    Crypto.prototype.getRandomValues = () => {
      throw new Error("no randomness");
    };
  });
  for (const name of ["one", "two"]) {
    await page.getByRole("button", { name: "Add a compound task" }).first().click();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await record(page, name).waitFor();
  }
  const { compound_tasks } = JSON.parse(await savedFile(page));
  const ids = ["one", "two"].flatMap((name) => Object.keys(compound_tasks[name].method.blocks));
  expect(new Set(ids).size, ids.join()).toBe(2);
  expect(!ids.some((id) => /^(.)\1*$/.test(id)), ids.join()).toBe(true);
});

test("a text that a page which is left cannot keep is told", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("status", { name: "Saved state" }).getByText("saved").waitFor({ state: "attached" }).catch(() => {});
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.getByRole("textbox", { name: "Title of the document" }).fill("Not kept");
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.getByRole("button", { name: /^Not saved: the browser's storage is full\. Save to a file now/ }).waitFor();
  expect(JSON.parse(await savedFile(page)).info.title, "the work is there").toBe("Not kept");
});

test("what has just been added is not called wrong, and keeps the focus", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.getByRole("button", { name: "Edit" }).click();
  const wrong = inspector(page).getByText("This entry is empty.");
  await inspector(page).getByRole("button", { name: "Add an event" }).click();
  const event = inspector(page).getByRole("textbox", { name: "Event 1", exact: true });
  await page.waitForFunction((field) => document.activeElement === field, await event.elementHandle());
  await expect(wrong).toHaveCount(0);
  await event.blur();
  await wrong.waitFor();
  await event.fill("not box_open");
  await wrong.waitFor({ state: "detached" });

  await inspector(page).getByRole("button", { name: "Add an expectation" }).click();
  const kind = inspector(page).getByRole("combobox", { name: /^Expectation \d+$/ }).last();
  await kind.focus();
  await kind.selectOption("contains");
  const field = inspector(page).getByRole("textbox", { name: /^Expected \d+$/ }).last();
  await field.waitFor();
  await expect(wrong).toHaveCount(0);
  expect(await kind.evaluate((select) => document.activeElement === select), "its list keeps the focus").toBe(true);
});

test("Escape in a name leaves the focus on its record", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await record(page, "drawer").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Name of the object" }).waitFor();
  await page.keyboard.press("Escape");
  await focused(page, ".item[aria-selected=true]");
  await page.keyboard.press("ArrowDown");
  await focused(page, ".item[aria-selected=true]");
});

test("what was looked for in the outline is not looked for in another document", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const search = page.getByRole("searchbox", { name: "Search the outline" });
  await search.fill("smash");
  await record(page, "drawer").waitFor({ state: "detached" });
  await openFile(page, "shop.json", JSON.stringify(SHOP));
  await record(page, "coin").waitFor();
  await expect(search).toHaveValue("");
});

test("the toolbar leads to all commands and to help, and the palette exports, changes the theme and adds a scenario", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await page.setViewportSize({ width: 1440, height: 900 });
  const run = async (command) => {
    await page.getByRole("button", { name: "Commands" }).click();
    await page.getByRole("dialog", { name: "Command palette" }).waitFor();
    await page.keyboard.type(command);
    await page.getByRole("option", { name: command }).first().waitFor();
    await page.keyboard.press("Enter");
  };
  const download = page.waitForEvent("download");
  await run("Export as HDDL");
  await download;
  await run("Theme");
  await page.getByRole("button", { name: "Light" }).waitFor();
  await run("New scenario");
  await scenarios(page).getByRole("option", { name: "scenario", exact: true }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("dialog", { name: "Keys and gestures" }).waitFor();
});

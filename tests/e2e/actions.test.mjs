// Counts what a designer does to build parts of a shop: each click, typed word and key is one action.

import { inspector } from "./hands.mjs";
import { boxAtRest, expect, nextFrame, openFile, reopen, test } from "./harness.mjs";

const SHOP = {
  taskloom: 3,
  info: { title: "The shop" },
  types: { item: { parent: "object" }, place: { parent: "object" } },
  objects: { bread: { type: "item" }, counter: { type: "place" }, storeroom: { type: "place" } },
  facts: {
    at: { params: ["?p: place"], source: "sensor" },
    stocked: { params: ["?i: item"], source: "sensor" },
    carries: { params: ["?i: item"], source: "memory" },
    open: { source: "sensor" },
  },
  actions: { Put: { params: ["?i: item"], duration: "1" }, WalkTo: { params: ["?p: place"], duration: "3" } },
  primitive_tasks: {
    "walk-to": { params: ["?p: place"], action: "WalkTo(?p)", effects: [{ text: "at(?p)" }] },
    restock: { params: ["?i: item"], action: "Put(?i)" },
  },
  compound_tasks: {
    "keep-shop": { method: { blocks: { b: { kind: "begin" }, e: { kind: "end" } }, wires: ["b.out -> e"] } },
  },
  scenarios: { morning: { tasks: ["keep-shop"], initial: ["open"] } },
};

const record = (page, name) => page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name, exact: true });
const field = (page, name) => inspector(page).getByRole("textbox", { name, exact: true });

/** The hands of a designer, who counts. */
class Counter {
  constructor(page) {
    this.page = page;
    this.count = 0;
  }

  async click(target) {
    this.count += 1;
    await target.click();
  }

  /** Drags from an element by a number of pixels. */
  async drag(from, { x, y }) {
    this.count += 1;
    const box = await boxAtRest(from);
    const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(start.x + x / 2, start.y + y / 2, { steps: 4 });
    await this.page.mouse.move(start.x + x, start.y + y, { steps: 4 });
    await this.page.mouse.up();
    await this.page.getByRole("combobox", { name: "Add and connect a block" }).waitFor();
  }

  async type(word) {
    this.count += 1;
    await this.page.keyboard.type(word);
  }

  async press(key) {
    this.count += 1;
    await this.page.keyboard.press(key);
    await nextFrame(this.page);
  }
}

async function openShop(openTaskloom) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await reopen(page, "shop.taskloom.json", SHOP);
  return page;
}

test("a task's form is filled in by few actions, and by keyboard", async ({ openTaskloom }) => {
  const page = await openShop(openTaskloom);
  await test.step("preconditions, effects and the cost of a task take ten actions", async () => {
    await record(page, "restock(?i)").click();
    const by = new Counter(page);
    await by.click(field(page, "Precondition 1"));
    await by.type("carries(?i)");
    await by.press("Enter");
    await expect(field(page, "Precondition 2")).toBeFocused();
    await by.type("at(storeroom)");
    await by.click(field(page, "Effect 1"));
    await by.type("stocked(?i)");
    await by.press("Enter");
    await by.type("not carries(?i)");
    await by.click(field(page, "Cost"));
    await by.type("2");
    await expect(field(page, "Precondition 1")).toHaveValue("carries(?i)");
    await expect(field(page, "Precondition 2")).toHaveValue("at(storeroom)");
    await expect(field(page, "Effect 1")).toHaveValue("stocked(?i)");
    await expect(field(page, "Effect 2")).toHaveValue("not carries(?i)");
    await expect(field(page, "Cost")).toHaveValue("2");
    expect(by.count).toBe(10);
  });
  await test.step("a completed call has its first argument selected, and Tab leads to the next", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    await record(page, "restock(?i)").click();
    await field(page, "Precondition 1").click();
    await page.keyboard.type("sto");
    await page.getByRole("listbox", { name: "Completions" }).waitFor();
    await page.keyboard.press("Enter");
    const first = field(page, "Precondition 1");
    // The parameter of the same type comes before the objects.
    await expect(first).toHaveValue("stocked(?i)");
    await page.keyboard.type("bread");
    await expect(first).toHaveValue("stocked(bread)");
    await page.keyboard.press("Enter");
    await expect(field(page, "Precondition 2")).toBeFocused();
    await page.keyboard.type("ope");
    await page.keyboard.press("Enter");
    await expect(field(page, "Precondition 2"), "a fact without parameters").toHaveValue("open");
  });
  await test.step("Enter leads through the rows of a list, and Backspace back", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    await record(page, "restock(?i)").click();
    await field(page, "Precondition 1").click();
    await page.keyboard.type("carries(?i)");
    await page.keyboard.press("Enter");
    await page.keyboard.type("at(counter)");
    await page.keyboard.press("Tab");
    await expect(field(page, "Precondition 3"), "Tab passes the buttons").toBeFocused();
    await page.keyboard.press("Backspace");
    await expect(field(page, "Precondition 2")).toBeFocused();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await expect(inspector(page).getByText("This entry is empty.")).toHaveCount(0);
    await page.keyboard.press("Backspace");
    await expect(field(page, "Precondition 1")).toBeFocused();
    await expect(field(page, "Precondition 3"), "the empty row is removed").toHaveCount(0);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await expect(inspector(page).getByRole("button", { name: "Remove precondition 1" })).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(field(page, "Integrity rule 1"), "Enter in an empty row leads to the next list").toBeFocused();
  });
  await test.step("a list that is pasted fills several rows, and a comma begins a row between others", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    await record(page, "restock(?i)").click();
    await field(page, "Precondition 1").click();
    // As the clipboard does, all at once.
    await page.keyboard.insertText("carries(?i), exists ?p: place, ?q: place. at(?p), open");
    await expect(field(page, "Precondition 3")).toHaveValue("open");
    await expect(field(page, "Precondition 3")).toBeFocused();
    await expect(field(page, "Precondition 2"), "the variables of a quantifier stay together").toHaveValue(
      "exists ?p: place, ?q: place. at(?p)",
    );
    await field(page, "Precondition 1").click();
    await page.keyboard.press("End");
    await page.keyboard.type(",at(counter)");
    await expect(field(page, "Precondition 1")).toHaveValue("carries(?i)");
    await expect(field(page, "Precondition 2")).toHaveValue("at(counter)");
    await expect(field(page, "Precondition 4")).toHaveValue("open");
  });
  await test.step("Tab passes the buttons that remove a row, and arrows lead to them", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    await record(page, "restock(?i)").click();
    await field(page, "Parameter 1").focus();
    await page.keyboard.press("Tab");
    const type = inspector(page).getByRole("combobox", { name: "Type of parameter 1" });
    await expect(type).toBeFocused();
    await page.keyboard.press("ArrowRight");
    const remove = inspector(page).getByRole("button", { name: "Remove parameter 1" });
    await expect(remove).toBeFocused();
    await expect(type, "the type stays").toHaveValue("item");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    await expect(remove).not.toBeFocused();
    await remove.focus();
    await page.keyboard.press("Enter");
    await expect(field(page, "Parameter 1")).toHaveCount(0);
  });
});

test("records take few actions", async ({ openTaskloom }) => {
  const page = await openShop(openTaskloom);
  await test.step("an object takes three, with the type used last or typed with its name", async () => {
    const by = new Counter(page);
    await by.click(page.getByRole("button", { name: "Add an object" }));
    await by.type("shelf: place");
    await by.press("Enter");
    await expect(record(page, "shelf")).toBeVisible();
    const type = inspector(page).getByRole("combobox", { name: "Type", exact: true });
    await expect(type).toHaveValue("place");
    expect(by.count).toBe(3);
    await by.click(page.getByRole("button", { name: "Add an object" }));
    await by.type("cellar");
    await by.press("Enter");
    await expect(record(page, "cellar")).toBeVisible();
    await expect(type, "the type used last").toHaveValue("place");
    expect(by.count).toBe(6);
    await page.keyboard.press("Control+z");
    await expect(record(page, "cellar"), "one step with its type and its name").toHaveCount(0);
    await expect(record(page, "shelf")).toBeVisible();
  });
  await test.step("a fact with a parameter takes three", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    const by = new Counter(page);
    await by.click(page.getByRole("button", { name: "Add a fact" }));
    await by.type("price(?i: item): number");
    await by.press("Enter");
    await expect(record(page, "price(?i)")).toBeVisible();
    await expect(field(page, "Parameter 1")).toHaveValue("?i");
    await expect(inspector(page).getByRole("combobox", { name: "Type of parameter 1" })).toHaveValue("item");
    await expect(inspector(page).getByRole("combobox", { name: "Value type" })).toHaveValue("number");
    expect(by.count).toBe(3);
  });
  await test.step("a scenario with a task and three values takes six", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    const by = new Counter(page);
    await by.click(page.getByRole("button", { name: "Add a scenario" }).first());
    await by.type("evening");
    await by.press("Enter");
    await expect(field(page, "Task 1"), "the form begins with the tasks").toBeFocused();
    await by.type("keep-shop");
    await by.click(field(page, "Initial value 1"));
    await by.type("at(counter),open,stocked(bread)");
    await expect(field(page, "Task 1")).toHaveValue("keep-shop");
    await expect(field(page, "Initial value 1")).toHaveValue("at(counter)");
    await expect(field(page, "Initial value 2")).toHaveValue("open");
    await expect(field(page, "Initial value 3")).toHaveValue("stocked(bread)");
    const ticks = (atom) => inspector(page).getByRole("checkbox", { name: `Initial value of ${atom}`, exact: true });
    for (const atom of ["at(counter)", "open", "stocked(bread)"]) {
      await expect(ticks(atom)).toBeChecked();
    }
    expect(by.count).toBe(6);
  });
  await test.step("a variant of a scenario takes two", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    const scenarios = page.getByRole("group", { name: "Scenarios" }).getByRole("treeitem");
    const by = new Counter(page);
    await by.click(record(page, "morning"));
    await by.press("Control+d");
    await expect(scenarios).toHaveCount(2);
    expect(by.count).toBe(2);
  });
});

test("a block with an argument takes three actions, and its field near the edge is shown whole", async ({ openTaskloom }) => {
  const page = await openShop(openTaskloom);
  await test.step("three actions", async () => {
    await record(page, "keep-shop").dblclick();
    // By its id: blocks follow each other by id, and that of a new block is random.
    const port = page.locator('[data-block="b"] [data-port="out"]');
    await port.waitFor();
    const blocks = page.locator("[data-block]");
    await expect(blocks).toHaveCount(2);
    const by = new Counter(page);
    await by.drag(port, { x: 60, y: 180 });
    await by.type("restock(bread)");
    await by.press("Enter");
    await expect(blocks).toHaveCount(3);
    await expect(page.locator("[data-block]", { hasText: "restock" })).toContainText("bread");
    await expect(page.locator(".in-place"), "nothing is left to fill in").toHaveCount(0);
    expect(by.count).toBe(3);
    // A call that was not closed is closed, and keeps its argument.
    await by.drag(port, { x: 60, y: 260 });
    await by.type("walk-to(counter");
    await by.press("Enter");
    await expect(blocks).toHaveCount(4);
    await expect(page.locator("[data-block]", { hasText: "walk-to" })).toContainText("counter");
  });
  await test.step("near the edge", async () => {
    await reopen(page, "shop.taskloom.json", SHOP);
    await record(page, "keep-shop").dblclick();
    const port = page.locator('[data-block="b"] [data-port="out"]');
    await port.waitFor();
    const canvas = await page.locator(".canvas").boundingBox();
    const start = await boxAtRest(port);
    const by = new Counter(page);
    await by.drag(port, { x: canvas.x + canvas.width - 30 - start.x, y: 60 });
    await by.type("walk-to(?p)");
    await by.press("Enter");
    const editor = page.locator(".in-place");
    await expect(editor).toBeVisible();
    const box = await boxAtRest(editor);
    expect(box.x).toBeGreaterThanOrEqual(canvas.x);
    expect(box.x + box.width).toBeLessThanOrEqual(canvas.x + canvas.width);
  });
});

test("an actor shows what its agent does, until that is overridden", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  const guarded = {
    ...SHOP,
    types: { ...SHOP.types, person: { parent: "object" } },
    objects: { ...SHOP.objects, anna: { type: "person" } },
    agents: { keeper: { type: "person", planning: { decomposition: { tasks: ["keep-shop"] } } } },
    scenarios: { morning: { cast: [{ object: "anna", agent: "keeper" }] } },
  };
  await openFile(page, "shop.taskloom.json", JSON.stringify(guarded));
  await page.getByText("Opened “The shop”.").waitFor();
  await record(page, "morning").click();
  const actor = inspector(page).getByRole("group", { name: "Actor 1" });
  await expect(actor).toContainText("From agent keeper: keep-shop");
  await actor.getByRole("button", { name: "Override the tasks of actor 1" }).click();
  await expect(field(page, "Task 1 of actor 1")).toBeFocused();
  await page.keyboard.type("walk-to(counter)");
  await expect(actor).toContainText("Overrides: From agent keeper: keep-shop");
  await actor.getByRole("button", { name: "Remove the override of actor 1" }).click();
  await expect(field(page, "Task 1 of actor 1")).toHaveCount(0);
  await expect(actor).toContainText("From agent keeper: keep-shop");
});

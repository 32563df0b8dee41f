// Workers may die, hang or be slow: the page notices, reports it, and never shows an answer of another revision as
// current.

import { inspector } from "./hands.mjs";
import { expect, nextFrame, openExample, openFile, openView, screenshot, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const record = (page, name) => page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name, exact: true });
const precondition = (page) => inspector(page).getByRole("textbox", { name: "Precondition 1" });
const oldNote = (page) => page.locator(".panel .old-note");

/**
 * Gives a test access to the page's workers, each with the name of its task: `workers` are all that were ever started,
 * `delay` delays messages of workers started from now on, and the next `doomed` planners die at their first message.
 */
const watched = {
  before: (page) =>
    page.addInitScript(() => {
      window.workers = [];
      window.doomed = 0;
      window.delay = 0;
      const Real = window.Worker;
      window.Worker = class extends Real {
        constructor(...args) {
          super(...args);
          this.task = args[1].name;
          this.delay = () => window.delay;
          this.isDoomed = this.task === "planner" && window.doomed > 0;
          if (this.isDoomed) window.doomed -= 1;
          window.workers.push(this);
        }

        terminate() {
          this.isEnded = true;
          super.terminate();
        }

        set onmessage(hear) {
          const handler = (event) => {
            const pass = () => {
              if (this.isEnded) return;
              this.heard = (this.heard ?? 0) + 1;
              hear(event);
            };
            if (this.delay()) setTimeout(pass, this.delay());
            else pass();
            if (this.isDoomed) Real.prototype.terminate.call(this);
          };
          super.onmessage = hear && handler;
        }
      };
    }),
};

/** Ends the newest planner as the browser does when it runs out of memory: without notification. */
const kill = (page) =>
  page.evaluate(() => {
    const planner = window.workers.findLast(({ task }) => task === "planner");
    Object.getPrototypeOf(Worker).prototype.terminate.call(planner);
  });
/** Returns how many workers were started for a task. */
const started = (page, task) => page.evaluate((task) => window.workers.filter((worker) => worker.task === task).length, task);

/** Continues typing at the end of the first precondition of take-ball. */
async function edit(page, text) {
  await record(page, "take-ball").click();
  await precondition(page).fill(text);
}

test("a worker's program that couldn't be loaded is loaded again by Search again", async ({ openTaskloom }) => {
  const program = /taskloom-worker_bg/;
  const { page } = await openTaskloom({ before: (page) => page.route(program, (route) => route.abort()), expectsProblems: true });
  const why = "The planner isn't loaded. Check the connection to the server, then press Search again.";
  await page.getByRole("tabpanel", { name: "Plan" }).getByText(why).waitFor();
  // The Stage shows the scenario's start nevertheless.
  await openView(page, "Stage");
  await expect(page.locator('.stage-place[data-place="drawer"]')).toBeVisible();
  await page.unroute(program);
  await plan(page).getByRole("button", { name: "Search again" }).click();
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
});

test("an idle worker that dies is replaced within seconds, and the next edit is planned", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await kill(page);
  await plan(page).getByText("restarted").waitFor({ timeout: 20_000 });
  await expect(plan(page).getByTitle("The planner stopped responding and was restarted.")).toBeVisible();
  await screenshot(page, "planner-restarted");
  await expect.poll(() => started(page, "planner")).toBe(2);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await edit(page, "not box_open");
  await plan(page).getByText(/^no plan/).waitFor();
  await expect(plan(page).getByText("restarted")).toHaveCount(0);
});

test("a new worker plans the request of a dead one", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  // The worker dies just before the edit.
  await kill(page);
  await edit(page, "not box_open");
  await oldNote(page).getByText("old plan, searching…").waitFor();
  await plan(page).getByText(/^no plan/).waitFor({ timeout: 20_000 });
  await expect(oldNote(page)).toHaveCount(0);
  await expect(plan(page).getByText("restarted")).toBeVisible();
});

test("a worker that crashes twice leaves the old plan marked as outdated, with a message", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await page.evaluate(() => {
    window.doomed = 1;
  });
  await kill(page);
  await edit(page, "not box_open");
  await plan(page).getByText("The planner doesn't respond.").waitFor({ timeout: 50_000 });
  await oldNote(page).getByText("old plan, not searching").waitFor();
  await page.getByText("Plan from before your last change. The planner doesn't respond. Change the document, or search again.").waitFor();
  await screenshot(page, "planner-given-up");
  await plan(page).getByRole("button", { name: "Search again" }).click();
  await plan(page).getByText(/^no plan/).waitFor({ timeout: 20_000 });
  await expect(oldNote(page)).toHaveCount(0);
});

test("stopping between two keystrokes leaves the plan marked as outdated until the next search", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await record(page, "take-ball").click();
  // Each answer is delayed long enough for another key and a click.
  await page.evaluate(() => {
    for (const worker of window.workers) worker.delay = () => 3000;
  });
  await precondition(page).fill("not box_open");
  await plan(page).getByRole("button", { name: "Stop" }).waitFor();
  await precondition(page).press("End");
  // The click comes before the worker has had time to end the previous request.
  await page.evaluate(async () => {
    document.execCommand("insertText", false, " or box_open");
    await new Promise((done) => setTimeout(done, 10));
    [...document.querySelectorAll(".plan-status button")].find((button) => button.textContent === "Stop").click();
  });
  await plan(page).getByText("stopped: plan is outdated").waitFor();
  await oldNote(page).getByText("old plan, not searching").waitFor();
  await screenshot(page, "planning-stopped");
  await page.evaluate(() => {
    for (const worker of window.workers) worker.delay = () => 0;
  });
  await plan(page).getByRole("button", { name: "Search again" }).click();
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await expect(oldNote(page)).toHaveCount(0);
});

test("an export continues while typing and ends in a download", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await record(page, "take-ball").click();
  await page.evaluate(() => {
    window.delay = 1500;
  });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "HDDL" }).click();
  await precondition(page).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" or not box_open or box_open", { delay: 40 });
  const zip = await download;
  expect(zip.suggestedFilename()).toMatch(/hddl|zip/);
  // One for its start, one for the files.
  expect(await page.evaluate(() => window.workers.find(({ task }) => task === "export").heard), "its worker is still alive").toBeGreaterThanOrEqual(2);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
});

/** Opens get-ball, moves a block and tidies it; the worker's answer is delayed by this much. */
async function tidies(page, millis) {
  await record(page, "get-ball").dblclick();
  await page.locator("[data-block]").first().waitFor();
  await page.locator(".canvas").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.evaluate((millis) => {
    window.delay = millis;
  }, millis);
  await page.keyboard.press("Shift+T");
}

const undoTidy = (page) => page.getByRole("button", { name: /^Undo/ }).and(page.getByTitle(/Tidy/));

test("Tidy survives a crash of its worker", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await tidies(page, 3000);
  await expect.poll(() => started(page, "layout")).toBe(1);
  await page.evaluate(() => {
    window.delay = 0;
    const worker = window.workers.find(({ task }) => task === "layout");
    worker.isEnded = true;
    Object.getPrototypeOf(Worker).prototype.terminate.call(worker);
    worker.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
  });
  await undoTidy(page).waitFor();
  await expect.poll(() => started(page, "layout")).toBe(2);
});

test("moving a card on the Board does not invalidate a method's Tidy", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await tidies(page, 6000);
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("button", { name: "Board" }).click();
  await page.locator("[data-record]").first().waitFor();
  await page.locator("[data-record]").first().click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByRole("button", { name: /^Undo/ }).and(page.getByTitle(/Move/)).waitFor();
  await undoTidy(page).waitFor();
});

test("Tidy of a closed document changes nothing", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await tidies(page, 3000);
  await openExample(page, "The night guard");
  // The answer has arrived by then.
  await page.waitForFunction(() => window.workers.find(({ task }) => task === "layout")?.isEnded);
  await nextFrame(page);
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();
  await expect(page.getByText(/Couldn't tidy/)).toHaveCount(0);
});

// Real workers may die, hang or be slow, and the page notices. What it then does is decided by machines that have their
// own tests, with a fake worker (src/worker).

import { inspector } from "./hands.mjs";
import { expect, exported, nextFrame, openExample, openView, screenshot, test } from "./harness.mjs";

const plan = (page) => page.getByRole("status", { name: "Plan" });
const record = (page, name) => page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name, exact: true });
const precondition = (page) => inspector(page).getByRole("textbox", { name: "Precondition 1" });
const oldNote = (page) => page.locator(".panel .old-note");

/**
 * Gives a test access to the page's workers, each with the name of its task: `workers` are all that were ever started, and
 * `delay` delays their messages.
 */
const watched = {
  before: (page) =>
    page.addInitScript(() => {
      window.workers = [];
      window.delay = 0;
      const Real = window.Worker;
      window.Worker = class extends Real {
        constructor(...args) {
          super(...args);
          this.task = args[1].name;
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
            if (window.delay) setTimeout(pass, window.delay);
            else pass();
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
/** Returns how many planners were started. */
const started = (page) => page.evaluate(() => window.workers.filter(({ task }) => task === "planner").length);

/** Continues typing at the end of the first precondition of take-ball. */
async function edit(page, text) {
  await record(page, "take-ball").click();
  await precondition(page).fill(text);
}

test("a worker's program that couldn't be loaded is loaded again by Search again", async ({ openTaskloom }) => {
  const program = /taskloom-worker_bg/;
  const { page } = await openTaskloom({ before: (page) => page.route(program, (route) => route.abort()), expectsProblems: true });
  const why = "The planner isn't loaded. Check the connection to the server, then press Search again.";
  // The stored plan is shown nevertheless.
  await plan(page).getByTitle(why).waitFor();
  await expect(page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option")).toHaveCount(2);
  // So is the scenario's start on the Stage.
  await openView(page, "Stage");
  await expect(page.locator('.stage-place[data-place="drawer"]')).toBeVisible();
  await page.unroute(program);
  await plan(page).getByRole("button", { name: "Search again" }).click();
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
});

test("an export says that its program couldn't be loaded, and the next one loads it again", async ({ openTaskloom }) => {
  const program = /taskloom-jobs_bg/;
  const { page } = await openTaskloom({ before: (page) => page.route(program, (route) => route.abort()), expectsProblems: true });
  const entry = "C# agent";
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
  await page.getByText("This part of the editor isn't loaded. Check the connection to the server, then try again.").waitFor();
  await screenshot(page, "jobs-not-loaded");
  // Planning doesn't need it.
  await edit(page, "not box_open");
  await plan(page).getByText(/^no plan/).waitFor();
  await page.unroute(program);
  await page.keyboard.press("Escape");
  const { content } = await exported(page, entry);
  expect(content.length).toBeGreaterThan(0);
});

test("a planner that dies is replaced within seconds, whether it is idle or planning", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await test.step("an idle one, and the next edit is planned", async () => {
    await kill(page);
    await plan(page).getByText("restarted").waitFor();
    await expect(plan(page).getByTitle("The planner stopped responding and was restarted.")).toBeVisible();
    await screenshot(page, "planner-restarted");
    await expect.poll(() => started(page)).toBe(2);
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await edit(page, "not box_open");
    await plan(page).getByText(/^no plan/).waitFor();
    await expect(plan(page).getByText("restarted")).toHaveCount(0);
  });
  await test.step("one that dies just before an edit, which its replacement plans", async () => {
    await edit(page, "box_open");
    await plan(page).getByText(/^plan: 2 steps/).waitFor();
    await kill(page);
    await edit(page, "not box_open");
    await oldNote(page).getByText("old plan, searching…").waitFor();
    await plan(page).getByText(/^no plan/).waitFor();
    await expect(oldNote(page)).toHaveCount(0);
    await expect(plan(page).getByText("restarted")).toBeVisible();
  });
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

test("Tidy survives a crash of its worker, and changes nothing in a document that was opened meanwhile", async ({ openTaskloom }) => {
  const { page } = await openTaskloom(watched);
  await plan(page).getByText(/^plan: 2 steps/).waitFor();
  await record(page, "get-ball").dblclick();
  await page.locator("[data-block]").first().waitFor();
  const layouts = () => page.evaluate(() => window.workers.filter(({ task }) => task === "layout").length);
  const tidies = async () => {
    await page.locator(".canvas").focus();
    for (const key of ["Home", "ArrowRight", "Shift+ArrowDown"]) await page.keyboard.press(key);
    await page.evaluate(() => (window.delay = 3000));
    await page.keyboard.press("Shift+T");
  };
  await tidies();
  await expect.poll(layouts).toBe(1);
  await page.evaluate(() => {
    window.delay = 0;
    const worker = window.workers.find(({ task }) => task === "layout");
    worker.isEnded = true;
    Object.getPrototypeOf(Worker).prototype.terminate.call(worker);
    worker.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
  });
  const undoTidy = page.getByRole("button", { name: /^Undo/ }).and(page.getByTitle(/Tidy/));
  await undoTidy.waitFor();
  await expect.poll(layouts).toBe(2);

  await tidies();
  await openExample(page, "The night guard");
  // The answer has arrived by then.
  await page.waitForFunction(() => window.workers.findLast(({ task }) => task === "layout")?.isEnded);
  await nextFrame(page);
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();
  await expect(page.getByText(/Couldn't tidy/)).toHaveCount(0);
});

// Scrubs through a run of 10,000 ticks and five characters with its slider: measures the
// main-thread cost of each step, and whether each gets a frame. TASKLOOM_TICKS=2000 measures a
// shorter run.

import { launchBrowser } from "../tests/e2e/browser.mjs";

const TICKS = Number(process.env.TASKLOOM_TICKS ?? 10_000);
const WALK = 5;
const CAST = ["anna", "ben", "cleo", "dan", "eve"];
const STEPS = 240;
/** The duration of a frame at 60 frames per second, in milliseconds. */
const FRAME = 1000 / 60;

const PLACES = ["hall", "vault", "yard", "gate", "well"];
const SCENARIO = {
  taskloom: 3,
  info: { title: "A long day" },
  types: { person: { parent: "object" }, place: { parent: "object" } },
  objects: {
    ...Object.fromEntries(CAST.map((name) => [name, { type: "person" }])),
    ...Object.fromEntries(PLACES.map((name) => [name, { type: "place" }])),
  },
  facts: {
    place_of: { params: ["?p: person"], value: { object: "place" }, source: "sensor" },
    energy: { params: ["?p: person"], value: { number: {} }, source: "sensor" },
    visits: { params: ["?w: place"], value: { number: {} }, source: "blackboard" },
  },
  actions: { Walk: { params: ["?to: place"], duration: String(WALK) } },
  primitive_tasks: {
    walk: {
      params: ["?to: place"],
      action: "Walk(?to)",
      effects: [{ text: "place_of(?me) := ?to" }, { text: "energy(?me) -= 1" }, { text: "visits(?to) += 1" }],
    },
  },
  // Two of them see only who is where they are, so their beliefs are looked up, too.
  agents: {
    walker: { type: "person" },
    guard: { type: "person", senses: [{ fact: "place_of", every: 1, when: "place_of(?p) = place_of(?me)" }] },
  },
  scenarios: {
    day: {
      initial: CAST.flatMap((name) => [`place_of(${name}) = hall`, `energy(${name}) = ${TICKS}`]),
      cast: CAST.map((object, number) => ({
        object,
        agent: number < 2 ? "guard" : "walker",
        tasks: Array.from({ length: TICKS / WALK }, (_, step) => `walk(${PLACES[(step * (number + 1) + number) % PLACES.length]})`),
      })),
    },
  },
};

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
await page.addInitScript(() => {
  delete window.showOpenFilePicker;
});
await page.goto(process.env.TASKLOOM_URL);
await page.getByRole("status", { name: "Plan" }).getByText(/plan: /).waitFor();
const chooser = page.waitForEvent("filechooser");
await page.keyboard.press("Control+o");
const buffer = Buffer.from(JSON.stringify(SCENARIO));
await (await chooser).setFiles({ name: "day.taskloom.json", mimeType: "application/json", buffer });
await page.getByRole("tab", { name: "Run" }).click();
await page.getByText(`The run completes at tick ${TICKS}.`).waitFor({ timeout: 300_000 });
const devtools = await page.context().newCDPSession(page);
// Measures the page's own CPU time, independent of other programs.
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });

let isSlow = false;
for (const tab of ["Run", "Stage"]) {
  await page.getByRole("tab", { name: tab, exact: true }).click();
  const slider = page.getByRole("slider", { name: "Tick of the run" });
  await slider.waitFor();
  await page.waitForTimeout(1_000);
  const before = await metrics();
  const frames = await slider.evaluate(scrub, [STEPS, TICKS]);
  const after = await metrics();
  const a_step = (name) => (((after[name] - before[name]) * 1000) / STEPS).toFixed(2);
  frames.sort((a, b) => a - b);
  const at = (part) => frames[Math.min(frames.length - 1, Math.floor(frames.length * part))];
  isSlow ||= Number(a_step("TaskDuration")) > FRAME;
  console.log(
    `${tab}: ${TICKS} ticks, ${CAST.length} characters: a step takes ${a_step("TaskDuration")} ms ` +
      `(script ${a_step("ScriptDuration")}, style ${a_step("RecalcStyleDuration")}, layout ${a_step("LayoutDuration")}); ` +
      `from frame to frame median ${at(0.5).toFixed(1)} ms, 95th percentile ${at(0.95).toFixed(1)} ms (n = ${STEPS})`,
  );
}
await browser.close();
if (isSlow) {
  console.log("A step takes longer than a frame: below 60 frames per second.");
  process.exitCode = 1;
}

async function metrics() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** Moves the slider once per frame, back and forth over the whole run; returns the times between frames. */
async function scrub(slider, [steps, last]) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [];
  let before = await frame();
  for (let step = 0; step < steps; step += 1) {
    const part = 1 - Math.abs(((step * 7) % 480) / 240 - 1);
    slider.value = String(Math.round(part * last));
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}

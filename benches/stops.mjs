// Measures how soon a planning in the page's worker ends after a click on Stop, at random moments
// of random and hostile plannings.
//
// One document contains them all, one scenario each: deep recursion, quantifiers over millions of
// tuples, countless orders and costs, long sequences, and random small domains with recursion.
// STOPS is the number of stops (default 1,000).

import assert from "node:assert/strict";
import { launchBrowser } from "../tests/e2e/browser.mjs";

const STOPS = Number(process.env.STOPS ?? 1000);
/** Milliseconds within which a planning must end. */
const MOST = 100;
/** The maximum delay of the click on Stop, in milliseconds, once it is possible. */
const LATEST = 300;
const STRATEGIES = ["First in your order", "Cheapest plan", "Any plan (fastest)"];

/** Reproducible pseudorandom numbers (xorshift). */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Returns a method that is a list of calls, in sequence or unordered. */
function method(calls, inSequence) {
  const blocks = { begin: { kind: "begin" } };
  calls.forEach((call, at) => {
    blocks[`b${at}`] = { kind: "task", call };
  });
  const before = (at) => (inSequence && at > 0 ? `b${at - 1}` : "begin");
  return { method: { blocks, wires: calls.map((_, at) => `${before(at)}.out -> b${at}`) } };
}

/** Adds a small domain with recursion, in which most searches end late or never. */
function random(next, name, document) {
  const tasks = Array.from({ length: 4 }, (_, at) => `${name}-c${at}`);
  const actions = Array.from({ length: 4 }, (_, at) => `${name}-a${at}`);
  const facts = Array.from({ length: 4 }, (_, at) => `${name}-p${at}`);
  const one = (of) => of[next(of.length)];
  const literal = () => (next(2) ? one(facts) : `not ${one(facts)}`);
  for (const fact of facts) document.facts[fact] = { value: "boolean", source: "memory" };
  for (const action of actions) {
    const preconditions = next(3) ? [literal()] : [];
    document.primitive_tasks[action] = { action: "Act", preconditions, effects: [{ text: literal() }], cost: `${next(5)}` };
  }
  for (const task of tasks) {
    const blocks = { begin: { kind: "begin" }, pick: { kind: "choice", alternatives: ["1", "2", "3"] } };
    const wires = ["begin.out -> pick"];
    for (const [at, output] of ["1", "2", "3"].entries()) {
      let last = `pick.${output}`;
      for (let n = 0; n <= next(4); n += 1) {
        const block = `t${at}${n}`;
        blocks[block] = { kind: "task", call: next(2) ? one(tasks) : one(actions) };
        wires.push(`${last} -> ${block}`);
        if (next(2)) last = `${block}.out`;
      }
    }
    document.compound_tasks[task] = { method: { blocks, wires } };
  }
  document.scenarios[name] = { tasks: [tasks[0], one(tasks)], goal: facts.join(" and ") };
}

function hostile() {
  const things = Array.from({ length: 100 }, (_, at) => `thing-${at}`);
  const variables = Array.from({ length: 8 }, (_, at) => `?v${at}`);
  const params = variables.map((variable) => `${variable}: thing`);
  const document = {
    taskloom: 1,
    info: { title: "Hostile" },
    types: { thing: { parent: "object" } },
    objects: Object.fromEntries(things.map((name) => [name, { type: "thing" }])),
    facts: {
      far: { params, value: "boolean", source: "memory" },
      load: { value: { number: {} }, source: "memory" },
      weight: { params: ["?t: thing"], value: { number: {} }, source: "memory" },
    },
    actions: { Act: { duration: 1 } },
    primitive_tasks: {
      act: { action: "Act" },
      look: { action: "Act", preconditions: [`forall ${params.join(", ")}. not far(${variables.join(", ")})`] },
      spread: { action: "Act", effects: [{ text: `forall ${params.slice(0, 4).join(", ")}. weight(?v0) := load + weight(?v3)` }] },
      run: { params: ["?t: thing"], action: "Act", effects: [{ text: "load += weight(?t)" }], cost: "1 + load" },
    },
    compound_tasks: {
      again: method(["again", "again", "again"], false),
      deep: method(["deep", "act", "act"], true),
      wide: method(["look"], true),
      errands: method(things.slice(0, 24).map((thing) => `run(${thing})`), false),
      climb: method(["act", "climb", "look"], true),
    },
    scenarios: {
      orders: { tasks: ["again"] },
      depth: { tasks: ["deep"] },
      quantifier: { tasks: ["wide"] },
      effect: { tasks: ["spread"] },
      costs: { tasks: ["errands"], initial: things.map((thing, at) => `weight(${thing}) = ${at + 1}`), goal: "load < 0" },
      climbing: { tasks: ["climb"], goal: "load > 0" },
      long: { tasks: Array.from({ length: 5000 }, () => "act"), goal: "load > 0" },
      goal: { tasks: ["act"], goal: `exists ${params.join(", ")}. far(${variables.join(", ")})` },
    },
    layout: {},
  };
  const next = numbers(2463534242);
  for (let at = 0; at < 24; at += 1) random(next, `random-${at}`, document);
  return document;
}

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
page.on("filechooser", () => {});
await page.addInitScript(() => {
  delete window.showOpenFilePicker;
});
await page.goto(process.env.TASKLOOM_URL);
await page.getByRole("main").waitFor();
const document = hostile();
const chooser = page.waitForEvent("filechooser");
await page.keyboard.press("Control+o");
const file = { name: "hostile.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(document)) };
await (await chooser).setFiles(file);
await page.getByText("Opened “Hostile”.").waitFor();

const next = numbers(88172645);
const scenarios = Object.keys(document.scenarios);
const times = [];
let ended = 0;
let worst = { took: 0 };
for (let round = 0; times.length < STOPS && round < 3 * STOPS; round += 1) {
  const scenario = scenarios[next(scenarios.length)];
  const strategy = STRATEGIES[next(STRATEGIES.length)];
  const took = await page.evaluate(stopped, { scenario, strategy, after: next(LATEST) });
  if (took === null) {
    ended += 1;
    continue;
  }
  times.push(took);
  if (took > worst.took) worst = { took, scenario, strategy };
}
await browser.close();

times.sort((a, b) => a - b);
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(1);
console.log(`stop to stopped: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, worst ${at(1)} ms (${worst.scenario}, ${worst.strategy}; n = ${times.length}, ${ended} had ended before)`);
assert.ok(times.length >= STOPS, "too many plannings ended before they could be stopped");
assert.ok(worst.took <= MOST, `a planning ended ${worst.took.toFixed(1)} ms after it was stopped`);

/** Starts planning a scenario, clicks Stop a while after that is possible, and waits until planning has ended. */
async function stopped({ scenario, strategy, after }) {
  const status = window.document.querySelector("[role=status][aria-label=Plan]");
  const button = () => [...status.querySelectorAll("button")].find((one) => one.textContent.includes("Stop"));
  const choose = (label, value) => {
    const select = window.document.querySelector(`select[aria-label="${label}"]`);
    const option = [...select.options].find((one) => one.value === value || one.textContent.trim() === value);
    if (!option) throw new Error(`${label} has no option ${value}`);
    select.value = option.value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const until = (holds, most) =>
    new Promise((done) => {
      if (holds()) return done(true);
      const observer = new MutationObserver(() => holds() && end(true));
      observer.observe(status, { attributes: true, characterData: true, childList: true, subtree: true });
      const timer = setTimeout(() => end(false), most);
      const end = (came) => {
        observer.disconnect();
        clearTimeout(timer);
        done(came);
      };
    });
  choose("Scenario", scenario);
  choose("Search strategy", strategy);
  if (!(await until(button, 600))) return null;
  await new Promise((done) => setTimeout(done, after));
  if (!button()) return null;
  const started = performance.now();
  button().click();
  if (!(await until(() => !button(), 5000))) return 5000;
  return performance.now() - started;
}

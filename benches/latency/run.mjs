// Times planning in WebAssembly under node, and compares with native times:
// `node run.mjs NATIVE-PROGRAM WASM-MODULE FILE...`. Called by `cargo xtask bench latency`.
//
// Times are CPU time in microseconds: of this process in node, of the thread natively.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const SAMPLES = { first: 2000, traced: 2000, compiled: 2000, cheapest: 100 };
const PLANS = 100_000;
const KINDS = Object.keys(SAMPLES);
/// Microseconds that 99 of 100 plans may take, trace off.
const MOST = { native: 200, wasm: 1000 };
/// The maximum slowdown of planning with a trace.
const MOST_TRACED = 2;

const [native, module, ...files] = process.argv.slice(2);
const { Subject, scenarios, bytes_held } = createRequire(import.meta.url)(module);

function times(count, call) {
  for (let i = 0; i < count / 4; i++) call();
  const samples = [];
  for (let i = 0; i < count; i++) {
    const begun = process.cpuUsage();
    call();
    const used = process.cpuUsage(begun);
    samples.push(used.user + used.system);
  }
  return samples;
}

const subjects = files.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  const name = basename(file, ".taskloom.json");
  return scenarios(text).map((scenario) => ({ name: `${name}: ${scenario}`, subject: Subject.open(text, scenario) }));
});

// Warm up until node has compiled the module with optimisation.
for (let i = 0; i < 5000; i++) subjects[i % subjects.length].subject.traced();

const natively = JSON.parse(execFileSync(native, files, { maxBuffer: 1 << 28 }));
const rows = subjects.map(({ name, subject }, row) => {
  const there = natively.times[row];
  if (there.name !== name || there.steps !== subject.first()) throw new Error(`${name}: not the same plan`);
  const wasm = Object.fromEntries(KINDS.map((kind) => [kind, times(SAMPLES[kind], () => subject[kind]())]));
  return { name, native: there, wasm };
});

const at = (samples, part) => [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) * part)];
const mean = (numbers) => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
const total = (samples) => samples.reduce((sum, sample) => sum + sample, 0);
const pad = (text, width) => String(text).padStart(width);
const micros = (samples, part) => pad(at(samples, part).toFixed(at(samples, part) < 1000 ? 1 : 0), 8);

const TITLES = {
  first: "First plan, without compilation",
  traced: "First plan, with a trace",
  compiled: "Compilation and first plan",
  cheapest: "Cheapest plan with proof",
};
for (const kind of KINDS) {
  console.log(`\n${TITLES[kind]} (microseconds)`);
  console.log(`${"".padEnd(44)}  native p50     p99 plans/s  |  wasm p50     p99 plans/s  | ratio`);
  for (const { name, native, wasm } of rows) {
    const side = (samples) => {
      const perSecond = Math.round((1e6 * samples.length) / total(samples));
      return `${micros(samples, 0.5)}${micros(samples, 0.99)}${pad(perSecond, 8)}`;
    };
    const ratio = total(wasm[kind]) / total(native[kind]);
    console.log(`${name.padEnd(44)}    ${side(native[kind])}  |  ${side(wasm[kind])}  | ${ratio.toFixed(2)}`);
  }
  const ratios = rows.map(({ native, wasm }) => total(wasm[kind]) / total(native[kind]));
  console.log(`${"ratio of wasm to native, geometric mean".padEnd(44)} ${mean(ratios).toFixed(2)}`);
}

// Plan all scenarios in turn, to see whether the memory grows.
for (const { subject } of subjects) subject.first();
const before = bytes_held();
for (let i = 0; i < PLANS; i++) subjects[i % subjects.length].subject.first();
const after = bytes_held();

console.log("");
let missed = 0;
function judge(what, kept) {
  if (!kept) missed++;
  console.log(`${kept ? "ok    " : "MISSED"} ${what}`);
}
for (const side of ["native", "wasm"]) {
  const worst = (kind) => Math.max(...rows.map((row) => at(row[side][kind], 0.99)));
  judge(`${side}: p99 of the first plan ${worst("first").toFixed(1)} of ${MOST[side]} microseconds`, worst("first") < MOST[side]);
  const slower = rows.map((row) => at(row[side].traced, 0.5) / at(row[side].first, 0.5));
  judge(`${side}: a trace costs ${Math.max(...slower).toFixed(2)} times at most, ${mean(slower).toFixed(2)} in the mean`, Math.max(...slower) <= MOST_TRACED);
}
const { plans } = natively;
judge(`native: ${natively.before} bytes allocated at first, ${natively.after} after ${plans} plans`, natively.after <= natively.before);
judge(`wasm: ${before} bytes of memory at first, ${after} after ${PLANS} plans`, after <= before);
process.exit(missed > 0 ? 1 : 0);

// Times planning for goals in WebAssembly under node, and compares with native times:
// `node goals.mjs NATIVE-PROGRAM WASM-MODULE`. Called by `cargo xtask bench goals`.
//
// Times are CPU time: of this process in node, of the thread natively; each situation is planned
// once.

import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const SEARCHES = [
  ...["hadd", "ff", "hmax", "blind"].map((heuristic) => [heuristic, "forward"]),
  ...["hadd", "ff", "hmax"].map((heuristic) => [heuristic, "regressive"]),
];
/// Milliseconds that 99 of 100 plans may take with the fastest heuristic.
const MOST = { native: 2, wasm: 4 };

const [native, module] = process.argv.slice(2);
const { Settlement } = createRequire(import.meta.url)(module);

function inWasm(heuristic, direction) {
  const settlement = new Settlement(heuristic, direction);
  return Array.from({ length: settlement.count() }, (_, situation) => {
    const begun = process.cpuUsage();
    const steps = settlement.plan(situation);
    const { user, system } = process.cpuUsage(begun);
    return { steps, micros: user + system };
  });
}

// Warm up until node has compiled the module with optimisation.
for (let turn = 0; turn < 3; turn++) inWasm("ff", "forward");

const at = (plans, part) => plans.map(({ micros }) => micros / 1000).sort((a, b) => a - b)[Math.floor((plans.length - 1) * part)];
const side = (plans) => [0.5, 0.99, 1].map((part) => at(plans, part).toFixed(2).padStart(9)).join("");
const least = { native: Infinity, wasm: Infinity };
console.log("Planning for goals, recomputing reachable actions each time (milliseconds)");
console.log("heuristic, direction     plans  steps | native p50      p99  longest |   wasm p50      p99  longest");
for (const [heuristic, direction] of SEARCHES) {
  const plans = {
    native: JSON.parse(execFileSync(native, ["--goals", heuristic, direction], { maxBuffer: 1 << 28 })),
    wasm: inWasm(heuristic, direction),
  };
  if (plans.native.some(({ steps }, row) => steps !== plans.wasm[row].steps)) throw new Error(`${heuristic}: not the same plans`);
  const steps = plans.wasm.reduce((sum, { steps }) => sum + steps, 0) / plans.wasm.length;
  const titles = `${heuristic.padEnd(10)}${direction.padEnd(14)}${String(plans.wasm.length).padStart(6)}${steps.toFixed(1).padStart(7)}`;
  console.log(`${titles} | ${side(plans.native)} | ${side(plans.wasm)}`);
  for (const where of ["native", "wasm"]) least[where] = Math.min(least[where], at(plans[where], 0.99));
}
let missed = 0;
for (const where of ["native", "wasm"]) {
  const kept = least[where] < MOST[where];
  if (!kept) missed++;
  console.log(`${kept ? "ok    " : "MISSED"} ${where}: p99 of the fastest ${least[where].toFixed(2)} of ${MOST[where]} ms`);
}
process.exit(missed > 0 ? 1 : 0);

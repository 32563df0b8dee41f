// Times the ticks of two hundred actors with goals and beliefs in WebAssembly under node:
// `node crowd.mjs WASM-MODULE`. Called by `cargo xtask bench crowd`, which times them natively, too.
//
// Times are CPU time of this process.

import { createRequire } from "node:module";

const [ACTORS, DECISIONS] = [200, 200];
/// Ticks before and during the measurement.
const [WARM, TICKS] = [2_000, 20_000];
/// Milliseconds that 99 of 100 ticks may take.
const MOST = 5;

const { Crowd, bytes_held } = createRequire(import.meta.url)(process.argv[2]);

const begun = process.cpuUsage();
const crowd = new Crowd(ACTORS, DECISIONS);
const { user } = process.cpuUsage(begun);
console.log(`${ACTORS} actors with goals and beliefs in WebAssembly, created in ${(user / 1000).toFixed(0)} ms; ${TICKS} ticks of ${DECISIONS} decisions`);
for (let tick = 0; tick < WARM; tick++) crowd.tick();
const held = bytes_held();
const ticks = Array.from({ length: TICKS }, () => {
  const before = process.cpuUsage();
  crowd.tick();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
});
ticks.sort((a, b) => a - b);
const at = (part) => ticks[Math.floor((ticks.length - 1) * part)];
console.log(`ticks: p50 ${at(0.5).toFixed(2)}, p99 ${at(0.99).toFixed(2)}, p99.9 ${at(0.999).toFixed(2)}, maximum ${at(1).toFixed(2)} ms`);
console.log(`memory grew by ${((bytes_held() - held) / 1024).toFixed(0)} kB`);
const kept = at(0.99) < MOST;
console.log(`${kept ? "ok    " : "MISSED"} a tick's p99 of ${at(0.99).toFixed(2)} ms, at most ${MOST}`);
process.exit(kept ? 0 : 1);

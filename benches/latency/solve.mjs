// Solves planning files natively and in WebAssembly under node, with the same time budget, and
// compares:
// `node solve.mjs NATIVE-PROGRAM WASM-MODULE first|cheapest|any SECONDS DOMAIN PROBLEM [DOMAIN PROBLEM...]`
//
// Times are CPU time, including reading and compiling the files. Each pair of files gets a separate
// process, in which node has compiled the whole module before the clock starts, as in a page that
// has run for a while.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const MEMORY = 3e9;
const NODES = 1000;
const TRANSLATED = ["--no-liftoff", "--no-wasm-lazy-compilation"];

const [native, module, strategy, limit, ...files] = process.argv.slice(2);

function solve(domain, problem) {
  const { Solving } = createRequire(import.meta.url)(module);
  const texts = [readFileSync(domain, "utf8"), readFileSync(problem, "utf8")];
  const begun = process.cpuUsage();
  const seconds = () => {
    const used = process.cpuUsage(begun);
    return (used.user + used.system) / 1e6;
  };
  const solving = Solving.start(...texts, strategy, MEMORY);
  while (!solving.step(NODES) && seconds() < Number(limit)) {}
  console.log(JSON.stringify({ seconds: seconds(), answer: solving.answer() }));
}

function compare() {
  const ratios = [];
  for (let i = 0; i + 1 < files.length; i += 2) {
    const pair = files.slice(i, i + 2);
    const name = `${basename(dirname(pair[1]))}/${basename(pair[1])}`.padEnd(44);
    const answer = (program, ...before) => {
      try {
        return JSON.parse(execFileSync(program, [...before, ...pair], { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] }));
      } catch {
        return { seconds: NaN, answer: "no answer" };
      }
    };
    const there = answer(native, "--solve", strategy, limit);
    const here = answer(process.execPath, ...TRANSLATED, fileURLToPath(import.meta.url), "--here", module, strategy, limit);
    const same = there.answer === here.answer;
    const solved = same && there.answer.startsWith("plan");
    if (solved) ratios.push(here.seconds / there.seconds);
    const ratio = solved ? (here.seconds / there.seconds).toFixed(2) : "";
    const what = there.answer.split(":")[0];
    console.log(`${name} ${there.seconds.toFixed(3).padStart(8)} ${here.seconds.toFixed(3).padStart(8)} ${ratio.padStart(6)}  ${what}${same ? "" : `, in WebAssembly ${here.answer.split(":")[0]}`}`);
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`${ratios.length} with a plan, the same in both; ratio of the times, geometric mean ${mean.toFixed(2)}`);
}

if (native === "--here") solve(...files);
else compare();

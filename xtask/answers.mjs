// `node answers.mjs FOLDER SCRIPT PROGRAM` writes the planner's answers to the examples of a built page beside them. The
// planner's program itself plans, so the page may show its answers before it is loaded.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, script, program] = process.argv.slice(2);
const source = readFileSync(join(folder, script));
const planner = await import(`data:text/javascript;base64,${source.toString("base64")}`);
planner.initSync({ module: readFileSync(join(folder, program)) });

const scenarios = readFileSync(new URL("../src/examples/scenarios.txt", import.meta.url), "utf8");
for (const [name, scenario] of scenarios.trim().split("\n").map((line) => line.split(" "))) {
  const file = join(folder, "examples", name);
  const document = readFileSync(`${file}.taskloom.json`, "utf8");
  writeFileSync(`${file}.answers`, planner.store(document, scenario, program));
}

// `node answers.mjs FOLDER SCRIPT PROGRAM` writes the planner's answer to each example of a built page beside it. The
// planner's program itself plans, so the page may show its answers before it is loaded.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, script, program] = process.argv.slice(2);
const source = readFileSync(join(folder, script));
const planner = await import(`data:text/javascript;base64,${source.toString("base64")}`);
planner.initSync({ module: readFileSync(join(folder, program)) });

const examples = join(folder, "examples");
const DOCUMENT = ".taskloom.json";
for (const name of readdirSync(examples).filter((name) => name.endsWith(DOCUMENT))) {
  const answer = planner.store(readFileSync(join(examples, name), "utf8"), program);
  if (answer) {
    writeFileSync(join(examples, name.replace(DOCUMENT, ".answer")), answer);
  }
}

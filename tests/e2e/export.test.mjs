// The Export menu: each format comes as files that look right, the same ones that the core's golden tests hold.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { downloaded, openTaskloom } from "./harness.mjs";

const golden = (name) => readFile(new URL(`../golden/ball-in-the-box/${name}`, import.meta.url), "utf8");

/** Chooses an entry of the Export menu; the downloads that come of it, by name. */
async function exported(page, entry, count) {
  const downloads = [];
  const all = new Promise((done) => {
    page.on("download", (download) => {
      downloads.push(download);
      if (downloads.length === count) {
        done();
      }
    });
  });
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
  await all;
  const files = downloads.map(async (download) => [download.suggestedFilename(), await downloaded(download)]);
  return Object.fromEntries(await Promise.all(files));
}

test("JSON for a runtime holds the domain's tasks", async (t) => {
  const { page } = await openTaskloom(t);
  const [[name, text]] = Object.entries(await exported(page, "JSON for a runtime", 1));
  assert.match(name, /\.json$/);
  const runtime = JSON.parse(text);
  assert.ok(JSON.stringify(runtime).includes('"get-ball"'), text.slice(0, 400));
});

test("HDDL is a domain and the problem of the scenario that is open", async (t) => {
  const { page } = await openTaskloom(t);
  const files = await exported(page, /^HDDL/, 2);
  assert.deepEqual(Object.keys(files).sort(), ["domain.hddl", "problem.hddl"]);
  assert.equal(files["domain.hddl"], await golden("domain.hddl"));
  assert.match(files["problem.hddl"], /\(define \(problem case-1-box-open\)\n {2}\(:domain the-ball-in-the-box\)/);
});

test("C# is a class to fill in, and the run-time part in four files", async (t) => {
  const { page } = await openTaskloom(t);
  const { "TheBallInTheBox.cs": domain, ...runtime } = await exported(page, "C# agent", 5);
  assert.equal(domain, await golden("TheBallInTheBox.cs"));
  for (const [name, text] of Object.entries(runtime)) {
    assert.match(name, /^Taskloom_\w+\.cs$/);
    assert.match(text, /namespace Taskloom\n\{[^]*\n\}\n$/);
  }
});

test("what did not load with the page is named by the export that needs it", async (t) => {
  const { page, context } = await openTaskloom(t, { expectsProblems: true });
  await context.route("**/Taskloom/Planner.cs", (route) => route.fulfill({ status: 503, body: "busy" }));
  const broken = await context.newPage();
  await broken.goto(page.url());
  const files = await exported(broken, "C# agent", 4);
  assert.deepEqual(Object.keys(files).filter((name) => name.includes("Planner")), []);
  await broken.getByText("Taskloom/Planner.cs did not load with the page: reload it and export again.").waitFor();
});

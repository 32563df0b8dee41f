// The Export menu: each format comes as files that look right, the same ones that the core's golden tests hold.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
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

test("JSON is the document itself, which opens again", async (t) => {
  const { page } = await openTaskloom(t);
  const files = await exported(page, /^JSON/, 1);
  const document = JSON.parse(files["the-ball-in-the-box.taskloom.json"]);
  assert.equal(document.taskloom, 1);
  assert.ok(document.compound_tasks["get-ball"]);
  assert.ok(document.layout);
});

test("HDDL is a domain and the problem of the scenario that is open", async (t) => {
  const { page } = await openTaskloom(t);
  const files = await exported(page, /^HDDL/, 2);
  assert.deepEqual(Object.keys(files).sort(), ["domain.hddl", "problem.hddl"]);
  assert.equal(files["domain.hddl"], await golden("domain.hddl"));
  assert.match(files["problem.hddl"], /\(define \(problem case-1-box-open\)\n {2}\(:domain the-ball-in-the-box\)/);
});

test("C# is one archive: a class to fill in, and the folder of the run-time part", async (t) => {
  const { page } = await openTaskloom(t);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "C# agent" }).click();
  const archive = await download;
  assert.equal(archive.suggestedFilename(), "the-ball-in-the-box.zip");
  const files = unzipSync(await readFile(await archive.path()));
  const { "TheBallInTheBox.cs": domain, ...runtime } = files;
  assert.equal(strFromU8(domain), await golden("TheBallInTheBox.cs"));
  const parts = ["Agent", "Planner", "Tasks", "World"].map((name) => `Taskloom/${name}.cs`);
  assert.deepEqual(Object.keys(runtime).sort(), parts);
  for (const text of Object.values(runtime)) {
    assert.match(strFromU8(text), /namespace Taskloom\n\{[^]*\n\}\n$/);
  }
  const report = page.getByRole("region", { name: "Report" });
  await report.getByText(/^scenario:case-1-box-open, .* 3 more: not exported: objects, initial values/).waitFor();
});

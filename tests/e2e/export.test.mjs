// The Export menu: each format produces plausible files, the same ones that the core's golden tests check.

import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { downloads, expect, test } from "./harness.mjs";

const golden = (name) => readFile(new URL(`../golden/ball-in-the-box/${name}`, import.meta.url), "utf8");

/** Chooses an entry of the Export menu; returns the resulting downloads by name. */
const exported = (page, entry, count = 1) =>
  downloads(
    page,
    async () => {
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: entry }).click();
    },
    count,
  );

test("each format is downloaded: the document itself, a domain with the open scenario's problem, and a C# agent", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("JSON", async () => {
    const files = await exported(page, /^JSON/);
    const document = JSON.parse(files["the-ball-in-the-box.taskloom.json"]);
    expect(document.taskloom).toBe(4);
    expect(document.compound_tasks["get-ball"]).toBeTruthy();
    expect(document.layout).toBeTruthy();
  });
  await test.step("HDDL", async () => {
    const files = await exported(page, /^HDDL/, 2);
    expect(Object.keys(files).sort()).toEqual(["domain.hddl", "problem.hddl"]);
    expect(files["domain.hddl"].toString()).toBe(await golden("domain.hddl"));
    expect(files["problem.hddl"].toString()).toMatch(/\(define \(problem case-1-box-open\)\n {2}\(:domain the-ball-in-the-box\)/);
  });
  await test.step("C#", async () => {
    const archives = await exported(page, "C# agent");
    expect(Object.keys(archives)).toEqual(["the-ball-in-the-box.zip"]);
    const files = unzipSync(archives["the-ball-in-the-box.zip"]);
    const { "TheBallInTheBox.cs": domain, ...runtime } = files;
    expect(strFromU8(domain)).toBe(await golden("TheBallInTheBox.cs"));
    const parts = ["Agent", "Planner", "Tasks", "World"].map((name) => `Taskloom/${name}.cs`);
    expect(Object.keys(runtime).sort()).toEqual(parts);
    for (const text of Object.values(runtime)) {
      expect(strFromU8(text)).toMatch(/namespace Taskloom\n\{[^]*\n\}\n$/);
    }
    const report = page.getByRole("region", { name: "Report" });
    await report.getByText(/^scenario:case-1-box-open, .* 3 more: not exported: objects, initial values/).waitFor();
  });
});

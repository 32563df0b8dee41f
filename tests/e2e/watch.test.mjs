// `taskloom watch` serves the editor, which follows a log while it is written.

import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, nextFrame, test as base, title } from "./harness.mjs";
import { violations } from "./violations.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
// `cargo xtask test` builds it and passes its path.
const TASKLOOM = process.env.TASKLOOM_CLI ?? join(ROOT, "target/debug/taskloom");
const DOCUMENT = join(ROOT, "public/examples/hunter.taskloom.json");

const strip = (page) => page.getByRole("status", { name: "Log" });
const slider = (page) => page.getByRole("slider", { name: "Tick of the run" }).first();

/** Playwright's test with `watch()`, which starts to serve an empty log. */
const test = base.extend({
  watch: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "taskloom-watch-"));
    const programs = [];
    await use(async () => {
      const whole = join(folder, "whole.jsonl");
      execFileSync(TASKLOOM, ["run", DOCUMENT, "--scenario", "case-2-the-wrong-room", "--log", whole]);
      const lines = readFileSync(whole, "utf8").split(/(?<=\n)/);
      const file = join(folder, "game.jsonl");
      const program = spawn(TASKLOOM, ["watch", file, DOCUMENT, "--editor", process.env.TASKLOOM_PAGE ?? join(ROOT, "target/page")]);
      programs.push(program);
      const [line] = await new Promise((done) => createInterface(program.stdout).once("line", (...line) => done(line)));
      const address = /http:\S+/.exec(line)[0];
      /** Writes the lines of these ticks. */
      const write = (from, to) => {
        const isOf = (text) => {
          const { tick } = JSON.parse(text);
          return from <= tick && tick <= to;
        };
        appendFileSync(file, lines.filter(isOf).join(""));
      };
      return { address, file, lines, write, stop: () => program.kill() };
    });
    for (const program of programs) program.kill();
    rmSync(folder, { recursive: true });
  },
});

test.skip(!existsSync(TASKLOOM), "no program `taskloom`: run `cargo build --package taskloom-cli`");

/** Expects a run that ends at tick `end`, with the cursor at tick `at`. */
async function expectTicks(page, at, end) {
  await expect(slider(page)).toHaveAttribute("max", `${end}`);
  await expect(slider(page)).toHaveValue(`${at}`);
}

/** Waits until the page has asked the server for more of the log, if it still does: it asks twice a second. */
async function isRequested(page) {
  await page.waitForResponse(/\/watch\/log\?/, { timeout: 3_000 }).catch(() => {});
}

test("the editor follows a log while it is written, at its end or where the designer looks", async ({ watch, openTaskloom }) => {
  const { address, write, lines, file } = await watch();
  const { page } = await openTaskloom({ address, path: "/?watch" });
  // The document is there before the game has begun.
  await expect(title(page)).toHaveValue("Hunter and hunted");
  await expect(strip(page)).toHaveCount(0);
  await expect(page.getByText("Waiting for game.jsonl: it has no lines yet.")).toBeVisible();
  write(0, 2);
  await expect(strip(page)).toContainText("Following the log game.jsonl.");
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("case-2-the-wrong-room");
  await expectTicks(page, 2, 2);
  expect(await violations(page)).toEqual([]);
  write(3, 4);
  await expectTicks(page, 4, 4);
  // Who looks at something earlier isn't moved.
  await slider(page).fill("1");
  write(5, 6);
  await expectTicks(page, 1, 6);
  await slider(page).fill("6");
  // A line that is still being written.
  const seventh = lines.filter((line) => JSON.parse(line).tick === 7).join("");
  appendFileSync(file, seventh.slice(0, 20));
  await isRequested(page);
  await isRequested(page);
  await expectTicks(page, 6, 6);
  appendFileSync(file, seventh.slice(20));
  await expectTicks(page, 7, 7);
  write(8, Infinity);
  await expectTicks(page, 8, 8);
  await expect(strip(page)).toContainText("This is the run of the log game.jsonl, which has ended.");
  // Another run takes the place of this one.
  writeFileSync(file, lines.filter((line) => JSON.parse(line).tick <= 3).join(""));
  await expectTicks(page, 3, 3);
  await expect(strip(page)).toContainText("Following the log game.jsonl.");
  await strip(page).getByRole("button", { name: "Close the log" }).click();
  await expect(strip(page)).toHaveCount(0);
  write(4, 5);
  await isRequested(page);
  await nextFrame(page);
  await expect(strip(page)).toHaveCount(0);
});

test("the editor says when the server has stopped, and keeps the run", async ({ watch, openTaskloom }) => {
  const { address, write, stop } = await watch();
  write(0, 4);
  const { page } = await openTaskloom({ address, path: "/?watch", expectsProblems: true });
  await expectTicks(page, 4, 4);
  stop();
  await expect(strip(page)).toContainText("No longer following the log game.jsonl: its server has stopped.");
  await expectTicks(page, 4, 4);
});

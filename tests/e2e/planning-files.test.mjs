// Planning competitions' files are dropped on the page and become a document with its diagram and its plan.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { drop } from "./hands.mjs";
import { openTaskloom } from "./harness.mjs";

const title = (page) => page.getByRole("textbox", { name: "Title of the document" });
const plan = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
const text = (path) => readFile(new URL(`../hddl/${path}`, import.meta.url), "utf8");

test("a domain and its problem that are dropped together open as a diagram with its plan", async (t) => {
  const { page } = await openTaskloom(t);
  // In either order.
  const problem = { name: "problem-1.hddl", text: await text("museum/problem-1.hddl") };
  await drop(page, problem, { name: "domain.hddl", text: await text("museum/domain.hddl") });
  await page.getByText("Opened “museum”.").waitFor();
  assert.equal(await title(page).inputValue(), "museum");
  await plan(page).filter({ hasText: "lock-up(anna)" }).waitFor();
  assert.equal(await plan(page).count(), 9);
  const outline = page.getByRole("tree", { name: "Records" });
  await outline.getByRole("treeitem", { name: "round" }).first().dblclick();
  const blocks = page.getByRole("main").locator(".block");
  await blocks.filter({ hasText: "lock-up" }).first().waitFor();
  await blocks.filter({ hasText: "see-to" }).first().waitFor();
});

test("a domain opens alone, and a problem that is dropped later joins it", async (t) => {
  const { page } = await openTaskloom(t);
  const problem = { name: "problem-1.hddl", text: await text("museum/problem-1.hddl") };
  await drop(page, problem);
  await page.getByText("problem-1.hddl is a problem: open it together with its domain, or after it.").waitFor();
  await drop(page, { name: "domain.hddl", text: await text("museum/domain.hddl") });
  await page.getByText("Opened “museum”.").waitFor();
  await drop(page, problem);
  await plan(page).filter({ hasText: "lock-up(anna)" }).waitFor();
});

test("mistakes in planning files are told with file, line, column and reason, and the open document stays", async (t) => {
  const { page } = await openTaskloom(t);
  const before = await title(page).inputValue();
  await drop(page, { name: "broken.hddl", text: "(define (domain broken)\n  (:predicates (open ?d - door))\n  (:action knock :parameters (?d - door) :effect (ajar ?d)))" });
  await page.getByText(/broken\.hddl is not opened\.\nbroken\.hddl:3:\d+: .*ajar/).waitFor();
  assert.equal(await title(page).inputValue(), before);
});

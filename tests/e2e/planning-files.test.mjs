// Planning files are dropped on the page and become a document with its diagram and its plan.

import { readFile } from "node:fs/promises";
import { drop, watchResponsiveness } from "./hands.mjs";
import { expect, newDocument, test, title, measured } from "./harness.mjs";

const plan = (page) => page.getByRole("listbox", { name: "Steps of the plan" }).getByRole("option");
const report = (page) => page.getByRole("region", { name: "Report" });
const text = (path) => readFile(new URL(`../hddl/${path}`, import.meta.url), "utf8");

test("a domain and a problem open together or one after the other, and errors are listed until corrected", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  await test.step("errors in planning files are listed with file, line, column and text until dismissed, and the open document stays", async () => {
    const before = await title(page).inputValue();
    const text = `(define (domain broken)
    (:predicates (open ?d - door))
    (:action knock :parameters (?d - door) :effect (ajar ?d))
    (:action push :parameters (?d - door) :precondition (opne ?d) :effect (open ?d)))`;
    await drop(page, { name: "broken.hddl", text });
    await report(page).getByRole("heading", { name: "Couldn't open broken.hddl" }).waitFor();
    await report(page).getByRole("listitem").nth(1).waitFor();
    const rows = await report(page).getByRole("listitem").allInnerTexts();
    expect(rows[0]).toMatch(/^broken\.hddl:3:\d+\s*.*ajar/);
    expect(rows[0]).toMatch(/\(:action knock .*\n *▲/);
    expect(rows[1]).toMatch(/^broken\.hddl:4:\d+\s*.*opne/);
    // The report doesn't disappear automatically.
    await expect(page.locator(".toast")).toHaveCount(0);
    await expect(title(page)).toHaveValue(before);
    await page.getByRole("tree", { name: "Records" }).getByText("take-ball").click();
    await report(page).getByRole("button", { name: "Dismiss" }).click();
    await report(page).waitFor({ state: "detached" });
  });
  await test.step("a domain opens alone, and a problem dropped later is added to it", async () => {
    const problem = { name: "problem-1.hddl", text: await text("museum/problem-1.hddl") };
    await drop(page, problem);
    await report(page).getByText("This is a problem file. Open it together with its domain, or after it.").waitFor();
    await drop(page, { name: "domain.hddl", text: await text("museum/domain.hddl") });
    await page.getByText("Opened “museum”.").waitFor();
    await drop(page, problem);
    await plan(page).filter({ hasText: "lock-up(anna)" }).waitFor();
  });
  await test.step("opening the corrected file closes the error report", async () => {
    await drop(page, { name: "d.hddl", text: "(define (domain d) (:predicates (p ?x - )))" });
    await report(page).waitFor();
    await drop(page, { name: "d.hddl", text: "(define (domain d) (:predicates (p)))" });
    await page.getByText("Opened “d”.").waitFor();
    await report(page).waitFor({ state: "detached" });
  });
  await test.step("a domain and a problem dropped together open as a diagram with its plan", async () => {
    await newDocument(page);
    await expect(plan(page)).toHaveCount(0);
    // In either order.
    const problem = { name: "problem-1.hddl", text: await text("museum/problem-1.hddl") };
    await drop(page, problem, { name: "domain.hddl", text: await text("museum/domain.hddl") });
    await page.getByText("Opened “museum”.").last().waitFor();
    await expect(title(page)).toHaveValue("museum");
    await plan(page).filter({ hasText: "lock-up(anna)" }).waitFor();
    await expect(plan(page)).toHaveCount(9);
    const outline = page.getByRole("tree", { name: "Records" });
    await outline.getByRole("treeitem", { name: "round" }).first().dblclick();
    const blocks = page.getByRole("main").locator(".block");
    await blocks.filter({ hasText: "lock-up" }).first().waitFor();
    await blocks.filter({ hasText: "see-to" }).first().waitFor();
  });
});

/** A problem with many rooms in a row: about `size` * 60 bytes. */
function rooms(size) {
  const names = Array.from({ length: size }, (_, at) => `room-${at}`);
  const doors = names.slice(1).map((name, at) => `(door ${names[at]} ${name})\n`);
  const domain = `(define (domain rooms)
    (:types room)
    (:predicates (door ?a ?b - room) (at ?a - room) (seen ?a - room))
    (:task look :parameters (?to - room))
    (:method on :parameters (?to ?a ?b - room) :task (look ?to)
      :precondition (and (at ?a) (door ?a ?b)) :ordered-subtasks (and (walk ?a ?b) (look ?to)))
    (:method there :parameters (?to - room) :task (look ?to) :precondition (at ?to) :ordered-subtasks ())
    (:action walk :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
      :effect (and (not (at ?a)) (at ?b) (seen ?b))))`;
  const problem = `(define (problem long) (:domain rooms) (:objects ${names.join("\n")} - room)
    (:htn :ordered-subtasks (look room-9)) (:init (at room-0) ${doors.join("")}))`;
  return [
    { name: "rooms.hddl", text: domain },
    { name: "long.hddl", text: problem },
  ];
}

test("a planning file of a megabyte opens with its plan, and the page never freezes", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const files = rooms(30_000);
  expect(files[1].text.length).toBeGreaterThan(1_000_000);
  const responsiveSince = await watchResponsiveness(page);
  const dropped = Date.now();
  await drop(page, ...files);
  await page.getByText("Opened “").waitFor();
  measured(`open after ${Date.now() - dropped} ms`);
  await plan(page).filter({ hasText: "walk(room-8, room-9)" }).waitFor();
  measured(`planned after ${Date.now() - dropped} ms`);
  measured(await responsiveSince());
});

test("Stop cancels reading a large file, and the open document stays", async ({ openTaskloom }) => {
  const { page } = await openTaskloom();
  const before = await title(page).inputValue();
  await drop(page, ...rooms(200_000));
  const opening = page.getByRole("status", { name: "Opening" });
  await opening.getByText("Reading long.hddl").waitFor();
  await opening.getByRole("button", { name: "Stop" }).click();
  await opening.waitFor({ state: "detached" });
  await expect(title(page)).toHaveValue(before);
  // The cancelled file leaves no trace: the next file opens.
  await drop(page, ...rooms(10));
  await plan(page).filter({ hasText: "walk(room-8, room-9)" }).waitFor();
});

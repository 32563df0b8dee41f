// Compares Taskloom's canvases with React Flow's, on the same blocks: `cargo xtask bench canvas`.
//
// TASKLOOM_SIZES=200,5000 measures only these sizes.

import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../tests/e2e/browser.mjs";
import { Driver } from "./canvas/driver.mjs";
import { Bare, geometry, ReactFlow, Taskloom } from "./canvas/subjects.mjs";

const SIZES = (process.env.TASKLOOM_SIZES ?? "200,1000,3000,5000,10000").split(",").map(Number);
const GESTURES = ["pan", "zoom", "drag", "marquee"];
/** Empty points between two passages of a generated flowchart, and above all of them. */
const EMPTY = [-3, -2, -1, 0, 1, 2, 3].flatMap((row) => [-40, 300, 900].map((x) => ({ x: x, y: row * 630 - 45 })));

const folder = await mkdtemp(join(tmpdir(), "taskloom-canvas-"));
const bundle = await ReactFlow.bundle();
const rows = [];
const loads = [];
for (const size of SIZES) {
  const file = join(folder, `${size}.taskloom.json`);
  execFileSync(process.env.TASKLOOM_PROGRAM, ["generate", "--blocks", String(size), "--output", file]);
  const { nodes, edges } = await geometry(file);

  const browser = await launchBrowser();
  const taskloom = new Taskloom();
  const board = await taskloom.open(browser, file);
  rows.push(...(await onBoard(taskloom, size)));
  const method = await taskloom.openMethod();
  let driver = await Driver.start(taskloom, nodes);
  const cameras = [];
  const ours = [];
  for (const look of ["work", "fit"]) {
    await taskloom[look]();
    await taskloom.page.waitForTimeout(500);
    cameras.push(await taskloom.camera());
    ours.push(await gestures(driver, look === "fit" ? () => taskloom.fit() : null));
  }
  await browser.close();

  const other = await launchBrowser();
  const flow = new ReactFlow(bundle, driver.box);
  const theirLoad = await flow.open(other, { nodes, edges }, cameras[0]);
  driver = await Driver.start(flow, nodes);
  const floor = await bare(driver.box, nodes, cameras[0]);
  for (const [at, look] of ["work", "fit"].entries()) {
    await flow.look(cameras[at]);
    const theirs = await gestures(driver, look === "fit" ? () => flow.look(cameras[at]) : null);
    for (const gesture of GESTURES) {
      const row = { size, look, gesture, zoom: cameras[at].zoom, ours: ours[at][gesture], theirs: theirs[gesture] };
      const least = look === "work" ? floor[gesture] : null;
      rows.push({ ...row, bare: least, elements: [ours[at].elements, theirs.elements] });
    }
  }
  await other.close();
  loads.push({ size, board, method, theirs: theirLoad });
}
await rm(folder, { recursive: true });
print();

/** `again` restores the view: when fitted, the start of the marquee is out of sight after a pan. */
async function gestures(driver, again) {
  const elements = await driver.elements();
  const pan = await driver.pan();
  const zoom = await driver.zoom();
  const drag = await driver.block();
  await again?.();
  await driver.subject.page.waitForTimeout(300);
  return { elements, pan, zoom, drag, marquee: await driver.marquee(EMPTY) };
}

/** Measures the browser's own cost: at working zoom, where few blocks are in view. */
async function bare(box, nodes, camera) {
  const browser = await launchBrowser();
  const subject = new Bare(box);
  await subject.open(browser, nodes, camera);
  const driver = await Driver.start(subject, nodes);
  const took = { pan: await driver.pan(), zoom: await driver.zoom() };
  await browser.close();
  return took;
}

/** The Board alone: React Flow has no equivalent of its cards. */
async function onBoard(taskloom, size) {
  const driver = await Driver.start(taskloom, []);
  const found = [];
  for (const look of ["work", "fit"]) {
    await taskloom[look]();
    await taskloom.page.waitForTimeout(500);
    const { zoom } = await taskloom.camera();
    const elements = [await driver.elements(), null];
    for (const gesture of ["pan", "zoom"]) {
      found.push({ size, look: `${look}, Board`, gesture, zoom, ours: await driver[gesture](), theirs: null, elements });
    }
  }
  return found;
}

function print() {
  const cells = (measured) =>
    measured ? [measured.work, measured.p50, measured.p95].map((time) => time.toFixed(1).padStart(6)).join(" ") : " ".repeat(20);
  console.log("                                        Taskloom             React Flow           ratio   elements       bare page");
  console.log("blocks zoom             gesture   work/f    p50    p95  work/f    p50    p95  of work   of the canvas  work/f");
  for (const { size, look, zoom, gesture, ours, theirs, bare, elements } of rows) {
    const ratio = ours && theirs ? (ours.work / theirs.work).toFixed(2) : "";
    const where = `${look} (${zoom.toFixed(2)})`;
    const dom = elements.map((count) => String(count ?? "").padStart(6)).join(" ");
    console.log(`${String(size).padStart(6)} ${where.padEnd(18)} ${gesture.padEnd(8)} ${cells(ours)} ${cells(theirs)}  ${ratio.padStart(6)}  ${dom}  ${bare ? bare.work.toFixed(1).padStart(6) : ""}`);
  }
  console.log("\nblocks   Board opens   method opens   React Flow opens   (ms)");
  for (const { size, board, method, theirs } of loads) {
    console.log(`${String(size).padStart(6)} ${[board, method, theirs].map((time) => time.toFixed(0).padStart(13)).join(" ")}`);
  }
  console.log("\nwork/f: main-thread milliseconds per frame; p50, p95: milliseconds between frames.");
  console.log("bare page: only the nearby blocks as plain elements, moved by one style.");
  for (const look of ["work", "fit"]) {
    const at = rows.filter((row) => row.look === look && row.ours && row.theirs);
    const worst = (of) => Math.max(...at.map(of));
    const work = worst(({ ours, theirs }) => ours.work / theirs.work);
    const others = at.reduce((sum, { ours }) => sum + (ours.others ?? 0), 0);
    const theirs = at.reduce((sum, { theirs }) => sum + (theirs.others ?? 0), 0);
    console.log(
      `${look}: worst ratio of work ${work.toFixed(2)}, worst p95 ${worst(({ ours }) => ours.p95).toFixed(1)} ms; ` +
        `a dragged block made ${others} other blocks change (React Flow: ${theirs})`,
    );
  }
}

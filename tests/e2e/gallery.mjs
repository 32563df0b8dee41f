// Creates the pictures of the examples, in light and in dark, from the page itself: `node gallery.mjs ADDRESS` writes
// them next to the examples.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { launchBrowser } from "./browser.mjs";
import { asIfKnown, openExample, openView } from "./harness.mjs";

const FOLDER = fileURLToPath(new URL("../../public/examples/", import.meta.url));

/** The subject of each example's picture: a method, or a part of a view or tab at some tick of a scenario's run. */
const PICTURES = [
  { file: "ball-in-the-box", title: "The ball in the box", scenario: "Locked, the key is in the drawer", method: "get-ball" },
  { file: "night-guard", title: "The night guard", scenario: "An armed thief", method: "meet-intruder" },
  { file: "office", title: "The office", scenario: "The wrong man", view: "Stage", ticks: 8 },
  { file: "hunter", title: "Hunter and hunted", scenario: "The wrong room", view: "Stage", ticks: 3 },
  { file: "rts", title: "Captain and camp", scenario: "An empty larder", view: "Stage", ticks: 9 },
  { file: "sentry", title: "The sentry", scenario: "Somebody comes into sight", view: "Stage", ticks: 5 },
  { file: "opening", title: "The opening", scenario: "An attack early in the game", tab: "Run", ticks: 5, part: ".course" },
];

/** The size of a picture, and of the area that it shows, in pixels. */
const WIDTH = 480;
const [width, height] = [640, 200];

const [address] = process.argv.slice(2);
const browser = await launchBrowser();
for (const colorScheme of ["light", "dark"]) {
  for (const { file, title, scenario, method, view, tab, ticks, part } of PICTURES) {
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ viewport, deviceScaleFactor: WIDTH / width, colorScheme, serviceWorkers: "block", bypassCSP: true });
    await context.addInitScript(asIfKnown);
    const page = await context.newPage();
    const panel = method ? 200 : view ? 470 : 430;
    await page.addInitScript((panel) => localStorage.setItem("taskloom.size.panel", panel), panel);
    await page.goto(address);
    await openExample(page, title);
    if (scenario) await page.getByRole("combobox", { name: "Scenario" }).selectOption({ label: scenario });
    await page.getByRole("button", { name: "Dismiss" }).click();
    let corner;
    if (method) {
      await page.getByRole("treeitem", { name: method, exact: true }).dblclick();
      await page.locator("[data-block]").first().waitFor();
      await page.getByRole("button", { name: "Fit all" }).click();
      await page.getByRole("button", { name: "Zoom in" }).click();
      const box = await page.locator(".canvas").boundingBox();
      corner = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2 };
    } else {
      if (view) await openView(page, view);
      else await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("slider", { name: "Tick of the run" }).focus();
      await page.keyboard.press("Home");
      for (let tick = 0; tick < ticks; tick += 1) await page.keyboard.press("ArrowRight");
      await page.mouse.move(1, 1);
      if (view) {
        await page.addStyleTag({ content: ".stage-float, .stage-corner, .stage-sense { visibility: hidden; }" });
        const box = await page.locator(".stage-view").boundingBox();
        corner = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2 };
      } else {
        const box = await page.locator(part).boundingBox();
        corner = { x: box.x - 8, y: box.y - 2 };
      }
    }
    await page.waitForTimeout(900);
    const clip = { ...corner, width, height };
    const dots = await decoded(page, await page.screenshot({ clip }));
    await writeFile(`${FOLDER}${file}-${colorScheme}.png`, small(dots));
    await context.close();
  }
}
await browser.close();

/** Returns the red, green and blue of each pixel of a picture. */
async function decoded(page, png) {
  return page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: "image/png" });
    const bitmap = await createImageBitmap(blob);
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    pen.drawImage(bitmap, 0, 0);
    const { width, height, data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width, height, data: [...data] };
  }, png.toString("base64"));
}

/** Returns a PNG of some 200 colours: the most frequent ones, with all others replaced by the nearest of them. */
function small({ width, height, data }) {
  const colours = Array.from({ length: width * height }, (_, dot) => (data[4 * dot] << 16) | (data[4 * dot + 1] << 8) | data[4 * dot + 2]);
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, 224);
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const distance = (a, b) => parts(a).reduce((sum, part, at) => sum + (part - parts(b)[at]) ** 2, 0);
  const places = new Map();
  for (const colour of counts.keys()) {
    const distances = palette.map((other) => distance(colour, other));
    places.set(colour, distances.indexOf(Math.min(...distances)));
  }
  const rows = Buffer.alloc((width + 1) * height);
  colours.forEach((colour, dot) => (rows[(width + 1) * Math.floor(dot / width) + 1 + (dot % width)] = places.get(colour)));
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const content = { IHDR: header, PLTE: Buffer.from(palette.flatMap(parts)), IDAT: deflateSync(rows, { level: 9 }), IEND: Buffer.alloc(0) };
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...Object.entries(content).map(chunk)]);
}

function chunk([name, content]) {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

// The Stage as a picture, and the run as a video; the image below its map; and its coordinates.

import { readFile } from "node:fs/promises";
import { boxAtRest, expect, exported, inBothThemes, isSaved, isStill, nextFrame, openExample, openView, reopen, savedFile, screenshot, screenshots, test } from "./harness.mjs";
import { isAccessible, violations } from "./violations.mjs";

const ROOMS = ["attic", "cellar", "hall", "yard"];
const HOUSE = {
  taskloom: 3,
  info: { title: "The house" },
  types: { person: { parent: "object" }, room: { parent: "object" } },
  objects: {
    anna: { type: "person" },
    ben: { type: "person" },
    ...Object.fromEntries(ROOMS.map((room) => [room, { type: "room" }])),
  },
  facts: {
    depth: { params: ["?r: room"], value: { number: {} } },
    place_of: { params: ["?p: person"], value: { object: "room" }, source: "sensor" },
    x: { params: ["?r: room"], value: { number: {} } },
  },
  actions: { Walk: { params: ["?to: room"], duration: "2" } },
  primitive_tasks: { walk: { params: ["?to: room"], action: "Walk(?to)", effects: [{ text: "place_of(?me) := ?to" }] } },
  agents: { guest: { type: "person" } },
  scenarios: {
    night: {
      initial: [
        "place_of(ben) = hall",
        ...ROOMS.map((room, at) => `x(${room}) = ${at - 6}`),
        ...ROOMS.map((room, at) => `depth(${room}) = ${at % 2}`),
      ],
      cast: [
        { object: "anna", agent: "guest", tasks: [] },
        { object: "ben", agent: "guest", tasks: ["walk(yard)", "walk(attic)"] },
      ],
    },
  },
};

const place = (page, name) => page.getByRole("group", { name: new RegExp(`^${name}:`) });
/** Opens the menu of the map, if it is closed. */
async function mapMenu(page) {
  if (await page.locator(".stage-menu").isVisible()) return;
  await page.getByRole("button", { name: "Map", exact: true }).click();
}

async function openHouse(openTaskloom, options) {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 }, ...options });
  await reopenHouse(page);
  return page;
}

/** Opens the house, again or for the first time. */
async function reopenHouse(page) {
  await reopen(page, "house.taskloom.json", HOUSE);
  await openView(page, "Stage");
  await place(page, "hall").waitFor();
}

async function toTick(page, tick) {
  await page.getByRole("slider", { name: "Tick of the run" }).fill(String(tick));
}

/** Returns the boxes of elements on the Stage. */
const box = (locator) => locator.boundingBox();

/** Returns the first colour of a picture: its ground's. */
const groundOf = (text) => Number(text.match(/fill="rgb\((\d+)/)[1]);

test("exports the Stage at the shown tick as a picture, in the colours of the theme", async ({ openTaskloom }) => {
  const { page, context } = await openTaskloom({ viewport: { width: 1440, height: 900 } });
  await openExample(page, "Hunter and hunted", "Stage");
  await place(page, "hall").waitFor();
  await toTick(page, 3);
  const viewer = await context.newPage();
  await inBothThemes(page, async (theme) => {
    const svg = await exported(page, "Picture (SVG)");
    const ground = groundOf(svg.content.toString());
    expect(theme === "dark" ? ground < 60 : ground > 200, `${theme}: ${ground}`).toBe(true);
    await viewer.setContent(`<body>${svg.content}</body>`);
    await screenshot(viewer, `stage-svg-${theme}`);
  });
  const svg = await exported(page, "Picture (SVG)");
  expect(svg.name).toMatch(/^hunter-and-hunted-[a-z0-9-]+-tick-3\.svg$/);
  const text = svg.content.toString();
  expect(text).not.toMatch(/var\(|light-dark|color-mix|href|url\((?!"data:font\/woff2;)|class=/);
  expect(text.match(/@font-face/g)).toHaveLength(1);
  const parsed = await viewer.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return { error: parsed.querySelector("parsererror")?.textContent ?? "", words: [...parsed.querySelectorAll("text")].map((t) => t.textContent) };
  }, text);
  expect(parsed.error).toBe("");
  const shown = await page.locator(".stage-place .stage-name, .stage-bubble b, .stage-token .stage-name").allTextContents();
  expect(shown.length).toBeGreaterThan(8);
  for (const word of shown) expect(parsed.words.map((text) => text.replace(/…$/, ""))).toContainEqual(expect.stringMatching(new RegExp(`^${word.slice(0, 6).replace(/[^\w ]/g, ".")}`)));
  expect(parsed.words[0]).toMatch(/^Hunter and hunted · [A-Z].* · tick 3$/);

  // A hidden layer isn't in the picture.
  await page.getByRole("button", { name: "Bubbles", exact: true }).click();
  const bare = await exported(page, "Picture (SVG)");
  expect(bare.content.toString().match(/<text/g).length).toBeLessThan(text.match(/<text/g).length);
  await page.getByRole("button", { name: "Bubbles", exact: true }).click();

  const png = await exported(page, "Picture (PNG)");
  expect(png.name).toBe(svg.name.replace("svg", "png"));
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  const [, width] = text.match(/width="([\d.]+)"/);
  expect(png.content.readUInt32BE(16)).toBe(Math.floor(Number(width) * 2));
  await viewer.setContent(`<body><img src="data:image/png;base64,${png.content.toString("base64")}" width="1400"></body>`);
  await viewer.locator("img").evaluate((image) => image.decode());
  await screenshot(viewer, "stage-picture");
});

test("records the run as a video, which can be cancelled", async ({ openTaskloom, browser }) => {
  test.slow();
  const page = await openHouse(openTaskloom);
  await mapMenu(page);
  await page.getByRole("button", { name: "Export a video…" }).click();
  const dialog = page.getByRole("dialog", { name: "Video of the run" });
  await expect(dialog.getByRole("img", { name: "Preview" })).toBeVisible();
  const record = dialog.getByRole("button", { name: "Record" });
  await expect(record).toBeEnabled();
  await expect(dialog.getByLabel("To tick")).toHaveValue("4");
  await dialog.getByLabel("From tick").fill("9");
  await dialog.getByLabel("To tick").focus();
  await expect(dialog.getByLabel("From tick")).toHaveValue("4");
  await dialog.getByLabel("From tick").fill("1");
  await dialog.getByLabel("To tick").focus();
  await dialog.getByRole("combobox", { name: "Speed" }).selectOption({ label: "1 tick per second" });
  await expect(dialog).toContainText("Takes 4 s to record");
  await isAccessible(page, { part: "dialog" });
  await screenshots(page, "stage-video");

  await record.click();
  await expect(dialog.getByRole("progressbar", { name: "Recording" })).toBeVisible();
  await screenshot(page, "stage-video-recording");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(record).toBeEnabled();

  const download = page.waitForEvent("download");
  await record.click();
  const file = await download;
  await expect(dialog).toBeHidden();
  await expect(page.locator(".toast").getByText("Saved the-house-night.webm.")).toBeVisible();
  expect(file.suggestedFilename()).toBe("the-house-night.webm");
  const content = await readFile(await file.path());
  expect([...content.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);

  // Ben has moved between the first picture and the last one.
  // Outside of the page, whose policy allows no videos.
  const blank = await browser.newPage();
  const video = await blank.evaluate(async (data) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await new Promise((loaded, failed) => {
      video.onloadeddata = loaded;
      video.onerror = () => failed(new Error(video.error.message));
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const picture = () => {
      pen.drawImage(video, 0, 0);
      return pen.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const first = picture();
    video.playbackRate = 2;
    await video.play();
    await new Promise((ended) => (video.onended = ended));
    const last = picture();
    let changed = 0;
    for (let at = 0; at < first.length; at += 4) if (Math.abs(first[at] - last[at]) > 40) changed += 1;
    return { width: video.videoWidth, height: video.videoHeight, seconds: video.currentTime, changed, last: canvas.toDataURL() };
  }, content.toString("base64"));
  expect(video.width % 2 + video.height % 2).toBe(0);
  expect(video.width).toBeLessThanOrEqual(1280);
  expect(video.seconds).toBeGreaterThan(3);
  expect(video.seconds).toBeLessThan(7);
  expect(video.changed).toBeGreaterThan(500);
  await blank.setContent(`<body><img src="${video.last}" width="1280"></body>`);
  await screenshot(blank, "stage-video-last");
  await blank.close();
});

test("a browser without a recorder says so", async ({ openTaskloom }) => {
  const page = await openHouse(openTaskloom, { before: (page) => page.addInitScript(() => delete window.MediaRecorder) });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("video");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Video of the run" });
  await expect(dialog).toContainText("This browser can't record videos. Export a picture instead.");
  await expect(dialog.getByRole("button", { name: "Record" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
});

test("one fact orders places along an axis, and others can be chosen; an actor that no fact places is Nowhere", async ({ openTaskloom }) => {
  const page = await openHouse(openTaskloom);
  await test.step("an actor that no fact places is in the box Nowhere", async () => {
    await expect(place(page, "Nowhere")).toHaveAccessibleName("Nowhere: anna");
    await isStill(page);
    const [nowhere, anna] = [await box(place(page, "Nowhere")), await box(page.locator('.stage-token[data-thing="anna"]'))];
    expect(anna.y).toBeGreaterThan(nowhere.y);
    expect(anna.y + anna.height).toBeLessThanOrEqual(nowhere.y + nowhere.height);
    for (const room of ROOMS) {
      const rect = await box(place(page, room));
      expect(rect.y + rect.height).toBeLessThanOrEqual(nowhere.y);
    }
  });
  await test.step("coordinates", async () => {
    await reopenHouse(page);
    const positions = async () => {
      await nextFrame(page);
      await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== "running"));
      return Promise.all(ROOMS.map((room) => box(place(page, room))));
    };
    const areInOneRow = (boxes) => boxes.every(({ x, y }, at) => at === 0 || (y === boxes[0].y && x > boxes[at - 1].x));
    expect(areInOneRow(await positions())).toBe(true);
    // A coordinate is no tag.
    await expect(page.locator(".stage-tags").filter({ hasText: /\bx -/ })).toHaveCount(0);
    await expect(page.locator('.stage-place[data-place="yard"] .stage-tags')).toHaveText("depth 1");

    const across = page.getByRole("combobox", { name: "Horizontal coordinate" });
    const down = page.getByRole("combobox", { name: "Vertical coordinate" });
    await mapMenu(page);
    await expect(across.locator("option")).toHaveText(["x (automatic)", "None", "depth", "x"]);
    await screenshots(page, "stage-map-menu");
    expect(await violations(page, { part: ".stage-menu" })).toEqual([]);
    await down.selectOption("depth");
    expect(JSON.parse(await savedFile(page)).layout.stage).toEqual({ axes: { x: "x", y: "depth" } });
    const zigzag = await positions();
    expect(zigzag[0].y).toBe(zigzag[2].y);
    expect(zigzag[1].y).toBe(zigzag[3].y);
    expect(zigzag[1].y).toBeGreaterThan(zigzag[0].y);

    await mapMenu(page);
    await across.selectOption({ label: "None" });
    await down.selectOption({ label: "None" });
    await expect(place(page, "attic")).toBeVisible();
    expect(JSON.parse(await savedFile(page)).layout.stage).toEqual({ axes: {} });
    expect(areInOneRow(await positions())).toBe(false);
    await expect(page.locator(".stage-tags").filter({ hasText: /\bx -/ })).toHaveCount(0);
    await mapMenu(page);
    await across.selectOption({ label: "x (automatic)" });
    expect(JSON.parse(await savedFile(page)).layout).toEqual({});
  });
});

/** Returns a PNG file with a pattern. */
const image = (page, width, height) =>
  page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext("2d");
      pen.fillStyle = "rgb(200, 40, 40)";
      pen.fillRect(0, 0, width, height);
      for (let at = 0; at < 40_000; at += 1) {
        pen.fillStyle = `hsl(${(at * 137) % 360} 80% 50%)`;
        pen.fillRect((at * 7919) % width, (at * 104_729) % height, 9, 9);
      }
      return canvas.toDataURL("image/png").split(",")[1];
    },
    [width, height],
  );

test("an image lies below the map, is aligned, exported and remembered; a file that is no image is refused", async ({ openTaskloom }) => {
  const page = await openHouse(openTaskloom);
  await test.step("an image", async () => {
    const buffer = Buffer.from(await image(page, 3000, 1500), "base64");
    await mapMenu(page);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Background image…" }).click();
    await (await chooser).setFiles({ name: "plan.png", mimeType: "image/png", buffer });
    const ground = page.locator(".stage-image");
    await expect(ground).toBeVisible();
    const source = await ground.getAttribute("src");
    expect(source).toMatch(/^data:image\/(webp|png);base64,/);
    expect(source.length).toBeLessThanOrEqual(400_000);
    const fitted = await boxAtRest(ground);
    expect(fitted.width / fitted.height).toBeCloseTo(2, 1);

    if (!(await page.getByRole("button", { name: "Align the image…" }).isVisible())) await mapMenu(page);
    await page.getByRole("slider", { name: "Opacity of the background image" }).fill("80");
    await expect(ground).toHaveCSS("opacity", "0.8");
    await screenshots(page, "stage-image-menu");
    await page.getByRole("button", { name: "Align the image…" }).click();
    const corner = page.getByRole("button", { name: "Lower right corner of the image" });
    const from = await boxAtRest(corner);
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y + 30);
    await page.mouse.move(from.x - 50, from.y - 30);
    await page.mouse.up();
    const dragged = await boxAtRest(ground);
    expect(Math.abs(dragged.width - fitted.width + 60)).toBeLessThan(3);
    expect(Math.abs(dragged.height - fitted.height + 40)).toBeLessThan(3);
    expect(Math.abs(dragged.x - fitted.x)).toBeLessThan(2);
    await page.getByRole("button", { name: "Upper left corner of the image" }).focus();
    for (const _ of [0, 1, 2]) await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await box(ground)).x).toBeGreaterThan(dragged.x + 5);
    expect(await violations(page, { part: ".stage-align" })).toEqual([]);
    await screenshots(page, "stage-image-aligning");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(corner).toHaveCount(0);

    // It moves and scales with the map.
    const before = await boxAtRest(ground);
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(async () => (await box(ground)).width).toBeLessThan(before.width * 0.9);

    const svg = (await exported(page, "Picture (SVG)")).content.toString();
    expect(svg).toContain('<image ');
    expect(svg).toContain(source);
    const png = (await exported(page, "Picture (PNG)")).content;
    expect(png.length).toBeGreaterThan(200_000);
    // The document's file doesn't contain it.
    expect(await savedFile(page)).not.toContain("data:image");

    await isSaved(page);
    await page.reload();
    await openView(page, "Stage");
    await expect(ground).toHaveAttribute("src", source);
    await expect(ground).toHaveCSS("opacity", "0.8");
    await mapMenu(page);
    await page.getByRole("button", { name: "Remove the image" }).click();
    await expect(ground).toHaveCount(0);
    await page.reload();
    await openView(page, "Stage");
    await place(page, "hall").waitFor();
    await expect(ground).toHaveCount(0);
  });
  await test.step("no image, and another document without a background", async () => {
    await reopenHouse(page);
    const choose = async (file) => {
      await mapMenu(page);
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Background image…" }).click();
      await (await chooser).setFiles(file);
    };
    await choose({ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no image") });
    await expect(page.locator(".toast.failed")).toContainText("Couldn't use notes.png as a background: this browser can't read it as an image.");
    await expect(page.locator(".stage-image")).toHaveCount(0);
    await page.keyboard.press("Escape");
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="teal"/></svg>';
    await choose({ name: "plan.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) });
    await expect(page.locator(".stage-image")).toHaveAttribute("src", /^data:image\/(webp|png)/);
    await page.keyboard.press("Escape");
    await openExample(page, "The night guard", "Stage");
    await place(page, "hall").waitFor();
    await expect(page.locator(".stage-image")).toHaveCount(0);
  });
});

test("bubbles hide no name, no actor and no other bubble", async ({ openTaskloom }) => {
  const { page } = await openTaskloom({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  for (const title of ["Hunter and hunted", "The office", "Captain and camp", "The sentry"]) {
    await test.step(title, async () => {
      await openExample(page, title, "Stage");
      await page.locator(".stage-place").first().waitFor();
      const slider = page.getByRole("slider", { name: "Tick of the run" });
      // The Stage shows the start before there is a run.
      await expect.poll(async () => Number(await slider.getAttribute("max"))).toBeGreaterThan(0);
      const last = Math.min(15, Number(await slider.getAttribute("max")));
      let bubbles = 0;
      for (let tick = 0; tick <= last; tick += 1) {
        await slider.fill(String(tick));
        await nextFrame(page);
        const hidden = await page.evaluate(() => {
          const words = (element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return range.getBoundingClientRect();
          };
          const boxes = (selector, rect) => [...document.querySelectorAll(selector)].map((element) => ({ text: element.textContent, rect: rect(element) }));
          const own = (element) => element.getBoundingClientRect();
          const bubbles = boxes(".stage-bubble", own);
          const kept = [...boxes(".stage-place > .stage-name", words), ...boxes(".stage-token", own), ...bubbles];
          const overlaps = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
          const pairs = bubbles.flatMap((bubble) => kept.filter((other) => other !== bubble && other.rect !== bubble.rect && overlaps(bubble.rect, other.rect)).map((other) => `${bubble.text} hides ${other.text}`));
          return { pairs, count: bubbles.length };
        });
        bubbles += hidden.count;
        expect(hidden.pairs, `tick ${tick}`).toEqual([]);
        if (tick === 3) await screenshots(page, `stage-bubbles-${title.toLowerCase().replaceAll(" ", "-")}`);
      }
      expect(bubbles).toBeGreaterThan(0);
    });
  }
});

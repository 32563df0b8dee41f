// The page loads, makes no unexpected requests, and its security policy works.

import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { expect, isSaved, screenshot, test, title, measured } from "./harness.mjs";

/** Limits against accidental growth, in bytes of each program with its script: raising one is a commit of its own. */
const LARGEST = { "taskloom-editor": 2_000_000, "taskloom-worker": 800_000, "taskloom-jobs": 1_350_000 };

/** Returns the size of bytes after `gzip -9` or, without gzip, after Node's zlib, which is tuned for speed. */
function gzipped(bytes) {
  const { status, stdout } = spawnSync("gzip", ["-9c"], { input: bytes, maxBuffer: 1 << 26 });
  return status === 0 ? stdout.length : gzipSync(bytes, { level: 9 }).length;
}

test("each program stays small", async ({ openTaskloom }) => {
  test.skip(!process.env.TASKLOOM_THOROUGH, "only the page for hosting is small");
  const { page, requests } = await openTaskloom();
  await page.waitForLoadState("networkidle");
  const programs = () => [...new Set(requests)].filter((url) => /\.(js|wasm)$/.test(new URL(url).pathname));
  for (const [name, limit] of Object.entries(LARGEST)) {
    const loaded = () => programs().filter((url) => new URL(url).pathname.includes(name));
    await expect.poll(loaded, `script and program of ${name} are loaded`).toHaveLength(2);
    const files = loaded();
    const contents = await Promise.all(files.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())));
    const size = contents.reduce((sum, bytes) => sum + gzipped(bytes), 0);
    measured(`${name}: ${size} bytes gzipped`);
    expect(size, `${name}: ${size} bytes gzipped`).toBeLessThanOrEqual(limit);
  }
});

test("requests nothing after the page has loaded", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, requests } = await openTaskloom();
  // The workers' programs come after the page.
  await expect.poll(() => requests.filter((url) => url.includes("taskloom-jobs")).length).toBe(2);
  await page.waitForLoadState("networkidle");
  const loaded = requests.length;
  await page.mouse.click(640, 360);
  await page.keyboard.type("x");
  await title(page).fill("Saved without a request");
  await isSaved(page);
  expect(requests.slice(loaded)).toEqual([]);
});

test("the policy forbids inline code and styles and other hosts", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, problems } = await openTaskloom({ expectsProblems: true });
  const outcome = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.head.append(script);
    const styled = document.createElement("div");
    document.body.append(styled);
    styled.setAttribute("style", "position: fixed");
    const byAttribute = getComputedStyle(styled).position;
    styled.style.setProperty("position", "fixed");
    const byProperty = getComputedStyle(styled).position;
    const elsewhere = await fetch("http://127.0.0.1:9/").then(
      () => "sent",
      () => "blocked",
    );
    return { injected: "injected" in window, byAttribute, byProperty, elsewhere };
  });
  expect(outcome).toEqual({ injected: false, byAttribute: "static", byProperty: "fixed", elsewhere: "blocked" });
  // Firefox reports a violation some time after it has blocked the act.
  for (const directive of ["script-src", "style-src", "connect-src"]) {
    await expect.poll(() => problems, `${directive} is enforced`).toContainEqual(expect.stringContaining(directive));
  }
});

test("a crash is reported", { tag: "@firefox" }, async ({ openTaskloom }) => {
  const { page, problems } = await openTaskloom({ expectsProblems: true });
  const ended = await page.evaluate(async () => {
    const script = [...document.querySelectorAll("link[rel=modulepreload]")].map((link) => link.href);
    const { breakDown } = await import(script.find((url) => url.endsWith(".js")));
    try {
      breakDown("a plan of 7 steps");
    } catch (error) {
      return error instanceof WebAssembly.RuntimeError;
    }
  });
  expect(ended, "the program ends").toBeTruthy();
  const banner = page.getByRole("alert").filter({ hasText: "Taskloom crashed" });
  await banner.waitFor();
  await expect(banner.getByRole("link", { name: "Reload" })).toBeVisible();
  const tellsTheCause = (text) => text.includes("a plan of 7 steps") && /src\/web\/panic\.rs:\d+/.test(text);
  expect(tellsTheCause(await banner.innerText()), await banner.innerText()).toBeTruthy();
  await expect.poll(() => problems.filter(tellsTheCause), "the console tells the cause").not.toEqual([]);
  await screenshot(page, "broken");
});

// The editor works without its server, and a newer version waits until it is requested.

import { expect, isSaved, openExample, test, title } from "./harness.mjs";


/** Waits until the service worker has all files and controls the page. */
async function isCached(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, { timeout: 60_000 });
}

async function open(openTaskloom, serve, changed) {
  const server = await serve(changed);
  const opened = await openTaskloom({ address: server.address, serviceWorkers: "allow", expectsProblems: true });
  await isCached(opened.page);
  return { ...opened, server };
}

test("the page can be installed, and opens, plans and saves edits without a server", async ({ openTaskloom, serve }) => {
  const { page, context, server, problems, requests } = await open(openTaskloom, serve);
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  expect(problems).toEqual([]);
  await test.step("can be installed", async () => {
    const devtools = await context.newCDPSession(page);
    const { errors } = await devtools.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    // Playwright's profiles are private, and nothing can be installed in them.
    const others = async () => {
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
      return installabilityErrors.filter((error) => error.errorId !== "in-incognito");
    };
    await expect.poll(others).toEqual([]);
  });
  await test.step("requests nothing but a newer version", async () => {
    await page.waitForLoadState("networkidle");
    const loaded = requests.length;
    await page.mouse.click(640, 360);
    await page.keyboard.type("x");
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await title(page).fill("Saved without a request");
    await isSaved(page);
    const others = requests.slice(loaded).filter((url) => !url.endsWith("/service-worker.js"));
    expect(others).toEqual([]);
  });
  server.close();
  await page.reload();
  await page.getByRole("status", { name: "Plan" }).getByText(/^plan/).waitFor();
  await title(page).fill("Without a network");
  await isSaved(page);
  await page.reload();
  await expect(title(page)).toHaveValue("Without a network");
  for (const example of ["The night guard", "The ball in the box"]) {
    await page.getByRole("button", { name: "File" }).click();
    await page.getByRole("menuitem", { name: "Examples…" }).click();
    const picture = page.getByRole("dialog", { name: "Examples" }).locator("img:visible").first();
    await expect.poll(() => picture.evaluate((image) => image.naturalWidth), "the picture is cached").toBe(480);
    await page.keyboard.press("Escape");
    await openExample(page, example);
    await expect(title(page)).toHaveValue(example);
  }
});

test("in a folder of a server, the page and the help open without it, and other addresses are the server's", async ({ openTaskloom, serve }) => {
  const folder = "/tools/taskloom/";
  const server = await serve({}, folder);
  const { page } = await openTaskloom({ address: server.address, path: folder, serviceWorkers: "allow", expectsProblems: true });
  await isCached(page);
  const at = (path) => new URL(`${folder}${path}`, server.address).href;
  for (const path of ["no/such/page", "help/no-such-page.html", "nothing"]) {
    const response = await page.goto(at(path));
    expect(response.status(), path).toBe(404);
  }
  const opens = async () => {
    for (const path of ["", "index.html", "?a=b#c"]) {
      await page.goto(at(path));
      await title(page).waitFor();
    }
    await page.goto(at("help/"));
    await expect(page.getByRole("heading", { level: 1, name: "Taskloom" })).toBeVisible();
  };
  await opens();
  server.close();
  await opens();
});

test("a new version waits until the user saves and reloads", async ({ openTaskloom, serve }) => {
  const changed = {};
  const { page } = await open(openTaskloom, serve, changed);
  // Another build, recognizable by the page's title; its service worker has another version.
  changed["index.html"] = (page) => page.toString().replace("<title>Taskloom</title>", "<title>Taskloom, newer</title>");
  changed["service-worker.js"] = (worker) => worker.toString().replace(/VERSION = "/, 'VERSION = "newer-');
  await page.reload();
  expect(await page.title(), "the cached version").toBe("Taskloom");
  const reload = page.getByRole("button", { name: "Save and reload" });
  await reload.waitFor({ timeout: 30_000 });
  await title(page).fill("Just before the reload");
  await reload.click();
  await page.waitForFunction(() => document.title === "Taskloom, newer");
  await title(page).waitFor();
  await expect(title(page)).toHaveValue("Just before the reload");
  const isNewer = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    return Boolean(registration.installing || registration.waiting);
  });
  expect(isNewer, "no newer version").toBe(false);
  await expect(reload).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.caches.keys()), "the older version is gone").toHaveLength(1);
});

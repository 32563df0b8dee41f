// The help for designers: it opens next to the editor, at the page that a heading names, also without a network.

import { expect, test } from "./harness.mjs";

const inspector = (page) => page.getByRole("complementary", { name: "Inspector" });

/** The tab that `open` opens, when it has loaded. */
async function opened(context, open) {
  const [help] = await Promise.all([context.waitForEvent("page"), open()]);
  await help.waitForLoadState("load");
  return help;
}

test("without a network the help opens, its search finds a page, and a heading's link leads to its section", async ({ openTaskloom, serve }) => {
  const server = await serve();
  const { page, context, problems } = await openTaskloom({ address: server.address, serviceWorkers: "allow", expectsProblems: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, { timeout: 60_000 });
  expect(problems).toEqual([]);
  server.close();

  await page.getByRole("button", { name: "Help", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Help" });
  const start = await opened(context, () => sheet.getByRole("link", { name: "Open the help" }).click());
  await expect(start.getByRole("heading", { level: 1, name: "Taskloom" })).toBeVisible();
  await start.getByRole("button", { name: "Search" }).click();
  await start.getByRole("searchbox").pressSequentially("blackboard");
  const results = start.locator("#mdbook-searchresults").getByRole("link");
  await results.filter({ hasText: "Facts" }).first().click();
  await expect(start.getByRole("heading", { level: 1, name: "Expressions" })).toBeVisible();
  await start.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Glossary" }).click();
  await expect(start.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
  await start.close();

  await page.keyboard.press("Escape");
  await page.getByRole("tree", { name: "Records" }).getByRole("treeitem", { name: "robot", exact: true }).click();
  const senses = await opened(context, () => inspector(page).getByRole("link", { name: "Help: senses" }).click());
  await expect(senses).toHaveURL(({ pathname }) => pathname.endsWith("/help/agents.html"));
  await expect(senses.locator("#senses")).toBeInViewport();
  await senses.close();
  // A missing file or a blocked script is reported on the console of its page.
  expect(problems).toEqual([]);
});

test("every page of the help loads nothing from elsewhere, in both themes", async ({ openTaskloom, address }) => {
  const { context, problems } = await openTaskloom();
  const help = await context.newPage();
  for (const colorScheme of ["light", "dark"]) {
    await help.emulateMedia({ colorScheme });
    await help.goto(new URL("help/index.html", address).href);
    await expect(help.locator("body")).toHaveCSS("background-color", colorScheme === "light" ? "rgb(246, 247, 249)" : "rgb(20, 23, 28)");
  }
  const pages = await help.getByRole("navigation", { name: "Pages" }).getByRole("link").evaluateAll((links) => links.map((link) => link.href));
  expect(pages.length).toBeGreaterThan(15);
  for (const address of pages) {
    await help.goto(address, { waitUntil: "load" });
    await expect(help.getByRole("heading", { level: 1 }).first()).toBeVisible();
    const broken = () => help.evaluate(() => [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src));
    await expect.poll(broken, address).toEqual([]);
  }
  expect(problems).toEqual([]);
});

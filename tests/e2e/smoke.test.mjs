// The page loads, makes no unexpected requests, and its security policy works.

import { expect, isSaved, screenshot, test, title } from "./harness.mjs";

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

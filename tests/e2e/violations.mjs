// What axe finds on a page: the rules of accessibility that a machine can check.

import axe from "axe-core";

/** What is wrong with the page as it is, one line an element. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Colours in the middle of a transition are nobody's.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const [check] = [...any, ...all, ...none];
      return `${id}: ${target.join(" ")}: ${check?.message ?? ""}`;
    }),
  );
}

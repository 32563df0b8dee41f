// What axe finds on a page: the rules of accessibility that a machine can check.

import axe from "axe-core";

import { isStill } from "./harness.mjs";

/** What is wrong with the page as it is, one line an element. */
export async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await isStill(page);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const [check] = [...any, ...all, ...none];
      return `${id}: ${target.join(" ")}: ${check?.message ?? ""}`;
    }),
  );
}

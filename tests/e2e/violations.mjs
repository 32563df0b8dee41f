// Violations that axe finds on a page: of accessibility rules that a machine can check.

import axe from "axe-core";

import { isStill } from "./harness.mjs";

/** Returns the violations on the current page, one line per element. */
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

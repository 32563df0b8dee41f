// Violations that axe finds on a page: of accessibility rules that a machine can check.

import axe from "axe-core";

import { expect, inBothThemes, isStill } from "./harness.mjs";

/** The rules whose outcome depends on the theme. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Returns the violations on the current page, or in a part of it: one line per element. */
export async function violations(page, { part = "html", rules } = {}) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await isStill(page);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const found = await page.evaluate(([part, options]) => window.axe.run(part, options), [part, options]);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const [check] = [...any, ...all, ...none];
      return `${id}: ${target.join(" ")}: ${check?.message ?? ""}`;
    }),
  );
}

/** Checks the page, or a part of it, in both themes: all rules in the dark one, those about colours in the light one. */
export async function isAccessible(page, { name = "the page", part } = {}) {
  await inBothThemes(page, async (theme) => {
    const rules = theme === "dark" ? undefined : COLOURS;
    expect.soft(await violations(page, { part, rules }), `${name}, ${theme}`).toEqual([]);
  });
}

// Does what the page's own texts say, and nothing else: each sentence of the tour and of a start card is one of these
// instructions. The sentences it understands are listed here; an unknown sentence fails.

import { expect, nextFrame } from "./harness.mjs";

/** Presses the middle of an element with the real mouse. */
export async function press(page, element, { clicks = 1 } = {}) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: clicks });
}

/** Returns the sentences of a text. A colon ends an instruction: an explanation follows. What is typed may have a colon. */
export const sentences = (text) =>
  text.split(/(?<=[.?]) (?=[A-Z])/).map((sentence) => sentence.replace(/^(Type .+ and press \w+|.*?)(: .*)?[.?]$/s, "$1"));

/** The instructions: a sentence's form, and the actions that it takes. An action is one click, drag or typed text. */
const INSTRUCTIONS = [
  [/^Press \+ next to (.+)$/, (hands, heading) => hands.press(plus(hands.page, heading))],
  [/^Press \+ at (\S+) on the Board$/, (hands, heading) => hands.press(hands.page.getByRole("button", { name: `Add to ${heading.toLowerCase()}`, exact: true }))],
  [/^Press Step forward next to the number of steps$/, ({ press, page }) => press(stepForward(page))],
  [/^Press (\S+) at the (top|bottom)$/, (hands, name, edge) => hands.press(button(hands.page, edge, name))],
  [/^Type (.+) and press (Enter|Escape)$/, (hands, text, key) => hands.type(text, key)],
  [/^Press (Ctrl\+\S)$/, (hands, keys) => hands.keys(keys.replace("Ctrl", "Control"))],
  [/^Press Play$/, (hands) => hands.press(play(hands.page))],
  [/^Open the tab (\S+)$/, (hands, name) => hands.press(hands.page.getByRole("tab", { name, exact: true }))],
  [/^Click (\S+) in the outline$/, (hands, name) => hands.press(row(hands.page, name))],
  [/^Click the field (.+)$/, (hands, label) => hands.press(hands.page.locator(".inspector").getByLabel(label, { exact: true }))],
  [/^Double-click (\S+) in the outline$/, (hands, name) => hands.press(row(hands.page, name), { clicks: 2 })],
  [/^Double-click the block (\S+)$/, (hands, name) => hands.press(blockOf(hands.page, name), { clicks: 2 })],
  [/^Double-click (\S+) on the Stage$/, (hands, name) => hands.press(token(hands.page, name), { clicks: 2 })],
  [/^Drag from the dot of (\S+) to an empty place( on the right| below)?$/, (hands, name, where) => hands.drag(dot(hands.page, name), where?.trim())],
  [/^Click the value of (.+) in World$/, (hands, fact) => hands.press(value(hands.page, fact))],
  [/^Press Set$/, (hands) => hands.press(set(hands.page))],
  [/^Type (\S+) and press Set$/, (hands, text) => hands.type(text).then(() => hands.press(set(hands.page)))],
  [/^Choose (\S+) and press Set$/, (hands, text) => hands.choose(override(hands.page).getByRole("combobox"), text).then(() => hands.press(set(hands.page)))],
  [/^Choose (.+)$/, (hands, name) => hands.press(hands.page.getByRole("dialog").getByRole("button", { name, exact: true }))],
];

/** Returns the button beside a heading of the outline or the inspector that adds to what is below it. */
function plus(page, heading) {
  const heads = page.locator(".outline .group-head, .inspector h3").filter({ hasText: new RegExp(`^\\s*${heading}\\d*\\s*$`) });
  return heads.locator("button.add");
}

const row = (page, name) => page.locator(".outline").getByRole("treeitem", { name, exact: true });
const stepForward = (page) => page.getByRole("group", { name: "Step through the plan" }).getByRole("button", { name: "Step forward" });
const button = (page, edge, name) =>
  page.locator(edge === "top" ? ".toolbar" : ".stage-bar").getByRole("button", { name: new RegExp(`\\b${name}$`) });
const token = (page, name) => page.locator(`.stage-token[data-thing="${name.toLowerCase()}"]:not(.ghost)`);
const blockOf = (page, name) => page.locator("[data-block]").filter({ has: page.locator(`.node-name:text-is("${name}")`) }).locator(".node-name");
const value = (page, fact) => page.locator(`.world tr[data-fact="${fact}"] button.value`);
const override = (page) => page.getByRole("group", { name: "Override from this tick" });
const set = (page) => override(page).getByRole("button", { name: "Set" });
const play = (page) => page.locator("button.play:visible").first();

/** Returns the output of a block, by the block's name, or the words beside the output. */
async function dot(page, name) {
  await page.locator("[data-block]").first().waitFor();
  const ends = page.locator(".node-head.ends").filter({ hasText: new RegExp(`^${name}$`) });
  const pill = page.locator("[data-block]").filter({ has: ends });
  if (await pill.count()) return pill.locator("[data-port]").first();
  const outlet = page.locator(".outlet").filter({ hasText: new RegExp(`^${name}$`) });
  const [line, ports] = [await outlet.boundingBox(), page.locator("[data-block]").filter({ has: outlet }).locator(".port.out")];
  for (const port of await ports.all()) {
    const box = await port.boundingBox();
    if (box.y + box.height / 2 > line.y && box.y + box.height / 2 < line.y + line.height) return port;
  }
  throw new Error(`no dot beside ${name}`);
}

/** Follows instructions, and counts the actions. */
export class Follower {
  constructor(page) {
    this.page = page;
    this.actions = 0;
    this.onElement = async () => {};
    for (const name of ["press", "type", "keys", "choose", "drag"]) this[name] = this[name].bind(this);
  }

  /** Does what a text says. `onElement` gets each element that is pressed or dragged from. */
  async follow(text, onElement = async () => {}) {
    this.onElement = onElement;
    for (const sentence of sentences(text)) {
      const found = INSTRUCTIONS.map(([form, act]) => [form.exec(sentence), act]).find(([match]) => match);
      if (!found) throw new Error(`no instruction: “${sentence}”`);
      const [[, ...words], act] = found;
      await act(this, ...words);
      await nextFrame(this.page);
    }
  }

  async press(element, options) {
    await element.waitFor();
    await this.onElement(element);
    this.actions += 1;
    await press(this.page, element, options);
  }

  /** Types into the field that has the focus. */
  async type(text, ...keys) {
    this.actions += 1;
    await this.page.waitForFunction(() => document.activeElement?.matches("input, textarea"));
    await this.page.keyboard.type(text);
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async keys(keys) {
    this.actions += 1;
    await this.page.keyboard.press(keys);
  }

  async choose(select, label) {
    this.actions += 1;
    await select.selectOption({ label });
  }

  /** Drags to a place without blocks, as near as possible, to the right or below. */
  async drag(found, where) {
    const port = await found;
    await this.onElement(port);
    this.actions += 1;
    const { mouse } = this.page;
    const box = await port.boundingBox();
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const to = await this.emptyPlace(from, where);
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await mouse.move(to.x, to.y, { steps: 4 });
    await mouse.up();
  }

  /** Returns a point of the canvas around which nothing is drawn. */
  async emptyPlace(from, where) {
    return this.page.evaluate(
      ([from, where]) => {
        const canvas = document.querySelector(".canvas").getBoundingClientRect();
        const taken = [...document.querySelectorAll("[data-block], .tour-card")].map((element) => element.getBoundingClientRect());
        const isFree = ({ x, y }) => {
          const inside = x + 120 < canvas.right && y - 40 > canvas.top && y + 60 < canvas.bottom;
          return inside && taken.every((box) => x + 120 < box.left || x - 16 > box.right || y + 60 < box.top || y - 40 > box.bottom);
        };
        const along = where === "below" ? [40, 120, 200] : [0, -40, 40];
        for (const right of [80, 120, 160, 200]) {
          for (const down of along) {
            const place = { x: from.x + right, y: from.y + down };
            if (isFree(place)) return place;
          }
        }
        throw new Error("no empty place on the canvas");
      },
      [from, where],
    );
  }
}

export const startCard = (page) => page.getByRole("region", { name: "Start", exact: true });

/** Waits until this many steps of the start card are done; they are done in order. */
export async function done(page, count) {
  const card = startCard(page);
  // Both forms of the card are read at one moment, since it folds and unfolds.
  const now = () =>
    card.evaluate((card) => {
      if (card.querySelector("li")) return card.querySelectorAll("li.done").length;
      const number = Number(card.querySelector(".guide-number").textContent);
      return card.textContent.includes("All steps done") ? 3 : number - 1;
    });
  await expect.poll(now, { message: `${count} steps are done` }).toBe(count);
}

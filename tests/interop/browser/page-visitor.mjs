// What a person does on the page of `mcpbolt inspect`, and what is looked at with other eyes: axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Longest wait for anything, in milliseconds. */
export const BOUND = 30_000;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/** One page, with what people do on it. `pictures` is the folder they are put in, if they are. */
export class Visitor {
  constructor(page, pictures) {
    this.page = page;
    this.pictures = pictures;
  }
  find(selector) {
    return this.page.waitForSelector(selector);
  }
  async click(selector) {
    const element = await this.find(selector);
    await element.evaluate((found) => found.click());
  }
  /** A button by its words. */
  press(words, within = '') {
    return this.click(`${within} ::-p-xpath(//button[normalize-space(.)="${words}"])`.trim());
  }
  async section(name) {
    await this.click(`#section-${name}`);
  }
  async dock(name) {
    await this.click(`#dock-${name}`);
  }
  /** Chooses an entry of the list. */
  async choose(words) {
    await this.click(`::-p-xpath(//button[contains(@class,"item")][.//span[normalize-space(.)="${words}"]])`);
    await this.find('.detail .heading');
  }
  /** Types into the field with this label. */
  async type(label, words, within = '') {
    const field = await this.find(`${within} ::-p-xpath(//*[self::div[@class="field"]][.//label//span[translate(normalize-space(.), "${UPPER}", "${UPPER.toLowerCase()}")="${label.toLowerCase()}"]]//*[self::input or self::textarea])`.trim());
    await field.evaluate((found) => found.focus());
    await field.evaluate((found) => found.select());
    await field.type(words);
  }
  async pick(label, option) {
    const field = await this.find(`::-p-xpath((//*[.//span[normalize-space(.)="${label}"]][self::label or self::div[@class="field"]]//select)[1])`);
    const value = await field.evaluate((found, wanted) => [...found.options].find((one) => one.label === wanted)?.value, option);
    holds(value !== undefined, `${label} has no choice ${option}`);
    await field.select(value);
  }
  sees(words, within = 'body') {
    return this.page.waitForFunction((selector, wanted) => document.querySelector(selector)?.innerText.includes(wanted), {}, within, words);
  }
  /** Calls the chosen tool and waits until it ended like this. */
  async call(words, verdict = 'Done') {
    await this.press(words, '.detail');
    await this.sees(verdict, '.call .verdict');
  }
  async audit(what) {
    // Run by the browser's own tools, which the policy of the page does not bind.
    await this.page.evaluate('window.auditing = true');
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(async () => {
      const { violations } = await window.axe.run(document);
      window.auditing = false;
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
    });
    holds(found.length === 0, `${what} is not accessible: ${found.join('; ')}`);
  }
  async picture(name) {
    if (!this.pictures) return;
    await this.page.evaluate(() => document.fonts.ready);
    await this.page.screenshot({ path: join(this.pictures, `${name}.png`) });
  }
  /** Dark or light, as the system has it. */
  async colours(theme) {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  }
}

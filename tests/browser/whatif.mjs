// What a reader does with the combinations of remedies: tick, follow a link, read without script.
//   node whatif.mjs report.html
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(process.env.UI_NODE_MODULES ? path.join(process.env.UI_NODE_MODULES, 'x.js') : import.meta.url);
const {chromium} = require('playwright-core');
const url = pathToFileURL(path.resolve(process.argv[2])).href;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
let failed = 0;
const ok = (holds, what, extra = '') => { console.log(`${holds ? 'ok  ' : 'FAIL'} ${what} ${extra}`); if (!holds) failed++; };
const open = async (hash = '', options = {}) => {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, reducedMotion: 'reduce', ...options});
  const page = await context.newPage(), errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  await page.goto(url + hash);
  return {page, errors, close: () => context.close()};
};
const boxes = page => page.locator('#whatif input[type=checkbox]');
const ticked = page => boxes(page).evaluateAll(all => all.map(box => +box.checked).join(''));
const agrees = async (page, key) => {
  const row = page.locator(`[data-whatif="${key}"]`), out = await page.locator('#wi').innerText();
  return await row.getAttribute('class') === 'sel' && await page.locator('[data-whatif].sel').count() === 1
    && out.includes((await row.getAttribute('data-out')).trim());
};

{
  const {page, errors, close} = await open();
  const count = await boxes(page).count(), rows = await page.locator('[data-whatif]').count();
  ok(count >= 2 && count <= 4 && rows === 2 ** count, 'a row for every combination', `(${count} remedies, ${rows} rows)`);
  const first = await ticked(page);
  ok(first.includes('1') && await agrees(page, first), 'starts with a combination worth reading', first);
  for (let key = 0; key < rows; key++) {
    const wanted = key.toString(2).padStart(count, '0');
    for (let i = 0; i < count; i++) await boxes(page).nth(i).setChecked(wanted[i] === '1');
    if (!await agrees(page, wanted)) ok(false, 'the sentence and the row follow', wanted);
  }
  const all = '1'.repeat(count);
  ok(await page.evaluate(() => location.hash) === '#whatif=' + all, 'the address keeps the choice', all);
  await boxes(page).first().focus();
  await page.keyboard.press('Space');
  ok(await agrees(page, '0' + all.slice(1)), 'the keyboard ticks');
  ok(errors.length === 0, 'no errors', errors.join(' | '));
  await close();
}
{
  const {page, close} = await open();
  const count = await boxes(page).count(), key = '1' + '0'.repeat(count - 2) + '1';
  await page.evaluate(key => { location.hash = '#whatif=' + key; }, key);
  await page.waitForTimeout(60);
  ok(await ticked(page) === key && await agrees(page, key), 'a deep link ticks', key);
  for (const wrong of ['2', '1'.repeat(count + 1), '1x', '%00']) {
    await page.evaluate(wrong => { location.hash = '#whatif=' + wrong; }, wrong);
    await page.waitForTimeout(30);
    ok(await ticked(page) === key, 'a wrong link changes nothing', wrong);
  }
  await close();
}
{
  const {page, close} = await open('', {javaScriptEnabled: false});
  ok(await page.locator('#whatif table').isVisible() && !await boxes(page).first().isVisible(), 'no script: the table is there, the boxes are not');
  ok(/Meets|Misses|Ready|At risk|Not ready/.test(await page.locator('[data-whatif].sel').innerText()), 'no script: the row says how it stands');
  await close();
}
await browser.close();
console.log(failed ? `${failed} check(s) failed` : 'all checks passed');
process.exit(failed ? 1 : 0);

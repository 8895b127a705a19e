// What a reader does on an index page: search, filter, sort, follow a link, read without script.
//   node index.mjs FOLDER/index.html
// The folder holds reports of a baseline build and of one after it; see tests/index_browser.rs.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL, fileURLToPath} from 'node:url';

const require = createRequire(process.env.UI_NODE_MODULES ? path.join(process.env.UI_NODE_MODULES, 'x.js') : import.meta.url);
const {chromium} = require('playwright-core');
const file = path.resolve(process.argv[2]), url = pathToFileURL(file).href;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
let failed = 0;
const ok = (holds, what, extra = '') => { console.log(`${holds ? 'ok  ' : 'FAIL'} ${what} ${extra}`); if (!holds) failed++; };
const open = async (hash = '', options = {}) => {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, ...options});
  const page = await context.newPage(), errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => { if (['error', 'warning'].includes(message.type())) errors.push(message.text()); });
  await page.goto(url + hash);
  return {page, errors, close: () => context.close()};
};
const shown = page => page.locator('tr[data-item]:visible').count();
const titles = page => page.locator('tr[data-item]:visible th b').allInnerTexts();
const hash = page => page.evaluate(() => location.hash);

{
  const {page, errors, close} = await open();
  const all = await shown(page);
  ok(all === 3, 'every report is shown', `(${all})`);
  await page.keyboard.press('/');
  ok(await page.evaluate(() => document.activeElement.id === 'q'), '/ focuses the search');
  await page.keyboard.type('QWEN');
  ok((await titles(page)).every(title => /Qwen/.test(title)) && await shown(page) === 1, 'search by title', await hash(page));
  ok(await hash(page) === '#q=QWEN', 'the search stands in the address', await hash(page));
  ok(await page.locator('#count').innerText() === '1', 'the count follows');
  ok(await page.locator('[data-note]:visible').count() === 0 && !await page.locator('#notes').isVisible(), 'notes are searched too');
  await page.keyboard.press('Escape');
  ok(await shown(page) === all && await hash(page) === '', 'Esc clears');
  await page.keyboard.type('int8_w8a8 h100');
  ok(await shown(page) === 1, 'search by what the points are, not only by what is written', (await titles(page)).join());
  await page.locator('#q').fill('pageable');
  ok(await page.locator('[data-note]:visible').count() === 1 && await page.locator('#none').isVisible(), 'a word of a note finds the note');
  await page.locator('#reset').click();
  ok(await shown(page) === all && !await page.locator('#none').isVisible(), 'Clear clears');

  const chip = page.locator('.chip', {hasText: 'Not ready'});
  await chip.click();
  ok(await shown(page) === 1 && await hash(page) === '#status=bad', 'filter by result', await hash(page));
  ok(await chip.getAttribute('aria-pressed') === 'true', 'the chip says so');
  await chip.click();
  await page.locator('#f-gpu').selectOption('l40s');
  ok(await shown(page) === 1 && await hash(page) === '#gpu=l40s', 'filter by machine', await hash(page));
  await page.locator('#f-model').selectOption('llama-3-8b');
  ok(await shown(page) === 0 && await page.locator('#none').isVisible(), 'filters add up');
  await page.locator('#reset').click();

  const column = async name => {
    const heads = await page.locator('table.all thead th').allInnerTexts();
    return heads.findIndex(head => head.startsWith(name));
  };
  const values = async name => {
    const at = await column(name);
    return page.locator('table.all tbody tr').evaluateAll((rows, at) => rows.map(row => +row.cells[at].dataset.v), at);
  };
  const ranks = await values('Result');
  ok(ranks.every((rank, i) => rank === i), 'what needs attention comes first', ranks.join());
  await page.locator('table.all thead button', {hasText: 'TTFT'}).click();
  const times = await values('TTFT');
  ok(times.every((time, i) => !i || time <= times[i - 1]), 'sort by TTFT', times.join());
  ok(await page.locator('table.all th[aria-sort]').count() === 1, 'one column is said to be sorted');
  await page.locator('table.all thead button', {hasText: 'Result'}).click();
  await page.locator('table.all thead button', {hasText: 'Result'}).click();
  ok((await values('Result')).join() === ranks.join() || (await values('Result')).reverse().join() === ranks.join(), 'and back by result');
  ok(errors.length === 0, 'no errors', errors.join(' | '));

  for (const href of await page.locator('main a[href$=".html"]').evaluateAll(links => links.map(link => link.href))) {
    if (!fs.existsSync(fileURLToPath(href.split('#')[0]))) ok(false, 'a link leads nowhere', href);
  }
  await page.locator('tr[data-item] th a').first().click();
  await page.waitForLoadState();
  ok(await page.locator('html[data-report]').count() === 1, 'a link opens a report', page.url().split('/').pop());
  await page.goBack();
  ok(await page.locator('html[data-report=index]').count() === 1, 'Back comes back');
  await close();
}
{
  const {page, close} = await open('#q=llama&status=ok,bad&gpu=h100');
  ok(await page.locator('#q').inputValue() === 'llama', 'a deep link fills the search');
  ok(await page.locator('.chip[aria-pressed=true]').count() >= 1, 'and presses the chips');
  ok(await page.locator('#f-gpu').inputValue() === 'h100', 'and takes part of a name for a machine');
  ok((await titles(page)).every(title => /Llama/.test(title)) && await shown(page) >= 1, 'and filters', (await titles(page)).join());
  await page.evaluate(() => { location.hash = '#q=qwen'; });
  await page.waitForTimeout(60);
  ok(await shown(page) === 1 && await page.locator('.chip[aria-pressed=true]').count() === 0, 'another one replaces it');
  await page.locator('nav a', {hasText: 'About'}).click();
  ok(await shown(page) === 1, 'a section in the address leaves the filters alone');
  await close();
}
{
  const {page, close} = await open('#q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&gpu=%22%3E%3Cscript%3E');
  ok(await page.locator('img').count() === 0 && await shown(page) === 0, 'a hostile link stays words');
  await close();
}
{
  const {page, close} = await open('', {javaScriptEnabled: false});
  ok(await shown(page) === 3 && !await page.locator('#q').isVisible(), 'no script: the table is there, the search is not');
  ok(/Slower/.test(await page.locator('#changes').innerText()), 'no script: what changed is there');
  await page.locator('[data-note] summary').first().click();
  ok(await page.locator('[data-note] .md').first().isVisible(), 'no script: a note opens');
  await close();
}
await browser.close();
console.log(failed ? `${failed} check(s) failed` : 'all checks passed');
process.exit(failed ? 1 : 0);

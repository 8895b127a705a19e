// What a reader does on the page of a declared report: select, filter, sort, follow a link, read without script.
//   node sweep.mjs four.html hostile.html many.html
// The reports are those of tests/sweep_sample; the file of their points lies beside each page.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(process.env.UI_NODE_MODULES ? path.join(process.env.UI_NODE_MODULES, 'x.js') : import.meta.url);
const {chromium} = require('playwright-core');
const files = process.argv.slice(2).map(file => path.resolve(file));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
let failed = 0;
const ok = (holds, what, extra = '') => { console.log(`${holds ? 'ok  ' : 'FAIL'} ${what} ${extra}`); if (!holds) failed++; };
const open = async (file, hash = '', options = {}) => {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, reducedMotion: 'reduce', ...options});
  const page = await context.newPage(), errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => { if (['error', 'warning'].includes(message.type())) errors.push(message.text()); });
  await page.goto(pathToFileURL(file).href + hash);
  return {page, errors, close: () => context.close()};
};
const points = file => JSON.parse(fs.readFileSync(file.replace(/\.html$/, '.json'), 'utf8')).points;
// As the program formats: three significant digits.
const number = v => v == null ? '–' : v < .01 ? '<0.01' : v < 9.995 ? v.toFixed(2) : v < 99.95 ? v.toFixed(1) : Math.round(v).toLocaleString('en-US');
const close = (text, value) => text === number(value) || Math.abs(text.replace(/,/g, '') / value - 1) < .005;
const map = page => page.locator('#hm tbody tr').evaluateAll(rows => rows.map(row => [...row.cells].slice(1).map(cell => ({
  text: cell.firstChild.textContent, kind: cell.className, tip: cell.dataset.tip || '',
}))));
const table = page => page.locator('#pt tbody tr').evaluateAll(rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim())));
const hash = page => page.evaluate(() => location.hash);
const select = (page, label) => page.locator('#map label', {hasText: label}).locator('select');
const [four, hostile, many] = files;

{ // The map: what the server drew, and every other slice.
  const bare = await open(four, '', {javaScriptEnabled: false});
  const before = await map(bare.page);
  ok(!await bare.page.locator('#map select').first().isVisible() && !await bare.page.locator('#pf').isVisible(), 'no script: no controls that do nothing');
  ok((await bare.page.locator('#pt tbody tr').count()) === 50, 'no script: the best points are listed');
  ok(/Targets rule out/.test(await bare.page.locator('#verdict').innerText()), 'no script: why not the others');
  ok(/cannot be split over 3 GPUs/.test(await bare.page.locator('#map').innerText()), 'no script: why points do not run');
  await bare.page.locator('#curves details summary').first().click();
  ok(await bare.page.locator('#curves details table').first().isVisible(), 'no script: the numbers of a chart');
  await bare.close();

  const {page, errors, close: done} = await open(four);
  const after = await map(page);
  const plain = cells => JSON.stringify(cells.map(row => row.map(({text, kind}) => [text, kind])));
  ok(plain(before) === plain(after), 'the script draws what the server drew');
  const all = points(four), prompts = [256, 1024, 8192], batches = [1, 4, 16, 2048];
  const pick = {model: 'llama-3-8b', hardware: 'rtx_4090', weights_dtype: 'bf16', tensor_parallel: 2};
  await select(page, 'Model').selectOption({label: 'llama-3-8b'});
  await select(page, 'Hardware').selectOption({label: 'GeForce RTX 4090'});
  await select(page, 'Weights').selectOption({label: 'BF16'});
  await select(page, 'GPUs').selectOption({label: '2'});
  ok(await hash(page) === '#map=llama-3-8b.rtx_4090.bf16.2.t', 'the address keeps the choice', await hash(page));
  ok(/GeForce RTX 4090 · BF16 · 2/.test(await page.locator('#hcap').innerText()), 'the caption follows', await page.locator('#hcap').innerText());
  const slice = async (figure, wanted) => {
    const cells = await map(page);
    return prompts.every((prompt, r) => batches.every((batch, c) => {
      const point = all.find(p => Object.entries({...pick, prompt_len: prompt, batch_size: batch}).every(([k, v]) => p.inputs[k] === v));
      const {text, kind, tip} = cells[r][c];
      if (point.status === 'invalid') return text === 'n/a' && kind === 'none' && tip === point.reason;
      if (point.status !== 'ran') return (figure === 'm' ? close(text, wanted(point)) : text === 'OOM') && kind === 'none' && /Needs .* on each GPU/.test(tip);
      return close(text, wanted(point)) && / x( |$)/.test(kind) === !point.meets_targets && /TTFT/.test(tip);
    }));
  };
  ok(await slice('t', p => p.metrics.ttft_ms), 'a selected slice is that of the file: TTFT');
  await page.locator('#hv').selectOption('s');
  ok(await slice('s', p => p.metrics.output_tokens_per_s), 'another figure: tokens per second', await hash(page));
  await page.locator('#hv').selectOption('m');
  ok(await slice('m', p => (p.memory || p.shortfall).needed_bytes / 2 ** 30), 'another figure: memory, of points that do not fit too');
  pick.tensor_parallel = 3;
  await select(page, 'GPUs').selectOption({label: '3'});
  ok(await slice('m', () => NaN), 'points that cannot be split say why');
  await page.locator('#hm td').first().hover();
  ok(/cannot be split/.test(await page.locator('#tip').innerText()), 'the pointer finds the reason');
  ok(errors.length === 0, 'no errors', errors.join(' | '));
  await done();
}
{ // Deep links.
  const {page, close: done} = await open(four, '#map=qwen2_5-7b.a100_80gb_pcie.int8_w8a8.1.o');
  ok(await select(page, 'Model').locator('option:checked').innerText() === 'qwen2.5-7b', 'a deep link selects');
  ok(await page.locator('#hv').inputValue() === 'o', 'and picks the figure');
  ok(await page.locator('#map').evaluate(x => Math.abs(x.getBoundingClientRect().top) < 300), 'and goes to the map');
  await page.evaluate(() => { location.hash = '#map=llama-3-8b.rtx_4090.bf16.2.s'; });
  await page.waitForTimeout(60);
  ok(await select(page, 'Hardware').locator('option:checked').innerText() === 'GeForce RTX 4090', 'another one replaces it');
  const caption = await page.locator('#hcap').innerText();
  for (const wrong of ['#map=nobody.rtx_4090.bf16.2.s', '#map=x', '#map=llama-3-8b.rtx_4090.bf16.2.zz', '#map=__proto__.constructor.a.b.c', '#map=%E0%A4%A']) {
    await page.evaluate(wrong => { location.hash = wrong; }, wrong);
    await page.waitForTimeout(30);
    ok(await page.locator('#hcap').innerText() === caption, 'a wrong link changes nothing', wrong);
  }
  await page.locator('nav a[href="#points"]').click();
  ok(await page.locator('#points').evaluate(x => x.getBoundingClientRect().top < 500), 'plain ids lead to sections');
  await done();
}
{ // The table.
  const {page, errors, close: done} = await open(four);
  const all = points(four), shown = () => page.locator('#pn').innerText(), filter = page.locator('#pf');
  const good = all.filter(p => p.meets_targets);
  ok(await shown() === `50 of ${good.length} shown`, 'starts with what meets the targets', await shown());
  await page.locator('#ps').selectOption({label: 'All points'});
  ok(await shown() === `50 of ${all.length} shown`, 'all points on request', await shown());
  const expect = async (text, keep) => {
    await filter.fill(text);
    const count = all.filter(keep).length;
    ok(await shown() === `${Math.min(50, count)} of ${count} shown` && await page.locator('#pt tbody tr').count() === Math.min(50, count), `filter: ${text}`, await shown());
  };
  await expect('qwen', p => p.inputs.model === 'qwen2.5-7b');
  await expect('4090 INT8', p => p.inputs.hardware === 'rtx_4090' && p.inputs.weights_dtype === 'int8_w8a8');
  await expect('batch>=16 prompt<1024', p => p.inputs.batch_size >= 16 && p.inputs.prompt_len < 1024);
  await expect('model=llama tensor_parallel=2', p => p.inputs.model === 'llama-3-8b' && p.inputs.tensor_parallel === 2);
  await expect('ttft<100', p => p.metrics.ttft_ms != null && p.metrics.ttft_ms < 100);
  await expect('zzz', () => false);
  await filter.fill('');
  await page.locator('#ps').selectOption({label: 'Out of memory'});
  const short = all.filter(p => p.status === 'does_not_fit');
  ok(await shown() === `${Math.min(50, short.length)} of ${short.length} shown`, 'points that do not fit', await shown());
  ok((await table(page)).every(row => row.at(-1) === 'Out of memory' && /GiB/.test(row.at(-2))), 'with the memory that they need');
  await page.locator('#ps').selectOption({label: 'All points'});

  const column = async name => (await page.locator('#pt thead th').allInnerTexts()).findIndex(head => head.startsWith(name));
  const values = async name => { const at = await column(name); return (await table(page)).map(row => parseFloat(row[at].replace(/,/g, ''))); };
  const click = name => page.locator('#pt thead button', {hasText: name}).click();
  await click('TTFT');
  const slow = await values('TTFT');
  ok(slow.every((v, i) => !i || v <= slow[i - 1]), 'sort: largest TTFT first', slow.slice(0, 3).join());
  ok(close((await table(page))[0][await column('TTFT')].replace(/[^\d.,]/g, ''), Math.max(...all.map(p => p.metrics.ttft_ms || 0))), 'of all points, not of the listed ones');
  await click('TTFT');
  const fast = await values('TTFT');
  ok(fast.every((v, i) => !i || v >= fast[i - 1]), 'again: smallest first', fast.slice(0, 3).join());
  ok(await page.locator('#pt th[aria-sort]').count() === 1, 'one column is said to be sorted');
  ok(/TTFT/.test(await page.locator('#live').textContent()), 'the order is announced');
  await click('Hardware');
  ok((await table(page))[0][await column('Hardware')] === 'A100 PCIe 80GB', 'names sort by letter');
  await page.locator('#pt thead button', {hasText: 'Batch'}).focus();
  await page.keyboard.press('Enter');
  ok((await values('Batch')).every(v => v === 2048), 'the keyboard sorts');
  for (const text of ['<img src=x onerror=alert(1)>', '=', '<', 'a=', '>5', 'constructor>1', '__proto__=1', '((((', 'batch>x']) await filter.fill(text);
  ok(await page.locator('img').count() === 0 && errors.length === 0, 'odd filters are words', errors.join(' | '));
  for (const href of await page.locator('main a[href^="./"]').evaluateAll(links => links.map(link => link.href))) {
    ok(fs.existsSync(new URL(href)), 'a link leads to a file', href.split('/').pop());
  }
  await page.locator('#verdict a[href^="./"]').first().click();
  await page.waitForLoadState();
  ok(await page.locator('html[data-report=single]').count() === 1, 'the recommended point opens in full');
  await done();
}
{ // Strange names.
  const {page, errors, close: done} = await open(hostile);
  const name = '</script><img src=x onerror=alert(1)>"\'&';
  await page.locator('#map select').first().selectOption({label: name});
  const link = await hash(page);
  ok((await page.locator('#hcap').innerText()).includes(name), 'a strange name can be selected', link);
  await page.locator('#pf').fill('onerror=alert(1)');
  await page.locator('#pf').fill('img');
  ok((await table(page)).length > 0 && (await table(page)).every(row => row[0] === name), 'and filtered');
  ok(await page.locator('img').count() === 0 && errors.length === 0, 'and stays a name', errors.join(' | '));
  await page.goto('about:blank');
  await page.goto(pathToFileURL(hostile).href + link);
  ok((await page.locator('#hcap').innerText()).includes(name), 'its link leads back');
  await done();
}
{ // Ten thousand points.
  const {page, errors, close: done} = await open(many);
  const time = async (what, most, act) => {
    const start = Date.now();
    await act();
    ok(Date.now() - start < most, what, `${Date.now() - start} ms`);
  };
  await time('ten thousand points: filter', 3000, () => page.locator('#pf').fill('b200 batch>10'));
  await time('ten thousand points: select', 3000, () => page.locator('#map select').first().selectOption({index: 1}));
  await time('ten thousand points: sort', 3000, () => page.locator('#pt thead button', {hasText: 'TPOT'}).click());
  ok((await table(page)).length === 50 && errors.length === 0, 'ten thousand points: fifty rows', errors.join(' | '));
  await done();
}
await browser.close();
console.log(failed ? `${failed} check(s) failed` : 'all checks passed');
process.exit(failed ? 1 : 0);

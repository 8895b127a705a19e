// What every page does. Runs inside one function, with the script of the kind of page after it; the last thing done is to
// follow the address.

const doc = document, root = doc.documentElement;
const $ = (selector, from = doc) => from.querySelector(selector);
const $$ = (selector, from = doc) => [...from.querySelectorAll(selector)];
$$('[data-js]').forEach(x => x.hidden = false);

const live = $('#live'), say = text => { live.textContent = text; };

// Theme: auto, light, dark.
const theme = $('#theme'), themes = ['', 'light', 'dark'];
const named = () => theme.dataset[root.dataset.theme || 'auto'];
theme.textContent = named();
theme.onclick = () => {
  const next = themes[(themes.indexOf(root.dataset.theme || '') + 1) % 3];
  if (next) root.dataset.theme = next; else delete root.dataset.theme;
  try { next ? localStorage.setItem('simllm-theme', next) : localStorage.removeItem('simllm-theme'); } catch (e) { /* storage is closed */ }
  theme.textContent = named();
  say(theme.textContent);
};

// Deep links: the id of any element, #KIND=NAME for the element KIND-NAME, or what a kind of page links itself.
const put = hash => { try { history.replaceState(null, '', hash || ' '); } catch (e) { /* sandboxed frame */ } };
const links = Object.create(null);
const follow = event => {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash); } catch (e) { /* a stray percent sign */ }
  const [, kind, name] = hash.match(/^(\w+)=(.+)$/) || [];
  if (links[kind]) return links[kind](name);
  const target = hash && doc.getElementById(kind ? kind + '-' + name : hash);
  if (!target) return;
  for (let x = target; x; x = x.parentElement) if (x.tagName === 'DETAILS') x.open = true;
  $$('tr.sel').forEach(x => x.classList.remove('sel'));
  if (target.tagName === 'TR') target.classList.add('sel');
  if (!kind) return;
  target.scrollIntoView({block: target.tagName === 'TR' ? 'center' : 'start', behavior: event ? 'auto' : 'instant'});
  const summary = kind === 'stage' && $('summary', target);
  if (summary) summary.focus({preventScroll: true});
};

// Sortable tables: stable, by data-v where a cell has one, announced.
$$('table[data-sort]').forEach(table => $$('thead th', table).forEach((head, column) => {
  const button = $('button', head);
  if (!button) return;
  const value = row => { const cell = row.cells[column]; return 'v' in cell.dataset ? +cell.dataset.v : cell.textContent.trim(); };
  button.onclick = () => {
    const body = table.tBodies[0], numeric = typeof value(body.rows[0]) === 'number', now = head.getAttribute('aria-sort');
    const order = (now ? now === 'descending' : !numeric) ? 'ascending' : 'descending';
    const sign = order === 'ascending' ? 1 : -1;
    $$('th[aria-sort]', table).forEach(x => x.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', order);
    const compare = (a, b) => numeric ? a - b : a < b ? -1 : +(a > b);
    [...body.rows].sort((a, b) => sign * compare(value(a), value(b))).forEach(row => body.append(row));
    say(button.textContent + ' ' + {ascending: '↑', descending: '↓'}[order]);
  };
}));

// Copy, with a fallback for file:// and sandboxed frames.
doc.addEventListener('click', event => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const source = $(button.dataset.copy);
  const done = () => {
    const label = button.dataset.label || (button.dataset.label = button.textContent);
    button.textContent = button.dataset.done;
    say(button.dataset.done);
    setTimeout(() => { button.textContent = label; }, 1600);
  };
  const select = () => {
    const range = doc.createRange(), selection = getSelection();
    range.selectNodeContents(source);
    selection.removeAllRanges();
    selection.addRange(range);
    try { if (doc.execCommand('copy')) done(); } catch (e) { /* the text stays selected */ }
  };
  if (navigator.clipboard) navigator.clipboard.writeText(source.textContent).then(done, select); else select();
});

const json = $('#json');
json.onclick = () => {
  const link = doc.createElement('a');
  link.href = URL.createObjectURL(new Blob([$('#data').textContent], {type: 'application/json'}));
  link.download = json.dataset.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Tooltips of chart marks for mouse, pen and touch; the table under each chart is the way of the keyboard.
const tip = $('#tip');
const point = event => {
  const mark = event.target.closest && event.target.closest('[data-tip]');
  tip.classList.toggle('on', !!mark);
  if (!mark) return;
  tip.textContent = mark.dataset.tip;
  const {offsetWidth: width, offsetHeight: height} = tip, {clientX: x, clientY: y} = event;
  tip.style.left = Math.max(8, Math.min(innerWidth - width - 8, x + 14)) + 'px';
  tip.style.top = (y + height + 24 > innerHeight ? y - height - 12 : y + 16) + 'px';
};
doc.addEventListener('pointermove', point);
doc.addEventListener('pointerdown', point);
doc.addEventListener('click', event => {
  const mark = event.target.closest && event.target.closest('[data-href]');
  if (mark) location.hash = mark.dataset.href;
});

// The section in view, in the navigation.
if ('IntersectionObserver' in window) {
  const seen = new IntersectionObserver(entries => entries.forEach(entry => {
    if (!entry.isIntersecting) return;
    $$('.toc a').forEach(link => {
      if (link.hash === '#' + entry.target.id) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
    });
  }), {rootMargin: '-15% 0px -75%'});
  $$('main section[id]').forEach(section => seen.observe(section));
}

// Paper: open what matters there, then restore. CSS does the same where no script runs.
let opened = [];
addEventListener('beforeprint', () => { opened = $$('details[data-print]:not([open])'); opened.forEach(x => x.open = true); });
addEventListener('afterprint', () => opened.forEach(x => x.open = false));

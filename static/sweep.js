// The page of a declared report: the map and the table, over all points in the data.

const data = JSON.parse($('#data').textContent), {axes, figures, at, standing} = data;
const column = {}, unit = {};
figures.forEach(([key, name, suffix]) => { column[key] = data[name]; unit[key] = suffix && '\u00a0' + suffix; });
const integer = v => v.toLocaleString('en-US');
const number = v => v == null ? '–' : !v ? '0' : v < .01 ? '<0.01' : v < 9.995 ? v.toFixed(2) : v < 99.95 ? v.toFixed(1) : integer(Math.round(v));
const shown = (i, key) => number(column[key][i]) + (column[key][i] == null ? '' : unit[key]);
const name = (axis, value) => (axes[axis].names || axes[axis].values)[value];
const copies = id => [...$(id).content.children].map(x => () => x.cloneNode(true));

// The map: selectors pick a slice and a figure; the address keeps the choice, as #map=h100_80gb_sxm.fp8.t.
if ($('#hm')) {
  const {rows, columns, at: start} = data.map, picks = $$('[data-axis]'), figure = $('#hv'), caption = $('#hcap');
  const [memory, nothing, misses, chosen] = copies('#cells'), needs = $('#cells').dataset.needs;
  const names = [...figure.options].map(x => [x.value, x.text.split(/[,，、]/)[0]]);
  const keys = picks.map(pick => {
    const seen = {}, axis = pick.dataset.axis;
    return axes[axis].values.map((value, i) => {
      pick.add(new Option(name(axis, i), i, false, i === start[axis]));
      const key = String(value).toLowerCase().replace(/[^a-z0-9_-]+/g, '_');
      return seen[key] ? key + '-' + i : (seen[key] = key);
    });
  });
  const places = {};
  for (let i = standing.length; i--;) places[at.map(values => values[i])] = i;
  const draw = () => {
    const place = [...start], values = column[figure.value], known = values.filter(v => v != null);
    const low = Math.min(...known), high = Math.max(...known);
    picks.forEach(pick => { place[pick.dataset.axis] = +pick.value; });
    $$('#hm tbody tr').forEach((row, r) => [...row.cells].slice(1).forEach((cell, c) => {
      if (rows) place[rows[0]] = rows[1][r];
      place[columns[0]] = columns[1][c];
      const i = places[place], v = values[i], over = standing[i] === 3, here = i === data.verdict;
      const step = low > 0 && high > low ? Math.round(Math.log(v / low) / Math.log(high / low) * 8) : 0;
      const grey = i === undefined || standing[i] > 3 || v == null;
      const word = i === undefined ? '–' : v != null ? number(v) : (standing[i] === 4 ? memory : nothing)().textContent;
      cell.className = (grey ? 'none' : 'q' + step + (over ? ' x' : '')) + (here ? ' best' : '');
      cell.replaceChildren(word, ...(over && !grey ? [misses()] : []), ...(here ? [chosen()] : []));
      cell.dataset.tip = i === undefined ? '' : standing[i] === 4 ? needs.replace('{needed}', shown(i, 'm')) : standing[i] === 5 ? data.reasons[data.why[i]] || '' : names.map(([key, text]) => text + ' ' + shown(i, key)).join('\n');
      if (!cell.dataset.tip) delete cell.dataset.tip;
    }));
    caption.textContent = [figure, ...picks].map(x => x.selectedOptions[0].text).join(' · ');
  };
  const change = () => {
    draw();
    put('#map=' + [...picks.map((pick, k) => keys[k][pick.value]), figure.value].join('.'));
    say(caption.textContent);
  };
  [...picks, figure].forEach(x => { x.onchange = change; });
  draw();
  links.map = text => {
    const parts = text.split('.'), found = keys.map((own, k) => own.indexOf(parts[k]));
    if (parts.length !== keys.length + 1 || found.includes(-1) || !column[parts[keys.length]]) return;
    picks.forEach((pick, k) => { pick.value = found[k]; });
    figure.value = parts[keys.length];
    draw();
    $('#map').scrollIntoView();
  };
}

// The table: filter and headings work on all points, the first 50 are shown.
const table = $('#pt'), filter = $('#pf'), only = $('#ps'), count = $('#pn'), heads = $$('th', table.tHead), marks = copies('#marks');
const value = (i, key) => key === 'k' ? standing[i] : column[key] ? column[key][i] : axes[key].numeric ? +axes[key].values[at[key][i]] || null : name(key, at[key][i]);
const texts = standing.map((_, i) => at.map((values, a) => name(a, values[i]) + ' ' + axes[a].values[values[i]]).join(' ').toLowerCase());
const compare = {'<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '=': (a, b) => a === b};
const test = word => {
  const [, left, sign, right] = word.match(/^([^<>=]+)([<>]=?|=)(.+)$/) || [];
  if (!left) return i => texts[i].includes(word);
  const axis = axes.findIndex(x => x.path.toLowerCase().includes(left)), known = figures.find(x => x[1].includes(left));
  const key = axis >= 0 ? axis : known && known[0];
  return i => {
    const v = key === undefined ? null : value(i, key);
    return typeof v === 'string' ? sign === '=' && (v + ' ' + axes[key].values[at[key][i]]).toLowerCase().includes(right) : v != null && compare[sign](v, +right);
  };
};
const cell = (tag, text, numeric) => {
  const out = doc.createElement(tag);
  if (tag === 'th') out.scope = 'row';
  if (numeric) out.className = 'n';
  out.append(text);
  return out;
};
const list = () => {
  const head = heads.find(x => x.hasAttribute('aria-sort')), key = head.dataset.key, sign = head.getAttribute('aria-sort') === 'ascending' ? 1 : -1;
  const tests = filter.value.toLowerCase().split(/\s+/).filter(Boolean).map(test), kinds = only.value && only.value.split(',').map(Number);
  const found = standing.map((_, i) => i).filter(i => (!kinds || kinds.includes(standing[i])) && tests.every(x => x(i)));
  const order = (a, b) => {
    const p = value(a, key), q = value(b, key);
    return p == null || q == null ? (p == null) - (q == null) : sign * (p < q ? -1 : +(p > q));
  };
  const rows = found.sort((a, b) => order(a, b) || a - b).slice(0, 50);
  table.tBodies[0].replaceChildren(...rows.map(i => {
    const row = doc.createElement('tr');
    row.append(...heads.map((x, c) => {
      const key = x.dataset.key, text = key === 'k' ? marks[standing[i]]() : column[key] ? shown(i, key) : name(key, at[key][i]);
      return cell(c ? 'td' : 'th', text, x.classList.contains('n'));
    }));
    return row;
  }));
  count.textContent = count.dataset.shown.replace('{n}', integer(rows.length)).replace('{m}', integer(found.length));
};
filter.oninput = only.onchange = list;
heads.forEach(head => $('button', head).onclick = () => {
  const now = head.getAttribute('aria-sort'), text = head.dataset.key < 99 && !axes[head.dataset.key].numeric;
  heads.forEach(x => x.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', (now ? now === 'descending' : text) ? 'ascending' : 'descending');
  list();
  say($('button', head).textContent + ' ' + (head.getAttribute('aria-sort') === 'ascending' ? '↑' : '↓'));
});

(() => {
  // Search and filters: what is typed and chosen stands in the address, as #q=awq&status=bad&gpu=h100.
  const doc = document, $ = id => doc.getElementById(id);
  const q = $('q'), none = $('none'), count = $('count'), notes = $('notes');
  const all = selector => [...doc.querySelectorAll(selector)];
  const chips = all('.chip'), selects = all('#filters select');
  const read = node => ({node, words: (node.textContent + ' ' + (node.dataset.item || '')).toLowerCase()});
  const rows = all('[data-item]').map(read), cards = all('[data-note]').map(read);
  const pressed = chip => chip.getAttribute('aria-pressed') === 'true';

  // A choice of the list is meant exactly; a name from an address may be part of one.
  const fits = (select, row) => {
    const wanted = select.value.toLowerCase(), loose = select.value === select.dataset.loose;
    return !wanted || row.dataset[select.dataset.key].toLowerCase().split('|').some(name => loose ? name.includes(wanted) : name === wanted);
  };
  const show = (items, hit) => items.filter(item => !(item.node.hidden = !hit(item))).length;
  const apply = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const statuses = chips.filter(pressed).map(chip => chip.dataset.status);
    const found = item => words.every(word => item.words.includes(word));
    const shown = show(rows, item => found(item) && (!statuses.length || statuses.includes(item.node.dataset.status)) &&
      selects.every(select => fits(select, item.node)));
    if (notes) notes.hidden = !show(cards, found);
    count.textContent = shown.toLocaleString('en-US');
    none.hidden = shown > 0 || !rows.length;
    return [['q', q.value.trim()], ['status', statuses.join(',')], ...selects.map(select => [select.dataset.key, select.value])];
  };
  const changed = () => {
    const hash = new URLSearchParams(apply().filter(([, value]) => value));
    try { history.replaceState(null, '', String(hash) ? '#' + hash : ' '); } catch (e) { /* sandboxed frame */ }
  };
  const clear = () => {
    q.value = '';
    chips.forEach(chip => chip.setAttribute('aria-pressed', false));
    selects.forEach(select => { select.value = ''; });
  };

  q.oninput = changed;
  selects.forEach(select => { select.onchange = changed; });
  chips.forEach(chip => { chip.onclick = () => { chip.setAttribute('aria-pressed', !pressed(chip)); changed(); }; });
  $('reset').onclick = () => { clear(); changed(); q.focus(); };
  doc.addEventListener('keydown', event => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(doc.activeElement.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      q.focus();
      q.select();
    }
    if (event.key === 'Escape' && doc.activeElement === q) { q.value = ''; changed(); }
  });

  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (!['q', 'status', 'model', 'gpu'].some(key => asked.has(key))) return;
    clear();
    q.value = asked.get('q') || '';
    const statuses = (asked.get('status') || '').split(',');
    chips.forEach(chip => chip.setAttribute('aria-pressed', statuses.includes(chip.dataset.status)));
    selects.forEach(select => {
      const value = asked.get(select.dataset.key) || '';
      if (![...select.options].some(option => option.value === value)) {
        select.add(new Option(value, value));
        select.dataset.loose = value;
      }
      select.value = value;
    });
    apply();
    $('all').scrollIntoView({block: 'start', behavior: 'instant'});
  };
  addEventListener('hashchange', follow);
  follow();
})();

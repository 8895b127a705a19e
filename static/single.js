// The page of one scenario.

// Stages: the last opened one stands in the address; arrow keys walk the rows.
const rows = $$('[data-stage] > summary');
rows.forEach((row, i) => {
  const stage = row.parentNode, hash = '#stage=' + stage.dataset.stage;
  row.onkeydown = event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    (rows[i + step] || row).focus();
  };
  row.addEventListener('click', () => { stage.dataset.asked = ''; });
  stage.addEventListener('toggle', event => {
    if (event.target !== stage || !('asked' in stage.dataset)) return;
    delete stage.dataset.asked;
    if (stage.open) put(hash); else if (location.hash === hash) put('');
  });
});
$$('[data-expand]').forEach(button => button.onclick = () => {
  const open = button.getAttribute('aria-pressed') !== 'true';
  $$('[data-stage]', $(button.dataset.expand)).forEach(x => x.open = open);
  button.setAttribute('aria-pressed', open);
  button.textContent = button.dataset[open ? 'on' : 'off'];
});

// What if: every combination was simulated; the boxes pick a row, and the address keeps the choice.
const boxes = $$('#whatif .wi input'), out = $('#wi');
const choose = () => {
  const key = boxes.map(x => +x.checked).join('');
  $$('[data-whatif]').forEach(row => {
    const on = row.dataset.whatif === key, mark = on && $('.st', row);
    row.classList.toggle('sel', on);
    if (on) out.replaceChildren(...(mark ? [mark.cloneNode(true), ' '] : []), row.dataset.out);
  });
  return key;
};
if (out) {
  boxes.forEach(x => x.onchange = () => put('#whatif=' + choose()));
  links.whatif = key => {
    if (!/^[01]+$/.test(key) || key.length !== boxes.length) return;
    boxes.forEach((x, i) => { x.checked = key[i] === '1'; });
    choose();
    $('#whatif').scrollIntoView();
  };
  choose();
}

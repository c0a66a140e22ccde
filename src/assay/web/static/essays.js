// Essays: tips stay on the screen, n and p go from finding to finding, an override shows what it becomes as one chooses.
import { inField, keysOn } from './keys.js';
const $ = (selector, inside = document) => inside.querySelector(selector);
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// A tip opens to the side and the direction where there is room
const pane = $('.essaypane');
const place = mark => {
  const tip = $('.tip', mark);
  if (!tip || matchMedia('(max-width: 600px)').matches) return;
  tip.classList.remove('r', 'up');
  const box = (pane ?? document.body).getBoundingClientRect(), at = tip.getBoundingClientRect();
  tip.classList.toggle('r', at.right > box.right - 8);
  tip.classList.toggle('up', at.bottom > Math.min(box.bottom, innerHeight) - 8);
};
for (const mark of $$('a.err')) for (const kind of ['mouseenter', 'focus']) mark.addEventListener(kind, () => place(mark));

// After a decision the address names what was saved: the keyboard goes on there, a reload starts at the top again
if (location.hash === '#decided') {
  $('#decided')?.focus();
  history.replaceState(null, '', location.pathname + location.search);
}

// n and p: the next and the previous finding
const marks = $$('a.err[id]');
addEventListener('keydown', event => {
  if (!keysOn() || inField(event) || !marks.length || (event.key !== 'n' && event.key !== 'p')) return;
  const at = marks.indexOf(document.activeElement);
  const next = marks[(at + (event.key === 'n' ? 1 : -1) + marks.length + (at < 0 && event.key === 'p' ? 1 : 0)) % marks.length];
  next.focus();
  next.scrollIntoView({ block: 'center' });
  event.preventDefault();
});

// / goes to the search of the class
addEventListener('keydown', event => {
  const find = $('#find');
  if (event.key === '/' && find && keysOn() && !inField(event)) { find.focus(); event.preventDefault(); }
});

// An override: what the score was and becomes, before it is saved
const form = $('#ov');
if (form) {
  const value = form.elements.value, told = $('#becomes'), save = $('#save'), shown = form.elements.shown;
  const short = text => String(Number(text));
  const tell = () => {
    const chosen = value.value.trim();
    if (!chosen || value.tagName !== 'SELECT') { shown.value = ''; save.textContent = 'Show what it becomes'; told.textContent = ''; return; }
    const was = form.dataset.was === 'None' ? 'none' : short(form.dataset.was);
    told.innerHTML = '';
    for (const [text, tag] of [['The score was ', ''], [was, 'b'], [' and becomes ', ''], [short(chosen), 'b'], ['.', '']]) {
      const node = tag ? document.createElement(tag) : document.createTextNode(text);
      if (tag) node.textContent = text;
      told.append(node);
    }
    shown.value = `${form.dataset.was} ${chosen}`;
    save.textContent = `Save ${short(chosen)}`;
  };
  value.addEventListener('change', tell);
  value.addEventListener('input', tell);
  if (value.value && !shown.value) tell();
}

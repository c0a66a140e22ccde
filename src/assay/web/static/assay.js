// Progressive enhancement: every page works without it. No inline code, no dependency beyond htmx for tables.
import { inField, keysOn } from './keys.js';

const root = document.documentElement;
const $ = (selector, inside = document) => inside.querySelector(selector);
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const token = () => $('meta[name="csrf-token"]')?.content ?? '';

// Theme: switched at once, and told to the server so that the next page comes in it
$('form[data-theme-form]')?.addEventListener('submit', event => {
  event.preventDefault();
  const form = event.currentTarget;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  form.elements.theme.value = root.dataset.theme;
  fetch(form.action, { method: 'POST', body: new FormData(form), redirect: 'manual' });
});

// Single keys, on or off: told to the server in the same way
for (const form of $$('form[data-keys-form]')) form.addEventListener('submit', event => {
  event.preventDefault();
  const off = root.dataset.keys !== 'off';
  root.dataset.keys = off ? 'off' : 'on';
  const said = new FormData(form);
  said.set('keys', root.dataset.keys);
  $('button', form).setAttribute('aria-pressed', !off);
  fetch(form.action, { method: 'POST', body: said, redirect: 'manual' });
});

// Tabs: the open one is in view
{ const open = $('.tabs [aria-current]'), tabs = $('.tabs'); if (open && tabs.scrollWidth > tabs.clientWidth) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2; }

// Progress, live: <div data-live="/jobs/ID/events" data-live-end="reload">
for (const box of $$('[data-live]')) {
  const source = new EventSource(box.dataset.live);
  const show = event => {
    const told = JSON.parse(event.data), bar = $('[role=progressbar]', box);
    $('[data-count]', box).textContent = told.count;
    $('[data-detail]', box).textContent = told.detail;
    bar?.setAttribute('aria-valuenow', told.done);
    bar?.querySelector('rect')?.setAttribute('width', `${told.total ? 100 * told.done / told.total : 100}%`);
  };
  source.addEventListener('progress', show);
  source.addEventListener('end', event => { show(event); source.close(); if (box.dataset.liveEnd === 'reload') location.reload(); });
}

// Files: drop them, see what was chosen
for (const zone of $$('.drop')) {
  const input = $('input[type=file]', zone), chosen = $('.chosen', zone);
  const told = () => {
    const names = [...input.files].map(file => file.name);
    chosen.textContent = names.length > 3 ? `${names.length} files: ${names.slice(0, 3).join(', ')}, …` : names.join(', ');
    // Too much is told before it is sent: the server would not read it
    const most = +($('meta[name="most-upload"]')?.content || Infinity);
    const bytes = $$('input[type=file]', zone.closest('form')).flatMap(one => [...one.files]).reduce((sum, file) => sum + file.size, 0);
    const much = bytes > most ? `${(bytes / 1048576).toFixed(0)} MB are more than the ${(most / 1048576).toFixed(0)} MB that can be sent at once. Choose fewer files, or start assay serve with a larger --max-upload.` : '';
    for (const one of $$('input[type=file]', zone.closest('form'))) one.setCustomValidity('');
    input.setCustomValidity(much);
    chosen.classList.toggle('wrong', much !== '');
    if (much) { chosen.textContent = much; input.reportValidity(); return; }
    if (names.length && zone.hasAttribute('data-submit')) zone.closest('form').requestSubmit();
  };
  input.addEventListener('change', told);
  for (const kind of ['dragenter', 'dragover']) zone.addEventListener(kind, () => zone.classList.add('over'));
  for (const kind of ['dragleave', 'drop']) zone.addEventListener(kind, () => zone.classList.remove('over'));
}

// A form is sent once
addEventListener('submit', event => {
  const button = event.submitter;
  if (!button || event.defaultPrevented || button.hasAttribute('data-again')) return;
  setTimeout(() => { button.disabled = true; });
});
addEventListener('pageshow', () => $$('button:disabled[type=submit]').forEach(button => { button.disabled = false; }));

// Copy a snippet
for (const button of $$('[data-copy]')) button.addEventListener('click', async () => {
  await navigator.clipboard?.writeText($(button.dataset.copy).textContent);
  button.textContent = 'Copied';
});

// Sliders: the output follows the thumb; weights within data-sum always add up to 100
const show = range => {
  const output = $(`output[for="${range.id}"]`);
  if (output) output.value = (range.dataset.div ? (range.value / range.dataset.div).toFixed(2) : range.value) + (range.dataset.unit ?? '');
};
for (const range of $$('input[type=range]')) range.addEventListener('input', () => {
  const group = range.closest('[data-sum]');
  if (group) {
    const others = $$('input[type=range]', group).filter(other => other !== range);
    const left = 100 - range.value, sum = others.reduce((total, other) => total + +other.value, 0) || 1;
    let used = 0;
    others.forEach((other, i) => { other.value = i === others.length - 1 ? left - used : Math.round(left * other.value / sum); used += +other.value; show(other); });
  }
  show(range);
});

// Lists of work: / filters, j and k move; single keys can be switched off, and never act in a field
const filter = $('#filter');
filter?.addEventListener('input', () => {
  const wanted = filter.value.trim().toLowerCase();
  let count = 0;
  for (const entry of $$('.people li')) { const hit = entry.textContent.toLowerCase().includes(wanted); entry.hidden = !hit; count += hit; }
  const told = $('#filter-count');
  if (told) told.textContent = wanted ? `${count} shown` : '';
});
addEventListener('keydown', event => {
  if (!keysOn() || inField(event)) return;
  if (event.key === '/' && filter) { filter.focus(); event.preventDefault(); }
  if (/^[a-z]$/.test(event.key)) { // a button or link that says which key stands for it
    const named = $(`[data-key="${event.key}"]`);
    if (named) { named.click(); event.preventDefault(); }
  }
  if (event.key === 'j' || event.key === 'k') {
    const links = $$('.people li:not([hidden]) a');
    const at = links.findIndex(link => link === document.activeElement || (!links.includes(document.activeElement) && link.hasAttribute('aria-current')));
    links[Math.max(0, Math.min(links.length - 1, at + (event.key === 'j' ? 1 : -1)))]?.focus();
  }
});
// The list opens at the one that is shown: a strip on narrow screens, a column on wide ones
{
  const open = $('.people [aria-current]')?.parentElement, list = $('.people'), pane = list?.closest('.pane');
  if (open && list.scrollWidth > list.clientWidth) list.scrollLeft = open.offsetLeft - 16;
  else if (open && pane.scrollHeight > pane.clientHeight && open.offsetTop + open.offsetHeight > pane.clientHeight) pane.scrollTop = open.offsetTop - pane.clientHeight / 2;
}

// htmx sends the token of the page with every request
document.body.addEventListener('htmx:configRequest', event => { event.detail.headers['X-CSRF-Token'] = token(); });

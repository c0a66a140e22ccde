// The canvas of an annotation, the findings, decisions with their effect, sliders beside number fields.
// Every page works without it: findings are links, choices carry what the score becomes.
import { inField, keysOn } from './keys.js';
const $ = (selector, inside = document) => inside.querySelector(selector);
const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// ── The canvas ──────────────────────────────────────────────────────────
const stage = $('.stage');
if (stage) {
  const W = +stage.dataset.w, H = +stage.dataset.h, box = { x: 0, y: 0, w: W, h: H };
  const shapes = $$('.shape'), pins = $$('.pin');
  stage.classList.toggle('many', pins.length > 60);
  const draw = () => { stage.setAttribute('viewBox', `${box.x} ${box.y} ${box.w} ${box.h}`); $('#zoom').textContent = `${Math.round(W / box.w * 100)} %`; place(); };
  // Numbers keep their size on screen, whatever the zoom; one that would cover another goes beside its corner, or waits for more room
  const corners = w => [[0, 0], [0, 21], [w + 3, 0], [-w - 3, 0], [w + 3, 21], [-w - 3, 21]];
  const place = () => {
    const k = 1 / (stage.getScreenCTM()?.a || 1), taken = [];
    stage.style.setProperty('--k', k.toFixed(4));
    for (const pin of [...pins].sort((a, b) => b.classList.contains('sel') - a.classList.contains('sel'))) {
      const w = +pin.firstElementChild.getAttribute('width'), x = pin.dataset.x / k, y = Math.max(pin.dataset.y / k, 22);
      const free = ([dx, dy]) => taken.every(([l, t, r]) => x + dx >= r || x + dx + w <= l || y + dy - 21 >= t + 19 || y + dy - 2 <= t);
      const at = corners(w).find(free), [dx, dy] = at ?? [0, 0];
      pin.classList.toggle('crowded', !at);
      if (at) taken.push([x + dx, y + dy - 21, x + dx + w]);
      pin.setAttribute('transform', `translate(${((x + dx) * k).toFixed(2)} ${((y + dy) * k).toFixed(2)}) scale(${k.toFixed(4)})`);
    }
  };
  new ResizeObserver(place).observe(stage);
  const point = event => { const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.getScreenCTM().inverse()); return [p.x, p.y]; };
  const zoom = (factor, cx = box.x + box.w / 2, cy = box.y + box.h / 2) => {
    const w = Math.min(W * 1.2, Math.max(W / 40, box.w / factor)), k = w / box.w;
    box.x = cx - (cx - box.x) * k; box.y = cy - (cy - box.y) * k; box.w = w; box.h *= k; draw();
  };
  const fit = () => { Object.assign(box, { x: 0, y: 0, w: W, h: H }); draw(); };
  stage.addEventListener('wheel', event => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), ...point(event)); }, { passive: false });

  // One finger or the mouse drags, two fingers zoom
  const held = new Map();
  let moved = 0, apart = 0;
  stage.addEventListener('pointerdown', event => { held.set(event.pointerId, event); if (held.size === 1) moved = 0; apart = 0; });
  stage.addEventListener('pointermove', event => {
    const last = held.get(event.pointerId);
    if (!last) return;
    held.set(event.pointerId, event);
    if (held.size === 2) {
      const [a, b] = [...held.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (apart) zoom(now / apart, ...point({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
      apart = now; moved = 9;
      return;
    }
    const k = stage.getScreenCTM().a, dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4) stage.setPointerCapture(event.pointerId);
    box.x -= dx / k; box.y -= dy / k; draw();
  });
  for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, event => { held.delete(event.pointerId); apart = 0; });

  // ── Findings ──────────────────────────────────────────────────────────
  const links = $$('.findings a'), numbers = links.map(link => link.dataset.f);
  const why = $('.pane.why'), detail = $('#detail'), kept = new Map();
  let current = $('.findings [aria-current]')?.dataset.f ?? numbers[0];
  if (current) kept.set(current, detail.innerHTML);
  const load = async number => {
    if (!kept.has(number)) {
      const answer = await fetch(`${why.dataset.finding}&finding=${number}`);
      if (!answer.ok) throw new Error(answer.statusText);
      kept.set(number, await answer.text());
    }
    return kept.get(number);
  };
  const centre = link => { const strip = link.closest('.findings'); strip.scrollLeft = link.offsetLeft - strip.offsetLeft - strip.clientWidth / 2; };
  const mark = () => {
    for (const element of [...shapes, ...pins]) element.classList.toggle('sel', element.dataset.f === current);
    for (const pin of pins) if (pin.dataset.f === current) pin.parentNode.append(pin); // above its neighbours
    place();
    for (const link of links) {
      if (link.dataset.f !== current) { link.removeAttribute('aria-current'); continue; }
      link.setAttribute('aria-current', 'true'); centre(link);
    }
  };
  // A shape beyond the edge of a zoomed canvas is brought into view
  const reveal = () => {
    if (box.w >= W) return;
    const shape = shapes.find(s => s.dataset.f === current);
    if (!shape) return;
    const b = shape.getBBox(), air = 28 / (stage.getScreenCTM()?.a || 1); // room for the number
    const inside = b.x > box.x && b.x + b.width < box.x + box.w && b.y - air > box.y && b.y + b.height < box.y + box.h;
    if (!inside) { box.x = b.x + b.width / 2 - box.w / 2; box.y = b.y + b.height / 2 - box.h / 2; draw(); }
  };
  const select = async number => {
    current = number; mark(); reveal();
    try {
      const html = await load(number);
      if (current !== number) return;
      detail.innerHTML = html; decisions();
      $('#say').textContent = $('h2', detail)?.textContent ?? '';
      const address = new URL(location.href); address.searchParams.set('finding', number); history.replaceState(null, '', address);
      const next = numbers[(numbers.indexOf(number) + 1) % numbers.length];
      load(next).catch(() => {});
    } catch { location.href = links[numbers.indexOf(number)].href; }
  };
  const step = by => { if (numbers.length) select(numbers[(numbers.indexOf(current) + by + numbers.length) % numbers.length]); };
  for (const link of links) link.addEventListener('click', event => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); select(link.dataset.f); });
  for (const link of links) link.addEventListener('focus', () => { if (link.matches(':focus-visible')) centre(link); });
  for (const shape of shapes) shape.addEventListener('click', () => { if (moved < 5) select(shape.dataset.f); });
  $('#skip')?.addEventListener('click', event => { event.preventDefault(); step(1); });
  const toggle = key => { const button = $(`.tog[data-k="${key}"]`), on = button.getAttribute('aria-pressed') !== 'true'; button.setAttribute('aria-pressed', on); stage.classList.toggle(`hide-${key}`, !on); };
  for (const button of $$('.tog')) button.addEventListener('click', () => toggle(button.dataset.k));
  $('#fit').addEventListener('click', fit); $('#in').addEventListener('click', () => zoom(1.4)); $('#out').addEventListener('click', () => zoom(1 / 1.4));
  $('#prev').addEventListener('click', () => step(-1)); $('#next').addEventListener('click', () => step(1));
  addEventListener('keydown', event => {
    if (!keysOn() || inField(event)) return;
    const pan = (x, y) => { box.x += x * box.w / 12; box.y += y * box.h / 12; draw(); };
    const act = { n: () => step(1), p: () => step(-1), 0: fit, '+': () => zoom(1.4), '=': () => zoom(1.4), '-': () => zoom(1 / 1.4), g: () => toggle('g'), s: () => toggle('s'), m: () => toggle('m'), x: () => toggle('x') }[event.key]
      ?? (document.activeElement === stage ? { ArrowLeft: () => pan(-1, 0), ArrowRight: () => pan(1, 0), ArrowUp: () => pan(0, -1), ArrowDown: () => pan(0, 1) }[event.key] : null);
    if (act) { act(); event.preventDefault(); }
  });
  mark();
  // After a decision the page is this one again: the keyboard goes on where it was, and what was saved is read aloud
  if (location.search.includes('finding=') && document.referrer.split('?')[0] === location.origin + location.pathname) {
    $('h2', detail)?.focus({ preventScroll: true });
    setTimeout(() => { $('#say').textContent = $('#say').dataset.happened; }, 200); // a live region tells what changes, not what was there
  }
}

// ── Decisions: one primary action, whose words follow the choice ────────
function decisions() {
  const form = $('#ov'), button = $('#decide');
  if (!form || !button) return;
  const points = $('#points', form), effect = $('#points-effect', form);
  const own = $('input[data-points]', form);
  const words = () => {
    const chosen = $('input[name=choice]:checked', form), confirm = !chosen || 'right' in chosen.dataset;
    button.textContent = confirm ? chosen?.dataset.right ?? 'Save' : chosen.dataset.final ? `Save override: ${chosen.dataset.final}` : 'Show the effect';
    const reason = $('#reason', form);
    if (reason) reason.required = !confirm;
  };
  let waiting = 0;
  const ask = () => {
    own.checked = true; delete own.dataset.final; effect.textContent = ''; own.value = `||${own.dataset.target}`; words();
    clearTimeout(waiting);
    const value = points.value;
    if (value === '' || !points.checkValidity()) return;
    waiting = setTimeout(async () => {
      const answer = await fetch(`${form.dataset.effect}?${new URLSearchParams({ target: own.dataset.target, value })}`);
      if (!answer.ok || points.value !== value) return;
      const { becomes } = await answer.json();
      effect.textContent = `${button.dataset.confirm} → ${becomes}`;
      own.dataset.final = becomes; own.value = `${becomes}|${value}|${own.dataset.target}`; words();
    }, 200);
  };
  points?.addEventListener('input', ask);
  own?.addEventListener('change', () => { if (own.checked) points.focus(); });
  for (const radio of $$('input[name=choice]', form)) radio.addEventListener('change', words);
  words();
}
decisions();

// ── Rules: a slider beside each number; weights of one match always add up to 100 ──
const twins = new Map();
for (const row of $$('[data-slider]')) {
  const field = $('input[type=number]', row), range = document.createElement('input');
  Object.assign(range, { type: 'range', min: field.min, max: field.max, step: field.dataset.step, value: field.value });
  range.setAttribute('aria-label', `${$('label', row).textContent}, slider`);
  field.parentElement.before(range);
  twins.set(field, range);
  const group = row.closest('[data-sum]');
  const share = () => {
    if (!group) return;
    const others = $$('input[type=number]', group).filter(other => other !== field);
    const left = Math.max(0, 100 - field.value), sum = others.reduce((total, other) => total + +other.value, 0);
    let used = 0;
    others.forEach((other, i) => {
      const part = i === others.length - 1 ? left - used : Math.round(sum ? left * other.value / sum : left / others.length);
      other.value = Math.round(part * 100) / 100; used += +other.value; twins.get(other).value = other.value;
    });
  };
  range.addEventListener('input', () => { field.value = range.value; share(); });
  field.addEventListener('change', () => { range.value = field.value; share(); });
}
// What the rules of the form would do, shown as they are moved; nothing is saved
const rules = $('#rules'), shown = $('#preview'), effect = $('#effect');
let soon = 0, asked = 0;
const clear = () => { clearTimeout(soon); asked += 1; shown.replaceChildren(); effect.hidden = false; };
const tell = async () => {
  const mine = ++asked;
  const answer = await fetch(`${$('#show-effect').getAttribute('formaction')}?part=true`, { method: 'POST', body: new FormData(rules) });
  if (mine !== asked) return;
  if (!answer.ok) { clear(); return; } // the field says what is wrong once the form is sent
  shown.innerHTML = await answer.text();
  effect.hidden = true;
};
if (rules && $('#show-effect')) {
  $('#show-effect').hidden = true;
  for (const kind of ['input', 'change']) addEventListener(kind, event => {
    if (event.target.form === rules || event.target.type === 'range') { clearTimeout(soon); soon = setTimeout(tell, 350); }
  });
}
rules?.addEventListener('reset', () => setTimeout(() => { for (const [field, range] of twins) range.value = field.value; clear(); }));

// ── The table of grades: / goes to the search ───────────────────────────
const find = $('#find');
addEventListener('keydown', event => { if (event.key === '/' && find && keysOn() && !inField(event)) { find.focus(); event.preventDefault(); } });

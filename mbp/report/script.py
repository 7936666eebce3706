"""The script of a replay page: slider, buttons, keys, moves list. It knows no game and no network.

The page's data block has `shapes`, each once as SVG, `words`, each sentence once, and `steps`: for
each entry its shapes and sentences by number, and what is said of it. All of it was escaped when it
was written, and foreign text of a step is set as text, never as markup.
"""

from __future__ import annotations

SCRIPT = """
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const find = id => document.getElementById(id);
const board = find('board'), slider = find('slider'), cursor = find('cursor');
const buttons = [...document.querySelectorAll('.moves button')];
const last = data.steps.length - 1;
let now = last;
let resting;  // browsers forbid to set the address at every step of a held key

function show(step, speak) {
  now = Math.min(last, Math.max(0, step));
  const here = data.steps[now];
  if (here.s) board.innerHTML = here.s.map(number => data.shapes[number]).join('');
  board.style.visibility = here.s ? 'visible' : 'hidden';
  find('words').replaceChildren(...(here.w || []).map(number => {
    const item = document.createElement('li');
    item.textContent = data.words[number];
    return item;
  }));
  find('who').textContent = 'Entry ' + now + ', ' + here.h;
  find('what').textContent = here.t;
  find('note').textContent = here.n ? '\\u201c' + here.n + '\\u201d' : '';
  slider.value = now;
  slider.setAttribute('aria-valuetext', 'entry ' + now + ' of ' + last + ': ' + here.t);
  find('first').disabled = find('back').disabled = now === 0;
  find('next').disabled = find('end').disabled = now === last;
  cursor.setAttribute('x1', here.x);
  cursor.setAttribute('x2', here.x);
  buttons.forEach((button, number) => {
    if (number === now) button.setAttribute('aria-current', 'step');
    else button.removeAttribute('aria-current');
  });
  const list = find('moves'), item = buttons[now];
  const top = item.offsetTop, bottom = top + item.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  if (speak) {
    clearTimeout(resting);
    resting = setTimeout(() => history.replaceState(null, '', '#' + now), 300);
  }
}

function great(direction) {
  for (let step = now + direction; step >= 0 && step <= last; step += direction)
    if (data.steps[step].g) return step;
  return direction > 0 ? last : 0;
}

find('first').addEventListener('click', () => show(0, true));
find('back').addEventListener('click', () => show(now - 1, true));
find('next').addEventListener('click', () => show(now + 1, true));
find('end').addEventListener('click', () => show(last, true));
slider.addEventListener('input', () => show(Number(slider.value), true));
buttons.forEach((button, number) => button.addEventListener('click', () => show(number, true)));
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === slider) return;
  const step = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last}[event.key];
  const far = {n: 1, p: -1}[event.key];
  if (step === undefined && far === undefined) return;
  event.preventDefault();
  show(far === undefined ? step : great(far), true);
});
slider.max = last;
find('steer').hidden = false;
const asked = Number((location.hash || '').slice(1));
show(location.hash && Number.isInteger(asked) ? asked : last, false);
"""


def script() -> str:
    """The script as it stands in a page."""
    return SCRIPT.strip()

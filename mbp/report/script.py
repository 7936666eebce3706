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
const player = find('player'), list = find('moves');
const buttons = [...list.querySelectorAll('button')];
const last = data.steps.length - 1;
let now = last;
let resting;  // browsers forbid to set the address at every step of a held key

function show(step, speak) {
  mark(buttons[now], false);
  now = Math.min(last, Math.max(0, step));
  mark(buttons[now], true);
  if (list.contains(document.activeElement)) buttons[now].focus({preventScroll: true});
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
  cursor.setAttribute('x1', here.x);
  cursor.setAttribute('x2', here.x);
  const item = buttons[now], top = item.offsetTop, bottom = top + item.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  if (speak) {
    clearTimeout(resting);
    resting = setTimeout(() => history.replaceState(null, '', '#' + now), 300);
  }
}

function mark(button, here) {
  button.tabIndex = here ? 0 : -1;
  if (here) button.setAttribute('aria-current', 'step');
  else button.removeAttribute('aria-current');
}

function great(direction) {
  for (let step = now + direction; step >= 0 && step <= last; step += direction)
    if (data.steps[step].g) return step;
  return direction > 0 ? last : 0;
}

const leads = {
  first: () => 0, back: () => now - 1, next: () => now + 1, end: () => last,
  lastgreat: () => great(-1), nextgreat: () => great(1),
};
for (const [id, lead] of Object.entries(leads))
  if (find(id)) find(id).addEventListener('click', () => show(lead(), true));
slider.addEventListener('input', () => show(Number(slider.value), true));
buttons.forEach((button, number) => button.addEventListener('click', () => show(number, true)));

const everywhere = {ArrowRight: 'next', ArrowLeft: 'back', Home: 'first', End: 'end'};
const inList = {ArrowDown: 'next', ArrowUp: 'back'};
const inPlayer = {n: 'nextgreat', p: 'lastgreat'};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key, from = event.target;
  const lead = (from !== slider && everywhere[key]) ||
    (list.contains(from) && inList[key]) || (player.contains(from) && inPlayer[key]);
  if (!lead) return;
  event.preventDefault();
  show(leads[lead](), true);
});
slider.max = last;
find('steer').hidden = false;
const asked = Number((location.hash || '').slice(1));
show(location.hash && Number.isInteger(asked) ? asked : last, false);
"""


def script() -> str:
    """The script as it stands in a page."""
    return SCRIPT.strip()

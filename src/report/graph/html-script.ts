/** Behavior of the page in a browser: keys, details, search, theme. Plain JavaScript without any load. */
export const pageScript = `'use strict';
const graph = JSON.parse(document.getElementById('graph').textContent);
const elements = graph.nodes.map((_, index) => document.getElementById('n' + index));
const details = document.getElementById('details');
const find = document.getElementById('find');
const found = document.getElementById('found');
const rank = new Map(graph.rows.map((row, index) => [row.name, index]));
const columns = graph.channels.map((channel) => graph.nodes
  .map((node, index) => ({ node, index }))
  .filter(({ node }) => node.channel === channel.name)
  .sort((a, b) => rank.get(a.node.name) - rank.get(b.node.name))
  .map(({ index }) => index));
let current = -1;

function columnOf(index) { return columns.findIndex((column) => column.includes(index)); }

function focusNode(index) {
  if (index === undefined || !elements[index]) return;
  elements[index].focus({ preventScroll: true });
  elements[index].scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function nearestIn(column, name) {
  const wanted = rank.get(name);
  return column.reduce((best, index) => best === undefined ||
    Math.abs(rank.get(graph.nodes[index].name) - wanted) < Math.abs(rank.get(graph.nodes[best].name) - wanted)
    ? index : best, undefined);
}

function move(index, key) {
  const at = columnOf(index);
  const column = columns[at];
  const place = column.indexOf(index);
  if (key === 'ArrowUp') return column[place - 1];
  if (key === 'ArrowDown') return column[place + 1];
  if (key === 'Home') return column[0];
  if (key === 'End') return column[column.length - 1];
  const step = key === 'ArrowRight' ? 1 : -1;
  for (let next = at + step; columns[next]; next += step) {
    if (columns[next].length > 0) return nearestIn(columns[next], graph.nodes[index].name);
  }
  return undefined;
}

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function listEdges(title, edges, other) {
  if (edges.length === 0) return;
  element('h3', title, details);
  const list = element('ul', undefined, details);
  for (const edge of edges) {
    const item = element('li', undefined, list);
    if (edge.breaks !== undefined) item.className = 'broken';
    const button = element('button', edge[other], item);
    button.type = 'button';
    const channel = other === 'to' ? edge.channel : edge.fromChannel || edge.channel;
    button.addEventListener('click', () => focusNode(graph.nodes.findIndex((node) =>
      node.channel === channel && node.name === edge[other])));
    const place = edge.fromChannel === undefined ? '' : other === 'to' ? ', into channel ' + channel : ', of channel ' + channel;
    element('span', ' ' + edge.kind + place + (edge.breaks === undefined ? '' : ' — ' + edge.breaks), item);
  }
}

function listWay(node) {
  const way = graph.edges.filter((edge) => edge.isOnPath && edge.channel === node.channel);
  const steps = [];
  for (let at = node.name, next; (next = way.find((edge) => edge.from === at)) && !steps.includes(next); at = next.to) steps.push(next);
  element('h3', steps.length === 0 ? 'No update leads on from here' : 'The way from here: ' + steps.length + (steps.length === 1 ? ' update' : ' updates'), details);
  const list = element('ol', undefined, details);
  for (const step of steps) element('li', step.to + ' ' + step.kind + ' ' + step.from + (step.breaks === undefined ? '' : ' — ' + step.breaks), list);
}

function show(index) {
  const node = graph.nodes[index];
  const row = graph.rows[rank.get(node.name)];
  details.replaceChildren();
  element('h2', node.name, details);
  element('p', node.words, details);
  if (row.deprecation !== undefined) element('p', 'Deprecated: ' + row.deprecation, details).className = 'note';
  if (node.isInstalled) listWay(node);
  const own = graph.edges.filter((edge) => edge.from !== edge.to);
  listEdges('Updates to', own.filter((edge) => edge.from === node.name && (edge.fromChannel || edge.channel) === node.channel), 'to');
  listEdges('Takes over from', own.filter((edge) => edge.to === node.name && edge.channel === node.channel), 'from');
}

elements.forEach((each, index) => {
  each.setAttribute('tabindex', '-1');
  each.addEventListener('focus', () => {
    if (current >= 0) elements[current].setAttribute('tabindex', '-1');
    current = index;
    each.setAttribute('tabindex', '0');
    show(index);
  });
  each.addEventListener('click', () => focusNode(index));
  each.addEventListener('keydown', (event) => {
    if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    focusNode(move(index, event.key));
  });
});
const start = graph.nodes.findIndex((node) => node.isInstalled);
const head = graph.nodes.findIndex((node) => node.channel === (graph.channels[0] || {}).name && node.state === 'head');
const first = start >= 0 ? start : head >= 0 ? head : columns.flat()[0];
if (matchMedia('(max-width: 700px)').matches) document.querySelector('.marks').open = false;
if (first !== undefined) {
  elements[first].setAttribute('tabindex', '0');
  current = first;
  elements[first].scrollIntoView({ block: 'center', inline: 'center' });
  show(first);
}

function search() {
  const text = find.value.trim();
  const matches = text === '' ? [] : columns.flat().filter((index) => graph.nodes[index].name.includes(text));
  found.textContent = text === '' ? '' : matches.length + ' found';
  return matches;
}
find.addEventListener('input', search);
find.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') { event.preventDefault(); focusNode(search()[0]); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === find) return;
  event.preventDefault();
  find.focus();
});
document.getElementById('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches : root.dataset.theme === 'dark';
  root.dataset.theme = isDark ? 'light' : 'dark';
});
`;

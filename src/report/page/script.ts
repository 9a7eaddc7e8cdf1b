/** Buttons that copy what an element holds. */
export const copyScript = `const byId = (id) => document.getElementById(id);
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.addEventListener('click', async () => {
    const text = byId(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page from a file may not: what is selected can be copied.
      getSelection().selectAllChildren(byId(button.dataset.copy));
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}`;

/** Behavior of the page in a browser: search, filter, copy, walk. Plain JavaScript that loads nothing. */
export const pageScript = `'use strict';
${copyScript}
const findings = [...document.querySelectorAll('.finding')];
const [find, severity, rule, shown] = ['find', 'severity', 'rule', 'shown'].map(byId);
const selects = [severity, rule].filter(Boolean);

function filter() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const isFiltering = words.length > 0 || selects.some(({ value }) => value !== '');
  let count = 0;
  for (const finding of findings) {
    const text = (finding.textContent + ' ' + finding.closest('section').dataset.name).toLowerCase();
    const isWanted = selects.every(({ id, value }) => value === '' || finding.dataset[id] === value) &&
      words.every((word) => text.includes(word));
    finding.hidden = !isWanted;
    if (isWanted) count++;
    const fold = finding.closest('.harmless');
    if (fold && isFiltering && isWanted) fold.open = true;
  }
  for (const result of document.querySelectorAll('section.result')) {
    result.hidden = isFiltering && !result.querySelector('.finding:not([hidden])');
  }
  shown.textContent = (count === findings.length ? '' : count + ' of ') + findings.length + ' findings';
}

function walk(step) {
  const seen = findings.filter((finding) => finding.checkVisibility());
  const at = seen.indexOf(document.activeElement);
  seen[at < 0 ? (step > 0 ? 0 : seen.length - 1) : (at + step + seen.length) % seen.length]?.focus();
}

if (find) {
  for (const control of [find, ...selects]) control.addEventListener('input', filter);
  filter();
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && event.target === find) { find.value = ''; filter(); find.blur(); return; }
  if (/^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === '/' && find) { event.preventDefault(); find.focus(); }
  else if (event.key === 'n') walk(1);
  else if (event.key === 'p') walk(-1);
});

// A link may lead to a card that is folded away.
function openTarget() {
  const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.closest('details');
  if (fold) { fold.open = true; target.scrollIntoView(); }
}
addEventListener('hashchange', openTarget);
openTarget();
addEventListener('beforeprint', () => {
  for (const branch of document.querySelectorAll('details')) branch.open = true;
});
`;

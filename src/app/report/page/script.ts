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

/** What the page does in a browser: find, filter, copy, walk. Plain JavaScript that loads nothing. */
export const pageScript = `'use strict';
${copyScript}
const findings = [...document.querySelectorAll('.finding')];
const results = [...document.querySelectorAll('section.result')];
const [find, severity, audience, rule, shown] = ['find', 'severity', 'audience', 'rule', 'shown'].map(byId);

function filter() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const finding of findings) {
    const text = (finding.textContent + ' ' + finding.closest('section').dataset.name).toLowerCase();
    const isWanted = [severity, audience, rule].every(({ id, value }) => value === '' || finding.dataset[id] === value) &&
      words.every((word) => text.includes(word));
    finding.hidden = !isWanted;
    if (isWanted) count++;
  }
  const isFiltering = words.length > 0 || [severity, audience, rule].some(({ value }) => value !== '');
  for (const result of results) {
    result.hidden = isFiltering && !result.querySelector('.finding:not([hidden])');
    for (const branch of result.querySelectorAll('.tree details')) {
      branch.hidden = isFiltering && !branch.querySelector('.finding:not([hidden])');
    }
  }
  shown.textContent = (count === findings.length ? '' : count + ' of ') + findings.length + (findings.length === 1 ? ' finding' : ' findings');
}

for (const control of [find, severity, audience, rule]) control.addEventListener('input', filter);

addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && event.target === find) { find.value = ''; filter(); find.blur(); return; }
  if (isTyping) return;
  if (event.key === '/') { event.preventDefault(); find.focus(); return; }
  const step = { n: 1, p: -1 }[event.key];
  if (step === undefined) return;
  const seen = findings.filter((finding) => !finding.hidden);
  const at = seen.indexOf(document.activeElement);
  const next = seen[at < 0 ? (step > 0 ? 0 : seen.length - 1) : (at + step + seen.length) % seen.length];
  if (!next) return;
  for (let branch = next.parentElement; branch; branch = branch.parentElement) {
    if (branch.tagName === 'DETAILS') branch.open = true;
  }
  next.focus();
});

addEventListener('beforeprint', () => {
  for (const branch of document.querySelectorAll('details')) branch.open = true;
});
filter();
`;

/** `npm run site`: the documentation as a site in site/dist, made of docs/ by VitePress, which refuses dead links. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { filesUrl } from '../src/text/package.js';
import { buildCheckPage, installSite, runInSite } from './check-page.js';
import { libraryEntries } from './library-entries.js';
import { ruleTitles } from './rules-document.js';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const pages = join(site, '.cache', 'pages');
/** Where it is served from. */
const base = process.env['SITE_BASE'] ?? '/';

installSite();
rmSync(pages, { recursive: true, force: true });
const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
for (const file of documents.filter((each) => each.endsWith('.md'))) {
  const path = join(pages, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pageOf(readFileSync(join(root, 'docs', file), 'utf8'), `docs/${file}`));
}
// Beside the pages for images in them, and as they are for links.
for (const folder of [pages, join(pages, 'public')]) {
  cpSync(join(root, 'docs', 'graphs'), join(folder, 'graphs'), {
    recursive: true,
    filter: (file) => !file.endsWith('.md'),
  });
}
cpSync(join(root, 'docs', 'openapi.json'), join(pages, 'public', 'openapi.json'));
writeFileSync(join(pages, 'index.md'), home());
writeFileSync(join(pages, 'decisions', 'index.md'), decisions());
await buildCheckPage(join(pages, 'public', 'check'));
writeFileSync(join(pages, 'sidebar.json'), JSON.stringify(sidebar()));

runInSite('npx', [
  ...['typedoc', '--plugin', 'typedoc-plugin-markdown', '--tsconfig', '../tsconfig.json'],
  // Types are checked by lint.
  ...['--skipErrorChecking', '--treatWarningsAsErrors', '--disableSources', '--readme', 'none'],
  // Not in the file that the package's types are made of.
  ...['--intentionallyNotExported', 'MessageValue'],
  ...['--outputFileStrategy', 'modules', '--hideBreadcrumbs', '--hidePageHeader'],
  ...['--sort', 'source-order', '--entryFileName', 'index', '--out', join(pages, 'library')],
  ...libraryEntries.map(({ file }) => join(root, file)),
]);
runInSite('npm', ['run', 'build']);
const dead = deadLinks();
for (const link of dead) console.error(`nothing is at ${link}`);
if (dead.length > 0) process.exit(1);

/** Links of the site to itself that lead to no file: VitePress checks only those from page to page. */
function deadLinks(): string[] {
  const dist = join(site, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const there = new Set(
    files.flatMap((file) => [file, file.replace(/(^|\/)index\.html$|\.html$/, '$1')]),
  );
  const linksOf = (file: string): string[] =>
    [
      ...readFileSync(join(dist, file), 'utf8').matchAll(/(?:href|src)="(?![a-z]+:|#)([^"#?]+)/g),
    ].map(([, link = '']) => link);
  const isDead = (link: string, file: string): boolean => {
    const { pathname } = new URL(link, `http://site${base}${file}`);
    return !pathname.startsWith(base) || !there.has(decodeURI(pathname.slice(base.length)));
  };
  const htmlFiles = files.filter((file) => file.endsWith('.html'));
  return htmlFiles.flatMap((file) =>
    linksOf(file)
      .filter((link) => isDead(link, file))
      .map((link) => `${link} of ${file}`),
  );
}

/** A page whose links out of docs lead to the files of this version; what no package holds is only named. */
function pageOf(text: string, file: string): string {
  return text
    .replaceAll(/^```mermaid\n[^]*?^```\n/gm, '')
    .replaceAll(/\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (link, path: string, anchor = '') => {
      const target = posix.join(posix.dirname(file), path);
      if (target.startsWith('docs/')) {
        if (target === 'docs/openapi.json') return `](${base}openapi.json){target="_self"}`;
        return target === 'docs/decisions' ? '](/decisions/)' : link;
      }
      return `](${filesUrl}/${target}${String(anchor)})`;
    });
}

function home(): string {
  return `---
layout: home
hero:
  name: olm-guard
  text: One gate for operator upgrades
  tagline: It says what a change would break before it is applied, with the verdicts and texts of OLM, and shows an object that would break.
  actions:
    - { theme: brand, text: Check a definition here, link: /check/, target: _self }
    - { theme: alt, text: Commands, link: /commands }
    - { theme: alt, text: Install the gate, link: /operations }
    - { theme: alt, text: All rules, link: /rules }
features:
  - title: Admission webhook
    details: The API server asks it about CustomResourceDefinitions, OperatorGroups and the rest of OLM's objects, whoever applies them.
    link: /operations
  - title: Command line, hook and Action
    details: The same questions before anything is applied, in CI, in a GitOps hook or at a prompt.
    link: /commands
  - title: Proof
    details: Each finding is shown by an object that would be refused or lose data, made up or your own.
    link: /decisions/proof
---

![A report: a removed field, the object that loses its value, and the change that mends it](./graphs/report.png)
`;
}

function sidebar(): object[] {
  const section = (text: string, names: readonly string[]): object => ({
    text,
    collapsed: false,
    items: names.map((name) => ({ text: titleOf(name), link: `/${name}` })),
  });
  return [
    section('Use', [
      'commands',
      'verdicts',
      'manifests',
      'resolution',
      'coverage',
      'compatibility',
    ]),
    {
      text: 'Library',
      collapsed: false,
      items: libraryEntries.map(({ name }) => ({ text: name, link: `/library/${name}` })),
    },
    section('Operate', [
      ...['operations', 'policy', 'sidecar', 'runbook', 'metrics', 'client-certificate', 'mirrors'],
      ...['threat-model', 'reliability', 'performance'],
    ]),
    section('Inside', ['architecture', 'decisions/', 'releasing', 'roadmap']),
    {
      text: 'Rules',
      link: '/rules',
      collapsed: true,
      // Each page holds the whole sidebar: the rules themselves would be most of the site.
      items: ruleTitles.map((title) => ({ text: title, link: `/rules#${slugify(title)}` })),
    },
  ];
}

function decisionPages(): string[] {
  return documents
    .filter((file) => /^decisions\/.*\.md$/.test(file))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();
}

function decisions(): string {
  const items = decisionPages().map((page) => `- [${titleOf(page)}](/${page})`);
  return `# Decisions\n\nOne page for each choice that would surprise a reader.\n\n${items.join('\n')}\n`;
}

/** As VitePress names headings. */
function slugify(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function titleOf(page: string): string {
  if (page === 'decisions/') return 'Decisions';
  const file = `${page}.md`;
  const [, title = manifest.name] =
    /^# (.+)$/m.exec(readFileSync(join(root, 'docs', file), 'utf8')) ?? [];
  return title;
}

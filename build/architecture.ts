/** What is made from the table of areas and from the code: the map in docs/architecture.md, and the README.md of each folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { areas, type Area, type Folder } from './areas.js';
import { table } from './rules-document.js';

const root = join(import.meta.dirname, '..');
const begin = '<!-- made by npm run docs -->';
const end = '<!-- end -->';

/** The page with its generated parts anew. */
export function architecturePage(): string {
  const text = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n\n${picture()}\n${overview()}\n${end}${after}`;
}

/** The README.md of each area, and of each folder in it that says what comes in and what goes out. */
export const folderPages: readonly { readonly file: string; readonly text: () => string }[] =
  areas.flatMap((area) => indexesBelow(area, area, ['src', area.name]));

function indexesBelow(
  folder: Folder,
  area: Area,
  path: readonly string[],
): { file: string; text: () => string }[] {
  const below = (folder.folders ?? []).flatMap((each) =>
    indexesBelow(each, area, [...path, each.name]),
  );
  if (folder.takes === undefined) return below;
  return [
    { file: [...path, 'README.md'].join('/'), text: () => index(folder, area, path) },
    ...below,
  ];
}

function index(folder: Folder, area: Area, path: readonly string[]): string {
  const source = '../'.repeat(path.length - 1);
  const imports = area.imports.map((name) => `[${name}](${source}${name})`).join(', ');
  const own = path.length > 2 ? `the rest of [${area.name}](${source}${area.name}), ` : '';
  const lines = [
    `- **In**: ${folder.takes ?? ''}`,
    `- **Out**: ${folder.gives ?? ''}`,
    `- **May import**: ${own}${imports === '' ? 'nothing else of src' : imports}.`,
    `- **Begin with**: ${(folder.begin ?? []).map((file) => `[${file}](${file})`).join(', ')}`,
  ];
  const folders = (folder.folders ?? []).map(({ name, holds }) => [`[${name}](${name})`, holds]);
  return [
    `<!-- made by npm run docs from build/areas.js -->\n\n# ${path.join('/')}\n`,
    `${folder.holds}\n`,
    `${lines.join('\n')}\n`,
    ...(folders.length > 0 ? [table(['Folder', 'Holds'], folders)] : []),
  ].join('\n');
}

function overview(): string {
  return areas.map(({ name, holds }) => `- [src/${name}](../src/${name}): ${holds}\n`).join('');
}

/** Arrows are the imports that there really are; an area that is reached through another has none of its own. */
function picture(): string {
  const edges = importsOfAreas();
  const arrows = areas.flatMap(({ name }) => {
    const direct = [...(edges.get(name) ?? [])];
    const through = new Set(direct.flatMap((each) => [...reach(each, edges)]));
    return direct.filter((each) => !through.has(each)).map((each) => `  ${name} --> ${each}`);
  });
  return ['```mermaid', 'flowchart TD', ...arrows, '```', ''].join('\n');
}

function reach(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const queue = [...(edges.get(from) ?? [])];
  for (let area = queue.pop(); area !== undefined; area = queue.pop()) {
    if (found.has(area)) continue;
    found.add(area);
    queue.push(...(edges.get(area) ?? []));
  }
  return found;
}

/** Which areas each area imports, tests apart; in the order of the table. */
function importsOfAreas(): ReadonlyMap<string, ReadonlySet<string>> {
  const source = join(root, 'src');
  return new Map(
    areas.map(({ name }) => {
      const files = readdirSync(join(source, name), { recursive: true, encoding: 'utf8' });
      const imported = files
        .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing\/|testdata\//.test(file))
        .flatMap((file) => areasImportedBy(join(source, name, file), source));
      const others = areas.map((area) => area.name).filter((each) => each !== name);
      return [name, new Set(others.filter((each) => imported.includes(each)))];
    }),
  );
}

function areasImportedBy(file: string, source: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(source, join(dirname(file), fileName)).split('/')[0] ?? '');
}

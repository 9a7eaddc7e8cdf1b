/** What is made from the table of rooms and from the code: the map in docs/architecture.md, and the index of each room. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { rooms, type Folder, type Room } from './rooms.js';
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

/** The README.md of each room, and of each folder in it that says what comes in and what goes out. */
export const roomIndexes: readonly { readonly file: string; readonly text: () => string }[] =
  rooms.flatMap((room) => indexesBelow(room, room, ['src', room.name]));

function indexesBelow(
  folder: Folder,
  room: Room,
  path: readonly string[],
): { file: string; text: () => string }[] {
  const below = (folder.folders ?? []).flatMap((each) =>
    indexesBelow(each, room, [...path, each.name]),
  );
  if (folder.takes === undefined) return below;
  return [
    { file: [...path, 'README.md'].join('/'), text: () => index(folder, room, path) },
    ...below,
  ];
}

function index(folder: Folder, room: Room, path: readonly string[]): string {
  const source = '../'.repeat(path.length - 1);
  const imports = room.imports.map((name) => `[${name}](${source}${name})`).join(', ');
  const own = path.length > 2 ? `the rest of [${room.name}](${source}${room.name}), ` : '';
  const lines = [
    `- **In**: ${folder.takes ?? ''}`,
    `- **Out**: ${folder.gives ?? ''}`,
    `- **May import**: ${own}${imports === '' ? 'nothing else of src' : imports}.`,
    `- **Begin with**: ${(folder.begin ?? []).map((file) => `[${file}](${file})`).join(', ')}`,
  ];
  const folders = (folder.folders ?? []).map(({ name, holds }) => [`[${name}](${name})`, holds]);
  return [
    `<!-- made by npm run docs from build/rooms.js -->\n\n# ${path.join('/')}\n`,
    `${folder.holds}\n`,
    `${lines.join('\n')}\n`,
    ...(folders.length > 0 ? [table(['Folder', 'Holds'], folders)] : []),
  ].join('\n');
}

function overview(): string {
  return table(
    ['Room', 'Holds', 'May import'],
    rooms.map(({ name, holds, imports }) => [
      `[src/${name}](../src/${name})`,
      holds,
      imports.length === 0 ? 'nothing' : imports.join(', '),
    ]),
  );
}

/** Arrows are the imports that there really are; a room that is reached through another has none of its own. */
function picture(): string {
  const edges = importsOfRooms();
  const arrows = rooms.flatMap(({ name }) => {
    const direct = [...(edges.get(name) ?? [])];
    const through = new Set(direct.flatMap((each) => [...reach(each, edges)]));
    return direct.filter((each) => !through.has(each)).map((each) => `  ${name} --> ${each}`);
  });
  return ['```mermaid', 'flowchart TD', ...arrows, '```', ''].join('\n');
}

function reach(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const queue = [...(edges.get(from) ?? [])];
  for (let room = queue.pop(); room !== undefined; room = queue.pop()) {
    if (found.has(room)) continue;
    found.add(room);
    queue.push(...(edges.get(room) ?? []));
  }
  return found;
}

/** Which rooms each room imports, tests apart; in the order of the table. */
function importsOfRooms(): ReadonlyMap<string, ReadonlySet<string>> {
  const source = join(root, 'src');
  return new Map(
    rooms.map(({ name }) => {
      const files = readdirSync(join(source, name), { recursive: true, encoding: 'utf8' });
      const imported = files
        .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing\/|testdata\//.test(file))
        .flatMap((file) => roomsImportedBy(join(source, name, file), source));
      const others = rooms.map((room) => room.name).filter((each) => each !== name);
      return [name, new Set(others.filter((each) => imported.includes(each)))];
    }),
  );
}

function roomsImportedBy(file: string, source: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(source, join(dirname(file), fileName)).split('/')[0] ?? '');
}

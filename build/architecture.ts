/** The part of docs/architecture.md that is made from the code: the rooms, and who imports whom. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { rooms } from './rooms.js';
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

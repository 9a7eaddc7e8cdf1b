/**
 * A plugin of esbuild: imports names that an index.ts re-exports from the files that declare them.
 * Otherwise each program would load all of an area, because chunks are made of whole files.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Imports and re-exports with braces, as prettier formats them. */
const statements = /^(import|export) \{([^}]*)\} from '(\.[^']*)';$/gm;

/** By index file, the names that it re-exports, each with the file and the name it comes from. */
const known = new Map();

export const directImports = {
  name: 'direct-imports',
  setup(bundling) {
    bundling.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const written = [...text.matchAll(statements)];
      const replaced = await Promise.all(written.map((statement) => direct(statement, path)));
      return { loader: 'ts', contents: text.replaceAll(statements, () => replaced.shift()) };
    });
  },
};

async function direct([statement, verb, list, from], path) {
  if (!from.endsWith('/index.js')) return statement;
  const file = fileOf(from, path);
  const lines = await Promise.all(
    specifiers(list).map(async ({ isType, name, as }) => {
      const { file: declared, name: original } = await declarationOf(file, name);
      const module = `./${relative(dirname(path), declared).replaceAll(sep, '/')}`;
      const kept = `${isType ? 'type ' : ''}${original} as ${as}`;
      return `${verb} { ${kept} } from '${module.replace(/\.ts$/, '.js')}';`;
    }),
  );
  return lines.join('');
}

/** Follows re-exports through any number of index files. */
async function declarationOf(file, name) {
  if (!file.endsWith(`${sep}index.ts`)) return { file, name };
  if (!known.has(file)) known.set(file, handedOn(file));
  const next = (await known.get(file)).get(name);
  return next === undefined ? { file, name } : declarationOf(next.file, next.name);
}

async function handedOn(path) {
  const text = await readFile(path, 'utf8');
  const exported = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']*)';$/gm)];
  return new Map(
    exported.flatMap(([, list, from]) =>
      specifiers(list).map(({ name, as }) => [as, { file: fileOf(from, path), name }]),
    ),
  );
}

function specifiers(list) {
  const [, ...found] = `,${list}`.split(/,\s*/);
  return found
    .map((each) => /^(type )?(\S+)(?: as (\S+))?\s*$/.exec(each))
    .filter(Boolean)
    .map(([, type, name, as = name]) => ({ isType: type !== undefined, name, as }));
}

function fileOf(from, path) {
  return join(dirname(path), from.replace(/\.js$/, '.ts'));
}

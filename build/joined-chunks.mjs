/**
 * Joins the chunks that a command always loads together into one file: Node takes about half a
 * millisecond to load a file, and a command has a hundred of them.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Bundled CommonJS packages call `require` for Node's own modules. */
const withRequire =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);";

/**
 * @param outputs the outputs in esbuild's metafile, whose files are in `dist`
 * @param command the source file whose chunks are joined, except for those that one of `apart` loads too
 * @param options options of esbuild
 */
export async function joinChunks(outputs, { dist, command, apart }, options) {
  const loaded = (entry) =>
    staticImports(
      outputs,
      Object.keys(outputs).find((path) => outputs[path].entryPoint === entry),
    );
  const others = new Set(apart.flatMap((entry) => [...loaded(entry)]));
  const joined = [...loaded(command)]
    .filter((path) => !others.has(path) && outputs[path].entryPoint === undefined)
    .map((path) => ({ file: basename(path), exports: outputs[path].exports }));
  const numberOf = new Map(joined.map(({ file }, index) => [file, index]));
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: joined.map(({ file, exports }, index) => exportAs(file, exports, index)).join('\n'),
      resolveDir: dist,
    },
    plugins: [{ name: 'the-others', setup: (bundling) => leaveOthers(bundling, numberOf) }],
    entryNames: '[name]-[hash]',
    outdir: dist,
    write: false,
  });
  const [{ path, text: joinedText }] = outputFiles;
  const target = basename(path).replace('stdin', 'joined');
  await Promise.all(joined.map(({ file }) => rm(join(dist, file))));
  await writeFile(join(dist, target), withRequire + joinedText);
  for (const output of Object.keys(outputs).map((each) => basename(each))) {
    if (numberOf.has(output)) continue;
    const text = await readFile(join(dist, output), 'utf8');
    const direct = text.replaceAll(imports, (statement, list = '', from) => {
      const index = numberOf.get(from);
      if (index === undefined) return statement;
      const names = list.replaceAll(
        /(?<=[{,])([\w$]+)( as )?/g,
        (_, name, as = ` as ${name}`) => nameIn(index, name) + as,
      );
      return `import${names}"./${target}";`;
    });
    const isRequiring = /\brequire\b/.test(direct);
    if (isRequiring || direct !== text) {
      await writeFile(join(dist, output), (isRequiring ? withRequire : '') + direct);
    }
  }
}

/** Import statements as esbuild writes them when it minifies. */
const imports = /import(\{[^{}]*\}from)?"\.\/([^"/]+\.js)";/g;

function staticImports(outputs, entry) {
  const found = new Set([entry]);
  for (const path of found) {
    for (const { kind, path: next } of outputs[path].imports) {
      if (kind === 'import-statement' && Object.hasOwn(outputs, next)) found.add(next);
    }
  }
  return found;
}

function exportAs(file, exports, index) {
  if (exports.length === 0) return `import './${file}';`;
  return `export { ${exports.map((name) => `${name} as ${nameIn(index, name)}`)} } from './${file}';`;
}

function nameIn(index, name) {
  return `${name}_${index}`;
}

function leaveOthers(bundling, numberOf) {
  bundling.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
    kind === 'import-statement' && numberOf.has(basename(path))
      ? undefined
      : { path, external: true },
  );
}

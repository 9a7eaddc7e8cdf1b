/**
 * Joins the chunks that a command always loads together into one script: Node takes about half a
 * millisecond to load a file, and a command has a hundred of them; and of a script V8 can keep all that it
 * compiles (src/cli/compiled-script.ts). A module beside the script exports what the script does.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Bundled CommonJS packages call `require` for Node's own modules. */
export const withRequire =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);";

/** Imports of Node's own modules as esbuild writes them when it minifies. */
const ofNode = /import(\{[^{}]*\})from"(node:[^"]+)";/g;

/**
 * @param outputs the outputs in esbuild's metafile, whose files are in `dist`
 * @param commands source files that are joined with their chunks, except for those that one of `apart` loads too
 * @param options options of esbuild
 */
export async function joinChunks(outputs, { dist, commands, apart }, options) {
  const loaded = (entry) =>
    staticImports(
      outputs,
      Object.keys(outputs).find((path) => outputs[path].entryPoint === entry),
    );
  const others = new Set(apart.flatMap((entry) => [...loaded(entry)]));
  const joined = [...new Set(commands.flatMap((command) => [...loaded(command)]))]
    .filter((path) => !others.has(path))
    .map((path) => ({ file: basename(path), ...outputs[path] }));
  const numberOf = new Map(joined.map(({ file }, index) => [file, index]));
  const { outputFiles } = await build({
    ...options,
    format: 'cjs',
    define: { 'import.meta.url': 'ownUrl', 'import.meta.dirname': 'ownFolder' },
    stdin: { contents: namesOf(joined), resolveDir: dist },
    plugins: [{ name: 'the-others', setup: (bundling) => leaveOthers(bundling, dist, numberOf) }],
    outdir: dist,
    write: false,
  });
  await Promise.all(joined.map(({ file }) => rm(join(dist, file))));
  const body = outputFiles[0].text
    // A module's names are read as they are, without a copy with a getter for each.
    .replaceAll(/__toESM\d*\((require\("\.\/[^"]+"\))\)/g, '$1')
    .replaceAll(/\brequire(?=\("node:[a-z_/]+"\))/g, 'process.getBuiltinModule')
    // What few runs need of Node is loaded when it is used.
    .replaceAll(/\b(import_node_(?:child_process|crypto|zlib)\d*)=process\.\w+\("[^"]+"\)/g, '$1=0')
    .replaceAll(
      /\bimport_node_(child_process|crypto|zlib)\d*(?=\.)/g,
      // In parentheses, for it may stand behind "new".
      '(process.getBuiltinModule("node:$1"))',
    )
    // Node 20 imports nothing for a script whose compiled form is given.
    .replaceAll(/\bimport(?=\("(?:\.\/|node:)[^"]+"\))/g, 'ownImport')
    // In regular expressions, which esbuild leaves as they are: a byte a character is read fastest.
    .replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const script = `(function(require,module,ownImport,ownUrl,ownFolder){'use strict';${body}\n})`;
  const name = `joined-${createHash('sha256').update(script).digest('hex').slice(0, 16)}`;
  await writeFile(join(dist, `${name}.cjs`), script, 'latin1');
  const required = [...body.matchAll(/require\("(\.\/[^"]+\.js)"\)/g)].map(([, from]) => from);
  const modules = [...new Set(required)];
  await writeFile(
    join(dist, `${name}.js`),
    [
      `import{runCompiled}from'./compiled-script.js';`,
      ...modules.map((from, index) => `import*as m${index} from'${from}';`),
      `export const{names,wholes}=runCompiled(new URL('./${name}.cjs',import.meta.url).href,`,
      `from=>import(from),{${modules.map((from, index) => `'${from}':m${index}`).join(',')}});`,
    ].join(''),
  );
  // Apart: of hundreds of names few programs need any.
  const target = name.replace('joined', 'names');
  await writeFile(
    join(dist, `${target}.js`),
    `import{names}from'./${name}.js';export const{${exportedNames(joined)}}=names();`,
  );
  for (const output of Object.keys(outputs).map((each) => basename(each))) {
    if (numberOf.has(output)) continue;
    const text = await readFile(join(dist, output), 'utf8');
    const direct = text
      .replaceAll(imports, (statement, list = '', from) => {
        const index = numberOf.get(from);
        if (index === undefined) return statement;
        const names = list.replaceAll(
          /(?<=[{,])([\w$]+)( as )?/g,
          (_, name, as = ` as ${name}`) => nameIn(index, name) + as,
        );
        return `import${names}"./${target}.js";`;
      })
      .replaceAll(/\bimport\("\.\/([^"/]+\.js)"\)/g, (expression, from) => {
        const index = numberOf.get(from);
        if (index === undefined) return expression;
        return `import("./${name}.js").then(({wholes})=>wholes.${nameIn(index, '')})`;
      })
      // Imported as a module, all names of Node's are looked up, and much is loaded for some.
      .replaceAll(
        ofNode,
        (_, list, from) =>
          `const${list.replaceAll(' as ', ':')}=process.getBuiltinModule("${from}");`,
      );
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

/** A module that exports every name of the chunks, and each chunk that is imported late as a whole. */
function namesOf(joined) {
  const late = joined.flatMap(({ file, entryPoint }, index) =>
    entryPoint === undefined ? [] : [{ file, name: nameIn(index, '') }],
  );
  return [
    ...joined.map(({ file, exports }, index) => {
      const list = exports.map((name) => `${name} as ${nameIn(index, name)}`);
      return list.length === 0 ? `import './${file}';` : `import { ${list} } from './${file}';`;
    }),
    ...late.map(({ file, name }) => `import * as ${name} from './${file}';`),
    `export const names = () => ({ ${exportedNames(joined)} });`,
    `export const wholes = { ${late.map(({ name }) => name)} };`,
  ].join('\n');
}

function exportedNames(joined) {
  return joined.flatMap(({ exports }, index) => exports.map((name) => nameIn(index, name)));
}

/** Short: hundreds of names are written in several files. */
const shortNames = new Map();

function nameIn(index, name) {
  const key = `${index} ${name}`;
  if (!shortNames.has(key)) shortNames.set(key, `$${shortNames.size.toString(36)}`);
  return shortNames.get(key);
}

function leaveOthers(bundling, dist, numberOf) {
  bundling.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
    kind !== 'require-call' && numberOf.has(basename(path))
      ? { path: join(dist, path), sideEffects: true }
      : { path, external: true },
  );
}

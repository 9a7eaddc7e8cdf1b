/**
 * `npm run build`: the programs with all they need in dist/, so that the package depends on nothing
 * and a command reads only the few files that it runs. What is used under which license is written
 * beside them, for people and for scanners.
 */
import { Buffer } from 'node:buffer';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { directImports } from './direct-imports.mjs';
import { joinChunks, withRequire } from './joined-chunks.mjs';

const root = join(import.meta.dirname, '..');

/** Programs of threads find one another beside themselves: all files lie in one folder. */
export const programs = [
  'src/cli/main.ts',
  'src/gate/server/judge-worker.ts',
  'src/gate/server/resolution-worker.ts',
  'src/repository/catalog-sources/reading-worker.ts',
];

/** What programs import: `olm-guard`, `olm-guard/operations` and so on. */
const library = ['upgrades', 'operations', 'catalogs', 'resolver', 'cel'].map(
  (name) => `src/checks/library/${name}.ts`,
);

/** Libraries that few runs load, and those in the middle of a synchronous call: a file each beside the program. */
const lateLibraries = ['re2js'];

/** Options of esbuild for everything that is built. Names stay: stacks and errors tell them. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // As Node gives them to ESM: with their names, which esbuild does not find in CommonJS.
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [
    {
      // express and commander ask for them when they are loaded, and nothing calls them: bodies are read
      // in src/gate/server, and no command is a program of its own.
      name: 'uncalled',
      setup(bundling) {
        const namespace = 'uncalled';
        bundling.onResolve(
          { filter: /^(body-parser|node:child_process)$/ },
          ({ path, importer }) =>
            /[\\/]node_modules[\\/](express|commander)[\\/]/.test(importer)
              ? { path, namespace }
              : undefined,
        );
        bundling.onLoad({ filter: /./, namespace }, () => ({ contents: 'module.exports={}' }));
      },
    },
    {
      // Late libraries are bundled too, and begun when they are asked for.
      name: 'late-require',
      setup(bundling) {
        bundling.onLoad({ filter: /\/src\/text\/platform\.ts$/ }, async ({ path }) => ({
          loader: 'ts',
          contents: (await readFile(path, 'utf8')).replace(
            'createRequire(import.meta.url)(',
            'require(',
          ),
        }));
      },
    },
    directImports,
  ],
};

if (process.argv[1] === import.meta.filename) {
  const dist = join(root, 'dist');
  await rm(dist, { recursive: true, force: true });
  // Names of functions and classes stay.
  const small = { minify: true, keepNames: true };
  const late = await build({
    ...common,
    ...small,
    entryPoints: lateLibraries,
    outdir: dist,
    entryNames: '[name]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  const options = {
    ...common,
    plugins: [...common.plugins, { name: 'late-libraries', setup: besideTheProgram }],
    outdir: dist,
    format: 'esm',
  };
  // Alone: programs that bundle the library find all of it by its imports.
  const libraries = await build({
    ...options,
    ...small,
    entryPoints: library,
    chunkNames: 'library-[hash]',
    banner: { js: withRequire },
    splitting: true,
  });
  const { metafile } = await build({
    ...options,
    entryPoints: [...programs, 'src/cli/compiled-script.ts'],
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    splitting: true,
  });
  await joinChunks(
    metafile.outputs,
    {
      dist,
      commands: ['src/cli/command-line.ts', 'src/cli/check/check-crd.ts', 'src/report/text.ts'],
      // What the program loads before it is told where to keep what Node compiles is not kept.
      apart: ['src/cli/main.ts', 'src/cli/compiled-script.ts'],
    },
    options,
  );
  const packages = await packagesIn({
    inputs: { ...late.metafile.inputs, ...libraries.metafile.inputs, ...metafile.inputs },
  });
  await writeFile(join(dist, 'third-party.txt'), await notices(packages));
  await writeFile(join(dist, 'olm-guard.cdx.json'), await billOfMaterials(packages));
  await chmod(join(dist, 'main.js'), 0o755);
  const outdir = join(dist, 'browser');
  // Alone: a page that judges upgrades need not load what reads catalogs.
  const [upgrades, ...others] = library;
  await build(forBrowsers({ entryPoints: [upgrades], outdir, splitting: false }));
  await build(forBrowsers({ entryPoints: others, outdir }));
  await declare(library);
}

/** Options of esbuild for what runs without Node. */
export function forBrowsers(options) {
  return {
    ...common,
    ...{ platform: 'browser', target: 'es2023', format: 'esm', splitting: true, minify: true },
    chunkNames: '[name]-[hash]',
    inject: [join(root, 'build', 'buffer.mjs')],
    plugins: [
      {
        name: 'without-node',
        setup(bundling) {
          const path = join(root, 'src', 'text', 'platform.browser.ts');
          bundling.onResolve({ filter: /\/platform\.js$/ }, () => ({ path }));
          bundling.onResolve({ filter: /^node:/ }, ({ path: module, importer }) => ({
            errors: [{ text: `${importer} needs ${module}, which no browser has` }],
          }));
        },
      },
      directImports,
    ],
    ...options,
  };
}

/** Types of these files and of what they name, in dist/types as in src. */
async function declare(files) {
  const { default: ts } = await import('typescript');
  const pending = files.map((file) => join(root, file));
  const known = new Set(pending);
  for (const file of pending) {
    // The index names far more than answers hold.
    const text = (await readFile(file, 'utf8')).replaceAll('/rule/index.js', '/rule/finding.js');
    const { outputText, diagnostics } = ts.transpileDeclaration(text, {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
    });
    if (diagnostics.length > 0)
      throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
    const path = join(root, 'dist', 'types', relative(join(root, 'src'), file));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path.replace(/\.ts$/, '.d.ts'), outputText);
    for (const [, named] of outputText.matchAll(/from '(\..*)\.js'/g)) {
      const next = join(dirname(file), `${named}.ts`);
      if (!known.has(next)) pending.push(next);
      known.add(next);
    }
  }
}

/** Only where late libraries are required: where one is imported, it is bundled. */
function besideTheProgram(bundling) {
  const filter = new RegExp(`^(${lateLibraries.join('|')})$`);
  bundling.onResolve({ filter }, ({ kind, path }) =>
    kind === 'require-call' ? { path: `./${path}.cjs`, external: true } : undefined,
  );
}

/**
 * The packages of which something was bundled.
 *
 * @param metafile esbuild's
 * @returns {Promise<{ name: string, version: string, license: string, folder: string }[]>}
 */
export async function packagesIn({ inputs }) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  );
  const packages = await Promise.all(
    [...folders].map(async (folder) => {
      const text = await readFile(join(root, folder, 'package.json'), 'utf8');
      const { name, version, license } = JSON.parse(text);
      return { name, version, license, folder };
    }),
  );
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function notices(packages) {
  const texts = await Promise.all(
    packages.map(async ({ name, version, license, folder }) => {
      const files = (await readdir(join(root, folder))).filter((file) =>
        /^(licen[cs]e|notice|copying)/i.test(file),
      );
      const said = await Promise.all(
        files.map((file) => readFile(join(root, folder, file), 'utf8')),
      );
      return [`${name} ${version} (${license})`, ...said.map((text) => text.trim())].join('\n\n');
    }),
  );
  return `olm-guard contains these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** CycloneDX 1.6, which scanners of packages and images find by its name; the same for the same packages. */
async function billOfMaterials(packages) {
  const [own, lock] = await Promise.all(
    ['package.json', 'package-lock.json'].map(async (file) =>
      JSON.parse(await readFile(join(root, file), 'utf8')),
    ),
  );
  const components = packages.map(({ name, version, license, folder }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    // A release is built beside a link to the packages, whose files have other paths then.
    const locked = lock.packages[folder.replace(/^.*?(?=node_modules\/)/, '')];
    const [, hash] = /^sha512-(.+)$/.exec(locked?.integrity ?? '') ?? [];
    const content = hash && Buffer.from(hash, 'base64').toString('hex');
    return {
      ...{ type: 'library', 'bom-ref': purl, name, version, purl, scope: 'required' },
      hashes: content && [{ alg: 'SHA-512', content }],
      licenses: [{ expression: license }],
    };
  });
  const ref = `pkg:npm/${own.name}@${own.version}`;
  const { name, version } = own;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': ref, name, version, purl: ref },
        licenses: [{ expression: own.license }],
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

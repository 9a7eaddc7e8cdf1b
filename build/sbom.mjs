/**
 * `node build/sbom.mjs > FILE`: what the programs contain, as CycloneDX: npm's own bill of materials of
 * everything that is installed here, less what was not bundled.
 */
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { common, packagesIn, programs } from './bundle.mjs';

const { metafile } = await build({
  ...common,
  entryPoints: programs,
  outdir: 'dist',
  format: 'esm',
  write: false,
});
const bundled = new Set(
  (await packagesIn(metafile)).map(({ name, version }) => `${name}@${version}`),
);
const bill = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: common.absWorkingDir,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const components = bill.components
  .filter(({ group, name, version }) =>
    bundled.has(`${group === undefined ? name : `${group}/${name}`}@${version}`),
  )
  // npm calls what is not installed with the package optional, and for development: here it is inside.
  .map((component) => ({ ...component, properties: undefined, scope: 'required' }));
const kept = new Set(components.map((component) => component['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
const own = bill.metadata.component['bom-ref'];
console.log(
  JSON.stringify(
    { ...bill, components, dependencies: [{ ref: own, dependsOn: [...kept] }, ...dependencies] },
    undefined,
    2,
  ),
);

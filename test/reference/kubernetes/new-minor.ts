/**
 * Makes the tables of a minor of Kubernetes from its Go modules, and proves them against its code:
 *
 *     npm run minor -- 1.38
 *
 * A pre-release is named in full: `1.38.0-beta.0`. A minor that is there already is made again, from its newest
 * patch release where it is the newest one. Where a module cannot be had, nothing is changed.
 * Exit code 1 where its API servers judge otherwise than we do: then it has a trait that is
 * not known yet.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, moduleFiles, versionIn } from './module-files.js';

const root = join(folder, '..', '..', '..');
const library = 'k8s.io/apiextensions-apiserver';
const randomDefinitions = '10000';

function run(program: string, args: readonly string[], cwd: string): string {
  console.log(`${program} ${args.join(' ')}`);
  const { status, stdout } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) {
    console.log(stdout);
    throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  }
  return stdout;
}

const newest = [...moduleFiles.keys()].at(-1) ?? '';
const asked = process.argv[2] ?? newest;
const minor = /^1\.\d+/.exec(asked)?.[0] ?? asked;
const number = Number(minor.slice(2));
const next = Number(newest.slice(2)) + 1;
if (!/^1\.\d+(?:\.\S+)?$/.test(asked) || (!moduleFiles.has(minor) && number !== next)) {
  console.error(`${asked} is neither known nor the next minor of Kubernetes, which is 1.${next}`);
  process.exit(2);
}

const apisFile = join(root, 'src', 'olm', 'objects', 'kubernetes-apis.json');
const touched = [
  ...readdirSync(folder)
    .filter((name) => /\.(?:mod|sum)$/.test(name))
    .map((name) => join(folder, name)),
  join(root, 'src', 'kubernetes', 'definition', 'by-minor.json'),
  apisFile,
];
const before = new Map(touched.map((file) => [file, readFileSync(file)]));

/** @throws Error where a module cannot be had or a program not be built */
function makeTables(): void {
  if (number === next) {
    for (const end of ['mod', 'sum']) {
      copyFileSync(join(folder, `go.${end}`), join(folder, `${newest}.${end}`));
    }
  }
  if (number >= Number(newest.slice(2))) {
    const version = `v0.${asked.slice(2)}`;
    const modules = [library, 'k8s.io/apimachinery'].map((name) => `${name}@${version}`);
    run('go', ['get', ...modules], folder);
    run('go', ['mod', 'tidy'], folder);
    const apis = run('go', ['run', '.', versionIn('go.mod', library)], join(folder, '..', 'removed-apis')); // prettier-ignore
    writeFileSync(apisFile, apis);
  }
  run('npx', ['tsx', join(folder, 'by-minor.ts'), minor], root);
  run('npx', ['prettier', '--write', 'src/olm/objects/kubernetes-apis.json'], root);
}

try {
  makeTables();
} catch (error) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (/\.(?:mod|sum)$/.test(name) && !before.has(file)) rmSync(file);
  }
  for (const [file, text] of before) writeFileSync(file, text);
  console.error(`${error instanceof Error ? error.message : String(error)}: nothing was changed`);
  process.exit(1);
}

// What comes now reads the tables anew.
const program = join(folder, '..', 'run.ts');
const answers = [`definitions-${minor}`, `costs-${minor}`];
spawnSync('npx', ['tsx', program, ...answers, '--write'], { cwd: root, stdio: 'inherit' });
run('npx', ['tsx', program, ...answers, 'by-minor'], root);
const proof = [join(folder, '..', 'mutants.ts'), randomDefinitions, String(number), minor];
const { status } = spawnSync('npx', ['tsx', ...proof], { cwd: root, stdio: 'inherit' });
if (status !== 0) {
  console.error(
    `Kubernetes ${minor} judges otherwise: find out why in its sources, add a trait to ServerTraits and what tells it to tells.ts, and run this again`,
  );
  process.exitCode = 1;
}

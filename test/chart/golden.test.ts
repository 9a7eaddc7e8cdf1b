/**
 * What the chart renders for each file of chart/values, beside testdata: of `default.yaml` everything, of
 * the others what differs from it. `OLM_GUARD_GOLDEN=write npx mocha test/chart/golden.test.ts` writes them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump, load, loadAll } from 'js-yaml';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';

const root = join(import.meta.dirname, '..', '..');
const golden = join(import.meta.dirname, 'testdata');
const files = readdirSync(join(root, 'chart', 'values'));

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: object } };
}

describe('renderings of the chart', function () {
  this.timeout(120_000);
  let helm: string;
  before(async () => {
    helm = (await ensurePrograms(['helm'])).get('helm') ?? 'helm';
  });

  function render(...args: string[]): Map<string, Rendered> {
    const base = ['template', 'olm-guard', 'chart', '--namespace=olm-guard'];
    const { status, stdout, stderr } = spawnSync(helm, [...base, ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    const objects = (loadAll(stdout) as (Rendered | null)[]).filter((each) => each !== null);
    const named = objects.map((each): [string, Rendered] => [
      `${each.kind} ${each.metadata.name}`,
      each,
    ]);
    return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const of = (file: string): Map<string, Rendered> => render(`--values=chart/values/${file}`);

  function hold(file: string, found: object): void {
    const path = join(golden, file);
    const text = dump(found, { lineWidth: -1, noRefs: true });
    if (process.env['OLM_GUARD_GOLDEN'] === 'write') writeFileSync(path, text);
    expect(load(text)).to.deep.equal(load(readFileSync(path, 'utf8')));
  }

  it('default.yaml', () => {
    hold('default.yaml', Object.fromEntries(render()));
  });

  for (const file of files) {
    it(file, () => {
      const usual = render();
      const found = of(file);
      const differs = [...found].filter(
        ([name, object]) => JSON.stringify(object) !== JSON.stringify(usual.get(name)),
      );
      const absent = [...usual.keys()].filter((name) => !found.has(name));
      hold(file, { ...Object.fromEntries(differs), ...(absent.length > 0 ? { absent } : {}) });
    });
  }

  describe('in a namespace that enforces the Pod Security Standard "restricted"', () => {
    const cluster = useCluster();

    for (const file of files) {
      it(`${file}: its pods are admitted`, async () => {
        const name = file.replace('.yaml', '');
        const namespace = {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
        };
        await cluster().request('POST', '/api/v1/namespaces', namespace);
        const template = of(file).get('Deployment olm-guard')?.spec?.template;
        // The admission of priorities knows the classes of the system only in the system's namespace.
        const spec = { ...template?.spec, priorityClassName: undefined };
        const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'gate' }, spec };
        const answer = await cluster().request(
          'POST',
          `/api/v1/namespaces/${name}/pods?dryRun=All`,
          pod,
        );
        expect(answer.code, answer.text).to.equal(201);
      });
    }
  });
});

/**
 * What ten and a hundred times as much costs, as a share of what would be linear:
 * `npx tsx bench/growth.ts [kind...]`. 1 is linear; below it, what is paid once weighs less.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileValidator } from '../src/kubernetes/apiserver/validator.js';
import { validateCatalog } from '../src/olm/catalogs/validate.js';
import { decodeReview } from '../src/gate/admission/admission-review.js';
import { readCatalogFolder } from '../src/repository/catalog-sources/folder.js';
import { manifestObjects } from '../src/repository/manifests/manifest-objects.js';
import { proveDocuments } from '../src/upgrade/proof/testing/prove-documents.js';
import { judgeContract } from '../src/upgrade/rules/contract/judge.js';
import { judgeByReference } from '../src/upgrade/rules/crd/profiles.js';
import { checkOffline, defaultPolicy, parsePolicy, ruleNamed } from '../src/policy/index.js';
import { ruleNames } from '../src/checks/operations/rules.js';
import {
  measureShared,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../src/text/documents/index.js';
import { madeUpReview } from './large-reviews.js';
import { definition, widget } from './large-definition.js';
import { growthRow } from './history.js';
import { writeKustomizations } from './kustomizations.js';
import { keep, median, tell } from './measure.js';
import { syntheticCatalog } from './synthetic-catalog.js';
import { UpgradePair } from '../src/upgrade/pair.js';

/** Noise and caches; a square would be 10. */
const limit = 1.5;
const rounds = 5;

interface Kind {
  readonly name: string;
  /** Makes work of so many times the size; it is prepared once, outside of what is measured. */
  readonly prepare: (times: number) => Promise<() => unknown>;
}

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-growth-'));

const wanted = process.argv.slice(2);
const isWanted = ({ name }: Kind): boolean => wanted.length === 0 || wanted.includes(name);

const kinds: readonly Kind[] = [
  {
    name: 'reviews',
    prepare: (times) => {
      const { body } = madeUpReview(25 * times);
      return Promise.resolve(() => {
        const { oldObject, object } = decodeReview(measureShared(body));
        judgeByReference(UpgradePair.read(oldObject ?? {}, object ?? {}), 'olm-v1');
        judgeContract(UpgradePair.read(oldObject ?? {}, object ?? {}));
      });
    },
  },
  {
    name: 'objects',
    prepare: (times) => {
      const validator = compileValidator(definition(100, 0) as JsonObject, 'v1');
      const objects = Array.from({ length: 50 * times }, (_, index) => widget(index) as JsonObject);
      return Promise.resolve(() => objects.map((each) => validator.validateCreate(each).valid));
    },
  },
  {
    name: 'proofs',
    prepare: (times) => {
      const [old, next] = [0, 1].map((least) => definition(4 * times, least) as JsonObject);
      return Promise.resolve(() => proveDocuments(old ?? {}, next ?? {}));
    },
  },
  {
    // Each list of a set becomes atomic: what two appliers shared conflicts.
    name: 'appliers',
    prepare: (times) => {
      const old = definition(4 * times, 0) as JsonObject;
      const atomic = stringifyJson(old).replaceAll('"x-kubernetes-list-type":"set"', '"x-kubernetes-list-type":"atomic"'); // prettier-ignore
      const next = parseJson(atomic) as JsonObject;
      return Promise.resolve(() => {
        const { findings } = judgeContract(UpgradePair.read(old, next));
        if (findings.length < 4 * times) throw new Error('a conflict is not found');
      });
    },
  },
  {
    // As many as a policy may have; the last one decides.
    name: 'promises',
    prepare: (times) => {
      const [old, next] = [0, 1].map((least) => definition(50, least) as JsonObject);
      const { findings } = judgeByReference(UpgradePair.read(old ?? {}, next ?? {}), 'olm-v1');
      const entry = (index: number): string =>
        `- {paths: ['^.spec.section${index}.none', '^.spec.other.*'], mode: warn}\n`;
      const others = Array.from({ length: times - 1 }, (_, index) => entry(index)).join('');
      const text = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\npromises:\n${others}- {versions: [v1], mode: warn}\n`;
      const question = { subject: { groups: ['example.com'], name: 'widgets.example.com' }, findings }; // prettier-ignore
      const policy = parsePolicy(text, 'policy.yaml', ruleNames, defaultPolicy);
      return Promise.resolve(() => {
        const verdict = checkOffline(question, policy, ruleNamed);
        if (!verdict.allowed) throw new Error('the last promise does not decide');
      });
    },
  },
  {
    // Rendered once, and remembered then: the time of the program itself is not of this process.
    name: 'kustomizations',
    prepare: (times) => {
      const top = join(folder, `kustomizations-${times}`);
      writeKustomizations(top, 3 * times);
      return Promise.resolve(async () => {
        let count = 0;
        const files = manifestObjects(top, { onUnchecked: () => undefined });
        for await (const { objects } of files) count += objects.length;
        return count;
      });
    },
  },
  {
    name: 'catalogs',
    prepare: async (times) => {
      const of = join(folder, String(times));
      mkdirSync(of);
      const text: string[] = [];
      // Always the first of the same bundles.
      let bytes = 0;
      for await (const part of syntheticCatalog(100)) {
        if (bytes > times * 1e6) break;
        text.push(part);
        bytes += part.length;
      }
      writeFileSync(join(of, 'catalog.json'), text.join(''));
      return async () => validateCatalog((await readCatalogFolder(of, { keep: 'graph' })).catalog);
    },
  },
];

async function cost(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

try {
  for (const { name, prepare } of kinds.filter(isWanted)) {
    const works = new Map<number, () => unknown>();
    for (const times of [1, 10, 100]) works.set(times, await prepare(times));
    // The first runs are compiled while they run.
    for (let run = 0; run < 20; run++) await works.get(1)?.();
    await works.get(10)?.();
    const spent = new Map<number, number>();
    for (const [times, work] of works) {
      const costs: number[] = [];
      for (let round = 0; round < rounds; round++) costs.push(await cost(work));
      spent.set(times, median(costs));
    }
    const linear = spent.get(10) ?? NaN;
    for (const times of [10, 100]) {
      const value = (spent.get(times) ?? NaN) / (spent.get(1) ?? NaN);
      keep({ what: growthRow(name, times), value, unit: '×' });
    }
    console.log(`${name}: ${[...spent].map(([times, ms]) => `${times}× ${ms.toFixed(1)} ms`).join(', ')}`); // prettier-ignore
    tell({
      what: `${name}: a hundred times as much, of linear from ten`,
      value: (spent.get(100) ?? NaN) / (10 * linear),
      ...{ unit: '×', limit },
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}

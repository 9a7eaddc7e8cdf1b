/** `check chart` says of an upgrade what real Helm does with it on a real API server. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { run } from '../cli/command.js';

type Files = Readonly<Record<string, string>>;

const definition = (
  plural: string,
  { fields = 'size: { type: integer }', annotations = '' } = {},
): string => {
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1);
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.charts.example.com
  annotations: { ${annotations} }
spec:
  group: charts.example.com
  scope: Namespaced
  names: { kind: ${kind}, plural: ${plural}, singular: ${plural.slice(0, -1)}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { ${fields} } } } }
`;
};
const twoFields = 'size: { type: integer }, color: { type: string }';
const object = (kind: string): string =>
  `apiVersion: charts.example.com/v1\nkind: ${kind}\nmetadata: { name: one }\nspec: { size: 1, color: {{ .Values.color }} }\n`;

interface Row {
  readonly name: string;
  readonly plural: string;
  readonly old: Files;
  readonly next: Files;
  /** What is found, by its rule. */
  readonly rules: readonly string[];
  /** Where the first is found. */
  readonly at: string;
  /** Whether helm upgrade goes through, and which fields the definition has after it; none where it is gone. */
  readonly upgrades: boolean;
  readonly fields: readonly string[];
}

const keep = 'helm.sh/resource-policy: keep';

const rows: readonly Row[] = [
  {
    name: 'leaves what changes in crds/, and drops what it does not know',
    plural: 'apples',
    old: { 'crds/a.yaml': definition('apples') },
    next: {
      'crds/a.yaml': definition('apples', { fields: twoFields }),
      'templates/o.yaml': object('Apple'),
    },
    rules: ['ChartCrdNotUpgraded', 'ChartNeedsNewCrd'],
    at: 'crds/a.yaml:6',
    upgrades: true,
    fields: ['size'],
  },
  {
    name: 'does not install what is new in crds/',
    plural: 'pears',
    old: {},
    next: { 'crds/a.yaml': definition('pears'), 'templates/o.yaml': object('Pear') },
    rules: ['ChartCrdNotUpgraded', 'ChartNeedsNewCrd', 'UnknownField'],
    at: 'crds/a.yaml:6',
    upgrades: false,
    fields: [],
  },
  {
    name: 'deletes what moves from the templates to crds/',
    plural: 'plums',
    old: { 'templates/a.yaml': definition('plums') },
    next: { 'crds/a.yaml': definition('plums') },
    rules: ['ChartRemovesCrd'],
    at: 'templates/a.yaml:1',
    upgrades: true,
    fields: [],
  },
  {
    name: 'refuses what moves from crds/ to the templates',
    plural: 'melons',
    old: { 'crds/a.yaml': definition('melons') },
    next: { 'templates/a.yaml': definition('melons', { annotations: keep }) },
    rules: ['ChartCannotAdoptCrd'],
    at: 'templates/a.yaml:5',
    upgrades: false,
    fields: ['size'],
  },
  {
    name: 'makes a definition by a hook once',
    plural: 'figs',
    old: {
      'templates/a.yaml': definition('figs', {
        annotations: '"helm.sh/hook": "pre-install,pre-upgrade"',
      }),
    },
    next: {
      'templates/a.yaml': definition('figs', {
        fields: twoFields,
        annotations: '"helm.sh/hook": "pre-install,pre-upgrade"',
      }),
    },
    rules: ['ChartHookOnCrd'],
    at: 'templates/a.yaml:5',
    upgrades: false,
    fields: ['size'],
  },
  {
    name: 'changes a definition that the templates keep',
    plural: 'limes',
    old: { 'templates/a.yaml': definition('limes', { annotations: keep }) },
    next: {
      'templates/a.yaml': definition('limes', { fields: twoFields, annotations: keep }),
      'templates/o.yaml': object('Lime'),
    },
    rules: [],
    at: '',
    upgrades: true,
    fields: ['color', 'size'],
  },
];

describe('helm upgrade on a real API server', function () {
  this.timeout(240_000);
  const cluster = useCluster();
  const top = mkdtempSync(join(tmpdir(), 'olm-guard-charts-'));
  after(() => rmSync(top, { recursive: true }));

  function write(folder: string, files: Files): string {
    const common = {
      'Chart.yaml': 'apiVersion: v2\nname: fruit\nversion: 1.0.0\n',
      'values.yaml': 'color: red\n',
      'templates/c.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\n',
    };
    for (const [name, text] of Object.entries({ ...common, ...files })) {
      mkdirSync(dirname(join(top, folder, name)), { recursive: true });
      writeFileSync(join(top, folder, name), text);
    }
    return join(top, folder);
  }

  for (const { name, plural, rules, at, upgrades, fields, ...charts } of rows) {
    it(name, async () => {
      const old = write(`${plural}-old`, charts.old);
      const next = write(`${plural}-new`, charts.next);
      const helm = (await ensurePrograms(['helm'])).get('helm') ?? '';
      const { folder, kubeconfigPath: KUBECONFIG } = cluster();
      const PATH = [dirname(helm), process.env['PATH'] ?? ''].join(delimiter);
      const { stdout, stderr, code } = await run(['check', 'chart', old, next, '-o', 'json'], {
        env: { PATH },
      });
      expect(stdout, stderr).to.match(/^\{/);
      const { results } = JSON.parse(stdout) as {
        results: {
          verdict: { allowed: boolean; findings: { rule: string }[] };
          places: { file?: string; line?: number }[];
        }[];
      };
      const [result] = results;
      expect(result?.verdict.findings.map(({ rule }) => rule).sort()).to.deep.equal(rules);
      const [place] = result?.places ?? [];
      if (at !== '') {
        const files = result?.places.map(({ file, line }) => `${file}:${line}`);
        expect(files, JSON.stringify(place)).to.include(
          join(rules[0] === 'ChartRemovesCrd' ? old : next, at),
        );
      }
      expect(code).to.equal(result?.verdict.allowed === true ? 0 : 1);

      const does = (...args: string[]): number | null => {
        const env = { PATH, HOME: folder, KUBECONFIG };
        return spawnSync(helm, [...args, '--namespace=default'], { env }).status;
      };
      expect(does('install', plural, old)).to.equal(0);
      expect(does('upgrade', plural, next) === 0).to.equal(upgrades);
      const crd = await cluster().request(
        'GET',
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.charts.example.com`,
      );
      const found = JSON.parse(crd.text) as {
        metadata?: { deletionTimestamp?: string };
        spec?: {
          versions: {
            schema: { openAPIV3Schema: { properties: Record<string, { properties: object }> } };
          }[];
        };
      };
      const isGone = crd.code === 404 || found.metadata?.deletionTimestamp !== undefined;
      const spec = found.spec?.versions[0]?.schema.openAPIV3Schema.properties['spec'];
      expect(isGone ? [] : Object.keys(spec?.properties ?? {}).sort()).to.deep.equal(fields);
    });
  }
});

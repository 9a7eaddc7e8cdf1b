/** Every rule about OLM's objects, by the command: the rows that the gate is asked on a real API server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Finding, Verdict } from '../../src/rule/finding.js';
import { olmRules } from '../../src/olm/rules/objects/table.js';
import { metaOf, type JsonObject } from '../../src/text/documents/index.js';
import { catalogRuleRows, rowsCatalogText } from '../cluster/catalog-rule-rows.js';
import { withApiVersion } from '../cluster/olm-definitions.js';
import { olmRuleRows, type RuleRequest } from '../cluster/olm-rule-rows.js';
import { run } from './command.js';

/** About the step that an update takes: a scan sees what there is, and names what blocks by other rules. */
const ofSteps = ['ClusterExtensionResolution', 'ClusterUpdateBlocked'];
const rows = [...olmRuleRows, ...catalogRuleRows].filter(
  ({ rule }) =>
    !ofSteps.includes(rule) &&
    olmRules.some(({ id, requests }) => id === rule && requests.includes('CREATE')),
);

const keyOf = (object: JsonObject): string =>
  [object['kind'] as string, metaOf(object).namespace, metaOf(object).name].join(' ');

describe('scan, of what each rule about OLM’s objects is about', () => {
  let folder: string;
  const found = new Map<string, readonly Finding[]>();

  before('write a cluster with all that is bad, and one with all that is good', async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-scan-rules-'));
    const catalog = join(folder, 'catalog.json');
    writeFileSync(catalog, rowsCatalogText);
    for (const side of ['bad', 'good'] as const) {
      const objects = new Map<string, JsonObject>();
      const add = (object: JsonObject): Map<string, JsonObject> =>
        objects.set(keyOf(object), object);
      for (const name of ['system-node-critical', 'system-cluster-critical']) {
        add({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } });
      }
      for (const [index, row] of rows.entries()) {
        const namespace = `row-${index}`;
        for (const name of [namespace, `${namespace}-b`]) {
          const metadata = { name, labels: { 'kubernetes.io/metadata.name': name } };
          add({ apiVersion: 'v1', kind: 'Namespace', metadata });
        }
        for (const object of row.cluster?.(namespace) ?? []) add(withApiVersion(object));
        add(withApiVersion(withStatus(row[side](namespace), objects)));
      }
      const state = join(folder, `${side}.json`);
      writeFileSync(state, [...objects.values()].map((each) => JSON.stringify(each)).join('\n'));
      const args = ['scan', '--state', state, '-o', 'json'];
      const catalogs = ['community', 'rival'].flatMap((name) => [
        '--catalog',
        `${name}=${catalog}`,
      ]);
      const { stdout, stderr } = await run([...args, ...catalogs]);
      expect(stdout, stderr).to.not.equal('');
      const { results } = JSON.parse(stdout) as { results: { verdict: Verdict }[] };
      found.set(
        side,
        results.flatMap(({ verdict }) => verdict.findings),
      );
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  /** An update does not reach the status. */
  function withStatus({ object }: RuleRequest, stored: Map<string, JsonObject>): JsonObject {
    const status = stored.get(keyOf(object))?.['status'];
    return status === undefined ? object : { ...object, status };
  }

  const says = (side: string, rule: string, { object }: RuleRequest): boolean =>
    (found.get(side) ?? []).some(
      (finding) =>
        finding.rule === rule &&
        finding.object?.name === metaOf(object).name &&
        (finding.object.namespace ?? '') === metaOf(object).namespace,
    );

  for (const [index, { rule, bad, good }] of rows.entries()) {
    it(`${rule}: told, and not of what is fine`, () => {
      expect(says('bad', rule, bad(`row-${index}`)), 'what is bad').to.equal(true);
      expect(says('good', rule, good(`row-${index}`)), 'what is good').to.equal(false);
    });
  }
});

/** Builds objects and judges them by one rule; other tests of this folder use it. */
import { expect } from 'chai';
import type { JsonObject } from '../../../../text/documents/index.js';
import type { Finding, MessageData, Rule, Severity } from '../../../../rule/index.js';
import type { KnownCatalog } from '../../../objects/view.js';
import { IndexedView } from '../../../objects/indexed-view.js';
import { type OlmRule, RuleContext } from '../rule.js';

/** What a row asks, and what the rule says: `error: …` or `warning: …` per finding. */
export interface RuleRow {
  readonly when: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly isByOlm?: boolean;
  /** What else is on the cluster. */
  readonly cluster?: readonly JsonObject[];
  readonly unknown?: readonly string[];
  readonly kubernetesVersion?: string | null;
  readonly catalogs?: readonly KnownCatalog[];
  readonly crdFindings?: readonly Finding[] | Error;
  readonly says: readonly ExpectedWords[];
}

/** A message of ours, or the beginning or a pattern of `<severity>: <message>` in OLM's words. */
type ExpectedWords = string | RegExp | ExpectedMessage;

export interface ExpectedMessage {
  readonly id: string;
  /** Some or all of its values. */
  readonly data?: Readonly<Record<string, MessageData[string] | RegExp>>;
  /** The rule's by default. */
  readonly severity?: Severity;
}

export function describeRule(rule: OlmRule, rows: readonly RuleRow[]): void {
  describe(`rule ${rule.id}`, () => {
    for (const row of rows) it(row.when, () => expectRow(rule, row));
  });
}

export function contextOf(row: Omit<RuleRow, 'when' | 'says'>): RuleContext {
  const { crdFindings = [] } = row;
  return new RuleContext({
    request: row.old === undefined ? 'CREATE' : 'UPDATE',
    object: row.object,
    oldObject: row.old ?? null,
    isByOlm: row.isByOlm ?? false,
    view: new IndexedView(
      {
        globalCatalogNamespace: 'olm',
        kubernetesVersion: row.kubernetesVersion === undefined ? 'v1.30.2' : row.kubernetesVersion,
        unknownKinds: new Set(row.unknown ?? []),
        knownCatalogs: row.catalogs,
      },
      [...(row.cluster ?? []), ...(row.old === undefined ? [] : [row.old])],
    ),
    crdSafety: () => {
      if (crdFindings instanceof Error) throw crdFindings;
      return crdFindings;
    },
  });
}

function expectRow(rule: OlmRule, row: RuleRow): void {
  const findings = rule.judge(contextOf(row));
  const said = findings.map(({ severity, message }) => `${severity}: ${message}`);
  expect(said, said.join('\n')).to.have.lengthOf(row.says.length);
  findings.forEach((finding, index) => expectWords(rule, finding, row.says[index] ?? ''));
  for (const finding of findings) {
    expect(finding).to.include({ rule: rule.id });
    expect(finding.object).to.include({ kind: rule.subject });
  }
}

export function expectWords(rule: Rule, finding: Finding, expected: ExpectedWords): void {
  if (typeof expected === 'object' && 'id' in expected) {
    const { id, data = {}, severity = rule.severity } = expected;
    expect(finding).to.include({ id, severity });
    for (const [name, value] of Object.entries(data)) {
      if (value instanceof RegExp) expect(finding.data?.[name]).to.match(value);
      else expect(finding.data?.[name]).to.deep.equal(value);
    }
    return;
  }
  const text = `${finding.severity}: ${finding.message}`;
  expect(finding.id, `${text}: the row is to name the message by its id`).to.equal(undefined);
  if (typeof expected === 'string') expect(text.slice(0, expected.length)).to.equal(expected);
  else expect(text).to.match(expected);
}

export interface GroupFields {
  readonly name?: string;
  readonly namespace?: string;
  readonly spec?: JsonObject;
  /** `status.namespaces`; by default those of spec.targetNamespaces. */
  readonly status?: string[];
  readonly provides?: string;
  readonly statusMore?: JsonObject;
}

/** OperatorGroup `ns/g` that targets `ns`. */
export function makeGroup(fields: GroupFields = {}): JsonObject {
  const { name = 'g', namespace = 'ns', spec = { targetNamespaces: ['ns'] }, provides } = fields;
  const targets = Array.isArray(spec['targetNamespaces']) ? spec['targetNamespaces'] : [''];
  return {
    kind: 'OperatorGroup',
    metadata: {
      name,
      namespace,
      ...(provides === undefined ? {} : { annotations: { 'olm.providedAPIs': provides } }),
    },
    spec,
    status: { namespaces: fields.status ?? targets, ...fields.statusMore },
  };
}

export interface CsvFields {
  readonly name?: string;
  readonly namespace?: string;
  /** Names of owned CustomResourceDefinitions, all of version v1. */
  readonly owns?: string[];
  readonly modes?: string[];
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly metadata?: JsonObject;
}

/** ClusterServiceVersion `ns/cats.v1` with every install mode that owns cats.pets (Cat). */
export function aCsv(fields: CsvFields = {}): JsonObject {
  const { name = 'cats.v1', namespace = 'ns', owns = ['cats.pets'] } = fields;
  const modes = fields.modes ?? [
    'OwnNamespace',
    'SingleNamespace',
    'MultiNamespace',
    'AllNamespaces',
  ];
  return {
    kind: 'ClusterServiceVersion',
    metadata: { name, namespace, ...fields.metadata },
    spec: {
      installModes: modes.map((type) => ({ type, supported: true })),
      customresourcedefinitions: {
        owned: owns.map((crd) => ({ name: crd, version: 'v1', kind: kindOf(crd) })),
      },
      ...fields.spec,
    },
    status: fields.status ?? { phase: 'Succeeded', reason: 'InstallSucceeded' },
  };
}

/** `cats.pets` → `Cat` */
function kindOf(crd: string): string {
  const singular = (crd.split('.')[0] ?? '').replace(/s$/, '');
  return singular.charAt(0).toUpperCase() + singular.slice(1);
}

export function makeObject(
  kind: string,
  name: string,
  namespace = '',
  more: JsonObject = {},
): JsonObject {
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  return { kind, metadata, ...more };
}

export function aNamespace(name: string, labels: Record<string, string> = {}): JsonObject {
  return { kind: 'Namespace', metadata: { name, labels } };
}

export function makeCrd(
  name: string,
  versions: string[] = ['v1'],
  spec: JsonObject = {},
): JsonObject {
  return makeObject('CustomResourceDefinition', name, '', {
    spec: { versions: versions.map((version) => ({ name: version, served: true })), ...spec },
  });
}

/** Harm to stored objects that OLM's rules allow: denied by the webhook and by `check crd` alike. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isObject, own, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { run } from '../cli/command.js';
import { breaking, create, replace, root } from './installed-gate.js';
import {
  changed,
  definitionPath,
  version,
  widgets,
  type Definition,
  type Schema,
} from './widgets.js';

const policy = join(root, 'manifests', 'base', 'policy.yaml');
const schemaOf = (definition: Definition, at = 0): Schema =>
  definition.spec.versions[at]?.schema.openAPIV3Schema ?? {};

interface Row {
  readonly what: string;
  readonly old: (definition: Definition) => void;
  readonly next: (definition: Definition) => void;
  readonly says: RegExp;
}

/** A field `settings`. */
const settings = (schema: object) => (definition: Definition) => {
  const { properties = {} } = schemaOf(definition).properties?.['spec'] ?? {};
  properties['settings'] = schema;
};
const secondVersion = (isStored: boolean) => (definition: Definition) => {
  const [first] = definition.spec.versions;
  const second = { ...version('v2', { storage: isStored }), served: false };
  const narrow = second.schema.openAPIV3Schema.properties?.['spec'];
  delete narrow?.properties?.['pollInterval'];
  definition.spec.versions = [{ ...(first ?? version('v1')), storage: !isStored }, second];
};

const rows: readonly Row[] = [
  {
    what: 'a typed field where unknown ones were kept',
    old: settings({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    next: settings({
      ...{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      properties: { size: { type: 'integer' } },
    }),
    says: /"\^\.spec\.settings\.size": breaks objects: /,
  },
  {
    what: 'a bound on the name',
    old: () => undefined,
    next: (definition) => {
      const { properties = {} } = schemaOf(definition);
      properties['metadata'] = {
        type: 'object',
        properties: { name: { type: 'string', maxLength: 3 } },
      };
    },
    says: /breaks objects: .*metadata\.name: Too long: may not be more than 3 bytes/,
  },
  {
    what: 'a new default under a maxProperties',
    old: settings({ type: 'object', maxProperties: 1, properties: { a: { type: 'string' } } }),
    next: settings({
      ...{ type: 'object', maxProperties: 1 },
      properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' } },
    }),
    says: /"\^\.spec\.settings(\.b)?": breaks objects: /,
  },
  {
    what: 'a storage version moved to a narrower one that is not served',
    old: secondVersion(false),
    next: secondVersion(true),
    says: /objects stored as "v1", field "\^\.spec\.pollInterval": loses data: /,
  },
];

const pluralOf = (index: number): string => `allowed${'abcdefgh'[index] ?? ''}s`;

describe('what OLM allows although it breaks objects', () => {
  const cluster = useCluster();
  useGate(cluster, {
    name: 'definitions.olm-guard.io',
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => ['--kubeconfig', cluster().kubeconfigPath, '--policy', policy],
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  rows.forEach((row, index) => {
    it(`is ${row.what}, and denied`, async function () {
      this.timeout(60_000);
      const plural = pluralOf(index);
      const [old, next] = [row.old, row.next].map((edit) =>
        changed((_spec, whole) => edit(whole), plural),
      ) as [Definition, Definition];
      const created = await create(cluster(), old);
      expect(created.code, created.text).to.equal(201);
      const answer = await replace(cluster(), next, { query: '?dryRun=All' });
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.text).to.match(row.says);

      const files = [old, next].map((definition, side) => {
        const file = join(cluster().folder, `${plural}-${side}.json`);
        writeFileSync(file, JSON.stringify(definition));
        return file;
      });
      const { code, stdout } = await run([
        'check',
        'crd',
        ...files,
        '--policy',
        policy,
        '-o',
        'json',
      ]);
      expect(code, stdout).to.equal(1);
      const { results } = JSON.parse(stdout) as {
        results: { verdict: { findings: JsonObject[] } }[];
      };
      const told = results.flatMap(({ verdict }) => verdict.findings).filter(isObject);
      const ofRule = told.filter((each) => own(each, 'rule') === 'Proof');
      expect(ofRule.map((each) => own(each, 'severity'))).to.include('error');
      for (const each of ofRule) {
        expect(own(each, 'message')).to.match(/OLM would allow this$/);
      }
    });
  });

  it('is not looked for where no version changes', async () => {
    const { code, warnings } = await cluster().request(
      'PATCH',
      `${definitionPath(pluralOf(0))}?dryRun=All`,
      { metadata: { annotations: { team: 'blue' } } },
      { contentType: 'application/merge-patch+json' },
    );
    expect(code).to.equal(200);
    expect(warnings).to.deep.equal([]);
  });
});

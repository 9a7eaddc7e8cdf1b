import { expect } from 'chai';
import { askedMinors, ValidatorCache } from '../../../kubernetes/index.js';
import { parseYaml, type JsonObject } from '../../../text/documents/index.js';
import { judgeManifest, type ManifestSource } from './judge.js';

const crd = parseYaml(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: { size: { type: integer } }
`) as JsonObject;

describe('unknown fields of a manifest', () => {
  it('are all told, and few are compared with every field that there is', () => {
    const fields = Array.from({ length: 50 }, (_, index) => `siz${index}: 1`);
    const object = parseYaml(
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: big }\n${fields.join('\n')}\n`,
    ) as JsonObject;
    const { findings } = judgeManifest(object, { crd }, new ValidatorCache());
    expect(findings).to.have.length(50);
    const guessed = findings.filter(({ message }) => message.includes('did you mean'));
    expect(guessed).to.have.length(20);
  });
});

describe('status in a manifest', () => {
  const told = (status: string, isSubresource = true): string[] => {
    const definition = structuredClone(crd);
    const [version] = (definition.spec as { versions: JsonObject[] }).versions;
    const phase = { type: 'string', enum: ['Ready'] };
    const fields = { type: 'object', required: ['phase'], properties: { phase } };
    const schema = { type: 'object', properties: { status: fields } };
    Object.assign(version ?? {}, { schema: { openAPIV3Schema: schema } });
    if (isSubresource) Object.assign(version ?? {}, { subresources: { status: {} } });
    const object = parseYaml(
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nstatus: ${status}\n`,
    ) as JsonObject;
    const { findings } = judgeManifest(object, { crd: definition }, new ValidatorCache());
    return findings.map(({ rule, severity, path, id }) => `${severity} ${rule} ${path} ${id}`);
  };

  it('is dropped under its subresource, whatever it holds', () => {
    expect(told('{}')).to.deep.equal(['info ObjectRefused status.phase statusDropped']);
    expect(told('{ phase: "" }')).to.deep.equal(['info ObjectRefused status.phase statusDropped']);
    expect(told('{ phase: Ready }')).to.deep.equal([]);
  });

  it('has unknown fields all the same, and types that server-side apply refuses', () => {
    expect(told('{ phase: Ready, more: 1 }')).to.deep.equal([
      'warning UnknownField status.more unknown',
    ]);
    expect(told('{ phase: 3 }')).to.include('warning ObjectRefused status.phase statusApplied');
  });

  it('is refused without the subresource', () =>
    expect(told('{ phase: "" }', false)).to.deep.equal([
      'error ObjectRefused status.phase refused',
    ]));
});

describe('a manifest that is not known as it is applied', () => {
  const definition = structuredClone(crd);
  const [version] = (definition.spec as { versions: { schema: JsonObject }[] }).versions;
  const properties = {
    size: { type: 'integer' },
    mode: { enum: ['fast'], type: 'string' },
    spec: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
  };
  const rule = { rule: '!has(self.mode) || has(self.size)', message: 'size it' };
  const schema = { type: 'object', properties, 'x-kubernetes-validations': [rule] };
  if (version) version.schema = { openAPIV3Schema: schema };
  const told = (text: string, source: ManifestSource): string[] => {
    const head = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\n';
    const object = parseYaml(`${head}${text}\n`) as JsonObject;
    const { findings } = judgeManifest(
      object,
      { crd: definition },
      new ValidatorCache(),
      undefined,
      source,
    );
    return findings.map(({ severity, path = 'whole' }) => `${severity} ${path}`);
  };
  const unfinished = { isUnfinished: true };
  const rows: readonly [name: string, text: string, source: ManifestSource, told: string[]][] = [
    ['a field that an overlay may add', 'spec: {}', unfinished, ['warning spec.key']],
    ['a value that an overlay may replace', 'mode: tbd', unfinished, ['warning mode']],
    ['a wrong type', 'size: "3"', unfinished, ['error size']],
    ['the same where it is applied so', 'spec: {}', {}, ['error spec.key']],
  ];
  const isUnknown = (text: string): boolean => text.includes('${SIZE}');
  const unknown: readonly [text: string, told: string[]][] = [
    ['size: "${SIZE}"', []],
    ['spec: { key: [ "${SIZE}" ] }', []],
    ['"${SIZE}": 1', []],
    ['sise: "${SIZE}"', ['warning sise']],
    ['mode: "${OTHER}"\nsize: 1', ['error mode']],
    ['size: "${SIZE}"\nspec: {}', ['error spec.key']],
    // What a rule says of the whole may be said because of the variable.
    ['mode: fast\nspec: { key: "${SIZE}" }', []],
    ['mode: fast', ['error whole']],
  ];
  for (const [name, text, source, expected] of rows) {
    it(`is judged by ${name}`, () => expect(told(text, source)).to.deep.equal(expected));
  }
  for (const [text, expected] of unknown) {
    it(`is not judged by values with variables: ${text}`, () =>
      expect(told(text, { isUnknown })).to.deep.equal(expected));
  }

  it('says of which value it says nothing for its variable', () => {
    const object = parseYaml(
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nsize: "${SIZE}"\n',
    ) as JsonObject;
    const { unchecked } = judgeManifest(object, { crd }, new ValidatorCache(), undefined, {
      isUnknown,
    });
    expect(unchecked).to.deep.equal([
      'Widget a size: not judged: it holds a variable whose value is not known here',
    ]);
  });
});

describe('one wrong value', () => {
  const definition = structuredClone(crd);
  const [version] = (definition.spec as { versions: { schema: JsonObject }[] }).versions;
  const size = {
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[0-9]+(Gi)?$',
  };
  const isInteger = 'quantity(string(self.size)).isInteger()';
  const spec = {
    type: 'object',
    properties: { size },
    'x-kubernetes-validations': [{ rule: isInteger }],
  };
  if (version) version.schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const told = (value: string | boolean): { findings: string[]; unchecked: readonly string[] } => {
    const { findings, unchecked } = judgeManifest(
      {
        ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } },
        spec: { size: value },
      },
      { crd: definition },
      new ValidatorCache(),
    );
    return { findings: findings.map(({ rule, message }) => `${rule} ${message}`), unchecked };
  };

  it('is one finding, and rules that fail of it are none', () =>
    expect(told('10Gib')).to.deep.equal({
      findings: [
        "ObjectRefused spec.size: Invalid value: spec.size in body should match '^[0-9]+(Gi)?$'; rules around it are not evaluated until it is right",
      ],
      unchecked: [],
    }));
  it('of a wrong type is told once, whatever parts of a union say', () =>
    expect(told(true)).to.deep.equal({
      findings: [
        'ObjectRefused spec.size: Invalid value (type): spec.size in body must be of type integer,string: "boolean"; rules around it are not evaluated until it is right',
      ],
      unchecked: [],
    }));
  it('does not hide a rule that it fails', () =>
    expect(told('1.5').findings.map((each) => each.slice(0, 30))).to.deep.equal([
      'ObjectRefused spec: Invalid va',
      'ObjectRefused spec.size: Inval',
    ]));
});

describe('a manifest of a cluster-scoped kind', () => {
  it('may have a namespace, as kustomize sets it: the API server clears it', () => {
    const object = parseYaml(
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a, namespace: web }\nsize: 1\n',
    ) as JsonObject;
    const { findings } = judgeManifest(object, { crd }, new ValidatorCache());
    expect(findings).to.deep.equal([]);
  });
});

describe('what only some minors of Kubernetes refuse', () => {
  const formats = structuredClone(crd);
  const [version] = (formats.spec as { versions: { schema: JsonObject }[] }).versions;
  const int32 = { type: 'integer', format: 'int32' };
  const shortName = { type: 'string', format: 'k8s-short-name' };
  const fields = { size: int32, owner: shortName, keep: { type: 'integer', maximum: 30 } };
  if (version) version.schema = { openAPIV3Schema: { type: 'object', properties: fields } };

  const object = (spec: JsonObject): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'big' },
    ...spec,
  });
  const told = (spec: JsonObject, minors?: string, old?: JsonObject): string[] =>
    judgeManifest(
      object(spec),
      { crd: formats, old },
      new ValidatorCache(),
      minors === undefined ? undefined : askedMinors(minors),
    ).findings.map(({ severity, message }) => `${severity}: ${message}`);
  const range =
    'size: Invalid value: Checked value must be of type integer with format int32 in size';

  const rows: readonly [string, JsonObject, string | undefined, readonly string[]][] = [
    ['none where no asked minor refuses', { size: 3e9 }, '1.29..1.35', []],
    [
      'the minors that refuse',
      { size: 3e9 },
      '1.34+',
      [`error: ${range} (Kubernetes 1.36 and later)`],
    ],
    ['no minors where all that are asked refuse', { size: 3e9 }, '1.36', [`error: ${range}`]],
    [
      'an error by default, where the newest decides',
      { size: 3e9 },
      undefined,
      [`error: ${range} (Kubernetes 1.36 and later)`],
    ],
    [
      'no minors where all there are refuse',
      { keep: 31 },
      undefined,
      ['error: keep: Invalid value: keep in body should be less than or equal to 30'],
    ],
    [
      'names from 1.34 on',
      { owner: 'A' },
      '1.33,1.34',
      [
        'error: owner: Invalid value (type): owner in body must be of type k8s-short-name: "A" (Kubernetes 1.34)',
      ],
    ],
  ];
  for (const [what, spec, minors, expected] of rows) {
    it(`names ${what}`, () => {
      expect(told(spec, minors)).to.deep.equal(expected);
    });
  }

  it('is not blamed on the new definition where the same minors refused it under the old one', () => {
    expect(told({ size: 3e9 }, '1.34+', formats)).to.deep.equal([
      `warning: ${range} (Kubernetes 1.36 and later) (refused by the old definition too)`,
    ]);
    expect(told({ size: 3e9 }, '1.34+', crd)).to.deep.equal([
      `error: ${range} (Kubernetes 1.36 and later)`,
    ]);
  });
});

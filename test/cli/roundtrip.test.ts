import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { runHere, type Ended } from './command.js';
import {
  definition,
  metadataOf,
  rename,
  specOf,
  startConverter,
  version,
  zoneNote,
  type Behaviour,
  type ConvertObject,
} from './converters.js';

interface Fault extends Behaviour {
  readonly what: string;
  /** The rule, and a part of what it says. */
  readonly says: readonly [rule: string, message: RegExp];
  readonly args?: readonly string[];
}

/** The good converter, with something done to the contents that it makes. */
function spoiling(
  spoil: (spec: JsonObject, object: JsonObject, to: string) => JsonObject,
): ConvertObject {
  return (object, to) => {
    const made = rename(object, to);
    const spec = specOf(made);
    return spec === undefined ? made : { ...made, spec: spoil(spec, object, to) };
  };
}

function withMetadata(change: (metadata: JsonObject) => JsonObject): ConvertObject {
  return (object, to) => {
    const made = rename(object, to);
    return { ...made, metadata: change(metadataOf(made)) };
  };
}

const objectsOf = (response: JsonObject): JsonValue[] =>
  (own(response, 'convertedObjects') ?? []) as JsonValue[];
const withObjects = (change: (objects: JsonValue[]) => JsonValue[]): Behaviour['answer'] => {
  return (response) => ({ ...response, convertedObjects: change(objectsOf(response)) });
};

const withoutLast = (object: JsonValue): JsonValue => {
  const spec = { ...specOf(object as JsonObject) };
  delete spec['last'];
  return { ...(object as JsonObject), spec };
};

const faults: readonly Fault[] = [
  {
    what: 'drops a field',
    convert: spoiling(({ last: _, ...spec }) => spec),
    says: ['RoundTripLoss', /\^\.spec\.last is lost from v1 to v2 and back/],
  },
  {
    what: 'swaps two fields',
    convert: spoiling(({ first, last, ...spec }, _object, to) =>
      to.endsWith('v2') || first === undefined || last === undefined
        ? {
            ...spec,
            ...(first === undefined ? {} : { first }),
            ...(last === undefined ? {} : { last }),
          }
        : { ...spec, first: last, last: first },
    ),
    says: ['RoundTripLoss', /\^\.spec\.first is changed/],
  },
  {
    what: 'forgets the uid',
    answer: ({ uid: _, ...response }) => response,
    says: ['ConversionContract', /another uid/],
  },
  {
    what: 'answers in another version',
    convert: (object, to) => ({ ...rename(object, to), apiVersion: 'example.com/v1alpha1' }),
    says: ['ConversionContract', /another version than v2/],
  },
  {
    what: 'fails one time in ten',
    status: (count) => (count % 10 === 0 ? 500 : undefined),
    says: ['ConverterFails', /now and then .*HTTP status 500/],
  },
  {
    what: 'does not answer in time',
    status: () => 'silence',
    args: ['--timeout', '2.00005'],
    says: ['ConverterFails', /does not answer in time/],
  },
  {
    what: 'has an expired certificate',
    certificate: 'expired',
    says: ['ConverterUnreachable', /certificate .*expired/],
  },
  {
    what: 'has a certificate of another authority',
    certificate: 'other authority',
    says: ['ConverterUnreachable', /certificate of the converter is not accepted/],
  },
  {
    what: 'has a certificate for another name',
    certificate: 'other name',
    says: ['ConverterUnreachable', /certificate of the converter is not accepted/],
  },
  {
    what: 'is not idempotent',
    convert: spoiling((spec) => ({
      ...spec,
      ...(typeof spec['zone'] === 'string' ? { zone: `${spec['zone']}+` } : {}),
      ...(typeof spec['last'] === 'string' ? { last: `${spec['last']}+` } : {}),
    })),
    says: ['RoundTripLoss', /\^\.spec\.last is changed/],
  },
  {
    what: 'loses annotations',
    convert: withMetadata(({ annotations: _, ...metadata }) => metadata),
    says: ['RoundTripLoss', /\^\.metadata\.annotations is lost/],
  },
  {
    what: 'merges items of a list that are alike',
    convert: spoiling(({ tags, ...spec }) =>
      Array.isArray(tags) ? { ...spec, tags: [...new Set(tags)] } : spec,
    ),
    says: ['RoundTripLoss', /\^\.spec\.tags\[\*\] is lost/],
  },
  {
    what: 'reads text as Latin-1',
    convert: spoiling(({ first, ...spec }) =>
      typeof first === 'string'
        ? { ...spec, first: Buffer.from(first, 'latin1').toString('latin1') }
        : spec,
    ),
    says: ['RoundTripLoss', /\^\.spec\.first is changed/],
  },
  {
    what: 'holds integers in doubles',
    losesNumbers: true,
    says: ['RoundTripLoss', /\^\.spec\.big is changed/],
  },
  {
    what: 'makes an empty text of null',
    convert: spoiling((spec) => (spec['note'] === null ? { ...spec, note: '' } : spec)),
    says: ['RoundTripLoss', /\^\.spec\.note is changed/],
  },
  {
    what: 'sets its defaults each time',
    convert: spoiling((spec) => ({
      ...spec,
      tags: [...((spec['tags'] ?? []) as JsonValue[]), 'default'],
    })),
    says: ['RoundTripLoss', /\^\.spec\.tags(\[\*\])? is added/],
  },
  {
    what: 'panics on an object without a spec',
    convert: (object, to) => {
      if (specOf(object) === undefined) throw new TypeError('nil');
      return rename(object, to);
    },
    says: ['ConverterFails', /no ConversionReview .*broke off/],
  },
  {
    what: 'answers fewer objects',
    answer: withObjects((objects) => (objects.length > 1 ? objects.slice(1) : objects)),
    says: ['ConversionContract', /another number of objects/],
  },
  {
    what: 'answers in another order',
    answer: withObjects((objects) => [...objects].reverse()),
    says: ['ConversionContract', /another order/],
  },
  {
    what: 'changes the name',
    convert: withMetadata((metadata) => ({
      ...metadata,
      name: `${metadata['name'] as string}-v2`,
    })),
    says: ['ConversionContract', /\^\.metadata\.name is changed/],
  },
  {
    what: 'answers Success with garbage',
    answer: withObjects((objects) => objects.map(() => 'garbage')),
    says: ['ConversionContract', /no object/],
  },
  {
    what: 'makes what the schema refuses',
    convert: spoiling((spec) => ({ ...spec, first: 7 })),
    says: ['ConvertedObjectRefused', /schema of v2 refuses .*\^\.spec\.first/],
  },
  {
    what: 'converts otherwise beside other objects',
    answer: withObjects((objects) =>
      objects.length === 1
        ? objects.map((each) => ({ ...(each as JsonObject), spec: { zone: 'alone' } }))
        : objects,
    ),
    says: ['ConversionUnstable', /otherwise beside other objects than alone/],
  },
  {
    what: 'drops entries of maps whose keys are like those of labels',
    convert: spoiling((spec) => {
      const settings = spec['settings'] ?? null;
      if (!isObject(settings)) return spec;
      const kept = Object.entries(settings).filter(([key]) => !/[./]/.test(key));
      return { ...spec, settings: Object.fromEntries(kept) };
    }),
    says: ['RoundTripLoss', /\^\.spec\.settings\S* is lost/],
  },
  {
    what: 'cuts lists at twenty items',
    convert: spoiling(({ tags, ...spec }) =>
      Array.isArray(tags) ? { ...spec, tags: tags.slice(0, 20) } : spec,
    ),
    says: ['RoundTripLoss', /\^\.spec\.tags\[\*\] is lost/],
  },
  {
    what: 'cuts the longest list that its field takes',
    convert: spoiling(({ hosts, ...spec }) =>
      Array.isArray(hosts) ? { ...spec, hosts: hosts.slice(0, 99) } : spec,
    ),
    says: ['RoundTripLoss', /\^\.spec\.hosts\[\*\] is lost/],
  },
  {
    what: 'goes wrong with time',
    answer: (response, count) =>
      count <= 25
        ? response
        : (withObjects((objects) => objects.map(withoutLast))?.(response, count) ?? response),
    says: ['ConversionUnstable', /otherwise the second time/],
  },
  {
    what: 'is not there',
    status: () => 404,
    says: ['ConverterFails', /HTTP status 404/],
  },
];

/** The same object with another text of the annotation that keeps the zone. */
function withZone(object: JsonObject, write: (zone: string) => string): JsonObject {
  const metadata = metadataOf(object);
  const annotations = own(metadata, 'annotations');
  const zone = isObject(annotations ?? null) ? own(annotations as JsonObject, zoneNote) : undefined;
  if (typeof zone !== 'string') return object;
  const changed = { ...(annotations as JsonObject), [zoneNote]: write(zone) };
  return { ...object, metadata: { ...metadata, annotations: changed } };
}

/** None has anything to be told of. */
const good: readonly (Behaviour & { readonly what: string })[] = [
  { what: 'renames fields and keeps others in an annotation' },
  { what: 'refuses the version that an object has', refusesOwnVersion: true },
  {
    what: 'adds a label and an annotation of its own',
    convert: withMetadata(({ labels, annotations, ...metadata }) => ({
      ...metadata,
      labels: { ...(labels as JsonObject), 'example.com/converted': 'true' },
      annotations: { ...(annotations as JsonObject), 'example.com/by': 'webhook' },
    })),
  },
  {
    what: 'keeps the whole object in an annotation',
    convert: (object, to) => {
      const made = rename(object, to);
      const kept = JSON.stringify(specOf(object) ?? null);
      const metadata = metadataOf(made);
      const annotations = {
        ...(own(metadata, 'annotations') as JsonObject),
        'example.com/was': kept,
      };
      return { ...made, metadata: { ...metadata, annotations } };
    },
  },
  {
    what: 'writes a whole object in another order',
    convert: (object, to) => Object.fromEntries(Object.entries(rename(object, to)).reverse()),
  },
  {
    what: 'says beside its success what it did',
    answer: (response) => ({
      ...response,
      result: { status: 'Success', message: 'converted', details: { kind: 'Widget' } },
    }),
  },
  {
    what: 'leaves out labels and annotations that are empty',
    convert: withMetadata((metadata) =>
      Object.fromEntries(
        Object.entries(metadata).filter(
          ([name, value]) =>
            !['labels', 'annotations'].includes(name) || Object.keys(value ?? {}).length > 0,
        ),
      ),
    ),
  },
  {
    what: 'keeps what a version has no field for as JSON',
    convert: (object, to) => {
      if (own(object, 'apiVersion') === to) return object;
      return to.endsWith('/v2')
        ? rename(
            withZone(object, (zone) => JSON.parse(zone) as string),
            to,
          )
        : withZone(rename(object, to), (zone) => JSON.stringify(zone));
    },
  },
  {
    what: 'sets an annotation with the version that it was asked for',
    convert: (object, to) => {
      const made = rename(object, to);
      const metadata = metadataOf(made);
      const annotations = { ...(own(metadata, 'annotations') as JsonObject), 'example.com/as': to };
      return { ...made, metadata: { ...metadata, annotations } };
    },
  },
  {
    what: 'writes the fields of an object in another order',
    convert: spoiling((spec) => Object.fromEntries(Object.entries(spec).reverse())),
  },
];

describe('olm-guard roundtrip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-roundtrip-'));
  const file = join(folder, 'widgets.json');
  writeFileSync(file, JSON.stringify(definition));
  after(() => rmSync(folder, { recursive: true }));

  async function ask(behaviour: Behaviour, args: readonly string[] = []): Promise<Ended> {
    const converter = await startConverter(behaviour);
    const authority = join(folder, 'ca.pem');
    writeFileSync(authority, converter.authority);
    try {
      const how = ['--converter', converter.url, '--ca-file', authority, '--samples', '60'];
      return await runHere(['roundtrip', file, ...how, '--slow', '30', ...args]);
    } finally {
      await converter.close();
    }
  }

  interface Told {
    readonly results: readonly {
      readonly verdict: {
        readonly findings: readonly {
          readonly rule: string;
          readonly message: string;
          readonly severity: string;
          readonly witness?: JsonObject;
        }[];
      };
    }[];
  }
  const findingsOf = ({ stdout }: Ended) =>
    (JSON.parse(stdout) as Told).results.flatMap(({ verdict }) => verdict.findings);

  describe('finds a converter that', () => {
    for (const { what, says, args = [], ...behaviour } of faults) {
      it(what, async () => {
        const ended = await ask(behaviour, [...args, '-o', 'json']);
        const [rule, message] = says;
        const found = findingsOf(ended);
        const said = found.filter((each) => each.rule === rule).map((each) => each.message);
        expect(said.join('\n'), ended.stderr).to.match(message);
        expect(ended.code).to.equal(1);
      });
    }
  });

  describe('has nothing to say of a converter that', () => {
    for (const { what, ...behaviour } of good) {
      it(what, async () => {
        const ended = await ask(behaviour, ['-o', 'json']);
        expect(findingsOf(ended), ended.stderr).to.deep.equal([]);
        expect(ended.code).to.equal(0);
      });
    }
  });

  it('prints integers that doubles do not hold, and no object that its own version refuses', async () => {
    const { stdout } = await ask({ losesNumbers: true });
    expect(stdout).to.include('big: 9223372036854775807').and.include('big: 9007199254740993');
    expect(stdout).to.not.include('9223372036854776000');
  });

  describe('accuses a converter that only changes apiVersion of', () => {
    const identity: ConvertObject = (object, to) => ({ ...object, apiVersion: to });
    const rows: [what: string, v1: object, v2: object, rules: string[]][] = [
      [
        'losing the field that one version has, and of nothing else',
        { color: { type: 'string' } },
        { colour: { type: 'string' } },
        ['RoundTripLoss'],
      ],
      [
        'nothing where a version fills in a default',
        { size: { type: 'integer' }, zone: { type: 'string', default: 'a' } },
        { size: { type: 'integer' }, zone: { type: 'string' } },
        [],
      ],
      [
        'nothing where the versions have different defaults',
        { zone: { type: 'string', default: 'a' }, size: { type: 'integer', default: 1 } },
        { zone: { type: 'string', default: 'b' }, size: { type: 'integer', default: 1 } },
        [],
      ],
    ];
    for (const [what, first, second, rules] of rows) {
      it(what, async () => {
        const made = structuredClone(definition) as { spec: { versions: object[] } };
        made.spec.versions = [version('v1', true, first), version('v2', false, second)];
        writeFileSync(file, JSON.stringify(made));
        try {
          const found = findingsOf(await ask({ convert: identity }, ['-o', 'json']));
          expect([...new Set(found.map(({ rule }) => rule))], JSON.stringify(found)).to.deep.equal(
            rules,
          );
        } finally {
          writeFileSync(file, JSON.stringify(definition));
        }
      });
    }
  });

  it('asks no more after eight answers in a row that are no ConversionReview', async () => {
    const converter = await startConverter({ answer: () => null });
    const authority = join(folder, 'ca.pem');
    writeFileSync(authority, converter.authority);
    try {
      const how = ['--converter', converter.url, '--ca-file', authority, '-o', 'json'];
      const ended = await runHere(['roundtrip', file, ...how]);
      expect(findingsOf(ended).map(({ rule }) => rule)).to.deep.equal(['ConverterFails']);
      expect(converter.asked()).to.equal(8);
    } finally {
      await converter.close();
    }
  });

  it('shows the smallest object', async () => {
    const lossy = spoiling(({ last: _, ...spec }) => spec);
    const ended = await ask({ convert: lossy }, ['-o', 'json']);
    const [found] = findingsOf(ended).filter(({ message }) =>
      message.includes('^.spec.last is lost from v1'),
    );
    expect(Object.keys(found?.witness?.['spec'] as JsonObject)).to.deep.equal(['last']);
  });

  for (const [format, holds] of [
    ['text', /RoundTripLoss/],
    ['markdown', /RoundTripLoss/],
    ['junit', /<failure message="denied by RoundTripLoss/],
    ['sarif', /"ruleId": ?"RoundTripLoss"/],
  ] as const) {
    it(`prints ${format}`, async () => {
      const lossy = spoiling(({ last: _, ...spec }) => spec);
      const ended = await ask({ convert: lossy }, ['-o', format]);
      expect(ended.stdout).to.match(holds);
      expect(ended.code).to.equal(1);
    });
  }

  for (const [what, args, message] of [
    ['a converter that is no URL', ['--converter', 'widgets'], /https:\/\/ URL/],
    ['plain HTTP to another host', ['--converter', 'http://example.com'], /https:\/\/ URL/],
    ['a definition without a webhook', ['--converter', 'cluster'], /no conversion webhook/],
    [
      'authorities that are not there',
      ['--converter', 'https://localhost', '--ca-file', '/nowhere.pem'],
      /nowhere\.pem/,
    ],
  ] as const) {
    it(`says what is wrong about ${what}`, async () => {
      const { code, stderr } = await runHere(['roundtrip', file, ...args]);
      expect([code, stderr.trim().split('\n').length]).to.deep.equal([2, 1]);
      expect(stderr).to.match(message);
    });
  }
});

/**
 * Catalogs as careless people and tools leave them: a sound one of one or two packages with one to
 * four random changes, in one file or several, as JSON or as YAML. The same seed gives the same ones.
 */
import { dump } from 'js-yaml';
import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../src/text/documents/index.js'; // prettier-ignore
import { Random } from '../../apiserver/random-schemas.js';

export type Files = Readonly<Record<string, string>>;

class Choices extends Random {
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

const names = ['foo', 'foo.v1.0.0', 'foo.v1.1.0', 'foo.v1.2.0', 'foo.v2.0.0', 'bar', 'bar.v0.1.0', 'stable', 'alpha', '', 'Foo', 'foo.bar', 'f'.repeat(64), 'foo-', 'föö', 'nope', ' foo', 'foo v1', 'a/b']; // prettier-ignore
const versions = ['1.0.0', '1.1.0', '1.2.0', '1.2.0+build', '1.0.0-rc.1', '1.0.0-01', 'v1.0.0', '1.0', '01.0.0', '', '1.0.0-', '1.0.0+', '18446744073709551615.0.0', '18446744073709551616.0.0', ' 1.0.0', '1.0.0-é', '1.0.0-a_b', '1.0.0-a..b', '1', '1.0.0.0', '1.-1.0', '1.0.0-0', '1.0.0--', '1.0.0+a.b-c', '1.0.0+ä']; // prettier-ignore
const ranges = ['>=1.0.0 <1.2.0', '<1.2.0', '>=1.0.x', '1.x.x', '!1.1.0', '>=1.0.0 || <0.5.0', '~1.0', '^1.0.0', '1.0.0 - 2.0.0', '', ' ', 'x', '>', '>=1.0.0,<2.0.0', '<=1.0.0-next', '=1.0.0', '==1.0.0', '!=1.0.0', '>= 1.0.0', '> =1.0.0', '<1.2.0||>2', '1.0.0||', '||', '>=1.0.0 < 1.2.0', '*', '>=1', '>=1.2.3.4', 'latest', '(>=1.0.0)', '>=1.0.0\t<2.0.0', '>=1.0.0 &&<2.0.0']; // prettier-ignore
const images = ['quay.io/x/foo:v1', 'quay.io/x/foo', 'foo', 'foo:', 'FOO', 'quay.io/X/foo:v1', 'quay.io:5000/x/foo@sha256:' + 'a'.repeat(64), 'quay.io/x/foo:v1@sha256:' + 'b'.repeat(64), 'foo@sha256:abc', 'foo@md5:' + 'a'.repeat(32), '', ' ', 'a'.repeat(64), 'docker.io/library/foo', 'localhost/foo', 'localhost:5000/foo', 'a//b', 'a/b_c/d__e/f___g', 'a/-b', 'a..b/c', 'a.b/c:tag-_.x', 'foo:' + 't'.repeat(129), '[::1]:5000/foo', '[fe80::1%eth0]/foo', 'foo@sha512:' + 'c'.repeat(128), 'foo@sha256:' + 'A'.repeat(64), 'http://foo/bar', 'foo/' + 'b'.repeat(256), 'Foo/bar', 'Foo.com/bar', 'foo@sha384:' + 'd'.repeat(96), 'foo@a+b:' + 'a'.repeat(32), 'foo@sha256.x:' + 'a'.repeat(32)]; // prettier-ignore
const scalars: readonly JsonValue[] = [null, true, false, 0, 1, 1.5, -1, 'x', '', [], {}, ['x'], { a: 1 }, [null], [1], [{}], [[]]]; // prettier-ignore
const icons = [
  'PHN2Zy8+',
  'iVBORw0KGgo=',
  '!!',
  'PHN2Zy8',
  '',
  'PHN2\nZy8+',
  'PHN2Zy8+====',
  'PD94bWwgdmVyc2lvbj0iMS4wIj8+PHN2Zy8+',
];
const properties: readonly JsonValue[] = [
  { type: 'olm.gvk', value: { group: 'g', version: 'v1', kind: 'K' } },
  { type: 'olm.gvk.required', value: { group: 'g', version: 'v1', kind: 'K' } },
  { type: 'olm.package.required', value: { packageName: 'bar', versionRange: '>=1.0.0' } },
  { type: 'olm.package.required', value: { packageName: 'bar', versionRange: 'nope' } },
  { type: 'olm.package', value: { packageName: 'foo', version: '1.0.0' } },
  { type: 'olm.package', value: { packageName: 'foo', version: '1.0.0', release: '1' } },
  { type: 'olm.package', value: { packageName: 'foo', version: '1.0.0', release: 'a..b' } },
  { type: 'olm.channel', value: { name: 'stable' } },
  { type: 'olm.skips', value: 'foo.v1.0.0' },
  { type: 'olm.skipRange', value: '<1.0.0' },
  { type: 'olm.bundle.object', value: { data: 'e30=' } },
  { type: 'olm.bundle.object', value: { data: 'not base64' } },
  { type: 'olm.bundle.object', value: { data: 1 } },
  { type: 'olm.bundle.object', value: { ref: 'x' } },
  {
    type: 'olm.csv.metadata',
    value: {
      displayName: 'x',
      installModes: [{ type: 'OwnNamespace', supported: true }],
      provider: {},
    },
  },
  { type: 'olm.csv.metadata', value: { annotations: { a: 1 } } },
  { type: 'olm.csv.metadata', value: { crdDescriptions: { owned: [{ name: 1 }] } } },
  {
    type: 'olm.constraint',
    value: { failureMessage: 'x', package: { packageName: 'a', versionRange: '>=1.0.0' } },
  },
  { type: 'olm.constraint', value: 'x' },
  { type: 'olm.maxOpenShiftVersion', value: '4.20' },
  { type: 'olm.substitutesFor', value: 'foo.v1.0.0' },
  { type: '', value: 1 },
  { type: 'x', value: null },
  { type: 'x' },
  { value: 1 },
  { type: 'search.text', value: 'ü' },
];

const bundle = (pack: string, version: string): JsonObject => ({
  schema: 'olm.bundle',
  package: pack,
  name: `${pack}.v${version}`,
  image: `quay.io/x/${pack}:v${version}`,
  properties: [{ type: 'olm.package', value: { packageName: pack, version } }],
  relatedImages: [{ name: 'operator', image: 'quay.io/x/op:v1' }],
});

function soundCatalog(choices: Choices): JsonObject[] {
  const objects: JsonObject[] = [
    { schema: 'olm.package', name: 'foo', defaultChannel: 'stable', description: 'Foo' },
    {
      ...{ schema: 'olm.channel', package: 'foo', name: 'stable' },
      entries: [
        { name: 'foo.v1.0.0' },
        { name: 'foo.v1.1.0', replaces: 'foo.v1.0.0' },
        { name: 'foo.v1.2.0', replaces: 'foo.v1.1.0', skips: ['foo.v1.0.0'], skipRange: '<1.2.0' },
      ],
    },
    ...['1.0.0', '1.1.0', '1.2.0'].map((version) => bundle('foo', version)),
  ];
  if (choices.chance(0.4)) {
    objects.push(
      { schema: 'olm.package', name: 'bar', defaultChannel: 'alpha', icon: { base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' } }, // prettier-ignore
      { schema: 'olm.channel', package: 'bar', name: 'alpha', entries: [{ name: 'bar.v0.1.0' }] },
      bundle('bar', '0.1.0'),
    );
  }
  if (choices.chance(0.4)) {
    objects.push({
      ...{ schema: 'olm.deprecations', package: 'foo' },
      entries: [
        { reference: { schema: 'olm.package' }, message: 'gone' },
        { reference: { schema: 'olm.channel', name: 'stable' }, message: 'use another' },
        { reference: { schema: 'olm.bundle', name: 'foo.v1.0.0' }, message: 'old' },
      ],
    });
  }
  if (choices.chance(0.2)) objects.push({ schema: 'acme.meta', package: 'foo', name: 'x', any: 1 });
  if (choices.chance(0.4)) {
    objects.push({
      ...{ schema: 'olm.channel', package: 'foo', name: 'alpha' },
      entries: [{ name: 'foo.v1.2.0' }, ...(choices.chance(0.5) ? [{ name: 'foo.v1.1.0' }] : [])],
    });
  }
  return objects;
}

interface Spot {
  readonly at: JsonObject | JsonValue[];
  readonly key: string | number;
}

function spotsOf(value: JsonValue, found: Spot[] = []): Spot[] {
  if (Array.isArray(value)) {
    value.forEach((each, key) => {
      found.push({ at: value, key });
      spotsOf(each, found);
    });
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      found.push({ at: value, key });
      spotsOf(value[key] as JsonValue, found);
    }
  }
  return found;
}

const get = ({ at, key }: Spot): JsonValue =>
  (at as Record<string | number, JsonValue>)[key] as JsonValue;
const put = ({ at, key }: Spot, value: JsonValue): void => {
  (at as Record<string | number, JsonValue>)[key] = value;
};
const copy = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

function another(key: string | number, choices: Choices): JsonValue {
  if (choices.chance(0.2)) return copy(choices.of(scalars));
  switch (key) {
    case 'version':
      return choices.of(versions);
    case 'skipRange':
    case 'versionRange':
      return choices.of(ranges);
    case 'image':
      return choices.of(images);
    case 'base64data':
      return choices.of(icons);
    case 'mediatype':
      return choices.of([
        'image/png',
        'image/svg+xml',
        'image/jpeg',
        'text/plain',
        '',
        'image/gif',
      ]);
    case 'schema':
      return choices.of([
        'olm.package',
        'olm.channel',
        'olm.bundle',
        'olm.deprecations',
        'olm.other',
        'OLM.package',
        '',
        'x',
      ]);
    case 'release':
      return choices.of(['1', 'a.b', '', '01', 'a..b', 'x'.repeat(21), 'a_b', 'é']);
    case 'properties':
      return Array.from({ length: choices.below(4) }, () => copy(choices.of(properties)));
    case 'skips':
      return Array.from({ length: choices.below(3) }, () => choices.of(names));
    default:
      return choices.of(names);
  }
}

function change(objects: JsonObject[], choices: Choices): void {
  const all = spotsOf(objects);
  const spot = choices.of(all);
  switch (choices.below(9)) {
    case 0:
      if (Array.isArray(spot.at)) spot.at.splice(spot.key as number, 1);
      else delete spot.at[spot.key];
      return;
    case 1:
      if (Array.isArray(spot.at))
        spot.at.splice(choices.below(spot.at.length + 1), 0, copy(get(spot)));
      else put(spot, another(spot.key, choices));
      return;
    case 2: {
      const field = choices.of([
        'name',
        'package',
        'schema',
        'image',
        'properties',
        'entries',
        'skips',
        'replaces',
        'skipRange',
        'defaultChannel',
        'icon',
        'description',
        'relatedImages',
        'message',
        'reference',
        'extra',
        'Name',
        'PACKAGE',
        'version',
        'release',
        'value',
        'type',
        'objects',
        'csvJson',
        'shortDescription',
        'label',
      ]);
      const target = get(spot);
      if (isObject(target)) target[field] = another(field, choices);
      else put(spot, another(spot.key, choices));
      return;
    }
    case 3: {
      const bundles = objects.filter((each) => isObject(each) && Array.isArray(each['properties']));
      const list = bundles.length === 0 ? undefined : choices.of(bundles)['properties'];
      if (Array.isArray(list)) list.push(copy(choices.of(properties)));
      return;
    }
    case 4: {
      const version = choices.of(versions);
      objects.push({
        ...bundle('foo', choices.of(['1.1.0', '2.0.0', version])),
        name: choices.of(names),
      });
      return;
    }
    case 5: {
      const lists = objects
        .filter((each) => isObject(each) && Array.isArray(each['entries']))
        .map((each) => each['entries'] as JsonValue[]);
      const list = lists.length === 0 ? undefined : choices.of(lists);
      list?.push({
        name: choices.of(names),
        ...(choices.chance(0.6) ? { replaces: choices.of(names) } : {}),
        ...(choices.chance(0.4) ? { skips: [choices.of(names), choices.of(names)] } : {}),
        ...(choices.chance(0.3) ? { skipRange: choices.of(ranges) } : {}),
      });
      return;
    }
    default:
      put(spot, another(spot.key, choices));
  }
}

const fileNames = [
  'index.yaml',
  'catalog.json',
  'foo/index.yml',
  'foo/bundles/a.yaml',
  'README.md',
  'z',
  '.hidden.yaml',
  'foo/.indexignore',
  'a b.json',
];
const ignores = [
  'README.md',
  '*.md',
  '/foo',
  'foo/',
  '!foo',
  '**/a.yaml',
  'bundles',
  '#x',
  '\\#x',
  '*.y?ml',
  '[a-z]',
  'foo/*',
  '',
  '!*.yaml\n*.yaml',
  ' index.yaml',
  'index.yaml ',
  '/index.yaml',
  '[!a]*',
  '[^a]*',
  'foo/**/a.yaml',
  '**',
  '*',
];

function written(objects: readonly JsonObject[], choices: Choices): string {
  switch (choices.below(4)) {
    case 0:
      return objects.map((each) => `${stringifyJson(each)}\n`).join('');
    case 1:
      return objects.map((each) => JSON.stringify(each, null, 2)).join(choices.of(['', '\n', ' ']));
    case 2:
      return objects.map((each) => dump(each, { noRefs: true })).join('---\n');
    default:
      return objects
        .map(
          (each) =>
            `---\n${choices.chance(0.5) ? dump(each, { noRefs: true }) : `${stringifyJson(each)}\n`}`,
        )
        .join('');
  }
}

function damaged(text: string, choices: Choices): string {
  const at = choices.below(text.length + 1);
  const piece = choices.of([
    '\n',
    ' ',
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '---\n',
    '\n---\n',
    '\t',
    '\u0000',
    '\ufeff',
    '#',
    '- ',
    '&a ',
    '*a',
    '\\',
    'null',
    '\n...\n',
    '--- ',
    "'",
  ]);
  return choices.chance(0.5)
    ? text.slice(0, at) + piece + text.slice(at)
    : text.slice(0, at) + text.slice(at + 1 + choices.below(3));
}

/** A catalog's files by path. */
export function mutatedCatalogs(count: number, seed: number): Files[] {
  const choices = new Choices(seed);
  return Array.from({ length: count }, () => {
    const objects = soundCatalog(choices);
    const changes = 1 + choices.below(4);
    for (let done = 0; done < changes && objects.length > 0; done++) change(objects, choices);
    const parts = choices.chance(0.6) ? 1 : 2 + choices.below(2);
    const files: Record<string, string> = {};
    for (let part = 0; part < parts; part++) {
      const own = objects.filter(
        (_, index) => index % parts === part && isObject(objects[index] as JsonValue),
      );
      files[parts === 1 ? 'index.yaml' : choices.of(fileNames)] = written(own, choices);
    }
    if (choices.chance(0.15)) {
      files['.indexignore'] = [choices.of(ignores), choices.of(ignores)].join('\n');
    }
    const [first] = Object.keys(files);
    if (first !== undefined && choices.chance(0.15))
      files[first] = damaged(files[first] ?? '', choices);
    return files;
  });
}

import { expect } from 'chai';
import { parseDocuments } from '../../text/documents/documents.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { collectCrds, type Collection } from './collect.js';
import { pairCrds } from './pairs.js';

const crd = (name: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${name}}
spec: {group: example.com, scope: Namespaced, names: {kind: A, plural: as}, versions: []}
`;

function collect(text: string, file = 'f.yaml'): Collection {
  return collectCrds(parseDocuments(text, { file }));
}

describe('crd: collect', () => {
  it('finds definitions among other kinds and inside Lists', () => {
    const list = `kind: List
apiVersion: v1
items:
  - {apiVersion: v1, kind: ConfigMap}
  - ${crd('in-list').trim().replaceAll('\n', '\n    ')}
`;
    const { crds, otherDocuments } = collect(`${crd('a')}---\nkind: Service\n---\n${list}`);
    expect([...crds.keys()]).to.deep.equal(['a', 'in-list']);
    expect(crds.get('in-list')?.path).to.deep.equal(['items', 1]);
    expect(otherDocuments).to.equal(2);
  });

  it('finds them in whatever has items, and in lists of lists, as kubectl does', () => {
    const inner = JSON.stringify({
      kind: 'B',
      items: parseDocuments(crd('b')).map(({ value }) => value),
    });
    const { crds, otherDocuments } = collect(`{"kind": "Bundle", "items": [${inner}]}`);
    expect([...crds.keys()]).to.deep.equal(['b']);
    expect(crds.get('b')?.path).to.deep.equal(['items', 0, 'items', 0]);
    expect(otherDocuments).to.equal(2);
  });

  it('passes over a kind of the same name in another group', () => {
    const { crds, otherDocuments } = collect(
      'apiVersion: example.com/v1\nkind: CustomResourceDefinition\n',
    );
    expect([crds.size, otherDocuments]).to.deep.equal([0, 1]);
  });

  const refused: [string, () => unknown, string, object][] = [
    [
      'two of one name, naming both places',
      () =>
        collect(`${crd('a')}---\n${crd('a').replace('versions: []', 'versions: [{ name: v2 }]')}`),
      'is here a second time, with another spec; the first is at f.yaml:1',
      { file: 'f.yaml', line: 6 },
    ],
    [
      'a v1beta1 definition, saying how to convert it',
      () => collect(crd('a').replace('/v1', '/v1beta1')),
      'convert it to apiextensions.k8s.io/v1',
      { file: 'f.yaml', line: 1, column: 1, path: '$.apiVersion' },
    ],
    [
      'what has another type, at its line in a List',
      () =>
        collect(
          `kind: List\nitems:\n- ${crd('a').trim().replace('[]', 'none').replaceAll('\n', '\n  ')}`,
        ),
      'must be a list',
      { file: 'f.yaml', line: 6, column: 79, path: '$.spec.versions' },
    ],
    [
      'a side without any',
      () => pairCrds(collect('kind: Service'), collect(crd('a')), { old: 'OLD', new: 'NEW' }),
      'holds no CustomResourceDefinition (1 document of other kinds found',
      { file: 'OLD' },
    ],
    [
      'one on each side with different names',
      () => pairCrds(collect(crd('a')), collect(crd('b')), { old: 'OLD', new: 'NEW' }),
      'holds CustomResourceDefinition b, but OLD holds a',
      { file: 'f.yaml', line: 1 },
    ],
  ];
  for (const [what, run, message, where] of refused) {
    it(`refuses ${what}`, () => {
      try {
        run();
      } catch (error) {
        expect(error).to.be.instanceOf(InvalidInputError);
        expect((error as InvalidInputError).message).to.include(message);
        expect((error as InvalidInputError).where).to.deep.equal(where);
        return;
      }
      throw new Error('nothing was refused');
    });
  }

  it('pairs by name and tells what is only on one side', () => {
    const pairs = pairCrds(
      collect(`${crd('both')}---\n${crd('gone')}`),
      collect(`${crd('fresh')}---\n${crd('both')}`),
      { old: 'OLD', new: 'NEW' },
    );
    expect(pairs.changed.map((pair) => pair.new.name)).to.deep.equal(['both']);
    expect(pairs.added.map(({ name }) => name)).to.deep.equal(['fresh']);
    expect(pairs.removed.map(({ name }) => name)).to.deep.equal(['gone']);
  });
});

import { expect } from 'chai';
import { decideIntersection } from './intersection.js';
import type { GroupState } from './surface.js';

function group(
  name: string,
  targets: string[],
  providedAPIs: string | null,
  isStatic = false,
): GroupState {
  return {
    name,
    namespace: `${name}-ns`,
    statusNamespaces: targets,
    providedAPIs,
    staticProvidedAPIs: isStatic,
  };
}

const cat = { group: 'pets', version: 'v1', kind: 'Cat' };
const dog = { group: 'pets', version: 'v1', kind: 'Dog' };
const conflict = [
  'InterOperatorGroupOwnerConflict',
  'intersecting operatorgroups provide the same apis',
];
const fixed = [
  'CannotModifyStaticOperatorGroupProvidedAPIs',
  'static provided api operatorgroup cannot be modified by these apis',
];

interface Row {
  rule: string;
  own: GroupState;
  others?: GroupState[];
  apis?: (typeof cat)[];
  reason?: string;
  result: string;
  action: unknown[];
}

describe('decideIntersection', () => {
  const rows: Row[] = [
    {
      rule: 'known APIs, nobody else: go on',
      own: group('a', ['x'], 'Cat.v1.pets'),
      result: 'NoAPIConflict',
      action: ['continue'],
    },
    {
      rule: 'no APIs at all: go on',
      own: group('a', ['x'], null),
      apis: [],
      result: 'NoAPIConflict',
      action: ['continue'],
    },
    {
      rule: 'new APIs: the annotation becomes the union',
      own: group('a', ['x'], 'Dog.v1.pets , bad'),
      result: 'AddAPIs',
      action: ['setAnnotation', 'Cat.v1.pets,Dog.v1.pets'],
    },
    {
      rule: 'new APIs, static group: fail',
      own: group('a', ['x'], null, true),
      result: 'AddAPIs',
      action: ['fail', ...fixed],
    },
    {
      rule: 'new APIs, static group, reason is the conflict: nothing is written',
      own: group('a', ['x'], null, true),
      reason: 'InterOperatorGroupOwnerConflict',
      result: 'AddAPIs',
      action: ['none'],
    },
    {
      rule: 'another group provides it: conflict',
      own: group('a', ['x'], null),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      result: 'APIConflict',
      action: ['fail', ...conflict],
    },
    {
      rule: 'conflict on a static group is the same conflict',
      own: group('a', ['x'], null, true),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      result: 'APIConflict',
      action: ['fail', ...conflict],
    },
    {
      rule: 'conflict already said: nothing is written',
      own: group('a', ['x'], null),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      reason: 'InterOperatorGroupOwnerConflict',
      result: 'APIConflict',
      action: ['none'],
    },
    {
      rule: 'only one of two APIs is new: conflict',
      own: group('a', ['x'], 'Dog.v1.pets'),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      apis: [cat, dog],
      result: 'APIConflict',
      action: ['fail', ...conflict],
    },
    {
      rule: 'both groups list it: all APIs of the CSV leave the annotation',
      own: group('a', ['x'], 'Cat.v1.pets,Dog.v1.pets,Owl.v1.pets'),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      apis: [cat, dog],
      result: 'RemoveAPIs',
      action: ['setAnnotation', 'Owl.v1.pets'],
    },
    {
      rule: 'nothing is left: the annotation becomes empty',
      own: group('a', ['x'], 'Cat.v1.pets'),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      result: 'RemoveAPIs',
      action: ['setAnnotation', ''],
    },
    {
      rule: 'both list it, own group static: fail',
      own: group('a', ['x'], 'Cat.v1.pets', true),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      result: 'RemoveAPIs',
      action: ['fail', ...fixed],
    },
    {
      rule: 'both list it, static, reason is the conflict: nothing is written',
      own: group('a', ['x'], 'Cat.v1.pets', true),
      others: [group('b', ['x'], 'Cat.v1.pets')],
      reason: 'InterOperatorGroupOwnerConflict',
      result: 'RemoveAPIs',
      action: ['none'],
    },
    {
      rule: 'both list it, the other is static: the own annotation gives way',
      own: group('a', ['x'], 'Cat.v1.pets'),
      others: [group('b', ['x'], 'Cat.v1.pets', true)],
      result: 'RemoveAPIs',
      action: ['setAnnotation', ''],
    },
    {
      rule: 'own namespaces count',
      own: group('a', ['x'], null),
      others: [group('b', ['a-ns'], 'Cat.v1.pets')],
      result: 'APIConflict',
      action: ['fail', ...conflict],
    },
    {
      rule: 'a group without status reaches nothing',
      own: group('a', [''], null),
      others: [group('b', [], 'Cat.v1.pets')],
      result: 'AddAPIs',
      action: ['setAnnotation', 'Cat.v1.pets'],
    },
    {
      rule: 'other version, other API',
      own: group('a', ['x'], null),
      others: [group('b', ['x'], 'Cat.v2.pets')],
      result: 'AddAPIs',
      action: ['setAnnotation', 'Cat.v1.pets'],
    },
  ];
  for (const { rule, own, others = [], apis = [cat], reason = '', result, action } of rows) {
    it(rule, () => {
      const decision = decideIntersection(own, others, {
        statusReason: reason,
        providedAPIs: apis,
      });
      expect(decision.result).to.equal(result);
      expect(Object.values(decision.action)).to.deep.equal(action);
    });
  }

  it('goes on when an API prints as the annotation already reads', () => {
    const own = group('a', ['x'], 'A.v1.x.g');
    const claim = { statusReason: '', providedAPIs: [{ kind: 'A', version: 'v1.x', group: 'g' }] };
    expect(decideIntersection(own, [], claim).action).to.deep.equal({
      kind: 'setAnnotation',
      annotation: 'A.v1.x.g,A.v1.x.g',
    });
    const twice = group('a', ['x'], 'A.v1.x.g,A.v1.x.g');
    expect(decideIntersection(twice, [], claim).action).to.deep.equal({ kind: 'continue' });
  });

  it('names the other group, the API and the shared namespaces of every clash', () => {
    const others = [
      group('c', ['', 'q'], 'Cat.v1.pets'),
      group('b', [''], 'Dog.v1.pets,Cat.v1.pets'),
    ];
    const claim = { statusReason: '', providedAPIs: [cat, dog] };
    const decision = decideIntersection(group('a', ['x'], null), others, claim);
    expect(decision.clashes).to.deep.equal([
      { api: 'Cat.v1.pets', group: 'b/b-ns', namespaces: ['a-ns', 'x'] },
      { api: 'Dog.v1.pets', group: 'b/b-ns', namespaces: ['a-ns', 'x'] },
    ]);
    expect(decision.intersecting.map((other) => other.identifier)).to.deep.equal(['b/b-ns']);
  });

  it('does not compare a group with itself', () => {
    const own = group('a', ['x'], 'Cat.v1.pets');
    expect(
      decideIntersection(own, [own], { statusReason: '', providedAPIs: [cat] }).result,
    ).to.equal('NoAPIConflict');
  });
});

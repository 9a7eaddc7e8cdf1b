import { expect } from 'chai';
import { selectTargets, surfaceTargets, targetNamespacesAnnotation } from './surface.js';

const namespaces = [
  { name: 'zoo', labels: new Map([['env', 'prod']]) },
  { name: 'farm', labels: new Map([['env', 'prod']]) },
  { name: 'wild', labels: new Map<string, string>() },
];
const none = { matchLabels: new Map<string, string>(), matchExpressions: [] };
const prod = { matchLabels: new Map([['env', 'prod']]), matchExpressions: [] };
const dev = { matchLabels: new Map([['env', 'dev']]), matchExpressions: [] };
const bad = { matchLabels: new Map([['env', '!']]), matchExpressions: [] };

describe('selectTargets', () => {
  const rows: [
    rule: string,
    targets: string[],
    selector: typeof none | null,
    expected: string[],
  ][] = [
    ['no selector is global', [], null, ['']],
    ['an empty selector is global', [], none, ['']],
    ['a selector selects by label, sorted', [], prod, ['farm', 'zoo']],
    ['a selector that matches nothing is not global', [], dev, []],
    ['targetNamespaces win over the selector', ['wild'], prod, ['wild']],
    ['targetNamespaces need not exist and repeat once', ['x', 'a', 'x'], null, ['a', 'x']],
  ];
  for (const [rule, targetNamespaces, selector, expected] of rows) {
    it(rule, () => {
      const result = selectTargets({ targetNamespaces, selector }, namespaces);
      expect(result).to.deep.equal({ error: null, namespaces: expected });
    });
  }

  it('refuses the empty name among targetNamespaces, showing the list as Go does', () => {
    const result = selectTargets({ targetNamespaces: ['a', '', 'b'], selector: null }, namespaces);
    expect(result.error).to.equal('TargetNamespaces cannot contain NamespaceAll: [a  b]');
  });

  it('refuses an invalid selector even beside targetNamespaces', () => {
    const result = selectTargets({ targetNamespaces: [''], selector: bad }, namespaces);
    expect(result.error).to.match(/^values\[0\]\[env\]: Invalid value: "!"/);
  });

  it('writes olm.targetNamespaces sorted', () => {
    expect(targetNamespacesAnnotation(['b', 'a'])).to.equal('a,b');
    expect(targetNamespacesAnnotation([''])).to.equal('');
  });
});

describe('surfaceTargets', () => {
  const rows: [rule: string, status: string[], expected: string[]][] = [
    ['the own namespace is added', ['a'], ['a', 'own']],
    ['not without status', [], []],
    ['not to all namespaces', [''], ['']],
    ['not when the first name is empty', ['', 'a'], ['', 'a']],
    ['yes when a later name is empty', ['a', ''], ['', 'a', 'own']],
  ];
  for (const [rule, status, expected] of rows) {
    it(rule, () => expect(surfaceTargets('own', status).names()).to.deep.equal(expected));
  }
});

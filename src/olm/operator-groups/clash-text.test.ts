import { expect } from 'chai';
import { describeClash } from './intersection.js';

describe('describeClash', () => {
  const rows: [rule: string, namespaces: string[], ending: string][] = [
    ['all', [''], 'for all namespaces'],
    ['one', ['a'], 'for namespace a'],
    ['several', ['a', 'b'], 'for namespaces a, b'],
    ['many', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'for namespaces a, b, c, d, e and 2 more'],
  ];
  for (const [rule, namespaces, ending] of rows) {
    it(rule, () =>
      expect(describeClash({ api: 'Cat.v1.pets', group: 'g/ns', namespaces })).to.equal(
        `Cat.v1.pets is already provided by OperatorGroup g of namespace ns ${ending}`,
      ),
    );
  }
});

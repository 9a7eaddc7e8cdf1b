import { expect } from 'chai';
import { withoutValues } from './rewrite.js';

describe('withoutValues', () => {
  const rows: [reason: string, told: string][] = [
    [
      'Widget.example.com "w3" is invalid: spec.token: Invalid value: "s3cret": must not be s3cret',
      'Widget.example.com "w3" is invalid: spec.token: Invalid value',
    ],
    ['spec.mode: Unsupported value: "s3\\ncret": supported: "a"', 'spec.mode: Unsupported value'],
    ['[a: Duplicate value: "s3\ncret", b: Required value]', '[a: Duplicate value'],
    ['spec.ref: Not found: "s3cret"', 'spec.ref: Not found'],
    [
      'admission webhook "a.b" denied the request: locked',
      'admission webhook "a.b" denied the request: locked',
    ],
  ];
  for (const [reason, told] of rows) {
    it(told, () => expect(withoutValues(reason)).to.equal(told));
  }
});

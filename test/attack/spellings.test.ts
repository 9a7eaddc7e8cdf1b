/** A breaking update in disguise: however it is spelt, it is denied or refused, and never allowed. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { send, type PostOptions } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';

const old = withSize({ type: 'integer' });
const removal = (more: object = {}): string =>
  reviewText({ oldObject: old, object: withSize(undefined), ...more });
const plain = removal();
const disabled = { annotations: { 'olm-guard.io/disable': 'all' } };
const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';

const rows: [what: string, status: number, body: string | Buffer, options?: PostOptions][] = [
  ['a byte order mark', 200, Buffer.from(`\ufeff${plain}`)],
  [
    '__proto__ as a property',
    200,
    plain.replace('"properties":{}', '"properties":{"__proto__":{}}'),
  ],
  [
    '__proto__ around it',
    200,
    plain.replace('"request":{', '"request":{"__proto__":{"operation":"DELETE"},'),
  ],
  ['NUL as a property', 200, plain.replace('"properties":{}', '"properties":{"\\u0000":{}}')],
  ['a number past all others', 200, plain.replace('"integer"', '"integer","minimum":1e400')],
  ['half a character', 200, removal({ userInfo: { username: '\ud800' } })],
  [
    'control characters for a user',
    200,
    removal({ userInfo: { username: '\u001b[31m\n::error::x' } }),
  ],
  ['almost the garbage collector', 200, removal({ userInfo: { username: `${collector} ` } })],
  ['almost the status', 200, removal({ subResource: 'Status' })],
  ['no subresource', 200, removal({ subResource: '' })],
  ['another name in the request', 200, removal({ name: 'other.example.com' })],
  [
    'another name in the object',
    200,
    removal({ object: withSize(undefined, { name: 'other.example.com' }) }),
  ],
  [
    'a switch-off that nobody set',
    200,
    removal({ oldObject: withSize({ type: 'integer' }, disabled) }),
  ],
  [
    'an end of its own',
    200,
    removal({ object: withSize(undefined, { deletionTimestamp: '2020-01-01T00:00:00Z' }) }),
  ],
  ['the operation twice', 200, plain.replace('"operation":', '"operation":"DELETE","operation":')],
  ['the kind twice', 200, plain.replace('"kind":', '"kind":"Status","kind":')],
  ['another kind at last', 400, plain.replace(/\}$/, ',"kind":"Status"}')],
  ['two time-outs', 200, plain, { path: '/validate?timeout=1ns&timeout=30s' }],
  ['gzip', 400, gzipSync(plain), { headers: { 'content-encoding': 'gzip' } }],
  ['UTF-16', 400, Buffer.from(plain, 'utf16le')],
  ['v1beta1', 400, plain.replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1')],
  ['a list for an object', 400, removal({ object: [] })],
  ['a text for an object', 400, removal({ object: 'x' })],
  ['an operation in small letters', 400, removal({ operation: 'update' })],
  ['a uid of 1 MB', 400, removal({ uid: 'x'.repeat(1_000_000) })],
  ['two reviews', 400, plain + plain],
];

describe('a breaking update in disguise', () => {
  let gate: GateProcess;
  before(async () => {
    gate = await startGateProcess();
  });
  after(() => gate.stop());

  for (const [what, expected, body, options = {}] of rows) {
    it(`is ${expected === 200 ? 'denied' : 'refused'}: ${what}`, async () => {
      const { status, text } = await send(gate.url, gate.authority, body, options);
      expect(status, text.slice(0, 300)).to.equal(expected);
      if (status === 200) expect(responseIn(text).allowed, text.slice(0, 300)).to.equal(false);
      else expect(text).to.not.include('"allowed"');
    });
  }
});

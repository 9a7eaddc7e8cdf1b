import { expect } from 'chai';
import { formatCheck } from './index.js';

describe('formats', () => {
  const rows: readonly (readonly [format: string, taken: string[], refused: string[]])[] = [
    ['date', ['2024-02-29'], ['2023-02-29', '2024-1-1', '']],
    [
      'date-time',
      ['2024-01-01T23:59:59Z', '2024-01-01t00:00:00.5+01:00'],
      ['2024-01-01T24:00:00Z', '2024-01-01'],
    ],
    ['duration', ['1h30m', '3 days', '0', '-1.5s'], ['5', 'x', '']],
    [
      'email',
      ['a@b', 'A B <a@b.c>', '"q q"@x', 'a@[127.0.0.1]', 'g: a@b;'],
      ['@', 'a@', 'a@b c', 'a.@b'],
    ],
    ['ipv4', ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], ['1.2.3', '256.1.1.1', '::1']],
    [
      'ipv6',
      ['::1', '1:2:3:4:5:6:7:8'],
      ['::1::', 'fe80::1%eth0', '1.2.3.4', '1:2:3:4:5:6:7::8:9'],
    ],
    ['cidr', ['10.0.0.0/8', 'fe80::/10'], ['10.0.0.0/33', '10.0.0.0', '10.0.0.0/']],
    [
      'mac',
      ['00:11:22:33:44:55', '0011.2233.4455', '001122334455'],
      ['00:11:22:33:44', '00:11-22:33:44:55'],
    ],
    [
      'uri',
      ['http://a/b?c', '/x', 'mailto:x', 'http://[::1]:80/', 'http://a:80:90'],
      ['x', '', 'http://a b', 'http://%zz', 'http://a:b'],
    ],
    ['hostname', ['a.example.com', 'x', 'é'], ['-a.com', 'a..b', 'a'.repeat(64)]],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['byte', ['YQ==', 'YWJj'], ['', 'YQ', '!']],
    ['k8s-short-name', ['a-b'], ['-a', 'A', 'a.b', 'a'.repeat(64)]],
    ['uuid4', ['550e8400-e29b-41d4-a716-446655440000'], ['550e8400-e29b-51d4-a716-446655440000']],
  ];
  for (const [format, taken, refused] of rows) {
    it(format, () => {
      const check = formatCheck(format);
      expect(taken.filter((text) => check?.(text) !== true)).to.deep.equal([]);
      expect(refused.filter((text) => check?.(text) !== false)).to.deep.equal([]);
    });
  }

  it('that are not enforced have no check', () => {
    for (const format of ['int32', 'int64', 'float', 'DateTime', 'ip', '']) {
      expect(formatCheck(format), format).to.equal(undefined);
    }
  });
});

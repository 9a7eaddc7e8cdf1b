/**
 * schemas/log.schema.json against a gate that is made to say nearly all that it can say. Every gate
 * of the suites on a real API server is held against it too, when it is stopped (test/apiserver).
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { demandLogLines, logSchema } from '../apiserver/log-lines.js';
import { until } from '../apiserver/processes.js';
import { send } from './gate.js';
import { definition, reviewText, withSize } from './reviews.js';

describe('schemas/log.schema.json', () => {
  let folder: string;
  let gate: TestGate;
  let authority: string;
  const head = { apiVersion: 'olm-guard.io/v1alpha1', kind: 'Policy' };
  const bypass = { sources: ['crd', 'subscription'] };
  const file = (name: string): string => join(folder, name);

  async function writePair(): Promise<void> {
    const made = await selfSigned(['127.0.0.1']);
    authority = made.authority;
    writeFileSync(file('tls.key'), made.current.key);
    writeFileSync(file('tls.crt'), made.current.cert);
  }

  const messages = (): Set<unknown> => new Set(gate.logs().map(({ msg }) => msg));
  const said = (msg: string): Promise<true> =>
    until(`the gate to say "${msg}"`, () => (messages().has(msg) ? true : undefined));

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-log-'));
    await writePair();
    writeFileSync(file('client-ca.crt'), authority);
    writeFileSync(
      file('policy.yaml'),
      JSON.stringify({
        ...head,
        bypass,
        exemptions: [
          { rules: ['NoScopeChange'], reason: 'long ago', until: '2020-01-01T00:00:00Z' },
        ],
      }),
    );
    mkdirSync(file('state'));
    mkdirSync(join(file('state'), '.hidden'));
    writeFileSync(
      join(file('state'), 'namespace.yaml'),
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n',
    );
    cpSync(join('examples', 'catalogs', 'after'), file('catalog'), { recursive: true });
    gate = await startGate(folder, [
      ...[`--tls-cert-file=${file('tls.crt')}`, `--tls-private-key-file=${file('tls.key')}`],
      ...[`--policy=${file('policy.yaml')}`, `--state=${file('state')}`],
      ...[`--client-ca-file=${file('client-ca.crt')}`, `--catalog=${file('catalog')}`],
      '--log-level=trace',
    ]);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has every line of reviews, reloads, mistakes and the end', async () => {
    const ask = (fields: Parameters<typeof reviewText>[0]) =>
      send(gate.url, authority, reviewText(fields), {});
    const [size, none] = [withSize({ type: 'integer' }), withSize(undefined)];
    await ask({ oldObject: size, object: none });
    await ask({ oldObject: size, object: none, dryRun: true });
    await ask({ oldObject: size, object: size });
    await ask({ oldObject: size, object: 17 });
    const off = { annotations: { 'olm-guard.io/disable': 'crd-upgrade-safety' } };
    await ask({ oldObject: size, object: definition({}, off) });
    await ask({ oldObject: withSize({ type: 'integer' }, off), object: withSize(undefined, off) });
    await ask({ operation: 'CREATE', object: size, oldObject: null, namespace: 'n' });
    await send(gate.url, authority, '{', {});
    await send(gate.url, authority, '', { path: '/nowhere' });
    await said('request refused');
    const { port } = new URL(gate.url);
    connect(Number(port), '127.0.0.1')
      .on('error', () => undefined)
      .end('no TLS\n');
    await said('TLS handshake');
    writeFileSync(file('policy.yaml'), 'modes: [');
    await said('policy not reloaded; the one in force is kept');
    writeFileSync(file('policy.yaml'), JSON.stringify({ ...head, bypass }));
    await said('policy reloaded');
    writeFileSync(file('tls.crt'), 'rubbish');
    await said('serving certificate not reloaded; the one in use is kept');
    await writePair();
    await said('serving certificate reloaded');
    writeFileSync(file('client-ca.crt'), 'rubbish');
    await said('client CA not reloaded; the one in use is kept');
    writeFileSync(file('client-ca.crt'), authority);
    await said('client CA reloaded');
    await said('catalogs read');
    rmSync(file('catalog'), { recursive: true });
    await said('the catalog could not be read');
    // Which holds every line against the schema.
    await gate.stop();
    const known = logSchema.oneOf.flatMap(({ properties }) => properties.msg.const ?? []);
    expect([...messages()].filter((msg) => !known.includes(String(msg)))).to.deep.equal([]);
    expect([...messages()]).to.include.members([
      ...['review', 'finding', 'policy', 'stopping', 'shutting down'],
    ]);
  });

  it('takes no line that it does not know, and no field', () => {
    const line = {
      level: 'info',
      time: '2026-01-01T00:00:00.000Z',
      msg: 'stopping',
      signal: 'SIGTERM',
    };
    const text = (fields: object): string => `${JSON.stringify({ ...line, ...fields })}\n`;
    demandLogLines(text({}));
    expect(() => demandLogLines(text({ object: {} }))).to.throw('additional properties');
    expect(() => demandLogLines(text({ msg: 'hello' }))).to.throw('there is no such msg');
    expect(() => demandLogLines(text({ signal: undefined }))).to.throw(
      "required property 'signal'",
    );
  });

  it('has every line that the program writes', () => {
    const known = logSchema.oneOf.flatMap(({ properties }) => properties.msg.const ?? []);
    const sources = [
      ...[
        'cli/serve/serve.ts',
        'cli/serve/serving.ts',
        'cli/serve/olm-metrics.ts',
        'cli/serve/kept-certificate.ts',
      ],
      ...['cli/serve/served-catalogs.ts', 'gate/server/gate.ts', 'gate/server/policy-file.ts'],
      ...['gate/server/review-record.ts', 'gate/server/refusal.ts'],
      ...['gate/server/denial-events.ts', 'gate/server/certificates/files.ts'],
      ...['gate/server/certificates/in-secret.ts', 'gate/server/certificates/client-authority.ts'],
      'gate/server/certificates/front-proxy.ts',
    ];
    const written = sources.flatMap((source) => {
      const text = readFileSync(join('src', source), 'utf8');
      const calls =
        /\blog\??(?:\.(?:info|warn|error|debug)|\[[^\]]+\])\(\s*(?:[^;]*?,\s*)?'([^']+)',?\s*\)/g;
      return [...text.matchAll(calls)].map(([, msg]) => msg ?? '');
    });
    expect(written).to.have.length.above(25);
    expect(written.filter((msg) => !known.includes(msg))).to.deep.equal([]);
  });
});

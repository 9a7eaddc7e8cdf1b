import { createPrivateKey, webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { until } from './until.js';
import { createLog } from '../../src/gate/log.js';
import { createGateMetrics } from '../../src/gate/metrics/own-metrics.js';
import type { Certificate } from '../../src/gate/server/certificates/certificate.js';
import { certificateFromFiles } from '../../src/gate/server/certificates/files.js';

const hour = 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
x509.cryptoProvider.set(webcrypto);

/** @param from milliseconds from now; @param to the same */
async function pair(from: number, to: number): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=gate',
    notBefore: new Date(Date.now() + from),
    notAfter: new Date(Date.now() + to),
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return {
    cert: certificate.toString('pem'),
    key: String(key.export({ format: 'pem', type: 'pkcs8' })),
  };
}

describe('certificates from files', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-certificate-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(from: number, to: number): Promise<string> {
    const { cert, key } = await pair(from, to);
    await writeFile(path('tls.key'), key);
    await writeFile(path('tls.crt'), cert);
    return cert;
  }

  /** A source that looks often, what it gave out, and what it counted. */
  async function follow() {
    const metrics = createGateMetrics(new Registry(), 'test');
    const source = await certificateFromFiles(path('tls.crt'), path('tls.key'), {
      log: createLog('silent'),
      metrics,
      watch: { every: 20, settle: 5 },
    });
    const used: Certificate[] = [];
    await source.onRenewal((certificate) => used.push(certificate));
    const count = async (outcome: string): Promise<number | undefined> => {
      const { values } = await metrics.certificateReloads.get();
      return values.find(({ labels }) => labels.outcome === outcome)?.value;
    };
    return { source, used, count };
  }

  const unfit: [name: string, from: number, to: number][] = [
    ['one that expired', -2 * hour, -hour],
    ['one that is not valid yet', hour, 2 * hour],
  ];
  for (const [name, from, to] of unfit) {
    it(`keeps the one in use instead of ${name}, and counts that`, async () => {
      await write(-hour, hour);
      const { source, used, count } = await follow();
      try {
        expect([await count('success'), await count('failure')]).to.deep.equal([0, 0]);
        await write(from, to);
        await until(async () => ((await count('failure')) ?? 0) > 0);
        expect(used).to.deep.equal([]);
        const renewed = await write(-hour, 2 * hour);
        await until(() => used.length > 0);
        // A file that changes while it is looked at is looked at twice.
        expect([...new Set(used.map(({ cert }) => cert))]).to.deep.equal([renewed]);
        expect(await count('success')).to.be.at.least(1);
      } finally {
        source.close();
      }
    });
  }

  it('takes one that was not valid yet when its time has come', async () => {
    await write(-hour, hour);
    const { source, used, count } = await follow();
    try {
      // Certificates count in whole seconds.
      const renewed = await write(2500, hour);
      await until(() => used.length > 0);
      // A file that changes while it is looked at is looked at twice.
      expect([...new Set(used.map(({ cert }) => cert))]).to.deep.equal([renewed]);
      expect(await count('failure')).to.be.at.least(1);
    } finally {
      source.close();
    }
  });
});

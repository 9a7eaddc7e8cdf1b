import 'reflect-metadata';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { expect } from 'chai';
import { createAuthority, day, issueCertificate } from './authority.js';
import {
  dataOf,
  keptIn,
  nextStep,
  wantedBundle,
  type StoredCertificates,
} from './kept-certificates.js';

describe('a certificate kept in a Secret', () => {
  const names = ['olm-guard.elsewhere.svc', '127.0.0.1'];
  const start = Date.now();
  const settled = (): boolean => true;
  const unsettled = (): boolean => false;
  let kept: Required<StoredCertificates>;
  let bundle: string[];

  before(async () => {
    const authority = await createAuthority(start, 365);
    const next = await createAuthority(start, 365);
    kept = { authority, next, serving: await issueCertificate(authority, names, start) };
    bundle = [authority.cert.trim()];
  });
  const used = (): StoredCertificates => ({ authority: kept.authority, serving: kept.serving });

  it('is left alone while it is good', () => {
    expect(nextStep(used(), [bundle, bundle], names, start, unsettled)).to.equal('none');
  });

  it('is issued again when two thirds of its life are over, for other names, or when it is lost', () => {
    expect(nextStep(used(), [bundle], names, start + 59 * day, unsettled)).to.equal('none');
    expect(nextStep(used(), [bundle], names, start + 61 * day, unsettled)).to.equal('issue');
    const more = [...names, 'other.example.com'];
    expect(nextStep(used(), [bundle], more, start, unsettled)).to.equal('issue');
    const { authority } = kept;
    expect(nextStep({ authority }, [bundle], names, start, unsettled)).to.equal('issue');
  });

  it('is issued again when another authority stands behind it', () => {
    const other = { authority: kept.next, serving: kept.serving };
    const published = [[kept.next.cert.trim()]];
    expect(nextStep(other, published, names, start + 2 * day, unsettled)).to.equal('issue');
  });

  it('a caBundle of any webhook that lacks the authority is filled in', () => {
    expect(nextStep(used(), [bundle, []], names, start, unsettled)).to.equal('publish');
  });

  it('a new authority is prepared, published beside the old one, and used when it has settled', () => {
    const late = start + 244 * day;
    expect(nextStep(used(), [bundle], names, late, unsettled)).to.equal('prepare');
    expect(nextStep(kept, [bundle], names, late, settled)).to.equal('publish');
    const both = wantedBundle(kept, bundle, late);
    expect(both).to.deep.equal([kept.authority.cert.trim(), kept.next.cert.trim()]);
    expect(nextStep(kept, [both], names, late, unsettled)).to.equal('none');
    expect(nextStep(kept, [both], names, late, settled)).to.equal('promote');
  });

  it('one without its authority, as certs/install.sh leaves it, is replaced without a gap', () => {
    const { serving, next } = kept;
    const { kept: stored } = keptIn({ data: dataOf({ serving }) });
    expect(stored).to.have.all.keys('serving');
    expect(nextStep(stored, [bundle], names, start, unsettled)).to.equal('prepare');
    const both = wantedBundle({ serving, next }, bundle, start);
    expect(both).to.deep.equal([next.cert.trim(), ...bundle]);
    expect(nextStep({ serving, next }, [both], names, start, unsettled)).to.equal('none');
  });

  it('the old authority stays until the hand-over is over, and no longer than it is valid', () => {
    const after = { authority: kept.next, serving: kept.serving };
    const both = [kept.next.cert.trim(), ...bundle];
    expect(wantedBundle(after, both, start)).to.deep.equal(both);
    expect(wantedBundle(after, both, start + 2 * 3_600_000)).to.deep.equal(both.slice(0, 1));
    expect(wantedBundle(kept, ['rubbish', ...both], start + 366 * day)).not.to.include('rubbish');
  });

  describe('that olm-guard has not made', () => {
    const elliptic = (namedCurve: string) => ({ name: 'ECDSA', namedCurve, hash: 'SHA-256' });
    const rsa = {
      ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 },
      publicExponent: new Uint8Array([1, 0, 1]),
    };

    /** An authority, or what looks like one, with a key of its own. */
    async function foreign(
      algorithm: ReturnType<typeof elliptic> | typeof rsa,
      isAuthority = true,
    ): Promise<NonNullable<StoredCertificates['authority']>> {
      cryptoProvider.set(webcrypto);
      const usages = ['sign', 'verify'] as const;
      const keys = await webcrypto.subtle.generateKey(algorithm, true, usages);
      const certificate = await X509CertificateGenerator.createSelfSigned({
        name: 'CN=somebody',
        notBefore: new Date(start - day),
        notAfter: new Date(start + 100 * day),
        keys,
        signingAlgorithm: algorithm,
        extensions: [new BasicConstraintsExtension(isAuthority, undefined, true)],
      });
      const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
      const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
      return { cert: certificate.toString('pem'), key };
    }

    const rows: readonly (readonly [
      what: string,
      authority: () => Promise<NonNullable<StoredCertificates['authority']>>,
      says: string,
    ])[] = [
      ['RSA', () => foreign(rsa), 'has a key of type rsa, where olm-guard signs with P-256'],
      ['P-384', () => foreign(elliptic('P-384')), 'has a key of type ec secp384r1, where'],
      ['no authority', () => foreign(elliptic('P-256'), false), 'is no authority (CA:TRUE)'],
      [
        'two certificates',
        async () => {
          const { cert, key } = kept.authority;
          return { cert: `${cert}${kept.next.cert}`, key: await Promise.resolve(key) };
        },
        'holds 2 certificates',
      ],
      [
        'beside the key of another',
        () => Promise.resolve({ cert: kept.authority.cert, key: kept.next.key }),
        'is no certificate, or its key is that of another',
      ],
      [
        'rubbish',
        () =>
          Promise.resolve({
            cert: 'rubbish',
            key: generateKeyPairSync('ec', { namedCurve: 'P-256' })
              .privateKey.export({ type: 'pkcs8', format: 'pem' })
              .toString(),
          }),
        'is no certificate',
      ],
    ];
    for (const [what, authority, says] of rows) {
      it(`${what}, is taken for none, said, and replaced while the certificate in use stays`, async () => {
        const secret = { data: dataOf({ ...used(), authority: await authority() }) };
        const { kept: found, problems } = keptIn(secret);
        expect(Object.keys(found)).to.deep.equal(['serving']);
        expect(problems).to.have.length(1);
        expect(problems[0])
          .to.match(/^ca\.crt /)
          .and.include(says);
        expect(nextStep(found, [bundle], names, start, settled)).to.equal('prepare');
        const prepared = { ...found, next: kept.next };
        expect(wantedBundle(prepared, bundle, start)).to.deep.equal([
          kept.next.cert.trim(),
          ...bundle,
        ]);
      });
    }

    it('is distinguished from its own', () => {
      const { kept: found, problems } = keptIn({ data: dataOf(kept) });
      expect(problems).to.deep.equal([]);
      expect(found.authority).to.deep.equal(kept.authority);
      expect(found.next).to.deep.equal(kept.next);
    });
  });
});

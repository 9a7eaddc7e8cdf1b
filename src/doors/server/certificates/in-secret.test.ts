import { expect } from 'chai';
import { createAuthority, day, issueCertificate } from './authority.js';
import { nextStep, wantedBundle, type Kept } from './in-secret.js';

describe('a certificate kept in a Secret', () => {
  const names = ['olm-guard.elsewhere.svc', '127.0.0.1'];
  const start = Date.now();
  const settled = (): boolean => true;
  const unsettled = (): boolean => false;
  let kept: Required<Kept>;
  let bundle: string[];

  before(async () => {
    const authority = await createAuthority(start, 365);
    const next = await createAuthority(start, 365);
    kept = { authority, next, serving: await issueCertificate(authority, names, start) };
    bundle = [authority.cert.trim()];
  });
  const used = (): Kept => ({ authority: kept.authority, serving: kept.serving });

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

  it('the old authority stays until the hand-over is over, and no longer than it is valid', () => {
    const after = { authority: kept.next, serving: kept.serving };
    const both = [kept.next.cert.trim(), ...bundle];
    expect(wantedBundle(after, both, start)).to.deep.equal(both);
    expect(wantedBundle(after, both, start + 2 * 3_600_000)).to.deep.equal(both.slice(0, 1));
    expect(wantedBundle(kept, ['rubbish', ...both], start + 366 * day)).not.to.include('rubbish');
  });
});

import { expect } from 'chai';
import { createAuthority, day } from './authority.js';
import { readFrontProxy } from './front-proxy.js';

describe('the front proxy of an API server', () => {
  let ofProxy: string;
  let ofUsers: string;
  before(async () => {
    [ofProxy, ofUsers] = await Promise.all([
      createAuthority(Date.now(), 1).then(({ cert }) => cert),
      createAuthority(Date.now() - day, 2).then(({ cert }) => cert),
    ]);
  });

  const read = (data: Record<string, string> | undefined): ReturnType<typeof readFrontProxy> =>
    readFrontProxy({ find: () => Promise.resolve(data === undefined ? undefined : { data }) });
  const published = (more: Record<string, string> = {}): Record<string, string> => ({
    'client-ca-file': ofUsers,
    'requestheader-client-ca-file': ofProxy,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    ...more,
  });
  const refusalOf = (data: Record<string, string> | undefined): Promise<string> =>
    read(data).then(
      () => 'accepted',
      (error: unknown) => String(error),
    );

  it('is read from the ConfigMap', async () => {
    expect(await read(published())).to.deep.equal({
      authority: ofProxy,
      names: ['front-proxy-client'],
      userHeaders: ['X-Remote-User'],
    });
    expect((await read(published({ 'requestheader-allowed-names': '[]' }))).names).to.deep.equal(
      [],
    );
  });

  it('is not believed where anybody with a certificate could take its place', async () => {
    const shared = published({ 'client-ca-file': `${ofUsers}${ofProxy}` });
    expect(await refusalOf(shared)).to.equal('accepted');
    for (const names of ['[]', '', '[""]']) {
      expect(await refusalOf({ ...shared, 'requestheader-allowed-names': names })).to.include(
        'anybody with a certificate could take its place',
      );
    }
  });

  it('is missing where the API server serves no aggregated APIs', async () => {
    for (const data of [undefined, {}, published({ 'requestheader-username-headers': '[]' })]) {
      expect(await refusalOf(data)).to.include('serves no aggregated APIs');
    }
  });
});

import { expect } from 'chai';
import { packagedWebhooks } from './followed-registration.js';
import { registrationOf, type Webhook } from './registration.js';

describe('registrationOf', () => {
  const caBundle = Buffer.from('authority').toString('base64');
  const problems = (webhooks: readonly Webhook[]): string[] =>
    registrationOf(webhooks, 'olm-guard').flatMap(({ state, message }) =>
      state === 'problem' ? [message] : [],
    );
  const [first, ...rest] = packagedWebhooks();
  if (first === undefined) throw new Error('manifests/base registers no webhook');

  it('names all webhooks that are not registered in one line', () => {
    const found = problems([{ ...first, clientConfig: { caBundle } }]);
    expect(found).to.have.length(1);
    expect(found[0]).to.include(`not registered: ${rest.map(({ name }) => name).join(', ')}, `);
    expect(found[0]).to.include('kubectl apply -k');
  });

  it('of webhooks with a URL, which the overlays cannot replace, names the page that registers them', () => {
    const url = 'https://127.0.0.1:8443/validate';
    const [found = ''] = problems([{ ...first, clientConfig: { url, caBundle } }]);
    expect(found).to.include('docs/operations.md, Try it beside an API server');
    expect(found).not.to.include('kubectl apply -k');
  });

  it('says that writes are refused while a webhook that insists has no caBundle', () => {
    const registered = (failurePolicy: string): Webhook[] =>
      packagedWebhooks().map((each) => ({ ...each, failurePolicy, clientConfig: {} }));
    const [insists = ''] = problems(registered('Fail'));
    expect(insists).to.match(
      /^no caBundle.*writes are refused.*kubectl delete validatingwebhookconfiguration olm-guard/,
    );
    expect(problems(registered('Ignore'))[0])
      .to.match(/^no caBundle/)
      .and.not.include('refused');
  });
});

import { expect } from 'chai';
import { lackOf, packagedWebhooks, type RegisteredWebhook } from './followed-registration.js';

const complete = packagedWebhooks().map((each) => ({
  ...each,
  clientConfig: { caBundle: 'LS0t' },
}));
const [definitions] = packagedWebhooks() as [RegisteredWebhook];
const registered = (rules: Partial<NonNullable<RegisteredWebhook['rules']>[number]>[]) => [
  {
    name: definitions.name,
    clientConfig: { caBundle: 'LS0t' },
    rules: rules.map((each) => ({ ...definitions.rules?.[0], ...each })),
  } as RegisteredWebhook,
];

describe('lackOf', () => {
  const rows: [what: string, registered: readonly RegisteredWebhook[], lack: RegExp | undefined][] =
    [
      ['what the manifests register', complete, undefined],
      ['no webhook', [], /^not registered$/],
      ['no authority', packagedWebhooks(), /^no caBundle$/],
      [
        'no rule',
        registered([]),
        /^no rule for CREATE\/UPDATE\/DELETE customresourcedefinitions, /,
      ],
      [
        'an operation less',
        registered([{ operations: ['CREATE', 'DELETE'] }]),
        /^no rule for UPDATE customresourcedefinitions, UPDATE customresourcedefinitions\/status$/,
      ],
      [
        'a resource less',
        registered([{ resources: ['customresourcedefinitions'] }]),
        /^no rule for CREATE\/UPDATE\/DELETE customresourcedefinitions\/status$/,
      ],
      ['another group', registered([{ apiGroups: ['example.com'] }]), /^no rule for /],
      ['another version', registered([{ apiVersions: ['v2'] }]), /^no rule for /],
      [
        'asterisks',
        registered([
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
        ]),
        undefined,
      ],
      [
        'an asterisk that leaves subresources out',
        registered([{ resources: ['*'] }]),
        /^no rule for \S+ customresourcedefinitions\/status$/,
      ],
      [
        'all of the plural',
        registered([{ resources: ['customresourcedefinitions/*'] }]),
        undefined,
      ],
      [
        'two rules that share the operations',
        registered([{ operations: ['CREATE'] }, { operations: ['UPDATE', 'DELETE'] }]),
        undefined,
      ],
    ];
  for (const [what, webhooks, lack] of rows) {
    it(`${what}: ${lack === undefined ? 'nothing is missing' : lack.source}`, () => {
      const found = lackOf(definitions, webhooks);
      if (lack === undefined) expect(found).to.equal(undefined);
      else expect(found).to.match(lack);
    });
  }

  it('recognizes every webhook of the manifests', () => {
    expect(complete.map((each) => lackOf(each, complete))).to.deep.equal(
      complete.map(() => undefined),
    );
  });
});

/** What the gate says of the conversion that a definition brings, with a converter over HTTPS. */
import { expect } from 'chai';
import { defaultPolicy, type Policy } from '../../src/policy/policy.js';
import type { AdmissionRequest } from '../../src/gate/admission/admission-review.js';
import { withConversion } from '../../src/gate/admission/conversion.js';
import { customResourceDefinitionReviewer } from '../../src/gate/admission/custom-resource-definition.js';
import { review } from '../../src/gate/admission/review.js';
import type { Caller } from '../../src/gate/admission/disclosure.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { FolderCluster } from '../../src/cluster/view/folder.js';
import { ClusterError, type ClusterView } from '../../src/cluster/view/view.js';
import { openConverter } from '../../src/cluster/converter/https.js';
import {
  measureShared,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import {
  definition,
  metadataOf,
  rename,
  startConverter,
  type Behaviour,
  type RunningConverter,
} from '../cli/converters.js';

const name = 'webhook.widgets.svc';

const service = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'webhook', namespace: 'widgets' },
  spec: { type: 'ClusterIP', clusterIP: '10.96.0.17', ports: [{ port: 443 }], ...spec },
});

const slice = (isReady = true): JsonObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: 'webhook-1',
    namespace: 'widgets',
    labels: { 'kubernetes.io/service-name': 'webhook' },
  },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.9'], conditions: { ready: isReady } }],
});

const reference = { service: { namespace: 'widgets', name: 'webhook', path: '/convert' } };

function withWebhook(clientConfig: object, bundle?: string): JsonObject {
  const caBundle = bundle === undefined ? {} : { caBundle: Buffer.from(bundle).toString('base64') };
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { ...clientConfig, ...caBundle },
  };
  return {
    ...definition,
    spec: { ...definition.spec, conversion: { strategy: 'Webhook', webhook } },
  } as unknown as JsonObject;
}

const none = { ...definition } as unknown as JsonObject;

interface Asked {
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
  readonly view?: ClusterView;
  readonly caller?: Caller;
  readonly policy?: Partial<Policy>;
  readonly port?: number;
  /** As it came; without it nobody knows that it is small. */
  readonly isMeasured?: boolean;
}

const noThread: typeof judgeHere = (name) => Promise.reject(new Error(`${name} was asked`));

// A busy machine is no verdict.
const patient = { ...defaultPolicy.budgets, conversionSeconds: 60 };
const connected: string[] = [];

async function ask({ object, oldObject, view, caller, policy, port = 1, isMeasured }: Asked) {
  const request: AdmissionRequest = {
    uid: 'r1',
    userInfo: { username: 'alice' },
    kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
    resource: {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
    },
    name: 'widgets.example.com',
    operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
    object,
    ...(oldObject === undefined ? {} : { oldObject }),
  };
  const open: typeof openConverter = (address, limits) => {
    connected.push(`${address.url.href} at ${address.address}`);
    const url = new URL(address.url);
    url.port = String(port);
    return openConverter({ ...address, url, address: '127.0.0.1' }, limits);
  };
  const reviewed = await review(request, [withConversion(customResourceDefinitionReviewer, open)], {
    ...(isMeasured === true
      ? { judge: noThread, body: measureShared(Buffer.from(stringifyJson({ request }))) }
      : { judge: judgeHere }),
    view: view ?? FolderCluster.ofDocuments([service(), slice()]),
    caller: caller ?? 'api-server',
    now: new Date(0),
    policy: { ...defaultPolicy, budgets: patient, ...policy },
  });
  const said = reviewed.decided
    .filter(({ finding }) => finding.family === 'conversion')
    .map(({ finding }) => `${finding.rule}: ${finding.message}`);
  return { said, response: reviewed.response };
}

describe('the gate and the conversion of a definition', () => {
  beforeEach(() => connected.splice(0));

  async function withConverter(
    behaviour: Behaviour,
    use: (converter: RunningConverter) => Promise<void>,
  ): Promise<void> {
    const converter = await startConverter(behaviour, name);
    try {
      await use(converter);
    } finally {
      await converter.close();
    }
  }

  for (const [what, oldObject] of [
    ['first appearance', undefined],
    ['change', none],
  ] as const) {
    it(`has nothing to say of a good converter at its ${what}, which is asked for each two versions`, () =>
      withConverter({}, async ({ authority, port, asked }) => {
        const object = withWebhook(reference, authority);
        const { said } = await ask({ object, ...(oldObject && { oldObject }), port });
        expect(said).to.deep.equal([]);
        expect(asked()).to.equal(2);
        expect(connected).to.deep.equal([`https://${name}/convert at 10.96.0.17`]);
      }));
  }

  const secret = 'told-by-the-converter';
  const faults: readonly (readonly [string, Behaviour, RegExp])[] = [
    [
      'an expired certificate',
      { certificate: 'expired' },
      /^ConverterUnreachable: the certificate/,
    ],
    [
      'a certificate for another name',
      { certificate: 'other name' },
      /^ConverterUnreachable: the certificate/,
    ],
    [
      'a certificate of another authority',
      { certificate: 'other authority' },
      /^ConverterUnreachable: the certificate/,
    ],
    ['an error', { status: () => 500 }, /^ConverterFails: .*HTTP status/],
    [
      'a refusal',
      { answer: (response) => ({ ...response, result: { status: 'Failure', message: secret } }) },
      /^ConverterFails: the converter refuses/,
    ],
    ['another uid', { answer: (response) => ({ ...response, uid: secret }) }, /another uid/],
    [
      'another version',
      { convert: (object, to) => ({ ...rename(object, to), apiVersion: secret }) },
      /another version/,
    ],
    [
      'another name',
      {
        convert: (object, to) => {
          const made = rename(object, to);
          return { ...made, metadata: { ...metadataOf(made), name: secret } };
        },
      },
      /\^\.metadata\.name is changed/,
    ],
    [
      'fewer objects',
      {
        answer: (response) => ({
          ...response,
          convertedObjects: (own(response, 'convertedObjects') as JsonValue[]).slice(1),
        }),
      },
      /another number of objects/,
    ],
    [
      'another order',
      {
        answer: (response) => ({
          ...response,
          convertedObjects: [...(own(response, 'convertedObjects') as JsonValue[])].reverse(),
        }),
      },
      /another order/,
    ],
    [
      'what the schema refuses',
      {
        convert: (object, to) => ({
          ...rename(object, to),
          spec: { settings: { [secret]: 7 }, first: 7 },
        }),
      },
      /^ConvertedObjectRefused: the schema of v\d refuses/,
    ],
  ];
  for (const [what, behaviour, says] of faults) {
    it(`warns of a converter with ${what}, and tells nothing that it said`, () =>
      withConverter(behaviour, async ({ authority, port }) => {
        const { said, response } = await ask({ object: withWebhook(reference, authority), port });
        expect(said.join('\n')).to.match(new RegExp(says, 'm'));
        expect(response.allowed).to.equal(true);
        expect(response.warnings).not.to.deep.equal([]);
        expect(JSON.stringify([said, response])).not.to.include(secret);
      }));
  }

  it('denies where the policy says so, and what it could not ask it does not deny', () =>
    withConverter({ status: () => 500 }, async ({ authority, port }) => {
      const policy = { modes: new Map([['conversion', 'deny'] as const]) };
      const object = withWebhook(reference, authority);
      const { response } = await ask({ object, port, policy });
      expect(response.allowed).to.equal(false);
      expect(response.status?.message).to.match(/refused\n.*HTTP status/);
      const unasked = await ask({ object, port, policy, caller: 'unauthenticated' });
      expect(unasked.response.allowed).to.equal(true);
      expect(unasked.said.join('\n')).to.match(/^ConversionUnchecked/);
    }));

  it('says that nobody answers at the port', async () => {
    const { said } = await ask({ object: withWebhook(reference) });
    expect(said.join('\n')).to.match(/^ConverterUnreachable: the converter cannot be reached/);
  });

  const missing: readonly (readonly [string, JsonObject[], RegExp])[] = [
    ['a Service that is not there', [], /there is no Service widgets\/webhook/],
    ['a Service without endpoints', [service()], /has no endpoints that are ready/],
    ['endpoints that are not ready', [service(), slice(false)], /has no endpoints that are ready/],
    ['another port', [service({ ports: [{ port: 8443 }] }), slice()], /has no port 443/],
  ];
  for (const [what, objects, says] of missing) {
    it(`names ${what}`, async () => {
      const view = FolderCluster.ofDocuments(objects);
      const { said } = await ask({ object: withWebhook(reference), view });
      expect(said.join('\n')).to.match(/^ConverterUnreachable/);
      expect(said.join('\n')).to.match(says);
      expect(connected).to.deep.equal([]);
    });
  }

  const readable = FolderCluster.ofDocuments([service(), slice()]);
  const viewOf = (more: Partial<ClusterView>): ClusterView => ({
    get: (resource, name, namespace) => readable.get(resource, name, namespace),
    list: (resource, options) => readable.list(resource, options),
    ...more,
  });
  const unasked: readonly (readonly [string, Omit<Asked, 'object'>, RegExp, JsonObject?])[] = [
    ['for an unauthenticated client', { caller: 'unauthenticated' }, /client certificate/],
    ['where nobody knows how an API server shows itself', { caller: 'unverified' }, /certificate/],
    [
      'for somebody who may not look at the Service',
      { view: viewOf({ mayList: () => Promise.resolve(false) }) },
      /alice may not list services/,
    ],
    [
      'without the right',
      { view: viewOf({ get: () => Promise.reject(new ClusterError('no', 403)) }) },
      /no right to get services/,
    ],
    [
      'a name that anybody could have put there',
      {
        view: FolderCluster.ofDocuments([
          service({ type: 'ExternalName', externalName: 'metadata.google.internal' }),
          slice(),
        ]),
      },
      /ExternalName/,
    ],
    [
      'a Service without an address',
      { view: FolderCluster.ofDocuments([service({ clusterIP: 'None' }), slice()]) },
      /no cluster IP/,
    ],
    ['a url', {}, /named by a url, or by a Service/, { url: 'https://169.254.169.254/latest' }],
    [
      'a name that is none',
      {},
      /named by a url, or by a Service/,
      { service: { namespace: 'widgets', name: 'evil.example.com/#' } },
    ],
    ...['/../../v1/secrets', '/a/%2e%2e/b', '/convert?as=root', '/a#b', '/a//b', '/A'].map(
      (path): [string, Omit<Asked, 'object'>, RegExp, JsonObject] => [
        `the path ${path}, which an API server does not take`,
        {},
        /named by a url, or by a Service/,
        { service: { ...reference.service, path } },
      ],
    ),
    [
      'authorities that are none',
      {},
      /no certificate that can be read/,
      {
        ...reference,
        caBundle: Buffer.from(
          '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        ).toString('base64'),
      },
    ],
    [
      'more authorities than may be read while others wait',
      {},
      /more than 64 KiB/,
      { ...reference, caBundle: 'QUFB'.repeat(50_000) },
    ],
  ];
  for (const [what, more, why, client = reference] of unasked) {
    it(`asks nothing and says so: ${what}`, async () => {
      const { said, response } = await ask({ object: withWebhook(client), ...more });
      expect(said).to.have.lengthOf(1);
      expect(said[0]).to.match(/^ConversionUnchecked: the converter was not asked/);
      expect(said[0]).to.match(why);
      expect(response.allowed).to.equal(true);
      expect(connected).to.deep.equal([]);
    });
  }

  describe('that cannot be asked, where what is unjudged is denied', () => {
    const url = withWebhook({ url: 'https://169.254.169.254/latest' });
    const deny = { unjudged: 'deny' } as const;
    // What is asked about is a change of the converter alone.
    const before = withWebhook(reference);

    it('is unjudged', async () => {
      const { response } = await ask({ object: url, oldObject: before, policy: deny });
      expect(response.allowed).to.equal(false);
      expect(response.status?.message).to.match(/could not judge.*the converter was not asked/);
      expect((await ask({ object: url, oldObject: before })).response.allowed).to.equal(true);
    });

    /** By name, whether each is served; `v2` is the storage version. */
    function serving(client: object, served: Readonly<Record<string, boolean>>): JsonObject {
      const whole = withWebhook(client);
      const spec = whole['spec'] as JsonObject;
      const versions = Object.entries(served).map(([name, isServed]) => ({
        ...(spec['versions'] as JsonObject[])[0],
        ...{ name, served: isServed, storage: name === 'v2' },
      }));
      return { ...whole, spec: { ...spec, versions }, status: { storedVersions: ['v1', 'v2'] } };
    }

    for (const [what, served] of [
      ['the stored version is not served', { v1: true, v2: false }],
      ['objects are stored in a version that is not served', { v1: false, v2: true }],
    ] as const) {
      it(`is unjudged too where ${what}`, async () => {
        const object = serving({ url: 'https://169.254.169.254/latest' }, served);
        const oldObject = serving(reference, served);
        const { response } = await ask({ object, oldObject, policy: deny });
        expect(response.allowed).to.equal(false);
        expect(response.status?.message).to.include('the converter was not asked');
      });
    }

    it('is not asked when a version is no longer served', async () => {
      const oldObject = serving(reference, { v1: true, v2: true });
      for (const served of [
        { v1: false, v2: true },
        { v1: true, v2: false },
      ]) {
        const object = serving(reference, served);
        expect((await ask({ object, oldObject })).said).to.deep.equal([]);
      }
      expect(connected).to.deep.equal([]);
    });

    it('is a warning where the policy says so, of a new definition, and of another authority', async () => {
      for (const name of ['ConversionUnchecked', 'conversion']) {
        const modes = new Map([[name, 'warn' as const]]);
        const asked = { object: url, oldObject: before, policy: { ...deny, modes } };
        const { said, response } = await ask(asked);
        expect(response.allowed).to.equal(true);
        expect(said.join()).to.match(/^ConversionUnchecked/);
      }
      expect((await ask({ object: url, policy: deny })).response.allowed).to.equal(true);
      const injected = withWebhook(reference, 'A');
      const caller = 'unauthenticated' as const;
      const { said, response } = await ask({
        object: injected,
        oldObject: before,
        policy: deny,
        caller,
      });
      expect(response.allowed).to.equal(true);
      expect(said.join()).to.match(/^ConversionUnchecked/);
    });
  });

  it('asks nobody for what does not change the conversion, and where the policy has no time for it', async () => {
    const object = withWebhook(reference);
    const labelled = { ...object, metadata: { name: 'widgets.example.com', labels: { a: 'b' } } };
    expect((await ask({ object: labelled, oldObject: object })).said).to.deep.equal([]);
    const policy = { budgets: { ...defaultPolicy.budgets, conversionSeconds: 0 } };
    expect((await ask({ object, policy })).said).to.deep.equal([]);
    expect(connected).to.deep.equal([]);
  });

  describe('None', () => {
    for (const [where, isMeasured] of [
      ['in a thread', false],
      ['at once where it is small', true],
    ] as const) {
      it(`names what is pruned between the versions, both ways, ${where}`, async () => {
        const { said } = await ask({ object: none, isMeasured });
        expect(said).to.have.lengthOf(2);
        expect(said[0]).to.match(/^ConversionPrunesFields: v2 does not have \^\.spec\.size of v1/);
        expect(said[1]).to.match(/v1 does not have \^\.spec\.replicas, \^\.spec\.zone of v2/);
      });
    }

    it('says it once: not when something else changes', async () => {
      const [first, second] = definition.spec.versions as JsonObject[];
      const deprecated = { ...first, deprecated: true };
      const object = { ...none, spec: { ...definition.spec, versions: [deprecated, second] } };
      const { said } = await ask({ object: object as unknown as JsonObject, oldObject: none });
      expect(said).to.deep.equal([]);
    });

    it('in place of a webhook is named', async () => {
      const { said } = await ask({ object: none, oldObject: withWebhook(reference) });
      expect(said.join('\n')).to.match(/no webhook converts any more, and v2 does not have/);
    });
  });
});

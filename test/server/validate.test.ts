import { connect } from 'node:tls';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { defaultPolicy } from '../../src/policy/policy.js';
import { startTestGate, type TestGate } from './gate.js';
import { definition, responseIn, reviewText, withSize } from './reviews.js';

describe('POST /validate', () => {
  let gate: TestGate;
  before(async () => {
    gate = await startTestGate();
  });
  after(() => gate.close());

  const denied = reviewText({
    oldObject: withSize({ type: 'integer' }),
    object: withSize(undefined),
  });

  it('denies with 200, 403 Forbidden, the text of the reference and one cause per finding', async () => {
    const answer = await gate.post(denied);
    expect(answer.status).to.equal(200);
    const { uid, allowed, status } = responseIn(answer.text);
    expect(uid).to.equal('f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11');
    expect(allowed).to.equal(false);
    expect(status).to.include({ status: 'Failure', code: 403, reason: 'Forbidden' });
    const text = 'crd/widgets.example.com version/v1 field/^.spec.size may not be removed';
    expect(status?.message.split('\n').slice(3)).to.include(
      `validating upgrade for CRD "widgets.example.com" failed: CustomResourceDefinition widgets.example.com failed upgrade safety validation. "NoExistingFieldRemoved" validation failed: ${text}`,
    );
    expect(status?.details).to.include({
      name: 'widgets.example.com',
      group: 'apiextensions.k8s.io',
      kind: 'CustomResourceDefinition',
    });
    const cause = status?.details?.causes.find(({ reason }) => reason === 'NoExistingFieldRemoved');
    expect(cause).to.deep.equal({
      reason: 'NoExistingFieldRemoved',
      field: '^.spec.size',
      message: text,
    });
  });

  it('denies a dry run too', async () => {
    const body = reviewText({
      dryRun: true,
      oldObject: withSize({ type: 'integer' }),
      object: withSize(undefined),
    });
    expect(responseIn((await gate.post(body)).text).allowed).to.equal(false);
  });

  it('counts witnesses that did not hold when they were checked again', async () => {
    const answer = {
      verdict: { allowed: true, findings: [], warnings: [] },
      output: { message: '', effect: 'undecided', results: [], failedWitnesses: 2 },
    };
    const doubting = await startTestGate({
      policy: () => ({ ...defaultPolicy, profile: 'proof' }),
      pool: {
        judge: () => Promise.resolve(JSON.stringify(answer)),
        close: () => Promise.resolve(),
      },
    });
    try {
      expect(responseIn((await doubting.post(denied)).text).allowed).to.equal(true);
      expect(await doubting.metricLines('olm_guard_witness_failures_total')).to.deep.equal([
        'olm_guard_witness_failures_total 2',
      ]);
    } finally {
      await doubting.close();
    }
  });

  const allowed: [string, string][] = [
    ['an update that changes nothing', reviewText()],
    [
      'a field that is added',
      reviewText({ oldObject: withSize(undefined), object: withSize({ type: 'integer' }) }),
    ],
    ['CREATE', reviewText({ operation: 'CREATE', oldObject: null })],
    ['DELETE', reviewText({ operation: 'DELETE', object: null })],
    [
      'a resource that no reviewer knows',
      reviewText({ resource: { group: '', version: 'v1', resource: 'pods' } }),
    ],
    [
      'a resource of the core group, which Go leaves out',
      reviewText({ resource: { version: 'v1', resource: 'pods' } }),
    ],
  ];
  for (const [name, body] of allowed) {
    it(`allows without a word: ${name}`, async () => {
      const answer = await gate.post(body);
      expect(answer.status).to.equal(200);
      const response = responseIn(answer.text);
      expect(response.allowed).to.equal(true);
      expect(response.warnings).to.equal(undefined);
    });
  }

  const deep = '{"a":'.repeat(10_010) + '1' + '}'.repeat(10_010);
  const deepUpdate = reviewText({ object: 'DEEP' }).replace('"DEEP"', deep);
  const deepDeletion = reviewText({
    operation: 'DELETE',
    object: null,
    oldObject: 'DEEP',
  }).replace('"DEEP"', deep);

  it('denies what no API server can have sent: an object deeper than it reads', async () => {
    const answer = await gate.post(deepUpdate);
    expect(answer.status).to.equal(200);
    const { allowed: isAllowed, status } = responseIn(answer.text);
    expect(isAllowed).to.equal(false);
    expect(status?.message).to.match(/reads no review that is this large: .*nests 100\d\d levels/);
  });

  it('allows with a warning to delete what it cannot read', async () => {
    const response = responseIn((await gate.post(deepDeletion)).text);
    expect(response.allowed).to.equal(true);
    expect(response.warnings?.[0]).to.match(/nests 100\d\d levels deep/);
  });

  const unreadable: [string, string, RegExp][] = [
    ['oldObject is missing', reviewText({ oldObject: null }), /oldObject: is missing/],
    [
      'versions is a string',
      reviewText({ object: definition({ versions: 'v1' }) }),
      /request\.object\.spec\.versions: must be a list/,
    ],
  ];
  for (const [name, body, message] of unreadable) {
    it(`denies what it cannot read: ${name}`, async () => {
      const answer = await gate.post(body);
      expect(answer.status).to.equal(200);
      const { allowed: isAllowed, status } = responseIn(answer.text);
      expect(isAllowed).to.equal(false);
      expect(status?.message).to.match(message);
      expect(status?.details?.causes[0]?.reason).to.equal('UnreadableObject');
    });
  }

  it('judges 30,000 removed fields, in an answer that stays short', async () => {
    const fields = Array.from({ length: 30_000 }, (_, index) => [
      `field${index}`,
      { type: 'string' },
    ]);
    const of = (properties: JsonObject): JsonObject => {
      const schema = { type: 'object', properties };
      return definition({
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      });
    };
    const body = reviewText({
      oldObject: of(Object.fromEntries(fields) as JsonObject),
      object: of({}),
    });
    const ask = async (): Promise<ReturnType<typeof responseIn>> =>
      responseIn((await gate.post(body)).text);
    let answer = await ask();
    // Where others use the processors, ten seconds may be too little: denied, and to be tried again.
    for (let tries = 0; tries < 5 && answer.status?.details?.causes?.length !== 100; tries++) {
      expect(answer.allowed).to.equal(false);
      answer = await ask();
    }
    const { allowed: isAllowed, status } = answer;
    expect(isAllowed).to.equal(false);
    expect(status?.details?.causes).to.have.length(100);
    expect(Buffer.byteLength(status?.message ?? '')).to.be.lessThan(8193);
    expect(status?.message).to.match(/\nand \d+ more findings: olm-guard check crd /);
  });

  it('denies what it cannot judge when the policy says so', async () => {
    const strict = await startTestGate({ policy: () => ({ ...defaultPolicy, unjudged: 'deny' }) });
    try {
      const { allowed: isAllowed, status } = responseIn((await strict.post(deepDeletion)).text);
      expect(isAllowed).to.equal(false);
      expect(status?.message).to.match(/policy denies what cannot be judged: .*levels deep/);
    } finally {
      await strict.close();
    }
  });

  const big = Buffer.alloc(100_000_000, ' ');
  const refused: [string, string | Buffer, Parameters<TestGate['post']>[1], number, RegExp][] = [
    ['a body that is not JSON', 'hello', {}, 400, /not JSON/],
    ['an empty body', '', {}, 400, /not JSON: the input is empty/],
    ['a truncated body', denied.slice(0, 500), {}, 400, /not JSON: .*line 1, column \d+/],
    ['a list', '[]', {}, 400, /not an AdmissionReview/],
    ['another kind', '{"kind":"Pod"}', {}, 400, /not an AdmissionReview/],
    [
      'v1beta1',
      denied.replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1'),
      {},
      400,
      /admissionReviewVersions/,
    ],
    ['no uid', denied.replace('"uid"', '"id"'), {}, 400, /incomplete: \$\.request must have .*uid/],
    [
      'a uid that is a number',
      denied.replace(/"uid":"[^"]*"/, '"uid":7'),
      {},
      400,
      /\$\.request\.uid must/,
    ],
    [
      'no request',
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}',
      {},
      400,
      /request/,
    ],
    [
      'another content type',
      denied,
      { headers: { 'content-type': 'text/plain' } },
      400,
      /"text\/plain"; send application\/json/,
    ],
    ['a compressed body', denied, { headers: { 'content-encoding': 'gzip' } }, 400, /compressed/],
    ['100 MB', big, {}, 413, /larger than the limit of 7340032 bytes/],
    [
      '100 MB of unknown length',
      big,
      { headers: { 'transfer-encoding': 'chunked' } },
      411,
      /Content-Length/,
    ],
    ['deep nesting without a review around it', '['.repeat(10_011), {}, 413, /levels deep/],
    ['another path', denied, { path: '/mutate' }, 404, /POST \/validate/],
    ['metrics', denied, { path: '/metrics' }, 404, /\/metrics are at the port of --metrics-listen/],
    ['GET', '', { method: 'GET' }, 405, /POST an AdmissionReview/],
  ];
  it('answers when a timeout leaves no whole millisecond', async () => {
    for (const timeout of ['1ns', '333ms']) {
      const answer = await gate.post(reviewText(), { path: `/validate?timeout=${timeout}` });
      expect(answer.status).to.equal(200);
      expect(responseIn(answer.text).uid).to.equal('f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11');
    }
  });

  for (const [name, body, options, status, sentence] of refused) {
    it(`refuses with ${status} and a reason: ${name}`, async () => {
      const answer = await gate.post(body, options);
      expect(answer.status).to.equal(status);
      const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } };
      expect(error.code).to.match(/^E_/);
      expect(error.message).to.match(sentence);
      expect(error.message).not.to.include('\n');
    });
  }

  it('answers a client that stops in the middle of a body', async () => {
    const socket = connect({ port: Number(new URL(gate.url).port), ca: gate.authority });
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    const head = denied.slice(0, 400);
    socket.write(
      `POST /validate?timeout=200ms HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${denied.length}\r\n\r\n${head}`,
    );
    expect(await answer).to.match(/^HTTP\/1\.1 200 .*no time to read its body/s);
  });

  it('counts reviews and findings, and says what build it is', async () => {
    const counted = await startTestGate();
    try {
      await counted.post(denied);
      await counted.post(reviewText());
      const resource = 'resource="customresourcedefinitions",operation="UPDATE"';
      expect(await counted.metricLines('olm_guard_reviews_total')).to.have.members([
        `olm_guard_reviews_total{${resource},decision="denied"} 1`,
        `olm_guard_reviews_total{${resource},decision="allowed"} 1`,
      ]);
      expect(await counted.metricLines('olm_guard_findings_total')).to.include(
        'olm_guard_findings_total{rule="NoExistingFieldRemoved",decision="denied"} 1',
      );
      expect(await counted.metricLines('olm_guard_review_duration_seconds_count')).to.deep.equal([
        'olm_guard_review_duration_seconds_count 2',
      ]);
      expect(await counted.metricLines('olm_guard_build_info')).to.have.length(1);
      expect(await counted.metricLines('process_resident_memory_bytes')).to.have.length(1);
    } finally {
      await counted.close();
    }
  });

  it('serves probes beside the metrics', async () => {
    for (const path of ['/livez', '/readyz', '/healthz']) {
      const answer = await fetch(gate.metricsUrl + path);
      expect(answer.status, path).to.equal(200);
    }
    expect((await fetch(`${gate.metricsUrl}/else`)).status).to.equal(404);
  });
});

/** What a review costs others before it is judged: nothing that it did not send. */
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { customResourceDefinitionReviewer } from '../../src/gate/admission/custom-resource-definition.js';
import { UnfinishedError, type Reviewer } from '../../src/gate/admission/reviewer.js';
import { defaultPolicy, type Policy } from '../../src/policy/policy.js';
import { authority } from './client-certificates.js';
import { startTestGate, type TestGate } from './gate.js';
import { definition, responseIn, reviewText, withSize } from './reviews.js';
import { until } from './until.js';

const removal = reviewText({
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});
const announced = 7 * 1024 * 1024;

/** Of how many reviews so much was said. */
async function counted(gate: TestGate, what: 'overload' | 'hurried_reviews'): Promise<number> {
  return Number((await gate.metricLines(`olm_guard_${what}_total`))[0]?.split(' ')[1]);
}

describe('more reviews than can be judged at once', () => {
  /** Holds what is named so; asks for a long judgement of everything else. */
  const held: (() => void)[] = [];
  let hurried = 0;
  const reviewer: Reviewer = {
    ...customResourceDefinitionReviewer,
    assess: async ({ name }, { judge }) => {
      if (name === 'held') await new Promise<void>((resolve) => held.push(resolve));
      else {
        await judge('crd', {}).catch((error: unknown) => {
          if (!(error instanceof UnfinishedError)) throw error;
          hurried++;
        });
      }
      return undefined;
    },
  };
  const policy = {
    ...defaultPolicy,
    budgets: { ...defaultPolicy.budgets, concurrentReviews: 2 },
  };

  it('wait for a slot, and are judged without long judgements when none comes in time', async () => {
    const gate = await startTestGate({
      reviewers: [reviewer],
      policy: () => policy,
      pool: { judge: () => Promise.resolve('{}'), close: () => Promise.resolve() },
    });
    try {
      const holding = gate.post(reviewText({ name: 'held' }));
      await until(() => held.length === 1);
      const late = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          gate.post(reviewText({ uid: `uid-${index}` }), { path: '/validate?timeout=1s' }),
        ),
      );
      for (const [index, { text }] of late.entries()) {
        expect(responseIn(text)).to.deep.equal({ uid: `uid-${index}`, allowed: true });
      }
      expect([hurried, await counted(gate, 'hurried_reviews')]).to.deep.equal([5, 5]);
      const patient = gate.post(reviewText());
      held[0]?.();
      for (const { text } of await Promise.all([holding, patient])) {
        expect(responseIn(text).warnings).to.equal(undefined);
      }
      expect([hurried, await counted(gate, 'hurried_reviews')]).to.deep.equal([5, 5]);
    } finally {
      await gate.close();
    }
  });
});

describe('bodies that are announced and do not come', () => {
  let gate: TestGate;
  beforeEach(async () => {
    gate = await startTestGate();
  });
  afterEach(() => gate.close());

  /** Begins to send so many bodies. */
  function begin(count: number, first: string, localAddress = '127.0.0.1'): ClientRequest[] {
    return Array.from({ length: count }, () => {
      const sending = request(`${gate.url}/validate?timeout=30s`, {
        method: 'POST',
        ca: gate.authority,
        agent: false,
        localAddress,
        headers: { 'content-type': 'application/json', 'content-length': announced },
      });
      sending.on('error', () => undefined);
      sending.write(first);
      return sending;
    });
  }

  /** What the gate said to those that stalled, and not to those whose time was over. */
  const stalledText = /its body did not arrive in time/;

  /** Resolves with what the gate said when it has closed them all. */
  function saids(sending: readonly ClientRequest[]): Promise<string[]> {
    return Promise.all(
      sending.map(
        (each) =>
          new Promise<string>((resolve) => {
            let text = '';
            each.once('response', (response) => {
              response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            });
            each.once('close', () => resolve(text));
          }),
      ),
    );
  }

  /** Resolves when the gate has closed them all, whatever it said before. */
  function ends(sending: readonly ClientRequest[]): Promise<unknown> {
    return Promise.all(sending.map((each) => new Promise((resolve) => each.on('close', resolve))));
  }

  it('hold no slot and no memory, and are closed when they stall', async () => {
    const stalled = begin(200, removal.slice(0, 1));
    const closed = saids(stalled);
    for (let count = 0; count < 20; count++) {
      expect(responseIn((await gate.post(removal)).text).allowed).to.equal(false);
    }
    for (const said of await closed) expect(said).to.match(stalledText);
    expect(await counted(gate, 'overload')).to.equal(0);
  });

  it('are closed when little of them comes at a time, and those are read that come slowly', async () => {
    const large = removal.slice(0, -2) + ' '.repeat(3_000_000) + '}}';
    const [drop] = begin(1, '{') as [ClientRequest];
    const dripping = setInterval(() => drop.write(' '), 100).unref();
    const closed = saids([drop]);
    const streaming = request(`${gate.url}/validate`, {
      ...{ method: 'POST', ca: gate.authority, agent: false as const },
      headers: { 'content-type': 'application/json', 'content-length': large.length },
    });
    // Longer than a body may wait, all in all.
    const pieces = 50;
    for (let piece = 0; piece < pieces; piece++) {
      const size = Math.ceil(large.length / pieces);
      streaming.write(large.slice(piece * size, (piece + 1) * size));
      await sleep(60);
    }
    streaming.end();
    const [response] = (await once(streaming, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    clearInterval(dripping);
    expect(responseIn(text).allowed).to.equal(false);
    expect(text).not.to.match(stalledText);
    expect((await closed)[0]).to.match(stalledText);
  });

  it('hold what has come of them, which leaves as much for everybody else', async () => {
    const large = removal.slice(0, -2) + ' '.repeat(announced);
    const greedy = begin(40, large.slice(0, announced - 100), '127.0.0.2');
    const closed = ends(greedy);
    const whole = removal + ' '.repeat(3_000_000);
    for (let count = 0; count < 5; count++) {
      expect(responseIn((await gate.post(whole)).text).allowed).to.equal(false);
    }
    await closed;
  });

  it('are answered by policy when they said what they are, and otherwise refused', async () => {
    const [named, nameless] = [...begin(1, removal.slice(0, 600)), ...begin(1, '{')];
    const texts = await Promise.all(
      [named, nameless].map(async (sending) => {
        const [response] = (await once(sending as ClientRequest, 'response')) as [
          NodeJS.ReadableStream & { statusCode: number },
        ];
        let text = '';
        for await (const chunk of response) text += String(chunk);
        return `${response.statusCode} ${text}`;
      }),
    );
    expect(texts[0]).to.match(/^200 .*"uid":"f5a3ea7c.*its body did not arrive in time/);
    expect(texts[1]).to.match(/^408 .*its body did not arrive in time/);
  });
});

describe('bodies of unauthenticated clients', () => {
  it('are read a few at a time, and an API server’s review meanwhile', async () => {
    const ours = await authority('ours');
    const gate = await startTestGate({
      clients: {
        authority: {
          current: ours.pem,
          onChange: () => Promise.resolve(),
          close: () => undefined,
        },
        names: [],
      },
    });
    try {
      const clients = Array.from({ length: 40 }, async () => {
        const sending = request(`${gate.url}/validate?timeout=2s`, {
          ...{ method: 'POST', ca: gate.authority, agent: false as const },
          headers: { 'content-type': 'application/json', 'content-length': announced },
        });
        sending.on('error', () => undefined);
        sending.write('{');
        const [response] = (await once(sending, 'response')) as [NodeJS.ReadableStream];
        let text = '';
        for await (const chunk of response) text += String(chunk);
        return text;
      });
      const { text } = await gate.post(removal, await ours.issue('kube-apiserver'));
      expect(responseIn(text).allowed).to.equal(false);
      const all = (await Promise.all(clients)).join('\n');
      expect(all).to.match(/there was no time to read its body/);
      expect(all).to.match(/more reviews are under way than can be judged in time/);
    } finally {
      await gate.close();
    }
  });
});

describe('a review that holds more than the gate reads', () => {
  /** What a tenant may write to make it look like something that is never denied. */
  const forged =
    ',"resource":{},"subResource":"status"},"subResource":"status","operation":"DELETE"';
  const many = reviewText({ object: definition({ versions: [{ enum: 'MANY' }] }) });
  const contents: [name: string, body: string, sentence: RegExp][] = [
    [
      'too many bytes',
      removal.replace('"size"', `"${forged.replaceAll('"', '\\"')}${'x'.repeat(8_000_000)}"`),
      /larger than the limit of 7340032 bytes/,
    ],
    [
      'too many values',
      many.replace('"MANY"', `[${'1,'.repeat(600_000)}1]`),
      /more than 500000 values/,
    ],
    [
      'too many numbers that must keep their text',
      many.replace('"MANY"', `[${'-0,'.repeat(150_000)}1]`),
      /more than 500000 values/,
    ],
    [
      'more levels than an API server reads',
      many.replace('"MANY"', '{"a":'.repeat(10_010) + '1' + '}'.repeat(10_010)),
      /nests 100\d\d levels deep/,
    ],
  ];
  const modes = (mode: 'audit' | 'warn'): Policy => ({
    ...defaultPolicy,
    modes: new Map([['crd-upgrade-safety', mode]]),
  });
  const strict: Policy = { ...defaultPolicy, unjudged: 'deny' };

  for (const [name, body, sentence] of contents) {
    const as = (from: string, to: string): string => body.replace(from, to);
    const rows: [who: string, body: string, policy: Policy, allowed: boolean][] = [
      ['denied', body, defaultPolicy, false],
      ['denied when it creates', as('"UPDATE"', '"CREATE"'), defaultPolicy, false],
      ['allowed and warned about where the policy only warns', body, modes('warn'), true],
      ['allowed and warned about where the policy only looks', body, modes('audit'), true],
      ['left to the policy when it deletes', as('"UPDATE"', '"DELETE"'), defaultPolicy, true],
      ['left to the policy when it deletes', as('"UPDATE"', '"DELETE"'), strict, false],
      [
        'never denied when the API server writes the status',
        as('"name":"w', '"subResource":"status","name":"w').replace(
          '"admin"',
          '"system:apiserver"',
        ),
        strict,
        true,
      ],
      [
        'denied when somebody else writes the status, which may bring owners',
        as('"name":"w', '"subResource":"status","name":"w'),
        strict,
        false,
      ],
      [
        'never denied when it cleans up',
        as('"admin"', '"system:serviceaccount:kube-system:generic-garbage-collector"'),
        strict,
        true,
      ],
    ];
    for (const [what, sent, policy, isAllowed] of rows) {
      it(`${name}: is ${what} (unjudged: ${policy.unjudged})`, async () => {
        const gate = await startTestGate({ policy: () => policy });
        try {
          const { status, text } = await gate.post(sent);
          expect(status).to.equal(200);
          const response = responseIn(text);
          expect(response.allowed).to.equal(isAllowed);
          expect(response.status?.message ?? response.warnings?.join()).to.match(sentence);
        } finally {
          await gate.close();
        }
      });
    }
  }

  it('is nobody’s business when nobody reviews its kind', async () => {
    const gate = await startTestGate({ policy: () => strict });
    try {
      const body = contents[0]?.[1].replaceAll('"customresourcedefinitions"', '"widgets"') ?? '';
      expect(responseIn((await gate.post(body)).text).allowed).to.equal(true);
    } finally {
      await gate.close();
    }
  });
});

import { mkdtemp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { Reviewer } from '../../src/gate/admission/reviewer.js';
import { customResourceDefinitionReviewer } from '../../src/gate/admission/custom-resource-definition.js';
import { createLog } from '../../src/gate/log.js';
import { createGateMetrics } from '../../src/gate/metrics/own-metrics.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { defaultPolicy, type Policy } from '../../src/policy/policy.js';
import { certificateFromFiles, selfSigned } from '../../src/gate/server/certificates/files.js';
import { policyFromFiles } from '../../src/gate/server/policy-file.js';
import { startTestGate } from './gate.js';
import { responseIn, reviewText, withSize } from './reviews.js';
import { until } from './until.js';

const log = createLog('silent');
const metrics = createGateMetrics(new Registry(), 'test');
const denied = reviewText({
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

/** A reviewer that holds every review until it is told to go on. */
function holding(): { reviewer: Reviewer; held: () => number; release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    reviewer: {
      ...customResourceDefinitionReviewer,
      assess: () =>
        new Promise<undefined>((resolve) => {
          waiting.push(() => resolve(undefined));
        }),
    },
    held: () => waiting.length,
    release: () => waiting.splice(0).forEach((go) => go()),
  };
}

describe('a review that takes too long', () => {
  it('is answered before the API server gives up: an update is denied, all else is as policy says', async () => {
    const { reviewer, release } = holding();
    const gate = await startTestGate({ reviewers: [reviewer] });
    try {
      const path = '/validate?timeout=100ms';
      const update = responseIn((await gate.post(reviewText(), { path })).text);
      expect(update.allowed).to.equal(false);
      expect(update.status?.message).to.match(
        /lets no update of a definition pass unjudged: it was not finished within/,
      );
      const created = reviewText({ operation: 'CREATE', oldObject: null });
      const { allowed, warnings } = responseIn((await gate.post(created, { path })).text);
      expect(allowed).to.equal(true);
      expect(warnings?.[0]).to.match(/allows it unjudged: it was not finished within/);
      expect(await gate.metricLines('olm_guard_reviews_total')).to.have.length(2);
    } finally {
      release();
      await gate.close();
    }
  });

  for (const profile of ['olm-v1', 'crdify', 'olm-v1.10', 'proof'] as const) {
    for (const enforce of ['all', 'proven'] as const) {
      it(`is decided by the rules, whatever takes the time (${profile}, enforce: ${enforce})`, async () => {
        const policy: Policy = {
          ...defaultPolicy,
          ...{ profile, enforce, undecided: 'warn', unjudged: 'allow' },
        };
        const never = new Promise<never>(() => undefined);
        const pool = { judge: () => never, close: () => Promise.resolve() };
        const gate = await startTestGate({ policy: () => policy, pool });
        try {
          // What is this large is judged in a thread only.
          for (const body of [denied, denied + ' '.repeat(200_000)]) {
            let message: string | undefined;
            // Even the rules may not get their turn in so little time where others use the processors.
            for (let milliseconds = 100; milliseconds < 10_000; milliseconds *= 2) {
              const path = `/validate?timeout=${milliseconds}ms`;
              const answer = await gate.post(body, { path });
              const { allowed, status } = responseIn(answer.text);
              expect(allowed, answer.text).to.equal(false);
              message = status?.message;
              if (message?.includes('pass unjudged') === false) break;
            }
            expect(message).to.match(/\bsize\b/);
          }
        } finally {
          await gate.close();
        }
      });
    }
  }

  it('is answered too when its timer fires before its turn, a little early', async () => {
    const { reviewer, release } = holding();
    const timer = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    let asked = 0;
    const policy = (): Policy => {
      // First whether many wait already, then whether there is a slot for this one.
      if (++asked === 2) timer.abort();
      return defaultPolicy;
    };
    const gate = await startTestGate({ reviewers: [reviewer], policy });
    AbortSignal.timeout = () => timer.signal;
    try {
      const answer = await gate.post(reviewText(), { path: '/validate?timeout=30s' });
      const { allowed, status } = responseIn(answer.text);
      expect(allowed).to.equal(false);
      expect(status?.message).to.equal(
        'olm-guard lets no update of a definition pass unjudged: more reviews are under way than can be judged in time; try again',
      );
    } finally {
      AbortSignal.timeout = timeout;
      release();
      await gate.close();
    }
  });
});

describe('the policy file', () => {
  const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-policy-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** As the kubelet does: a new folder, and the link `..data` put in place of the old one. */
  async function swap(text: string): Promise<void> {
    const data = `..${process.hrtime.bigint()}`;
    await mkdir(join(folder, data));
    await writeFile(join(folder, data, 'policy.yaml'), text);
    await symlink(data, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  }

  it('is read again when its ConfigMap changes; a bad one keeps the one in force', async () => {
    await swap(header);
    await symlink(join('..data', 'policy.yaml'), join(folder, 'policy.yaml'));

    const file = join(folder, 'policy.yaml');
    const source = await policyFromFiles({ file }, { rules: ruleNames, log, metrics });
    const gate = await startTestGate({ policy: source.current });
    const isDenied = async (): Promise<boolean> =>
      !responseIn((await gate.post(denied)).text).allowed;
    const reloads = async (): Promise<Record<string, number>> => {
      const { values } = await metrics.policyReloads.get();
      return Object.fromEntries<number>(
        values.map(({ labels, value }) => [String(labels.outcome), value]),
      );
    };
    try {
      expect(await isDenied()).to.equal(true);
      await swap(`${header}modes: { crd-upgrade-safety: warn }\n`);
      await until(async () => !(await isDenied()));
      await swap(`${header}modes: { crd-upgrade-safety: block }\n`);
      await until(async () => (await reloads())['failure'] === 1);
      expect(await isDenied()).to.equal(false);
      const hostile = [
        `${header}a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefg'].map((name, index) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdef'.charAt(index)}`).join()}]\n`).join('')}`,
        `${header}exemptions: ${'['.repeat(100_000)}`,
        `${header}\0`,
        'x'.repeat(70 * 1024 * 1024),
      ];
      for (const [index, text] of hostile.entries()) {
        await swap(text);
        await until(async () => (await reloads())['failure'] === index + 2);
        expect(await isDenied()).to.equal(false);
      }
      // Of several that follow each other, the last one counts.
      for (const mode of ['audit', 'warn', 'audit', 'warn', 'deny']) {
        await swap(`${header}modes: { crd-upgrade-safety: ${mode} }\n`);
      }
      await until(isDenied);
      expect((await reloads())['failure']).to.equal(hostile.length + 1);
    } finally {
      source.close();
      await gate.close();
    }
  });

  it("has the fields of the admin's own file above those it comes with, when there is one", async () => {
    const file = join(folder, 'defaults.yaml');
    const own = await mkdtemp(join(folder, 'own-'));
    const overrides = join(own, 'policy.yaml');
    await writeFile(
      file,
      `${header}enforce: proven\nmodes: { catalogs: audit }\nbypass: { sources: [crd] }\n`,
    );
    const source = await policyFromFiles({ file, overrides }, { rules: ruleNames, log, metrics });
    try {
      expect(source.current()).to.deep.include({ enforce: 'proven', unjudged: 'allow' });
      await writeFile(overrides, `${header}unjudged: deny\nbypass: { clusterWide: true }\n`);
      await until(() => source.current().unjudged === 'deny');
      expect(source.current()).to.deep.include({
        enforce: 'proven',
        modes: new Map([['catalogs', 'audit']]),
        bypass: { allowed: true, sources: ['crd'], clusterWide: true, groups: [], managers: [] },
      });
      await writeFile(overrides, `${header}modes: {}\n`);
      await until(() => source.current().modes.size === 0);
      await rm(overrides);
      await until(() => source.current().modes.size === 1);
      expect(source.current().unjudged).to.equal('allow');
    } finally {
      source.close();
    }
  });
});

describe('certificate files', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const files = (): [string, string] => [path('tls.crt'), path('tls.key')];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-certificate-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function writePair(): Promise<string> {
    const { current, authority } = await selfSigned(['localhost', '127.0.0.1']);
    await writeFile(path('tls.crt'), current.cert);
    await writeFile(path('tls.key'), current.key);
    return authority;
  }

  it('are read again under load, and no connection is dropped', async () => {
    const first = await writePair();
    const certificates = await certificateFromFiles(...files(), { log, metrics });
    const gate = await startTestGate({ certificates, authority: first });
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: first });
    const trusts = (ca: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ port: Number(new URL(gate.url).port), ca }, () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      });
    let stop = false;
    let answered = 0;
    const load = (async () => {
      while (!stop) {
        expect((await gate.post(reviewText(), { agent })).status).to.equal(200);
        answered++;
      }
    })();
    try {
      const second = await writePair();
      await until(() => trusts(second));
      expect(await trusts(first)).to.equal(false);
      // The old connection goes on after the swap.
      const before = answered;
      await until(() => answered > before + 2);
      const [expiry] = await gate.metricLines('olm_guard_certificate_expiry_timestamp_seconds ');
      expect(Number(expiry?.split(' ')[1])).to.be.greaterThan(Date.now() / 1000);

      // A key that belongs to no certificate is not used.
      const { current } = await selfSigned(['localhost']);
      await writeFile(path('tls.key'), current.key);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await trusts(second)).to.equal(true);
    } finally {
      stop = true;
      await load;
      agent.destroy();
      await gate.close();
    }
  });

  const bad: [name: string, prepare: () => Promise<void>, sentence: RegExp][] = [
    [
      'a missing file',
      () => rm(path('tls.crt'), { force: true }),
      /tls.crt: there is no such file/,
    ],
    [
      'a certificate that is none',
      () => writeFile(path('tls.crt'), 'hello'),
      /tls.crt: is not a PEM certificate/,
    ],
    [
      'a key that is none',
      async () => {
        await writePair();
        await writeFile(path('tls.key'), 'hello');
      },
      /tls.key: is not a PEM private key/,
    ],
    [
      'a key of another certificate',
      async () => {
        await writePair();
        await writeFile(path('tls.key'), (await selfSigned(['localhost'])).current.key);
      },
      /tls.key: does not hold the private key of the certificate in .*tls.crt/,
    ],
  ];
  for (const [name, prepare, sentence] of bad) {
    it(`are refused at the start: ${name}`, async () => {
      await prepare();
      try {
        await certificateFromFiles(...files(), { log, metrics });
        expect.fail('the pair was accepted');
      } catch (error) {
        const described = (error as { describe?: () => string }).describe?.();
        expect(described).to.match(sentence);
      }
    });
  }
});

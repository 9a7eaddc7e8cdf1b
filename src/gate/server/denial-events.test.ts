import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Counter, Registry } from 'prom-client';
import type { RequestInit } from '../../cluster/view/connection.js';
import { ClusterError } from '../../cluster/view/view.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { AdmissionRequest } from '../admission/admission-review.js';
import { denialEvents, type DenialEvents } from './denial-events.js';

interface Sent extends RequestInit {
  readonly event: JsonObject & { metadata: { name: string }; note?: string };
}

const request = (fields: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: 'review',
  kind: { group: 'operators.coreos.com', version: 'v1', kind: 'OperatorGroup' },
  resource: { group: 'operators.coreos.com', version: 'v1', resource: 'operatorgroups' },
  ...{ name: 'g', namespace: 'team', operation: 'UPDATE' },
  oldObject: { metadata: { uid: 'u1' }, spec: { secret: 'hunter2' } },
  object: { metadata: { uid: 'u1' }, spec: { secret: 'hunter2' } },
  ...fields,
});

const denial = (...rules: string[]): Parameters<DenialEvents['tell']>[1] => ({
  response: { uid: 'review', allowed: false },
  decided: rules.map((rule) => ({
    finding: {
      ...{ rule, family: 'operator-groups', severity: 'error', effect: 'none' },
      message: 'because of hunter2',
    },
    ...{ disposition: 'denied', wouldDeny: true },
  })) as never,
});

describe('Events about denials', () => {
  let events: DenialEvents;
  let sent: Sent[];
  let warned: object[];
  let time: number;
  /** How far somebody has set the API server's clock. */
  let set: number;
  let refuse: ClusterError | undefined;
  let outcomes: Counter<'outcome'>;

  beforeEach(() => {
    sent = [];
    warned = [];
    [time, set] = [0, 0];
    refuse = undefined;
    outcomes = new Counter({
      ...{ name: 'events', help: 'h', labelNames: ['outcome'], registers: [new Registry()] },
    });
    events = denialEvents(
      {
        now: () => Date.parse('2026-01-01T00:00:00Z') + time + set,
        read(init) {
          sent.push({ ...init, event: JSON.parse(init.body ?? '') as Sent['event'] });
          return refuse === undefined ? Promise.resolve(Buffer.of()) : Promise.reject(refuse);
        },
      },
      {
        ...{ identity: 'gate-1', metrics: { events: outcomes }, roundMilliseconds: 5 },
        log: { warn: (line: object) => void warned.push(line) } as never,
        steady: () => time,
      },
    );
  });
  afterEach(() => events.close());

  async function count(outcome: string): Promise<number> {
    const { values } = await outcomes.get();
    return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  }

  it('name the object and the rules, and nothing that stood in it', async () => {
    events.tell(request(), denial('B', 'A', 'B'));
    await sleep(20);
    expect(sent).to.have.length(1);
    expect(sent[0]).to.include({
      method: 'POST',
      path: '/apis/events.k8s.io/v1/namespaces/team/events',
    });
    expect(sent[0]?.event).to.deep.include({
      ...{ type: 'Warning', reason: 'Denied', action: 'Update', reportingInstance: 'gate-1' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      regarding: {
        ...{ apiVersion: 'operators.coreos.com/v1', kind: 'OperatorGroup' },
        ...{ name: 'g', namespace: 'team', uid: 'u1' },
      },
    });
    expect(sent[0]?.event.note).to.match(/^olm-guard refused UPDATE of OperatorGroup g: A, B\. /);
    expect(JSON.stringify(sent)).not.to.include('hunter2');
    expect(await count('written')).to.equal(1);
  });

  it('stand in default for what has no namespace', async () => {
    const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
    const { uid, resource, operation } = request();
    events.tell({ uid, kind, resource, operation, name: 'x'.repeat(253) }, denial('A'));
    await sleep(20);
    expect(sent[0]?.path).to.equal('/apis/events.k8s.io/v1/namespaces/default/events');
    expect(sent[0]?.event['regarding']).not.to.have.property('namespace');
    expect(sent[0]?.event.metadata.name).to.have.length(253);
  });

  it('are none for what was allowed, tried out, or denied by no rule', async () => {
    const allowed = { response: { uid: 'review', allowed: true } };
    events.tell(request(), { ...denial('A'), ...allowed });
    events.tell(request({ dryRun: true }), denial('A'));
    events.tell(request(), denial());
    await sleep(20);
    expect(sent).to.deep.equal([]);
  });

  it('become a series when a denial is repeated, told once a minute at most', async () => {
    for (let again = 0; again < 50; again++) events.tell(request(), denial('A'));
    await sleep(20);
    expect(sent).to.have.length(1);
    time += 61_000;
    await sleep(30);
    expect(sent).to.have.length(2);
    expect(sent[1]).to.include({
      ...{ method: 'PATCH', contentType: 'application/merge-patch+json' },
      path: `${sent[0]?.path}/${sent[0]?.event.metadata.name}`,
    });
    expect(sent[1]?.event).to.deep.equal({
      series: { count: 50, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
    });
    events.tell(request(), denial('B'));
    await sleep(20);
    expect(sent).to.have.length(3);
  });

  it('become a series also when the clock of the API server is set back', async () => {
    events.tell(request(), denial('A'));
    await sleep(20);
    set = -86_400_000;
    events.tell(request(), denial('A'));
    time += 61_000;
    await sleep(30);
    expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'PATCH']);
    expect(sent[1]?.event).to.deep.equal({
      series: { count: 2, lastObservedTime: '2025-12-31T00:00:00.000000Z' },
    });
  });

  it('are bounded in a namespace and in all, and what is too much is counted', async () => {
    for (let name = 0; name < 30; name++) events.tell(request({ name: `g${name}` }), denial('A'));
    await sleep(30);
    expect(sent).to.have.length(10);
    for (let name = 0; name < 300; name++) {
      events.tell(request({ name: `g${name}`, namespace: `n${name}` }), denial('A'));
    }
    await sleep(50);
    expect(sent).to.have.length(60);
    expect(await count('dropped')).to.equal(270);
    time += 60_000;
    events.tell(request({ name: 'later' }), denial('A'));
    await sleep(20);
    expect(sent).to.have.length(61);
  });

  it('that are forbidden are logged once in five minutes, and stop no others', async () => {
    refuse = new ClusterError('events.events.k8s.io is forbidden', 403);
    for (const name of ['a', 'b', 'c']) events.tell(request({ name }), denial('A'));
    await sleep(20);
    expect(warned).to.deep.equal([{ reason: 'events.events.k8s.io is forbidden' }]);
    expect(await count('dropped')).to.equal(3);
    refuse = undefined;
    // One in another namespace, and one that was refused before.
    events.tell(request({ namespace: 'other' }), denial('A'));
    events.tell(request({ name: 'a' }), denial('A'));
    await sleep(20);
    expect(await count('written')).to.equal(2);
    refuse = new ClusterError('exceeded quota', 403);
    events.tell(request({ name: 'd' }), denial('A'));
    await sleep(20);
    expect(warned).to.have.length(1);
    time += 301_000;
    events.tell(request({ name: 'e' }), denial('A'));
    await sleep(20);
    expect(warned[1]).to.deep.equal({ reason: 'exceeded quota' });
  });

  it('begin anew when the Event has expired', async () => {
    events.tell(request(), denial('A'));
    await sleep(20);
    events.tell(request(), denial('A'));
    refuse = new ClusterError('not found', 404);
    time += 61_000;
    await sleep(30);
    refuse = undefined;
    events.tell(request(), denial('A'));
    await sleep(20);
    expect(sent.map(({ method }) => method)).to.deep.equal(['POST', 'PATCH', 'POST']);
  });
});

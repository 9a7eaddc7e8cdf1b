import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect } from 'chai';
import { createReviewers } from '../admission/reviewers.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { defaultMaxBodyBytes } from './gate.js';
import { Lanes } from './lanes.js';
import * as memory from './memory.js';

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env?: readonly { readonly name: string; readonly value: string }[];
          readonly resources: { readonly limits: { readonly memory: string } };
        }[];
      };
    };
  };
}

const file = new URL('../../../manifests/base/deployment.yaml', import.meta.url);
const [container] = (load(readFileSync(file, 'utf8')) as Deployment).spec.template.spec.containers;
const limit = 1024 * Number(/^(\d+)Gi$/.exec(container?.resources.limits.memory ?? '')?.[1]);

describe('memory', () => {
  it('of all parts fits the limit of the container', () => {
    expect(memory.sum(memory.planMemory(limit))).to.be.at.most(limit);
    // With catalogs it is more: docs/operations.md says how much.
    expect(container?.args.join()).to.not.include('--catalog');
  });

  it('of the heap is what the manifest tells Node', () => {
    expect(container?.env?.find(({ name }) => name === 'NODE_OPTIONS')?.value).to.equal(
      `--max-old-space-size=${memory.mainHeap} --max-semi-space-size=${memory.semiSpace}`,
    );
  });

  it('of bodies is what the lanes give', () => {
    const lanes = new Lanes({
      reviewers: createReviewers(FolderState.of([])),
      maxBodyBytes: defaultMaxBodyBytes,
      concurrentReviews: () => 64,
    });
    expect(lanes.bodyBytes).to.be.at.most(memory.bodies * 1024 * 1024);
  });

  it('of reviews that were read leaves as much of the heap for what is known of the cluster', () => {
    const parsed = 2 * memory.parsedReviews + memory.parsedDefinitions;
    expect(2 * parsed).to.be.at.most(memory.mainHeap);
    const kept = memory.keptState(memory.mainHeap) / 1024 / 1024;
    expect(parsed + 2 * kept).to.be.at.most(memory.mainHeap);
  });

  it('that is left goes to threads, and then to the one that resolves', () => {
    const withCatalogs = { heap: 600, hasCatalogs: true };
    for (const [of, shape] of [
      [limit, {}],
      [2048, withCatalogs],
      [4096, withCatalogs],
    ] as const) {
      const plan = memory.planMemory(of, shape);
      expect(plan.threads).to.be.at.least(1);
      expect(memory.sum(plan, shape), `${of}`).to.be.at.most(of);
    }
    expect(memory.planMemory(1e6, withCatalogs).resolver).to.equal(2048);
  });

  it('of all parts of a sidecar is bounded, however much there is', () => {
    for (const limit of [1024, 1536, 2048, 4096, 65_536]) {
      const plan = memory.planSidecar(128, limit);
      expect(plan.threads).to.be.at.least(1);
      expect(plan.heap).to.be.at.least(256);
      const most = Math.min(limit, memory.maxSidecar);
      expect(memory.sumSidecar(plan, 128), `${limit}`).to.be.at.most(most);
    }
  });
});

import { expect } from 'chai';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { measureShared, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { runWorkerTask } from './worker-tasks.js';

const managed = [{ manager: 'kubectl', operation: 'Update', time: '2026-01-01T00:00:00Z' }];

function definition(minimum: number, managedFields: JsonObject[] = managed): JsonObject {
  const properties: JsonObject = { size: { type: 'integer', minimum } };
  const crd = exampleOfSpec({ type: 'object', properties });
  return { ...crd, metadata: { ...(crd['metadata'] as JsonObject), managedFields } };
}

/** As a thread gets it. */
function attached(oldObject: JsonObject, object: JsonObject) {
  const review = measureShared(Buffer.from(stringifyJson({ request: { object, oldObject } })));
  return { unread: { review } };
}

describe('tasks about one review', () => {
  const policy = { profile: 'olm-v1', enforce: 'proven' };
  const update = attached(definition(1), definition(3));
  const judge = (asked = update, isOver?: () => boolean) =>
    runWorkerTask('definition-update', { policy, at: 'review' }, asked, { isOver });
  const patch = (isOver?: () => boolean) =>
    runWorkerTask('definition-patches', { policy }, update, { isOver });

  it('answer alike one after the other and apart', () => {
    const apart = [judge(), judge(attached(definition(5), definition(7))), patch()];
    expect(apart[2]).to.have.nested.property('verdict.findings[0].fix[0].op');
    expect([judge(), patch()]).to.deep.equal([apart[0], apart[2]]);
  });

  it('know nothing of a proof that was stopped', () => {
    const effectOf = (answer: ReturnType<typeof judge>) =>
      'verdict' in answer ? answer.verdict.findings.map(({ effect }) => effect) : answer;
    const stopped = (): boolean => true;
    judge(attached(definition(5), definition(7)));
    expect(effectOf(judge(update, stopped))).to.deep.equal(['undecided']);
    expect(effectOf(judge())).to.deep.equal(['breaking']);
    judge(attached(definition(5), definition(7)));
    patch(stopped);
    expect(effectOf(judge())).to.deep.equal(['breaking']);
  });

  it('do not depend on who wrote the definitions', () => {
    const unmanaged = attached(definition(1, []), definition(3, []));
    expect(judge(unmanaged)).to.deep.equal(judge());
    const odd = attached(definition(1, [{ manager: 7 }]), definition(3, [{ operation: 'None' }]));
    expect(judge(odd)).to.deep.equal(judge());
  });
});

/** What an API server's audit log saw a user do, held against what roles let it do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface AuditEvent {
  readonly verb: string;
  readonly objectRef: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Within a `describe`: `apiServerFlags` are for its API server. */
export function auditRights(user: string): {
  readonly apiServerFlags: string[];
  /** @param roles paths below the group of RBAC, such as `clusterroles/NAME` */
  expectUsed(cluster: TestCluster, roles: readonly string[]): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-audit-'));
  const file = (name: string): string => join(folder, name);
  const rules = [{ level: 'Metadata', users: [user] }, { level: 'None' }];
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules };
  writeFileSync(file('policy.yaml'), JSON.stringify(policy));
  after(() => rmSync(folder, { recursive: true }));

  const used = (): Set<string> =>
    new Set(
      readFileSync(file('audit.log'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as AuditEvent)
        .flatMap(({ verb, objectRef, responseStatus: { code = 200 } = {} }) => {
          expect(code, `${verb} ${objectRef.resource}`).not.to.equal(403);
          const { resource, subresource, apiGroup = '' } = objectRef;
          const of = subresource === undefined ? resource : `${resource}/${subresource}`;
          // An apply that makes an object takes the right to create it too.
          const verbs = verb === 'patch' && code === 201 ? [verb, 'create'] : [verb];
          return verbs.map((each) => `${each} ${of} ${apiGroup}`.trim());
        }),
    );
  return {
    apiServerFlags: [
      `--audit-policy-file=${file('policy.yaml')}`,
      `--audit-log-path=${file('audit.log')}`,
    ],
    async expectUsed(cluster, roles) {
      const answers = await Promise.all(
        roles.map((role) => cluster.request('GET', `${rbac}/${role}`)),
      );
      const given = answers
        .flatMap(({ body }) => (body as unknown as { rules: Rule[] }).rules)
        .flatMap(({ apiGroups, resources, verbs }) =>
          resources.flatMap((resource) =>
            verbs.map((verb) => `${verb} ${resource} ${apiGroups.join()}`.trim()),
          ),
        );
      await until('the audit log to be written', () =>
        given.every((each) => used().has(each)) ? true : undefined,
      ).catch(() => expect([...used()]).to.have.members(given));
      expect([...used()].sort()).to.deep.equal([...given].sort());
    },
  };
}

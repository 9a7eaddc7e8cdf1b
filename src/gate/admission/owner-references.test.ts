import { expect } from 'chai';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import type { Counted } from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { ownerReferenceFindings } from './owner-references.js';

const reference = (kind: string, name: string, uid: string): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind,
  name,
  uid,
});
const owned = (...ownerReferences: JsonObject[]): JsonObject => ({
  metadata: { name: 'widgets.example.com', ...(ownerReferences.length > 0 && { ownerReferences }) },
});
const there = reference('Owner', 'there', 'u1');
const gone = reference('Owner', 'gone', 'u2');
const going = reference('Owner', 'going', 'u3');
const another = reference('Owner', 'there', 'u9');
const hidden = reference('Hidden', 'any', 'u4');
const namespaced = reference('Inside', 'any', 'u5');
const unserved = reference('Unserved', 'any', 'u6');
const ofOlm = (apiVersion: string, kind: string): JsonObject => ({
  ...reference(kind, 'there', 'u1'),
  apiVersion,
});
const extension = ofOlm('olm.operatorframework.io/v1', 'ClusterExtension');

const view: ClusterView = {
  get: ({ resource }, name) => {
    if (resource === 'hiddens') {
      return Promise.reject(new ClusterError('hiddens is forbidden', 403));
    }
    const found: Record<string, JsonObject> = {
      there: { metadata: { name, uid: 'u1' } },
      nameless: { metadata: { name } },
      going: { metadata: { name, uid: 'u3', deletionTimestamp: '2026-01-01T00:00:00Z' } },
    };
    return Promise.resolve(found[name]);
  },
  list: () => Promise.resolve([]),
  resourceOf: (apiVersion, kind) =>
    Promise.resolve(
      kind === 'Unserved'
        ? undefined
        : {
            group: apiVersion.split('/')[0] ?? '',
            resource: `${kind.toLowerCase()}s`,
            namespaced: kind === 'Inside' || kind === 'ClusterServiceVersion',
          },
    ),
};

interface Row {
  readonly name: string;
  readonly old?: JsonObject;
  readonly next: JsonObject;
  readonly counted?: Counted;
  readonly isUnseenDenied?: boolean;
  readonly isByOlm?: boolean;
  readonly severity?: 'error' | 'warning';
  readonly rule?: string;
  readonly says?: string | RegExp;
}

const none = { objects: 0, isDisclosed: true };
const five = { objects: 5, isDisclosed: true };
const rows: readonly Row[] = [
  { name: 'no owner', next: owned() },
  { name: 'the same owners', old: owned(gone), next: owned(gone) },
  { name: 'owners taken away', old: owned(there), next: owned() },
  {
    name: 'an owner that does not exist',
    next: owned(gone),
    severity: 'error',
    says: 'the garbage collector deletes widgets.example.com and 5 stored Widgets with it: no Owner "gone" has that uid',
  },
  {
    name: 'an owner that does not exist, of a definition without objects',
    next: owned(gone),
    counted: { objects: 0, isDisclosed: true },
    severity: 'warning',
    says: /garbage collector deletes/,
  },
  {
    name: 'an owner that does not exist, of objects that nobody could count',
    next: owned(gone),
    counted: { unseen: 'no right', isDenied: false },
    severity: 'error',
    says: /deletes widgets\.example\.com and every stored Widget with it: no Owner "gone"/,
  },
  {
    name: 'an owner that does not exist, for somebody who may not list the objects',
    next: owned(gone),
    counted: { objects: 5, isDisclosed: false },
    severity: 'error',
    says: /deletes widgets\.example\.com and stored Widgets with it: no Owner "gone"/,
  },
  {
    name: 'an owner with another uid',
    next: owned(another),
    severity: 'error',
    says: /no Owner "\w+" has that uid/,
  },
  {
    name: 'an owner with the uid of one that exists, and another name',
    old: owned(there),
    next: owned(reference('Owner', 'gone', 'u1')),
    severity: 'error',
    says: /no Owner "gone" has that uid/,
  },
  {
    name: 'an owner without a uid, of one that exists',
    next: owned({ apiVersion: 'example.org/v1', kind: 'Owner', name: 'there' }),
    severity: 'error',
    says: /no Owner "\w+" has that uid/,
  },
  {
    name: 'an owner without a uid, of one that has none either',
    next: owned(reference('Owner', 'nameless', '')),
    severity: 'error',
    says: /no Owner "\w+" has that uid/,
  },
  { name: 'an owner that goes', next: owned(going), severity: 'error', says: /is being deleted/ },
  {
    name: 'the one owner that exists taken away',
    old: owned(there, gone),
    next: owned(gone),
    severity: 'error',
    says: /no Owner "gone" has that uid/,
  },
  {
    name: 'an owner that does not exist beside one that does',
    old: owned(there),
    next: owned(there, gone),
  },
  {
    name: 'one owner for another',
    old: owned(going),
    next: owned(there),
    severity: 'warning',
    says: /from now on the deletion of Owner "there" deletes/,
  },
  {
    name: 'one of two owners that exist taken away',
    old: owned(there, reference('Owner', 'nameless', 'u7')),
    next: owned(there),
    severity: 'warning',
    says: /from now on the deletion of Owner "there" deletes/,
  },
  {
    name: 'the first owner',
    next: owned(there),
    severity: 'warning',
    says: 'from now on the deletion of Owner "there" deletes widgets.example.com and 5 stored Widgets with it',
  },
  {
    name: 'the first owner of a definition without objects',
    next: owned(there),
    counted: none,
    severity: 'warning',
    rule: 'OwnerReferenceCollects',
    says: 'from now on the deletion of Owner "there" deletes widgets.example.com and every Widget that is stored by then with it',
  },
  {
    name: 'an owner that OLM sets on a definition without objects',
    next: owned(extension),
    counted: none,
    isByOlm: true,
  },
  {
    name: 'an owner that nobody may read, of a definition without objects',
    next: owned(hidden),
    counted: none,
    isUnseenDenied: true,
    severity: 'warning',
    rule: 'OwnerReferenceCollects',
    says: /could not be seen .* deletes it and every Widget that is stored by then with it$/,
  },
  {
    name: 'an owner that nobody may read',
    next: owned(hidden),
    severity: 'warning',
    says: /could not be seen \(Hidden "any": hiddens is forbidden\); if they do not, the garbage collector/,
  },
  {
    name: 'an owner that nobody may read, where policy denies what cannot be judged',
    next: owned(hidden, gone),
    isUnseenDenied: true,
    severity: 'error',
    says: /could not be seen/,
  },
  {
    name: 'owners without end',
    next: owned(...Array.from({ length: 5000 }, (_, at) => reference('Owner', 'gone', `x${at}`))),
    severity: 'warning',
    says: /it names 5000 owners/,
  },
  {
    name: 'an owner inside a namespace, of a kind that somebody can make anew outside',
    old: owned(there),
    next: owned(namespaced),
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
    says: 'Inside "any" is of a kind that lives in namespaces; once that kind is made anew without them, the garbage collector deletes widgets.example.com and 5 stored Widgets with it',
  },
  {
    name: 'an owner inside a namespace, of a definition without objects',
    next: owned(namespaced),
    counted: none,
    severity: 'warning',
    rule: 'OwnerReferenceCollects',
  },
  {
    name: 'an owner inside a namespace that OLM sets, which the collector cannot resolve',
    next: owned(ofOlm('operators.coreos.com/v1alpha1', 'ClusterServiceVersion')),
    isByOlm: true,
  },
  {
    name: 'an owner inside a namespace of a kind that OLM sets, by somebody else',
    next: owned(ofOlm('operators.coreos.com/v1alpha1', 'ClusterServiceVersion')),
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
  },
  {
    name: 'a bait beside an owner inside a namespace',
    next: owned(ofOlm('operators.coreos.com/v1alpha1', 'ClusterServiceVersion'), there),
    isByOlm: true,
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
  },
  {
    name: 'a bait beside an owner that OLM sets',
    old: owned(extension),
    next: owned(extension, there),
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
  },
  {
    name: 'the owner that OLM sets taken away from beside another',
    old: owned(extension, there),
    next: owned(there),
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
  },
  ...['ClusterExtension', 'ClusterExtensionRevision', 'ClusterObjectSet'].flatMap((kind): Row[] => [
    {
      name: `a ${kind} by which OLM adopts the definition`,
      next: owned(ofOlm('olm.operatorframework.io/v1', kind)),
      isByOlm: true,
      severity: 'warning',
      rule: 'OwnerReferenceCollects',
      says: /^from now on the deletion of Cluster\w+ "there" deletes .* with it$/,
    },
    {
      name: `a ${kind} that somebody else sets, who may have made it`,
      next: owned(ofOlm('olm.operatorframework.io/v1', kind)),
      severity: 'warning',
      rule: 'OwnerReferenceUnknown',
      says: /; only OLM sets a Cluster\w+ as owner: if "mallory" is OLM, name it in trusted/,
    },
  ]),
  {
    name: 'an owner of OLM that stays when another goes',
    old: owned(extension, there),
    next: owned(extension),
    severity: 'warning',
    rule: 'OwnerReferenceCollects',
  },
  {
    name: 'a kind that has the name of one that OLM sets, in a group of somebody else',
    next: owned(ofOlm('example.org/v1', 'ClusterExtension')),
    severity: 'warning',
    rule: 'OwnerReferenceUnknown',
  },
  {
    name: 'an owner of a kind that is not served',
    old: owned(there),
    next: owned(unserved),
    severity: 'warning',
    says: /could not be seen \(Unserved "any": its kind is not served\)/,
  },
  {
    name: 'an owner of a kind that is not served, where policy denies what cannot be judged',
    next: owned(unserved),
    isUnseenDenied: true,
    severity: 'error',
    says: /its kind is not served/,
  },
];

describe('owner references of a definition', () => {
  for (const row of rows) {
    const { name, old = owned(), next, counted = five, isUnseenDenied = false } = row;
    const requester = { name: 'mallory', isOlm: row.isByOlm === true };
    it(`${row.severity ?? 'nothing'}: ${name}`, async () => {
      const subject = { name: 'widgets.example.com', kind: 'Widget' };
      const count = () => Promise.resolve(counted);
      const change = { subject, old, next, count, isUnseenDenied, requester };
      const findings = await ownerReferenceFindings(change, view);
      expect(findings.map(({ severity }) => severity)).to.deep.equal(
        row.severity === undefined ? [] : [row.severity],
      );
      if (row.rule !== undefined) expect(findings[0]?.rule).to.equal(row.rule);
      if (typeof row.says === 'string') expect(findings[0]?.message).to.equal(row.says);
      if (row.says instanceof RegExp) expect(findings[0]?.message).to.match(row.says);
    });
  }
});

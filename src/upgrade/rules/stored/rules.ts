/** Rules about the objects that a cluster has stored, and about what a request does to them. */
import { from, rulesWith, type Rule } from '../../../rule/index.js';

const defineStoredRule = rulesWith({ family: 'stored-objects', subject: 'stored objects' });

export const storedObjectsRefused = defineStoredRule({
  id: 'StoredObjectsRefused',
  aliases: ['StoredObject'],
  severity: 'error',
  about: 'content',
  checks: 'Stored objects that the new definition would refuse.',
  why: 'Creating such an object again from a backup fails, and so does a write that touches what is refused. API servers up to 1.29 refuse every write to it, also one that only adds a finalizer; later ones let most values pass that a write leaves as they were.',
  instead:
    'Change the objects so that they pass before the definition changes, or keep the constraint out of this version.',
  source: from.apiextensions('pkg/registry/customresource/validator.go', 'ValidateUpdate'),
  messages: {
    refused: '{refused} of {stored} would be refused: {examples}. {updates}',
    none: 'no {kind} is stored on this cluster: nothing breaks here, and what is denied is about objects from other clusters, backups and Git',
    withheld:
      'stored {kinds} would be refused; which and how many is for those who may list {name}',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: big, namespace: default }, spec: { size: 12 } }`,
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: '1 of 1 stored Widget would be refused',
    accepted: 'properties: { size: { type: integer, maximum: 12 } }',
  },
});

export const storedObjectsLoseData = defineStoredRule({
  id: 'StoredObjectsLoseData',
  severity: 'error',
  about: 'content',
  checks: 'Stored objects that hold fields which the new definition drops.',
  why: 'The fields are gone with the next read, and the next write makes that final.',
  instead: 'Keep the field in the schema, or move its value elsewhere first.',
  source: from.apiextensions('pkg/apiserver/schema/pruning/algorithm.go', 'PruneWithOptions'),
  messages: {
    pruned: '{pruned} of {stored} would lose {losses}',
    withheld: 'stored {kinds} would lose data; which and how many is for those who may list {name}',
  },
  example: {
    before: `
      properties: { size: { type: integer }, color: { type: string } }
      ---
      { kind: Widget, metadata: { name: red, namespace: default }, spec: { color: red } }`,
    after: 'properties: { size: { type: integer } }',
    says: '1 of 1 stored Widget would lose spec.color: default/red',
    accepted: 'properties: { size: { type: integer }, color: { type: string, maxLength: 9 } }',
  },
});

export const storedObjectsUnchecked = defineStoredRule({
  id: 'StoredObjectsUnchecked',
  severity: 'warning',
  about: 'content',
  checks:
    'Stored objects that could not be read, or not all of them in the time that the policy gives.',
  why: 'Objects that were not checked may break.',
  instead:
    'Let the gate list the objects (docs/operations.md, Stored objects), and show it which reviews are the API server’s (docs/client-certificate.md); where time ran out, raise budgets.storedObjectsSeconds.',
  source: from.us('docs/operations.md'),
  messages: {
    undecided:
      '{undecided} of {stored} could not be judged: a validation rule cannot be evaluated here',
    laterVersion:
      'stored {name} not checked: version {version} is made by a conversion webhook that comes with the upgrade',
    noRight: 'not checked: no right to list {name}',
    busy: 'stored {name} not checked: too much else is under way',
    late: 'stored {name} were not checked in time ({progress} so far); the check goes on, and the next attempt gets its answer',
    failed: 'stored {name} not checked: {why}',
    uncounted:
      'deleting {name} deletes every stored {kind} with it, and their number is unknown: {why}',
    withheld:
      'stored {kinds} were not all checked; which and how many is for those who may list {name}',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'not checked: no right to list widgets.example.com',
  },
});

export const storedObjectsDeleted = defineStoredRule({
  id: 'StoredObjectsDeleted',
  severity: 'warning',
  about: 'content',
  checks: 'The deletion of a definition that still has objects.',
  why: 'A definition takes its objects with it, and with them what they own.',
  instead: 'Delete the objects first, or keep the definition.',
  source: from.apiextensions('pkg/controller/finalizer/crd_finalizer.go', 'deleteInstances'),
  messages: { deleted: 'deleting {name} deletes {stored} with it' },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: '',
    says: 'deleting widgets.example.com deletes 1 stored Widget with it',
  },
});

export const definitionRemoved = defineStoredRule({
  id: 'DefinitionRemoved',
  severity: 'error',
  about: 'content',
  checks:
    'Definitions that the old release has and the new one does not, where both are whole: two folders, charts or bundles.',
  why: 'Whatever deletes what is gone from Git or from a chart deletes the definition with all its objects; otherwise these stay, and no release looks after them.',
  instead:
    'Keep the definition, with served: false for versions that may go, until its objects are gone; or exempt this rule with the reason.',
  source: from.apiextensions('pkg/controller/finalizer/crd_finalizer.go', 'deleteInstances'),
  messages: {
    gone: '{name} is only in {old}: if it is deleted from the cluster, its stored objects go with it',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '',
    says: 'widgets.example.com is only in OLD',
  },
});

export const storedObjectsUnreachable = defineStoredRule({
  id: 'StoredObjectsUnreachable',
  severity: 'error',
  about: 'content',
  checks: 'A definition that still has objects, and serves no version any more.',
  why: 'Nobody can read or write the objects, and nobody can count them before the definition is deleted with all of them.',
  instead: 'Serve one version until the objects are gone.',
  source: from.apiextensions('pkg/apiserver/customresource_handler.go', 'ServeHTTP'),
  messages: {
    unreachable:
      'no version of {name} is served any more, so that nobody can read, write or count {stored}',
    uncounted:
      'no version of {name} is served any more, so that nobody can read, write or count what is stored; whether anything is, could not be seen: {why}',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: 'spec: { versions: [{ name: v1, served: false, storage: true }] }',
    says: 'no version of widgets.example.com is served any more, so that nobody can read, write or count 1 stored Widget',
  },
});

/** Messages about an owner that two rules share: the author of the reference decides which rule reports it. */
const ownedMessages = {
  misplaced:
    '{owners} is of a kind that lives in namespaces; once that kind is made anew without them, the garbage collector deletes {name} and {stored} with it{hint}',
  keeps: 'from now on the deletion of {owners} deletes {name} and {stored} with it{hint}',
} as const;

export const ownerReferenceCollects = defineStoredRule({
  id: 'OwnerReferenceCollects',
  severity: 'error',
  about: 'bookkeeping',
  checks: 'An owner reference by which the garbage collector deletes the definition.',
  why: 'A definition whose owners do not exist is deleted within seconds with all of its objects, by the garbage collector, which nobody holds up. Of an owner that exists it is a warning: its deletion is one of the definition from then on. It is one too while the definition has no objects yet, as when it is created.',
  instead: 'Name an owner that exists by its uid, or none.',
  source: from.kubernetesPages('Garbage Collection'),
  messages: {
    ...ownedMessages,
    collects: 'the garbage collector deletes {name} and {stored} with it: {why}',
    unknown:
      'whether the owners exist that {name} is given could not be seen ({why}); if they do not, the garbage collector deletes it and {stored} with it',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after:
      'metadata: { name: widgets.example.com, ownerReferences: [{ apiVersion: v1, kind: Namespace, name: gone, uid: u1 }] }',
    says: 'the garbage collector deletes widgets.example.com and 1 stored Widget with it: no Namespace "gone" has that uid',
  },
});

export const ownerReferenceUnknown = defineStoredRule({
  id: 'OwnerReferenceUnknown',
  severity: 'warning',
  about: 'bookkeeping',
  checks:
    'An owner reference, of a definition that has objects, that OLM did not set: to an object of another kind than OLM sets, or set by somebody else.',
  why: 'Whoever may delete that owner, such as a ClusterExtension of his own, has the garbage collector delete the definition with all of its objects, and nobody is asked.',
  instead:
    'Set no owner; OLM sets the ClusterExtension or its revision (ClusterExtensionRevision, ClusterObjectSet) that installs the definition. Where OLM runs under another account, name it in trusted.olmServiceAccounts of the policy.',
  source: from.kubernetesPages('Garbage Collection'),
  messages: ownedMessages,
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }
      ---
      { apiVersion: v1, kind: Namespace, metadata: { name: bait, uid: u1 } }`,
    after:
      'metadata: { name: widgets.example.com, ownerReferences: [{ apiVersion: v1, kind: Namespace, name: bait, uid: u1 }] }',
    says: 'from now on the deletion of Namespace "bait" deletes widgets.example.com and 1 stored Widget with it',
  },
});

export const storedVersionMigration = defineStoredRule({
  id: 'StoredVersionMigration',
  severity: 'warning',
  about: 'content',
  groupsWith: 'removed-version',
  checks: 'A version that goes although status.storedVersions still names it.',
  why: 'Objects that are stored in it can no longer be read.',
  instead:
    'Write every object again in the new storage version, take the old one out of status.storedVersions (olm-guard migrate run NAME does both), and remove it from the definition one release later.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    stored:
      '{version} is still in status.storedVersions of {name}, so {objects}; {first}: olm-guard migrate run {name}, which writes every object once and takes the version out',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      status: { storedVersions: [v1alpha1, v1] }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'v1alpha1 is still in status.storedVersions of widgets.example.com',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
});

export const storedVersionUnproven = defineStoredRule({
  id: 'StoredVersionUnproven',
  severity: 'warning',
  about: 'bookkeeping',
  checks:
    'A version that leaves status.storedVersions, or the definition, while nothing shows that no object is stored in it; or the record in metadata.managedFields of who wrote status.storedVersions, which leaves.',
  why: 'Whoever may write the status can take a version out of status.storedVersions, and Kubernetes 1.37 does so after a migration that failed. Once the version is removed from the definition, an object still stored in it can be neither read nor listed.',
  instead:
    'Write every object once in the storage version: olm-guard migrate run NAME --leaving VERSION leaves a record of it, and so does a StorageVersionMigration that has succeeded since the definition was changed last.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    status:
      '{versions} taken out of status.storedVersions of {name}, and {unshown}; {later}; to show it: {command}',
    record:
      'the record of who took {leaving} out of status.storedVersions of {name} is taken out of metadata.managedFields, and {unshown}; {later}; leave the record, or to show it, first: {command}',
    spec: '{versions} removed from {name}, and {unshown}: such an object can be neither read nor listed then; to show it, first: {command}',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      status: { storedVersions: [v1] }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'v1alpha1 is removed from widgets.example.com, and nothing shows that none of 1 stored Widget is stored in it',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
});

export const leavingVersionUsed = defineStoredRule({
  id: 'LeavingVersionUsed',
  severity: 'warning',
  about: 'content',
  checks:
    'Who wrote stored objects in a version that is served no longer, by metadata.managedFields: names of field managers and counts.',
  why: 'Whoever still writes in that version gets 404 from then on; and while an object remembers having been applied in a version that is gone, every server-side apply of it fails.',
  otherwise: 'request to convert CR to an invalid group/version: example.com/v1alpha1',
  instead:
    'Move the named tools to another version first, then let olm-guard migrate run NAME --leaving VERSION move what the objects remember.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    used: 'still used: {uses}; once nobody writes it any more, olm-guard migrate run {name}{leaving} moves what objects remember of it',
    withheld:
      'stored {kinds} were written in a version that is removed; by whom and how many is for those who may list {name}',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      ---
      kind: Widget
      metadata:
        name: blue
        namespace: default
        managedFields:
          - { manager: argocd-controller, operation: Apply, apiVersion: example.com/v1alpha1, time: 2026-11-03T08:00:00Z }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'argocd-controller applied 1 Widget as v1alpha1, last 2026-11-03',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: true, deprecated: true }, { name: v1, served: true, storage: true }] }',
  },
});

export const storedRules: readonly Rule[] = [
  storedObjectsRefused,
  storedObjectsLoseData,
  storedObjectsUnchecked,
  storedObjectsDeleted,
  definitionRemoved,
  storedObjectsUnreachable,
  ownerReferenceCollects,
  ownerReferenceUnknown,
  storedVersionMigration,
  storedVersionUnproven,
  leavingVersionUsed,
];

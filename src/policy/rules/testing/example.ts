/** Runs the example of a rule as its door would, for the tests that hold every rule against its own words. */
import { newSwitchOffFinding, newSwitchOffs } from '../../new-switch-offs.js';
import { defaultPolicy } from '../../policy.js';
import { frozenFindings } from '../../promises.js';
import { scan } from '../../../checks/cluster-scan/scan.js';
import { FolderState } from '../../../cluster/olm-state/folder-state.js';
import {
  deletionFindings,
  removalFinding,
  unknownFieldFindings,
  migrationFindings,
  unnamedVersions,
  unprovenFinding,
  noRightFinding,
  unreachableFindings,
} from '../../../upgrade/index.js';
import { ownerReferenceFindings } from '../../../gate/admission/owner-references.js';
import type { Finding } from '../../../rule/finding.js';
import { crdStoredObjects, validators } from '../../../checks/operations/custom-resources.js';
import { proveDocuments } from '../../../upgrade/proof/testing/prove-documents.js';
import {
  InvalidInputError,
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { definitionOfExample } from '../../../upgrade/rules/crd/example-definition.js';
import { loadCatalog } from '../../../olm/catalogs/load.js';
import { validateCatalog } from '../../../olm/catalogs/validate.js';
import type { NamespaceState } from '../../../olm/resolver/namespace.js';
import { explain } from '../../../olm/resolver/explain.js';
import { loadCatalogs, resolve } from '../../../olm/resolver/resolve.js';
import { objectAt, objectsAt, textAt } from '../../../text/documents/fields.js';
import { consumerName, consumerOf, neededDefinition } from '../../../olm/index.js';
import { judgeConsumers } from '../../../upgrade/index.js';
import { roundTrip, type Failure } from '../../../cluster/conversion/index.js';
import { conversionFindings, prunedFindings } from '../../../upgrade/rules/conversion/index.js';
import { IndexedView } from '../../../olm/objects/indexed-view.js';
import { judgeContractWithRequests } from '../../../upgrade/rules/contract/judge.js';
import { judgeRollback } from '../../../upgrade/rules/contract/judge-rollback.js';
import { proofFindings } from '../../../upgrade/rules/crd/proof-findings.js';
import { rollbackRule } from '../../../upgrade/rules/contract/rollback.js';
import { exampleDocuments, readExample } from '../../../rule/example-catalog.js';
import { bundleRules } from '../../../olm/rules/bundle/rules.js';
import { checkBundle } from '../../../olm/rules/bundle/index.js';
import { readBundle } from '../../../olm/rules/bundle/bundle.js';
import { catalogFindings } from '../../../olm/rules/catalog/findings.js';
import { crdVerdict } from '../../../olm/rules/catalog-diff/crd-verdict.js';
import { diffCatalogs } from '../../../olm/rules/catalog-diff/catalog-diff.js';
import { findingsOf } from '../../../olm/rules/resolution/findings.js';
import { resolutionRules } from '../../../olm/rules/resolution/rules.js';
import { judgeByReference, referenceProfiles } from '../../../upgrade/rules/crd/profiles.js';
import { definitionFindings } from '../../../upgrade/rules/definition/findings.js';
import { judgeDefinition } from '../../../kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../../../kubernetes/definition/minors.js';
import { sizesOf } from '../../../kubernetes/definition/sizes.js';
import { unreadableObject } from '../../../upgrade/rules/crd/comparisons.js';
import { runOlmRules } from '../../../olm/rules/objects/testing/run-olm-rules.js';
import { type OlmKind, RuleContext } from '../../../olm/rules/objects/rule.js';
import type { Rule } from '../../../rule/rule.js';
import { UpgradePair } from '../../../upgrade/pair.js';
import { judgeChart, type RenderedRelease } from '../../../upgrade/rules/chart/judge.js';
import { judgeManifest } from '../../../upgrade/rules/objects/judge.js';

/** Findings of any rule about the proposal beside the example's `before`. */
export function findingsOfExample(
  rule: Rule,
  proposed: string,
): readonly Finding[] | Promise<readonly Finding[]> {
  const before = rule.example.before ?? '';
  switch (rule.subject) {
    case 'CustomResourceDefinition': {
      if (rule.family === 'definition') {
        const fresh = definitionOfExample(proposed);
        const refusals = judgeDefinition(fresh, undefined, knownMinors);
        const unknown = unknownFieldFindings(fresh);
        return [...definitionFindings(fresh, refusals, sizesOf(fresh)), ...unknown];
      }
      const [old, next] = [definitionOfExample(before), definitionOfExample(proposed)];
      if (rule.id === unreadableObject.id) return unreadable(old, next);
      return [
        ...referenceProfiles.flatMap(
          (profile) => judgeByReference(UpgradePair.read(old, next), profile).findings,
        ),
        ...proofFindings('', proveDocuments(old, next).results),
      ];
    }
    case 'rollback': {
      const [old, next] = [definitionOfExample(before), definitionOfExample(proposed)];
      if (rule.id === rollbackRule.id) return [judgeRollback(UpgradePair.read(old, next)).finding];
      return judgeContractWithRequests(UpgradePair.read(old, next)).findings;
    }
    case 'clients':
    case 'server-side apply':
    case 'readers':
    case 'display':
      return judgeContractWithRequests(
        UpgradePair.read(definitionOfExample(before), definitionOfExample(proposed)),
      ).findings;
    case 'stored objects':
      return storedFindings(rule.id, before, proposed);
    case 'manifests':
      return manifestFindings(before, proposed);
    case 'consumers':
      return consumerFindings(before, proposed);
    case 'chart':
      return chartFindings(before, proposed);
    case 'conversion':
      return conversionFindingsOf(before, proposed);
    case 'switch-off':
      return newSwitchOffFindings(before, proposed);
    case 'promises':
      return frozenFindings(frozenPolicy, {
        old: definitionOfExample(before),
        next: definitionOfExample(proposed),
      });
    case 'bundle':
      return bundleFindings(rule, before, proposed);
    case 'catalog':
      return catalogFindingsOf(proposed);
    case 'catalog update':
      return diffFindings(before, proposed);
    case 'cluster':
      return scanFindings(before, proposed);
    case 'resolution':
      return resolutionFindings(rule, proposed);
    case 'OperatorGroup':
    case 'ClusterServiceVersion':
    case 'Subscription':
    case 'InstallPlan':
    case 'CatalogSource':
    case 'ClusterExtension':
    case 'ClusterVersion':
      return olmFindings(rule, rule.subject, before, proposed);
  }
}

/**
 * What is proposed is a definition, or how a converter of the definition before it behaves: a `failure`,
 * what its `response` has otherwise, or the fields that each object has once it is `converted` to a
 * version; of a list, one after the other.
 */
async function conversionFindingsOf(before: string, proposed: string): Promise<readonly Finding[]> {
  const [behaviour] = exampleDocuments(proposed).filter(isObject);
  if (behaviour === undefined || isObject(own(behaviour, 'spec'))) {
    return prunedFindings(undefined, definitionOfExample(proposed));
  }
  const definition = definitionOfExample(before);
  const failure = own(behaviour, 'failure') as unknown as Failure | undefined;
  if (failure !== undefined && String(failure.clause) === 'unasked') {
    const unasked = {
      clause: 'unasked',
      from: 'v1',
      to: 'v2',
      detail: failure.reason,
      count: 1,
    } as const;
    return conversionFindings([unasked]);
  }
  let asked = 0;
  const { faults } = await roundTrip(
    definition,
    (review) => {
      asked++;
      if (failure !== undefined) return Promise.resolve({ failure });
      const request = own(review, 'request') as JsonObject;
      const apiVersion = textAt(request, 'desiredAPIVersion') ?? '';
      const made = objectAt(behaviour, 'converted')?.[apiVersion.split('/')[1] ?? ''];
      const fields = Array.isArray(made) ? made[asked % made.length] : made;
      const convertedObjects = objectsAt(request, 'objects').map((object) => ({
        ...object,
        ...(isObject(fields) ? fields : {}),
        apiVersion,
      }));
      const response = {
        uid: own(request, 'uid'),
        result: { status: 'Success' },
        convertedObjects,
        ...objectAt(behaviour, 'response'),
      };
      return Promise.resolve({ body: { ...review, response } as JsonObject });
    },
    { samples: 20 },
  );
  return conversionFindings(faults);
}

function unreadable(old: JsonObject, next: JsonObject): readonly Finding[] {
  try {
    judgeByReference(UpgradePair.read(old, next), 'olm-v1');
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [unreadableObject.finding({ id: 'unreadable', data: { problem: error.describe() } })];
  }
}

const frozenPolicy = { ...defaultPolicy, promises: [{ versions: ['*'], mode: 'frozen' as const }] };

function newSwitchOffFindings(before: string, proposed: string): readonly Finding[] {
  const [oldObject] = exampleDocuments(before).filter(isObject);
  const [object] = exampleDocuments(proposed).filter(isObject);
  const rules = { bypass: defaultPolicy.bypass, now: new Date(0), isAdmission: true };
  return newSwitchOffs({ object, oldObject }, rules).map(newSwitchOffFinding);
}

/** Nothing is missing from an example that is a part of a bundle, other than for the rule about that. */
function bundleFindings(rule: Rule, before: string, proposed: string): readonly Finding[] {
  const isWhole = rule === bundleRules.parts;
  const old = readExample(before);
  return checkBundle(readBundle(readExample(proposed), 'bundle'), {
    profile: 'olm-v1',
    isWhole,
    ...(old.length === 0 ? {} : { against: readBundle(old, 'old') }),
  }).findings;
}

const textOf = (blobs: readonly JsonValue[]): string =>
  blobs.map((blob) => stringifyJson(blob)).join('\n');

function catalogFindingsOf(proposed: string): readonly Finding[] {
  const content = textOf(exampleDocuments(proposed));
  const loaded = loadCatalog([{ path: 'catalog.json', content }]);
  return catalogFindings(
    loaded,
    loaded.error === undefined ? validateCatalog(loaded.catalog) : undefined,
  );
}

/** What is proposed may say of bundles which definition they bring. */
function diffFindings(before: string, proposed: string): readonly Finding[] {
  const isBlob = (document: JsonObject): boolean => 'schema' in document;
  const [old, now] = [before, proposed].map((yaml) => exampleDocuments(yaml).filter(isObject));
  const catalogs = [old, now].map((documents = []) => {
    const content = textOf(documents.filter(isBlob));
    return loadCatalog([{ path: 'catalog.json', content }]).catalog;
  });
  const brought = new Map(
    (now ?? []).flatMap((document): [string, JsonObject[]][] => {
      const [bundle, brings] = [own(document, 'bundle'), own(document, 'brings')];
      if (typeof bundle !== 'string') return [];
      return [[bundle, isObject(brings) ? [definitionOfExample(stringifyJson(brings))] : []]];
    }),
  );
  const [was, is] = catalogs;
  if (was === undefined || is === undefined) return [];
  const crds = { crdsOf: (bundle: string) => brought.get(bundle), judge: crdVerdict };
  return diffCatalogs(was, is, crds).flatMap(({ findings }) => findings);
}

/** What is proposed is what is on the cluster, beside what is there before. */
async function scanFindings(before: string, proposed: string): Promise<readonly Finding[]> {
  const objects = [before, proposed].flatMap((yaml) => exampleDocuments(yaml).filter(isObject));
  const state = FolderState.of(objects, { globalCatalogNamespace: 'olm' });
  const { results } = await scan(state, { policy: defaultPolicy, now: new Date(0) });
  return results.flatMap(({ verdict }) => verdict.findings);
}

/** The example is the input of the operation `resolve`; what gives up is allowed no conflict. */
function resolutionFindings(rule: Rule, proposed: string): readonly Finding[] {
  const [state] = exampleDocuments(proposed);
  const namespace = state as unknown as NamespaceState;
  const loaded = loadCatalogs(namespace.catalogs ?? []);
  const options = rule === resolutionRules.gaveUp ? { budget: 0 } : {};
  const resolution = resolve(namespace, loaded, options);
  return findingsOf(namespace, resolution, explain(namespace, resolution, loaded));
}

/** What is there before may have the contents of a catalog among its objects: `community`. */
function olmFindings(
  rule: Rule,
  kind: OlmKind,
  before: string,
  proposed: string,
): readonly Finding[] {
  const documents = exampleDocuments(before).filter(isObject);
  const blobs = documents.filter((document) => 'schema' in document);
  const objects = documents.filter((document) => !('schema' in document));
  const content = blobs.map((blob) => stringifyJson(blob)).join('\n');
  const { catalog } = loadCatalog([{ path: 'catalog.json', content }]);
  const [object = {}] = exampleDocuments(proposed).filter(isObject);
  const identity = (each: JsonObject): string =>
    [textAt(each, 'kind'), textAt(each, 'metadata', 'namespace'), nameOf(each)].join('/');
  const oldObject = objects.find((each) => identity(each) === identity(object)) ?? null;
  const isDeletion = 'requests' in rule && String(rule.requests) === 'DELETE';
  const view = new IndexedView(
    {
      globalCatalogNamespace: 'olm',
      kubernetesVersion: 'v1.30.2',
      knownCatalogs: [{ name: 'community', priority: 0, catalog }],
    },
    objects,
  );
  const context = new RuleContext({
    request: isDeletion ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE',
    object,
    oldObject: isDeletion ? object : oldObject,
    view,
    crdSafety: (current, next) =>
      judgeByReference(UpgradePair.read(current, next), 'olm-v1').findings,
  });
  return runOlmRules(kind, context);
}

const nameOf = (object: JsonObject): string => textAt(object, 'metadata', 'name') ?? '';

/** Releases as lists of `crds` and `templates`, in which an item with a `schema` stands for a definition. */
function chartFindings(before: string, proposed: string): readonly Finding[] {
  const releaseOf = (yaml: string): RenderedRelease => {
    const [release] = exampleDocuments(yaml);
    const objects = (key: string): JsonObject[] =>
      objectsAt(release, key).map((item) => {
        const schema = objectAt(item, 'schema');
        if (schema === undefined) return { apiVersion: 'example.com/v1', ...item };
        const definition = definitionOfExample(stringifyJson(schema));
        const annotations = objectAt(item, 'annotations') ?? {};
        return { ...definition, metadata: { ...objectAt(definition, 'metadata'), annotations } };
      });
    return { crds: objects('crds'), templates: objects('templates') };
  };
  return judgeChart(releaseOf(before), releaseOf(proposed), validators).findings;
}

function manifestFindings(before: string, proposed: string): readonly Finding[] {
  const crd = definitionOfExample(before);
  return exampleDocuments(proposed)
    .filter(isObject)
    .flatMap(
      (object) =>
        judgeManifest({ apiVersion: 'example.com/v1', ...object }, { crd }, validators).findings,
    );
}

/** What is there before is a definition, and who relies on it. */
function consumerFindings(before: string, proposed: string): readonly Finding[] {
  const [, ...objects] = exampleDocuments(before).filter(isObject);
  const { old, next } = UpgradePair.read(
    definitionOfExample(before),
    definitionOfExample(proposed),
  );
  const consumers = objects.flatMap((object) => {
    const consumer = consumerOf(object, neededDefinition(old));
    return consumer === undefined ? [] : [{ ...consumer, name: consumerName(object) }];
  });
  return judgeConsumers(old, next, consumers);
}

function storedFindings(
  id: string,
  before: string,
  proposed: string,
): readonly Finding[] | Promise<readonly Finding[]> {
  const [definition, ...objects] = exampleDocuments(before).filter(isObject);
  const subject = { name: 'widgets.example.com', kind: 'Widget' };
  const counted = { objects: objects.length, isDisclosed: true };
  if (id === 'StoredObjectsDeleted') return deletionFindings(subject, counted);
  if (id === 'DefinitionRemoved') return [removalFinding(subject.name, 'OLD', true)];
  if (id === 'StoredObjectsUnreachable') return unreachableFindings(subject, counted);
  if (id === 'OwnerReferenceCollects' || id === 'OwnerReferenceUnknown') {
    const [owned = {}] = exampleDocuments(proposed).filter(isObject);
    const owner = objects.find((each) => own(each, 'kind') === 'Namespace');
    const view = {
      get: () => Promise.resolve(owner),
      list: () => Promise.resolve([]),
      resourceOf: () => Promise.resolve({ group: '', resource: 'namespaces', namespaced: false }),
    };
    const widgets = objects.filter((each) => each !== owner).length;
    const count = () => Promise.resolve({ objects: widgets, isDisclosed: true });
    const requester = { name: 'mallory', isOlm: false };
    const change = { subject, old: {}, next: owned, count, isUnseenDenied: false, requester };
    return ownerReferenceFindings(change, view);
  }
  if (id === 'StoredObjectsUnchecked') return [noRightFinding(subject)];
  const old = definitionOfExample(stringifyJson(definition ?? {}));
  const next = definitionOfExample(proposed);
  const stored = objects.map((object) => ({ apiVersion: 'example.com/v1', ...object }));
  const answer = crdStoredObjects.judge({ old, new: next, objects: stored });
  const versions = unnamedVersions(old, next);
  const unproven = { versions, leave: 'spec', why: 'no record' } as const;
  return [
    ...(answer.findings ?? []),
    ...migrationFindings(old, next),
    ...(versions.length === 0 ? [] : [unprovenFinding(subject, unproven, counted, false)]),
  ];
}

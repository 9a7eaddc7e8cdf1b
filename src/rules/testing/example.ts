/** Runs the example of a rule as its door would, for the tests that hold every rule against its own words. */
import { plantingFinding, plantingsIn } from '../../check/planting.js';
import { defaultPolicy } from '../../check/policy.js';
import {
  deletionFindings,
  migrationFindings,
  noRightFinding,
  unreachableFindings,
} from '../../crd/stored/index.js';
import { ownerReferenceFindings } from '../../doors/admission/owner-references.js';
import type { Finding } from '../../finding.js';
import { crdStoredObjects } from '../../operations/crd-stored-objects.js';
import { proveUpgrade } from '../../proof/index.js';
import {
  InvalidInputError,
  isObject,
  readDocuments,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { loadCatalog, validateCatalog } from '../../catalogs/index.js';
import { checkBundle, readBundle } from '../bundle/index.js';
import { catalogFindings } from '../catalog/index.js';
import { definitionOfExample } from '../crd/example-definition.js';
import { textAt } from '../../olm/fields.js';
import { IndexedView } from '../../olm/indexed-view.js';
import { exampleDocuments } from '../example-documents.js';
import { judgeContractWithRequests } from '../contract/with-requests.js';
import { judgeUpgrade } from '../crd/index.js';
import { definitionFindings } from '../definition/index.js';
import { judgeDefinition, knownMinors, sizesOf } from '../../definition/index.js';
import { unreadableObject } from '../crd/unreadable-object.js';
import { runOlmRules } from '../olm/table.js';
import type { OlmKind } from '../olm/rule.js';
import type { Rule } from '../rule.js';

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
        return definitionFindings(fresh, refusals, sizesOf(fresh));
      }
      const [old, next] = [definitionOfExample(before), definitionOfExample(proposed)];
      if (rule.id === unreadableObject.id) return unreadable(old, next);
      const profiles = ['olm-v1', 'crdify'] as const;
      return [
        ...profiles.flatMap((profile) => judgeUpgrade(old, next, profile).findings),
        ...proveUpgrade(old, next).findings,
      ];
    }
    case 'clients':
    case 'server-side apply':
    case 'readers':
    case 'display':
    case 'way back':
      return judgeContractWithRequests(definitionOfExample(before), definitionOfExample(proposed))
        .findings;
    case 'stored objects':
      return storedFindings(rule.id, before, proposed);
    case 'switch-off':
      return plantedFindings(before, proposed);
    case 'bundle':
      return bundleFindings(proposed);
    case 'catalog':
      return catalogFindingsOf(proposed);
    case 'OperatorGroup':
    case 'ClusterServiceVersion':
    case 'Subscription':
    case 'InstallPlan':
    case 'CatalogSource':
    case 'ClusterExtension':
    case 'ClusterVersion':
      return olmFindings(rule, rule.subject, before, proposed);
    default:
      throw new Error(`no way to run an example about a ${rule.subject}`);
  }
}

function unreadable(old: JsonObject, next: JsonObject): readonly Finding[] {
  try {
    judgeUpgrade(old, next, 'olm-v1');
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [unreadableObject.finding({ message: error.describe() })];
  }
}

function bundleFindings(proposed: string): readonly Finding[] {
  const text = exampleDocuments(proposed)
    .map((document) => stringifyJson(document))
    .join('\n---\n');
  const bundle = readBundle([...readDocuments(text, { file: 'bundle.yaml' })], 'bundle.yaml');
  return checkBundle(bundle, { profile: 'olm-v1', isWhole: false }).findings;
}

function catalogFindingsOf(proposed: string): readonly Finding[] {
  const content = exampleDocuments(proposed)
    .map((blob) => stringifyJson(blob))
    .join('\n');
  const loaded = loadCatalog([{ path: 'catalog.json', content }]);
  return catalogFindings(loaded, validateCatalog(loaded.catalog));
}

function plantedFindings(before: string, proposed: string): readonly Finding[] {
  const [oldObject] = exampleDocuments(before).filter(isObject);
  const [object] = exampleDocuments(proposed).filter(isObject);
  const rules = { bypass: defaultPolicy.bypass, now: new Date(0), isAdmission: true };
  return plantingsIn({ object, oldObject }, rules).map(plantingFinding);
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
  return runOlmRules(kind, {
    request: isDeletion ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE',
    object,
    oldObject: isDeletion ? object : oldObject,
    view,
    crdSafety: (current, next) => judgeUpgrade(current, next, 'olm-v1').findings,
  });
}

const nameOf = (object: JsonObject): string => textAt(object, 'metadata', 'name') ?? '';

function storedFindings(
  id: string,
  before: string,
  proposed: string,
): readonly Finding[] | Promise<readonly Finding[]> {
  const [definition, ...objects] = exampleDocuments(before).filter(isObject);
  const subject = { name: 'widgets.example.com', kind: 'Widget' };
  const counted = { objects: objects.length, isTold: true };
  if (id === 'StoredObjectsDeleted') return deletionFindings(subject, counted);
  if (id === 'StoredObjectsUnreachable') return unreachableFindings(subject, counted);
  if (id === 'OwnerReferenceCollects') {
    const [owned = {}] = exampleDocuments(proposed).filter(isObject);
    const view = {
      get: () => Promise.resolve(undefined),
      list: () => Promise.resolve([]),
      resourceOf: () => Promise.resolve({ group: '', resource: 'namespaces', namespaced: false }),
    };
    const count = () => Promise.resolve(counted);
    const change = { subject, old: {}, next: owned, count, isUnseenDenied: false };
    return ownerReferenceFindings(change, view);
  }
  if (id === 'StoredObjectsUnchecked') return [noRightFinding(subject, subject.name)];
  const old = definitionOfExample(stringifyJson(definition ?? {}));
  const next = definitionOfExample(proposed);
  const stored = objects.map((object) => ({ apiVersion: 'example.com/v1', ...object }));
  const answer = crdStoredObjects.judge({ old, new: next, objects: stored });
  return [...answer.findings, ...migrationFindings(old, next)];
}

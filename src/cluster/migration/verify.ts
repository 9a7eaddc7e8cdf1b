import { formatCount } from '../../text/plural.js';
import { ClusterError } from '../view/view.js';
import { own, metaOf, stringifyJson, type JsonValue } from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';
import { configurationOf } from './managed-fields.js';
import { leaves, type MigratedKind } from './migrated-kind.js';
import { nameOf, objectPath } from './object-pages.js';
import type { Requests } from './requests.js';
import { maxTries as readTries, withoutValues } from './rewrite.js';
import {
  isFieldsEntry,
  listNames,
  survey,
  type ManagerExample,
  type Survey,
  type SurveyOptions,
} from './survey.js';

export interface Verification {
  readonly objects: number;
  /** Objects whose managedFields name a version that leaves. */
  readonly namingLeaving: number;
  /** Server-side applies that were tried, each as one field manager, and would have passed. */
  readonly applied: number;
  /** Why the old versions are still needed, a sentence each; empty if they are not. */
  readonly problems: readonly string[];
  /** Checks that could not be made. */
  readonly untried: readonly string[];
}

/** @throws ClusterError when the objects could not be read */
export async function verifyMigration(
  requests: Requests,
  kind: MigratedKind,
  options: SurveyOptions = {},
): Promise<{ readonly seen: Survey; readonly verification: Verification }> {
  const seen = await survey(requests, kind, options);
  const problems: string[] = [];
  const untried: string[] = [];
  if (seen.naming > 0) {
    problems.push(
      `managedFields of ${formatCount(seen.naming)} ${seen.naming === 1 ? 'object' : 'objects'} name a version that leaves (${whoWrote(kind, seen)}): ${listNames(seen.named, seen.naming)}`,
    );
  }
  let applied = 0;
  for (const example of seen.examples) {
    const answer = await tryApply(requests, kind, example);
    if (answer === undefined) continue;
    if (answer === 'passed') applied++;
    else (answer.isUntried ? untried : problems).push(answer.message);
  }
  const { objects, naming } = seen;
  return { seen, verification: { objects, namingLeaving: naming, applied, problems, untried } };
}

/** `helm as v1beta1, controller as v1beta1` */
function whoWrote(kind: MigratedKind, { writers }: Survey): string {
  const gone = writers.filter(({ version }) => leaves(kind, `${kind.group}/${version}`));
  const shown = gone.slice(0, maxWriters).map(({ manager, version }) => `${manager} as ${version}`);
  return [...shown, ...(gone.length > shown.length ? ['others'] : [])].join(', ');
}

const maxWriters = 5;

type Tried =
  | 'passed'
  | {
      readonly message: string;
      readonly isUntried: boolean;
      /** The version in which the object was read; undefined where it is not about a conflict. */
      readonly conflictAt: JsonValue | undefined;
    };

/** A failed conversion is a 500, which more tries do not change. */
const maxTries = 2;

/** How often an object is tried that another client writes each time between its reading and its apply. */
const maxReadings = 5;

/** Like {@link tryApplyOnce}, again after a conflict until the object is the same as at the try before. */
async function tryApply(
  requests: Requests,
  kind: MigratedKind,
  example: ManagerExample,
): Promise<Tried | undefined> {
  let last: Tried | undefined;
  for (let reading = 1; reading <= maxReadings; reading++) {
    const tried = await tryApplyOnce(requests, kind, example);
    if (tried === undefined || tried === 'passed' || tried.conflictAt === undefined) return tried;
    if (last !== undefined && last !== 'passed' && last.conflictAt === tried.conflictAt) break;
    last = tried;
  }
  return last;
}

/** A dry run. Undefined if the object, or the manager's entry, has gone meanwhile. */
async function tryApplyOnce(
  requests: Requests,
  kind: MigratedKind,
  { manager, isApply, ...name }: ManagerExample,
): Promise<Tried | undefined> {
  const path = objectPath(kind, name);
  let version: JsonValue | undefined;
  try {
    const object = await requests.find(path, readTries);
    if (object === undefined) return undefined;
    version = valueAt(object, 'metadata', 'resourceVersion');
    const entry = metaOf(object)
      .managedFields.filter(isFieldsEntry)
      .find(
        (each) =>
          own(each, 'manager') === manager &&
          own(each, 'subresource') === undefined &&
          (own(each, 'operation') === 'Apply') === isApply,
      );
    if (entry === undefined) return undefined;
    const query = new URLSearchParams({ dryRun: 'All', fieldManager: manager });
    const body = stringifyJson(configurationOf(object, entry.fieldsV1));
    const contentType = 'application/apply-patch+yaml';
    const dryRun = {
      path: `${path}?${query.toString()}`,
      method: 'PATCH',
      contentType,
      body,
    } as const;
    await requests.json(dryRun, maxTries);
    return 'passed';
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const message = `a server-side apply of ${nameOf(name)} as ${manager}: ${withoutValues(error.message)}`;
    // API servers refuse dry runs for webhooks with side effects. The object was just read, so a 404 comes
    // from an admission webhook.
    const isUntried =
      error.isForbidden || error.status === 404 || /does not support dry run/.test(error.message);
    return { message, isUntried, conflictAt: error.status === 409 ? version : undefined };
  }
}

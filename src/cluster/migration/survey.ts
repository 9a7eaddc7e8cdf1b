import { formatCount } from '../../text/plural.js';
import { withWriters, type Writer } from '../../upgrade/index.js';
import { isObject, metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { leaves, type MigratedKind } from './migrated-kind.js';
import { nameOf, objectPages } from './object-pages.js';
import type { Requests } from './requests.js';

/** An object by its name, with what tells it from a later one of the same name. */
export interface ObjectName {
  /** Empty for what belongs to the cluster as a whole. */
  readonly namespace: string;
  readonly name: string;
}

/** A field manager, and one object that it wrote. */
export interface ManagerExample extends ObjectName {
  readonly manager: string;
  readonly isApply: boolean;
}

export interface Survey {
  readonly objects: number;
  /** Objects of which an entry of managedFields names a version that is removed. */
  readonly naming: number;
  /** The first of these. */
  readonly named: readonly ObjectName[];
  /** Writers of each version, the storage version too. */
  readonly writers: readonly Writer[];
  /** One object of each field manager that wrote more than a subresource. */
  readonly examples: readonly ManagerExample[];
}

export interface SurveyOptions {
  readonly pageSize?: number;
  readonly most?: number;
  readonly onProgress?: (objects: number, remaining: number | undefined) => void;
}

const defaultMost = 20;
const defaultPageSize = 500;
const maxManagers = 100;
const mostNamed = 5;

/** @throws ClusterError when the cluster could not or would not say */
export async function survey(
  requests: Requests,
  kind: MigratedKind,
  { pageSize = defaultPageSize, most = defaultMost, onProgress }: SurveyOptions = {},
): Promise<Survey> {
  let [objects, naming, writers]: [number, number, readonly Writer[]] = [0, 0, []];
  let named: ObjectName[] = [];
  const examples = new Map<string, ManagerExample>();
  const restart = (): void => {
    [objects, naming, writers, named] = [0, 0, [], []];
  };
  const ofGroup = { has: (apiVersion: string) => apiVersion.startsWith(`${kind.group}/`) };
  const options = { pageSize, isMetadataOnly: true, onRestart: restart };
  for await (const page of objectPages(requests, kind, options)) {
    for (const object of page.objects) {
      objects++;
      writers = withWriters(writers, object, ofGroup);
      const { namespace, name, managedFields } = metaOf(object);
      if (namesLeaving(kind, object)) {
        naming++;
        if (named.length < most) named.push({ namespace, name });
      }
      for (const entry of managedFields) {
        const manager = own(entry, 'manager');
        if (typeof manager !== 'string' || own(entry, 'subresource') !== undefined) continue;
        const isApply = own(entry, 'operation') === 'Apply';
        const key = `${isApply} ${manager}`;
        if (examples.has(key) || examples.size >= maxManagers) continue;
        examples.set(key, { manager, isApply, namespace, name });
      }
    }
    onProgress?.(objects, page.remaining);
  }
  return { objects, naming, named, writers, examples: [...examples.values()] };
}

/** Whether an entry of its managedFields names a version that is removed. */
export function namesLeaving(kind: MigratedKind, object: JsonObject): boolean {
  return metaOf(object).managedFields.some((entry) => {
    const apiVersion = own(entry, 'apiVersion');
    return typeof apiVersion === 'string' && leaves(kind, apiVersion);
  });
}

export function listNames(names: readonly ObjectName[], all: number): string {
  const shown = names.slice(0, mostNamed).map(nameOf).join(', ');
  const more = all - Math.min(names.length, mostNamed);
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}

export function isFieldsEntry(entry: JsonObject): entry is JsonObject & { fieldsV1: JsonObject } {
  return isObject(own(entry, 'fieldsV1'));
}

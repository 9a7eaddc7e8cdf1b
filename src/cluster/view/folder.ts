/** A cluster as a folder of YAML files, as `kubectl get -o yaml` writes them. */
import { parseDocuments } from '../../text/documents/documents.js';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  objectsOf,
  own,
  invalidInput,
} from '../../text/documents/index.js';
import { eachSourceFile, type SourceOptions } from '../../text/documents/sources.js';
import { guessPlural } from '../../olm/index.js';
import type { ClusterView, ListOptions, ResourceName } from './view.js';
import { textAt } from '../../text/documents/fields.js';

export interface ReadFolderOptions extends Pick<SourceOptions, 'onSkipped'> {
  /** Objects for which it returns false are dropped as soon as their file is parsed. */
  readonly keeps?: (object: JsonObject) => boolean;
}

/** Reads every .yaml, .yml and .json file once; Lists count as their items. */
export class FolderCluster implements ClusterView {
  /** By `group/resource`, then by `namespace/name`. */
  private readonly objects = new Map<string, Map<string, JsonObject>>();

  private constructor(objects: Iterable<JsonObject>) {
    const all = [...objects];
    const plurals = new Map(all.flatMap(pluralsOf));
    for (const object of all) {
      const { group, kind } = groupAndKind(object);
      const resource = plurals.get(`${group}/${kind}`) ?? guessPlural(kind);
      const key = `${group}/${resource}`;
      const held = this.objects.get(key) ?? new Map<string, JsonObject>();
      held.set(metaOf(object).key, object);
      this.objects.set(key, held);
    }
  }

  /**
   * @throws InvalidInputError for a folder or a file that cannot be read
   */
  static async read(
    folder: string,
    { keeps = () => true, ...options }: ReadFolderOptions = {},
  ): Promise<FolderCluster> {
    const objects: JsonObject[] = [];
    for await (const { file, bytes } of eachSourceFile(folder, options)) {
      const documents = parseDocuments(bytes, { file });
      for (const object of documents.flatMap(({ value }) => items(value))) {
        if (keeps(object)) objects.push(object);
      }
    }
    return new FolderCluster(objects);
  }

  static of(objects: Iterable<JsonObject>): FolderCluster {
    return new FolderCluster(objects);
  }

  /** @param values documents as files have them; Lists count as their items */
  static ofDocuments(values: Iterable<JsonValue>): FolderCluster {
    return new FolderCluster([...values].flatMap(items));
  }

  get(resource: ResourceName, name: string, namespace = ''): Promise<JsonObject | undefined> {
    return Promise.resolve(this.held(resource).get(`${namespace}/${name}`));
  }

  list(
    resource: ResourceName,
    { namespace, labelSelector }: ListOptions = {},
  ): Promise<readonly JsonObject[]> {
    const selects = labelSelector === undefined ? undefined : parseSelector(labelSelector);
    const found = [...this.held(resource).values()].filter(
      (object) =>
        (namespace === undefined || metaOf(object).namespace === namespace) &&
        (selects === undefined || selects(metaOf(object).labels)),
    );
    return Promise.resolve(found);
  }

  get isEmpty(): boolean {
    return this.objects.size === 0;
  }

  *all(): Iterable<JsonObject> {
    for (const held of this.objects.values()) yield* held.values();
  }

  private held({ group, resource }: ResourceName): ReadonlyMap<string, JsonObject> {
    return this.objects.get(`${group}/${resource}`) ?? new Map<string, JsonObject>();
  }
}

function items(value: JsonValue): JsonObject[] {
  return [...objectsOf(value)]
    .map((each) => each.value)
    .filter(isObject)
    .filter((object) => typeof own(object, 'kind') === 'string');
}

/** The plural names of kinds, from the definitions among the objects. */
function pluralsOf(object: JsonObject): [string, string][] {
  if (own(object, 'kind') !== 'CustomResourceDefinition') return [];
  const group = textAt(object, 'spec', 'group');
  const kind = textAt(object, 'spec', 'names', 'kind');
  const plural = textAt(object, 'spec', 'names', 'plural');
  const isWhole = group !== undefined && kind !== undefined && plural !== undefined;
  return isWhole ? [[`${group}/${kind}`, plural]] : [];
}

function groupAndKind(object: JsonObject): { group: string; kind: string } {
  const apiVersion = own(object, 'apiVersion');
  const kind = own(object, 'kind');
  const slash = typeof apiVersion === 'string' ? apiVersion.indexOf('/') : -1;
  return {
    group: typeof apiVersion === 'string' && slash >= 0 ? apiVersion.slice(0, slash) : '',
    kind: typeof kind === 'string' ? kind : '',
  };
}

type Labels = ReadonlyMap<string, string>;
type Requirement = (labels: Labels) => boolean;

/**
 * `a=b`, `a!=b`, `a in (b, c)`, `a notin (b)`, `a`, `!a`, joined by commas; k8s.io/apimachinery
 * labels.Parse.
 *
 * @throws InvalidInputError `E_INPUT` for anything else
 */
export function parseSelector(selector: string): (labels: Labels) => boolean {
  const requirements = selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseRequirement);
  return (labels) => requirements.every((holds) => holds(labels));
}

function parseRequirement(text: string): Requirement {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    return (labels) => {
      const value = labels.get(key);
      const isIn = value !== undefined && values.has(value);
      return operator === 'in' ? isIn : !isIn;
    };
  }
  const compare = /^([\w./-]+)\s*(==?|!=)\s*([\w.-]*)$/.exec(text);
  if (compare !== null) {
    const [, key = '', operator, value] = compare;
    return (labels) => (labels.get(key) === value) === (operator !== '!=');
  }
  const exists = /^(!?)\s*([\w./-]+)$/.exec(text);
  if (exists !== null) {
    const [, not, key = ''] = exists;
    return (labels) => labels.has(key) === (not === '');
  }
  throw invalidInput(`"${text}" is not a label selector`);
}

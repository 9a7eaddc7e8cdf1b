import { own, type JsonObject } from '../../text/documents/index.js';
import type { Connection } from './connection.js';
import type { KindOfResource, ResourceName } from './view.js';
import { listAt, objectsAt, textAt } from '../../text/documents/fields.js';

export interface ServedResource extends ResourceName {
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** `/apis/GROUP/VERSION` or `/api/v1`. */
  readonly base: string;
}

/** How long "not installed" is believed; a kind that is there stays there until a 404 says otherwise. */
const absentMilliseconds = 5_000;

/** Remembers what it found; asks again for what was not there. */
export class Discovery {
  private readonly found = new Map<string, ServedResource>();
  private readonly absentUntil = new Map<string, number>();

  constructor(private readonly connection: Connection) {}

  /** Undefined when the cluster has no such resource. @throws ClusterError */
  async find(name: ResourceName, signal?: AbortSignal): Promise<ServedResource | undefined> {
    const key = `${name.resource}.${name.group}`;
    const known = this.found.get(key);
    if (known !== undefined) return known;
    if ((this.absentUntil.get(key) ?? 0) > performance.now()) return undefined;
    const served = await this.ask(name, signal);
    if (served === undefined) this.absentUntil.set(key, performance.now() + absentMilliseconds);
    else this.found.set(key, served);
    return served;
  }

  /** The resource of a kind in one version. @throws ClusterError */
  async resourceOf(
    apiVersion: string,
    kind: string,
    signal?: AbortSignal,
  ): Promise<KindOfResource | undefined> {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const path = apiVersion.split('/').map(encodeURIComponent).join('/');
    const list = await this.json(group === '' ? `/api/${path}` : `/apis/${path}`, signal);
    for (const entry of objectsAt(list, 'resources')) {
      if (own(entry, 'kind') !== kind) continue;
      const resource = textAt(entry, 'name') ?? '';
      // Subresources are listed beside their objects.
      if (resource.includes('/')) continue;
      return { group, resource, namespaced: own(entry, 'namespaced') === true };
    }
    return undefined;
  }

  /** After a 404 on a list: the kind or its version is gone. */
  forget(name: ResourceName): void {
    const key = `${name.resource}.${name.group}`;
    this.found.delete(key);
    this.absentUntil.delete(key);
  }

  private async ask(name: ResourceName, signal?: AbortSignal): Promise<ServedResource | undefined> {
    for (const base of await this.bases(name.group, signal)) {
      const list = await this.json(base, signal);
      for (const entry of objectsAt(list, 'resources')) {
        if (own(entry, 'name') !== name.resource) continue;
        return {
          ...name,
          version: base.slice(base.lastIndexOf('/') + 1),
          kind: textAt(entry, 'kind') ?? '',
          namespaced: own(entry, 'namespaced') === true,
          base,
        };
      }
    }
    return undefined;
  }

  private async bases(group: string, signal?: AbortSignal): Promise<string[]> {
    if (group === '') return ['/api/v1'];
    const answer = await this.json(`/apis/${group}`, signal);
    if (answer === undefined) return [];
    const versions = [own(answer, 'preferredVersion'), ...listAt(answer, 'versions')]
      .map((version) => textAt(version, 'groupVersion'))
      .filter((version) => version !== undefined);
    return [...new Set(versions)].map((version) => `/apis/${version}`);
  }

  private json(path: string, signal?: AbortSignal): Promise<JsonObject | undefined> {
    return this.connection.find({ path, signal });
  }
}

/** `--objects`: objects of files, folders, kustomizations, charts, commits and standard input. */
import { stat } from 'node:fs/promises';
import { invalidInput, type JsonValue } from '../../text/documents/index.js';
import { statOf } from '../../text/documents/regular-file.js';
import { append } from '../../text/long-lists.js';
import { objectsFrom } from '../../repository/index.js';
import { withWarnings } from './skipped-files.js';
import { type NetworkOptions } from './flags.js';

async function isFolder(source: string): Promise<boolean> {
  if (source.startsWith('git:')) return true;
  return stat(source).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Named together they are one set of objects; `cluster` among them is left to a caller with a view of it. */
export class ObjectSources {
  readonly #folders = new Map<string, readonly JsonValue[]>();

  constructor(
    readonly names: readonly string[],
    private readonly options: NetworkOptions = {},
  ) {}

  get hasCluster(): boolean {
    return this.names.includes('cluster');
  }

  /** Whether they can be read once only. */
  get hasStandardInput(): boolean {
    return this.names.includes('-');
  }

  /** Only a change that concerns stored objects reads them: a mistyped name must not wait for one. */
  async requireFiles(): Promise<void> {
    for (const name of this.names) {
      if (name.startsWith('cluster:'))
        throw invalidInput(
          'write --objects cluster, without a colon, for the objects of a cluster',
        );
      if (!/^(?:git:|(?:cluster|-)$)/.test(name)) await statOf(name);
    }
  }

  /** All but those of the cluster, a few at a time; those of a folder are kept for the next definition. */
  async *read(onUnchecked: (sentence: string) => void): AsyncGenerator<readonly JsonValue[]> {
    for (const name of this.names.filter((each) => each !== 'cluster')) {
      const known = this.#folders.get(name);
      if (known !== undefined) {
        yield known;
        continue;
      }
      const kept: JsonValue[] = [];
      const isKept = await isFolder(name);
      const read = withWarnings((options) =>
        objectsFrom(name, { ...options, onUnchecked, usesNetwork: this.options.network }),
      );
      for await (const objects of read) {
        if (isKept) append(kept, objects);
        yield objects;
      }
      if (isKept) this.#folders.set(name, kept);
    }
  }
}

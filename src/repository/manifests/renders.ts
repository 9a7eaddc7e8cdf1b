/** Folders that are rendered while what others have rendered to is read: each takes a program a while. */
import { availableParallelism } from 'node:os';
import type { AppliedFolder } from './applied-folder.js';
import { renderFolder, type RenderedFolder } from './rendered-folder.js';
import type { Repository } from './repository.js';

/** Programs that run at once. Each of them may take a gigabyte, and what they print is held. */
export const aheadAtMost = Math.min(Math.max(availableParallelism(), 2), 8);

export class Renders {
  readonly #started = new Map<AppliedFolder, Promise<RenderedFolder | undefined>>();

  constructor(private readonly repository: Repository) {}

  start(folders: readonly AppliedFolder[]): void {
    for (const folder of folders) {
      if (this.#started.has(folder)) continue;
      const rendered = renderFolder(folder, this.repository);
      this.#started.set(folder, rendered);
      // The caller that asks for it gets its error.
      rendered.catch(() => undefined);
    }
  }

  /** @throws InvalidInputError as `renderFolder` does */
  async of(folder: AppliedFolder): Promise<RenderedFolder | undefined> {
    this.start([folder]);
    const rendered = this.#started.get(folder);
    this.#started.set(folder, Promise.resolve(undefined));
    return rendered;
  }
}

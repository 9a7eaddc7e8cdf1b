import { addTo } from '../../../text/group.js';
import type { ProofResult } from '../../proof/index.js';

export class ResultsByPath {
  private readonly sorted: readonly ProofResult[];
  private readonly caused = new Map<string, ProofResult[]>();

  constructor(readonly all: readonly ProofResult[]) {
    this.sorted = [...all].sort((left, right) => compare(left.path, right.path));
    for (const each of all) for (const path of each.causes ?? []) addTo(this.caused, path, each);
  }

  causedAt(path: string): readonly ProofResult[] {
    return this.caused.get(path) ?? [];
  }

  at(path: string): readonly ProofResult[] {
    const found: ProofResult[] = [];
    for (let index = this.first(path); this.sorted[index]?.path === path; index++) {
      found.push(this.sorted[index] as ProofResult);
    }
    return found;
  }

  beneath(path: string): readonly ProofResult[] {
    return ['.', '['].flatMap((separator) => {
      const found: ProofResult[] = [];
      const start = path + separator;
      for (let index = this.first(start); ; index++) {
        const result = this.sorted[index];
        if (result?.path.startsWith(start) !== true) return found;
        found.push(result);
      }
    });
  }

  nearestAbove(path: string, isWanted: (result: ProofResult) => boolean): readonly ProofResult[] {
    for (const each of pathsAbove(path)) {
      const found = this.at(each).filter(isWanted);
      if (found.length > 0) return found;
    }
    return [];
  }

  private first(path: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.sorted[middle]?.path ?? '', path) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function* pathsAbove(path: string): Generator<string> {
  for (let end = path.length - 1; end > 0; end--) {
    if (path[end] === '.' || path[end] === '[') yield path.slice(0, end);
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

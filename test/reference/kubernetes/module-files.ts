/** The module files of the program that answers as API servers do: `1.29.mod`, …, `go.mod` for the newest minor. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const folder = import.meta.dirname;

/** Their names by minor, from the oldest. */
export const moduleFiles: ReadonlyMap<string, string> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.mod'))
    .map((name): [string, string] => [minorIn(name), name])
    .sort(([left], [right]) => Number(left.slice(2)) - Number(right.slice(2))),
);

/** The version of a module that a module file names; empty when it names none. */
export function versionIn(moduleFile: string, path: string): string {
  const text = readFileSync(join(folder, moduleFile), 'utf8');
  return new RegExp(`${path} (v\\S+)`).exec(text)?.[1] ?? '';
}

function minorIn(moduleFile: string): string {
  return `1.${versionIn(moduleFile, 'k8s.io/apiextensions-apiserver').split('.')[1] ?? ''}`;
}

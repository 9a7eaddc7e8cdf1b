/** Variables of Flux, `${NAME}`, in what is applied with them. */
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import type { Variables } from './applied-folder.js';

const { maxBytes } = defaultLimits;

/** Whether a value is not known before something is rendered. */
export function hasVariable(text: string): boolean {
  return /\$\{\w/.test(text);
}

export function hasVariableOf(names: ReadonlySet<string>): (text: string) => boolean {
  return (text) => [...text.matchAll(/\$\{(\w+)/g)].some(([, name = '']) => names.has(name));
}

/** Behind another `$` it is no variable. */
const variable = /(\$?)\$\{([A-Za-z_]\w*)(?::?[=-]([^}]*)|([^}]*))\}/g;
const isLeftAsWritten = /kustomize\.toolkit\.fluxcd\.io\/substitute["']?:\s*["']?disabled/;

/** Names of variables that stay as they are written. */
export interface LeftVariables {
  /** Only the cluster knows their values. */
  readonly unknown: Set<string>;
  /** A function changes them, as in `${NAME^^}`, which is not carried out here. */
  readonly changed: Set<string>;
}

/**
 * With the variables that are known. Others have their default or are empty, as all that is unset; where
 * some are not known here, they stay as they are written.
 *
 * @param left gains the names of those that stay
 * @throws InvalidInputError `E_LIMIT` where values make the file too large
 *
 * Source: fluxcd/pkg/kustomize v1.15.0, `kustomize_varsub.go`; fluxcd/pkg/envsubst.
 */
export function substituted(
  file: SourceFile,
  variables: Variables | undefined,
  left: LeftVariables,
): SourceFile {
  if (variables === undefined || !file.bytes.includes('${')) return file;
  const { known, unknownFrom } = variables;
  const areAllKnown = unknownFrom.length === 0;
  let size = file.bytes.length;
  const valueOf = (
    written: string,
    ...[escape, name, byDefault, change]: [string, string, string?, string?]
  ): string => {
    if (escape !== '') return written.slice(1);
    if (change) {
      left.changed.add(name);
      return written;
    }
    const value = known.get(name) ?? byDefault ?? (areAllKnown ? '' : undefined);
    if (value === undefined) left.unknown.add(name);
    else size += value.length;
    if (size > maxBytes) {
      const message = `has more than ${maxBytes} bytes with its variables`;
      throw new InvalidInputError('E_LIMIT', message, { file: file.file });
    }
    return value ?? written;
  };
  const documents = file.bytes.toString('utf8').split(/(?<=\n)(?=---)/);
  const text = documents
    .map((each) => {
      if (isLeftAsWritten.test(each)) return each;
      // Behind the last brace none ends: many that only begin there would each be looked at to the end.
      const end = each.lastIndexOf('}') + 1;
      return each.slice(0, end).replace(variable, valueOf) + each.slice(end);
    })
    .join('');
  return { ...file, bytes: Buffer.from(text) };
}

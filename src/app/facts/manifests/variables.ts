/** Variables of Flux, `${NAME}`, in what is applied with them. */
import type { SourceFile } from '../../../text/documents/regular-file.js';
import type { Variables } from './applied-folder.js';

/** Whether a value is not known before something is rendered. */
export function hasVariable(text: string): boolean {
  return /\$\{\w/.test(text);
}

export function hasVariableOf(names: ReadonlySet<string>): (text: string) => boolean {
  return (text) => [...text.matchAll(/\$\{(\w+)/g)].some(([, name = '']) => names.has(name));
}

/** Behind another `$` it is no variable. */
const variable = /(\$?)\$\{([A-Za-z_]\w*)(?::?[=-]([^}]*))?\}/g;
const isLeftAsWritten = /kustomize\.toolkit\.fluxcd\.io\/substitute["']?:\s*["']?disabled/;

/**
 * With the variables that are known. Others have their default or are empty, as all that is unset; where
 * some are not known here, they stay as they are written.
 *
 * @param unknown gains the names of those that stay
 *
 * Source: fluxcd/pkg/kustomize v1.15.0, `kustomize_varsub.go`; drone/envsubst.
 */
export function substituted(
  file: SourceFile,
  variables: Variables | undefined,
  unknown: Set<string>,
): SourceFile {
  if (variables === undefined || !file.bytes.includes('${')) return file;
  const { known, unknownFrom } = variables;
  const areAllKnown = unknownFrom.length === 0;
  const valueOf = (written: string, escape: string, name: string, byDefault?: string): string => {
    if (escape !== '') return written.slice(1);
    const value = known.get(name) ?? byDefault;
    if (value === undefined && !areAllKnown) unknown.add(name);
    return value ?? (areAllKnown ? '' : written);
  };
  const documents = file.bytes.toString('utf8').split(/(?<=\n)(?=---)/);
  const text = documents
    .map((each) => (isLeftAsWritten.test(each) ? each : each.replace(variable, valueOf)))
    .join('');
  return { ...file, bytes: Buffer.from(text) };
}

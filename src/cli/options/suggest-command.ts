/** Suggests the command that judges objects of another kind, where a command is given those. */
import {
  InvalidInputError,
  isObject,
  objectsOf,
  parseDocuments,
  type Document,
  type JsonValue,
} from '../../text/documents/index.js';
import { eachSourceFile } from '../../text/documents/sources.js';
import { append } from '../../text/long-lists.js';
import { textAt } from '../../text/documents/fields.js';

interface Meant {
  /** With its article. */
  readonly what: string;
  readonly command: string;
  readonly isIt: (kind: string, value: { readonly [key: string]: JsonValue }) => boolean;
}

/** The first that fits: a bundle holds definitions too, an export of a cluster holds everything. */
const others: readonly Meant[] = [
  {
    what: 'a catalog',
    command: 'olm-guard catalog validate DIR',
    isIt: (_, value) => /^olm\.(?:package|channel|bundle)$/.test(textAt(value, 'schema') ?? ''),
  },
  {
    what: 'an OperatorGroup',
    command: 'olm-guard check operatorgroup FILE',
    isIt: (kind) => kind === 'OperatorGroup',
  },
  {
    what: 'a ClusterServiceVersion',
    command: 'olm-guard check bundle DIR',
    isIt: (kind) => kind === 'ClusterServiceVersion',
  },
  {
    what: 'a CustomResourceDefinition',
    command: 'olm-guard check crd OLD NEW',
    isIt: (kind) => kind === 'CustomResourceDefinition',
  },
  ...['Subscription', 'InstallPlan', 'CatalogSource', 'ClusterExtension'].map((name) => ({
    what: `${/^[CS]/.test(name) ? 'a' : 'an'} ${name}`,
    command: 'olm-guard scan --state DIR',
    isIt: (kind: string) => kind === name,
  })),
];

/** `; it holds an OperatorGroup (did you mean "olm-guard check operatorgroup FILE"?)`, or nothing. */
export function suggestCommand(
  documents: Iterable<{ readonly value: JsonValue }>,
  asked: string,
): string {
  const values = [...documents].flatMap(({ value }) =>
    [...objectsOf(value)].flatMap((each) => (isObject(each.value) ? [each.value] : [])),
  );
  const meant = others
    .filter(({ command }) => !command.startsWith(`olm-guard ${asked}`))
    .find(({ isIt }) => values.some((value) => isIt(textAt(value, 'kind') ?? '', value)));
  return meant === undefined ? '' : `; it holds ${meant.what} (did you mean "${meant.command}"?)`;
}

/** The same for a folder that was read already, and held nothing of what is asked about. */
export async function meantIn(source: string | undefined, asked: string): Promise<string> {
  if (source === undefined || source === '-' || /^https?:/.test(source)) return '';
  const documents: Document[] = [];
  try {
    for await (const { file, bytes } of eachSourceFile(source)) {
      append(documents, parseDocuments(bytes, { file }));
    }
  } catch (error) {
    // The caller has reported it already.
    if (!(error instanceof InvalidInputError)) throw error;
  }
  return suggestCommand(documents, asked);
}

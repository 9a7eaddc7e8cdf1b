/**
 * The one shape in which every check answers, and the one shape in which every door decides.
 * Names and fields are fixed by the preflight interface.
 */
// By their files: the index would bring Node's types into those of the library.
import type { Place } from '../text/documents/error.js';
import type { Path } from '../text/documents/text-tree.js';
import type { JsonObject, JsonValue } from '../text/documents/value.js';
import { filesUrl } from '../text/package.js';
import { firstNames } from '../text/shortened.js';
import { quote } from '../text/go/index.js';

/** `error` denies where the policy enforces it; the others are only said. */
export type Severity = 'error' | 'warning' | 'info';
/** Gravest first. */
export const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** Effects of a change on stored objects, worst first. */
export const effects = ['breaking', 'data-loss', 'undecided', 'behavior', 'safe'] as const;
export type Effect = (typeof effects)[number];

/** Kinds of harm of which a policy only warns, unless its modes name them; docs/verdicts.md says why. */
export const mildHarms = ['AbsurdValue', 'StatusHarmed', 'BehaviorChanged'] as const;
export type MildHarm = (typeof mildHarms)[number];

/** `ratcheted`: accepted as long as the named place stays as it is. */
export const writeAnswers = ['accepted', 'ratcheted', 'refused'] as const;
export type WriteAnswer = (typeof writeAnswers)[number];

/** Answers to writes of an object that the new definition refuses. */
export interface StoredAnswers {
  /** Also of one that is restored from a backup. */
  readonly create: WriteAnswer;
  /** `refused`: not even a label can be changed. */
  readonly update: WriteAnswer;
  /** Writes of the status subresource, where the version has it. */
  readonly status?: WriteAnswer;
  /** The place that must stay as it is where an answer is `ratcheted`, as API servers write it: `spec.size`. */
  readonly place?: string;
}

/** Writes that stay possible for a stored object that the new definition would refuse. */
export interface StoredWrites {
  readonly stored?: StoredAnswers;
  /** The first minor of Kubernetes for which updates are answered so, where older ones that are known refuse. */
  readonly storedFrom?: string;
}

/**
 * The parties that a change can harm. `objects`: what is stored is refused or loses data. `clients`: a request that
 * worked gets another answer. `apply`: server-side apply and the tools that use it. `readers`: a
 * client written for the old definition may read values it does not know. `display`: what people
 * and tables see.
 */
export type Audience = 'objects' | 'clients' | 'apply' | 'readers' | 'display';

/** A request that is answered otherwise after a change; small enough to be read. */
export interface WitnessRequest {
  /** HTTP method. */
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** From the root of the API server, with its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly before: WitnessAnswer;
  readonly after: WitnessAnswer;
}

/** An answer of the API server. */
export interface WitnessAnswer {
  /** HTTP status code. */
  readonly status: number;
  /** The Status's reason, or in a few words what is otherwise about the same status. */
  readonly reason?: string;
}

/** An object of a cluster. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Keys of a finding that are symbols: JSON and messages to threads leave out what is under them. */
export const foundAt: unique symbol = Symbol('foundAt');
export const provenBy: unique symbol = Symbol('provenBy');
export const endedBy: unique symbol = Symbol('endedBy');

export interface FindingPlace {
  /** Keys from the root of the definition, the object or the document. */
  readonly keys: Path;
  readonly side?: 'old' | 'new';
  /** The place in the old definition of what is gone from here. */
  readonly gone?: Path | undefined;
  /** Which object of many, such as a chart makes. */
  readonly object?: JsonObject;
  /** Which document of many, such as a bundle has. */
  readonly document?: { readonly placeOf: (path: Path) => Place };
}

/** A difference that a proof has found. */
export interface ProvenDifference {
  readonly version: string;
  /** The version in which objects were stored, where that is another. */
  readonly from?: string;
  readonly path: string;
  readonly reason: string;
}

/** A change that ends a finding. */
export interface Remedy {
  readonly title: string;
  /** In an object: what gets another name or another value. */
  readonly keys?: Path;
  readonly change?: { readonly name: string } | { readonly value: JsonValue };
}

/** One thing that a rule has to say about one place. */
export interface Finding extends StoredWrites {
  /** @hidden */
  readonly [foundAt]?: FindingPlace | undefined;
  /**
   * Left out where the proof saw no difference or was not asked.
   *
   * @hidden
   */
  readonly [provenBy]?: ProvenDifference | undefined;
  /** @hidden */
  readonly [endedBy]?: Remedy | undefined;
  /** The rule's name, as in docs/rules: `NoScopeChange`, `ChangeValidator`, … */
  readonly rule: string;
  /** The rule that found it, where the finding's own asks others: `InstallPlanCSV` does. */
  readonly foundBy?: string;
  /** The check family of the rule, as a policy's modes and a switch-off name it. */
  readonly family: Family;
  readonly severity: Severity;
  /** One sentence, or the text of the reference implementation where one exists. */
  readonly message: string;
  /**
   * Which of the rule's messages it is, where the words are ours, with the values in it. In `message`
   * the place may be before those words.
   */
  readonly id?: string;
  readonly data?: MessageData;
  readonly effect?: Effect;
  /** The kind of the harm that `effect` says, where a policy only warns of it by default. */
  readonly harm?: MildHarm | undefined;
  /** The party that is harmed; set on every finding about a CustomResourceDefinition. */
  readonly audience?: Audience;
  /** For `clients` and `apply`: a request that shows the finding is real. */
  readonly request?: WitnessRequest;
  /**
   * The line by which the reference's text tells it, where that is not the message; empty where the
   * reference stops before it gets there.
   */
  readonly reference?: string;
  /** No proof could be looked for, so that the rule decides also where only proofs are enforced. */
  readonly unprovable?: true;
  readonly object?: ObjectReference;
  /** Version of the CustomResourceDefinition, or `LOWER -> HIGHER` for a pair of versions. */
  readonly version?: string;
  /** Path notation of the rule's own profile, e.g. `^.spec.size`. */
  readonly path?: string;
  /** The path with names quoted that hold a separator, where one does: `^.spec["size.unit"]`. */
  readonly exactPath?: string;
  /** Stable identity of the single difference behind the finding; the same cause has the same text. */
  readonly cause?: string;
  /** `promise 2 of the policy (versions v*beta*): deny` where that decided, or `acknowledged: REASON`. */
  readonly decidedBy?: string;
  /** Why it has that effect, as the proof says in one sentence. */
  readonly proof?: string;
  /** An object that shows the finding is real. */
  readonly witness?: unknown;
  /** An RFC 6902 patch, or a sentence, that would make the finding go away. */
  readonly fix?: unknown;
  /**
   * Of a catalog: the place of the object in its file; lines count from 1.
   *
   * @hidden from the schemas of other answers
   */
  readonly place?: Pick<Place, 'file' | 'line'>;
  /**
   * Of a change of a catalog: it was so before, and is not held against the change.
   *
   * @hidden from the schemas of other answers
   */
  readonly isAsBefore?: true;
  /** The fix in the Go types that kubebuilder makes the definition from. */
  readonly markers?: readonly string[];
  /** The address of the page that explains the rule. */
  readonly docs: string;
}

/** The words beside "breaks objects"; undefined where it is not known. */
export function describeStoredWrites({ stored, storedFrom }: StoredWrites): string | undefined {
  if (stored === undefined) return undefined;
  const { create, update, status, place = 'the refused value' } = stored;
  const isCreated = create === 'accepted';
  if (update === 'refused') {
    const created = isCreated ? '; create and restore are accepted' : '';
    return `stuck: no update of a stored object is accepted${created}`;
  }
  const since = storedFrom === undefined ? '' : ` (Kubernetes ${storedFrom} and later)`;
  const kept = ` as long as ${place} stays as it is`;
  return [
    isCreated ? 'create and restore are accepted' : 'refused on create or restore',
    `stored objects can still be updated${update === 'ratcheted' ? kept : ''}${since}`,
    ...(status === 'ratcheted' ? [`their status can be written${kept}`] : []),
  ].join('; ');
}

/** Whether the change is allowed, and everything found. */
export interface Verdict {
  readonly allowed: boolean;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** Which switch-off let a refused request through. */
  readonly bypassedBy?: string;
}

/** Check families: what a policy mode or a switch-off annotation names. */
export const families = [
  'crd-upgrade-safety',
  'stored-objects',
  'operator-groups',
  'install-plans',
  'catalogs',
  'resolution',
  'client-contract',
  'apply-contract',
  'reader-contract',
  'display',
  'rollback',
  'definition',
  'conversion',
] as const;
export type Family = (typeof families)[number];

/** The page that explains a rule, by any name that its findings carry. */
export function pageFile(rule: string): string {
  return `docs/rules/${rule}.md`;
}

/** Its address, in the files of this version. */
export function docsFor(rule: string): string {
  return `${filesUrl}/${pageFile(rule)}`;
}

/** `{name}` is a place for a value, `"{name}"` for a quoted one; a list of values is joined by commas. */
export type Messages = Readonly<Record<string, string>>;

export type MessageValue = string | number | readonly string[];
export type MessageData = Readonly<Record<string, MessageValue | undefined>>;

type PlacesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlacesIn<Rest>
  : never;

type DataOf<Text extends string> = [PlacesIn<Text>] extends [never]
  ? { readonly data?: MessageData }
  : { readonly data: Readonly<Record<PlacesIn<Text>, MessageValue>> & MessageData };

/** One of the messages, with a value for each of its places. */
export type MessageOf<Of extends Messages> = {
  [Id in keyof Of & string]: { readonly id: Id } & DataOf<Of[Id]>;
}[keyof Of & string];

/** A list names no more values than these. */
const shown = 5;

/** @throws Error for a placeholder without a value */
export function renderMessage(text: string, data: MessageData = {}): string {
  return text.replaceAll(
    /"\{(\w+)\}"|\{(\w+)\}/g,
    (_place, quoted: string | undefined, plain: string) => {
      const name = quoted ?? plain;
      const value = data[name];
      if (value === undefined) throw new Error(`the message "${text}" has no value for ${name}`);
      const list = typeof value === 'object' ? value : [value];
      const values = list.map((each) =>
        quoted === undefined ? String(each) : quote(String(each)),
      );
      return firstNames(values, shown);
    },
  );
}

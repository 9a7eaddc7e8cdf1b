/** The interface between the gate and the code that knows one kind of resource. */
import type { ClusterView, ResourceName, UpdatedObject } from '../../cluster/index.js';
import type { JsonObject, MeasuredJson } from '../../text/documents/index.js';
import type { Family, Finding } from '../../rule/index.js';
import type { Attached } from '../../checks/index.js';
import type { Policy } from '../../policy/index.js';
import type { AdmissionRequest } from './admission-review.js';
import type { Caller, mayRead, Disclosure } from './disclosure.js';

/** `{verdict, output}` or `{error}`. @throws UnfinishedError when no answer will come */
export type HeavyJudge = (
  operation: string,
  input: JsonObject,
  attached?: Attached,
) => Promise<JsonObject>;

/** `busy`: others were in the way. `late`: earlier steps had used up the time. `closing`: the process ends. */
type NotBegun = 'busy' | 'late' | 'closing';

/** A judgement that was given up, or that has not begun. */
export class UnfinishedError extends Error {
  constructor(
    message: string,
    /** Undefined once it was begun: then the object itself takes too long. */
    readonly notBegun?: NotBegun,
    /** The object itself takes more memory than one judgement may use. */
    readonly isTooLarge = false,
  ) {
    super(message);
  }
}

export interface ReviewContext {
  readonly caller: Caller;
  /** Stops when the review is answered. */
  readonly judge: HeavyJudge;
  /** A judge for work that continues after the answer; without it, `judge`. */
  readonly background?: HeavyJudge;
  /** For what a denial may omit. Undefined when less than half of the time is left, or others wait. */
  readonly spare?: () => HeavyJudge | undefined;
  /** No thread has time for this review: the event loop judges it by the rules alone. */
  readonly isHurried?: boolean;
  /** The user who asks, where turns are shared among users. */
  readonly asker?: readonly string[];
  /** Fires when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
  /** The review as it came; without it nothing is known of its size. */
  readonly body?: MeasuredJson;
  readonly policy: Policy;
  readonly view: ClusterView;
  readonly now: Date;
  /** When the answer must be on its way, on the clock of `performance.now()`. */
  readonly until?: number;
}

export interface AssessContext extends ReviewContext {
  /** The standing of the review's sender; the cluster is asked at most once. */
  readonly standing: () => Promise<Disclosure>;
  readonly mayRead: (resource: ResourceName, namespace?: string) => ReturnType<typeof mayRead>;
  /** Whether the requester may update an object; false where the cluster cannot be asked. */
  readonly mayUpdate: (object: UpdatedObject) => Promise<boolean | 'unknown'>;
}

/** Findings of a reviewer, before policy decides. */
export interface Assessment {
  readonly findings: readonly Finding[];
  /** Findings that the old object already has by itself; asked for only when something would be denied. */
  readonly previous: () => readonly Finding[] | Promise<readonly Finding[]>;
  /** API groups by which exemptions name the object. */
  readonly groups: readonly string[];
  /** The text of a denial for these findings, a whole or a part of `findings`. */
  readonly message: (denied: readonly Finding[]) => string;
  /** Checks that could not be made and why, a sentence each. */
  readonly unchecked?: readonly string[];
  readonly neverDenied?: string;
  /**
   * False when something was allowed meanwhile that was not looked at. It also notes that the request is allowed.
   */
  readonly settle?: () => boolean;
  /** Further audit annotations; the API server prefixes them with the webhook's name. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Takes out of findings what the requester may not read; asked for only where there are findings. */
  readonly redaction?: () => Promise<(finding: Finding) => Finding>;
  /** Adds to findings their effects, where the verdict does not wait for it; asked for only of a denial. */
  readonly effects?: () => Promise<(finding: Finding) => Finding>;
  /** Asked only of a denial that withholds nothing, and only in spare time. */
  readonly patches?: (spare: HeavyJudge) => Promise<(finding: Finding) => Finding>;
  /** The command that prints everything which a bounded answer leaves out. */
  readonly command: string;
  /** The command that writes a change without the harm, for findings about a schema. */
  readonly fix?: string;
}

export interface Reviewer {
  readonly group: string;
  readonly resource: string;
  /** The family under which an object that cannot be read is denied. */
  readonly family: Family;
  /** API groups by which exemptions name the object. */
  readonly groupsOf: (request: AdmissionRequest) => readonly string[];
  /** Whether a write of the status may deserve a warning. */
  readonly reviewsStatus?: (request: AdmissionRequest) => boolean;
  /** Undefined for a request that it does not judge. @throws InvalidInputError when the object cannot be judged */
  readonly assess: (
    request: AdmissionRequest,
    context: AssessContext,
  ) => Assessment | undefined | Promise<Assessment | undefined>;
}

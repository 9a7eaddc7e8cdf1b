/** The steps that a migration would have to take, and whether it can. */
import { ClusterError } from '../view/view.js';
import type { Writer } from '../../upgrade/index.js';
import { leaves, type MigratedKind } from './migrated-kind.js';
import { collectionPath } from './object-pages.js';
import type { Requests } from './requests.js';
import { survey, type SurveyOptions } from './survey.js';

export interface MigrationPlan {
  readonly name: string;
  readonly kind: string;
  readonly storageVersion: string;
  readonly storedVersions: readonly string[];
  readonly leavingVersions: readonly string[];
  /**
   * Versions that are not among the stored ones, and of which nothing shows that no object is stored in
   * them: the gate lets none of them go.
   */
  readonly unprovenVersions: readonly string[];
  readonly objects: number;
  /**
   * Objects to be written: all of them, where another version may be stored; only the API server
   * knows which of them is stored in which. One that is in the storage version is not stored again.
   */
  readonly toWrite: number;
  /** Objects whose managedFields name a version that leaves. */
  readonly namingLeaving: number;
  /** Field managers by version, from managedFields. */
  readonly managers: readonly (Writer & { readonly leaves: boolean })[];
  /** Only where objects are converted by a webhook: one read in each served version. */
  readonly converter?: readonly ConverterAnswer[];
  /** Fields that objects lose when they are written: migrate run refuses unless asked to drop them. */
  readonly dropped: MigratedKind['dropped'];
  /** How long writing takes at the pace that was asked for. */
  readonly seconds: number;
  /** Whether nothing is left to do. */
  readonly isDone: boolean;
}

export interface ConverterAnswer {
  readonly version: string;
  readonly milliseconds: number;
  /** Why the object could not be read in that version. */
  readonly error?: string;
}

/** @throws ClusterError when the objects could not be read at all */
export async function planMigration(
  requests: Requests,
  kind: MigratedKind,
  {
    qps,
    isProven,
    ...options
  }: SurveyOptions & {
    readonly qps: number;
    /** Whether something shows that no object is stored in these versions. */
    readonly isProven: (versions: readonly string[]) => Promise<boolean>;
  },
): Promise<MigrationPlan> {
  // First: with a converter that is down, the objects may not even be listed.
  const converter = kind.convertsByWebhook ? await askConverter(requests, kind) : undefined;
  const seen = await survey(requests, kind, options);
  const isStoredOtherwise = kind.stored.some((version) => version !== kind.storage);
  const isDoubtful = kind.trimmed.length > 0 && seen.objects > 0 && !(await isProven(kind.trimmed));
  const toWrite = isStoredOtherwise || isDoubtful ? seen.objects : seen.naming;
  return {
    name: kind.name,
    kind: kind.kind,
    storageVersion: kind.storage,
    storedVersions: kind.stored,
    leavingVersions: kind.leaving,
    unprovenVersions: isDoubtful ? kind.trimmed : [],
    objects: seen.objects,
    toWrite,
    namingLeaving: seen.naming,
    managers: seen.writers.map((writer) => ({
      ...writer,
      leaves: leaves(kind, `${kind.group}/${writer.version}`),
    })),
    converter,
    dropped: kind.dropped,
    seconds: Math.ceil(toWrite / qps),
    isDone: !isStoredOtherwise && !isDoubtful && seen.naming === 0,
  };
}

/** One object, in each version that is served; one that is stored in it tells nothing. */
async function askConverter(requests: Requests, kind: MigratedKind): Promise<ConverterAnswer[]> {
  const answers: ConverterAnswer[] = [];
  for (const version of kind.served) {
    const start = performance.now();
    const milliseconds = (): number => Math.round(performance.now() - start);
    try {
      await requests.json({ path: `${collectionPath(kind, version)}?limit=1` }, 1);
      answers.push({ version, milliseconds: milliseconds() });
    } catch (error) {
      if (!(error instanceof ClusterError) || error.isForbidden) throw error;
      answers.push({ version, milliseconds: milliseconds(), error: error.message });
    }
  }
  return answers;
}

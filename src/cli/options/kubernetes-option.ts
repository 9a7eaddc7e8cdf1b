/** Whom `--kubernetes`, or the policy, asks whether they take a definition or an object. */
import { askedMinors, type TargetMinors } from '../../kubernetes/index.js';
import { InvalidInputError, invalidInput } from '../../text/documents/index.js';
import type { Policy } from '../../policy/index.js';
import { printError } from '../output.js';
import { openDefault, type ClusterOptions, openCluster } from './cluster-option.js';

export function withMinors(policy: Policy, minors: TargetMinors | undefined): Policy {
  return minors === undefined ? policy : { ...policy, kubernetes: minors.all.join(',') };
}

/** `cluster` where it is for a minor: also in `cluster..1.36` and `cluster+`. */
const ofCluster = /(?<![\w.])cluster(?![\w])/g;

/** Undefined where neither the option nor the policy names any. @throws InvalidInputError, ClusterError */
export async function minorsFor(
  text: string | undefined,
  options: ClusterOptions,
): Promise<TargetMinors | undefined> {
  if (text === undefined) return undefined;
  const minors = await minorsIn(text, options);
  for (const sentence of minors.warnings ?? []) printError(`olm-guard: ${sentence}`);
  return minors;
}

async function minorsIn(text: string, options: ClusterOptions): Promise<TargetMinors> {
  if (!new RegExp(ofCluster.source).test(text)) return askedMinors(text);
  const version = await versionOfCluster(options);
  try {
    return askedMinors(text.replaceAll(ofCluster, version));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw invalidInput(`the cluster runs ${version}: ${error.message}`);
  }
}

async function versionOfCluster(options: ClusterOptions): Promise<string> {
  const { view, close } = (await openCluster(options)) ?? (await openDefault(options));
  try {
    const version = await view.serverVersion?.();
    if (version !== undefined) return version;
  } finally {
    close();
  }
  const message =
    '--kubernetes cluster asks a live cluster for its version, which a folder does not tell: name a minor, as in 1.35';
  throw invalidInput(message);
}

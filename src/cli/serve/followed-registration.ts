/** While the gate serves: is it registered as the release registers it, and do definitions change without a review? */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { load } from 'js-yaml';
import type { Connection, OlmState } from '../../cluster/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import type { Logger, RegistrationMetrics } from '../../gate/index.js';
import { packagedFolder } from './packaged-folder.js';

export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

export interface RegisteredWebhook {
  readonly name: string;
  readonly rules?: readonly WebhookRule[];
  readonly matchConditions?: readonly { readonly expression: string }[];
  readonly clientConfig: { readonly caBundle?: string };
}

/** The ValidatingWebhookConfiguration of the manifests and of the chart. */
export const ownRegistration = 'olm-guard';

const intervalMilliseconds = 15_000;
const kind = 'CustomResourceDefinition';

/** Reads the registration every 15 seconds, and counts changes of definitions between. Returns its end. */
export function followRegistration(
  state: OlmState,
  connection: Connection,
  { log, metrics }: { readonly log: Logger; readonly metrics: RegistrationMetrics },
): () => void {
  const expected = packagedWebhooks();
  let conditions = '';
  let last = '';
  const look = async (): Promise<void> => {
    const problems = new Map<string, string>();
    let reason: string | undefined;
    try {
      const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${ownRegistration}`;
      const signal = AbortSignal.timeout(intervalMilliseconds);
      const found = (await connection.find({ path, signal })) as
        { readonly webhooks?: readonly RegisteredWebhook[] } | undefined;
      const webhooks = found?.webhooks ?? [];
      conditions = webhooks
        .flatMap(({ matchConditions = [] }) => matchConditions.map(({ expression }) => expression))
        .join('\n');
      for (const each of expected) {
        const lack = lackOf(each, webhooks);
        metrics.registered.set({ webhook: each.name }, lack === undefined ? 1 : 0);
        if (lack !== undefined) problems.set(each.name, lack);
      }
    } catch (error) {
      // Not known is not the same as gone: there is no series, and a warning in the log.
      metrics.registered.reset();
      reason = error instanceof Error ? error.message : String(error);
    }
    const now = reason ?? [...problems].map(([webhook, lack]) => `${webhook}: ${lack}`).join('; ');
    if (now !== last) {
      const isWell = now === '';
      log[isWell ? 'info' : 'warn'](
        {
          name: ownRegistration,
          state: isWell ? 'complete' : reason === undefined ? 'incomplete' : 'unknown',
          ...(isWell ? {} : { reason: now }),
        },
        'registration',
      );
    }
    last = now;
  };
  state.onChange(({ kind: changed, old, object }) => {
    if (changed !== kind || object === undefined) return;
    // The first list shows what was there before the gate could be asked.
    if (old === undefined && stateOf(state) === 'starting') return;
    const isSpec = old === undefined || generationOf(old) !== generationOf(object);
    const { name: definition } = metaOf(object);
    const group = definition.slice(definition.indexOf('.') + 1);
    if (isSpec && !conditions.includes(`"${group}"`)) metrics.definitionChanges.inc();
  });
  void look();
  const timer = setInterval(() => void look(), intervalMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const stateOf = (state: OlmState): string | undefined =>
  state.kindStates().find((each) => each.kind === kind)?.state;

const generationOf = (object: JsonObject): unknown =>
  (object['metadata'] as JsonObject | undefined)?.['generation'];

/** The webhooks of manifests/base. A single executable has none. */
export function packagedWebhooks(): readonly RegisteredWebhook[] {
  if (isSea()) return [];
  const file = join(packagedFolder('manifests'), 'base', 'validatingwebhookconfiguration.yaml');
  return (load(readFileSync(file, 'utf8')) as { webhooks: RegisteredWebhook[] }).webhooks;
}

export const noBundle = 'no caBundle';

/** In words; undefined when nothing lacks. @param expected its rules, in whatever webhook they stand */
export function lackOf(
  expected: RegisteredWebhook,
  registered: readonly RegisteredWebhook[],
): string | undefined {
  const found = registered.find(({ name }) => name === expected.name);
  if (found === undefined) return 'not registered';
  if (!found.clientConfig.caBundle) return noBundle;
  const missing = (expected.rules ?? []).flatMap((rule) =>
    rule.apiGroups.flatMap((group) =>
      rule.resources.flatMap((resource) => {
        const operations = rule.operations.filter(
          (operation) =>
            !(found.rules ?? []).some(
              (each) =>
                covers(each.apiGroups, group) &&
                coversResource(each.resources, resource) &&
                covers(each.operations, operation) &&
                rule.apiVersions.some((version) => covers(each.apiVersions, version)),
            ),
        );
        return operations.length === 0 ? [] : [`${operations.join('/')} ${resource}`];
      }),
    ),
  );
  return missing.length === 0 ? undefined : `no rule for ${missing.join(', ')}`;
}

const covers = (values: readonly string[], value: string): boolean =>
  values.includes('*') || values.includes(value);

// As an API server matches them: `*` leaves subresources out, `plural/*` does not.
function coversResource(resources: readonly string[], resource: string): boolean {
  const [plural = '', subresource] = resource.split('/');
  const names =
    subresource === undefined
      ? ['*', '*/*', plural, `${plural}/*`]
      : ['*/*', resource, `${plural}/*`, `*/${subresource}`];
  return names.some((each) => resources.includes(each));
}

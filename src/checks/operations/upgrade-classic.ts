import { classicPath, type ClassicRequest, type VersionedEntry } from '../../olm/index.js';
import { findingNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';

type Optional<Value> = { [Key in keyof Value]?: Value[Key] | null };

interface UpgradeClassicInput {
  readonly package: string;
  readonly channels: readonly {
    readonly name: string;
    readonly entries?:
      readonly (Optional<Omit<VersionedEntry, 'name'>> & { name: string })[] | null;
  }[];
  readonly channel: string;
  readonly defaultChannel?: string | null;
  readonly installed?: { name: string; version?: string | null } | null;
}

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;

export const upgradeClassic = defineOperation<UpgradeClassicInput>({
  name: 'upgrade-classic',
  summary: 'Which steps OLM classic takes from an installed bundle through a channel, and why.',
  input: {
    type: 'object',
    required: ['package', 'channels', 'channel'],
    properties: {
      package: text,
      channel: { ...text, description: 'the subscribed channel; "" for all' },
      defaultChannel: optionalText,
      channels: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name'],
          // As the catalog has it: an `olm.channel` is taken whole.
          properties: {
            schema: optionalText,
            package: optionalText,
            name: text,
            entries: {
              type: ['array', 'null'],
              items: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: text,
                  version: optionalText,
                  replaces: optionalText,
                  skips: { type: ['array', 'null'], items: text },
                  skipRange: optionalText,
                },
              },
            },
          },
        },
      },
      installed: {
        type: ['object', 'null'],
        required: ['name'],
        properties: { name: text, version: optionalText },
      },
    },
  },
  judge(input) {
    const { steps, loops, error } = classicPath(readRequest(input));
    const output = {
      path: steps.map(({ to }) => to),
      ...(loops ? { end: 'loop' } : {}),
      error,
      steps,
    };
    const problem = loops
      ? `the path comes back to ${steps.at(-1)?.to ?? ''}, which has been installed before`
      : error;
    const findings =
      problem === undefined
        ? []
        : [findingNamed('UpgradePath', { severity: 'warning', message: problem })];
    return { allowed: true, findings, output };
  },
});

function readRequest(input: UpgradeClassicInput): ClassicRequest {
  const { installed, defaultChannel } = input;
  return {
    packageName: input.package,
    channel: input.channel,
    channels: input.channels.map(({ name, entries }) => ({
      name,
      entries: (entries ?? []).map((entry) => ({
        name: entry.name,
        version: entry.version ?? '',
        replaces: entry.replaces ?? '',
        skips: entry.skips ?? [],
        skipRange: entry.skipRange ?? '',
      })),
    })),
    ...(typeof defaultChannel === 'string' ? { defaultChannel } : {}),
    ...(installed === undefined || installed === null
      ? {}
      : { installed: { name: installed.name, version: installed.version ?? '' } }),
  };
}

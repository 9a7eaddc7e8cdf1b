/** `olm-guard catalog path`: the steps from an installed version to the newest, in either OLM, and why. */
import { Command, InvalidArgumentError } from 'commander';
import { invalidInput } from '../../text/documents/index.js';
import { renderPaths } from '../../report/index.js';
import {
  explainPaths,
  packageOf,
  type PathAnswer,
  requirementSentences,
  ResolutionError,
} from '../../olm/index.js';
import { didYouMean } from '../../text/nearest.js';
import {
  catalogOptionHelp,
  readKnownCatalogs,
  type KnownCatalog,
  unknownVersion,
  supportDates,
} from '../options/known-catalogs.js';
import { answerFormats, printAnswer, type AnswerFormat } from '../output.js';
import { visible } from '../../text/visible.js';
import {
  flags,
  withFlags,
  several,
  oneOf,
  usually,
  collectValues,
  type Flags,
} from '../options/flags.js';

interface PathOptions {
  readonly catalog: readonly string[];
  readonly from?: string;
  readonly channel?: string;
  readonly range?: string;
  readonly v1?: true;
  readonly classic?: true;
  readonly precedence?: 'documents';
  readonly output: AnswerFormat;
}

type ToldPath = PathAnswer & {
  /** A sentence where no catalog has the installed version. */
  readonly notInCatalog?: string;
  readonly support?: readonly string[];
  /** Packages and APIs that a bundle on the way of OLM classic requires and no catalog has. */
  readonly unmet?: readonly string[];
};

function renderAnswer({ notInCatalog, ...answer }: ToldPath): string {
  const beginning = notInCatalog === undefined ? '' : `${visible(notInCatalog)}\n\n`;
  return beginning + renderPaths(answer);
}

export function catalogPathCommand(): Command {
  const command = new Command('path').description(
    'print each step from an installed version to the newest, and why it is taken',
  );
  return withFlags(command, {
    '<package>': 'the name of the package',
    '[catalog]': catalogOptionHelp,
    ...catalogFlag,
    '--from <version>': 'the installed version, or the name of its bundle',
    '--channel <channel>':
      "only this channel (default: the package's for OLM classic, any for OLM v1)",
    '--range <range>': 'a version range (OLM v1 only)',
    ...eitherOlm('OLM v1 only', 'OLM classic only'),
    '--precedence <rule>': oneOf(
      ['documents'],
      'for OLM classic, the precedence in OpenShift’s documentation: heads first, then other catalogs',
    ),
    ...flags.output(answerFormats),
  }).action(async (packageName: string, catalog: string | undefined, options: PathOptions) => {
    const catalogs = await readKnownCatalogs(namedCatalogs(catalog, options.catalog));
    const answer = explain(packageName, catalogs, options);
    const notInCatalog = unknownVersion(packageName, options.from, catalogs);
    const bundles = answer.paths.flatMap(({ path }) => path.steps.map(({ to }) => to));
    const versions = [...(options.from === undefined ? [] : [options.from]), ...bundles];
    const support = supportDates(packageName, versions, catalogs, new Date());
    const unmet =
      options.v1 === true
        ? []
        : requirementSentences(
            packageName,
            bundles,
            catalogs.map((named) => named.catalog),
          ).map(({ sentence }) => sentence);
    const output = {
      notInCatalog,
      ...answer,
      ...(support.length > 0 && { support }),
      ...(unmet.length > 0 && { unmet }),
    };
    await printAnswer(output, options.output, renderAnswer);
    process.exitCode = answer.paths.some(
      ({ path, deadEnd }) => path.error !== undefined || path.loops || deadEnd !== undefined,
    )
      ? 1
      : 0;
  });
}

export const catalogFlag: Flags = {
  '--catalog <catalog>': (option) =>
    several(`${catalogOptionHelp} (several: repeat)`)(option).argParser(
      (value: string, all: readonly string[]) => {
        if (value === '') throw new InvalidArgumentError('give a folder');
        return collectValues(value, all);
      },
    ),
};

export function eitherOlm(v1: string, classic: string): Flags {
  return {
    '--v1': (option) => usually(undefined, v1)(option).conflicts('classic'),
    '--classic': classic,
  };
}

/** The catalogs of the argument and of `--catalog`. @throws InvalidInputError when there is none */
export function namedCatalogs(
  argument: string | undefined,
  options: readonly string[],
): readonly string[] {
  const named = argument === undefined ? options : [argument, ...options];
  if (named.length > 0) return named;
  throw invalidInput('name a catalog: --catalog <catalog>, a folder or a file');
}

function explain(
  packageName: string,
  catalogs: readonly KnownCatalog[],
  options: PathOptions,
): PathAnswer {
  demandPackage(packageName, catalogs);
  const found = catalogs.flatMap(
    ({ catalog, ...named }) => packageOf(catalog, packageName, named) ?? [],
  );
  const defaultChannel = defaultChannelOf(packageName, catalogs);
  demandChannel(options.channel, packageName, catalogs);
  const { from, channel, range, precedence } = options;
  const only = options.v1 === true ? 'v1' : options.classic === true ? 'classic' : undefined;
  const request = { packageName, catalogs: found, from, channel, defaultChannel, range };
  return explainedPaths({ ...request, precedence, only });
}

/** @throws InvalidInputError for what is in no catalog */
export function explainedPaths(request: Parameters<typeof explainPaths>[0]): PathAnswer {
  try {
    return explainPaths(request);
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    throw invalidInput(error.message);
  }
}

/** Undefined for a package that no catalog has. */
export function defaultChannelOf(
  packageName: string,
  catalogs: readonly KnownCatalog[],
): string | undefined {
  return catalogs
    .flatMap(({ catalog }) => catalog.packages)
    .find(({ name }) => name === packageName)?.defaultChannel;
}

/** @throws InvalidInputError for a package that no catalog has, naming the nearest that is there. */
export function demandPackage(packageName: string, catalogs: readonly KnownCatalog[]): void {
  const names = new Set(
    catalogs.flatMap(({ catalog: { packages, channels, bundles } }) => [
      ...packages.map(({ name }) => name),
      ...[...channels, ...bundles].map((each) => each.package),
    ]),
  );
  if (names.has(packageName)) return;
  const shown = catalogs.map(({ name }) => name).join(', ');
  throw invalidInput(
    `there is no package "${packageName}" in ${shown}${didYouMean(packageName, [...names])}`,
  );
}

/** @throws InvalidInputError for a channel that the package has in no catalog. */
export function demandChannel(
  channel: string | undefined,
  packageName: string,
  catalogs: readonly KnownCatalog[],
): void {
  const message = missingChannel(channel, packageName, catalogs);
  if (message !== undefined) throw invalidInput(message);
}

/** A sentence where a package has no such channel. */
export function missingChannel(
  channel: string | undefined,
  packageName: string,
  catalogs: readonly KnownCatalog[],
): string | undefined {
  if (channel === undefined) return undefined;
  const names = catalogs
    .flatMap(({ catalog }) => catalog.channels)
    .filter((each) => each.package === packageName)
    .map(({ name }) => name);
  return names.includes(channel)
    ? undefined
    : `package "${packageName}" has no channel "${channel}"; it has ${[...new Set(names)].join(', ')}`;
}

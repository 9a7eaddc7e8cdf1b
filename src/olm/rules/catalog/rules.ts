/** The rules about a catalog by itself; reading and walking it once finds what they are about. */
import { examplePackage, from, rulesWith, sources } from '../../../rule/index.js';
import { catalogBlobSchema, catalogReservedSchema } from './blob-rules.js';
import { catalogLifecycle } from './catalog-lifecycle.js';

const catalogRule = rulesWith({ subject: 'catalog', family: 'catalogs' });

const specification = from.olmPages('File-based Catalogs');
const dependencies = from.openShift('Operator Lifecycle Manager dependency resolution');
const heads = from.operatorRegistry('alpha/model/model.go', 'Head', 'validateReplacesChain');
const graph = from.olmPages('Creating an Update Graph');
const stable = (entries: string): string => examplePackage({ channels: { stable: entries } });
const chain = '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }';
const whole = stable(chain);
const withProperty = (properties: string): string =>
  examplePackage({
    channels: { stable: '{ name: queue.v1.0.0 }' },
    bundles: { '1.0.0': { properties } },
  });
const withIcon = (mediatype: string): string =>
  whole.replace(
    'defaultChannel: stable }',
    `defaultChannel: stable, icon: { base64data: iVBORw0KGgo=, mediatype: ${mediatype} } }`,
  );

export const catalogRules = {
  loads: catalogRule({
    id: 'CatalogLoads',
    severity: 'error',
    checks: 'Every file of the catalog can be read.',
    why: 'opm refuses the whole catalog otherwise; the message is the text it prints.',
    instead: 'Correct the file where the message says, or name it in .indexignore.',
    source: sources(
      specification,
      from.operatorRegistry('alpha/declcfg/load.go', 'LoadFS', 'LoadReader'),
    ),
    example: {
      after: '{ name: queue, defaultChannel: stable }',
      says: 'is missing root schema field',
      accepted: whole,
    },
  }),
  valid: catalogRule({
    id: 'CatalogValid',
    aliases: ['UpgradePath'],
    severity: 'error',
    checks: 'Packages, channels, bundles and deprecations fit together.',
    why: 'opm refuses to serve the catalog otherwise; the message is the text it prints.',
    instead: 'Correct what the message names; opm validate and catalog validate then agree.',
    source: sources(
      specification,
      from.operatorRegistry('alpha/declcfg/declcfg_to_model.go', 'ConvertToModel'),
      from.operatorRegistry('alpha/model/model.go', 'Validate', 'validateReplacesChain'),
    ),
    example: {
      after: examplePackage({ defaultChannel: 'fast', channels: { stable: chain } }),
      says: 'fast',
      accepted: whole,
    },
  }),
  gvk: catalogRule({
    id: 'CatalogGvk',
    severity: 'warning',
    checks: 'olm.gvk and olm.gvk.required name a valid group, version and kind.',
    why: 'No CustomResourceDefinition can have another, so nobody provides or requires it. opm does not check it.',
    instead: 'Write the group, version and kind of the CustomResourceDefinition.',
    source: sources(specification, from.kubernetesPages('Object Names and IDs')),
    messages: {
      group:
        'bundle "{bundle}", properties[{index}] of type "{type}": the group "{value}" is no DNS name',
      version:
        'bundle "{bundle}", properties[{index}] of type "{type}": the version "{value}" is no DNS label that begins with a letter',
      kind: 'bundle "{bundle}", properties[{index}] of type "{type}": the kind "{value}" is no DNS label in mixed case',
    },
    example: {
      after: withProperty(
        '{ type: olm.gvk, value: { group: example.com, version: V1, kind: Queue } }',
      ),
      says: 'the version "V1" is no DNS label that begins with a letter',
      accepted: withProperty(
        '{ type: olm.gvk, value: { group: example.com, version: v1, kind: Queue } }',
      ),
    },
  }),
  requiredPackage: catalogRule({
    id: 'CatalogRequiredPackage',
    severity: 'warning',
    checks: 'olm.package.required names a package and a range that OLM can read.',
    why: 'OLM stops the resolution of every namespace that can see the bundle. opm does not check it.',
    instead: 'Write packageName and a versionRange such as >=1.0.0 <2.0.0.',
    source: sources(specification, dependencies),
    messages: {
      unnamed: 'bundle "{bundle}", properties[{index}] of type "{type}": names no package',
      unreadable:
        'bundle "{bundle}", properties[{index}] of type "{type}": OLM cannot read the range "{range}": {problem}',
    },
    example: {
      after: withProperty(
        '{ type: olm.package.required, value: { packageName: topic, versionRange: latest } }',
      ),
      says: 'OLM cannot read the range "latest"',
      accepted: withProperty(
        "{ type: olm.package.required, value: { packageName: topic, versionRange: '>=1.0.0' } }",
      ),
    },
  }),
  icon: catalogRule({
    id: 'CatalogIcon',
    severity: 'warning',
    checks: 'The icon of a package is an image of the type that it claims to be.',
    why: 'Consoles show a broken image otherwise.',
    instead: 'Set mediatype to what the data is.',
    source: sources(specification, from.operatorRegistry('alpha/model/model.go', 'Validate')),
    messages: { invalid: 'package "{package}": {problem}' },
    example: {
      after: withIcon('image/svg+xml'),
      says: 'package "queue": ',
      accepted: withIcon('image/png'),
    },
  }),
  skipRangeCoversItself: catalogRule({
    id: 'CatalogSkipRangeCoversItself',
    severity: 'warning',
    checks: 'No skipRange covers the version of its own entry.',
    why: 'OLM classic upgrades such a version to itself over and over.',
    instead: 'End the range below the version: <1.1.0, not <=1.1.0.',
    source: graph,
    messages: {
      covers:
        'package "{package}", channel "{channel}": the skipRange "{range}" of "{name}" covers its own version: OLM classic upgrades it to itself over and over',
    },
    example: {
      after: stable("{ name: queue.v1.0.0 }, { name: queue.v1.1.0, skipRange: '<=1.1.0' }"),
      says: 'covers its own version',
      accepted: stable("{ name: queue.v1.0.0 }, { name: queue.v1.1.0, skipRange: '<1.1.0' }"),
    },
  }),
  skippedByRange: catalogRule({
    id: 'CatalogSkippedByRange',
    severity: 'warning',
    checks: 'A skipRange does not cover versions above its own.',
    why: 'OLM may go back from the higher version.',
    instead: 'End the range below the version of its own entry.',
    source: graph,
    messages: {
      covers:
        'package "{package}", channel "{channel}": the skipRange "{range}" of "{name}" covers the higher version of "{above}", so OLM may go back from it',
    },
    example: {
      after: stable(
        "{ name: queue.v1.0.0, skipRange: '<2.0.0 !1.0.0' }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }",
      ),
      says: 'covers the higher version of "queue.v1.1.0", so OLM may go back from it',
      accepted: whole,
    },
  }),
  skipped: catalogRule({
    id: 'CatalogSkipped',
    severity: 'info',
    checks: 'Every entry of a channel can be installed.',
    why: 'OLM classic never installs an entry that another one of the channel skips.',
    instead: 'Remove the entry from skips if it is to be installed.',
    source: sources(graph, from.openShift('Update paths')),
    messages: {
      skipped:
        'package "{package}", channel "{channel}": OLM classic never installs {names}, because another entry skips it',
    },
    example: {
      after: stable(
        '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }, { name: queue.v1.2.0, replaces: queue.v1.0.0, skips: [queue.v1.1.0] }',
      ),
      says: 'OLM classic never installs queue.v1.1.0',
      accepted: whole,
    },
  }),
  requirementUnmet: catalogRule({
    id: 'CatalogRequirementUnmet',
    severity: 'warning',
    checks: 'A package or an API that a bundle requires is in the same catalog.',
    why: 'OLM passes the bundle over unless another catalog of the cluster has it, and says nothing where an older bundle does without.',
    instead: 'Add the package, correct its name or range, or know which catalog has it.',
    source: sources(specification, dependencies),
    messages: {
      unmet:
        '{requirement} is not in this catalog: OLM passes over {bundles}, unless another catalog has it',
      unasked: 'requirements of further bundles were not compared: there are too many',
    },
    example: {
      after: withProperty(
        "{ type: olm.package.required, value: { packageName: topic, versionRange: '>=1.0.0' } }",
      ),
      says: 'package topic >=1.0.0 is not in this catalog: OLM passes over queue.v1.0.0',
      accepted: whole,
    },
  }),
  headUnlinked: catalogRule({
    id: 'CatalogHeadUnlinked',
    severity: 'warning',
    checks: 'One entry of a channel, its head, leads to all others by replaces and skips.',
    why: 'opm refuses a channel with several heads, and says which they are but not why.',
    instead: 'Name the older head in replaces or skips of the newer one.',
    source: sources(specification, heads),
    messages: {
      unknown:
        'package "{package}", channel "{channel}": {head} replaces "{replaces}", and no entry of the channel has this name (did you mean "{older}"?)',
      range:
        'package "{package}", channel "{channel}": {head} covers {older} by its skipRange, which links no entries for opm: only replaces and skips do',
      none: 'package "{package}", channel "{channel}": no entry replaces or skips {older}, so it is a second head beside {head}',
    },
    example: {
      after: stable("{ name: queue.v1.0.0 }, { name: queue.v1.1.0, skipRange: '<1.1.0' }"),
      says: 'queue.v1.1.0 covers queue.v1.0.0 by its skipRange, which links no entries for opm',
      accepted: whole,
    },
  }),
  headStranded: catalogRule({
    id: 'CatalogHeadStranded',
    severity: 'warning',
    checks:
      'The head of a channel can be updated into a later channel where an older entry of it can.',
    why: 'An operator that keeps up with the channel has no update once its Subscription names the next one, while one that stayed behind does. opm does not check it.',
    instead:
      'Name the head in replaces or skips of the entry of the later channel, or cover it by a skipRange.',
    source: sources(graph, from.openShift('Update paths')),
    messages: {
      stranded:
        'package "{package}", channel "{channel}": its head {head} cannot be updated into channel "{later}", while the older {older} can: {to} takes over from it',
    },
    example: {
      after: examplePackage({
        defaultChannel: 'new',
        channels: {
          old: '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }',
          new: '{ name: queue.v2.0.0, replaces: queue.v1.0.0 }',
        },
      }),
      says: 'queue.v1.1.0 cannot be updated into channel "new"',
      accepted: examplePackage({
        defaultChannel: 'new',
        channels: {
          old: '{ name: queue.v1.0.0 }, { name: queue.v1.1.0, replaces: queue.v1.0.0 }',
          new: '{ name: queue.v2.0.0, replaces: queue.v1.0.0, skips: [queue.v1.1.0] }',
        },
      }),
    },
  }),
  skipRangeAnnotation: catalogRule({
    id: 'CatalogSkipRangeAnnotation',
    severity: 'warning',
    checks:
      'A package whose bundles all name an olm.skipRange as an annotation has a skipRange in its channels.',
    why: 'OLM reads skipRange from the entries of channels alone: the annotation was for index images of old, and does nothing here. opm does not check it.',
    instead: 'Write the range as skipRange of the entry, or remove the annotation.',
    source: sources(specification, graph),
    messages: {
      unread:
        'package "{package}": every bundle has the annotation olm.skipRange, and no entry of a channel a skipRange: the annotation olm.skipRange is read by nobody, so there are no such updates',
    },
    example: {
      after: withProperty(
        "{ type: olm.csv.metadata, value: { annotations: { olm.skipRange: '<1.0.0' } } }",
      ),
      says: 'the annotation olm.skipRange is read by nobody',
      accepted: whole,
    },
  }),
  blobSchema: catalogBlobSchema,
  reservedSchema: catalogReservedSchema,
  lifecycle: catalogLifecycle,
};

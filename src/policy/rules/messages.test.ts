import { expect } from 'chai';
import { renderMessage } from '../../rule/index.js';
import { rules } from './registry.js';

/** All or the first half of what they say is OLM's or opm's own text. */
const inOlmsWords = [
  'BundleDeprecated',
  'CannotModifyStaticOperatorGroupProvidedAPIs',
  'CatalogLoads',
  'CatalogSourceImageTemplate',
  'CatalogSourceSpecInvalid',
  'CatalogValid',
  'ChannelDeprecated',
  'ClusterExtensionDeprecated',
  'ClusterExtensionPackage',
  'ClusterExtensionRange',
  'ClusterExtensionUnresolvable',
  'ClusterExtensionUpgradePath',
  'ClusterExtensionVersion',
  'ConversionWebhook',
  'InstallPlanOperatorGroup',
  'InterOperatorGroupOwnerConflict',
  'InvalidInstallModes',
  'InvalidWebhookDescription',
  'NoOperatorGroup',
  'NoTargetNamespaces',
  'OperatorGroupIntersection',
  'OperatorGroupTargets',
  'OwnerConflict',
  'PackageDeprecated',
  'RequirementsNotMet',
  'StaticProvidedAPIs',
  'SubscriptionChannel',
  'SubscriptionPackage',
  'SubscriptionStartingCSV',
  'TooManyOperatorGroups',
  'UnreadableOpenShiftLimit',
  'UnsupportedOperatorGroup',
];

/** Sentences of the resolver's explanation, which the answers of `resolve` say too. */
const explained = [
  'InstallPlanWaits',
  'ResolutionConflict',
  'ResolutionGaveUp',
  'ResolutionPrevented',
];

/** Texts of OLM v1's validators and of crdify, which the golden rows assert. */
const inValidatorsWords = [
  'ChangeValidator',
  'NoExistingFieldRemoved',
  'NoScopeChange',
  'NoStoredVersionRemoved',
  'ServedVersionValidator',
  'default',
  'description',
  'enum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'nullable',
  'oneOf',
  'pattern',
  'required',
  'type',
  'unhandled',
];

/** The API server's own refusals of a definition. */
const inServersWords = [
  'CelCompile',
  'CelSettings',
  'ConversionSettings',
  'DefinitionNames',
  'InvalidDefault',
  'InvalidPattern',
  'NotDecodable',
  'NotStructural',
  'PrinterColumns',
  'ScalePaths',
  'SelectableFields',
  'StorageVersions',
];

describe('messages of rules', () => {
  it('are listed by each rule whose words are its own', () => {
    const unlisted = rules.filter(({ messages }) => messages === undefined);
    expect(unlisted.map(({ id }) => id).sort()).to.deep.equal(
      [...inOlmsWords, ...explained, ...inValidatorsWords, ...inServersWords].sort(),
    );
  });

  for (const rule of rules) {
    const { id, messages = {} } = rule;
    for (const [name, text] of Object.entries(messages)) {
      it(`${id} says ${name}`, () => {
        expect(name).to.match(/^[a-z][A-Za-z]*$/);
        const places = [...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place);
        const data = Object.fromEntries(places.map((place) => [place, `<${place}>`]));
        const { message } = rule.finding({ id: name, data });
        expect(message).to.not.match(/[{}]|\.$/);
        for (const place of places) expect(message).to.include(`<${place}>`);
      });
    }
  }
});

describe('a message', () => {
  for (const [text, data, rendered] of [
    ['as it is', {}, 'as it is'],
    ['{count} of "{name}"', { count: 3, name: 'a"b' }, '3 of "a\\"b"'],
    ['{names} and "{names}"', { names: ['a', 'b'] }, 'a, b and "a", "b"'],
    ['{names}', { names: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'a, b, c, d, e and 2 more'],
    ['{text}', { text: '{name}' }, '{name}'],
  ] as const) {
    it(`${text} with ${JSON.stringify(data)}`, () => {
      expect(renderMessage(text, data)).to.equal(rendered);
    });
  }

  it('without a value for one of its places is a defect', () => {
    expect(() => renderMessage('{name} goes', {})).to.throw('has no value for name');
  });
});

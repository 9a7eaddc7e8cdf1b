import { expect } from 'chai';
import { renderMessage, type Subject } from '../../rule/index.js';
import { rules } from './registry.js';

/** Rules about these say what is in their list of messages. */
const converted: readonly Subject[] = [
  'OperatorGroup',
  'ClusterServiceVersion',
  'Subscription',
  'InstallPlan',
  'CatalogSource',
  'ClusterVersion',
  'cluster',
  'ClusterExtension',
  'bundle',
  'catalog',
  'catalog update',
  'resolution',
  'conversion',
  'switch-off',
  'clients',
  'server-side apply',
  'readers',
  'display',
  'way back',
  'manifests',
];

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

describe('messages of rules', () => {
  it('are listed by each rule whose words are its own', () => {
    const unlisted = rules.filter(
      ({ subject, messages }) => converted.includes(subject) && messages === undefined,
    );
    expect(unlisted.map(({ id }) => id).sort()).to.deep.equal(
      [...inOlmsWords, ...explained].sort(),
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

import { expect } from 'chai';
import { checkInstallModes } from './objects.js';

describe('checkInstallModes', () => {
  const rows: [rule: string, supported: string, targets: string[], message: string | null][] = [
    ['own', 'OwnNamespace', ['op'], null],
    [
      'own is not single',
      'SingleNamespace',
      ['op'],
      'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace',
    ],
    ['single', 'SingleNamespace', ['x'], null],
    [
      'single is not inferred from multi',
      'MultiNamespace',
      ['x'],
      'SingleNamespace InstallModeType not supported, cannot configure to watch one namespace',
    ],
    ['all', 'AllNamespaces', [''], null],
    [
      'all is not inferred',
      'OwnNamespace SingleNamespace MultiNamespace',
      [''],
      'AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces',
    ],
    ['several', 'MultiNamespace', ['x', 'y'], null],
    [
      'several unsupported',
      'AllNamespaces',
      ['x', 'y'],
      'MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces',
    ],
    [
      'several with the own one need both',
      'MultiNamespace',
      ['x', 'op'],
      'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace',
    ],
    [
      'several with "" are an error',
      'OwnNamespace SingleNamespace MultiNamespace AllNamespaces',
      ['x', ''],
      'operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1',
    ],
    [
      'the first offending element speaks',
      'MultiNamespace',
      ['', 'op'],
      'operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1',
    ],
    [
      'none',
      'OwnNamespace',
      [],
      'operatorgroup has invalid selected namespaces, cannot configure to watch zero namespaces',
    ],
    [
      'the same name twice is several',
      'OwnNamespace',
      ['op', 'op'],
      'MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces',
    ],
  ];
  for (const [rule, supported, targets, message] of rows) {
    it(rule, () => {
      const modes = supported.split(' ').map((type) => ({ type, supported: true }));
      expect(checkInstallModes(modes, 'op', targets)?.message ?? null).to.equal(message);
    });
  }

  it('refuses duplicates before anything else', () => {
    const modes = [
      { type: 'AllNamespaces', supported: true },
      { type: 'AllNamespaces', supported: false },
    ];
    expect(checkInstallModes(modes, 'op', [])).to.deep.equal({
      stage: 'NewInstallModeSet',
      reason: 'InvalidInstallModes',
      message:
        'InstallMode list contains duplicates, cannot make set: [{AllNamespaces true} {AllNamespaces false}]',
    });
  });

  it('counts a mode that says supported: false as unsupported', () => {
    const modes = [{ type: 'OwnNamespace', supported: false }];
    expect(checkInstallModes(modes, 'op', ['op'])?.reason).to.equal('UnsupportedOperatorGroup');
  });
});

import { aCsv, aGroup, describeRule } from '../testing/harness.js';
import { invalidInstallModes } from './invalid-install-modes.js';

describeRule(invalidInstallModes, [
  { when: 'each once', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'one twice',
    object: aCsv({ modes: ['OwnNamespace', 'OwnNamespace'] }),
    cluster: [aGroup()],
    says: [
      'error: InvalidInstallModes: InstallMode list contains duplicates, cannot make set: [{OwnNamespace true} {OwnNamespace true}]',
    ],
  },
]);

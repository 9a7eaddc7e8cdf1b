import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { invalidInstallModes } from './group-membership.js';

describeRule(invalidInstallModes, [
  { when: 'each once', object: aCsv(), cluster: [makeGroup()], says: [] },
  {
    when: 'one twice',
    object: aCsv({ modes: ['OwnNamespace', 'OwnNamespace'] }),
    cluster: [makeGroup()],
    says: [
      'error: InvalidInstallModes: InstallMode list contains duplicates, cannot make set: [{OwnNamespace true} {OwnNamespace true}]',
    ],
  },
]);

import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsUnchecked = defineStoredRule({
  id: 'StoredObjectsUnchecked',
  severity: 'warning',
  about: 'content',
  checks:
    'Stored objects that could not be read, or not all of them in the time that the policy gives.',
  why: 'Objects that were not checked may break.',
  instead:
    'Let the gate list the objects (docs/operations.md, Stored objects), and show it which reviews are the API server’s (docs/client-certificate.md); where time ran out, raise budgets.storedObjectsSeconds.',
  source: from.us('docs/operations.md'),
  messages: {
    undecided:
      '{undecided} of {stored} could not be judged: a validation rule cannot be evaluated here',
    laterVersion:
      'stored {name} not checked: version {version} is made by a conversion webhook that comes with the upgrade',
    noRight: 'not checked: no right to list {name}',
    busy: 'stored {name} not checked: too much else is under way',
    late: 'stored {name} were not checked in time ({progress} so far); the check goes on, and the next attempt gets its answer',
    failed: 'stored {name} not checked: {why}',
    uncounted:
      'deleting {name} deletes every stored {kind} with it, and their number is unknown: {why}',
    withheld:
      'stored {kinds} were not all checked; which and how many is for those who may list {name}',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'not checked: no right to list widgets.example.com',
  },
});

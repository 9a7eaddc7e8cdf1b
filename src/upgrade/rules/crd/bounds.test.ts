import { boundRules } from './bounds.js';
import { describeRule } from './testing/rule-rows.js';
import type { PropertyRule } from './rule.js';

const ruleOf = (keyword: string): PropertyRule =>
  boundRules.find(({ id }) => id === keyword) as PropertyRule;

for (const rule of boundRules.filter(({ id }) => id.startsWith('max'))) {
  const { id: name } = rule;
  describeRule(rule, [
    [
      'an upper bound where there was none',
      '',
      '0',
      {
        'olm-v1': `${name}: constraint 0 added when there were no restrictions previously`,
        crdify: 'maximum constraint added when there was none previously : 0',
      },
    ],
    [
      'an upper bound lowered',
      '10',
      '5',
      {
        'olm-v1': `${name}: constraint decreased from 10 to 5`,
        crdify: 'maximum decreased : 10 -> 5',
      },
    ],
    ['an upper bound raised', '5', '10', ''],
    ['the same, written otherwise', '5', '5.0', ''],
    ['removed', '5', '', ''],
    ['null is no bound', '5', 'null', ''],
  ]);
}

for (const rule of boundRules.filter(({ id }) => id.startsWith('min'))) {
  const { id: name } = rule;
  describeRule(rule, [
    [
      'a lower bound where there was none',
      '',
      '0',
      {
        'olm-v1': `${name}: constraint 0 added when there were no restrictions previously`,
        crdify: 'minimum constraint added when there was none previously : 0',
      },
    ],
    [
      'a lower bound raised',
      '1',
      '2',
      {
        'olm-v1': `${name}: constraint increased from 1 to 2`,
        crdify: 'minimum increased : 1 -> 2',
      },
    ],
    ['a lower bound lowered', '2', '1', ''],
    ['removed', '2', '', ''],
  ]);
}

const lowered = (from: string, to: string, name = 'maximum') => ({
  'olm-v1': `${name}: constraint decreased from ${from} to ${to}`,
  crdify: `maximum decreased : ${from} -> ${to}`,
});

describeRule(ruleOf('maximum'), [
  ['floats as Go prints them', '1000000', '999999', lowered('1e+06', '999999')],
  ['shortest digits', '20999999', '1234567', lowered('2.0999999e+07', '1.234567e+06')],
  ['small floats', '0.0001', '0.000001', lowered('0.0001', '1e-06')],
  ['negative zero', '1', '-0.0', lowered('1', '-0')],
  ['an integer literal has no negative zero', '1', '-0', lowered('1', '0')],
  ['floats beyond 53 bits are rounded', '9007199254740993', '9007199254740992', ''],
]);

describeRule(ruleOf('maxLength'), [
  [
    'integers keep every digit',
    '9007199254740993',
    '9007199254740992',
    lowered('9007199254740993', '9007199254740992', 'maxLength'),
  ],
  ['integers have no exponent', '2000000', '1000000', lowered('2000000', '1000000', 'maxLength')],
]);

import type { Rule } from '../../../rule/index.js';
import { chartCannotAdoptCrd } from './chart-cannot-adopt-crd.js';
import { chartControllerNewer } from './chart-controller-newer.js';
import { chartCrdNotUpgraded } from './chart-crd-not-upgraded.js';
import { chartDeletesCrd } from './chart-deletes-crd.js';
import { chartHookOnCrd } from './chart-hook-on-crd.js';
import { chartNeedsNewCrd } from './chart-needs-new-crd.js';
import { chartRemovesCrd } from './chart-removes-crd.js';

export const chartRules: readonly Rule[] = [
  chartCrdNotUpgraded,
  chartNeedsNewCrd,
  chartRemovesCrd,
  chartCannotAdoptCrd,
  chartDeletesCrd,
  chartHookOnCrd,
  chartControllerNewer,
];

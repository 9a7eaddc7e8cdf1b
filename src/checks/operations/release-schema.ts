import type { Release } from '../../kubernetes/index.js';

const releases: readonly Release[] = ['1.33', '1.35', '1.36'];

/** The input by which values are judged as on another Kubernetes than the default. */
export const releaseSchema = {
  enum: releases,
  default: '1.35',
  description:
    'By whose rules values are judged: 1.33 stands for all minors up to it, 1.35 for 1.34 too, 1.36 for all from it on.',
};

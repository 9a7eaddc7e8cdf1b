/** Every resource that the gate reviews, in one list. */
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import type { Reviewer } from './reviewer.js';

export const reviewers: readonly Reviewer[] = [customResourceDefinitionReviewer];

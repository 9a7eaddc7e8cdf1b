export type { CheckReport, CheckResult, FindingNote, SkippedKind } from './check-report.js';
export { type CodeFrame, type FrameAt, codeFrames, framesInTurn } from './code-frame.js';
export { renderDerivation, renderRange, renderPaths } from './explanations.js';
export { type GraphFormat, graphFormats, renderGraph } from './graph/index.js';
export { countSeverities, gravityOf, type ReportedFinding, isHarmless } from './grouping.js';
export { JsonReport } from './json-report.js';
export { type RenderOptions, formats, render, wantsColours } from './render.js';
export { renderResolution } from './resolution.js';
export { renderSections, renderTable } from './table.js';
export { renderPlanMarkdown } from './upgrade-plan/markdown.js';
export { renderPlanPage } from './upgrade-plan/page.js';
export {
  type ExemptedFinding,
  type Obstacle,
  type PlannedAction,
  type PlannedAudience,
  type PlannedDefinition,
  type PlannedState,
  type PlannedStep,
  type UpgradePlan,
  headlineOf,
  isUnknown,
} from './upgrade-plan/plan.js';
export { exampleYaml } from './text.js';
export { renderPlanText } from './upgrade-plan/text.js';
export { storedWrites } from './wording.js';

export { type BoundWay, type ExplainedCost } from './explained-costs.js';
export { definitionFindings } from './findings.js';
export { judgeForServers, type ServersJudgement } from './judge.js';
export { refusalRules } from './rules.js';

export { judgeClassicUpgrade, type ClassicUpgrade } from './upgrade.js';

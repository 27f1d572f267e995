/** Defects and variants of the reference: loaded only for `--defect` and to prove the suites. */
export { DEFECTS, defectOf } from '../../../conformance/defects/index.ts'
export { drawnDefects } from '../../../conformance/drawn/index.ts'
export { KILLS } from '../../../conformance/kills.ts'
export { VARIANTS } from '../../../conformance/variants/index.ts'
export { provableProperties } from '../../../property/proof.ts'

/** What breaks the reference, or varies it: only who names a defect, or proves the suites, loads it. */
export { DEFECTS, defectOf } from '../../../conformance/defects/index.ts'
export { drawnDefects } from '../../../conformance/drawn/index.ts'
export { KILLS } from '../../../conformance/kills.ts'
export { VARIANTS } from '../../../conformance/variants/index.ts'
export { provableProperties } from '../../../property/proof.ts'

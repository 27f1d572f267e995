import { startCases } from './cases.ts'
import { startCopying } from './copy.ts'
import { pageData } from './data.ts'
import { startLinks } from './links.ts'
import { startPrinting } from './printing.ts'
import { startRequirements } from './requirements.ts'
import { startSelfCheck } from './selfCheck.ts'
import { startTheme } from './theme.ts'
import { startTimelines } from './timelines.ts'

startTheme()
startCopying()
startRequirements()
const data = pageData()
const cases = startCases(data)
startTimelines()
startPrinting()
startLinks(cases)
startSelfCheck(data.selfCheck)

import { startCases } from './cases.ts'
import { startCopying } from './copy.ts'
import { pageData } from './data.ts'
import { startLinks } from './links.ts'
import { startPrinting } from './printing.ts'
import { startRequirements } from './requirements.ts'
import { startTheme } from './theme.ts'
import { startTimelines } from './timelines.ts'

startTheme()
startCopying()
startRequirements()
const cases = startCases(pageData())
startTimelines()
startPrinting()
startLinks(cases)

import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'

/** A process that logs as many lines as its argument says, reports it to its parent, and ends when the parent disconnects. */
const log = createLog({ clock: systemClock, level: 'info' })
for (let line = 0; line < Number(process.argv[2]); line++) log.info('line', { line, text: 'x'.repeat(200) })
process.send?.('logged')
// A listener keeps the connection to the parent, and with it the process.
process.once('disconnect', () => {})

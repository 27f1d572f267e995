import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'

/** Logs the number of lines given as argument, reports to the parent process, and ends when the parent disconnects. */
const log = createLog({ clock: systemClock, level: 'info' })
for (let line = 0; line < Number(process.argv[2]); line++) log.info('line', { line, text: 'x'.repeat(200) })
process.send?.('logged')
// The listener keeps the connection to the parent open, and so the process running.
process.once('disconnect', () => {})

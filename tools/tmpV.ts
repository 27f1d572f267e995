import { readFileSync, readdirSync } from 'node:fs'
import { verifyRecording } from '/work/wt/playback/src/recordings/verify/verifyRecording.ts'
const dir = process.argv[2] ?? '/work/wt/playback/reports/golden/'
for (const f of readdirSync(dir).filter((f) => f.endsWith('.json'))) {
  const t = performance.now()
  try { const v = await verifyRecording(readFileSync(dir + '/' + f, 'utf8')); console.log(f, 'ok', v.failures.length, v.execution?.replies, v.execution?.unjudged.join(), Math.round(performance.now() - t)) }
  catch (e: any) { console.log(f, e.name, e.message.slice(0, 300), e.problem === undefined && !e.differences ? e.stack : '', Math.round(performance.now() - t)) }
}

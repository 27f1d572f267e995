/**
 * Prints speed as tables: ratios within one run, the growth of costs with sizes, and other tools for the same work. Asserts
 * nothing about time: a busy machine must not fail a build.
 */
import { parseArgs } from 'node:util'
import { UsageError } from '../src/spec/errors.ts'
import { benchGrowth, KINDS } from './growth.ts'
import { benchPeers } from './peers/compare.ts'
import { benchService } from './service.ts'

const HELP = `npm run bench -- [--growth [KIND…] [--largest SIZE] | --peers]

Prints ratios within one run, which do not depend on the machine: the service's work and the raw calls that it needs.

  --growth [KIND…]  growth of costs with sizes: ${KINDS.join(', ')}
  --largest SIZE    growth up to this size
  --peers           the same work on fresh Anvils, prool and Hardhat 3, for about three minutes. Installs them, and the Node 22
                    that they need, into bench/peers if they are missing.`

const { values, positionals } = parseArgs({
  options: {
    growth: { type: 'boolean', default: false },
    largest: { type: 'string' },
    peers: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
})
try {
  if (values.help) console.log(HELP)
  else if (values.peers) await benchPeers()
  else if (values.growth) await benchGrowth(positionals, Number(values.largest ?? Number.POSITIVE_INFINITY))
  else await benchService()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`error: ${error.message}\n  ${error.advice}`)
  process.exitCode = 2
}

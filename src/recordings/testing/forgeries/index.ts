import { CHAIN_FORGERIES } from './chain.ts'
import { CONSISTENT_CHAIN_FORGERIES } from './consistentChain.ts'
import { FAULT_FORGERIES } from './faults.ts'
import { FILE_FORGERIES } from './file.ts'
import type { Forgery } from './forgery.ts'
import { JUDGED_FORGERIES } from './judged.ts'
import { REPLY_FORGERIES } from './replies.ts'
import { RUN_FORGERIES } from './run.ts'
import { UNPROVED_FORGERIES } from './unproved.ts'
import { UNPROVED_RUN_FORGERIES } from './unprovedRun.ts'

/** Every kind of forgery with its finder: the cases of inventions.test.ts and the list in docs/internals/forgeries.md. */
export const FORGERIES: readonly Forgery[] = [
  ...FILE_FORGERIES,
  ...CHAIN_FORGERIES,
  ...CONSISTENT_CHAIN_FORGERIES,
  ...REPLY_FORGERIES,
  ...RUN_FORGERIES,
  ...JUDGED_FORGERIES,
  ...FAULT_FORGERIES,
  ...UNPROVED_FORGERIES,
  ...UNPROVED_RUN_FORGERIES,
]

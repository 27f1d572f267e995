import { amounts } from './amounts.ts'
import type { Argument } from './argument.ts'
import { chain } from './chain.ts'
import { confirm } from './confirm.ts'
import { estimates } from './estimates.ts'
import { hangs } from './hangs.ts'
import { http } from './http.ts'
import { quote } from './quote.ts'
import { silence } from './silence.ts'
import { store } from './store.ts'
import { venues } from './venues.ts'

/** Every argument; a mutant that several would fit belongs to the first. */
export const ARGUMENTS: readonly Argument[] = [
  ...silence,
  ...amounts,
  ...quote,
  ...confirm,
  ...http,
  ...store,
  ...chain,
  ...estimates,
  ...venues,
  ...hangs,
]

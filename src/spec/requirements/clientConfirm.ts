import { ofClient } from './client.ts'
import { clauses } from './types.ts'

/** §4.3 POST /api/v1/swap/confirm. */
export const clientConfirmClauses = clauses(ofClient('4.3'), {
  'client.tx.unchanged': {
    clause:
      'must match the saved chain, sender, target, calldata and native value. Gas price and nonce may differ.',
    statement: 'The swap is sent with the `to`, `data` and `value` of its build.',
  },
  'client.confirm.same-key': {
    clause: 'JSON body, sent with the same API key that made the build',
    statement: 'A report carries the key that made the build.',
  },
  'client.confirm.build-id': {
    clause: "From the build's `attribution.buildId`.",
    statement: 'A report names the build that its swap was made from.',
  },
  'client.reports-swap': {
    clause: 'Approval and fee-transfer transactions are not the swap; the swap hash is reported.',
    statement: 'The hash that is reported is that of the swap, and a swap that is mined is reported.',
    floor: 2,
  },
  'client.retry-after': {
    clause: 'Carries a `Retry-After` header to respect.',
    statement: 'After 202 a client reports again no earlier than `Retry-After` says.',
    floor: 2,
  },
  'client.persists-and-retries': {
    clause:
      'On 202 the client persists the hash and retries with backoff, and investigates if it stays pending.',
    statement:
      'A swap that is 202 is reported again until it is recorded, also when the client is killed and started again, or its block changes.',
    floor: 2,
  },
  'client.replacement.matching': {
    clause: 'A replacement transaction may be reported if it still matches the build exactly.',
    statement: 'When the swap is replaced by one that matches, the client finds and reports that one.',
    level: 'convention',
    convention: {
      because:
        'Wallets replace transactions to speed them up; a client that waits for the first hash waits for ever.',
      accepts: ['a client that ends as failed and says so'],
    },
  },
  'client.replacement.different': {
    clause: 'if it still matches the build exactly.',
    statement: 'When the swap is replaced by one that does not match, that one is not reported.',
  },
})

/** §5 Authentication. */
export const clientAuthClauses = clauses(ofClient('5'), {
  'client.authorization': {
    clause: 'Requests carry the header `Authorization: Bearer <API_KEY>`.',
    statement: 'Each request to the service carries the key in this header.',
  },
  'client.key-kept-secret': {
    clause: 'Requests carry the header `Authorization: Bearer <API_KEY>`.',
    statement:
      'Neither the API key nor the private key is in a URL, a request to the node, or what is printed.',
    level: 'convention',
    convention: {
      because: 'Others read logs and URLs, and anyone with the key can act as the partner or the user.',
      accepts: ['a key in the state folder of the client'],
    },
  },
  'client.no-attribution-no-report': {
    clause: 'A legacy shared key gets `attribution: null`.',
    statement: 'A swap whose build has no attribution is not reported.',
    level: 'convention',
    convention: {
      because: 'There is no `buildId` to report it with; an invented report is refused.',
      accepts: ['a swap that ends as done once it is mined'],
    },
  },
})

/** §7 Errors. */
export const clientErrorClauses = clauses(ofClient('7'), {
  'client.build-backoff': {
    clause: 'Retry with backoff.',
    statement: 'After 502 a client builds again after a pause, and gets on when the service is back.',
  },
  'client.confirm-backoff': {
    clause: 'Verification or storage temporarily unavailable. Retry with backoff.',
    statement: 'After 503 a client reports again after a pause, until the swap is recorded.',
  },
  'client.budget': {
    clause: 'The shared partner request budget is exceeded.',
    statement: 'After 429 a client waits as long as `Retry-After` says, and reports again.',
    level: 'convention',
    convention: {
      because:
        'The specification does not say how to handle an exceeded budget; immediate repeats keep it exceeded.',
      accepts: ['any longer pause', 'any growing pause where there is no `Retry-After`'],
    },
  },
  'client.retries-bounded': {
    clause: 'Retry with backoff.',
    statement: 'Pauses between repeated requests grow or are those that are asked for, and they end in time.',
    level: 'convention',
    convention: {
      because: 'Rapid retries keep a failing service down, and a user must get an answer.',
      accepts: ['pauses with jitter', 'the pause that `Retry-After` names', 'no repetition at all'],
    },
  },
  'client.rejection-final': {
    clause: 'Transaction reverted, mismatched, or executed outside the 20-minute window.',
    statement:
      'A report that is refused with 400, 401, 404, 409 or 422 is not repeated for ever, nor called done.',
    level: 'convention',
    convention: {
      because: 'Repeating the report does not change the response, and the partner is not credited.',
      accepts: ['up to three reports of the same hash'],
    },
  },
  'client.reverted-not-done': {
    clause: 'Transaction reverted, mismatched, or executed outside the 20-minute window.',
    statement: 'A swap that reverted is not called done.',
    level: 'convention',
    convention: {
      because: 'A user who is shown a reverted swap as done looks for money that never arrived.',
      accepts: ['another swap from a new build, once the first is known to have reverted'],
    },
  },
  'client.done-when-recorded': {
    clause: '`{ recorded: true, alreadyRecorded: false }`.',
    statement: 'A client that meets nothing but what the specification names swaps, reports and ends with 0.',
    level: 'convention',
    convention: {
      because: 'The specification does not say how a client informs its user; the suite reads the exit code.',
      accepts: ['unknown fields are ignored', 'requests whose response is lost are repeated'],
    },
  },
})

import { ERROR_BODIES, type OpenPoint, STATUS } from './types.ts'

/** The open points of confirm (§3, §4.3, §5, §7, §8). */
export const CONFIRM_POINTS = {
  'confirm.states': {
    settledBy: 'A matching swap returns 202 until it is recorded, and 200 from then on.',
    aspects: {
      '': {
        situation: 'the statuses of a report before its first 200, refusals for the key or the budget apart',
        answers: ['only-202', 'others-as-well'],
      },
    },
  },
  'confirm.build-id.letter-case': {
    settledBy: '`buildId` is compared without regard to letter case.',
    aspects: {
      '': { situation: '`buildId` in other letter case', answers: ['same-build', 'no-such-build', '400'] },
    },
  },
  'confirm.repeat.body': {
    settledBy: 'Repeating a report returns `{ recorded: true, alreadyRecorded: true }`.',
    aspects: {
      '': {
        situation: 'which fields are true when a report is repeated',
        answers: ['recorded-and-already-recorded', 'recorded', 'already-recorded', 'none'],
      },
    },
  },
  'confirm.pending.body': {
    settledBy:
      'The body of 202 is `{ recorded: false, alreadyRecorded: false }`, and may have further fields.',
    aspects: {
      '': { situation: 'the body of 202', answers: ['recorded-fields', 'error', 'other-fields', 'empty'] },
    },
  },
  'confirm.window.end': {
    settledBy: 'A swap in a block in the very second of `validUntil` counts.',
    aspects: {
      '': {
        situation: 'a swap in a block in the very second of `validUntil`',
        answers: ['inclusive', 'exclusive'],
      },
    },
  },
  'confirm.depth.no-guarantee': {
    settledBy: 'A swap that was recorded stays recorded when its block is orphaned.',
    aspects: {
      '': {
        situation: 'a report that was recorded, once its block is orphaned',
        answers: ['stays-recorded', 'pending-again', 'rejected'],
      },
    },
  },
  'confirm.depth.counting': {
    settledBy: 'The block of the swap is the first of the 12 confirmations.',
    aspects: {
      '': {
        situation: 'the first of the 12 confirmations',
        answers: ['block-of-the-swap', 'block-after-it'],
      },
    },
  },
  'confirm.early-rejection': {
    settledBy: 'A transaction that does not match returns 202 until it is 12 blocks deep, and then 422.',
    aspects: {
      '': {
        situation: 'a transaction that does not match and is not deep enough',
        answers: ['at-once', 'once-deep'],
      },
    },
  },
  'auth.legacy-confirm': {
    settledBy: 'A report with the legacy shared key returns 404.',
    aspects: { '': { situation: 'a report with the legacy shared key', answers: [STATUS] } },
  },
  'confirm.error-body': {
    settledBy: 'The body of an error of confirm is `{ error: <message string> }`.',
    aspects: { '': { situation: 'the body of an error of confirm', answers: ERROR_BODIES } },
  },
  'confirm.order-of-checks': {
    settledBy: 'Confirm checks the key, the budget, the form of the report, the build, and then the chain.',
    aspects: {
      'no-key-malformed': { situation: 'a malformed report without a key', answers: [STATUS] },
      'unknown-build-malformed': {
        situation: 'a malformed hash for a build that does not exist',
        answers: [STATUS],
      },
      'foreign-build-malformed': {
        situation: 'a malformed hash for the build of another key',
        answers: [STATUS],
      },
    },
  },
  'confirm.budget.size': {
    settledBy:
      'A partner is given the number of reports that it may send, and the seconds in which it may send them.',
    aspects: {
      '': {
        situation: 'reports beyond the declared budget, or 20 in a row where none is declared',
        answers: ['limited-as-declared', 'limited', 'not-limited'],
      },
    },
  },
} as const satisfies Readonly<Record<string, OpenPoint>>
